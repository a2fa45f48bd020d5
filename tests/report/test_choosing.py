"""Which examples are shown, and what is said of those that are not there."""

from __future__ import annotations

import pytest

from inspector.browse import Browser, Selection
from inspector.core.errors import UsageError
from inspector.report import (
    Remark,
    choose_first,
    choose_named,
    choose_tagged,
    read_ids,
    read_where,
)


def test_the_worst_are_the_first_of_the_page(demo_workspace):
    chosen = choose_first(demo_workspace, read_where((), demo_workspace), 5)
    order = Browser(demo_workspace).order(Selection("words"))
    assert list(chosen.places) == order[:5].tolist()
    assert chosen.why == "5 examples of 64: worst first, by words."


def test_filters_and_orders_are_those_of_the_address(demo_workspace):
    selection = read_where(["failure=part", "sort=area", "run=saliency"], demo_workspace)
    chosen = choose_first(demo_workspace, selection, 100)
    order = Browser(demo_workspace).order(
        Selection("saliency", "area", {"failure": "part"})
    )
    assert list(chosen.places) == order.tolist()
    assert chosen.why == "2 examples of 2: largest target first where failure mode is part."


def test_named_ones_keep_their_order_and_stand_once(demo_workspace):
    ids = demo_workspace.dataset.expressions.ids
    assert choose_named(demo_workspace, [ids[9], ids[2], ids[9]]).places == (9, 2)


def test_ids_come_from_a_list_or_a_file(tmp_path):
    file = tmp_path / "ids.txt"
    file.write_text("\ufeff101\n\n102 \n")
    assert read_ids(str(file)) == ["101", "102"]
    assert read_ids("101, 102,") == ["101", "102"]
    many = [f"{number}" for number in range(100, 500)]  # more letters than a file name may have
    assert read_ids(",".join(many)) == many


def test_tags_choose_in_the_order_of_the_data(demo_workspace):
    ids = demo_workspace.dataset.expressions.ids
    remarks = {ids[7]: Remark(tags=("talk",)), ids[3]: Remark(tags=("talk", "x")),
               "elsewhere": Remark(tags=("talk",)), ids[4]: Remark(tags=("x",))}
    chosen = choose_tagged(demo_workspace, remarks, "talk")
    assert chosen.places == (3, 7)
    assert chosen.why == "2 examples tagged “talk”."


@pytest.mark.parametrize(("call", "expected"), [
    pytest.param(lambda w: choose_named(w, ["1O1"]),
                 r"No example '1O1' in demo, split val\. Copy ids", id="unknown id"),
    pytest.param(lambda w: choose_named(w, []), "names no example", id="no id"),
    pytest.param(lambda w: choose_tagged(w, {}, "talk"),
                 "No example has the tag 'talk'. There is none.", id="no tags"),
    pytest.param(lambda w: choose_tagged(
        w, {w.dataset.expressions.ids[0]: Remark(tags=("talk",))}, "talc"),
                 "Choose one of: talk. Did you mean 'talk'", id="another tag"),
    pytest.param(lambda w: choose_first(w, Selection("words"), -1), "cannot be shown", id="-1"),
    pytest.param(lambda w: choose_first(w, Selection("words"), 501), "from 0 to 500", id="501"),
    pytest.param(lambda w: read_where(["failure"], w), "is not KEY=VALUE", id="no value"),
    pytest.param(lambda w: read_where(["failur=part"], w), "Did you mean 'failure'", id="key"),
    pytest.param(lambda w: read_where(["run=x"], w), "No run 'x'", id="run"),
])
def test_what_cannot_be_chosen_is_said(demo_workspace, call, expected):
    with pytest.raises(UsageError, match=expected):
        call(demo_workspace)


def test_a_file_that_is_no_list_is_refused(tmp_path):
    file = tmp_path / "ids.txt"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="ids.txt cannot be read as a list of ids"):
        read_ids(str(file))
    file.write_bytes(b"1\n" * 600_000)
    with pytest.raises(UsageError, match="too large for a list of ids"):
        read_ids(str(file))
