"""The data routes: bytes of pictures, run lengths of masks, orders as numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, HTTPException, Request, Response

from inspector.browse import FILTERS, SORTS, Browser, read_selection
from inspector.core.errors import UsageError
from inspector.core.failures import FAILURE_MODES
from inspector.core.metrics import METRICS
from inspector.formats.pictures import PictureStore
from inspector.server.items import example_item
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
    browser, pictures = Browser(workspace), PictureStore()
    version = workspace.version
    start = json.dumps(_start(workspace, browser), ensure_ascii=False).encode()
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

    @app.get("/data/{asked}/order")
    def _order(asked: str, request: Request) -> Response:
        check(asked)
        try:
            selection = read_selection(request.query_params, workspace)
        except UsageError as error:
            return _json({"error": str(error)}, _NEVER, 400)
        order = browser.order(selection)
        return Response(order.tobytes(), media_type="application/octet-stream", headers=_FOREVER)

    @app.get("/data/{asked}/describe")
    def _describe(asked: str, request: Request) -> Response:
        check(asked)
        try:
            selection = read_selection(request.query_params, workspace)
        except UsageError as error:
            return _json({"error": str(error)}, _NEVER, 400)
        return _json({"sentence": selection.describe()}, _FOREVER)

    @app.get("/data/{asked}/ids")
    def _ids(asked: str) -> Response:
        check(asked)
        return Response(ids, media_type="application/json", headers=_FOREVER)

    @app.get("/data/{asked}/examples/{indexes}")
    def _examples(asked: str, indexes: str) -> Response:
        check(asked)
        parts = indexes.split(",")
        if len(parts) > _MOST_ITEMS:
            raise HTTPException(404)
        rows = [_index(part, len(workspace.dataset)) for part in parts]
        return _json([example_item(workspace, row) for row in rows], _FOREVER)

    @app.get("/data/{asked}/pictures/{row}")
    def _picture(asked: str, row: str) -> Response:
        check(asked)
        image = workspace.dataset.images[_index(row, len(workspace.dataset.images))]
        try:
            content = pictures.read(image.location)
        except OSError:
            raise HTTPException(404, "The picture file is gone.") from None
        kind = next((kind for magic, kind in _KINDS if content and content.startswith(magic)), "")
        if not kind:
            raise HTTPException(404, "There is no picture that a browser can draw.")
        return Response(content, media_type=kind, headers=_FOREVER)

    @app.get("/page/{asked}/{name}")
    def _page(asked: str, name: str) -> Response:
        if name not in page:
            raise HTTPException(404)
        kind, content = page[name]
        return Response(content, media_type=kind, headers=_FOREVER)

    return app


def _index(text: str, count: int) -> int:
    """Read an index that the server gave out; anything else is no address of ours."""
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) < count):
        raise HTTPException(404)
    return int(text)


def _json(value: Any, headers: dict[str, str], status: int = 200) -> Response:
    content = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", errors="replace"
    )
    return Response(content, status, media_type="application/json", headers=headers)


def _start(workspace: Workspace, browser: Browser) -> dict[str, Any]:
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
        "categories": browser.categories,
        "filters": [{"key": entry.key, "label": entry.label} for entry in FILTERS],
        "sorts": [
            {"key": s.key, "label": s.label, "needsRun": s.needs_run} for s in SORTS
        ],
        "problems": len(workspace.problems),
        "problemCount": sum(problem.count for problem in workspace.problems),
        "errorCount": sum(p.count for p in workspace.problems if p.severity == "error"),
    }
