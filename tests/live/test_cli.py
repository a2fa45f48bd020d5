"""--model on the command line: what is wrong with it ends the start, in one line."""

from __future__ import annotations

import psutil
import pytest

from inspector.cli import main


@pytest.mark.parametrize(("options", "said"), [
    (["--model", "absent_module:f"], "error: The model 'absent_module:f' cannot be imported: there "
     "is no module 'absent_module' in the current folder or among the installed packages.\n"),
    (["--model", "broken:f"], "error: The model 'broken:f' cannot be imported: ZeroDivisionError: "
     "division by zero (broken.py, line 2).\n"),
    (["--model", "http://host.example/x"], "error: 'http://host.example/x' is not encrypted, and "
     "pictures would travel for all to read. Write https://…, or bring the port here with ssh -L "
     "and write http://localhost:PORT.\n"),
    (["--model", "demo", "--model-timeout", "-3"], "error: --model-timeout -3 is no time for an "
     "answer. Write seconds above 0, up to 86,400.\n"),
    (["--model", "demo", "--model-timeout", "soon"], "error: argument --model-timeout: invalid "
     "float value: 'soon'. See python -m inspector open --help.\n"),
    (["/no/such/data", "--model", "demo"], "error: "),  # that of the data
])
def test_what_ends_the_start(options, said, capsys, tmp_path, monkeypatch):
    (tmp_path / "broken.py").write_text("\n1 / 0\n")
    monkeypatch.chdir(tmp_path)
    assert main(["open", "--no-browser", *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "/no/such/data" in err if said == "error: " else err == said
    assert not psutil.Process().children()
