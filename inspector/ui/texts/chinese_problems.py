"""Problems of data and predictions, in Simplified Chinese.

Every kind of problem has its meaning here, by its code. What was found in a file stands beside it:
in Chinese where it is common, else in English, because it quotes libraries, names and numbers and
is looked up and reported as it is.
"""

from __future__ import annotations

_CODES = {
    "missing-picture": "未找到图片文件；仍显示其掩码。",
    "picture-size": "图片本身的尺寸与标注所写不同。",
    "turned-picture": "图片的 EXIF 要求旋转显示；其掩码未旋转。",
    "broken-picture": "图片文件无法读取。",
    "broken-mask": "真值掩码无法读取；依赖它的样本不评分。",
    "missing-truth": "数据中某个句子没有真值；仅列出，不评分。",
    "empty-target": "样本有目标，但真值掩码没有任何像素。",
    "dropped-polygon": "不足三个点的多边形未计入其掩码。",
    "overlapping-polygons": "同一物体的多边形有重叠；已取并集。",
    "box-differs": "标注的边框与其掩码的外接框不同（由 check 给出）。",
    "crowd-region": "群体区域不是单个物体，另行处理。",
    "no-sentences": "没有句子的指代对象已略去。",
    "unknown-category": "类别未知：其编号未列出，或名称只是占位。",
    "duplicate-record": "同一记录出现多次；以第一个为准。",
    "level-guessed": "物体与部件的区分出自推测；用 --refs 可给出更可靠的依据。",
    "altered-data": "该格式无法保存原始数据的全部内容，会影响得分。",
    "bad-record": "记录不符合文档所述的结构，已略去。",
    "no-pictures": "该格式不含图片，也未找到图片；仍显示掩码。",
    "size-mismatch": "预测掩码与图片尺寸不同；按规则评分。",
    "broken-prediction": "预测掩码无法读取；按规则评分。",
    "ambiguous-key": "预测的键符合多个样本，无法区分。",
    "shared-key": "多个样本共用一个键；预测按顺序对应。",
    "duplicate-prediction": "该样本已有预测；以第一个为准。",
    "unmatched-prediction": "预测不属于此数据集的任何样本。",
    "cut-off-file": "文件最后一行不完整；若运行仍在写入，则已读取之前的记录。",
    "extra-file": "掩码文件夹中有名称不符合任何样本的文件。",
    "other-split": "预测属于另一个划分或数据集（见说明）。",
    "row-order": "预测没有键，按顺序对应；是否正确见检验结果。",
    "iou-differs": "文件给出的 IoU 与实际计算相差超过 0.001。",
    "counts-contradict": "文件中的像素计数与其样本不符。",
    "box-scale": "文件中边框的尺度为推断所得；依据见说明。",
    "broken-box": "预测边框无法读取；按规则评分。",
    "several-boxes": "回答含多个边框或分割段；计入哪些见说明。",
    "mask-values": "灰度、彩色或软掩码的读取方式及其直方图。",
    "ambiguous-names": "文件名或键与样本有多种对应方式；采用的方式见说明。",
    "other-file": "文件夹中的某个文件不是预测，已略去。",
    "file-changed": "文件在读取时发生了变化；请重新读取。",
    "table-rules": "得分表未注明评分规则。",
    "table-absent": "得分表缺少部分样本的行；这些样本计为缺失。",
    "table-object": "得分表提到了数据集中没有的物体。",
    "table-masks": "要显示的预测并非得分表所评的预测。",
    "run-not-read": "某个运行无法读取；其余照常显示。",
    "hub-not-reached": "无法连接 hub；数据集为上次所见的状态。",
    "counts-differ": "样本数与公布的不同。",
    "truths-size": "图片在第二套真值中的尺寸不同；不作比较。",
    "truths-ids": "两套真值中相同的编号并非同一物体，未予采用。",
    "truths-ambiguous": "两套真值的指代对象有多种对应方式；不参与比较。",
    "truths-apart": "已匹配的指代对象的两个掩码几乎不重叠。",
    "truths-counts": "没有掩码的文件无法在第二套真值下评分。",
}
"""By their code: shown before what the server says of an occurrence that has no words here."""

