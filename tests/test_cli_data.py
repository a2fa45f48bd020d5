"""Options that say which data is meant, from outside."""

from __future__ import annotations

import json
import re

import pytest

from inspector.cli import main
from tests.formats.layouts import write_reasonseg, write_refcocom
from tests.formats.writing import write_refer


@pytest.mark.parametrize(("options", "examples"), [
    ([], 2), (["--texts", "first"], 2), (["--texts", "all"], 3),
])
def test_which_texts_of_reasonseg_are_examples(tmp_path, capsys, options, examples):
    assert main(["check", str(write_reasonseg(tmp_path)), *options]) == 0
    out = capsys.readouterr().out
    assert f"reasonseg, split val: 2 pictures, 2 referents, {examples} examples" in out


def test_a_list_of_objects_ends_the_guess(tmp_path, capsys):
    source = str(write_refcocom(tmp_path))
    ids = tmp_path / "objects.txt"
    ids.write_text("101\n")
    main(["check", source])
    assert "warning: level-guessed" in capsys.readouterr().out
    main(["check", source, "--refs", str(ids)])
    assert "level-guessed" not in capsys.readouterr().out
    assert main(["check", source, "--refs", str(tmp_path / "gone.txt")]) == 2
    assert capsys.readouterr().err.startswith("error: gone.txt: cannot be read")


def test_counts_unlike_the_published_ones_are_a_warning_on_scoring(tmp_path, capsys):
    source = write_refer(tmp_path)
    run = tmp_path / "base.jsonl"
    run.write_text(json.dumps({"sent_id": 0, "mask": None}) + "\n")
    assert main(["score", str(source), "--run", str(run)]) == 0
    out = capsys.readouterr().out
    assert re.search(r"warning: counts-differ: refcoco \(unc\), split val: .* A subset\?", out)


def test_check_ends_well_where_the_data_is_merely_odd(tmp_path, capsys):
    assert main(["check", str(write_refer(tmp_path))]) == 0
    out = capsys.readouterr().out
    assert "info: crowd-region: refcoco: Crowd regions: 1, on 1 of 2 pictures" in out


def test_convert_needs_a_file_to_write(tmp_path, capsys):
    assert main(["convert", str(write_refer(tmp_path))]) == 2
    assert "--out" in capsys.readouterr().err


def test_convert_takes_a_split(tmp_path, capsys):
    source, out = write_refer(tmp_path), tmp_path / "a.jsonl"
    assert main(["convert", str(source), "--out", str(out), "--split", "train"]) == 2
    assert "No split 'train'" in capsys.readouterr().err
    assert not out.exists()
