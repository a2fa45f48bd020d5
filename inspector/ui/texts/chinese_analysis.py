"""What slices, failures, comparisons and reviews say in English, in Simplified Chinese."""

from __future__ import annotations

_ATTRIBUTES = {
    "Position": "位置",
    "Location word": "方位词",
    "Ordinal or number": "序数或数量",
    "Colour": "颜色",
    "Size": "大小", "Relation": "关系", "Negation": "否定", "Clothing": "衣着",
    "Person word": "人物词", "Comparison": "比较", "Pronoun or bare category": "代词或仅有类别",
    "Likely typo": "疑似拼写错误", "Touches the border": "触及边缘",
    "position": "位置", "location word": "方位词", "ordinal": "序数或数量", "colour": "颜色",
    "size": "大小", "relation": "关系", "negation": "否定", "clothing": "衣着", "person": "人物词",
    "comparison": "比较", "bare": "代词或仅有类别", "typo": "疑似拼写错误", "border": "触及边缘",
}
"""Attributes of yes and no: their labels, and their keys as a filter says them."""

_MEASURED = {
    "Words in the sentence": "句子词数", "length": "句子词数", "same": "同类的其他物体",
    "Others of its category": "同类的其他物体", "Pieces of the target": "目标的块数",
    "components": "目标的块数", "Category": "类别", "category": "类别",
}
"""Attributes whose values are numbers or names."""

_KINDS = {
    "Target area": ("目标面积", {"small": "小", "medium": "中", "large": "大"}),
    "area": ("目标面积", {"small": "小", "medium": "中", "large": "大"}),
    "Shape of the target": ("目标形状", {"tall": "瘦高", "even": "匀称", "wide": "扁宽"}),
    "aspect": ("目标形状", {"tall": "瘦高", "even": "匀称", "wide": "扁宽"}),
}

_VALUES = {f"{name}: {{value}}": f"{said}：{{value}}" for name, said in _MEASURED.items()} | {
    f"{name}: {value}": f"{said}：{words}"
    for name, (said, values) in _KINDS.items() for value, words in values.items()
}

_SLICES = {
    "Slices": "切片", "Pairs of slices that differ": "有差异的切片组合", "differs": "有差异",
    "{*measure} in percent over {#examples} examples on {#pictures} pictures: {#mean}.":
    "{pictures} 张图片、{examples} 个样本的 {measure}（百分数）：{mean}。",
    "Each slice against all other examples; 95 % intervals by bootstrap over pictures; q is the "
    "p-value corrected for the {#count} slices looked at.":
    "每个切片与其余全部样本比较；95 % 区间由按图片的自助法得到；q 是对所查 {count} 个切片校正后"
    "的 p 值。",
    "Slices of fewer than 30 examples or 10 pictures are grey and not tested.":
    "少于 30 个样本或 10 张图片的切片显示为灰色，不做检验。",
    "{#count} slices and pairs were tested together.": "共同检验了 {count} 个切片及其组合。",
    "Words that go with failure within the same target": "同一目标内与失败相伴的词",
    "Sentences of one target that fail (IoU < 0.5) are compared with those that do not, so that "
    "the object's difficulty cancels; exact test, q corrected for all words.":
    "把同一目标中失败（IoU < 0.5）的句子与未失败的句子相比，以抵消物体本身的难度；"
    "精确检验，q 已对全部词校正。",
    "Targets whose sentences disagree most": "句子间分歧最大的目标",
    "Picture and target are the same, only the words differ.": "图片和目标相同，只有措辞不同。",
    "Sentences that may be ambiguous": "可能有歧义的句子",
    "{#count} sentences name a category of which the picture has several objects and say nothing "
    "that tells them apart; for {#took} of them the prediction took another one.":
    "{count} 个句子所说的类别在图中有多个物体，却没有任何区分之词；其中 {took} 个句子的预测选了"
    "另一个物体。",
}

