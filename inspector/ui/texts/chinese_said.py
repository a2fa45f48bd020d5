"""What the server says in English, in Simplified Chinese: of modes, metrics, rules and filters.

In a pattern ``{name}`` is anything and stays as it is, ``{#name}`` is a number, and ``{*name}`` is
said in turn. How they are matched stands in ``ui/viewer/said.js``.
"""

from __future__ import annotations

from inspector.ui.texts.chinese_faults import FAULTS
from inspector.ui.texts.chinese_panels import PANELS
from inspector.ui.texts.chinese_problems import PROBLEMS

_JOINTS = {"\n": "\n", ". ": "", " · ": " · ", "; ": "；", " AND ": " 且 ", ", ": "，", ".": "。"}

_MODES = {
    "missing": "缺失",
    "No prediction was found.": "没有找到预测。",
    "invalid": "无效",
    "A prediction was found but cannot be used.": "找到了预测，但无法使用。",
    "false target": "误报目标",
    "The sentence refers to nothing, but something was marked.":
    "句子没有所指，却标出了区域。",
    "correct": "正确",
    "IoU reaches the threshold; or there is no target and nothing was marked.":
    "IoU 达到阈值；或没有目标且未标出任何区域。",
    "empty": "空预测",
    "There is a target, but nothing was marked.": "有目标，但未标出任何区域。",
    "wrong referent": "指代错误",
    "Another object of the same category fits the prediction.": "预测吻合同类的另一个物体。",
    "wrong object": "物体错误",
    "An object of another category fits the prediction.": "预测吻合另一类别的物体。",
    "several objects": "多个物体",
    "The prediction covers at least {#target} of the target and {#other} of another object.":
    "预测覆盖了目标的至少 {target}，以及另一个物体的至少 {other}。",
    "part": "仅局部",
    "At least {#share} of the prediction lies in the target, which it covers too little.":
    "预测至少有 {share} 落在目标内，但覆盖目标太少。",
    "spill": "溢出",
    "At least {#share} of the target is covered, by a prediction that goes far beyond it.":
    "目标至少有 {share} 被覆盖，但预测远远超出了目标。",
    "background": "背景",
    "IoU is below {#background} with every known object.":
    "与每个已知物体的 IoU 都低于 {background}。",
    "loose": "不贴合",
    "Whatever is left: partly right, partly not.": "其余情况：部分正确，部分不正确。",
}

_FLAGS = {
    "poor edges": "边缘不准",
    "IoU reaches the threshold, but Boundary IoU is below 0.5.":
    "IoU 达到阈值，但边界 IoU 低于 0.5。",
    "fragmented": "碎裂",
    "Less than 0.9 of the prediction is in one piece, unlike the target.":
    "预测的最大连通块不足 0.9，而目标并非如此。",
    "holes": "有孔洞",
    "At least 0.02 of the filled prediction is holes, unlike the target.":
    "填实后的预测至少有 0.02 是孔洞，而目标并非如此。",
    "near the threshold": "接近阈值",
    "IoU is within 0.05 of the threshold.": "IoU 与阈值相差不超过 0.05。",
    "mirrored": "左右颠倒",
    "The sentence says left or right; the other object that was marked lies on the other side of "
    "the target.": "句子提到左或右；被标出的另一个物体却在目标的另一侧。",
    "label suspect": "标注可疑",
    "Two runs or more agree with each other (IoU at least 0.85) and not with the label "
    "(below 0.5).": "至少两个运行彼此一致（IoU 不低于 0.85），却与标注不一致（低于 0.5）。",
}

_METRICS = {
    "mIoU": "mIoU", "oIoU": "oIoU", "N-acc": "N-acc", "T-acc": "T-acc", "P@{#x}": "P@{x}",
    "p": "p", "q": "q",
    "Mean of the per-example IoU (also called gIoU; not Generalized IoU).":
    "逐样本 IoU 的均值（也称 gIoU；并非 Generalized IoU）。",
    "Sum of intersections / sum of unions (also called cIoU, overall IoU).":
    "交集总和 / 并集总和（也称 cIoU、overall IoU）。",
    "Share of examples with IoU >= {#threshold}, decided on integers.":
    "IoU >= {threshold} 的样本比例，用整数精确判断。",
    "Boundary mIoU": "边界 mIoU",
    "Mean of the per-example Boundary IoU, with a band of 2 % of the picture's diagonal.":
    "逐样本边界 IoU 的均值，边界带宽为图片对角线的 2 %。",
    "Share of no-target examples for which nothing was marked.":
    "无目标样本中未标出任何区域的比例。",
    "Share of examples with a target for which something was marked.":
    "有目标样本中标出了区域的比例。",
    "mIoU by category": "按类别的 mIoU",
    "Mean over categories of the mIoU of each.": "先求各类别的 mIoU，再对类别取均值。",
    "box mIoU": "框 mIoU",
    "Mean of the box IoU over examples with a target, where the run holds boxes.":
    "运行含边框时，有目标样本的框 IoU 均值。",
    "box Acc@0.5": "框 Acc@0.5",
    "Share of examples with a target whose predicted box has IoU >= 0.5 with the target's.":
    "有目标样本中，预测框与目标框 IoU >= 0.5 的比例。",
    "Grounding": "定位",
    "Share of predictions whose best-fitting object is the target.":
    "最吻合的物体正是目标的预测比例。",
}

