"""Routes of what leaves the page as files: figures, contact sheets, rows, masks.

They only read. What is asked for is an index or a name that the server gave out, or a number; the
name of the file is made here of letters, digits and dashes.
"""

from __future__ import annotations

import re
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np
from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.responses import StreamingResponse

from inspector.browse import SORTS, Selection
from inspector.core.errors import UsageError, say_choices
from inspector.core.run import Run
from inspector.exporting import (
    Masks,
    Rows,
    prediction_coco,
    prediction_lines,
    truth_coco,
    truth_lines,
)
from inspector.exporting.rows import More
from inspector.figures import Figure, make_figure, read_look, sheet_png, sheet_svg, to_png, to_svg
from inspector.figures.look import read_switch
from inspector.figures.sheet import MOST_FIGURES
from inspector.server.answers import download, file_name
from inspector.server.opened import Opened

_KINDS = {
    "csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet", "coco.json": "application/json",
    "svg": "image/svg+xml", "png": "image/png",
}
_SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_PART = 1 << 16  # bytes that are sent at a time
_drawing = threading.BoundedSemaphore(2)  # a large figure takes 200 MB while it is drawn

At = Callable[[str], Opened]
Selected = Callable[[str, Request], tuple[Opened, Selection]]
Index = Callable[[str, int], int]


def add_export_routes(
    app: FastAPI, *, at: At, selected: Selected, index: Index,
    more: Callable[[Opened], More] | None = None,
) -> None:
    """Add the routes.

    Args:
        app: The server.
        at: Gives what is open under a version.
        selected: Reads a version and the selection of an address.
        index: Reads an index below a number, or answers that it is not there.
        more: Gives further columns for rows, such as findings.
    """

    @app.get("/data/{version}/figures/{name}")
    def _figure(version: str, name: str, request: Request) -> Response:
        opened, query = at(version), request.query_params
        place, kind = _parted(name, ("svg", "png"))
        row = index(place, len(opened.workspace.dataset))
        scale = _number(query, "scale", 1.0, least=0.1, most=4.0)
        mm = _number(query, "mm", 0.0, least=1.0, most=2_000.0) or None
        caption = read_switch(query, "caption")
        with _drawing:
            figure = make_figure(
                opened.workspace, row, run=query.get("run", ""),
                against=query.get("against", ""), look=read_look(query), pictures=opened.pictures,
            )
            draw = to_svg if kind == "svg" else to_png
            content = draw(figure, scale=scale, caption=caption, width_mm=mm)
        named = opened.workspace.dataset.name, figure.run, figure.example_id
        return _file(content, kind, file_name("inspector", *named, suffix=kind))

    @app.get("/data/{version}/sheet.{kind}")
    def _sheet(version: str, kind: str, request: Request) -> Response:
        if kind not in ("svg", "png"):
            raise HTTPException(404)
        opened, selection = selected(version, request)
        query = request.query_params
        columns = int(_number(query, "columns", 4, least=1, most=10))
        most = int(_number(query, "limit", MOST_FIGURES, least=1, most=MOST_FIGURES))
        look = read_look(query, second="dotted")
        order = opened.browser.order(selection)
        title = _title(opened, selection, len(order), most)

        def figures() -> Iterator[Figure]:
            for place in order[:most].tolist():
                yield make_figure(
                    opened.workspace, place, run=selection.run, look=look, pictures=opened.pictures
                )

        with _drawing:
            draw = sheet_svg if kind == "svg" else sheet_png
            content = draw(figures(), columns=columns, title=title)
        return _file(content, kind, _file_name(opened, selection.run, "sheet", kind))

    @app.get("/data/{version}/export/rows.{kind}")
    def _rows(version: str, kind: str, request: Request) -> Response:
        if kind not in ("csv", "jsonl", "parquet"):
            raise HTTPException(404)
        opened, selection = selected(version, request)
        every = _choice(request.query_params, "runs", ("one", "all")) == "all"
        runs = [selection.run][: bool(selection.run)]
        if every:  # those of the table that ``score`` writes: a second truth is none of them
            runs = [scores.run.name for scores in opened.asked.scores]
        rows = Rows(
            opened.workspace, opened.browser.order(selection), runs,
            more(opened) if more else None,
        )
        parts = {
            "csv": rows.csv, "jsonl": rows.json_lines, "parquet": lambda: _parquet(rows)
        }[kind]()
        name = _file_name(opened, "" if every else selection.run, "rows", kind)
        left_out = f"{rows.left_out} without readable truth" if rows.left_out else ""
        return _stream(parts, kind, name, left_out)

    @app.get("/data/{version}/export/masks.{kind}")
    def _masks(version: str, kind: str, request: Request) -> Response:
        if kind not in ("coco.json", "jsonl"):
            raise HTTPException(404)
        opened, selection = selected(version, request)
        what = _choice(request.query_params, "what", ("prediction", "truth"))
        order = opened.browser.order(selection)
        run = None
        if what == "prediction":
            run = next(
                (s.run for s in opened.workspace.scores if s.run.name == selection.run), None
            )
            if run is None:
                raise UsageError("There is no run to write masks of. Add --run [NAME=]PATH.")
        masks = _masks_of(opened, order, run, kind)
        name = _file_name(opened, selection.run if run else "", what, kind)
        parts = (part.encode("utf-8", errors="replace") for part in masks.parts)
        return _stream(parts, kind, name, masks.describe_left_out())


