"""Who is who: by ids, by sentences, by masks; what cannot be told is not guessed."""

from __future__ import annotations

import pytest

from inspector.core.dataset import Dataset
from inspector.core.errors import UsageError
from inspector.truths.matching import Match, match_referents
from tests.building import BROKEN, Picture, Said, Thing, make_dataset
from tests.drawing import draw
from tests.truths.pairs import make_pair

LEFT, RIGHT = draw("####......", "####......"), draw("......####", "......####")
LEFT_AGAIN, MIDDLE = draw("###.......", "####......"), draw("...####...", "...####...")


def one_picture(*things: tuple, image_id: str = "1", size_hw: tuple[int, int] = (2, 10)) -> Dataset:
    """A picture of (annotation id, category, mask, sentences, ref id, sample id)."""
    made, said = [], []
    for place, (name, category, mask, words, *ids) in enumerate(things):
        ref, sample = (*ids, "", "")[:2]
        made.append(Thing(name, category, mask))
        said += [
            Said(f"{place}-{number}", text, [name], ref, sample_id=sample)
            for number, text in enumerate(words)
        ]
    return make_dataset(Picture(image_id, size_hw, made, said))


def pairs_of(match: Match) -> dict[str, str]:
    """The matched referents by their annotation ids, or by the place where there is none."""
    return {
        match.referents_a.annotation_ids[a]: match.referents_b.annotation_ids[b]
        for a, b in zip(match.rows_a.tolist(), match.rows_b.tolist(), strict=True)
    }


def found_by(match: Match) -> dict[str, int]:
    return {way: count for way, count in match.by.items() if count}


class TestGenerated:
    @pytest.mark.parametrize("ids", ["kept", "shuffled", "none", "samples"])
    @pytest.mark.parametrize("seed", range(5))
    def test_matching_is_exact(self, ids, seed):
        pair = make_pair(seed, ids=ids, dropped_sentences=0.3)
        match = match_referents(pair.a, pair.b)
        name_a = {row: name for row, name in enumerate(match.referents_a.annotation_ids)}
        words_b = [rows[0] for rows in match.referents_b.examples]
        name_b = {  # sentences of B are numbered after the thing that they truly speak of
            row: pair.b.expressions.sent_ids[example][1:].partition("-")[0]
            for row, example in enumerate(words_b)
        }
        matched = {
            name_a[a]: name_b[b]
            for a, b in zip(match.rows_a.tolist(), match.rows_b.tolist(), strict=True)
        }
        assert matched == {name: name for name in pair.partner}
        assert sorted(name_a[row] for row in match.only_a.tolist()) == sorted(
            set(pair.grown) - set(pair.partner)
        )
        assert len(match.only_b) == len(match.ambiguous_a) == len(match.ambiguous_b) == 0
        assert sum(match.by.values()) == len(pair.partner)
        assert (match.by["ann_id"] > 0) == (ids == "kept")
        assert (match.by["sample_id"] > 0) == (ids == "samples")

    @pytest.mark.parametrize("seed", range(5))
    def test_sentences_are_carried_in_order(self, seed):
        pair = make_pair(seed, ids="none")
        match = match_referents(pair.a, pair.b)
        a, b = pair.a.expressions, pair.b.expressions
        for one, other in zip(match.examples_a.tolist(), match.examples_b.tolist(), strict=True):
            assert a.sent_ids[one][1:] == b.sent_ids[other][1:]
            assert a.sentences[one] == b.sentences[other]
        in_both = {text[1:] for text, words in zip(a.sent_ids, a.sentences, strict=True)} & {
            text[1:] for text, words in zip(b.sent_ids, b.sentences, strict=True)
            if not words.startswith("something else")
        }
        assert len(match.examples_a) == len(in_both)


