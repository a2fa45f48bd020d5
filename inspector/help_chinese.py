"""Every text of the command line's help in Simplified Chinese, by the English one."""

from __future__ import annotations

_ARGPARSE = {
    "usage: ": "用法：",
    "positional arguments": "位置参数",
    "options": "选项",
    "show this help message and exit": "显示此帮助并退出",
    "show program's version number and exit": "显示版本号并退出",
}

_COMMANDS = {
    "Look at what a model of referring expression segmentation gets wrong.":
    "查看指代表达分割模型错在哪里。",
    "open the page in the browser": "在浏览器中打开页面",
    "print the metrics of each run": "输出每个运行的指标",
    "print why predictions fail and what fixing each kind would gain":
    "输出预测失败的原因，以及修正每一类能带来的提升",
    "print what other evaluators would print, and why numbers differ":
    "输出其他评测代码会给出的数值，以及数值为何不同",
    "place runs among the recorded results that compare with them":
    "将各运行与可比的已收录结果一同排名",
    "print counts and every problem found": "输出计数和发现的每个问题",
    "compare two ground truths of the same referents": "比较同一批指代对象的两套真值",
    "write one self-contained page with numbers, charts and examples":
    "写出一个含数值、图表和样本的独立网页",
    "print which kinds of examples fail more": "输出哪些类型的样本更容易失败",
    "print whether runs differ, with intervals": "输出各运行之间有无差异，并附区间",
    "write a data set in the inspector's own format": "以本工具自己的格式写出数据集",
}

_DATA = {
    "'demo', a folder, a file, or a hub id such as moondream/refcoco-m":
    "'demo'、文件夹、文件，或 hub 编号，如 moondream/refcoco-m",
    "predictions of one model; may be repeated": "一个模型的预测；可重复",
    "every file of predictions in a folder is a run": "文件夹中的每个预测文件都是一个运行",
    "bring masks of the same proportions or of a square frame to their picture's size":
    "把宽高比相同或正方形画幅的掩码缩放到图片尺寸",
    "scale of boxes whose file does not say it: pixels, 0-1, 0-100, 0-999, 0-1000, resized "
    "(default: inferred and said)":
    "文件未注明时边框的尺度：pixels、0-1、0-100、0-999、0-1000、resized（默认：推断并说明）",
    "split(s), or 'all' (default: val)": "一个或多个划分，或 'all'（默认：val）",
    "which refs(NAME).p of a folder": "文件夹中的哪个 refs(NAME).p",
    "folder of the pictures": "图片所在文件夹",
    "annotation files in place of instances.json": "代替 instances.json 的标注文件",
    "format of the data set, if not detected": "数据集格式（未能识别时）",
    "refs(NAME).p, or ids for RefCOCOm: its objects, the rows of lmms-lab to keep":
    "refs(NAME).p；RefCOCOm 也可用编号列表：其物体、lmms-lab 要保留的行",
    "which sentences of a ReasonSeg picture are examples (default: first)":
    "ReasonSeg 图片的哪些句子作为样本（默认：first）",
    "another ground truth of the same referents, to be set against the first":
    "同一批指代对象的另一套真值，与第一套对照",
    "split(s) of the second ground truth, if not as the first's":
    "第二套真值的划分（若与第一套不同）",
    "folder of the pictures of the second ground truth, if not as the first's":
    "第二套真值的图片文件夹（若与第一套不同）",
    "annotation files of the second ground truth, in place of its instances.json":
    "第二套真值的标注文件，代替其 instances.json",
    "format of the second ground truth, if not detected": "第二套真值的格式（未能识别时）",
    "the other ground truth; runs are aligned to the first": "另一套真值；各运行按第一套对齐",
}

_SCORING = {
    "average over sentences, or inside each referent first (default: sentence)":
    "按句子平均，或先在每个指代对象内平均（默认：sentence）",
    "IoU where prediction and target are both empty (default: one)":
    "预测与目标皆空时的 IoU（默认：one）",
    "examples without a usable prediction score 0 or are left out (default: zero)":
    "没有可用预测的样本计 0 分或不计入（默认：zero）",
    "IoU from which a prediction is correct or fits another object (default: 0.5)":
    "判定预测正确或吻合另一物体的 IoU 阈值（默认：0.5）",
    "share of the prediction inside the target (part) or of the target (spill) (default: 0.8)":
    "预测落在目标内的占比（part）或目标被覆盖的占比（spill）（默认：0.8）",
    "share of target and of another object that several_objects needs (default: 0.5)":
    "several_objects 所需的目标及另一物体的覆盖占比（默认：0.5）",
    "IoU below which a prediction touches no object (default: 0.1)":
    "低于此 IoU 视为未触及任何物体（默认：0.1）",
    "IoU with the target from which another object is the same thing twice (default: 0.8)":
    "另一物体与目标的 IoU 达到此值即视为同一物体的重复标注（默认：0.8）",
    "print the metrics of each value of a column of the table": "按表格某一列的每个取值输出指标",
    "give P@X for this threshold too; may be repeated": "另外给出此阈值的 P@X；可重复",
    "print what a known evaluator would, such as lavt; may be repeated":
    "输出某个已知评测代码会给出的数值，如 lavt；可重复",
    "exit with status 1 if a run stays below, such as mIoU=0.70; may be repeated":
    "若有运行低于此值则以状态 1 退出，如 mIoU=0.70；可重复",
    "measure Boundary IoU and edges (default: up to 2,000 predictions)":
    "度量边界 IoU 和边缘（默认：预测不超过 2,000 个时）",
    "local: every run in one go, in this process; batched: piece by piece in this process: only "
    "one piece is in memory; ray: piece by piece on a Ray cluster, or on the processors of this "
    "machine (default: local). The last two take shards: --run NAME=PATTERN":
    "local：在本进程中一次处理整个运行；batched：在本进程中逐块处理，内存中只有一块；"
    "ray：在 Ray 集群或本机各处理器上逐块处理（默认：local）。后两者接受分片：--run NAME=PATTERN",
    "of a Ray cluster: auto, or host:port (default: one of this machine alone)":
    "Ray 集群的地址：auto 或 host:port（默认：仅用本机）",
    "how many pieces this machine scores at once, with Ray (default: its processors)":
    "使用 Ray 时本机同时评分的块数（默认：处理器数）",
    "megabytes that are read at once (default: 16)": "一次读取的兆字节数（默认：16）",
}

