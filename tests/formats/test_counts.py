from __future__ import annotations

import csv

import pytest

from inspector.formats import load_dataset
from inspector.formats.building import DatasetBuilder
from inspector.formats.counts import PUBLISHED, Counts, compare_counts, published_counts
from inspector.formats.request import LoadRequest
from tests.formats.writing import write_refer


def made_up(name, split_by, counts, *splits):
    """Build a data set of no-target examples with these numbers, shared out over its splits."""
    builder = DatasetBuilder(
        name=name, format="refer", source="x", split_by=split_by, distractors_known=True
    )
    rows = [
        builder.add_image(str(number), file_name="", size_hw=(1, 1), location=None, where="")
        for number in range(counts.images)
    ]
    for number in range(counts.sentences):
        builder.add_expression(
            rows[number % counts.images], sentence="a", sent_id=str(number),
            ref_id=str(number % counts.referents), example_id=str(number), objects=(),
            split=splits[number % len(splits)],
        )
    return builder.build(split=",".join(splits))


def said(*arguments):
    return [problem.message for problem in compare_counts(made_up(*arguments))]


UNC_VAL, UMD_VAL = PUBLISHED["refcoco", "unc", "val"], PUBLISHED["refcocog", "umd", "val"]


def test_the_published_numbers_add_up():
    splits = ("train", "val", "testA", "testB")
    for name, total in (("refcoco", (19_994, 50_000, 142_210)), ("refcoco+", (19_992, 49_856,
                                                                              141_564))):
        rows = [PUBLISHED[name, "unc", split] for split in splits]
        assert tuple(sum(column) for column in zip(*rows, strict=True)) == total
    rows = [PUBLISHED["refcocog", "umd", split] for split in ("train", "val", "test")]
    assert tuple(sum(column) for column in zip(*rows, strict=True)) == (25_799, 49_822, 95_010)
    google = [PUBLISHED["refcoco", "google", split].referents for split in ("train", "val", "test")]
    assert sum(google) == 50_000


@pytest.mark.parametrize("key", [("refcoco", "unc", "val"), ("refcocog", "umd", "val"),
                                 ("refcoco-m", "", "val")])
def test_the_right_numbers_are_not_worth_a_word(key):
    assert said(key[0], key[1], PUBLISHED[key], key[2]) == []


def test_a_part_of_them_is_perhaps_a_subset():
    [message] = said("refcoco", "unc", Counts(9, 13, 40), "val")
    assert message == (
        "9 pictures, 13 referents and 40 sentences are here, 1,500 pictures, 3,811 referents and "
        "10,834 sentences were published. A subset?"
    )


def test_numbers_of_another_split_by_name_it():
    # luogen1996/MCN#7: 104,560 instead of 95,010, because umd and google were confused
    [message] = said("refcocog", "umd", PUBLISHED["refcocog", "google", "val"], "val")
    assert message.endswith(
        "These are the numbers of refcocog (google) val: were files confused?"
    )


def test_a_mixture_of_two_split_bys_is_named():
    # EvolvingLMMs-Lab/lmms-eval#1066: 8,811 = 3,811 unc + 5,000 google
    [message] = said("refcoco", "unc", Counts(5_000, 8_811, 9_000), "val")
    assert message.endswith("The splits of unc and google seem to be mixed.")


def test_more_than_published():
    [message] = said("refcoco", "unc", UNC_VAL._replace(sentences=10_900), "val")
    assert message.endswith("Another release, or several splits in one?")


def test_several_splits_are_added_up():
    dataset = made_up("refcoco", "unc", Counts(10, 10, 10), "testA", "testB")
    assert published_counts(dataset) == Counts(1_500, 3_785, 10_752)


def test_splits_that_share_pictures_give_no_number_of_pictures():
    dataset = made_up("refcocog", "google", Counts(10, 10, 10), "train", "val")
    assert published_counts(dataset) == Counts(None, 49_822, 95_010)


def test_grefcoco_has_two_numbers():
    # henghuiding/gRefCOCO#6: 259,859 were released, the paper says 278,232
    dataset = made_up("grefcoco", "unc", Counts(5, 5, 5), "val", "all")
    from dataclasses import replace

    [problem] = compare_counts(replace(dataset, split="all"))
    assert problem.message == (
        "5 sentences are here, 259,859 sentences were published. A subset? (The paper says "
        "278,232; 259,859 were released.)"
    )


@pytest.mark.parametrize(("name", "split_by"), [("mine", ""), ("refcoco", ""), ("demo", "unc")])
def test_nothing_is_said_of_what_nobody_published(name, split_by):
    assert said(name, split_by, Counts(3, 3, 3), "val") == []


def test_it_is_said_on_opening(tmp_path):
    dataset = load_dataset(LoadRequest(str(write_refer(tmp_path))))
    [problem] = dataset.problems
    assert (problem.code, problem.severity) == ("counts-differ", "warning")
    assert problem.where == "refcoco (unc), split val"


@pytest.mark.parametrize(("file", "counts"), [
    ("refcoco_unc_val.csv", UNC_VAL), ("refcocog_umd_val.csv", UMD_VAL),
])
def test_real_splits_have_the_published_numbers(shared_data, file, counts):
    with (shared_data / "expressions" / file).open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert counts == (
        len({row["img_id"] for row in rows}), len({row["ref_id"] for row in rows}), len(rows)
    )