class TestIds:
    def test_ids_need_the_same_box(self):
        a = one_picture(("1", "cup", LEFT, ["a"], "7"), ("2", "cup", RIGHT, ["b"], "8"))
        b = one_picture(("2", "cup", LEFT, ["a"], "8"), ("1", "cup", RIGHT, ["b"], "7"))
        match = match_referents(a, b)
        assert pairs_of(match) == {"1": "2", "2": "1"}
        assert found_by(match) == {"sentences": 2}
        assert match.notes[0] == (
            "annotation ids of A and annotation ids of B were not used: picture and box agree for "
            "0 of the 2 that are equal"
        )
        assert [problem.code for problem in match.problems] == ["truths-ids", "truths-ids"]

    def test_a_ref_that_lists_other_sentences_is_found_by_its_annotation(self):
        a = one_picture(("1", "cup", LEFT, ["red"]), ("2", "cup", RIGHT, ["blue"]))
        b = one_picture(("1", "mug", LEFT_AGAIN, ["plus words"]), ("2", "mug", RIGHT, ["others"]))
        match = match_referents(a, b)
        assert (pairs_of(match), found_by(match)) == ({"1": "1", "2": "2"}, {"ann_id": 2})
        assert len(match.examples_a) == 0

    def test_an_id_that_the_sentences_contradict_is_not_believed(self):
        # The boxes overlap, so that only the sentences say that these ids were exchanged.
        a = one_picture(("1", "cup", LEFT, ["x"]), ("2", "cup", LEFT_AGAIN, ["y"]))
        b = one_picture(("1", "cup", LEFT_AGAIN, ["y"]), ("2", "cup", LEFT, ["x"]))
        assert pairs_of(match_referents(a, b)) == {"1": "2", "2": "1"}

    def test_sample_ids_may_be_ref_ids(self):
        a = one_picture(("1", "cup", LEFT, ["a"], "70"), ("2", "cup", RIGHT, ["b"], "80"))
        b = one_picture(("", "cup", LEFT, ["other"], "", "70"))
        match = match_referents(a, b)
        assert found_by(match) == {"sample_id": 1}
        assert match.notes == ("1 of the ref ids of A and sample ids of B are the same",)

    def test_no_target_referents_match_by_ref_and_picture(self):
        said = [Said("1", "the dog", [], "5")]
        a = make_dataset(Picture("1", (1, 3), [], said))
        match = match_referents(a, make_dataset(Picture("1", (1, 3), [], said)))
        assert found_by(match) == {"ref_id": 1}


class TestSentences:
    def test_writing_does_not_matter_but_repeats_do(self):
        a = one_picture(("1", "cup", LEFT, ["A red  cup.", "cup", "cup"]),
                        ("2", "cup", RIGHT, ["a red cup", "cup"]))
        b = one_picture(("8", "dog", MIDDLE, ["a red cup", "Cup"]),
                        ("9", "dog", MIDDLE, ["cup", "a red cup", "cup ."]))
        match = match_referents(a, b)
        assert (pairs_of(match), found_by(match)) == ({"1": "9", "2": "8"}, {"sentences": 2})
        texts = [(a.expressions.sentences[i], b.expressions.sentences[j])
                 for i, j in zip(match.examples_a, match.examples_b, strict=True)]
        assert texts == [("A red  cup.", "a red cup"), ("cup", "cup"), ("cup", "cup ."),
                         ("a red cup", "a red cup"), ("cup", "Cup")]

    def test_raw_is_compared_where_sent_differs(self):
        things = [Thing("1", "cup", LEFT)]
        a = make_dataset(Picture("1", (2, 10), things, [Said("1", "cup @", ["1"], raw="cup!!!")]))
        match = match_referents(a, one_picture(("9", "cup", RIGHT, ["cup"])))
        assert (found_by(match), len(match.examples_a)) == ({"sentences": 1}, 1)

    def test_equal_sentences_are_told_apart_by_boxes(self):
        a = one_picture(("1", "cup", LEFT, ["man"]), ("2", "cup", RIGHT, ["man"]))
        b = one_picture(("9", "dog", RIGHT, ["man"]), ("8", "dog", LEFT_AGAIN, ["man"]))
        match = match_referents(a, b)
        assert (pairs_of(match), found_by(match)) == ({"1": "8", "2": "9"}, {"sentences": 2})

    def test_equal_sentences_that_nothing_tells_apart_are_ambiguous(self):
        a = one_picture(("1", "cup", LEFT, ["man"]), ("2", "cup", LEFT, ["man"]))
        b = one_picture(("9", "cup", LEFT, ["man"]))
        match = match_referents(a, b)
        assert len(match) == len(match.examples_a) == 0
        assert (match.ambiguous_a.tolist(), match.ambiguous_b.tolist()) == ([0, 1], [0])
        assert (match.only_a.tolist(), match.only_b.tolist()) == ([], [])
        assert match.problems[0].message == (
            "2 referents of A and 1 of B fit each other in more than one way and are in no "
            "comparison."
        )

    def test_the_twin_of_a_dropped_referent_is_not_ambiguous(self):
        a = one_picture(("1", "cup", LEFT, ["man"]), ("2", "cup", RIGHT, ["man"]))
        match = match_referents(a, one_picture(("9", "cup", RIGHT, ["man"])))
        assert (pairs_of(match), match.only_a.tolist()) == ({"2": "9"}, [0])

    def test_a_dropped_sentence_leaves_the_referent_matched(self):
        a = one_picture(("1", "cup", LEFT, ["rude words", "the cup"]))
        match = match_referents(a, one_picture(("9", "mug", LEFT_AGAIN, ["the cup"])))
        assert found_by(match) == {"some_sentences": 1}
        assert match.examples_a.tolist() == [1]

    def test_the_same_words_on_another_picture_are_nothing(self):
        a = make_dataset(
            Picture("1", (2, 10), [Thing("1", "cup", LEFT)], [Said("1", "cup", ["1"])]),
            Picture("2", (2, 10), [Thing("2", "cup", LEFT)], [Said("2", "mug", ["2"])]),
        )
        match = match_referents(a, one_picture(("9", "cup", RIGHT, ["cup"]), image_id="2"))
        assert (len(match), match.only_a.tolist(), match.only_b.tolist()) == (0, [0, 1], [0])


