"""The command: its file, its options, and what it refuses before anything is read."""

from __future__ import annotations

import pytest

from inspector.cli import main
from inspector.report.found import remarks_of
from tests.report.making import Page


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    status = main(["report", *arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_the_demo_becomes_a_file(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1714566600")
    out = tmp_path / "report.html"
    status, said, _ = run(capsys, "demo", "--out", str(out), "--title", "Cups w/o handles",
                          "--worst", "3")
    assert status == 0
    assert said.startswith(f"Written to {out}: 3 examples, ")
    page = Page(out.read_bytes())
    assert len(page.all("article", class_="example")) == 3
    assert ("python -m inspector report demo --out report.html --title 'Cups w/o handles' "
            "--worst 3") in page.text
    assert str(tmp_path) not in page.text
    first = out.read_bytes()
    assert run(capsys, "demo", "--out", str(out), "--title", "Cups w/o handles", "--worst", "3")[
        0] == 0
    assert out.read_bytes() == first


def test_standard_output_holds_the_page_alone(capfdbinary):
    assert main(["report", "demo", "--out", "-", "--worst", "1"]) == 0
    assert capfdbinary.readouterr().out.startswith(b"<!DOCTYPE html>")


def test_examples_and_filters(tmp_path, capsys):
    out = tmp_path / "r.html"
    assert run(capsys, "demo", "--out", str(out), "--examples", "111,103", "--draw", "box")[0] == 0
    page = Page(out.read_bytes())
    assert "Drawn are the predictions of box. 2 examples chosen by hand" in page.text
    assert run(capsys, "demo", "--out", str(out), "--where", "failure=part", "--where",
               "sort=area", "--layer", "contours")[0] == 0
    page = Page(out.read_bytes())
    assert "largest target first where failure mode is part" in page.text
    assert page.all("html") == [{"lang": "en", "data-layer": "contours"}]


@pytest.mark.parametrize(("arguments", "expected"), [
    pytest.param(["--out", "."], "cannot be written: it is a folder", id="folder"),
    pytest.param(["--out", "r.txt"], "must end in .html", id="ending"),
    pytest.param(["--out", "nowhere/r.html"], "there is no folder nowhere", id="no folder"),
    pytest.param(["--out", "r.html", "--run", "r.html"], "is read by this command", id="input"),
    pytest.param(["--out", "/dev/null"], "must end in .html", id="device"),
    pytest.param(["--out", "r.html", "--tag", "x"], "Add --findings FILE", id="tag alone"),
    pytest.param(["--out", "r.html", "--examples", "1", "--tag", "x"], "Choose one", id="two"),
    pytest.param(["--out", "r.html", "--examples", "1", "--worst", "3"], "does not go with it",
                 id="both"),
    pytest.param(["--out", "r.html", "--examples", "1", "--where", "a=b"], "does not go with it",
                 id="where"),
    pytest.param(["--out", "r.html", "--worst", "-1"], "from 0 to 500", id="worst"),
    pytest.param(["--out", "r.html", "--max-mb", "0"], "is no size", id="size"),
    pytest.param(["--out", "r.html", "--max-mb", "nan"], "is no size", id="no number"),
    pytest.param(["--out", "r.html", "--draw", "boxes"], "No run 'boxes'", id="draw"),
    pytest.param(["--out", "r.html", "--layer", "x"], "No layer 'x'", id="layer"),
    pytest.param(["--out", "r.html", "--findings", "f.sqlite"], "There is no findings file",
                 id="findings"),
    pytest.param(["--out", "r.html", "--max-mb", "0.1"], "Show fewer examples", id="too large"),
])
def test_what_does_not_work_is_one_line(arguments, expected, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(capsys, "demo", *arguments)
    assert status == 2
    assert out == ""
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert expected in err
    assert list(tmp_path.iterdir()) == []


def test_findings_are_read_and_left_alone(tmp_path, capsys, demo_workspace):
    from inspector.findings.log import record
    from inspector.findings.records import Author, Slot, dataset_key
    from inspector.findings.store import open_store

    path = tmp_path / "inspector.findings.sqlite"
    store = open_store(path)
    key = dataset_key(demo_workspace.dataset)
    for slot, value in ((Slot(key, "111", "note"), "Look at the edge."),
                        (Slot(key, "111", "tag", "talk"), "talk"),
                        (Slot(key, "111", "verdict", "words"), "label_wrong")):
        record(store, slot, value, Author("Kim", "tab"))
    assert remarks_of(store, demo_workspace.dataset)["111"].verdicts == {"words": "label_wrong"}
    store.close()
    before = path.read_bytes()
    out = tmp_path / "r.html"
    assert run(capsys, "demo", "--out", str(out), "--findings", str(path), "--tag", "talk")[0] == 0
    text = Page(out.read_bytes()).text
    assert "1 example tagged “talk”." in text
    assert "Look at the edge." in text
    assert "Verdict: label wrong." in text
    assert path.read_bytes() == before


def test_a_reviewed_queue_has_its_section(tmp_path, demo_workspace):
    from inspector.findings import Author, RunEvidence, Slot, dataset_key, open_store, record
    from inspector.findings.queues import draw_queue, keep_queue
    from inspector.report.found import reviews_of
    from tests.report.making import make_page

    store = open_store(tmp_path / "f.sqlite")
    key = dataset_key(demo_workspace.dataset)
    now = RunEvidence(demo_workspace.scores[0], lambda: demo_workspace.scored[0])
    queue = keep_queue(store, draw_queue(now, key, size=10, seed=1))
    assert reviews_of(store, demo_workspace) == ()
    for place in queue.places[:4]:
        index = demo_workspace.dataset.index_of[place.example_id]
        record(store, Slot(key, place.example_id, "verdict", "words"), "label_wrong",
               Author("Kim", "tab"), evidence=now.of(index))
    (review,) = reviews_of(store, demo_workspace)
    store.close()
    failures = int((demo_workspace.scores[0].failure != 3).sum())
    assert review.lines[0].startswith("Review of 10 failures of words, begun 20")
    assert review.lines[1].startswith(
        f"4 of 10 judged, out of {failures} failures among 64 examples."
    )
    assert [row[0] for row in review.rows] == [
        "of the failures: model wrong", "of the failures: label wrong",
        "of the failures: ambiguous", "Share correct at IoU 0.5",
        "Share correct at IoU 0.5, wrong labels counted as correct",
        "Share correct at IoU 0.5, wrong labels and ambiguous sentences left out",
    ]
    assert review.rows[3][1].replace("\xa0", " ") == f"{100 * (64 - failures) / 64:.1f} %"
    page = make_page(demo_workspace, reviews=(review,))
    assert "review" in [found["id"] for found in page.all("section")]
    assert "Drawn proportional by failure mode, seed 1." in page.text


def test_a_file_that_holds_no_findings_is_refused(tmp_path, capsys):
    (tmp_path / "f.sqlite").write_bytes(b"not a database at all, but long enough to be one" * 9)
    status, _, err = run(capsys, "demo", "--out", str(tmp_path / "r.html"), "--findings",
                         str(tmp_path / "f.sqlite"))
    assert status == 2
    assert "f.sqlite cannot be read as findings" in err