_FAILURES = {
    "Failure modes of {run}": "{run} 的失败类型",
    "Thresholds: IoU {#iou}, share {#share}, covered {#covered}, background {#background}.":
    "阈值：IoU {iou}，占比 {share}，覆盖 {covered}，背景 {background}。",
    "If fixed: the score after these predictions are set to the target.":
    "修正后：把这些预测换成目标后的得分。",
    "Grounding accuracy (the best-fitting object is the target): {#value} %.":
    "定位准确率（最吻合的物体是目标）：{value} %。",
    "Grounding accuracy (the best-fitting object is the target): not defined.":
    "定位准确率（最吻合的物体是目标）：无定义。",
    "Mask quality given the right object (mean IoU over those {#count}): {#value} %.":
    "找对物体时的掩码质量（这 {count} 个的平均 IoU）：{value} %。",
    "Mask quality given the right object (mean IoU over those {#count}): not defined.":
    "找对物体时的掩码质量（这 {count} 个的平均 IoU）：无定义。",
    "The data lists only the objects that sentences refer to; others in the picture are unknown, "
    "so grounding is an upper bound.":
    "数据只列出句子提及的物体，图中其他物体未知，因此定位准确率是上限。",
    "Not defined: the run holds no masks, or no example has a target.":
    "无定义：该运行没有掩码，或没有有目标的样本。",
    "Finding the object, and drawing it": "找对物体，画准物体",
    "Flags beside the failure mode": "失败类型之外的附加标记",
    "Leverage: the examples that move oIoU most": "杠杆：对 oIoU 影响最大的样本",
    "{#half} of {#counted} examples hold half of the sum of unions.":
    "{counted} 个样本中的 {half} 个占了并集总和的一半。",
    "Geometry check: predictions shifted, grown and shrunk": "几何检查：平移、扩张、收缩预测",
    "No prediction overlaps its target by a mask.": "没有任何预测的掩码与其目标重叠。",
    "Mean IoU where prediction and target overlap is {#mean} ({*examples})":
    "预测与目标有重叠处的平均 IoU 为 {mean}（{examples}）",
    "{#count} examples": "{count} 个样本",
    "{#count} of {#all} examples, chosen by a fixed seed":
    "{all} 个样本中的 {count} 个，按固定种子抽取",
    "no shift or growth of up to {#reach} px raises it by {#rise} or more":
    "{reach} 像素以内的平移或扩张都不能使它提高 {rise} 以上",
    "{#count} pictures are too few to tell an offset from chance":
    "{count} 张图片太少，无法区分偏移与偶然",
    "{*change} it is {#mean} ({#rise}): {*guess}": "{change}后为 {mean}（{rise}）：{guess}",
    "moved {*where}": "移动{where}", "{*one} and {*other}": "{one}、{other}",
    "{#count} px right": "向右 {count} 像素", "{#count} px left": "向左 {count} 像素",
    "{#count} px down": "向下 {count} 像素", "{#count} px up": "向上 {count} 像素",
    "grown by {#count} px": "扩张 {count} 像素", "shrunk by {#count} px": "收缩 {count} 像素",
    "a resize or offset bug is likely": "很可能存在缩放或偏移的错误",
    "masks are drawn too small, or the ground truth is inflated": "掩码画得偏小，或真值偏大",
    "masks are drawn too large, or the ground truth is cut short": "掩码画得偏大，或真值偏小",
}

_COMPARE = {
    "Runs, with 95 % intervals": "各运行（附 95 % 区间）",
    "Intervals by bootstrap over {#pictures} pictures, {#resamples} resamples, seed {#seed}.":
    "区间由按图片的自助法得到：{pictures} 张图片，重采样 {resamples} 次，种子 {seed}。",
    "{#shown} of {#count} runs are compared, the two that are chosen among them.":
    "共 {count} 个运行，比较其中 {shown} 个，所选的两个在内。",
    "Differences": "差值",
    "Paired: all runs on the same resampled pictures.": "配对：所有运行使用相同的重采样图片。",
    "p by {#count} permutations of whole pictures; grey where the corrected p is above 0.05.":
    "p 由 {count} 次整图置换得到；校正后 p 大于 0.05 的显示为灰色。",
    "How firm the order is": "排序有多稳固",
    "{metric}: {order} in {#share} % of the resamples": "{metric}：{share} % 的重采样中 {order}",
    "{run} against {other}, example by example": "{run} 与 {other} 逐样本对比",
    "{run} is better": "{run} 更好", "tie": "打平",
    "both right": "都正确", "both wrong": "都错误",
    "only {run} right": "仅 {run} 正确",
    "A tie is a difference of IoU of at most the margin of {#margin}; right is IoU >= 0.5.":
    "IoU 之差不超过 {margin} 为打平；IoU >= 0.5 为正确。",
    "The two runs' masks have a mean IoU of {#iou} % with each other over {#count} examples.":
    "在 {count} 个样本上，两个运行的掩码彼此的平均 IoU 为 {iou} %。",
    "Agreement of the masks": "掩码的一致度",
    "Where {run} and {other} differ most": "{run} 与 {other} 差异最大之处",
    "{run} less {other} on the slice, and how that differs from the rest; grey where q is above "
    "0.05.": "切片上 {run} 减 {other} 的差值，以及与其余部分的差别；q 大于 0.05 的显示为灰色。",
}

