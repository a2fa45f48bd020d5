from __future__ import annotations

import json
from pathlib import Path

import pytest

from inspector.core.errors import FormatError, UsageError
from inspector.core.mask import Mask
from inspector.core.run import Run, Status
from inspector.predictions import load_run
from tests.building import Picture, Said, Thing, make_dataset
from tests.drawing import draw

CUP = draw(
    "......",
    ".##...",
    ".##...",
)
SCENE = make_dataset(Picture("1", (3, 6), (Thing("11", "cup", CUP),), (
    Said("101", "left cup", ("11",)), Said("102", "café “left”", ("11",)), Said("103", "no", ()),
)))
GOOD = json.dumps({"sent_id": 101, "mask": CUP.to_json()}) + "\n"


def load(folder: Path, content: str | bytes, *, name: str = "run.jsonl") -> Run:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return load_run(SCENE, path, name="model")


def load_mask(folder: Path, mask: object) -> Run:
    return load(folder, json.dumps({"sent_id": 101, "mask": mask}) + "\n")


@pytest.mark.parametrize("mask", [
    pytest.param(CUP.to_json(), id="compressed"),
    pytest.param({"size": [3, 6], "counts": [4, 2, 1, 2, 9]}, id="uncompressed"),
    pytest.param({"size": [3.0, 6.0], "counts": [4.0, 2, 1, 2, 9]}, id="whole floats"),
    pytest.param({"size": [3, 6], "counts": str(CUP.counts)}, id="text of bytes"),
    pytest.param([[1, 1, 3, 1, 3, 3, 1, 3]], id="polygon"),
    pytest.param([[1, 1, 2, 1, 2, 3, 1, 3], [2, 1, 3, 1, 3, 3, 2, 3]], id="two polygons"),
])
def test_each_way_to_write_a_mask(mask, tmp_path):
    run = load_mask(tmp_path, mask)
    assert run.masks[run.rows[0]] == CUP
    assert run.problems == ()


def test_null_says_no_target(tmp_path):
    run = load_mask(tmp_path, None)
    assert run.says_no_target.tolist() == [True, False, False]
    assert run.masks[run.rows[0]] == Mask.empty((3, 6))


BROKEN = [
    ("too few pixels", {"size": [3, 6], "counts": [4, 2]},
     "The runs sum to 6 pixels, but 3 x 6 (height x width) has 18."),
    ("too many pixels", {"size": [3, 6], "counts": [4, 20]},
     "The runs sum to 24 pixels, but 3 x 6 (height x width) has 18."),
    ("negative run", {"size": [3, 6], "counts": [20, -2]},
     "The run lengths hold a negative run (-2)."),
    ("no runs", {"size": [3, 6], "counts": []}, "The run lengths are empty."),
    ("no characters", {"size": [3, 6], "counts": ""}, "The run lengths are empty."),
    ("foreign character", {"size": [3, 6], "counts": "4!"},
     "The run lengths hold a character that COCO's compressed counts never have."),
    ("letter with an accent", {"size": [3, 6], "counts": "4é"},
     "The run lengths hold a character that COCO's compressed counts never have."),
    ("cut off", {"size": [3, 6], "counts": "4P"},
     "The run lengths are cut off in the middle of a number."),
    ("fraction", {"size": [3, 6], "counts": [4.5, 13.5]},
     "The run lengths hold 4.5, which is not a whole number."),
    ("text among the runs", {"size": [3, 6], "counts": ["4", 14]},
     "The run lengths hold '4', which is not a whole number."),
    ("huge run", {"size": [3, 6], "counts": [10**30]}, "The run lengths hold a run of"),
    ("counts a number", {"size": [3, 6], "counts": 7}, "Counts must be text or a list"),
    ("no counts", {"size": [3, 6]}, "Run lengths need 'size' and 'counts', but got the keys"),
    ("no size", {"counts": [18]}, "Run lengths need 'size' and 'counts', but got the keys"),
    ("one side", {"size": [3], "counts": [18]}, "Size must be [height, width], but got [3]."),
    ("huge size", {"size": [10**6, 10**6], "counts": [1]}, "Size must be at least 1 x 1 and at"),
    ("size of text", {"size": ["3", "6"], "counts": [18]}, "Size must be two whole numbers"),
    ("line in place of a polygon", [[1, 1, 3, 3]], "A polygon must be [x1, y1, x2, y2, …]"),
    ("odd polygon", [[1, 1, 3, 1, 3, 3, 1]], "A polygon must be [x1, y1, x2, y2, …]"),
    ("polygon of text", [["a"] * 6], "A polygon must be a list of numbers"),
    ("far polygon", [[0, 0, 1e9, 0, 0, 5]], "A polygon holds a coordinate that is not within"),
    ("no polygon", [], "A mask must be run lengths"),
    ("number", 5, "A mask must be run lengths"),
    ("text", "4!", "A mask must be run lengths"),
    ("false", False, "A mask must be run lengths"),
]


