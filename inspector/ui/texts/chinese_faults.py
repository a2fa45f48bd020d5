"""What the server answers when something cannot be done, in Simplified Chinese."""

from __future__ import annotations

from inspector.ui.texts.chinese_model import MODEL

_CHOICES = {
    "Choose one of: {names}.": "可选：{names}。",
    "There is none.": "一个也没有。",
    "Did you mean '{name}'?": "您要找的是“{name}”吗？",
    "No run '{name}'.": "没有运行“{name}”。",
    "No order '{name}'.": "没有排序“{name}”。",
    "The order '{*name}' is of one run.": "排序“{name}”只针对一个运行。",
    "Choose a run, or another order.": "请选择一个运行，或换一种排序。",
    "'{*name}' is of one run.": "“{name}”只针对一个运行。",
    "Choose a run, or clear it.": "请选择一个运行，或清除此筛选。",
    "No outcome '{name}'.": "没有胜负结果“{name}”。",
    "No choice '{name}' for findings.": "审查记录没有选项“{name}”。",
    "No rule '{value}' for {key}.": "{key} 没有规则“{value}”。",
    "No layer '{name}'.": "没有图层“{name}”。",
    "No verdict '{name}'.": "没有判定“{name}”。",
    "No way to draw '{name}'.": "没有抽取方式“{name}”。",
    "'{value}' is not a range for '{key}'.": "“{value}”不是“{key}”的范围。",
    "Write low..high, such as 0..0.5, or low..<high to leave the upper end out.":
        "请写成 下限..上限，例如 0..0.5；写成 下限..<上限 则不含上限。",
    "The range '{value}' for '{key}' ends before it begins.": "“{key}”的范围“{value}”上下限颠倒。",
    "Write {#low}..{#high}.": "请写成 {low}..{high}。",
    "'{value}' does not name a run and a range.": "“{value}”没有写明运行和范围。",
    "Write RUN:low..high, such as 'baseline:0..0.5'.":
        "请写成 运行:下限..上限，例如“baseline:0..0.5”。",
    "'{value}' names no slice.": "“{value}”没有写明切片。",
    "Write attribute=value.": "请写成 属性=取值。",
    "The slice has {#count} parts; at most {#most} are joined.":
        "该切片由 {count} 部分组成；最多只能组合 {most} 个。",
    "Leave some of them out.": "请去掉其中一些。",
    "'{key}' holds half a character, which no text of a data set does.":
    "“{key}”含有半个字符，数据集的文字中不会有。",
    "Write it in whole ones.": "请用完整的字符书写。",
    "“{words}” is not a regular expression ({why}).": "“{words}”不是正则表达式（{why}）。",
    "'{value}' is no IoU threshold.": "“{value}”不是 IoU 阈值。",
    "Write one above 0, up to 1.": "请写一个大于 0、不超过 1 的数。",
    "'{value}' is no published number.": "“{value}”不是公布的数值。",
    "Write a fraction such as 0.743 or a percentage such as 74.3.":
    "请写小数，如 0.743，或百分数，如 74.3。",
    "'{#digits}' may be a fraction or a percentage.": "“{digits}”可能是小数，也可能是百分数。",
    "Write its decimals, such as {#decimals}, or {#digits} %.":
        "请写出小数位，如 {decimals}，或 {digits} %。",
    "{#count} rows of all runs are too many for one list; ask for windows of it.":
    "所有运行共 {count} 行，一个列表放不下；请分段请求。",
    "There is no second ground truth.": "没有第二套真值。",
    "Add --second-truth DATASET_B.": "用 --second-truth DATASET_B 添加。",
    "Choose another measure.": "请选择其他度量。",
    "Mend it, or search for plain words.": "请改正，或改为搜索普通词语。",
    "The table of scores has no column 'flags': score with boundaries to have them.":
    "得分表没有 flags 列：评分时加上边界度量即可得到。",
    "The table was scored elsewhere, with the IoU threshold {#threshold}.":
    "该表在别处以 IoU 阈值 {threshold} 评分。",
    "Another one needs the masks: open them with --run and without --scores.":
    "换阈值需要掩码：请用 --run 打开，不用 --scores。",
    "From 2 to {#most} runs can be compared, but got {#count}.":
    "可比较 2 到 {most} 个运行，而现有 {count} 个。",
    "{*what} is not defined: no example counts.": "{what} 无定义：没有计入的样本。",
    "oIoU is not defined where a file states an IoU without pixels.":
    "文件只给出 IoU 而没有像素时，oIoU 无定义。",
}

