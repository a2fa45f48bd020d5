from __future__ import annotations

import pytest

from inspector.core.errors import FormatError
from inspector.core.problems import ProblemLog
from inspector.core.records import PictureCell
from inspector.formats.pictures import (
    USUAL_FOLDERS,
    PictureFinder,
    PictureStore,
    find_below,
    stays_inside,
)
from tests.formats.writing import PICTURES, scene_rows, write_refcoco_m


def put(path, content=b"a picture"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("folder", USUAL_FOLDERS)
@pytest.mark.parametrize("above", ["refcoco", ".", ".."], ids=["beside", "above", "two above"])
def test_usual_folders_are_searched(tmp_path, folder, above):
    data_set = tmp_path / "data" / "refcoco"
    data_set.mkdir(parents=True)
    picture = put((data_set.parent / above / folder / "1.jpg").resolve())
    assert PictureFinder(data_set).find(["1.jpg"]).resolve() == picture


def test_the_given_folder_comes_first(tmp_path):
    put(tmp_path / "images" / "1.jpg")
    mine = put(tmp_path / "mine" / "1.jpg")
    assert PictureFinder(tmp_path, tmp_path / "mine").find(["1.jpg"]) == mine


def test_the_given_folder_may_hold_the_usual_ones(tmp_path):
    picture = put(tmp_path / "coco" / "train2014" / "1.jpg")
    (tmp_path / "refcoco").mkdir()
    finder = PictureFinder(tmp_path / "refcoco", tmp_path / "coco")
    assert finder.find(["1.jpg"]) == picture


def test_several_names_in_order_of_preference(tmp_path):
    put(tmp_path / "images" / "000000000001.jpg")
    finder = PictureFinder(tmp_path)
    names = ["COCO_train2014_000000000001.jpg", "000000000001.jpg"]
    assert finder.find(names).name == "000000000001.jpg"
    assert finder.find(["2.jpg"]) is None
    assert finder.find([]) is None


def test_where_was_looked(tmp_path):
    data_set = tmp_path / "a" / "b" / "c"
    data_set.mkdir(parents=True)
    assert "give one with --images DIR" in PictureFinder(data_set).describe()
    (data_set / "images").mkdir()
    assert PictureFinder(data_set).describe() == f"looked in {data_set / 'images'}"


def test_a_given_folder_that_is_none(tmp_path):
    with pytest.raises(FormatError, match="is not a folder. Give the folder .* to --images"):
        PictureFinder(tmp_path, tmp_path / "nothing")


LEAVING = [
    "../secret.jpg", "../../etc/passwd", "/etc/passwd", "images/../../secret.jpg", "..", ".", "",
    "/", "a\x00b", "\x00", "x" * 5000, "\ud800.jpg", "out.jpg", "loop.jpg",
]


@pytest.fixture
def guarded(tmp_path):
    """A data set folder with a secret beside it and links that lead out or in circles."""
    secret = put(tmp_path / "secret.jpg")
    folder = tmp_path / "set"
    for place in (folder, folder / "images"):
        place.mkdir()
        (place / "out.jpg").symlink_to(secret)
        (place / "loop.jpg").symlink_to(place / "loop.jpg")
    return folder


@pytest.mark.parametrize("name", LEAVING, ids=lambda name: ascii(name)[:20])
def test_no_name_leaves_the_folders(guarded, name):
    assert find_below(guarded, name) is None
    assert find_below(guarded, f"images/{name}") is None
    assert PictureFinder(guarded).find([name]) is None


def test_a_linked_folder_leads_nowhere(guarded):
    (guarded / "link").symlink_to(guarded.parent)
    assert find_below(guarded, "link/secret.jpg") is None


def test_names_below_the_folder(guarded):
    picture = put(guarded / "images" / "cat.jpg")
    assert find_below(guarded, "images/cat.jpg") == picture
    assert find_below(guarded, "./images/cat.jpg").resolve() == picture.resolve()
    assert find_below(guarded, "images") is None  # a folder


def test_a_folder_that_is_a_link_itself_is_fine(tmp_path):
    # pictures often lie on another disk
    real = put(tmp_path / "disk" / "1.jpg")
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "images").symlink_to(real.parent)
    found = PictureFinder(tmp_path / "set").find(["1.jpg"])
    assert found.resolve() == real.resolve()


def test_stays_inside(tmp_path):
    inside, outside = put(tmp_path / "a" / "1.jpg"), put(tmp_path / "ab" / "1.jpg")
    assert stays_inside(inside, tmp_path / "a")
    assert not stays_inside(outside, tmp_path / "a")  # "ab" begins with "a"


def test_the_store_reads_files(tmp_path):
    assert PictureStore().read(put(tmp_path / "1.jpg")) == b"a picture"
    assert PictureStore().read(None) is None
    with pytest.raises(OSError, match="No such file"):
        PictureStore().read(tmp_path / "2.jpg")


def cell(path, row_group=0, row=0):
    return PictureCell(path, row_group, row, "image.bytes")


def test_the_store_reads_parquet_cells(tmp_path):
    path = write_refcoco_m(tmp_path) / "data" / "validation-00000-of-00001.parquet"
    store = PictureStore()
    contents = [store.read(cell(path, group)) for group in (1, 0, 1)]
    assert contents == [PICTURES[2], PICTURES[1], PICTURES[2]]


def test_a_parquet_cell_without_a_picture(tmp_path):
    rows = scene_rows()
    rows[0]["image"], rows[1]["image"] = None, {"bytes": None, "path": "1.jpg"}
    path = write_refcoco_m(tmp_path, rows=rows) / "data" / "validation-00000-of-00001.parquet"
    store = PictureStore()
    assert [store.read(cell(path, 0)), store.read(cell(path, 1))] == [None, None]


def test_a_parquet_file_that_broke_since_it_was_loaded(tmp_path):
    path = put(tmp_path / "x.parquet", b"PAR1 no more PAR1")
    with pytest.raises(OSError, match="cannot be read as parquet"):
        PictureStore().read(cell(path))


def test_a_link_that_leaves_its_folder_is_called_a_link(tmp_path):
    # "was not found", although the folder listed it
    folder = tmp_path / "set" / "images"
    folder.mkdir(parents=True)
    (tmp_path / "real.jpg").write_bytes(b"a picture")
    (folder / "1.jpg").symlink_to(tmp_path / "real.jpg")
    log = ProblemLog()
    assert PictureFinder(tmp_path / "set").find_or_log(["1.jpg"], log, "line 1") is None
    (problem,) = log.close()
    assert problem.message == (
        f"1.jpg is a link in {folder} that leads out of it or nowhere, and is not followed. Give "
        "the folder of the files themselves with --images."
    )
