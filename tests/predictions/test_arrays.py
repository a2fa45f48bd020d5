"""NumPy files: types, thresholds, ids, and files that are not what they say."""

from __future__ import annotations

import io
import pickle
import zipfile

import numpy as np
import pytest

from inspector.core.errors import FormatError, MaskError
from inspector.core.mask import Mask
from inspector.predictions import load_run
from inspector.predictions.options import RunOptions
from tests.building import Picture, Said, Thing, make_dataset
from tests.predictions.scene import codes

SIZE = (4, 6)
ONE, TWO = np.zeros(SIZE, bool), np.zeros(SIZE, bool)
ONE[1:3, 1:4], TWO[0, :] = True, True
MASKS = np.stack([ONE, TWO])
SCENE = make_dataset(Picture("7", SIZE, (
    Thing("11", "cup", Mask.from_array(ONE)), Thing("12", "dog", Mask.from_array(TWO)),
), (
    Said("101", "cup", ("11",), ref_id="21"), Said("102", "dog", ("12",), ref_id="22"),
)))


def load(path, **options):
    run = load_run(SCENE, path, name="model", options=RunOptions(**options))
    return run, [run.masks[row].to_array().tolist() if row >= 0 else None for row in run.rows]


IDS = {"sent_ids": [102, 101]}


@pytest.mark.parametrize(("arrays", "said"), [
    pytest.param({"masks": MASKS}, "", id="bool"),
    pytest.param({"masks": MASKS.astype(np.uint8)}, "", id="0 and 1"),
    pytest.param({"masks": MASKS.astype(np.uint8) * 255}, "", id="0 and 255"),
    pytest.param({"masks": MASKS.astype(np.int64) * 7}, "", id="0 and 7"),
    pytest.param({"masks": MASKS[:, None]}, "", id="a channel"),
    pytest.param({"masks": np.where(MASKS, 3.5, -2.0)}, "above 0 (logits from -2 to 3.5)",
                 id="logits"),
    pytest.param({"masks": np.where(MASKS, 0.9, 0.2).astype(np.float32)},
                 "at least 0.5 (values from 0.2 to 0.9)", id="probabilities"),
    pytest.param({"masks": np.where(MASKS, 200, 30).astype(np.uint8)},
                 "at least 128 (values from 30 to 200)", id="soft"),
    pytest.param({"masks": np.where(MASKS, 90, 20).astype(np.uint8)},
                 "at least half of the largest value (values from 20 to 90)", id="per cent"),
    pytest.param({"masks": MASKS * np.array([1, 2]).reshape(2, 1, 1)},
                 "at least half of the largest value (values from 0 to 2)", id="0, 1 and 2"),
    pytest.param({"masks": np.where(MASKS, 1, -1).astype(np.int8) * MASKS.any()},
                 "above 0 (logits from -1 to 1)", id="-1 and 1"),
    pytest.param({"masks": np.where(MASKS, 40_000, 900).astype(np.uint16)},
                 "at least 32,768 (values from 900 to 40000)", id="16 bits"),
    pytest.param({"packed": np.packbits(MASKS.reshape(2, -1), axis=1), "size": SIZE}, "",
                 id="packed bits"),
    pytest.param({"masks": np.packbits(MASKS.reshape(2, -1), axis=1), "sizes": [SIZE, SIZE]}, "",
                 id="packed bits, a size each"),
    pytest.param({"masks": np.where(MASKS, 1, -1).astype(np.float16)},
                 "above 0 (logits from -1 to 1)", id="half precision"),
])
def test_each_type_and_its_threshold(arrays, said, tmp_path):
    np.savez(tmp_path / "run.npz", sent_ids=[101, 102], **arrays)
    run, found = load(tmp_path / "run.npz")
    assert found == MASKS.tolist()
    messages = [p.message for p in run.problems if p.code == "mask-values"]
    assert messages == ([f"Foreground is {said}."] if said else [])


@pytest.mark.parametrize("beyond", [1.02, -0.01])
def test_probabilities_stay_such_where_resizing_took_one_beyond(beyond, tmp_path):
    # 1.02 made every mask empty (from 128 on), -0.01 made logits of all
    masks = np.where(MASKS, 0.9, 0.1)
    masks[0, 2, 2] = max(beyond, 0.9)
    masks[0, 0, 0] = min(beyond, 0.1)
    np.savez(tmp_path / "run.npz", masks=masks, sent_ids=[101, 102])
    run, found = load(tmp_path / "run.npz")
    assert found == MASKS.tolist()
    (problem,) = run.problems
    assert (problem.code, problem.severity) == ("mask-values", "warning")
    assert "taken for probabilities with an overshoot). If they are logits" in problem.message


