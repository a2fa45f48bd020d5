from __future__ import annotations

import pytest

from inspector.core.problems import PROBLEM_CODES, Problem, ProblemLog


def test_problems_are_kept_in_order():
    log = ProblemLog()
    log.add("missing-picture", "error", "picture 7", "7.jpg was not found.")
    log.add("no-sentences", "warning", "ref 3", "The ref has no sentence.")
    assert log.close() == (
        Problem("missing-picture", "error", "picture 7", "7.jpg was not found."),
        Problem("no-sentences", "warning", "ref 3", "The ref has no sentence."),
    )


def test_a_clean_log_is_empty():
    assert ProblemLog().close() == ()


def test_many_of_a_kind_are_listed_first_and_then_counted():
    log = ProblemLog()
    for number in range(1500):
        log.add("missing-picture", "error", f"picture {number}", "It was not found.")
    log.add("missing-picture", "info", "picture x", "Another severity counts by itself.")
    problems = log.close()
    assert len(problems) == 202
    assert problems[199].where == "picture 199"
    assert problems[-1].message == "1,300 more of the same kind."
    assert sum(problem.count for problem in problems) == 1501  # nothing is lost


def test_exactly_as_many_as_are_listed():
    log = ProblemLog()
    for number in range(200):
        log.add("bad-record", "error", f"record {number}", "It was left out.")
    assert len(log.close()) == 200


def test_an_unknown_code_is_refused():
    with pytest.raises(KeyError, match="problem code 'mising-picture' is not in PROBLEM_CODES"):
        ProblemLog().add("mising-picture", "error", "", "")


def test_to_json_has_the_keys_of_the_contract():
    assert Problem("bad-record", "error", "line 12", "It was left out.", 3).to_json() == {
        "code": "bad-record", "severity": "error", "count": 3, "where": "line 12",
        "message": "It was left out.",
    }


@pytest.mark.parametrize("code", PROBLEM_CODES)
def test_every_code_is_explained_in_a_sentence(code):
    assert code == code.lower().replace(" ", "-")
    assert PROBLEM_CODES[code].endswith(".")