def _masks_of(opened: Opened, order: np.ndarray, run: Run | None, kind: str) -> Masks:
    dataset = opened.workspace.dataset
    if run is None:
        return (truth_coco if kind == "coco.json" else truth_lines)(dataset, order)
    return (prediction_coco if kind == "coco.json" else prediction_lines)(dataset, run, order)


def _parquet(rows: Rows) -> Iterator[bytes]:
    """Write a Parquet file to a place of its own and give its parts; its end stands last in it."""
    file = tempfile.TemporaryFile()  # noqa: SIM115  # closed when its last part was taken
    rows.parquet(file)

    def parts() -> Iterator[bytes]:
        with file:
            file.seek(0)
            while part := file.read(_PART):
                yield part

    return parts()


def _stream(parts: Iterable[bytes], kind: str, name: str, left_out: str) -> Response:
    headers = _headers(kind, name)
    if left_out:  # what is not in the file is said, also to a program
        headers["x-inspector-left-out"] = left_out
    return StreamingResponse(_batched(parts), media_type=_KINDS[kind], headers=headers)


def _batched(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Join small parts: each that is sent costs a turn of the server."""
    held: list[bytes] = []
    size = 0
    for part in parts:
        held.append(part)
        size += len(part)
        if size >= _PART:
            yield b"".join(held)
            held, size = [], 0
    if held:
        yield b"".join(held)


def _file(content: str | bytes, kind: str, name: str) -> Response:
    return Response(content, media_type=_KINDS[kind], headers=_headers(kind, name))


def _headers(kind: str, name: str) -> dict[str, str]:
    headers = download(name)
    if kind == "svg":
        headers["content-security-policy"] = _SVG_POLICY
    return headers


def _file_name(opened: Opened, run: str, what: str, kind: str) -> str:
    dataset = opened.workspace.dataset
    return file_name("inspector", dataset.name, dataset.split, run, what, suffix=kind)


def _number(
    query: Mapping[str, str], key: str, default: float, *, least: float, most: float
) -> float:
    """Read a number of an address.

    Raises:
        UsageError: If it is none, or not in its range.
    """
    written = query.get(key) or ""
    if not written:
        return default
    plain = re.fullmatch(r"\d{1,5}(\.\d{1,5})?", written, re.ASCII)
    if not plain or not least <= float(written) <= most:
        raise UsageError(
            f"'{written[:40]}' does not do for '{key}'. Write a number from {least:g} to {most:g}."
        )
    return float(written)


def _choice(query: Mapping[str, str], key: str, choices: tuple[str, ...]) -> str:
    chosen = query.get(key) or choices[0]
    if chosen not in choices:
        raise UsageError(f"'{chosen[:40]}' does not do for '{key}'. {say_choices(chosen, choices)}")
    return chosen


def _parted(name: str, kinds: tuple[str, ...]) -> tuple[str, str]:
    place, _, kind = name.partition(".")
    if kind not in kinds:
        raise HTTPException(404)
    return place, kind


def _title(opened: Opened, selection: Selection, count: int, most: int) -> str:
    """Say what a sheet shows: data, run, order, filters, and how many of how many."""
    dataset = opened.workspace.dataset
    order = next(sort.label for sort in SORTS if sort.key == selection.sort)
    shown = f"{count:,} examples" if count <= most else f"the first {most:,} of {count:,} examples"
    parts = [
        f"{dataset.name}, {dataset.split}", selection.run, order[0].lower() + order[1:],
        selection.describe(), shown,
    ]
    return " · ".join(part for part in parts if part)