@pytest.mark.parametrize("low", [0.1, -3])
def test_a_rule_that_empties_every_mask_is_an_error(low, tmp_path):
    np.savez(tmp_path / "run.npz", masks=np.where(MASKS, low, low / 2), sent_ids=[101, 102])
    (problem,) = load(tmp_path / "run.npz")[0].problems
    assert (problem.code, problem.severity) == ("mask-values", "error")
    assert problem.message.endswith("No value reaches that: every mask is empty.")


def test_values_beyond_16_bits_are_no_masks(tmp_path):
    np.savez(tmp_path / "run.npz", masks=np.where(MASKS, 70_000, 3), sent_ids=[101, 102])
    with pytest.raises(FormatError, match="hold values from 3 to 70000; grey values end at 65,535"):
        load(tmp_path / "run.npz")


@pytest.mark.parametrize("ids", [
    pytest.param({"sent_ids": [102, 101]}, id="sent_ids"),
    pytest.param({"ids": [102, 101]}, id="ids"),
    pytest.param({"ids": ["102", "101"]}, id="ids as text"),
    pytest.param({"ids": [102.0, 101.0]}, id="ids as floats"),
    pytest.param({"example_ids": ["102", "101"]}, id="example_ids"),
    pytest.param({"ref_ids": [22, 21]}, id="ref_ids"),
    pytest.param({"ann_ids": [12, 11], "sentences": ["Dog.", "Cup"]}, id="ann_ids, sentences"),
    pytest.param({"image_ids": [7, 7], "sentences": ["dog", "cup"]}, id="image_ids, sentences"),
])
def test_each_array_of_ids(ids, tmp_path):
    np.savez(tmp_path / "run.npz", masks=MASKS[::-1], **ids)
    assert load(tmp_path / "run.npz")[1] == MASKS.tolist()


@pytest.mark.parametrize("masks", [
    {"101": ONE, "102": TWO},
    {"101": np.asfortranarray(ONE), "102": np.asfortranarray(TWO)},  # as pycocotools decodes
], ids=["C order", "Fortran order"])
def test_one_array_a_mask_named_by_its_id(masks, tmp_path):
    np.savez(tmp_path / "run.npz", **masks)
    assert load(tmp_path / "run.npz")[1] == MASKS.tolist()


def test_arrays_of_another_shape_are_told_and_one_rule_holds_for_all(tmp_path):
    # they were lost without a word, and each array had a rule of its own
    logits = {"101": np.where(ONE, 3.0, -3.0)[None], "102": np.stack([TWO, TWO]), "loss": [0.1]}
    np.savez(tmp_path / "run.npz", **logits)
    run, found = load(tmp_path / "run.npz")
    assert found == [ONE.tolist(), None]
    assert run.reasons == {1: "The array 102 has the shape (2, 4, 6), expected (H, W)."}
    assert [(p.severity, p.code, p.where) for p in run.problems] == [
        ("warning", "bad-record", "run.npz, loss"), ("info", "mask-values", "101"),
        ("error", "broken-prediction", "run.npz, 102"),
    ]
    np.savez(tmp_path / "run.npz", **{"101": np.where(ONE, 3, -3), "102": np.where(TWO, 9, 1)})
    assert load(tmp_path / "run.npz")[1] == [ONE.tolist(), np.ones(SIZE, bool).tolist()]


def test_without_ids_the_order_counts_with_a_warning(tmp_path):
    np.save(tmp_path / "run.npy", MASKS)
    run, found = load(tmp_path / "run.npy")
    assert found == MASKS.tolist()
    assert run.alignment == ("2 by row order",)
    assert codes(run) == ["row-order"]


def test_without_ids_another_number_of_masks_is_an_error(tmp_path):
    np.save(tmp_path / "run.npy", np.concatenate([MASKS, MASKS]))
    with pytest.raises(FormatError, match="it has 4 predictions, the data set 2 examples, and"):
        load(tmp_path / "run.npy")


def test_a_mask_with_nan_is_invalid(tmp_path):
    masks = np.where(MASKS, 1.0, -1.0)
    masks[1, 0, 0] = np.nan
    np.savez(tmp_path / "run.npz", masks=masks, sent_ids=[101, 102])
    run, found = load(tmp_path / "run.npz")
    assert found[0] == ONE.tolist()
    assert run.reasons[1] == "The mask holds values that are no number."


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_mask_of_nan_alone_is_invalid_and_prints_nothing(tmp_path):
    masks = np.stack([np.where(ONE, 0.9, 0.1), np.full(SIZE, np.nan)])
    np.savez(tmp_path / "run.npz", masks=masks, sent_ids=[101, 102])
    run, found = load(tmp_path / "run.npz")
    assert found == [ONE.tolist(), None]
    assert run.reasons[1] == "The mask holds values that are no number."


