"""Which prediction belongs to which example: each rule of the contract.

A mask of k pixels is told from the others by its area.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.core.dataset import Dataset
from inspector.core.errors import FormatError
from inspector.core.mask import Mask
from inspector.core.problems import ProblemLog
from inspector.core.run import Run, Status
from inspector.predictions import align as ladder
from inspector.predictions.index import ExampleIndex
from inspector.predictions.records import PredictionRecord
from tests.building import Picture, Said, Thing, make_dataset, make_run
from tests.drawing import draw
from tests.predictions.scene import PREDICTED, load, save_json

CUP, DOG, DOGS = draw("##......"), draw("....##.."), draw("......##")

SCENE = make_dataset(
    Picture("1", (1, 8), (Thing("11", "cup", CUP), Thing("12", "dog", DOG)), (
        Said("101", "left cup", ("11",), ref_id="21"),
        Said("102", "a small , tan bowl", ("11",), ref_id="21", raw="Small tan bowl; left."),
        Said("103", "the dog", ("12",), ref_id="22"),
    )),
    Picture("2", (1, 8), (Thing("13", "dog", DOGS),), (
        Said("104", "the dog", ("13",), ref_id="23"),
    )),
    Picture("3", (1, 8), (Thing("14", "cup", CUP),), (
        Said("", "first", ("14",), sample_id="s9"), Said("", "second", ("14",), sample_id="s9"),
    )),
)


def mask(pixels: int) -> Mask:
    return draw("#" * pixels + "." * (8 - pixels))


def line(pixels: int, **keys) -> dict:
    return keys | {"mask": mask(pixels)}


def taken(dataset: Dataset, run: Run) -> dict[str, object]:
    """Give the pixels that each example took, or what became of it."""
    return {
        dataset.expressions.ids[index]: int(run.masks.areas[run.rows[index]])
        if status == Status.SCORED else Status(status).name.lower()
        for index, status in enumerate(run.status.tolist())
        if status != Status.MISSING
    }


def align(dataset: Dataset, *lines: dict) -> tuple[dict[str, object], Run]:
    run = make_run(dataset, lines)
    return taken(dataset, run), run


def codes(run: Run) -> list[str]:
    return [problem.code for problem in run.problems]


@pytest.mark.parametrize(("keys", "example"), [
    pytest.param({"example_id": "103"}, "103", id="example_id"),
    pytest.param({"example_id": "s9:1"}, "s9:1", id="example_id of a sample"),
    pytest.param({"sent_id": 103}, "103", id="sent_id"),
    pytest.param({"sent_id": "103.0"}, "103", id="sent_id as text of a float"),
    pytest.param({"sent_id": 103.0}, "103", id="sent_id as float"),
    pytest.param({"ref_id": 22, "sentence": "the dog"}, "103", id="ref_id"),
    pytest.param({"ref_id": 22.0, "sentence": "the dog"}, "103", id="ref_id as float"),
    pytest.param({"ann_id": 13, "sentence": "the dog"}, "104", id="ann_id"),
    pytest.param({"sample_id": "s9", "sentence": "second"}, "s9:1", id="sample_id"),
    pytest.param({"image_id": 2, "sentence": "the dog"}, "104", id="image_id"),
    pytest.param({"image_id": "2.0", "sentence": "the dog"}, "104", id="image_id as text"),
])
def test_each_kind_of_key(keys, example):
    assert align(SCENE, line(5, **keys))[0] == {example: 5}


@pytest.mark.parametrize(("sentence", "example"), [
    pytest.param("LEFT  Cup", "101", id="case and spaces"),
    pytest.param("left cup.", "101", id="closing punctuation"),
    pytest.param("a small, tan bowl", "102", id="space before punctuation"),
    pytest.param("small tan bowl; LEFT", "102", id="raw in place of sent"),
])
def test_a_sentence_matches_sent_or_raw_after_normalising(sentence, example):
    assert align(SCENE, line(5, ref_id="21", sentence=sentence))[0] == {example: 5}


def test_the_more_precise_key_counts():
    assert align(SCENE, line(5, sent_id=104, ref_id=22, sentence="the dog"))[0] == {"104": 5}
    assert align(SCENE, line(5, ref_id=22, ann_id=13, sentence="the dog"))[0] == {"103": 5}


def test_a_key_of_another_picture_does_not_fit_and_the_next_is_asked():
    # ref_ids are unique inside one split-by only: 22 is of picture 1 here
    found, run = align(SCENE, line(5, ref_id=22, image_id=2, sentence="the dog"))
    assert found == {"104": 5}
    assert run.alignment == ("1 by image_id + sentence",)


def test_ways_of_matching_are_counted_in_words():
    _, run = align(
        SCENE, line(1, sent_id=101), line(2, sent_id=102), line(3, ref_id=22, sentence="the dog")
    )
    assert run.alignment == ("2 by sent_id", "1 by ref_id + sentence")


class TestDuplicates:
    def test_the_first_counts_and_the_rest_is_listed(self):
        found, run = align(SCENE, line(1, sent_id=101), line(2, sent_id=101), line(3, sent_id=101))
        assert found == {"101": 1}
        assert run.duplicate == 2
        assert codes(run) == ["duplicate-prediction"] * 2
        assert run.problems[0].where == "run.jsonl, line 2"
        assert run.problems[0].message == (
            "This example already has a prediction (found by sent_id); the first one counts."
        )

    def test_also_under_another_key(self):
        found, run = align(
            SCENE, line(1, sent_id=101), line(2, ref_id=21, sentence="left cup")
        )
        assert (found, run.duplicate) == ({"101": 1}, 1)

    def test_an_exact_id_wins_over_a_sentence_that_comes_before(self):
        found, run = align(
            SCENE, line(2, ref_id=21, sentence="left cup"), line(1, sent_id=101)
        )
        assert (found, run.duplicate) == ({"101": 1}, 1)


class TestUnmatched:
    @pytest.mark.parametrize(("keys", "said"), [
        ({"sent_id": 999}, "No example has sent_id 999."),
        ({"example_id": "s9:7"}, "No example has example_id s9:7."),
        ({"ref_id": 22, "sentence": "a cat"},
         "No example has ref_id 22 and the sentence 'a cat'."),
        ({"ref_id": 99, "sentence": "the dog"},
         "No example has ref_id 99 and the sentence 'the dog'."),
    ], ids=["sent_id", "example_id", "sentence", "ref_id"])
    def test_it_is_listed(self, keys, said):
        found, run = align(SCENE, line(1, sent_id=101), line(5, **keys))
        assert found == {"101": 1}
        assert run.unmatched == 1
        assert [(p.code, p.severity, p.message) for p in run.problems] == [
            ("unmatched-prediction", "warning", said)
        ]

    def test_a_sent_id_of_another_picture_is_not_taken(self):
        found, run = align(
            SCENE, line(1, sent_id=101, image_id=1), line(2, sent_id=103, image_id=2)
        )
        assert found == {"101": 1}
        assert run.problems[0].message == (
            "No example has sent_id 103 of picture 2 (here it is of picture 1)."
        )

    def test_a_picture_named_in_another_way_is_no_contradiction(self):
        keys = {"sent_id": 101, "image_id": "COCO_train2014_000000000001.jpg"}
        assert align(SCENE, line(1, **keys))[0] == {"101": 1}

    def test_where_nothing_matches_both_ids_are_named(self):
        text = (r"none of its 2 predictions belongs to an example of toy \(split val\): the first "
                r"names sent_id 7, the first example here is 101\. Check --split and --split-by")
        with pytest.raises(FormatError, match=text):
            align(SCENE, line(1, sent_id=7), line(1, sent_id=8))


REPEATED = make_dataset(Picture("1", (1, 8), (Thing("11", "cup", CUP),), (
    Said("101", "cup", ("11",), ref_id="21"), Said("102", "left one", ("11",), ref_id="21"),
    Said("103", "Cup.", ("11",), ref_id="21"), Said("104", "cup ", ("11",), ref_id="21"),
)))


class TestOneReferentHasTheSentenceThreeTimes:
    KEYS = {"ref_id": 21, "sentence": "cup"}

    def test_three_predictions_are_taken_in_order(self):
        found, run = align(REPEATED, *(line(k, **self.KEYS) for k in (1, 2, 3)))
        assert found == {"101": 1, "103": 2, "104": 3}
        assert run.alignment == ("3 by ref_id + sentence, in order",)
        assert codes(run) == []

    def test_one_prediction_serves_all_and_the_coverage_says_so(self):
        found, run = align(REPEATED, line(5, **self.KEYS))
        assert found == {"101": 5, "103": 5, "104": 5}
        assert run.alignment == ("3 by ref_id + sentence, one for repeats",)

    @pytest.mark.parametrize("count", [2, 4])
    def test_any_other_number_cannot_be_told_apart(self, count):
        found, run = align(
            REPEATED, line(7, sent_id=102), *(line(k, **self.KEYS) for k in range(1, count + 1))
        )
        assert found == {"101": "invalid", "102": 7, "103": "invalid", "104": "invalid"}
        assert codes(run) == ["ambiguous-key"] * 3
        assert run.reasons[0] == (
            f"{count} predictions fit 3 examples with ref_id 21 and the sentence 'cup': "
            "which belongs to which cannot be told."
        )

    def test_an_example_that_is_named_exactly_keeps_its_prediction(self):
        found, _ = align(
            REPEATED, line(1, **self.KEYS), line(2, **self.KEYS), line(7, sent_id=103)
        )
        assert found == {"101": "invalid", "103": 7, "104": "invalid"}

    def test_the_one_that_serves_all_is_no_duplicate_of_the_one_named_exactly(self):
        found, run = align(REPEATED, line(5, **self.KEYS), line(7, sent_id=103))
        assert found == {"101": 5, "103": 7, "104": 5}
        assert run.duplicate == 0

    def test_where_all_are_named_exactly_the_rest_is_duplicate(self):
        exact = [line(7, sent_id=sent_id) for sent_id in (101, 103, 104)]
        found, run = align(REPEATED, *exact, line(1, **self.KEYS), line(2, **self.KEYS))
        assert found == {"101": 7, "103": 7, "104": 7}
        assert run.duplicate == 2


SHARED = make_dataset(Picture(
    "1", (1, 8), (Thing("11", "cup", CUP), Thing("12", "cup", DOG)), (
        Said("101", "cup", ("11",), ref_id="21"), Said("102", "cup", ("12",), ref_id="22"),
        Said("103", "left cup", ("11",), ref_id="21"),
    ),
))


class TestTwoReferentsShareASentence:
    KEYS = {"image_id": 1, "sentence": "cup"}

    def test_the_referent_tells_them_apart(self):
        found, run = align(
            SHARED, line(2, ref_id=22, sentence="cup"), line(1, ann_id=11, sentence="cup")
        )
        assert (found, codes(run)) == ({"101": 1, "102": 2}, [])

    def test_as_many_predictions_are_taken_in_order_with_a_warning(self):
        found, run = align(SHARED, line(1, **self.KEYS), line(2, **self.KEYS))
        assert found == {"101": 1, "102": 2}
        assert [(p.code, p.severity) for p in run.problems] == [("shared-key", "warning")]
        assert run.problems[0].message == (
            "2 referents share image_id 1 and the sentence 'cup'; predictions were taken in order."
        )

    @pytest.mark.parametrize("count", [1, 3])
    def test_any_other_number_is_invalid(self, count):
        found, run = align(SHARED, *(line(k + 1, **self.KEYS) for k in range(count)))
        assert found == {"101": "invalid", "102": "invalid"}
        assert codes(run) == ["ambiguous-key"] * 2
        assert {p.severity for p in run.problems} == {"error"}


    @pytest.mark.parametrize("first", [0, 1], ids=["precise first", "precise last"])
    def test_the_more_precise_key_is_taken_first_wherever_it_stands(self, first):
        lines = [line(7, ann_id=11, sentence="cup"), line(1, **self.KEYS), line(2, **self.KEYS)]
        found, run = align(SHARED, *lines[first:], *lines[:first])
        assert found == {"101": 7, "102": 2}
        assert run.duplicate == 1


def test_what_one_key_cannot_tell_another_may():
    keys = {"ref_id": 21, "sentence": "cup"}
    found, run = align(
        REPEATED, line(1, **keys), line(2, **keys), line(5, image_id=1, sentence="cup")
    )
    assert found == {"101": 5, "103": 5, "104": 5}
    assert run.reasons == {}


ALL_LINES = [
    line(1, sent_id=101), line(2, ref_id=21, sentence="A small, tan bowl."),
    line(3, image_id=1, sentence="the dog"), line(4, ann_id=13, sentence="The dog"),
    line(5, sample_id="s9", sentence="first"), line(6, example_id="s9:1"), line(7, sent_id=999),
]


@settings(max_examples=30, deadline=None, derandomize=True)
@given(lines=st.permutations(ALL_LINES))
def test_the_order_of_the_lines_does_not_matter(lines):
    found, run = align(SCENE, *lines)
    assert found == {"101": 1, "102": 2, "103": 3, "104": 4, "s9:0": 5, "s9:1": 6}
    assert (run.duplicate, run.unmatched) == (0, 1)


def record(sentence: str = "", *, occurrence: int | None = None, truth: bytes | None = None,
           **ids: str) -> PredictionRecord:
    return PredictionRecord("here", ids, sentence, occurrence=occurrence, truth=truth)


def meant(one: PredictionRecord, dataset: Dataset = SCENE) -> tuple[str, list[str]] | str:
    """Say by which way a record means which examples, or what does not fit."""
    claim = ladder.claim_of(ExampleIndex(dataset), one)
    if isinstance(claim, str):
        return claim
    return claim.way, [dataset.expressions.ids[example] for example in claim.examples]


def shared_out(dataset: Dataset, *records: PredictionRecord) -> tuple[dict[str, int], list[str]]:
    """Give the place of the record that each example takes, and the problems."""
    log = ProblemLog()
    found = ladder.align(dataset, records, log)
    ids = dataset.expressions.ids
    return {ids[e]: row for e, row in sorted(found.record_of.items())}, [
        problem.code for problem in log.close()]


class TestRungs:
    """Each rung of the ladder against the next, by two keys that disagree."""

    def test_example_id_before_sent_id(self):
        assert meant(record(sent_id="102", example_id="101")) == ("example_id", ["101"])

    def test_a_sentence_as_it_is_written_before_its_letters_alone(self):
        letters = record("leftcup", ref_id="21")
        assert meant(letters) == ("ref_id + sentence by letters", ["101"])
        assert shared_out(SCENE, letters, record("left cup", image_id="1"))[0] == {"101": 1}

    def test_a_key_with_a_sentence_before_one_without(self):
        records = record(ref_id="21"), record("left cup", image_id="1")
        assert shared_out(SCENE, *records)[0] == {"101": 1, "102": 0}

    def test_an_id_of_unknown_kind_counts_only_where_picture_or_sentence_agree(self):
        assert meant(record(id="103")) == "no key at all"
        assert meant(record("the dog", id="103")) == ("id as example_id", ["103"])
        assert meant(record("left cup", id="103")) == "no key at all"

    def test_a_picture_of_unknown_name_contradicts_nothing(self):
        assert meant(record(sent_id="103", image_id="elsewhere")) == ("sent_id", ["103"])
        assert meant(record(sent_id="103", image_id="2")) == (
            "sent_id 103 of picture 2 (here it is of picture 1)")

    def test_the_number_of_a_sentence_is_counted_among_all_of_its_referent(self):
        second = "a small , tan bowl"
        assert meant(record(second, ref_id="21", occurrence=1))[1] == ["102"]
        assert meant(record(second, ref_id="21", occurrence=0)) == (
            f"ref_id 21 and the sentence '{second}'")

    def test_a_picture_has_no_number_of_a_sentence(self):
        assert meant(record(image_id="1", occurrence=0)) == ("image_id", ["101", "102", "103"])

    @pytest.mark.parametrize(("asked", "said"), [
        pytest.param(record(example_id="998", sent_id="999"), "example_id 998", id="ids"),
        pytest.param(record(example_id="998", sent_id="103", image_id="2"), "example_id 998",
                     id="id, then picture"),
        pytest.param(record("cat", sent_id="999", ref_id="99"), "sent_id 999", id="id, then key"),
        pytest.param(record("cat", ref_id="99", ann_id="98"), "ref_id 99 and the sentence 'cat'",
                     id="keys"),
        pytest.param(record("cat", ref_id="99", truth=b"0"), "ref_id 99 and the sentence 'cat'",
                     id="key, then truth"),
    ])
    def test_what_is_said_is_the_first_thing_that_does_not_fit(self, asked, said):
        assert meant(asked) == said


class TestWithoutASentence:
    def test_the_ground_truth_in_the_file_says_nothing_of_sentences(self):
        """One prediction for the four sentences of the cup serves all, and that is told."""
        found = shared_out(REPEATED, record(truth=CUP.counts))
        assert found == ({"101": 0, "102": 0, "103": 0, "104": 0}, ["shared-key"])

    def test_one_serves_all_sentences_only_if_no_other_key_has_two(self):
        once, other = record(ref_id="21"), record(ref_id="22")
        assert shared_out(SCENE, once, other) == (
            {"101": 0, "102": 0, "103": 1}, ["shared-key"])
        found, problems = shared_out(SCENE, once, other, other)
        assert found == {"103": 1}
        assert sorted(set(problems)) == ["ambiguous-key", "duplicate-prediction"]


def test_ids_of_examples_under_another_key_are_named(tmp_path):
    record = {"id": 29928, "segmentation": PREDICTED["29928"].to_json()}
    path = save_json(tmp_path / "run.json", [record])
    with pytest.raises(FormatError, match="29928 is an example's id here: write it under the key "
                                          "example_id, not id"):
        load(path)
