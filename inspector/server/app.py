"""The data routes: bytes of pictures, run lengths of masks, orders as numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from fastapi import FastAPI, HTTPException, Request, Response

from inspector.browse import Selection, read_selection
from inspector.care import CareWords
from inspector.core.errors import InspectorError
from inspector.figures.sheet import MOST_FIGURES
from inspector.findings import Store, no_store
from inspector.live import Desk
from inspector.report.found import remarks_of, reviews_of
from inspector.report.options import MOST_EXAMPLES
from inspector.server.answers import FOREVER, NEVER, answer_json
from inspector.server.bodies import BodyError
from inspector.server.exports import add_export_routes
from inspector.server.findings import add_findings_routes
from inspector.server.found_rows import found_beside
from inspector.server.holding import Holder
from inspector.server.live import add_live_routes
from inspector.server.opened import GoneError, NoPictureError, Opened
from inspector.server.panels import PANELS
from inspector.server.pointer import Pointer, add_pointer_routes
from inspector.server.report import MOST_TITLE, add_report_routes
from inspector.server.rules import read_rules
from inspector.server.sessions import viewer_of
from inspector.workspace import Workspace

_MOST_ITEMS = 64
_MOST_ROWS = 2**31 - 1
_PANEL_KEYS = ("run", "against", "published")


def create_app(
    workspace: Workspace, *, page: Mapping[str, tuple[str, bytes]],
    reopen: Callable[[Workspace], Workspace] | None = None, live: Desk | None = None,
    pointer: Pointer | None = None, findings: Store | None = None,
    care: CareWords | None = None,
) -> FastAPI:
    """Make the server of one workspace.

    Args:
        workspace: What is shown.
        page: Files of the page by name, each with its content type; nothing else is served.
        reopen: Reads the files again, for the page's reload key; gives the same workspace if
            nothing has changed. None where that is not offered.
        live: A model that can be asked; closed by who made it.
        pointer: Joins a program to the pages.
        findings: Where findings are kept; without it none are.
        care: Words for which a sentence is veiled; those of the list if None.
    """
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    store = findings or no_store("The page was opened without a file for them.")
    holder = Holder(workspace, reopen, store, care)

    def selected(
        version: str, request: Request, *, across: bool = False
    ) -> tuple[Opened, Selection]:
        opened = holder.at(version)
        return opened, read_selection(request.query_params, opened.workspace, across=across)

    @app.exception_handler(InspectorError)
    def _refuse(request: Request, error: InspectorError) -> Response:
        return answer_json({"error": str(error)}, 400)

    @app.exception_handler(NoPictureError)
    def _no_picture(request: Request, error: NoPictureError) -> Response:
        return answer_json({"detail": str(error)}, 404)

    @app.exception_handler(GoneError)
    def _gone(request: Request, error: GoneError) -> Response:
        return answer_json({"detail": str(error)}, 410)

    @app.exception_handler(BodyError)
    def _refuse_body(request: Request, error: BodyError) -> Response:
        return answer_json({"error": str(error)}, error.status)

    def order_of(query: Mapping[str, str]) -> list[str]:
        opened = holder.under(read_rules(query, holder.workspace))
        order = opened.browser.order(read_selection(query, opened.workspace))
        ids = opened.workspace.dataset.expressions.ids
        return [ids[place] for place in order.tolist()]

    if pointer is not None:
        pointer.lend_order(order_of)
    add_pointer_routes(app, pointer)
    add_live_routes(app, holder.at, live)
    add_findings_routes(app, holder.at, store)
    add_export_routes(
        app, at=holder.at, selected=selected, index=_index,
        more=(lambda opened: found_beside(store, opened.workspace)) if store.path else None,
    )
    add_report_routes(app, holder.at, found=lambda opened: (
        remarks_of(store, opened.asked.dataset), reviews_of(store, opened.asked)
    ))

    @app.get("/data/start")
    def _start(request: Request) -> Response:
        rules = read_rules(request.query_params, holder.workspace)
        start = holder.under(rules).start(can_reload=reopen is not None)
        start["live"] = live.describe() if live is not None else None
        start["follows"] = pointer is not None
        start["limits"] = {
            "reportExamples": MOST_EXAMPLES, "reportTitle": MOST_TITLE, "sheet": MOST_FIGURES,
        }
        viewer = viewer_of(request.scope)
        start["viewer"] = {"name": viewer.name, "isLoggedIn": viewer.is_logged_in}
        return answer_json(start)

    @app.post("/data/reload")
    def _reload() -> Response:
        holder.reload()
        return answer_json({"version": holder.workspace.version})

    @app.get("/data/problems")
    def _problems() -> Response:
        return answer_json([problem.to_json() for problem in holder.workspace.problems])

    @app.get("/data/{version}/order")
    def _order(version: str, request: Request) -> Response:
        opened, selection = selected(version, request)
        order = opened.browser.order(selection)
        return _numbers(order, headers=_kept(opened))

    @app.get("/data/{version}/window")
    def _window(version: str, request: Request, offset: str = "0", limit: str = "50") -> Response:
        opened, selection = selected(version, request, across=True)
        window = opened.browser.window(
            selection, _index(offset, _MOST_ROWS), _index(limit, _MOST_ITEMS + 1)
        )
        return answer_json({"total": window.total, "rows": [
            {**opened.items.row(place, run if run >= 0 else None, masks=False),
             "run": opened.run_names[run] if run >= 0 else ""}
            for run, place in window.rows
        ]}, headers=_kept(opened))

    @app.get("/data/{version}/counts")
    def _counts(version: str, request: Request) -> Response:
        opened, selection = selected(version, request, across=True)
        counts = opened.browser.counts(selection)
        return answer_json(counts, headers=_kept(opened))

    @app.get("/data/{version}/scatter")
    def _scatter(version: str, request: Request) -> Response:
        opened, selection = selected(version, request, across=True)
        against = request.query_params.get("against", "")
        points = opened.browser.scatter(selection, against)
        return answer_json(points, headers=_kept(opened))

    @app.get("/data/{version}/describe")
    def _describe(version: str, request: Request) -> Response:
        opened, selection = selected(version, request)
        empty = request.query_params.get("empty") == "1"
        return answer_json({
            "sentence": selection.describe(),
            "phrases": selection.phrases(),
            "suggestion": opened.browser.suggest(selection) if empty else "",
        }, headers=FOREVER)

    @app.get("/data/{version}/ids")
    def _ids(version: str) -> Response:
        return Response(
            holder.at(version).ids, media_type="application/json", headers=FOREVER
        )

    @app.get("/data/{version}/referents")
    def _referents(version: str) -> Response:
        return _numbers(holder.at(version).workspace.dataset.expressions.referent)

    @app.get("/data/{version}/images")
    def _images(version: str) -> Response:
        return _numbers(holder.at(version).workspace.dataset.expressions.image)

    @app.get("/data/{version}/examples/{places}")
    def _examples(version: str, places: str) -> Response:
        opened = holder.at(version)
        rows = _indexes(places, len(opened.workspace.dataset))
        return answer_json([opened.items.whole(row) for row in rows], headers=FOREVER)

    @app.get("/data/{version}/rows/{places}")
    def _rows(version: str, places: str, run: str = "", masks: str = "") -> Response:
        opened = holder.at(version)
        if run and run not in opened.run_names:
            raise HTTPException(404)
        at = opened.run_names.index(run) if run else None
        rows = _indexes(places, len(opened.workspace.dataset))
        items = [opened.items.row(row, at, masks=masks == "1") for row in rows]
        return answer_json(items, headers=FOREVER)

    @app.get("/data/{version}/panels/{key}")
    def _panel(version: str, key: str, request: Request) -> Response:
        opened = holder.at(version)
        if key not in {panel.key for panel in PANELS}:
            raise HTTPException(404)
        query = {k: request.query_params[k] for k in _PANEL_KEYS if k in request.query_params}
        return answer_json(opened.panel(key, query))

    @app.get("/data/{version}/pictures/{row}")
    def _picture(version: str, row: str) -> Response:
        opened = holder.at(version)
        content, kind = opened.picture(_index(row, len(opened.workspace.dataset.images)))
        return Response(content, media_type=kind, headers=FOREVER)

    @app.get("/data/{version}/thumbnails/{row}")
    def _thumbnail(version: str, row: str) -> Response:
        opened = holder.at(version)
        small = opened.thumbnail(_index(row, len(opened.workspace.dataset.images)))
        return Response(small, media_type="image/jpeg", headers=FOREVER)

    @app.get("/page/{version}/{name}")
    def _page(version: str, name: str) -> Response:
        if name not in page:
            raise HTTPException(404)
        kind, content = page[name]
        return Response(content, media_type=kind, headers=FOREVER)

    return app


def _indexes(text: str, count: int) -> list[int]:
    parts = text.split(",")
    if len(parts) > _MOST_ITEMS:
        raise HTTPException(404)
    return [_index(part, count) for part in parts]


def _index(text: str, count: int) -> int:
    """Read an index that the server gave out; anything else is no address of ours."""
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and int(text) < count):
        raise HTTPException(404)
    return int(text)


def _kept(opened: Opened) -> dict[str, str]:
    """Say how long an answer of the browser holds: asked after it, which reads the findings."""
    return NEVER if opened.is_behind else FOREVER


def _numbers(values: np.ndarray, headers: Mapping[str, str] = FOREVER) -> Response:
    content = values.astype("<i4").tobytes()
    return Response(content, media_type="application/octet-stream", headers=dict(headers))