class TestMasks:
    def test_the_best_fit_of_one_category(self):
        a = one_picture(("1", "cup", LEFT, ["a"]), ("2", "dog", LEFT, ["b"]))
        match = match_referents(a, one_picture(("9", "Dog", LEFT_AGAIN, ["c"])))
        assert (pairs_of(match), found_by(match)) == ({"2": "9"}, {"mask": 1})

    def test_an_unknown_category_fits_any(self):
        a = one_picture(("1", "unknown", LEFT, ["a"]))
        assert found_by(match_referents(a, one_picture(("9", "dog", LEFT, ["c"])))) == {"mask": 1}

    def test_less_than_half_is_no_match(self):
        a = one_picture(("1", "cup", draw("###......."), ["a"]), size_hw=(1, 10))
        near = one_picture(("9", "cup", draw(".###......"), ["c"]), size_hw=(1, 10))
        assert len(match_referents(a, near)) == 1  # 2 of 4 pixels
        far = one_picture(("9", "cup", draw("..###....."), ["c"]), size_hw=(1, 10))
        assert len(match_referents(a, far)) == 0  # 1 of 5

    def test_two_that_fit_equally_well_are_ambiguous(self):
        a = one_picture(("1", "cup", LEFT, ["a"]))
        b = one_picture(("8", "cup", LEFT_AGAIN, ["c"]), ("9", "cup", LEFT_AGAIN, ["d"]))
        match = match_referents(a, b)
        assert (len(match), match.ambiguous_a.tolist()) == (0, [0])
        assert match.ambiguous_b.tolist() == [0, 1]

    def test_masks_that_cannot_be_read_do_not_match_by_mask(self):
        a = one_picture(("1", "cup", BROKEN, ["a"]))
        match = match_referents(a, one_picture(("9", "cup", LEFT, ["b"])))
        assert (match.only_a.tolist(), match.only_b.tolist()) == ([0], [0])


class TestPictures:
    def test_no_picture_in_common_is_an_error(self):
        with pytest.raises(UsageError, match=r"have no picture in common: the first of A is 1 "):
            match_referents(
                one_picture(("1", "cup", LEFT, ["a"])),
                one_picture(("1", "cup", LEFT, ["a"]), image_id="2"),
            )

    def test_another_size_is_a_problem_and_no_match(self):
        def pair(width: int) -> Dataset:
            return make_dataset(
                Picture("1", (2, 10), [Thing("1", "cup", LEFT)], [Said("1", "a", ["1"])]),
                Picture("2", (1, width), [Thing("2", "cup", draw("#" * width))],
                        [Said("2", "b", ["2"])]),
            )
        match = match_referents(pair(3), pair(4))
        assert (match.rows_a.tolist(), match.only_a.tolist()) == ([0], [1])
        assert [(p.code, p.severity, p.message) for p in match.problems] == [(
            "truths-size", "error",
            "The picture has 4 x 1 pixels in B and 3 x 1 in A: its referents cannot be compared "
            "and are not matched.",
        )]

    def test_pictures_are_found_by_file_name_where_ids_differ(self):
        a = one_picture(("1", "cup", LEFT, ["a"]), image_id="COCO_train2014_000000000009")
        b = one_picture(("1", "cup", LEFT, ["a"]), image_id="000000000009")
        assert len(match_referents(a, b)) == 1