_RULES = {
    "average over sentences": "按句子平均",
    "average over referents": "先在每个指代对象内平均",
    "missing and invalid predictions score 0": "缺失和无效的预测计 0 分",
    "missing and invalid predictions are left out": "缺失和无效的预测不计入",
    "an empty prediction of an empty target counts 1": "目标与预测皆空计为 1",
    "an empty prediction of an empty target counts 0": "目标与预测皆空计为 0",
    "an empty prediction of an empty target is left out": "目标与预测皆空不计入",
    "masks of another size are resized by nearest neighbour": "尺寸不同的掩码按最近邻缩放",
    "Rules: {*rules}.": "规则：{rules}。",
}

_COVERAGE = {
    "No prediction can be used, so its numbers say nothing about a model.":
        "没有任何可用的预测，因此其数值不能说明模型的好坏。",
    "Predictions are expected for the examples of this data set; 'check' lists what was found.":
        "应提供与此数据集样本相对应的预测；“check” 命令会列出实际找到的内容。",
    "{#share} % of the examples have no usable prediction and score 0, so its numbers do not compare "
    "with those of a run that has them all.":
        "{share} % 的样本没有可用的预测，均计 0 分，因此其数值不能与预测齐全的运行相比。",
    "{#share} % of the examples have no usable prediction and are left out, so its numbers do not "
    "compare with those of a run that has them all.":
        "{share} % 的样本没有可用的预测，均不计入，因此其数值不能与预测齐全的运行相比。",
    "Coverage of {run}": "{run} 的覆盖情况",
    "{#matched} of {#all} examples matched": "{all} 个样本中匹配 {matched} 个",
    "{#count} missing": "缺失 {count} 个",
    "{#count} invalid": "无效 {count} 个",
    "{#count} duplicate": "重复 {count} 个",
    "{#count} unmatched": "未匹配 {count} 个",
    "{*counts} ({*ways})": "{counts}（{ways}）",
    "{#count} by {*way}": "{count} 个按 {way}",
    "example_id": "example_id", "sent_id": "sent_id", "ref_id": "ref_id", "ann_id": "ann_id",
    "sample_id": "sample_id", "image_id": "image_id", "id": "id",
    "{*key} and the sentence '{words}'": "{key} 和句子“{words}”",
    "{*key} + sentence": "{key} + 句子", "{*key} + sentence by letters": "{key} + 句子的字母",
    "{*key} + number of the sentence": "{key} + 句子序号", "id as {*key}": "把 id 当作 {key}",
    "in order": "依次对应", "one for repeats": "一个预测用于重复的句子",
    "one for all its sentences": "一个预测用于其全部句子",
    "the ground truth in the file": "文件中的真值", "row order": "行的顺序",
    "sent_id {#id}": "sent_id {id}", "ref_id {#id}": "ref_id {id}", "ann_id {#id}": "ann_id {id}",
    "sample_id {#id}": "sample_id {id}", "image_id {#id}": "image_id {id}", "id {id}": "id {id}",
    "example_id {#id}": "example_id {id}",
    "{#count} masks of {#width} x {#height} resized by nearest neighbour":
    "{count} 个 {width} x {height} 的掩码按最近邻缩放",
    "pixels counted in frames of {#width} x {#height}": "像素在 {width} x {height} 的画幅中计数",
    "boxes read as {scale}": "边框按 {scale} 读取",
    "{#count} rows of a table that was scored elsewhere": "{count} 行来自别处评分的表格",
}

_NAMES = {
    "IoU": "IoU", "Failure mode": "失败类型", "Category": "类别", "Target area": "目标面积",
    "Others of its category": "同类的其他物体", "Words in the sentence": "句子词数",
    "Boundary shift, px": "边界偏移（像素）", "Area of B / area of A": "B 的面积 / A 的面积",
    "IoU of the two truths": "两套真值的 IoU",
    "Boundary IoU of the two truths": "两套真值的边界 IoU",
    "Parts gained or lost": "增加或减少的部分", "Holes in B less holes in A": "B 的孔洞减 A 的孔洞",
    "Verdict": "判定", "Tag": "标签", "Findings": "审查记录", "Flag": "附加标记", "Slice": "切片",
    "IoU of another run": "另一个运行的 IoU", "Outcome of two runs": "两个运行的胜负",
    "Findings, newest first": "最新记录优先",
    "Sentences of the target differ most": "句子间差异最大优先",
    "Masks of the target agree least": "同一目标的掩码最不一致优先",
}

