"""Routes of review queues and saved views."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from fastapi import FastAPI, HTTPException, Request, Response
from starlette.concurrency import run_in_threadpool

from inspector.browse import FILTERS
from inspector.core.errors import UsageError
from inspector.findings.queues import (
    Queue,
    count_outdated,
    draw_queue,
    keep_queue,
    read_queue,
    read_queues,
    verdicts_on,
)
from inspector.findings.records import Finding
from inspector.findings.results import METHOD, QueueResult, judge_queue
from inspector.findings.views import delete_view, keep_view, read_views, rename_view
from inspector.server.answers import answer_json
from inspector.server.fields import read_fields
from inspector.server.json_bodies import read_json
from inspector.server.kept import Kept, key_of, name_of
from inspector.server.opened import Opened
from inspector.server.rules import CHOICES

VIEW_KEYS = frozenset((
    "view", "rows", "example", "run", "layer", "compare", "against", "sort", "reverse", "match",
    "threshold", *CHOICES, *(entry.key for entry in FILTERS),
))
"""Keys of the address that make a view; those of ``ui/viewer/address.js``."""


def add_review_routes(app: FastAPI, at: Callable[[str], Opened], kept: Kept) -> None:
    """Add the routes.

    Args:
        app: The server.
        at: Gives what is open under a version.
        kept: Where queues and views are kept.
    """
    store = kept.store

    @app.get("/data/{version}/queues")
    def _queues(version: str) -> Response:
        opened = at(version)
        _, found = kept.here(opened)
        return answer_json({"queues": [
            _queue_json(kept, opened, queue, found) for queue in read_queues(store, key_of(opened))
        ]})

    @app.post("/data/{version}/queues")
    async def _draw(version: str, request: Request) -> Response:
        opened, body = at(version), await read_json(request)
        store.check_writable()
        asked = read_fields(body, {"run": str}, {"size": int, "how": str, "seed": int, "who": str})

        def draw() -> Response:
            queue = draw_queue(
                kept.run(opened, asked["run"]), key_of(opened), size=asked.get("size", 50),
                how=asked.get("how", "proportional"), seed=asked.get("seed"),
                who=name_of(request, asked.get("who", "")),
            )
            return answer_json(_whole_json(kept, opened, keep_queue(store, queue)))

        return await run_in_threadpool(draw)

    @app.get("/data/{version}/queues/{number}")
    def _queue(version: str, number: str) -> Response:
        opened = at(version)
        if not (number.isascii() and number.isdigit() and len(number) <= 15):
            raise HTTPException(404)
        try:
            queue = read_queue(store, key_of(opened), int(number))
        except UsageError as error:
            raise HTTPException(404, str(error)) from error
        return answer_json(_whole_json(kept, opened, queue))

    def views(opened: Opened) -> Response:
        return answer_json({"views": [
            {"name": view.name, "query": dict(view.query), "who": view.who, "when": view.at}
            for view in read_views(store, key_of(opened), VIEW_KEYS)
        ]})

    @app.get("/data/{version}/views")
    def _views(version: str) -> Response:
        return views(at(version))

    @app.post("/data/{version}/views")
    async def _keep_view(version: str, request: Request) -> Response:
        opened, body = at(version), await read_json(request)
        asked = read_fields(
            body, {"name": str}, {"query": dict, "to": str, "replace": bool, "who": str}
        )
        if ("query" in asked) == ("to" in asked):
            raise UsageError("A view must have 'query', to be kept, or 'to', to be renamed.")

        def keep() -> Response:
            if "to" in asked:
                rename_view(store, key_of(opened), asked["name"], asked["to"])
            else:
                keep_view(
                    store, key_of(opened), asked["name"], asked["query"], known=VIEW_KEYS,
                    who=name_of(request, asked.get("who", "")),
                    replace=asked.get("replace", False),
                )
            return views(opened)

        return await run_in_threadpool(keep)

    @app.delete("/data/{version}/views")
    async def _delete_view(version: str, request: Request) -> Response:
        opened, body = at(version), await read_json(request)
        name = read_fields(body, {"name": str})["name"]

        def delete() -> Response:
            delete_view(store, key_of(opened), name)
            return views(opened)

        return await run_in_threadpool(delete)


def verdict_of(
    queue: Queue, opened: Opened, found: Mapping[int, Finding]
) -> dict[str, tuple[str, str]]:
    """Give the verdicts on a queue's run, as :func:`verdicts_on` takes them."""
    index_of = opened.workspace.dataset.index_of
    given = {}
    for place in queue.places:
        finding = found.get(index_of.get(place.example_id, -1))
        judged = finding.verdicts.get(queue.run) if finding else None
        if judged:
            given[place.example_id] = judged.verdict, judged.evidence.digest
    return given


def _queue_json(
    kept: Kept, opened: Opened, queue: Queue, found: Mapping[int, Finding]
) -> dict[str, Any]:
    given = verdict_of(queue, opened, found)
    return {
        "id": queue.id, "run": queue.run, "how": queue.how, "seed": queue.seed, "who": queue.who,
        "when": queue.at, "size": len(queue.places),
        "done": sum(bool(verdict) for verdict in verdicts_on(queue, given)),
        "outdated": count_outdated(queue, given),
        "runChanged": queue.run in opened.run_names
        and kept.run(opened, queue.run).digest != queue.run_digest,
    }


def _whole_json(kept: Kept, opened: Opened, queue: Queue) -> dict[str, Any]:
    _, found = kept.here(opened)
    index_of = opened.workspace.dataset.index_of
    here = [index_of[place.example_id] for place in queue.places if place.example_id in index_of]
    result = judge_queue(queue, verdicts_on(queue, verdict_of(queue, opened, found)))
    return {
        **_queue_json(kept, opened, queue, found),
        "places": here, "elsewhere": len(queue.places) - len(here),
        "threshold": queue.threshold, "failures": sum(s.failures for s in queue.strata),
        "strata": [asdict(stratum) for stratum in queue.strata],
        "result": _result_json(result) if result else None,
    }


def _result_json(result: QueueResult) -> dict[str, Any]:
    return {
        "reviewed": result.reviewed, "skipped": result.skipped, "failures": result.failures,
        "examples": result.examples, "unseen": result.unseen,
        "strata": [asdict(stratum) for stratum in result.strata],
        "shares": {key: asdict(share) for key, share in result.shares.items()},
        "score": {
            "published": result.published, "labelsRight": asdict(result.labels_right),
            "leftOut": asdict(result.left_out) if result.left_out else None,
        },
        "method": METHOD,
    }
