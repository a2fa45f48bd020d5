"""What is said when a live model, a file or an address does not do, in Simplified Chinese."""

from __future__ import annotations

_ANSWERS = {
    "The model returned a {what}.": "模型返回了 {what}。",
    "Expected is a boolean NumPy array (H, W), a run-length mask {'size', 'counts'} or None.":
    "应为布尔 NumPy 数组 (H, W)、游程掩码 {'size', 'counts'} 或 None。",
    "Return mask.cpu().numpy().": "请返回 mask.cpu().numpy()。",
    "Return numpy.asarray(picture) > 0 of a grey picture.":
    "请返回灰度图的 numpy.asarray(picture) > 0。",
    "Of several masks, return one, or their union.": "有多个掩码时，请返回其中一个或其并集。",
    "The model returned an array of shape {shape} for a picture of shape {own} (height, width).":
    "模型返回的数组形状为 {shape}，而图片为 {own}（高, 宽）。",
    "Are rows and columns swapped?": "行和列是否颠倒了？", "Return mask.T.": "请返回 mask.T。",
    "Return {what}.": "请返回 {what}。",
    "Bring the mask back to the picture's size.": "请把掩码恢复到图片的尺寸。",
    "The model returned an array of {type}.": "模型返回了 {type} 数组。",
    "The model returned an array of {type} from {#low} to {#high}.":
    "模型返回了从 {low} 到 {high} 的 {type} 数组。",
    "A soft mask is not cut here, since that decides the score: return mask > 0.5, or what your "
    "model's authors use.":
    "这里不对软掩码取阈值，因为阈值会左右得分：请返回 mask > 0.5，或模型作者所用的阈值。",
    "The model returned an array of {type} with the values {values}.":
    "模型返回了值为 {values} 的 {type} 数组。",
    "Whole numbers must be 0 or 1: return a boolean array, such as mask > 0 or mask == 255.":
    "整数只能是 0 或 1：请返回布尔数组，如 mask > 0 或 mask == 255。",
    "The model returned run lengths of another size: {*why}.":
    "模型返回的游程编码尺寸不符：{why}。",
    "The model returned run lengths that are broken: {*why}.": "模型返回的游程编码有误：{why}。",
    "The model raised {error}.": "模型抛出了异常 {error}。",
    "{where} answered with a redirect (status {#status}), which is not followed.":
    "{where} 返回了重定向（状态 {status}），未予跟随。",
    "Give the address that it leads to.": "请给出它所指向的地址。",
    "{where} answered with more than {#most} bytes.": "{where} 返回的内容超过 {most} 字节。",
    "Send the mask as run lengths.": "请以游程编码发送掩码。",
    "{where} answered with {what}.": "{where} 返回了 {what}。",
    "{where} answered with no JSON: \"{words}\".": "{where} 返回的不是 JSON：“{words}”。",
    "Expected is {what}.": "应为 {what}。", "Expected are {what}.": "应为 {what}。",
    "{where} answered with a mask that is {what}.": "{where} 返回的掩码是 {what}。",
    "Expected is {\"mask\": …}; null there says \"no target\".":
    "应为 {\"mask\": …}；其中 null 表示“无目标”。",
}

