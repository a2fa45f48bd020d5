"""Runs against each other, sentences of one target, ambiguity and blame."""

from __future__ import annotations

import json

import numpy as np
import pytest

from inspector.analysis.ambiguity import triage
from inspector.analysis.blame import blame_words
from inspector.analysis.outcomes import Outcome, WhoIsRight, agree, outcomes_of, who_is_right
from inspector.analysis.spread import measure_spread
from inspector.cli import main
from inspector.core.protocol import Protocol, apply_protocol
from tests.analysis.simulating import scored_of
from tests.building import Picture, Said, Thing, make_dataset, score
from tests.drawing import draw


def test_ties_have_a_margin():
    first = scored_of(np.array([0.51, 0.52, 0.40, 0.50]))
    second = scored_of(np.array([0.50, 0.50, 0.50, 0.50]))
    expected = [Outcome.TIE, Outcome.WIN, Outcome.LOSS, Outcome.TIE]
    assert outcomes_of(first, second).tolist() == expected


def test_examples_that_do_not_count_are_no_ties():
    there = np.array([True, False])
    first = scored_of(np.ones(2), protocol=Protocol(missing="skip"), predicted=there)
    found = outcomes_of(first, scored_of(np.ones(2)))
    assert found.tolist() == [Outcome.TIE, Outcome.LEFT_OUT]
    assert who_is_right(first, scored_of(np.ones(2))).tolist() == [
        WhoIsRight.BOTH_RIGHT, WhoIsRight.LEFT_OUT]


def test_right_and_wrong():
    first, second = np.array([0.5, 0.5, 0.4, 0.4]), np.array([0.5, 0.4, 0.5, 0.4])
    assert who_is_right(scored_of(first), scored_of(second)).tolist() == [
        WhoIsRight.BOTH_RIGHT, WhoIsRight.FIRST_ONLY, WhoIsRight.SECOND_ONLY, WhoIsRight.BOTH_WRONG]


def cups(*sentences: str, names: tuple[str, ...] = ("a",)) -> Picture:
    """Two cups in a row of eight pixels; all sentences are about the first."""
    things = [Thing("a", "cup", draw("####....")), Thing("b", "cup", draw("......##"))]
    said = [Said(f"{n}", text, names, "r") for n, text in enumerate(sentences)]
    return Picture("p", (1, 8), things, said)


def test_agreement_needs_no_truth():
    dataset = make_dataset(cups("cup", "left cup", "the cup", "it"))
    first = score(dataset, {"0": draw("##......"), "1": draw("####...."), "2": None})
    second = score(dataset, {"0": draw("####...."), "1": draw("......##"), "2": None,
                             "3": draw("#.......")})
    scored = tuple(apply_protocol(one, Protocol()) for one in (first, second))
    found = agree((first, second), scored)
    assert found.iou[:3].tolist() == [0.5, 0.0, 1.0]
    assert np.isnan(found.iou[3])
    assert (found.mean_iou, found.compared) == (0.5, 3)
    assert (found.both_right, found.first_only, found.both_wrong) == (0.25, 0.25, 0.5)


def test_spread_over_the_sentences_of_a_target():
    dataset = make_dataset(cups("cup", "left cup", "the cup"))
    scores = score(dataset, {"0": draw("##......"), "1": draw("####...."), "2": draw("....##..")})
    found = measure_spread(scores, apply_protocol(scores, Protocol()))
    assert (found.sentences.tolist(), found.scored.tolist()) == ([3], [3])
    assert (found.mean[0], found.range[0]) == (0.5, 1.0)
    assert found.std[0] == pytest.approx((1 / 6) ** 0.5)
    assert found.agreement[0] == pytest.approx((0.5 + 0 + 0) / 3)
    assert (found.best.tolist(), found.worst.tolist()) == ([1], [2])
    assert found.by_example(found.range, 3).tolist() == [1.0, 1.0, 1.0]


def test_targets_with_one_sentence_have_no_spread():
    dataset = make_dataset(cups("cup"))
    scores = score(dataset, {"0": draw("##......")})
    found = measure_spread(scores, apply_protocol(scores, Protocol()))
    assert len(found.referent) == 0
    assert np.isnan(found.by_example(found.range, 1)).all()


def test_a_bare_sentence_among_several_may_be_ambiguous():
    dataset = make_dataset(cups("cup", "left cup", "the cup", "it"))
    masks = {"0": draw("......##"), "1": draw("......##"), "2": draw("####....")}
    found = triage(score(dataset, masks))
    assert found.maybe.tolist() == [True, False, True, True]
    assert found.took_another.tolist() == [True, False, False, False]
    assert found.other.tolist() == [1, -1, -1, -1]


def test_one_object_of_its_kind_is_not_ambiguous():
    things = [Thing("a", "cup", draw("##..")), Thing("b", "dog", draw("..##"))]
    dataset = make_dataset(Picture("p", (1, 4), things, [Said("1", "the cup", ["a"])]))
    assert triage(score(dataset, {"1": draw("##..")})).maybe.tolist() == [False]


def blame_scene(targets: int):
    """Of each target the sentence with "left" fails, the one without does not."""
    pictures, masks = [], {}
    for number in range(targets):
        said = [Said(f"{number}a", "left cup", ["x"], f"r{number}"),
                Said(f"{number}b", "red cup", ["x"], f"r{number}")]
        thing = Thing("x", "cup", draw("##.."))
        pictures.append(Picture(f"{number}", (1, 4), [thing], said))
        masks |= {f"{number}a": draw("..##"), f"{number}b": draw("##..")}
    dataset = make_dataset(*pictures)
    scores = score(dataset, masks)
    return dataset, apply_protocol(scores, Protocol())


def test_words_that_go_with_failure_within_a_target():
    # "left" fails in 10 of 10 targets where chance is one half each: p = 2 / 2**10.
    words = {blame.word: blame for blame in blame_words(*blame_scene(10))}
    assert set(words) == {"left", "red"}  # "cup" stands in all sentences and tells nothing
    left = words["left"]
    assert (left.targets, left.sentences, left.failing, left.expected) == (10, 10, 10, 5.0)
    assert left.p == pytest.approx(2 / 2**10)
    assert left.is_found
    assert words["red"].odds_ratio == 0


def test_words_of_few_targets_are_not_tested():
    assert blame_words(*blame_scene(9)) == ()


def test_the_commands_print_and_write(capsys, tmp_path):
    assert main(["slices", "demo", "--by", "position", "length", "--pairs"]) == 0
    out = capsys.readouterr().out
    assert "* q <= 0.05, corrected for all" in out
    assert "Too small to test" in out
    assert main(["compare", "demo", "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [run["name"] for run in found["runs"]] == ["words", "saliency", "box"]
    assert len(found["pairs"]) == 3
    path = tmp_path / "slices.json"
    assert main(["slices", "demo", "--against", "box", "--json", str(path)]) == 0
    written = json.loads(path.read_text(encoding="utf-8"))
    assert [run["name"] for run in written["runs"]] == ["words", "saliency"]
    assert {run["against"] for run in written["runs"]} == {"box"}
    assert main(["slices", "demo", "--against", "bix"]) == 2
    assert "No run 'bix'. Choose one of: words, saliency, box." in capsys.readouterr().err
