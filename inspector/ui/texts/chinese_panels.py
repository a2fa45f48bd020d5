"""What analyses say in English, in Simplified Chinese: titles, columns, notes, attributes."""

from __future__ import annotations

from inspector.ui.texts.chinese_analysis import ANALYSIS

_COLUMNS = {
    "Run": "运行", "Metric": "指标", "Examples": "样本", "Share": "占比", "Slice": "切片",
    "Sentence": "句子", "Sentences": "句子", "Word": "词", "Pictures": "图片", "Targets": "目标",
    "Referents": "指代对象", "Difference": "差值", "Agreement": "一致度", "When": "含义",
    "Now": "现在", "Then": "改变后", "Rule": "规则", "Settings": "设置", "Value": "数值",
    "Distance": "差距", "Method": "方法", "Evaluator": "评测代码", "Prints": "输出",
    "How it counts": "如何计算", "So do": "采用者", "Matched": "匹配情况", "Coverage": "覆盖情况",
    "Pair": "两两对比", "95 %": "95 %", "p, corrected": "p（校正后）", "To the rest": "与其余之差",
    "Failing": "失败",
    "Expected": "期望",
    "Worst sentence": "最差句子",
    "Best sentence": "最好句子",
    "Range of IoU": "IoU 极差",
    "Share of the union": "占并集总和",
    "oIoU without it": "去掉后的 oIoU",
    "{metric} if fixed": "修正后的 {metric}", "Number": "数值", "Estimate": "估计",
    "Failures": "失败", "Judged": "已判定", "Verdicts": "判定", "Tags": "标签",
    "A, all": "A，全部", "A, matched": "A，已匹配", "B, matched": "B，已匹配", "Ceiling": "上限",
    "Selection effect": "取舍效应", "Mask effect": "掩码效应",
    "The best ten for a talk, one a referent": "最适合展示的十个，每个指代对象一个",
    "in points": "单位：百分点", "of {*measure}, in points": "{measure} 之差，单位：百分点",
    "to all other examples, in points": "与其余全部样本之差，单位：百分点",
    "of the difference": "差值的区间",
    "paired permutation test over pictures": "按图片的配对置换检验",
    "mean IoU between the predictions; needs no ground truth":
    "各预测之间的平均 IoU；不需要真值",
    "A, all -> A, matched": "A 全部 -> A 已匹配",
    "A, matched -> B, matched": "A 已匹配 -> B 已匹配",
    "what a perfect B would score under A": "完全符合 B 的预测在 A 下的得分",
}