_TRUTHS = {
    "matched by {*way}": "匹配依据：{way}",
    "the same annotation id, picture and box": "标注编号、图片和边框相同",
    "the same ref id, picture and box": "指代编号、图片和边框相同",
    "B's sample id is A's ref, annotation or sample id; the same picture and box":
    "B 的条目编号等于 A 的指代、标注或条目编号；图片和边框相同",
    "the same picture and sentences": "图片和句子相同",
    "the same picture, a sentence that nobody else there shares, and the box":
    "图片相同，有一个别处没有的句子，且边框相同",
    "the same picture and category, and masks that fit each other best (IoU >= 0.5)":
    "图片和类别相同，且掩码互为最吻合（IoU >= 0.5）",
    "only in A": "仅在 A 中", "only in B": "仅在 B 中",
    "ambiguous, in no comparison": "有歧义，不参与比较",
    "Referents of {a} (A) and {b} (B)": "{a}（A）与 {b}（B）的指代对象",
    "A is {a}, B is {b}.": "A 为 {a}，B 为 {b}。",
    "{#both} sentences are in both, {#alone} in A alone.":
    "{both} 个句子两者都有，{alone} 个仅在 A 中。",
    "What changed in the masks": "掩码有何变化",
    "No matched referent has a mask in both.": "没有任何已匹配的指代对象在两者中都有掩码。",
    "Masks of {#count} referents: IoU {#iou} on average, Boundary IoU {#boundary}; |B| / |A| has "
    "the median {#ratio}.":
    "{count} 个指代对象的掩码：平均 IoU {iou}，边界 IoU {boundary}；|B| / |A| 的中位数为 {ratio}。",
    "A's edge lies {#shift} pixels outside B's (median); by more than half a pixel outside for "
    "{#outside} % of them, inside for {#inside} %.":
    "A 的边缘在 B 之外 {shift} 像素（中位数）；其中 {outside}% 外扩超过半个像素，{inside}% 内缩"
    "超过半个像素。",
    "A's edge lies {#shift} pixels inside B's (median); by more than half a pixel outside for "
    "{#outside} % of them, inside for {#inside} %.":
    "A 的边缘在 B 之内 {shift} 像素（中位数）；其中 {outside}% 外扩超过半个像素，{inside}% 内缩"
    "超过半个像素。",
    "Of B's masks {*counts}": "B 的掩码中 {counts}",
    "{#count} have a part that A lacks": "{count} 个含有 A 没有的部分",
    "{#count} lack a part that A has": "{count} 个缺少 A 有的部分",
    "{#count} have more holes": "{count} 个孔洞更多",
    "{#count} have fewer holes": "{count} 个孔洞更少",
    "{#count} are the same": "{count} 个完全相同",
    "What the second truth does to the scores": "第二套真值对得分的影响",
    "Selection and mask effect add up to the whole difference; intervals by paired bootstrap over "
    "pictures.": "取舍效应与掩码效应相加即为全部差值；区间由按图片的配对自助法得到。",
    "Order of the runs": "各运行的排序",
    "{metric}: {a} under A, {b} under B": "{metric}：A 下 {a}，B 下 {b}",
    "{run} is closer to B than A's own label: {#count} examples":
    "{run} 比 A 自己的标注更接近 B：{count} 个样本",
    "IoU(prediction, B) > IoU(A, B), compared as whole numbers.":
    "IoU(预测, B) > IoU(A, B)，按整数比较。",
    "Sentences that B dropped": "B 删去的句子", "look at them": "查看它们",
    "They open veiled: harmful ones are among those that RefCOCO-M left out.":
    "打开时处于遮蔽状态：RefCOCO-M 删去的句子中有伤人的内容。",
}

