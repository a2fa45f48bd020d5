"""What routes answer with: JSON that can always be written, file names that every system takes."""

from __future__ import annotations

import json

import pytest

from inspector.server.answers import answer_json, download, file_name


@pytest.mark.parametrize(("parts", "expected"), [
    pytest.param(("findings", "refcoco/unc"), "findings-refcoco-unc.csv", id="a key"),
    pytest.param(("inspector", "toy", "", "two & <b>"), "inspector-toy-two-b.csv", id="empty part"),
    pytest.param(("report", "../../etc/passwd"), "report-etc-passwd.csv", id="folders"),
    pytest.param(("report", "数据"), "report.csv", id="no plain letter"),
    pytest.param(("x" * 90, 'a"\r\nb'), "x" * 60 + "-a-b.csv", id="long, and ends of lines"),
])
def test_file_names_are_plain(parts, expected):
    assert file_name(*parts, suffix="csv") == expected
    assert download(expected)["content-disposition"] == f'attachment; filename="{expected}"'


def test_half_characters_do_not_stop_an_answer():
    answer = answer_json({"name": "café \ud800"}, 400)
    assert (answer.status_code, json.loads(answer.body)) == (400, {"name": "café ?"})
    assert answer.headers["cache-control"] == "no-store"