_PAGE = {
    "Not Found": "未找到",
    "These numbers are not kept any more: the files were read again, or other visitors have "
    "switched the rules of scoring since; reload the page.":
    "这些数值已不再保留：文件已重新读取，或其他访问者切换了评分规则；请刷新页面。",
    "Too much is being sent at once.": "同时发送的数据太多。",
    "Send it again in a moment.": "请稍后重新发送。",
    "Other analyses are being made.": "正在进行其他分析。",
    "There is no such address.": "没有这个地址。",
    "This address is closed.": "此地址不开放。",
    "The picture file is gone.": "图片文件已不存在。",
    "The picture file cannot be read ({reason}).": "无法读取图片文件（{reason}）。",
    "The picture has more pixels than a browser should be given.":
    "图片的像素太多，不宜交给浏览器。",
    "There is no picture that a browser can draw.": "没有浏览器能显示的图片。",
    "The picture cannot be read.": "图片无法读取。",
    "You are not logged in, or your session has ended.": "您尚未登录，或会话已结束。",
    "Reload the page to log in; the address keeps the view.":
    "请刷新页面重新登录；地址会保留当前视图。",
    "This page is not served under that host name.": "此页面不以该主机名提供服务。",
    "Whoever started it can allow it: --allow-host NAME.": "启动者可以允许它：--allow-host NAME。",
    "Requests from other sites are refused.": "来自其他网站的请求被拒绝。",
    "If a proxy shows this page, whoever started it can allow the proxy's name: --allow-host "
    "NAME.": "如果此页面由代理显示，启动者可以允许代理的名称：--allow-host NAME。",
    "At most {#most} bytes may be sent to this address.": "最多可向此地址发送 {most} 字节。",
    "The connection ended before all had arrived.": "内容尚未全部到达，连接就已结束。",
    "What was sent did not arrive in time.": "发送的内容未能及时到达。",
    "Send it again.": "请重新发送。",
}

_MADE = {
    "Other reports are being made.": "正在生成其他报告。",
    "Ask again in a moment.": "请稍后再试。",
    "That report is not there any more.": "那份报告已不存在。", "Make it anew.": "请重新生成。",
    "The report could not be made: something unforeseen went wrong.":
    "报告无法生成：发生了意外错误。",
    "The rows of all runs are no examples.": "所有运行的行不是样本。",
    "Choose one run for the report.": "请为报告选择一个运行。",
    "The report would have {#size} MB, more than {#most} MB.":
    "报告将有 {size} MB，超过 {most} MB。",
    "Show fewer examples (--worst N), or allow more with --max-mb.":
    "请减少样本（--worst N），或用 --max-mb 放宽限制。",
    "{#count} examples cannot be shown.": "无法显示 {count} 个样本。",
    "A report holds from 0 to {#most}.": "报告可容纳 0 到 {most} 个。",
    "{#count} examples are more than the {#most} that a report holds.":
    "{count} 个样本超过了报告可容纳的 {most} 个。",
    "Choose fewer.": "请减少数量。",
    "'worst' must be a whole number from 0 to {#most}.": "样本数必须是 0 到 {most} 的整数。",
    "'{key}' must be text of at most {#most} characters.":
    "“{key}”必须是不超过 {most} 个字符的文本。",
    "None of the selected examples has a row: {*why}": "所选样本都没有数据行：{why}",
    "None of the selected examples has {*what}.": "所选样本都没有{what}。",
    "Select others.": "请另选。",
    "There is no run to write rows of.": "没有运行，无法写出数据行。",
    "There is no run to write masks of.": "没有运行，无法写出掩码。",
    "Add --run [NAME=]PATH.": "用 --run [NAME=]PATH 添加。",
    "The figure would have {#width} x {#height} pixels; a PNG may have {#most}.":
    "图将有 {width} x {height} 像素；PNG 最多 {most} 像素。",
    "Choose a smaller scale, or SVG.": "请减小倍率，或改用 SVG。",
    "The sheet would have {#width} x {#height} pixels; a PNG may have {#most}.":
    "拼页将有 {width} x {height} 像素；PNG 最多 {most} 像素。",
    "Choose fewer examples, or SVG.": "请减少样本，或改用 SVG。",
    "No example is selected.": "没有选中样本。",
    "A contact sheet needs at least one.": "缩略图拼页至少需要一个样本。",
    "A contact sheet holds up to {#most} examples.": "缩略图拼页最多容纳 {most} 个样本。",
}