@pytest.mark.parametrize(
    ("mask", "reason"), [pytest.param(mask, reason, id=name) for name, mask, reason in BROKEN]
)
def test_a_broken_mask_is_invalid_with_words(mask, reason, tmp_path):
    run = load_mask(tmp_path, mask)
    assert Status(run.status[0]) == Status.INVALID
    assert run.reasons[0].startswith(reason)
    assert [(p.code, p.severity, p.where) for p in run.problems] == [
        ("broken-prediction", "error", "run.jsonl, line 1")
    ]
    assert run.problems[0].message.startswith(f"Example 101: {reason}")


@pytest.mark.parametrize(("size", "said"), [
    ([6, 3], "The mask is 3 x 6 pixels (width x height), the picture 6 x 3 pixels "
             "(width x height): height and width are swapped."),
    ([2, 9], "The mask is 9 x 2 pixels (width x height), the picture 6 x 3 pixels "
             "(width x height)."),
], ids=["swapped", "another"])
def test_another_size_is_invalid_and_nothing_is_resized(size, said, tmp_path):
    run = load_mask(tmp_path, {"size": size, "counts": [18]})
    assert Status(run.status[0]) == Status.INVALID
    assert [(p.code, p.message) for p in run.problems] == [
        ("size-mismatch", f"Example 101: {said}")
    ]


@pytest.mark.parametrize(("line", "said"), [
    ("{", "it is not a complete JSON object"),
    ("[1, 2]", "it is a list, not an object"),
    ("null", "it is null, not an object"),
    ('{"sent_id": 102}', "it has no 'mask' (null says 'no target')"),
    ('{"mask": null}', "it names no example (example_id, sent_id, or an id with a sentence)"),
    ('{"ref_id": 3, "mask": null}', "ref_id alone does not name an example; add 'sentence'"),
    ('{"sent_id": 1.5, "mask": null}', "an id must be a whole number, but got 1.5"),
    ('{"sent_id": true, "mask": null}', "an id must be text or a whole number, but got True"),
    ('{"sent_id": NaN, "mask": null}', "it holds NaN, which is not JSON"),
    ('{"sent_id": 102, "mask": [[Infinity]]}', "it holds Infinity, which is not JSON"),
    ('{"ref_id": 3, "sentence": 7, "mask": null}', "'sentence' is not text"),
    (b'{"sent_id": "caf\xe9", "mask": null}', "it is not UTF-8 text (byte 16)"),
    ("[" * 100_000, "it is nested too deeply"),
    ('{"sent_id": ' + "9" * 5_000 + ', "mask": null}',
     "it holds a number of more than 4,300 digits"),
], ids=["half", "list", "null", "no mask", "no id", "no sentence", "fraction", "true", "nan",
        "infinity", "sentence", "latin-1", "deep", "digits"])
def test_a_bad_line_is_listed_and_the_rest_is_kept(line, said, tmp_path):
    content = line if isinstance(line, bytes) else line.encode()
    run = load(tmp_path, GOOD.encode() + content + b"\n\n" + b'{"sent_id": 103, "mask": null}\n')
    of_no_use = "INVALID" if content == b'{"sent_id": 102}' else "MISSING"  # it names its example
    assert [Status(s).name for s in run.status] == ["SCORED", of_no_use, "SCORED"]
    assert [(p.code, p.severity, p.where) for p in run.problems
            if p.code == "bad-record"] == [("bad-record", "error", "run.jsonl, line 2")]
    assert run.problems[0].message.startswith(f"The line was left out: {said}")