_REVIEWS = {
    "Verdicts on {run}": "对 {run} 的判定",
    "{#count} examples have a note.": "{count} 个样本有备注。",
    "{#count} example has a note.": "{count} 个样本有备注。",
    "No tags yet.": "尚无标签。",
    "{#count} further tags are rarer.": "另有 {count} 个更少用的标签。",
    "What became of every verdict in {run}": "每个判定在 {run} 中的现状",
    "{#count} verdicts on any run, held against the predictions of {run} that are open now.":
    "对各运行的 {count} 个判定，与当前打开的 {run} 的预测对照。",
    "the same prediction": "预测未变",
    "The prediction is the one that was judged.": "就是当时判定的预测。",
    "fixed": "已修正", "It was wrong, and another prediction is correct now.":
    "当时错误，现在换了正确的预测。",
    "still wrong": "仍然错误", "It was wrong, and another prediction is wrong too.":
    "当时错误，现在换了预测也还是错误。",
    "wrong now": "变为错误", "It was correct, and another prediction is wrong now.":
    "当时正确，现在换了错误的预测。",
    "another prediction": "预测已变",
    "Another prediction, as correct as the one before, or what was judged is not known.":
    "换了预测，对错与之前相同；或不知当时判定的是什么。",
    "Review of {#count} failures of {run}, begun {date}":
    "对 {run} 的 {count} 个失败样本的抽查，始于 {date}",
    "Nothing was judged yet.": "尚未判定任何样本。",
    "of the failures: {*verdict}": "失败样本中：{verdict}",
    "Share correct at IoU {#threshold}": "IoU {threshold} 下的正确比例",
    "wrong labels counted as correct": "标注错误计为正确",
    "wrong labels and ambiguous sentences left out": "不计标注错误和有歧义的句子",
    "By failure mode": "按失败类型",
    "{#done} of {#size} judged, out of {#failures} failures among {#examples} examples.":
    "{examples} 个样本中有 {failures} 个失败，抽取 {size} 个，已判定 {done} 个。",
    "{#count} were skipped on the way: if those were the hard ones, the shares are bent.":
    "途中跳过了 {count} 个：如果跳过的是难例，比例会有偏差。",
    "Modes with {#share} % of the failures were not looked into yet; in the intervals they count "
    "as anything.": "占失败 {share} % 的类型尚未查看；在区间中按任意情况计。",
    "The run has been read anew since: these numbers are about the predictions from which the "
    "sample was drawn.": "该运行此后已重新读取：这些数值针对的是抽样时的预测。",
    "{#count} judged on other predictions than the drawn ones do not count here: draw a new sample "
    "to review the run as it is now.":
    "有 {count} 个判定针对的不是抽样时的预测，在此不计：如要审查运行的现状，请重新抽样。",
    "The run has been read anew since the sample was drawn: draw a new one to review the run as it "
    "is now.": "抽样之后该运行已重新读取：如要审查运行的现状，请重新抽样。",
    "Drawn proportional by failure mode, seed {#seed}.": "按失败类型等比例抽取，种子 {seed}。",
    "Drawn equal by failure mode, seed {#seed}.": "按失败类型等量抽取，种子 {seed}。",
    "Weighted by failure mode.": "按失败类型加权。",
    "95 % intervals: hull of exact limits by stratum (MOVER) and of a plain sample of the same "
    "worth, for a draw without replacement; they cover the truth in at least about 95 of 100 "
    "reviews.": "95 % 区间：各层精确界限（MOVER）与等效简单随机样本的并集，不放回抽样；"
    "100 次抽查中至少约 95 次包含真实值。",
    "Only failures were looked at: wrong labels among the correct predictions are not in these "
    "numbers.": "只查看了失败样本：正确预测中的错误标注不在这些数值之内。",
}

ANALYSIS: dict[str, str] = {
    **_ATTRIBUTES, **_VALUES, **_SLICES, **_FAILURES, **_COMPARE, **_TRUTHS, **_REVIEWS,
}