_KEPT = {
    "Findings cannot be kept: {*why}": "无法保存审查记录：{why}",
    "The page was opened without a file for them.": "打开页面时没有指定记录文件。",
    "{who} has changed this note in the meantime.": "{who} 在此期间修改了这条备注。",
    "Keep yours, theirs, or both.": "保留您的、对方的，或两者。",
    "A tag has 1 to {#most} characters and no comma.": "标签须有 1 到 {most} 个字符，且不含逗号。",
    "An example has at most {#most} tags.": "一个样本最多 {most} 个标签。",
    "Take one away first.": "请先移除一个。",
    "A note has at most {#most} characters, but this has {#count}.":
    "备注最多 {most} 个字符，而这条有 {count} 个。",
    "Shorten it.": "请缩短。",
    "{what} has at most {#most} characters, but this has {#count}.":
    "{what} 最多 {most} 个字符，而这里有 {count} 个。",
    "{what} holds the control character U+{code}.": "{what} 含有控制字符 U+{code}。",
    "{what} holds half a character, which is no text.": "{what} 含有半个字符，不是文本。",
    "Take it out.": "请将其去掉。",
    "A review queue has 1 to {#most} places, but {#size} are asked.":
    "抽查队列可有 1 到 {most} 个样本，而要求的是 {size} 个。",
    "'{run}' has no failures that could be reviewed.": "“{run}”没有可抽查的失败样本。",
    "There is no review queue {#number}.": "没有抽查队列 {number}。",
    "There is a view “{name}” already.": "已有名为“{name}”的视图。",
    "Choose another name, or delete that one first.": "请换一个名称，或先删除那个视图。",
    "There is no view “{name}”.": "没有视图“{name}”。",
    "The name of a view has 1 to {#most} characters.": "视图名称须有 1 到 {most} 个字符。",
    "There are {#most} views already.": "已有 {most} 个视图。",
    "Delete one first.": "请先删除一个。",
    "The findings file was removed or replaced while the page was open; nothing was saved.":
    "页面打开期间，记录文件被移除或替换；没有保存任何内容。",
    "The findings file is in use.": "审查记录文件正在使用中。",
    "Put it back, or open the page anew.": "请将其放回，或重新打开页面。",
    "(file: {path})": "（文件：{path}）",
    "The findings file could not be {*done}: {*why}": "记录文件无法{done}：{why}",
    "written": "写入", "read": "读取",
    "Send the file as {kinds}.": "请以 {kinds} 发送文件。",
    "Nothing was taken in.": "未导入任何内容。",
}

_LIVE = {
    "Write a sentence to ask the model with.": "请写一个句子来询问模型。",
    "The sentence has {#count} letters; at most {#most} are asked.":
    "句子有 {count} 个字符；最多 {most} 个。",
    "That picture is not kept any more.": "那张图片已不再保留。",
    "That question is not known any more.": "那次询问已不存在。",
    "Give it again.": "请重新提供。",
    "Ask again.": "请重新询问。",
    "Ask again later.": "请稍后再问。",
    "Send the bytes of a picture, as image/jpeg or so.": "请发送图片文件，如 image/jpeg。",
    "Too many pictures arrive at once.": "同时到达的图片太多。",
    "The model is not asked any more; the inspector is ending.":
    "不再询问模型；检查器正在结束。",
    "{#count} others wait for the model already.": "已有 {count} 个请求在等待模型。",
    "The model cannot be asked: {*why}": "无法询问模型：{why}",
    "The picture's file has {*size}, its annotations are for {*own}.":
    "图片文件为 {size}，其标注针对 {own}。",
    "A mask of the one does not fit the other.": "两者的掩码互不相符。",
    "The picture has too many pixels.": "图片的像素太多。",
    "A model is asked about at most {#most}.": "最多可就 {most} 像素的图片询问模型。",
    "The picture has {#width} x {#height} pixels.": "图片有 {width} x {height} 像素。",
    "A model is asked about pictures of at most {#most} pixels.":
    "最多可就 {most} 像素的图片询问模型。",
}

FAULTS: dict[str, str] = {**_CHOICES, **_PAGE, **_MADE, **_KEPT, **_LIVE, **MODEL}
