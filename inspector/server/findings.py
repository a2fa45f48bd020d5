"""Routes of the findings: read, change, undo, take in and out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from inspector.core.errors import FormatError, UsageError, say_choices
from inspector.findings import Author, Slot, Store, read_finding, record
from inspector.findings.comparison import OUTCOMES, VerdictComparison, compare_with_now
from inspector.findings.exchange import merge, write_csv, write_jsonl
from inspector.findings.log import NoteConflictError
from inspector.findings.reading import read_csv, read_jsonl
from inspector.findings.records import Field, check_name, check_tag
from inspector.findings.store import NotWritableError, StoreError
from inspector.findings.tallies import count_notes, count_tags, count_verdicts
from inspector.findings.undoing import Which, turn
from inspector.findings.views import TakenError
from inspector.server.addresses import MOST_IMPORT
from inspector.server.answers import answer_json, download, file_name
from inspector.server.bodies import BodyError, content_type, read_body
from inspector.server.fields import read_fields
from inspector.server.findings_panel import findings_blocks
from inspector.server.json_bodies import read_json
from inspector.server.kept import Kept, is_here, key_of, name_of
from inspector.server.opened import Opened
from inspector.server.reviews import add_review_routes

_STATUS: dict[type[Exception], int] = {NotWritableError: 403, StoreError: 503, TakenError: 409}
_FIELDS: dict[str, Field] = {"verdict": "verdict", "tag": "tag", "untag": "tag", "note": "note"}

At = Callable[[str], Opened]


def add_findings_routes(app: FastAPI, at: At, store: Store) -> None:
    """Add the routes.

    Args:
        app: The server.
        at: Gives what is open under a version.
        store: Where findings are kept.
    """
    kept = Kept(store)
    for kind, status in _STATUS.items():
        app.add_exception_handler(kind, _refusal(status))

    @app.get("/data/{version}/findings")
    def _findings(version: str, request: Request, since: str = "0") -> Response:
        opened = at(version)
        revision, found = kept.here(opened, since=_number(since))
        return answer_json({
            "revision": revision, "place": _place(store, request), "canWrite": store.can_write,
            "why": store.why, "user": name_of(request),
            "examples": {
                str(place): kept.to_json(opened, place, finding)
                for place, finding in found.items()
            },
        })

    @app.post("/data/{version}/findings")
    async def _change(version: str, request: Request) -> Response:
        opened, body = at(version), await read_json(request)
        return await run_in_threadpool(_record, kept, opened, body, request)

    @app.post("/data/{version}/findings/undo")
    async def _undo(version: str, request: Request) -> Response:
        opened, body = at(version), await read_json(request)
        return await run_in_threadpool(_turn, kept, opened, body, request, "undo")

    @app.post("/data/{version}/findings/redo")
    async def _redo(version: str, request: Request) -> Response:
        opened, body = at(version), await read_json(request)
        return await run_in_threadpool(_turn, kept, opened, body, request, "redo")

    @app.get("/data/{version}/findings/summary")
    def _summary(version: str, run: str = "") -> Response:
        return answer_json(_summarise(kept, at(version), run))

    @app.get("/data/{version}/findings/panel")
    def _panel(version: str, run: str = "") -> Response:
        return answer_json({"result": findings_blocks(kept, at(version), run)})

    @app.get("/data/{version}/findings.jsonl")
    def _lines(version: str) -> Response:
        key = key_of(at(version))
        return _file(write_jsonl(store, key), "application/x-ndjson", key, "jsonl")

    @app.get("/data/{version}/findings.csv")
    def _table(version: str) -> Response:
        opened = at(version)
        dataset = opened.workspace.dataset
        index_of, sentences = dataset.index_of, dataset.expressions.sentences

        def sentence_of(example_id: str) -> str:
            place = index_of.get(example_id)
            return sentences[place] if place is not None else ""

        rows = write_csv(store, key_of(opened), sentence_of)
        return _file(rows, "text/csv; charset=utf-8", key_of(opened), "csv")

    @app.post("/data/{version}/findings/import")
    async def _take_in(version: str, request: Request) -> Response:
        opened, kind = at(version), content_type(request)
        readers = {"application/x-ndjson": read_jsonl, "text/csv": read_csv}
        if kind not in readers:
            raise BodyError(415, f"Send the file as {' or '.join(readers)}.")
        store.check_writable()
        content = await read_body(
            request.receive, length=request.headers.get("content-length"), most=MOST_IMPORT
        )

        def take_in() -> Response:
            key = key_of(opened)
            events = readers[kind](_text(content), key)
            merged = merge(store, events, key, open_ids=opened.workspace.dataset.index_of)
            return answer_json({"revision": store.revision(), **asdict(merged)})

        return await run_in_threadpool(take_in)

    add_review_routes(app, at, kept)


def _place(store: Store, request: Request) -> str:
    """The file as it is shown: whole on this machine, its name alone to visitors from elsewhere."""
    return store.place if is_here(request) else store.place.replace("\\", "/").rpartition("/")[2]


def _record(kept: Kept, opened: Opened, body: Mapping[str, Any], request: Request) -> Response:
    fields = read_fields(
        body, {"place": int, "field": str, "value": str, "client": str},
        {"run": str, "who": str, "seen": int},
    )
    place, value, wanted = fields["place"], fields["value"], fields["field"]
    if not 0 <= place < len(opened.workspace.dataset):
        raise UsageError(
            f"'place' must be a whole number from 0 to {len(opened.workspace.dataset) - 1}."
        )
    if wanted not in _FIELDS:
        raise UsageError(f"No field '{wanted[:40]}'. {say_choices(wanted, list(_FIELDS))}")
    field = _FIELDS[wanted]
    evidence, about = None, ""
    if field == "verdict":
        now = kept.run(opened, fields.get("run", ""))
        evidence, about = now.of(place), now.name
    elif field == "tag":
        about = check_tag(value)
        value = about if wanted == "tag" else ""
    slot = Slot(key_of(opened), opened.workspace.dataset.expressions.ids[place], field, about)
    try:
        revision = record(
            kept.store, slot, value, _author(fields, request), evidence=evidence,
            seen=fields.get("seen", 0),
        )
    except NoteConflictError as error:
        return answer_json({
            "error": str(error), "yours": error.yours, "theirs": error.theirs,
            "noteRevision": error.revision, "who": error.who, "when": error.at,
        }, 409)
    finding = read_finding(kept.store, slot.dataset, slot.example_id)
    return answer_json({"revision": revision, "finding": kept.to_json(opened, place, finding)})


def _turn(
    kept: Kept, opened: Opened, body: Mapping[str, Any], request: Request, which: Which
) -> Response:
    fields = read_fields(body, {"client": str}, {"who": str, "past": int})
    index_of, key = opened.workspace.dataset.index_of, key_of(opened)
    turned = turn(
        kept.store, which, key, _author(fields, request), index_of, past=fields.get("past")
    )
    answer: dict[str, Any] = {
        "revision": kept.store.revision(), "said": turned.said, "place": None,
        "blocked": turned.blocked,
    }
    if turned.example_id is not None:
        place = index_of[turned.example_id]
        finding = read_finding(kept.store, key, turned.example_id)
        answer |= {"place": place, "finding": kept.to_json(opened, place, finding)}
    return answer_json(answer)


def _author(fields: Mapping[str, Any], request: Request) -> Author:
    client = check_name(fields["client"], "'client'", 80)
    if not client:
        raise UsageError("'client' must name the tab, so that it can undo what it did.")
    return Author(name_of(request, fields.get("who", "")), client)


def _summarise(kept: Kept, opened: Opened, run: str) -> dict[str, Any]:
    """Tally what was found in the examples that are open."""
    revision, found = kept.here(opened)
    name = run or next(iter(opened.run_names), "")
    now = kept.run(opened, name) if name else None
    return {
        "revision": revision, "run": name, "examples": len(found),
        "verdicts": count_verdicts(found.values(), name),
        "byRun": {other: count_verdicts(found.values(), other) for other in sorted(
            {run for finding in found.values() for run in finding.verdicts})},
        "tags": count_tags(found.values()),
        "notes": count_notes(found.values()),
        "comparison": _comparison_json(compare_with_now(found, now)) if now else None,
    }


def _comparison_json(comparison: VerdictComparison) -> dict[str, Any]:
    return {
        "run": comparison.run, "verdicts": comparison.verdicts,
        "outcomes": [
            {
                "key": outcome.key, "label": outcome.label, "description": outcome.description,
                "count": comparison.counts[outcome.key],
                "places": {verdict: list(places) for verdict, places
                           in comparison.places[outcome.key].items()},
            }
            for outcome in OUTCOMES
        ],
    }


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FormatError(
            "is no UTF-8 text", record=f"line {line}", hint="Nothing was taken in."
        ) from error


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise HTTPException(404)
    return int(text)


def _refusal(status: int) -> Callable[[Request, Exception], Response]:
    return lambda request, error: answer_json({"error": str(error)}, status)


def _file(parts: Iterator[str], media_type: str, key: str, suffix: str) -> Response:
    return StreamingResponse(
        (part.encode() for part in parts), media_type=media_type,
        headers=download(file_name("findings", key, suffix=suffix)),
    )