_NUMBERS = {
    "Metrics": "指标",
    "mIoU is also called gIoU (not Generalized IoU), oIoU cIoU.":
    "mIoU 也称 gIoU（并非 Generalized IoU），oIoU 也称 cIoU。",
    "What known evaluators would print for {run}, in percent":
    "常见评测代码对 {run} 的输出（百分数）",
    "Why a number differs: each rule changed alone": "数值为何不同：逐条改变规则",
    "Without effect on this data: {*rules}.": "在此数据上没有影响：{rules}。",
    "Which settings come closest to {number}": "哪些设置最接近 {number}",
    "within rounding": "在舍入范围内",
    "default rules": "默认规则",
    "whatever the rules": "与规则无关",
    "as {evaluator} computes it": "按 {evaluator} 的算法",
    "No number of this run is defined.": "该运行没有任何有定义的数值。",
    "Nothing comes to {number}; the nearest is {metric} ({*settings}), {#distance} points off.":
    "没有设置能得到 {number}；最接近的是 {metric}（{settings}），相差 {distance} 个百分点。",
    "One setting gives {number}: {metric}, {*settings}.":
    "有一种设置得到 {number}：{metric}，{settings}。",
    "{#count} settings are within rounding of {number}: the number alone does not tell which was "
    "used.": "有 {count} 种设置在 {number} 的舍入范围内：仅凭数值无法判断用了哪一种。",
    "{run} by {metric} among recorded results that compare":
    "{run} 的 {metric} 在可比的已收录结果中的位置",
    "Recorded results that are not ranked": "未参与排名的已收录结果",
    "None.": "无。",
    "measured": "本次测得", "reported": "原文报告", "reproduced": "他人复现",
    "{*kind}, as printed": "{kind}，照原样",
    "another data set: {name}": "其他数据集：{name}",
    "another split: not named": "其他划分：未注明", "another split: {name}": "其他划分：{name}",
    "another metric, or none named: {name}": "其他指标，或未注明：{name}",
    "another metric: printed as {printed}, but it is {name}":
    "其他指标：写作 {printed}，实为 {name}",
    "another metric: {name}": "其他指标：{name}",
    "the run has no such number": "该运行没有这个数值",
    "the data at hand differs from the published split": "手头的数据与公布的划分不同",
    "another protocol: the run leaves missing predictions out":
    "其他规程：该运行不计缺失的预测",
    "another protocol: averaged over {*one}, the run over {*other}":
    "其他规程：按{one}平均，该运行按{other}平均",
    "another protocol: its rule for no target is '{rule}', the run's '{own}'":
    "其他规程：它对无目标的规则是“{rule}”，该运行是“{own}”",
    "sentences": "句子", "referents": "指代对象", "firsts": "首句",
    "printed as {name}": "写作 {name}", "nobody confirmed it": "无人证实",
    "counted at 480 x 480, which moves a mean by less than 0.0001":
    "在 480 x 480 下计数，对均值的影响小于 0.0001",
    "matches the cIoU of 70.6 on the card of MLCD-Seg-7B":
    "与 MLCD-Seg-7B 模型卡上的 cIoU 70.6 一致",
    "other papers print 66.0 as cIoU": "其他论文把 66.0 写作 cIoU",
    "LAVT's README: overall IoU 62.09, mean IoU 63.62 on this split":
    "LAVT 的 README：在此划分上 overall IoU 62.09，mean IoU 63.62",
    "CRIS's IoU is a mean: 60.36 in its README": "CRIS 的 IoU 是均值：其 README 中为 60.36",
    "examples without target are left out of both": "两者都不计无目标样本",
    "the page does not name its metric; it is probably mIoU": "该页面未注明指标；很可能是 mIoU",
    "it logs the same number as gIoU and cIoU; its cIoU is not cumulative":
    "它把同一数值记作 gIoU 和 cIoU；其 cIoU 并非累计值",
    "This table mixes metrics: its column is called mIoU, but LAVT's 62.1 and ReLA's 66.0 are what "
    "other papers print as oIoU (LAVT's mIoU on this split is 63.62), and LISA's 70.5 matches a "
    "cIoU of 70.6.":
    "该表混用指标：列名为 mIoU，但 LAVT 的 62.1 和 ReLA 的 66.0 是其他论文写作 oIoU "
    "的数值（LAVT 在此划分上的 mIoU 为 63.62），LISA 的 70.5 则与 cIoU 70.6 相符。",
    "The page itself warns that settings may differ between its rows, that a shared name is no "
    "shared protocol, and that no row claims an independent reproduction.":
    "该页面自己提醒：各行的设置可能不同，同名不代表同一规程，也没有一行声称经过独立复现。",
    "Gathered from READMEs, cards and issue threads; each row says what the number really is, "
    "where that is known.":
    "收集自各 README、模型卡和 issue；在已知的情况下，每行都注明数值的真实含义。",
}