_ASKING = {
    "The model '{name}' was closed.": "模型“{name}”已关闭。",
    "The model at {name} was closed.": "{name} 处的模型已关闭。",
    "The model '{name}' cannot be imported: there is no module '{module}' in the current folder or "
    "among the installed packages.":
    "模型“{name}”无法导入：当前文件夹和已安装的包中都没有模块“{module}”。",
    "The model '{name}' cannot be imported: its process ended ({why}).":
    "模型“{name}”无法导入：其进程已结束（{why}）。",
    "The model '{name}' cannot be imported: {error}.": "模型“{name}”无法导入：{error}。",
    "The model '{name}' cannot be found: {module} has no '{part}'.":
    "找不到模型“{name}”：{module} 中没有“{part}”。",
    "The model '{name}' is no function but of the type '{type}'.":
    "模型“{name}”不是函数，其类型为“{type}”。",
    "It must take a picture and a sentence.": "它必须接收一张图片和一个句子。",
    "The model '{name}' was not imported within {#seconds} s and was stopped.":
    "模型“{name}”未能在 {seconds} 秒内导入，已被停止。",
    "No process can be started for the model ({why}).": "无法为模型启动进程（{why}）。",
    "The model gave no answer within {#seconds} s and was stopped.":
    "模型在 {seconds} 秒内没有回答，已被停止。",
    "It is started anew for the next question.": "下一次询问时会重新启动。",
    "If it needs longer, load weights when the module is imported, or raise --model-timeout.":
    "如需更长时间，请在导入模块时加载权重，或增大 --model-timeout。",
    "The model at {name} gave no answer within {#seconds} s.":
    "{name} 处的模型在 {seconds} 秒内没有回答。",
    "If it needs longer, raise --model-timeout.": "如需更长时间，请增大 --model-timeout。",
    "The model '{name}' is still at an earlier question, which took longer than {#seconds} s.":
    "模型“{name}”仍在处理之前的询问，已超过 {seconds} 秒。",
    "The model '{name}' gave no answer within {#seconds} s.":
    "模型“{name}”在 {seconds} 秒内没有回答。",
    "It runs inside this program and cannot be stopped.": "它在本程序内运行，无法停止。",
    "It runs inside this program and cannot be stopped; raise model_timeout if it needs longer.":
    "它在本程序内运行，无法停止；如需更长时间，请增大 model_timeout。",
}

_FILES = {
    "This is no picture of a known kind.": "这不是已知类型的图片。",
    "The picture cannot be read ({why}).": "图片无法读取（{why}）。",
    "The file is damaged ({what}).": "文件已损坏（{what}）。",
    "The file is damaged.": "文件已损坏。",
    "Restore a copy of it.": "请用副本恢复。", "Name a file.": "请指定一个文件。",
    "Make it first.": "请先创建它。",
    "It is the database of another program.": "这是另一个程序的数据库。",
    "It is no findings file.": "这不是记录文件。",
    "Choose another file.": "请另选文件。",
    "Choose another file with --findings FILE.": "请用 --findings FILE 另选文件。",
    "The disk reported a fault.": "磁盘报告了故障。",
    "The database says: {error}.": "数据库提示：{error}。",
    "The disk is full.": "磁盘已满。", "Make room.": "请腾出空间。",
    "Another program has locked it for more than {#seconds} seconds.":
    "另一个程序已将其锁定超过 {seconds} 秒。",
    "Close that program, or try again.": "请关闭那个程序，或重试。",
    "It may not be written.": "它不可写入。",
    "It, or its folder, may not be written.": "它或其所在文件夹不可写入。",
    "It was written by a newer inspector (version {#version} of the file, this one knows {#own}).":
    "它由更新版本的检查器写成（文件版本 {version}，本程序支持到 {own}）。",
    "Update the inspector, or choose another file.": "请更新检查器，或另选文件。",
    "{path} is no file.": "{path} 不是文件。",
    "The page was opened with --read-only.": "打开页面时使用了 --read-only。",
    "'{value}' does not do for '{key}'.": "“{value}”不能用于“{key}”。",
    "Write a number from {#least} to {#most}.": "请写 {least} 到 {most} 的数。",
    "'{value}' is no opacity.": "“{value}”不是不透明度。",
    "{value} is no opacity.": "{value} 不是不透明度。",
    "'{value}' does not say whether there is '{key}'.": "“{value}”没有说明是否要“{key}”。",
    "Write {#no} or {#yes}.": "请写 {no} 或 {yes}。",
    "The colour of {role} is '{value}'.": "{role} 的颜色是“{value}”。",
    "Write six hexadecimal digits, such as 0072B2.": "请写六位十六进制数，如 0072B2。",
    "{#value} is no scale of a PNG.": "{value} 不是 PNG 的倍率。",
    "Write a number above {#least}, up to {#most}.": "请写大于 {least}、不超过 {most} 的数。",
    "{#value} is no scale of a contact sheet.": "{value} 不是拼页的倍率。",
    "{#columns} columns do not fit.": "放不下 {columns} 列。",
    "none is selected.": "没有选中任何样本。",
    "their truth is unreadable.": "它们的真值无法读取。",
    "This address takes {methods} only.": "此地址只接受 {methods}。",
}

MODEL: dict[str, str] = {**_ANSWERS, **_ASKING, **_FILES}