@pytest.mark.parametrize(("array", "said"), [
    pytest.param(np.zeros((2, 3, 4, 5), bool), r"has the shape \(2, 3, 4, 5\)", id="four sides"),
    pytest.param(np.zeros((500_000, 1, 1), bool), "has 500,000 masks for 2 examples", id="many"),
    pytest.param(np.zeros((2, 4, 6), complex), "has the type complex128", id="complex"),
    pytest.param(np.zeros((2, 4, 6), "U3"), "has the type <U3", id="text"),
    pytest.param(np.asfortranarray(np.zeros((2, 4, 6), bool)), "Fortran order", id="Fortran"),
    pytest.param(np.array(5), "holds a single number", id="number"),
    pytest.param(np.zeros(9, bool), r"^run.npy: has the shape \(9,\), expected \(N, H, W\). Save",
                 id="one side"),
    pytest.param(np.zeros((2, 0, 6), bool), r"^run.npy: .*\(2, 0, 6\): size must be at least 1 x 1",
                 id="no height"),
])
def test_arrays_that_are_no_masks(array, said, tmp_path):
    np.save(tmp_path / "run.npy", array)
    with pytest.raises(FormatError, match=said):
        load(tmp_path / "run.npy")


def npz_of(path, **members: bytes) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)


def header(shape: tuple[int, ...], dtype: str = "|b1") -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        buffer, {"descr": dtype, "fortran_order": False, "shape": shape}
    )
    return buffer.getvalue()


class TestHostile:
    def test_python_objects_are_not_loaded(self, tmp_path):
        class Bomb:
            def __reduce__(self):
                return (pytest.fail, ("code was run",))

        np.save(tmp_path / "run.npy", np.array([Bomb()], object), allow_pickle=True)
        with pytest.raises(FormatError, match="holds Python objects, which are not read"):
            load(tmp_path / "run.npy")
        npz_of(tmp_path / "run.npz", masks=(tmp_path / "run.npy").read_bytes())
        with pytest.raises(FormatError, match="holds Python objects, which are not read"):
            load(tmp_path / "run.npz")
        npz_of(tmp_path / "ids.npz", masks=npy(MASKS), ids=(tmp_path / "run.npy").read_bytes())
        with pytest.raises(FormatError, match="holds Python objects"):
            load(tmp_path / "ids.npz")

    @pytest.mark.parametrize("shape", [(10**6, 10**6, 10**6), (2, 10**9, 10**9), (2, -4, 6)])
    def test_a_size_that_is_not_there(self, shape, tmp_path):
        (tmp_path / "run.npy").write_bytes(header(shape) + b"\0" * 48)
        with pytest.raises((FormatError, MaskError)):
            load(tmp_path / "run.npy")
        npz_of(tmp_path / "run.npz", masks=header(shape) + b"\0" * 48)
        with pytest.raises((FormatError, MaskError)):
            load(tmp_path / "run.npz")

    def test_a_cut_off_array(self, tmp_path):
        (tmp_path / "run.npy").write_bytes(npy(MASKS)[:-10])
        with pytest.raises(FormatError, match="is cut off: 38 of 48 bytes of its array are there"):
            load(tmp_path / "run.npy")

    @pytest.mark.parametrize("content", [
        b"PK\x03\x04" + b"\0" * 40, b"\x93NUMPY", b"\x93NUMPY\x01\x00\xff\xff{", b"PK",
    ], ids=["zip", "magic", "header", "two bytes"])
    def test_a_file_that_only_begins_like_one(self, content, tmp_path):
        (tmp_path / "run.npz").write_bytes(content)
        with pytest.raises(FormatError):
            load(tmp_path / "run.npz")

    def test_a_zip_file_of_other_things(self, tmp_path):
        with zipfile.ZipFile(tmp_path / "run.npz", "w") as archive:
            archive.writestr("../../etc/passwd", "x")
        with pytest.raises(FormatError, match="but no 'masks'"):
            load(tmp_path / "run.npz")

    def test_a_pickle_under_the_name_of_an_array(self, tmp_path):
        (tmp_path / "run.npy").write_bytes(pickle.dumps([1]))
        with pytest.raises(FormatError, match="is a pickle or a torch file"):
            load(tmp_path / "run.npy")

    def test_ids_of_another_number(self, tmp_path):
        np.savez(tmp_path / "run.npz", masks=MASKS, sent_ids=[101])
        with pytest.raises(FormatError, match="has 1 sent_ids for 2 masks"):
            load(tmp_path / "run.npz")

    def test_too_few_bits(self, tmp_path):
        np.savez(tmp_path / "run.npz", packed=np.zeros((2, 1), np.uint8), size=SIZE,
                 sent_ids=[101, 102])
        run, _ = load(tmp_path / "run.npz")
        assert run.reasons[0] == "8 bits are too few for 4 x 6."


def npy(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()