@pytest.mark.parametrize("score", ["0.5", "1" + "0" * 400, "1e999", "null", '"high"'])
def test_the_score_is_optional_and_spoils_nothing(score, tmp_path):
    run = load(tmp_path, f'{{"sent_id": 101, "mask": null, "score": {score}}}\n')
    assert Status(run.status[0]) == Status.SCORED


@pytest.mark.parametrize("rest", [
    pytest.param('{"sent_id": 102, "mas', id="in a key"),
    pytest.param('{"sent_id": 102, "mask": {"size": [3, 6', id="in a mask"),
    pytest.param('{"sent_id": 102, "sentence": "é'.encode()[:-1], id="inside a letter"),
])
def test_a_cut_off_file_is_an_error_that_names_the_line(rest, tmp_path):
    content = GOOD.encode() * 2 + (rest if isinstance(rest, bytes) else rest.encode())
    text = r"run\.jsonl: is cut off in line 3\. The 2 lines before it are whole: write the file"
    with pytest.raises(FormatError, match=text):
        load(tmp_path, content)


def test_a_last_line_without_its_end_is_whole(tmp_path):
    assert load(tmp_path, GOOD.rstrip("\n")).problems == ()


@pytest.mark.parametrize(("content", "said"), [
    ("", r"holds no prediction \(the file is empty\)\. Expected lines such as \{\"sent_id\""),
    ("\n\n", r"holds no prediction \(the file is empty\)"),
    ('{"a": 1}\n', r"holds no prediction \(line 1: it names no example"),
    ("no JSON at all\n", r"holds no prediction \(line 1: it is not a complete JSON object"),
    ("{\n", r"holds no prediction \(line 1: it is not a complete JSON object"),
], ids=["empty", "blank", "other objects", "text", "half"])
def test_a_file_without_predictions(content, said, tmp_path):
    with pytest.raises(FormatError, match=said):
        load(tmp_path, content)


@pytest.mark.parametrize("content", [
    pytest.param(b"\xef\xbb\xbf" + GOOD.encode(), id="byte-order mark"),
    pytest.param(GOOD.encode().replace(b"\n", b"\r\n"), id="windows line ends"),
    pytest.param(b"\n  \n" + GOOD.encode(), id="blank lines"),
])
def test_what_editors_add_does_no_harm(content, tmp_path):
    assert load(tmp_path, content).problems == ()


def test_half_characters_are_listed_not_fatal(tmp_path):
    run = load(tmp_path, GOOD + '{"sent_id": "\\ud800", "mask": null}\n')
    assert run.problems[0].message == "No example has sent_id \\ud800."


def test_nothing_there(tmp_path):
    with pytest.raises(UsageError, match=r"no predictions at .*absent\.jsonl: no such file"):
        load_run(SCENE, tmp_path / "absent.jsonl", name="model")


@pytest.mark.parametrize("content", [b"[{}]", b"\x89PNG\r\n", b"", b"plain text"])
def test_another_kind_of_file_lists_what_is_known(content, tmp_path):
    with pytest.raises(FormatError, match=r"not a known file of predictions\. Known: CRIS pict"):
        load(tmp_path, content, name="run.bin")


def test_a_file_of_another_kind_under_the_name_of_json_lines(tmp_path):
    with pytest.raises(FormatError, match=r"holds no prediction \(line 1: it is not UTF-8 text"):
        load(tmp_path, b"\x89PNG\r\n\x1a\n", name="run.jsonl")


def test_a_folder_under_the_name_of_a_file(tmp_path):
    (tmp_path / "run.jsonl").mkdir()
    with pytest.raises(FormatError, match=r"run\.jsonl: an empty folder, which is not a known"):
        load_run(SCENE, tmp_path / "run.jsonl", name="model")


def test_a_broken_record_that_names_its_example_is_invalid_not_missing(tmp_path):
    import json

    from inspector.core.run import Status
    from inspector.formats.request import LoadRequest
    from inspector.workspace import open_workspace

    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps({"sent_id": 101}) + "\n" + json.dumps({"sent_id": 102, "mask": None})
                    + "\n")
    scores = open_workspace(LoadRequest("demo"), [f"m={path}"]).scores[0]
    index = scores.dataset.index_of["101"]
    assert scores.status[index] == Status.INVALID
    assert "it has no 'mask'" in scores.run.reasons[index]
    assert scores.coverage.invalid == 1