_PHRASES = {
    "{*what} is at most {#high}": "{what} 不超过 {high}",
    "{*what} is below {#high}": "{what} 低于 {high}",
    "{*what} is at least {#low}": "{what} 不低于 {low}",
    "{*what} is from {#low} to {#high}": "{what} 从 {low} 到 {high}",
    "{*what} is from {#low} to below {#high}": "{what} 从 {low} 到 {high} 以下",
    "{*what} is anything": "{what} 不限",
    "{*what} is {#value}": "{what} 为 {value}",
    "failure mode is {*modes}": "失败类型为 {modes}",
    "{*one} or {*other}": "{one} 或 {other}",
    "category is {value}": "类别为 {value}",
    "supercategory is {value}": "大类为 {value}",
    "split is {value}": "划分为 {value}",
    "image id is {value}": "图片编号为 {value}",
    "ref id is {value}": "指代编号为 {value}",
    "verdict is {*verdict}": "判定为 {verdict}",
    "flag is {*flag}": "附加标记为 {flag}",
    "near threshold": "接近阈值", "boundary": "边缘不准", "mirror": "左右颠倒",
    "tagged {tag}": "标签为 {tag}",
    "there is a note": "有备注",
    "there is a finding": "有审查记录",
    "there is no finding": "没有审查记录",
    "sentence contains “{words}”": "句子包含“{words}”",
    "sentence contains the word “{words}”": "句子包含词“{words}”",
    "sentence does not contain “{words}”": "句子不包含“{words}”",
    "sentence does not contain the word “{words}”": "句子不包含词“{words}”",
    "sentence matches “{words}”": "句子匹配“{words}”",
    "sentence matches as whole words “{words}”": "句子整词匹配“{words}”",
    "sentence does not match “{words}”": "句子不匹配“{words}”",
    "sentence does not match as whole words “{words}”": "句子不整词匹配“{words}”",
    "{*phrase} in this letter case": "{phrase}（区分大小写）",
    "IoU of {name} is from {#low} to {#high}": "{name} 的 IoU 从 {low} 到 {high}",
    "IoU of {name} is from {#low} to below {#high}": "{name} 的 IoU 从 {low} 到 {high} 以下",
    "IoU of {name} is {#value}": "{name} 的 IoU 为 {value}",
    "{name} is better than {other}": "{name} 优于 {other}",
    "{name} and {other} tie": "{name} 与 {other} 打平",
    "{name} is right, {other} is wrong": "{name} 正确，{other} 错误",
    "{name} and {other} are right": "{name} 与 {other} 都正确",
    "{name} and {other} are wrong": "{name} 与 {other} 都错误",
    "{name} is closer to truth B than truth A is": "{name} 比真值 A 更接近真值 B",
    "truth B has it": "真值 B 中有",
    "truth B dropped it": "真值 B 中已删除",
}

_VERDICTS = {
    "model wrong": "模型错误",
    "The ground truth is right; the prediction is not.": "真值正确，预测错误。",
    "label wrong": "标注错误",
    "The mask or the sentence of the data set is wrong.": "数据集的掩码或句子有误。",
    "ambiguous": "有歧义",
    "The sentence fits what was marked as well.": "句子也符合所标出的区域。",
    "Undone: {*what}.": "已撤销：{what}。",
    "Done again: {*what}.": "已重做：{what}。",
    "verdict “{*verdict}”": "判定“{verdict}”",
    "verdict “{*verdict}” taken away": "移除判定“{verdict}”",
    "tag “{tag}”": "标签“{tag}”",
    "tag “{tag}” taken away": "移除标签“{tag}”",
    "note changed": "修改备注", "note written": "写入备注", "note deleted": "删除备注",
    "There is nothing to undo.": "没有可撤销的操作。",
    "There is nothing to redo.": "没有可重做的操作。",
    "{who} has changed this {*field} since; nothing was {*done}.":
    "{who} 之后修改了这里的{field}；没有{done}。",
    "verdict": "判定", "tag": "标签", "note": "备注", "undone": "撤销", "redone": "重做",
}

SAID: dict[str, str] = {
    **_JOINTS, **_MODES, **_FLAGS, **_METRICS, **_RULES, **_COVERAGE, **_NAMES, **_PHRASES,
    **_VERDICTS, **PANELS, **PROBLEMS, **FAULTS,
}