_PROTOCOLS = {
    "averaged over sentences": "按句子平均",
    "averaged inside each referent first": "先在每个指代对象内平均",
    "only the first sentence of each referent": "只取每个指代对象的第一个句子",
    "both empty counts 1": "皆空计为 1", "both empty counts 0": "皆空计为 0",
    "both empty is left out": "皆空不计入",
    "both empty counts 1 only if the model says that nothing is meant":
    "仅当模型明确说无所指时皆空才计为 1",
    "missing predictions score 0": "缺失的预测计 0 分",
    "missing predictions are left out": "缺失的预测不计入",
    "missing predictions score 0 but are left out of sums": "缺失的预测计 0 分，但不计入总和",
    "missing predictions score 0, invalid ones are left out": "缺失的预测计 0 分，无效的不计入",
    "IoU >= X passes": "IoU >= X 即通过", "only IoU > X passes": "仅 IoU > X 才通过",
    "exact thresholds": "精确阈值", "thresholds rounded to 32 bits": "阈值舍入为 32 位",
    "plain division": "直接相除", "{#epsilon} added to every union": "每个并集加 {epsilon}",
    "P@X over all examples": "P@X 对全部样本计算",
    "P@X over examples with a target": "P@X 只对有目标的样本计算",
    "polygons of one object joined": "同一物体的多边形合并",
    "pixels where polygons of one object overlap cut out of the target":
    "同一物体的多边形重叠处从目标中挖去",
    "ignored regions count as target": "忽略区域算作目标",
    "at the picture's own size": "按图片原始尺寸",
    "both masks squashed to 480 x 480": "两个掩码都压缩到 480 x 480",
    "a rejected sentence keeps its mask": "被拒绝的句子保留掩码",
    "a rejected sentence shares no pixel with its target": "被拒绝的句子与目标没有共同像素",
    "pixels marked where nothing is meant add to the union": "无所指处标出的像素计入并集",
    "pixels marked where nothing is meant add to no union": "无所指处标出的像素不计入并集",
    "pixels added up exactly": "像素精确累加",
    "pixels added up in 32-bit floats": "像素用 32 位浮点累加",
    "mean of IoU (mIoU, gIoU) in place of sum over sum (oIoU, cIoU)":
    "用 IoU 均值（mIoU、gIoU）代替总和之比（oIoU、cIoU）",
    "sum over sum (oIoU, cIoU) in place of mean of IoU (mIoU, gIoU)":
    "用总和之比（oIoU、cIoU）代替 IoU 均值（mIoU、gIoU）",
    "Sum of intersections over sum of unions, and P@X with >=, over sentences at the picture's "
    "size; no mean IoU.": "交集总和除以并集总和，P@X 用 >=，按句子，图片原始尺寸；没有平均 IoU。",
    "Mean and overall IoU and P@X with >= over sentences, in a frame of 480 x 480; both empty "
    "counts 0, and pixels where polygons of one object overlap are cut out of the target.":
    "按句子的平均 IoU、总体 IoU 和 P@X（>=），画幅 480 x 480；皆空计为 0，"
    "同一物体的多边形重叠处从目标中挖去。",
    "Mean IoU with 1e-6 added to every union, and P@X with > and thresholds of 32 bits, over "
    "sentences; no overall IoU.":
    "按句子的平均 IoU，每个并集加 1e-6，P@X 用 > 和 32 位阈值；没有总体 IoU。",
    "gIoU and cIoU with the no-target rule: what the model says decides, not its mask; P@X over "
    "examples with a target; in a frame of 480 x 480.":
    "gIoU 和 cIoU 用无目标规则：以模型的回答而非掩码为准；P@X 只对有目标的样本计算；画幅 480 x 4"
    "80。",
    "As ReLA at the picture's own size, by its [REJ] token, with 1e-8 added to every union; a "
    "rejected sentence that has a target keeps its mask in cIoU.":
    "同 ReLA，但按图片原始尺寸，以其 [REJ] 标记为准，每个并集加 1e-8；"
    "有目标却被拒绝的句子在 cIoU 中保留掩码。",
    "Mean and overall IoU over sentences; both empty counts 1; 1e-5 added to every union; pixels "
    "added up in 32-bit floats.":
    "按句子的平均 IoU 和总体 IoU；皆空计为 1；每个并集加 1e-5；像素用 32 位浮点累加。",
    "Mean IoU over rows of one expression an object; an answer that cannot be read scores 0, a "
    "mask that could not be made drops the row, and so does both empty; ignored regions count as "
    "target.": "每个物体一个表达，按行求平均 IoU；无法读取的回答计 0 分，"
    "无法生成掩码的行以及皆空的行被丢弃；忽略区域算作目标。",
    "Mean and overall IoU over rows of one expression an object; both empty counts 0; ignored "
    "regions count as target.":
    "每个物体一个表达，按行求平均 IoU 和总体 IoU；皆空计为 0；忽略区域算作目标。",
    "The same, but an example without target counts 1 if no box was predicted.":
    "同上，但无目标样本若未预测边框则计为 1。",
    "Mean IoU over examples at the picture's own size; the data has no example without target.":
    "按样本的平均 IoU，图片原始尺寸；数据中没有无目标样本。",
    "Mean IoU over sentences of parts, and of objects and parts together.":
    "部件句子的平均 IoU，以及物体与部件合计的平均 IoU。",
    "Mean and overall IoU over sentences; both empty counts 1; a missing prediction scores 0 in "
    "the mean and is left out of the sums, which raises cIoU.":
    "按句子的平均 IoU 和总体 IoU；皆空计为 1；缺失的预测在均值中计 0 分，但不计入总和，因而抬高 "
    "cIoU。",
    "\"RES CIoU\" is the mean IoU over sentences, not the cumulative one; both empty counts 0.":
    "“RES CIoU”是按句子的平均 IoU，而非累计 IoU；皆空计为 0。",
}

_OTHERWISE = {
    "Add predictions: --run [NAME=]PATH.": "请添加预测：--run [NAME=]PATH。",
    "Here stand the metrics of each run, and what known evaluators would print.":
    "这里列出每个运行的指标，以及各家评测代码会给出的数值。",
    "Here stands why a run fails, and what fixing each kind of failure would gain.":
    "这里说明一个运行为何失败，以及修正每类失败能提高多少。",
    "Here stands for which sentences and pictures a run does better or worse.":
    "这里说明一个运行在哪些句子和图片上更好或更差。",
    "Here two runs or more are set against each other, with intervals and tests.":
    "这里将两个或多个运行相互比较，并给出区间与检验。",
    "Add another: --run [NAME=]PATH, once for each.": "请再添加：每个运行写一次 --run [NAME=]PATH。",
    "Here two ground truths of the same referents are compared, such as RefCOCO and RefCOCO-M, and "
    "what that does to each score.":
    "这里比较同一批指代对象的两套真值，例如 RefCOCO 与 RefCOCO-M，以及由此带来的分数变化。",
    "Add one: --second-truth DATASET_B.": "请添加一套：--second-truth DATASET_B。",
}

PANELS: dict[str, str] = {**_COLUMNS, **_NUMBERS, **_PROTOCOLS, **_OTHERWISE, **ANALYSIS}