_REASONS = {
    "{#width} x {#height} pixels (width x height)": "{width} x {height} 像素（宽 x 高）",
    "The mask is {*size}, the picture {*own}": "掩码为 {size}，图片为 {own}",
    "The mask is {*size}, the picture {*own}: height and width are swapped":
    "掩码为 {size}，图片为 {own}：宽和高颠倒",
    "it is a square frame: '--resize nearest' would bring it to size":
    "它是正方形画幅：用 --resize nearest 可缩放到图片尺寸",
    "it has the same proportions: '--resize nearest' would bring it to size":
    "宽高比相同：用 --resize nearest 可缩放到图片尺寸",
    "the photograph is to be turned by its EXIF data (orientation {#way}): the model saw it "
    "turned, its annotations did not":
    "照片的 EXIF 要求旋转（方向 {way}）：模型看到的是旋转后的，标注则不是",
    "The runs sum to {#sum} pixels, but {#height} x {#width} (height x width) has {#pixels}":
    "游程总和为 {sum} 像素，而 {height} x {width}（高 x 宽）应有 {pixels} 像素",
    "The run lengths are empty": "游程编码为空",
    "The run lengths hold a character that COCO's compressed counts never have":
    "游程编码含有 COCO 压缩格式中不会出现的字符",
    "The run lengths are cut off in the middle of a number": "游程编码在一个数的中间被截断",
    "The run lengths hold a number of more than 30 bits": "游程编码中有超过 30 位的数",
    "The run lengths hold a negative run": "游程编码中有负的游程",
    "The run lengths hold a run of more than {#most} pixels": "游程编码中有超过 {most} 像素的游程",
    "There is no polygon": "没有多边形",
    "The mask holds values that are no number": "掩码中有不是数的值",
    "The picture cannot be read ({error})": "图片无法读取（{error}）",
    "The box [{numbers}] has a number beyond its scale ({scale})":
    "边框 [{numbers}] 中有超出其尺度（{scale}）的数",
    "The IoU {#iou} in the file is not within 0 and 1": "文件中的 IoU {iou} 不在 0 到 1 之间",
    "The file counts {#shared} shared pixels of {#covered} covered ones":
    "文件计有 {covered} 个覆盖像素，其中 {shared} 个为共同像素",
    "The polygon's outline is longer than {#most} pixels": "多边形的轮廓长于 {most} 像素",
}
"""Why a prediction cannot be used."""

