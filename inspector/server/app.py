"""The data routes: bytes of pictures, run lengths of masks, orders as numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from fastapi import FastAPI, HTTPException, Request, Response

from inspector.browse import FILTERS, SORTS, Browser, Selection, read_selection
from inspector.core.errors import UsageError
from inspector.core.failures import FAILURE_MODES
from inspector.core.metrics import METRICS
from inspector.drawing import ThumbnailShelf, make_thumbnail
from inspector.formats.pictures import PictureStore
from inspector.server.items import Items
from inspector.summary import dataset_json, describe_coverage, describe_protocol
from inspector.workspace import Workspace

_FOREVER = {"cache-control": "private, max-age=31536000, immutable"}
_NEVER = {"cache-control": "no-store"}
_MOST_ITEMS = 64

_KINDS = (
    (b"\xff\xd8\xff", "image/jpeg"), (b"\x89PNG\r\n\x1a\n", "image/png"), (b"GIF8", "image/gif"),
    (b"BM", "image/bmp"), (b"RIFF", "image/webp"),
)
"""Kinds of pictures that a browser draws; anything else is not sent."""


def create_app(workspace: Workspace, *, page: Mapping[str, tuple[str, bytes]]) -> FastAPI:
    """Make the server of one workspace.

    Args:
        workspace: What is shown.
        page: Files of the page by name, each with its content type; nothing else is served.
    """
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    browser, pictures, shelf = Browser(workspace), PictureStore(), ThumbnailShelf()
    items = Items(workspace, browser)
    names = [scores.run.name for scores in workspace.scores]
    version = workspace.version
    start = json.dumps(_start(workspace), ensure_ascii=False).encode()
    ids = json.dumps(workspace.dataset.expressions.ids, separators=(",", ":")).encode()

    def check(asked: str) -> None:
        if asked != version:
            raise HTTPException(410, "The data was opened anew; reload the page.")

    @app.get("/data/start")
    def _start_route() -> Response:
        return Response(start, media_type="application/json", headers=_NEVER)

    @app.get("/data/problems")
    def _problems() -> Response:
        return _json([problem.to_json() for problem in workspace.problems], _NEVER)

    def asked_for(asked: str, request: Request) -> Selection:
        check(asked)
        return read_selection(request.query_params, workspace)

    @app.exception_handler(UsageError)
    def _refuse(request: Request, error: UsageError) -> Response:
        return _json({"error": str(error)}, _NEVER, 400)

    @app.get("/data/{asked}/order")
    def _order(asked: str, request: Request) -> Response:
        return _numbers(browser.order(asked_for(asked, request)))

    @app.get("/data/{asked}/counts")
    def _counts(asked: str, request: Request) -> Response:
        return _json(browser.counts(asked_for(asked, request)), _FOREVER)

    @app.get("/data/{asked}/scatter")
    def _scatter(asked: str, request: Request) -> Response:
        return _json(browser.scatter(asked_for(asked, request)), _FOREVER)

    @app.get("/data/{asked}/describe")
    def _describe(asked: str, request: Request) -> Response:
        selection = asked_for(asked, request)
        empty = request.query_params.get("empty") == "1"
        return _json({
            "sentence": selection.describe(),
            "phrases": selection.phrases(),
            "suggestion": browser.suggest(selection) if empty else "",
        }, _FOREVER)

    @app.get("/data/{asked}/ids")
    def _ids(asked: str) -> Response:
        check(asked)
        return Response(ids, media_type="application/json", headers=_FOREVER)

    @app.get("/data/{asked}/referents")
    def _referents(asked: str) -> Response:
        check(asked)
        return _numbers(workspace.dataset.expressions.referent)

    @app.get("/data/{asked}/images")
    def _images(asked: str) -> Response:
        check(asked)
        return _numbers(workspace.dataset.expressions.image)

    @app.get("/data/{asked}/examples/{indexes}")
    def _examples(asked: str, indexes: str) -> Response:
        check(asked)
        rows = _indexes(indexes, len(workspace.dataset))
        return _json([items.whole(row) for row in rows], _FOREVER)

    @app.get("/data/{asked}/rows/{indexes}")
    def _rows(asked: str, indexes: str, run: str = "", masks: str = "") -> Response:
        check(asked)
        if run and run not in names:
            raise HTTPException(404)
        at = names.index(run) if run else None
        rows = _indexes(indexes, len(workspace.dataset))
        return _json([items.row(row, at, masks=masks == "1") for row in rows], _FOREVER)

    @app.get("/data/{asked}/pictures/{row}")
    def _picture(asked: str, row: str) -> Response:
        check(asked)
        content, kind = picture(_index(row, len(workspace.dataset.images)))
        return Response(content, media_type=kind, headers=_FOREVER)

    @app.get("/data/{asked}/thumbnails/{row}")
    def _thumbnail(asked: str, row: str) -> Response:
        check(asked)
        at = _index(row, len(workspace.dataset.images))
        small = shelf.get(at)
        if small is None:
            small = make_thumbnail(picture(at)[0])
            if small is None:
                raise HTTPException(404, "The picture cannot be read.")
            shelf.put(at, small)
        return Response(small, media_type="image/jpeg", headers=_FOREVER)

    def picture(row: int) -> tuple[bytes, str]:
        try:
            content = pictures.read(workspace.dataset.images[row].location)
        except OSError:
            raise HTTPException(404, "The picture file is gone.") from None
        kind = next((kind for magic, kind in _KINDS if content and content.startswith(magic)), "")
        if not content or not kind:
            raise HTTPException(404, "There is no picture that a browser can draw.")
        return content, kind

    @app.get("/page/{asked}/{name}")
    def _page(asked: str, name: str) -> Response:
        if name not in page:
            raise HTTPException(404)
        kind, content = page[name]
        return Response(content, media_type=kind, headers=_FOREVER)

    return app


def _indexes(text: str, count: int) -> list[int]:
    parts = text.split(",")
    if len(parts) > _MOST_ITEMS:
        raise HTTPException(404)
    return [_index(part, count) for part in parts]


def _index(text: str, count: int) -> int:
    """Read an index that the server gave out; anything else is no address of ours."""
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) < count):
        raise HTTPException(404)
    return int(text)


def _numbers(values: np.ndarray) -> Response:
    content = values.astype("<i4").tobytes()
    return Response(content, media_type="application/octet-stream", headers=_FOREVER)


def _json(value: Any, headers: dict[str, str], status: int = 200) -> Response:
    content = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", errors="replace"
    )
    return Response(content, status, media_type="application/json", headers=headers)


def _start(workspace: Workspace) -> dict[str, Any]:
    """Everything that the page needs once: names, counts, metrics, menus."""
    dataset = workspace.dataset
    return {
        "version": workspace.version,
        "dataset": dataset_json(dataset),
        "isDemo": dataset.source == "demo",
        "protocol": workspace.protocol.to_json(),
        "rules": describe_protocol(workspace.protocol),
        "runs": [
            {
                "name": scores.run.name,
                "coverage": scores.coverage.to_json(),
                "coverageText": describe_coverage(scores),
                "metrics": metrics,
            }
            for scores, metrics in zip(workspace.scores, workspace.metrics, strict=True)
        ],
        "metrics": [
            {"key": m.key, "label": m.label, "description": m.description} for m in METRICS
        ],
        "failures": [
            {"key": m.key, "label": m.label, "icon": m.icon, "description": m.description}
            for m in FAILURE_MODES
        ],
        "filters": [
            {"key": entry.key, "kind": entry.kind, "step": entry.step, "more": entry.is_more}
            for entry in FILTERS
            if workspace.scores or not entry.needs_run
        ],
        "sorts": [
            {"key": sort.key, "needsRun": sort.needs_run, "descending": sort.descending}
            for sort in SORTS
        ],
        "problems": len(workspace.problems),
        "problemCount": sum(problem.count for problem in workspace.problems),
        "errorCount": sum(p.count for p in workspace.problems if p.severity == "error"),
    }
