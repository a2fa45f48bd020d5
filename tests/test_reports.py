"""Where each public report that this project was given is covered: a test, or a limit in words.

The numbers are those of the list of reports; every entry is ``file::test`` (``file::Class::test``),
or ``docs/limits.md: …`` with a text that stands there.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

LOADING = {
    1: ["formats/test_public_reports.py::test_refs_of_python_2_are_read_as_bytes"],
    2: ["formats/test_pickles.py::test_byte_strings_of_python_2_are_utf_8",
        "formats/test_pickles.py::test_one_latin_1_string_does_not_garble_the_others"],
    3: ["formats/test_refer.py::test_the_suffix_of_a_refs_file_name_is_ignored"],
    4: ["formats/test_refer_layouts.py::TestGrefcoco::test_boxes_without_text_are_listed",
        "formats/test_refer.py::test_refs_without_sentences_are_listed"],
    5: ["formats/test_counts.py::test_grefcoco_has_two_numbers"],
    6: ["formats/test_refer_layouts.py::test_a_missing_picture_names_the_archive_that_has_it"],
    7: ["formats/test_public_reports.py::test_counts_of_umd_and_google_are_told_apart",
        "formats/test_counts.py::test_numbers_of_another_split_by_name_it"],
    8: ["formats/test_counts.py::test_a_mixture_of_two_split_bys_is_named",
        "formats/test_repacks.py::TestLmmsLab::test_the_split_val_mixes_two_and_it_is_said",
        "formats/test_repacks.py::TestLmmsLab::test_a_refs_file_keeps_the_rows_of_one"],
    9: ["predictions/test_public_reports.py::"
        "test_a_lost_space_in_a_sentence_still_matches_and_is_said"],
    10: ["formats/test_refcoco_m.py::test_image_meta_in_place_of_image_id",
         "formats/test_refcoco_m.py::test_another_schema"],
    11: ["formats/test_public_reports.py::"
         "test_pictures_of_a_parquet_file_stay_there_until_they_are_shown"],
    12: ["formats/test_repacks.py::TestRicky06662::test_masks_come_from_the_buffers"],
    13: ["formats/test_reasonseg.py::test_a_file_without_a_polygon_is_listed_and_not_scored",
         "formats/test_reasonseg.py::test_the_first_text_is_the_example_by_default"],
    14: ["test_checks.py::TestPictures::test_of_swapped_sides",
         "test_checks.py::TestPictures::test_annotated_on_the_turned_picture"],
    15: ["core/test_mask_reports.py::test_bytes_that_went_through_str",
         "core/test_mask_reports.py::test_our_own_counts_are_json_serializable"],
    16: ["core/test_mask_reports.py::test_a_first_polygon_of_four_numbers_is_no_box",
         "formats/test_refer.py::test_a_polygon_with_too_few_points_is_left_out_and_listed"],
    17: ["core/test_mask_reports.py::test_an_empty_segmentation_list",
         "formats/test_refer.py::test_a_target_that_cannot_be_read_is_not_scored"],
    18: ["core/test_mask_reports.py::test_uncompressed_run_lengths"],
    19: ["core/test_mask_reports.py::test_a_value_that_is_no_mask_at_all",
         "core/test_mask_reports.py::test_a_polygon_where_run_lengths_are_expected"],
    20: ["core/test_mask_reports.py::test_swapped_height_and_width"],
    21: ["core/test_mask_reports.py::test_run_lengths_that_leave_memory_uninitialised_elsewhere",
         "hostile/test_run_lengths.py::test_in_annotations",
         "fuzz/test_fuzz.py::test_broken_input_is_refused_or_read_right"],
    22: ["core/test_mask_reports.py::test_a_valid_mask_without_foreground_that_looks_broken"],
    23: ["core/test_mask_reports.py::test_text_and_list_counts_are_both_read"],
}
"""Data sets and masks."""

PREDICTIONS: dict[int, list[str]] = {
    24: [
        "predictions/test_public_reports.py::test_mean_and_overall_iou_stand_side_by_side",
    ],
    25: [
        "predictions/test_public_reports.py::test_a_sentence_and_an_instance_protocol_are_both_offered",
    ],
    26: ["predictions/test_public_reports.py::test_overall_iou_is_ruled_by_one_large_miss"],
    27: ["docs/limits.md: Different model weights"],
    28: ["predictions/test_public_reports.py::test_empty_outputs_are_told_apart_by_target"],
    29: [
        "predictions/test_public_reports.py::test_a_prediction_of_none_counts_the_whole_target",
    ],
    30: [
        "predictions/test_public_reports.py::test_nothing_predicted_of_nothing_is_a_rule_and_no_nan",
    ],
    31: [
        "predictions/test_public_reports.py::test_nothing_predicted_of_nothing_is_a_rule_and_no_nan",
    ],
    32: [
        "predictions/test_public_reports.py::test_mean_and_overall_iou_stand_side_by_side",
    ],
    33: ["predictions/test_public_reports.py::test_the_truth_is_never_resized"],
    34: [
        "predictions/test_public_reports.py::test_predictions_by_picture_alone_never_overwrite_each_other",
    ],
    35: [
        "predictions/test_boxes.py::TestInference::test_the_scale_of_a_file_is_inferred_and_said",
        "predictions/test_boxes.py::TestBrokenBoxes::test_malformed_answers_are_invalid_and_listed",
    ],
    36: ["predictions/test_public_reports.py::test_the_threshold_stands_in_every_label"],
    37: [
        "predictions/test_refused.py::test_the_segmentation_task_of_lmms_eval_is_captioning",
    ],
    38: [
        "predictions/test_public_reports.py::test_per_picture_and_accumulated_numbers_are_both_shown",
    ],
    39: [
        "predictions/test_public_reports.py::test_agreement_about_the_background_counts_nothing",
    ],
}
"""Predictions and metrics: 24 to 39."""

SCALE = {
    40: ["test_thumbnails.py::test_a_gallery_sends_small_jpegs_that_are_made_once"],
    41: ["predictions/test_public_reports.py::test_masks_stay_run_lengths",
         "formats/test_repacks.py::TestRicky06662::test_masks_come_from_the_buffers"],
    42: ["e2e/test_looking.py::test_overlays_by_key_and_button_are_remembered"],
    43: ["formats/test_mask_records.py::test_coloured_and_palette_masks"],
    44: ["formats/test_fiftyone_port.py::"
         "test_a_mask_within_a_pixel_of_its_rounded_box_is_placed",
         "formats/test_fiftyone_port.py::test_a_mask_of_another_size_is_a_problem"],
    45: ["core/test_mask.py::test_other_arrays_are_refused",
         "formats/test_mask_records.py::TestCris::test_254_is_foreground",
         "predictions/test_public_reports.py::test_values_of_uint8_never_overflow"],
}
"""The page and large data, as far as pictures and masks are loaded for them."""

REPORTS = LOADING | PREDICTIONS | SCALE


def names_in(path: Path) -> set[str]:
    """Name the tests of a file, those of classes as ``Class::test``."""
    names = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        prefix = f"{node.name}::" if isinstance(node, ast.ClassDef) else ""
        names |= {prefix + part.name for part in inner if isinstance(part, ast.FunctionDef)}
    return names


def test_every_report_is_covered():
    assert list(LOADING) == list(range(1, 24))
    assert list(SCALE) == list(range(40, 46))
    assert list(PREDICTIONS) == list(range(24, 40))


@pytest.mark.parametrize("number", REPORTS)
def test_what_covers_a_report_is_there(number):
    for entry in REPORTS[number]:
        if entry.startswith("docs/"):
            page, _, text = entry.partition(": ")
            assert text in (ROOT / page).read_text(encoding="utf-8"), entry
            continue
        file, _, name = entry.partition("::")
        assert name in names_in(ROOT / "tests" / file), entry