_FOUND = {
    "{#count} more of the same kind.": "另有 {count} 个同类问题。",
    "Example {id}: {*reason}": "样本 {id}：{reason}",
    "Example {id}: the file says IoU {#said}, but it is {#own}.":
    "样本 {id}：文件写的 IoU 是 {said}，实际为 {own}。",
    "This example already has a prediction (found by {*way}); the first one counts.":
    "该样本已有预测（依据：{way}）；以第一个为准。",
    "{#count} sentences share {*key}; predictions were taken in order.":
    "{count} 个句子共用 {key}；预测按顺序对应。",
    "{#count} referents share {*key}; predictions were taken in order.":
    "{count} 个指代对象共用 {key}；预测按顺序对应。",
    "{#count} sentences share {*key}; one prediction serves all of them.":
    "{count} 个句子共用 {key}；一个预测用于全部句子。",
    "{#count} predictions fit {#examples} examples with {*key}: which belongs to which cannot be "
    "told.": "{count} 个预测符合 {examples} 个有 {key} 的样本：无法判断如何对应。",
    "{#count} prediction fits {#examples} examples with {*key}: which belongs to which cannot be "
    "told.": "{count} 个预测符合 {examples} 个有 {key} 的样本：无法判断如何对应。",
    "the ground truth that stands in the file": "文件中的真值",
    "{#count} predictions belong to {name}, which is not loaded.":
    "{count} 个预测属于未载入的 {name}。",
    "No example has {*key}.": "没有样本具有 {key}。",
    "The file changed while it was read: what is shown may be a part of it.":
    "文件在读取时发生了变化：显示的可能只是其中一部分。",
    "The last line is still being written and was left out.": "最后一行仍在写入，已略去。",
    "The picture is not named as the masks of this folder are and was left out. If it is a "
    "prediction, name it as they are.":
    "该图片的命名与此文件夹中的掩码不同，已略去。如果它是预测，请按相同方式命名。",
    "Foreground is {rule}.": "前景为 {rule}。",
    "No value reaches that: every mask is empty.": "没有值达到该阈值：所有掩码都为空。",
    "If they are logits, save masks > 0 instead.": "如果它们是 logits，请改为保存 masks > 0。",
    "The array {name} has the shape {shape}, expected (H, W)":
    "数组 {name} 的形状为 {shape}，应为 (H, W)",
    "The array {name} has the shape {shape}, expected (H, W), and was left out.":
    "数组 {name} 的形状为 {shape}，应为 (H, W)，已略去。",
    "The keys 0 to {#last} are sent_ids, but could be running numbers; they were read as "
    "sent_ids. If they are numbers, write each sentence's sent_id.":
    "键 0 到 {last} 是 sent_id，但也可能是序号；已按 sent_id 读取。如果是序号，请写上每个句子的 sent_id。",
    "{#count} answers hold several segments, which were joined by union.":
    "{count} 个回答含多个分割段，已取并集。",
    "{#count} of its {#all} segments have no path": "其 {all} 个分割段中有 {count} 个没有路径",
    "It has neither mask nor box": "它既没有掩码也没有边框",
    "{#count} answers hold several boxes; the first of each counts.":
    "{count} 个回答含多个边框；各取第一个。",
    "{#count} entries hold several boxes; the best scored of each counts.":
    "{count} 个条目含多个边框；各取得分最高的一个。",
    "The file has no keys: predictions were taken in the order of the data set":
    "文件没有键：预测按数据集的顺序对应",
    "{#fits} of {#count} masks have their picture's size":
    "{count} 个掩码中有 {fits} 个与图片尺寸相符",
    "mean IoU is {#own}, of shuffled predictions {#shuffled}":
    "平均 IoU 为 {own}，打乱预测后为 {shuffled}",
    "{*verdict}: write sent_id beside each prediction.":
    "{verdict}：请在每个预测旁写上 sent_id。",
    "That speaks for the order": "这支持该顺序",
    "That speaks against the order": "这不支持该顺序",
    "Nothing in the file can confirm the order": "文件中没有内容能确认该顺序",
    "The file holds pixel counts or an IoU without masks, made with its own ground truth: it "
    "cannot be scored under B.":
    "文件只含像素计数或 IoU 而没有掩码，且基于它自己的真值：无法在 B 下评分。",
    "{#a} referents of A and {#b} of B fit each other in more than one way and are in no "
    "comparison.": "A 的 {a} 个与 B 的 {b} 个指代对象有多种对应方式，不参与比较。",
    "The picture has {#bw} x {#bh} pixels in B and {#aw} x {#ah} in A: its referents cannot be "
    "compared and are not matched.":
    "图片在 B 中为 {bw} x {bh} 像素，在 A 中为 {aw} x {ah}：其指代对象无法比较，未作匹配。",
    "The masks of A and B have an IoU of {#iou}: one of them may be of another thing.":
    "A 与 B 的掩码 IoU 为 {iou}：其中一个可能画的是别的东西。",
    "{#masks} masks, the first that of example {first}, have another area than the table says: "
    "they are not the ones that were scored, and are not shown.":
    "{masks} 个掩码（首个属于样本 {first}）的面积与表格不同：并非当时评分的掩码，不予显示。",
    "{file} was not found: looked in {folders}.": "未找到 {file}：已在 {folders} 中查找。",
    "{file} was not found: no picture folder was found beside the data set (give one with "
    "--images DIR).": "未找到 {file}：数据集旁没有图片文件夹（用 --images DIR 指定）。",
    "{file} is a link in {folder} that leads out of it or nowhere, and is not followed. Give the "
    "folder of the files themselves with --images.":
    "{file} 是 {folder} 中的链接，指向该文件夹之外或不存在之处，不予跟随。请用 --images 指定文件本身所在的文件夹。",
    "It is in COCO's {name}.zip.": "它在 COCO 的 {name}.zip 中。",
    "The target's mask has no pixel; its examples are not scored.":
    "目标的掩码没有任何像素；其样本不评分。",
    "{#count} polygons of one object overlap by {#shared} pixels and were joined by union; code "
    "that adds them up cuts a hole there.":
    "同一物体的 {count} 个多边形重叠 {shared} 像素，已取并集；把它们相加的代码会在此处挖出孔洞。",
    "A polygon of {#count} numbers has no area and was left out.":
    "一个由 {count} 个数组成的多边形没有面积，已略去。",
    "The ref has no sentence and was left out.": "该指代没有句子，已略去。",
    "The ref has no sentence.": "该指代没有句子。",
    "The row has no sentence.": "该行没有句子。",
    "The record has no sentence and was left out.": "该记录没有句子，已略去。",
    "The picture has no expression and was left out.": "该图片没有句子，已略去。",
    "Sentence {#place} of sample {id} is null and was left out.":
    "样本 {id} 的第 {place} 句为 null，已略去。",
    "Category {id} is not in the list of categories.": "类别 {id} 不在类别列表中。",
    "The annotation stands more than once in the annotation files; the first counts.":
    "该标注在标注文件中出现多次；以第一个为准。",
    "{#count} of its {#all} targets are crowd regions and were left out, as ReLA does; GSVA "
    "includes them.":
    "其 {all} 个目标中有 {count} 个是群体区域，已如 ReLA 一样略去；GSVA 则包含它们。",
    "These are the paper's numbers; the released file has fewer.":
    "这是论文中的数目；发布的文件较少。",
    "Another release, or several splits in one?": "是另一个发布版本，还是几个划分合在了一起？",
    "A subset?": "是子集吗？",
    "The hub could not be reached: the data set is as it was when last seen, on {day}.":
    "无法连接 hub：数据集为上次（{day}）所见的状态。",
    "{here} are here, {there} were published.": "这里有 {here}，公布的是 {there}。",
}
"""What was found, of the kinds that are common."""

_WHERE = {
    "line {#number}": "第 {number} 行", "{file}, line {#number}": "{file} 第 {number} 行",
    "{file}, row {#number}": "{file} 第 {number} 行", "row {#number}": "第 {number} 行",
    "{file}, record {#number}": "{file} 第 {number} 条记录",
    "record {#number}": "第 {number} 条记录",
    "{file}, entry {#number}": "{file} 第 {number} 项", "entry {#number}": "第 {number} 项",
    "{file}, ref {#id}": "{file} 指代 {id}", "ref {#id}": "指代 {id}",
    "{file}, segment {#id}": "{file} 分割 {id}",
    "annotation {#id}": "标注 {id}", "picture {#id}": "图片 {id}", "example {#id}": "样本 {id}",
    "split {#id}": "划分 {id}",
}
"""Where in a file."""

PROBLEMS: dict[str, str] = {**_CODES, **_REASONS, **_FOUND, **_WHERE}