_OUTPUT = {
    "write the results as JSON ('-': here)": "以 JSON 写出结果（'-'：输出到此处）",
    "write one row an example and run": "每个样本和运行写一行",
    "write one row a referent": "每个指代对象写一行",
    "the same as Parquet": "同上，写为 Parquet",
    "find the settings that come closest to this number": "查找最接近此数值的设置",
    "default: mIoU": "默认：mIoU",
    "attributes to slice by (default: all)": "用于切片的属性（默认：全部）",
    "look at pairs of values too": "同时查看取值的两两组合",
    "slice the difference to the run of this name": "对与此名称的运行之差做切片",
    "the .jsonl to write": "要写出的 .jsonl 文件",
}

_SERVING = {
    "address to serve on (default: 127.0.0.1, this machine only); any other needs --password or "
    "--no-password":
    "服务地址（默认：127.0.0.1，仅限本机）；其他地址需要 --password 或 --no-password",
    "port (default: 7860, or the next free one)": "端口（默认：7860，或下一个空闲端口）",
    "do not open a browser": "不打开浏览器",
    "ask visitors for the first line of this file ('-': asked now; or set INSPECTOR_PASSWORD)":
    "要求访问者输入此文件第一行的密码（'-'：现在输入；或设置 INSPECTOR_PASSWORD）",
    "let in whoever can reach the page": "允许任何能访问页面的人进入",
    "a further name under which the page is reached, such as a proxy's; may be repeated":
    "访问页面的另一个主机名，如代理的名称；可重复",
    "further words, one a line, for which a sentence is veiled; may be repeated":
    "额外的遮蔽词表，每行一个词；可重复",
    "path under which a proxy shows the page, such as /user/x/proxy/7860":
    "代理显示页面的路径，如 /user/x/proxy/7860",
    "file in which verdicts, tags and notes are kept (default: inspector.findings.sqlite beside "
    "the first run, or beside the data set)":
    "保存判定、标签和备注的文件（默认：第一个运行或数据集旁的 inspector.findings.sqlite）",
    "show findings, but let nobody change them": "显示审查记录，但不允许任何人修改",
    "a model to try other sentences with: demo, module:function, or an address such as "
    "https://host/path":
    "用于试验其他句子的模型：demo、module:function，或地址，如 https://host/path",
    "how long one answer of the model may take (default: 60)": "模型一次回答的时限（默认：60）",
    "open on numbers that were scored before: a Parquet file of 'score', a folder of them or a "
    "pattern; nothing is scored, and --run only adds the masks":
    "打开已评分的数值：score 写出的 Parquet 文件、其文件夹或通配模式；不再评分，--run 只添加掩码",
    "read and score everything anew, and keep nothing for the next opening":
    "全部重新读取和评分，且不为下次打开保留任何内容",
}

_REPORT = {
    "examples": "样本",
    "another ground truth of the same referents, for a section of its own":
    "同一批指代对象的另一套真值，单独成节",
    "the page to write": "要写出的网页",
    "heading (default: the data set's name)": "标题（默认：数据集名称）",
    "show the first N in the page's order, worst first (default: 12)":
    "按页面顺序显示前 N 个，最差优先（默认：12）",
    "narrow them down or order them as the page's address does, such as failure=part, "
    "category=person, sort=area; may be repeated":
    "像页面地址那样筛选或排序，如 failure=part、category=person、sort=area；可重复",
    "show these instead, or a file of ids, one a line": "改为显示这些样本，或编号文件，每行一个",
    "show those with this tag instead": "改为显示带此标签的样本",
    "run that is drawn (default: the first)": "要绘制的运行（默认：第一个）",
    "what lies over the pictures at first (default: agreement)":
    "图片上最初叠加的图层（默认：agreement）",
    "file of verdicts, tags and notes that the page keeps": "页面保存的判定、标签和备注文件",
    "how large the file may become (default: 15)": "文件的最大大小（默认：15）",
    "leave the folders of this machine in the file": "在文件中保留本机的文件夹路径",
}

HELP: dict[str, str] = {
    **_ARGPARSE, **_COMMANDS, **_DATA, **_SCORING, **_OUTPUT, **_SERVING, **_REPORT,
}
