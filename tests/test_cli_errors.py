"""Whatever is wrong becomes one line on standard error and the status 2, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.cli import main
from inspector.ui.listening import listen
from tests.conftest import REPOSITORY

LONG = "x" * 5000
GOOD = '{"sent_id": "101", "mask": null}\n'


def one_error(capsys, arguments: list[str]) -> str:
    """Run a command that must fail, and give what it says."""
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ") and err.endswith("\n") and err.count("\n") == 1
    assert "Traceback" not in err
    return err.removeprefix("error: ").rstrip("\n")


@pytest.mark.parametrize(("arguments", "said"), [
    pytest.param([], "the following arguments are required: COMMAND", id="no command"),
    pytest.param(["scroe"], "invalid choice: 'scroe'", id="another command"),
    pytest.param(["score"], "the following arguments are required: DATASET", id="no data set"),
    pytest.param(["score", "demo", "--colour"], "unrecognized arguments: --colour", id="option"),
    pytest.param(["score", "demo", "--run"], "argument --run: expected one argument", id="no run"),
    pytest.param(["score", "demo", "--missing", "none"], "invalid choice: 'none'", id="rule"),
    pytest.param(["open", "--port", "many"], "argument --port: invalid int value", id="port"),
    pytest.param(["score", "nowhere"], "There is no data set 'nowhere'. Give", id="data set"),
    pytest.param(["score", ""], "is in none of the known formats", id="empty data set"),
    pytest.param(["score", LONG], "cannot be used as a path (File name too long).", id="long"),
    pytest.param(["score", "a\0b"], "'a\\x00b' cannot be used as a path", id="zero byte"),
    pytest.param(["score", "~nobody-of-that-name"], "cannot be used as a path", id="no home"),
    pytest.param(["score", ".", "--format", "coco"], "No format 'coco'. Choose one of:",
                 id="format"),
    pytest.param(["score", "demo", "--split", "tset"], "No split 'tset'.", id="split"),
    pytest.param(["score", "demo", "--split", ""], "No split ''.", id="empty split"),
    pytest.param(["score", "demo", "--images", "nowhere"], "nowhere: is not a folder", id="images"),
    pytest.param(["score", "demo", "--images", LONG], "cannot be used as a path", id="long images"),
    pytest.param(["score", "demo", "--run", "no.jsonl"],
                 "There are no predictions at no.jsonl: no such file or folder.", id="run"),
    pytest.param(["score", "demo", "--run", LONG], "cannot be used as a path", id="long run"),
    pytest.param(["score", "demo", "--run", "~nobody-of-that-name/x"], "cannot be used", id="home"),
    pytest.param(["score", "demo", "--run", "a\0b"], "'a\\x00b' cannot be used", id="zero run"),
    pytest.param(["score", "demo", "--run", "base="], "--run base= names no file.",
                 id="name without path"),
    pytest.param(["check", "nowhere"], "There is no data set 'nowhere'.", id="check"),
    pytest.param(["score", "demo", "--json", "-", "--csv", "-"],
                 "Only one of --json and --csv can write to standard output.", id="two outputs"),
])
def test_arguments(arguments, said, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert said in one_error(capsys, arguments)


@pytest.mark.parametrize(("content", "said"), [
    pytest.param(b"", "is not a known file of predictions", id="empty"),
    pytest.param(b"\x80\x04]q\x00.", "is a pickle or a torch file", id="pickle"),
    pytest.param(b'{"inspector": "dataset", "version": 1}\n', "holds no prediction", id="data set"),
    pytest.param(GOOD.encode() + b'{"sent_id": 1', "is cut off in line 2.", id="cut off"),
    pytest.param(b'{"sent_id": 7, "mask": null}\n', "none of its 1 predictions", id="other"),
])
def test_predictions(content, said, capsys, tmp_path):
    path = tmp_path / "run"
    path.write_bytes(content)
    assert said in one_error(capsys, ["score", "demo", "--run", str(path)])


def test_a_data_set_without_run_has_nothing_to_score(capsys, tmp_path):
    path = tmp_path / "scene.jsonl"
    path.write_text(
        '{"inspector": "dataset", "version": 1}\n'
        '{"image": {"id": 1, "size": [1, 2]}, "objects": [], '
        '"expressions": [{"sent_id": 1, "sentence": "none", "targets": []}]}\n'
    )
    said = one_error(capsys, ["score", str(path)])
    assert said == "There is nothing to score. Add --run [NAME=]PATH."


class TestWriting:
    @pytest.mark.parametrize("kind", ["json", "csv", "parquet"])
    @pytest.mark.parametrize(("target", "said"), [
        pytest.param("absent/out", "cannot be written: there is no folder", id="no folder"),
        pytest.param(".", "cannot be written: it is a folder.", id="this folder"),
        pytest.param("/", "cannot be written: it is a folder.", id="root"),
        pytest.param("folder", "cannot be written: it is a folder.", id="folder"),
        pytest.param("file/out", "cannot be written", id="below a file"),
        pytest.param("a\0b", "cannot be used as a path (embedded null byte).", id="zero byte"),
        pytest.param(LONG, "cannot be used as a path (File name too long).", id="long"),
    ])
    def test_what_cannot_be_written_leaves_nothing(
        self, kind, target, said, capsys, tmp_path, monkeypatch
    ):
        monkeypatch.chdir(tmp_path)
        Path("folder").mkdir()
        Path("file").touch()
        assert said in one_error(capsys, ["score", "demo", f"--{kind}", target])
        assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "folder"]

    def test_a_full_disk_leaves_the_old_file(self, tmp_path):
        resource = pytest.importorskip("resource")
        target = tmp_path / "out.csv"
        target.write_text("old")
        done = subprocess.run(
            [sys.executable, "-m", "inspector", "score", "demo", "--csv", str(target)],
            capture_output=True, text=True, cwd=REPOSITORY, check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)),
        )
        assert done.returncode == 2
        assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1
        assert "cannot be written" in done.stderr
        assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]
        assert target.read_text() == "old"


def python(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, cwd=REPOSITORY, check=False,
        encoding="utf-8", **options,
    )


def test_the_program_itself_ends_with_the_status():
    done = python("-m", "inspector", "score", "nowhere")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: There is no data set 'nowhere'.")


def test_a_terminal_that_knows_only_ascii_is_no_reason_to_stop(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text(
        GOOD + json.dumps({"ref_id": 1, "sentence": "café", "mask": None}) + "\n", encoding="utf-8"
    )
    options = {"env": os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}}
    done = python("-m", "inspector", "check", "demo", "--run", str(path), **options)
    assert (done.returncode, done.stderr) == (0, "")
    assert "caf\\xe9" in done.stdout
    done = python("-m", "inspector", "score", "demo", "--run", str(path), "--json", "-", **options)
    assert "café" in json.loads(done.stdout)["problems"][0]["message"]  # JSON is always UTF-8


def test_half_characters_in_predictions_can_be_printed_and_written(tmp_path, capsys):
    path = tmp_path / "\udcff.jsonl"
    path.write_text(GOOD + '{"sent_id": "\\ud800", "mask": null}\n')
    outputs = ["--json", str(tmp_path / "out.json"), "--csv", str(tmp_path / "out.csv")]
    assert main(["score", "demo", "--run", str(path), *outputs]) == 0
    assert "\\udcff.jsonl, line 2: No example has sent_id \\ud800." in capsys.readouterr().out
    assert json.loads((tmp_path / "out.json").read_bytes())["runs"][0]["name"] == "\\udcff"


@pytest.mark.parametrize(("word_list", "said"), [
    pytest.param("none.txt", "none.txt: No such file or directory. Check the path.", id="absent"),
    pytest.param(".", ".: Is a directory. Name a file.", id="folder"),
    pytest.param("file/none", "file/none: Not a directory. Check the path.", id="below a file"),
])
def test_what_the_system_refuses_comes_with_what_to_do(
    word_list, said, capsys, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    assert one_error(capsys, ["open", "demo", "--care-words", word_list]) == said


BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("options", [[], ["--json", "-"], ["--csv", "-"]], ids=str)
def test_output_that_cannot_be_written_is_an_error(options):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "inspector", "score", "demo", *options],
            cwd=REPOSITORY, env=BUFFERED, stdout=full, stderr=subprocess.PIPE, check=False,
        )
    assert done.returncode == 2
    assert done.stderr == (
        b"error: No space left on device. Make room, or name another place.\n"
    )


@pytest.mark.parametrize("options", [[], ["--json", "-"], ["--csv", "-"]], ids=str)
def test_a_reader_that_has_seen_enough_is_no_error(options):
    command = [sys.executable, "-m", "inspector", "score", "demo", *options]
    with subprocess.Popen(
        command, cwd=REPOSITORY, env=BUFFERED, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as program:
        program.stdout.close()
        said = program.stderr.read()
    assert (program.returncode, said) == (0, b"")


class TestOutputsAndInputs:
    """What is written never takes the place of what is read, nor of a device."""

    def test_a_link_is_followed_and_rights_are_kept(self, tmp_path):
        real, link = tmp_path / "real.json", tmp_path / "link.json"
        real.write_text("old")
        real.chmod(0o600)
        link.symlink_to(real)
        assert main(["score", "demo", "--json", str(link)]) == 0
        assert link.is_symlink()
        assert real.read_text().startswith("{")
        assert real.stat().st_mode & 0o777 == 0o600

    def test_a_pipe_is_written_into(self, tmp_path):
        import os
        import threading

        pipe, got = tmp_path / "pipe", []
        os.mkfifo(pipe)
        reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
        reader.start()
        assert main(["score", "demo", "--json", str(pipe)]) == 0
        reader.join(10)
        assert got[0].startswith("{")
        assert pipe.is_fifo()

    def test_the_predictions_are_not_overwritten(self, tmp_path, capsys):
        from inspector.formats import DEMO_FOLDER

        run = tmp_path / "run.jsonl"
        run.write_bytes((DEMO_FOLDER / "runs" / "words.jsonl").read_bytes())
        before = run.read_bytes()
        assert main(["score", "demo", "--run", str(run), "--json", str(run)]) == 2
        assert "is read by this command" in capsys.readouterr().err
        assert run.read_bytes() == before

    def test_two_outputs_need_two_files(self, tmp_path, capsys):
        path = str(tmp_path / "x")
        assert main(["score", "demo", "--json", path, "--csv", path]) == 2
        assert "is named for two outputs" in capsys.readouterr().err

    def test_an_output_needs_a_name(self, capsys):
        assert main(["score", "demo", "--json", ""]) == 2
        assert "--json names no file" in capsys.readouterr().err

    @pytest.mark.parametrize("command", [["check", "demo"], ["score", "demo", "--json", "-"]])
    def test_a_closed_standard_output_is_said(self, command):
        import subprocess
        import sys

        done = subprocess.run(
            ["/bin/sh", "-c", 'exec "$0" -m inspector "$@" >&-', sys.executable, *command],
            capture_output=True, text=True, check=False,
        )
        assert done.returncode == 2
        assert done.stderr == (
            "error: standard output is closed. Open it, or write to a file.\n"
        )


def test_a_python_without_the_libraries_is_told_which_one_to_use():
    code = ("import sys; sys.modules['pycocotools'] = None; from inspector.cli import main; "
            "sys.exit(main(['score', 'demo']))")
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2
    assert "has no pycocotools. Use .venv/bin/python" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_slip_in_a_folder_s_name_is_not_asked_of_the_hub(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data" / "refcoco").mkdir(parents=True)
    said = one_error(capsys, ["check", "data/refcocoX"])
    assert "There is no data set 'data/refcocoX'. Did you mean 'refcoco'?" in said


@pytest.mark.parametrize(("made", "said"), [
    ([], "an empty folder"),
    ([".hidden"], "an empty folder"),
    (["b", "a"], "a folder of a, b"),
    (list("gfedcba"), "a folder of a, b, c, d, e and 2 more"),
])
def test_what_was_found_instead_is_said(made, said, tmp_path, capsys):
    for name in made:
        (tmp_path / name).touch()
    assert f"is in none of the known formats: it is {said}. " in one_error(
        capsys, ["check", str(tmp_path)]
    )
    assert f"{tmp_path.name}: {said}, which is not a known file of predictions. " in one_error(
        capsys, ["check", "demo", "--run", str(tmp_path)]
    )


def test_a_port_in_use_is_said_before_anything_is_read(capsys):
    with listen("127.0.0.1") as taken:
        port = str(taken.getsockname()[1])
        said = one_error(capsys, ["open", "nowhere", "--port", port])
    assert said.startswith(f"Port {port} of 127.0.0.1 cannot be used")
