"""Routes of the report: ask for one, see how far it is, take the file away."""

from __future__ import annotations

import logging
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI, HTTPException, Request, Response

from inspector.browse import ALL_RUNS, read_selection
from inspector.core.errors import InspectorError, UsageError, say_choices
from inspector.report import (
    Chosen,
    Remark,
    Report,
    ReportOptions,
    Review,
    build_report,
    choose_first,
)
from inspector.report.options import MOST_EXAMPLES, WORST
from inspector.server.answers import answer_json, download, file_name
from inspector.server.bodies import BodyError
from inspector.server.json_bodies import is_whole_text, read_json
from inspector.server.opened import Opened

MOST_TITLE = 200
_MOST_KEYS = 40
_MOST_VALUE = 2_000
_MOST_WAITING = 4
_KEPT = 4  # finished reports of at most 15 MB each
_FIELDS = frozenset(("title", "examples", "worst", "selection", "run", "layer"))

_LOG = logging.getLogger(__name__)

Found = tuple[Mapping[str, Remark], tuple[Review, ...]]
"""What people found out: remarks by example id, and what review queues came to."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A report as the page asks for it; ``examples`` are places, None for the first ``worst``."""

    title: str
    examples: tuple[int, ...] | None
    worst: int
    selection: Mapping[str, str]
    run: str
    layer: str


@dataclass
class _Made:
    """One report: how far it is, and what came of it."""

    version: str
    name: str
    step: str = ""
    share: float = 0.0
    report: Report | None = None
    error: str = ""
    is_over: bool = False


@dataclass
class ReportDesk:
    """Makes reports one after the other beside the page turns, and keeps the last few."""

    _pool: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(1, thread_name_prefix="report")
    )
    _made: OrderedDict[str, _Made] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(
        self, version: str, name: str, make: Callable[[Callable[[str, int, int], None]], Report]
    ) -> str | None:
        """Begin a report and give its token; None where too many wait already."""
        entry, token = _Made(version, name), secrets.token_hex(16)
        with self._lock:
            if sum(not one.is_over for one in self._made.values()) >= _MOST_WAITING:
                return None
            self._made[token] = entry
            over = [key for key, one in self._made.items() if one.is_over]
            for key in over[: max(len(over) - _KEPT + 1, 0)]:
                del self._made[key]
        self._pool.submit(self._run, entry, make)
        return token

    @staticmethod
    def _run(
        entry: _Made, make: Callable[[Callable[[str, int, int], None]], Report]
    ) -> None:
        def progress(step: str, done: int, total: int) -> None:
            entry.step, entry.share = step, done / max(total, 1)

        try:
            entry.report = make(progress)
        except InspectorError as error:
            entry.error = str(error)
        except Exception:  # said to who asked; the page goes on
            _LOG.exception("a report could not be made")
            entry.error = "The report could not be made: something unforeseen went wrong."
        finally:
            entry.is_over = True

    def look(self, version: str, token: str) -> _Made | None:
        """Give a report of this version by its token."""
        with self._lock:
            entry = self._made.get(token)
        return entry if entry is not None and entry.version == version else None


def add_report_routes(
    app: FastAPI, at: Callable[[str], Opened], *, found: Callable[[Opened], Found] | None = None
) -> ReportDesk:
    """Add the routes.

    Args:
        app: What to add them to.
        at: Gives what is open under a version.
        found: Gives what people found out; nothing if None.
    """
    desk = ReportDesk()

    @app.post("/data/{version}/report")
    async def _ask(version: str, request: Request) -> Response:
        opened = at(version)
        wanted = _read_wanted(await read_json(request), opened)

        def make(progress: Callable[[str, int, int], None]) -> Report:
            remarks, reviews = found(opened) if found else ({}, ())
            options = ReportOptions(
                title=wanted.title, run=_own_run(opened, wanted), layer=wanted.layer,
                remarks=remarks, reviews=reviews, is_sensitive=opened.care.match,
            )
            return build_report(opened.asked, _choose(opened, wanted), options, progress=progress)

        token = desk.ask(version, _file_name(opened), make)
        if token is None:
            return answer_json(
                {"error": "Other reports are being made. Ask again in a moment."}, 429
            )
        return answer_json({"token": token})

    @app.get("/data/{version}/report/{token}.html")
    def _take(version: str, token: str) -> Response:
        at(version)
        entry = desk.look(version, token)
        if entry is None or entry.report is None:
            raise HTTPException(404, "That report is not there any more. Make it anew.")
        return Response(entry.report.content, media_type="text/html; charset=utf-8", headers={
            **download(entry.name),
            "content-security-policy": "sandbox; default-src 'none'",  # a file, not our page
        })

    @app.get("/data/{version}/report/{token}")
    def _look(version: str, token: str) -> Response:
        at(version)
        entry = desk.look(version, token)
        if entry is None:
            raise HTTPException(404, "That report is not there any more. Make it anew.")
        if entry.error:
            return answer_json({"error": entry.error}, 400)
        if entry.report is None:
            return answer_json({"progress": round(entry.share, 3), "step": entry.step})
        return answer_json({
            "result": {"name": entry.name, "bytes": len(entry.report.content),
                       "examples": entry.report.examples, "notes": list(entry.report.notes)},
        })

    return desk


def _read_wanted(value: dict[str, Any], opened: Opened) -> _Wanted:
    """Read what is asked for.

    Raises:
        BodyError: If a field is unknown or not of its kind.
    """
    for key in value:
        if key not in _FIELDS:
            choices = say_choices(key, sorted(_FIELDS))
            raise BodyError(400, f"A report has no '{key[:40]}'. {choices}")
    title = _text(value, "title", MOST_TITLE)
    run, layer = _text(value, "run", _MOST_VALUE), _text(value, "layer", 40) or "agreement"
    worst = value.get("worst", WORST)
    if not _is_count(worst, MOST_EXAMPLES):
        raise BodyError(400, f"'worst' must be a whole number from 0 to {MOST_EXAMPLES}.")
    selection = value.get("selection") or {}
    if not isinstance(selection, dict) or len(selection) > _MOST_KEYS or not all(
        is_whole_text(key) and is_whole_text(text) and len(text) <= _MOST_VALUE
        for key, text in selection.items()
    ):
        raise BodyError(400, "'selection' must be an object of the address's keys and texts.")
    examples = value.get("examples")
    if examples is not None and (
        not isinstance(examples, list) or len(examples) > MOST_EXAMPLES
        or not all(_is_count(place, len(opened.workspace.dataset) - 1) for place in examples)
    ):
        raise BodyError(400, f"'examples' must be a list of at most {MOST_EXAMPLES} places of "
                             "examples, or null.")
    places = None if examples is None else tuple(dict.fromkeys(examples))
    return _Wanted(title, places, worst, selection, run, layer)


def _text(value: Mapping[str, Any], key: str, most: int) -> str:
    text = value.get(key, "")
    if not is_whole_text(text) or len(text) > most:
        raise BodyError(400, f"'{key}' must be text of at most {most:,} characters.")
    return str(text)


def _is_count(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


def _own_run(opened: Opened, wanted: _Wanted) -> str:
    """The run to be drawn; a second ground truth stands among the runs only on the page."""
    names = [scores.run.name for scores in opened.asked.scores]
    asked = wanted.run or wanted.selection.get("run", "")
    if asked == ALL_RUNS and asked not in names:
        raise UsageError("The rows of all runs are no examples. Choose one run for the report.")
    is_truth = asked in opened.run_names and asked not in names
    return "" if is_truth else asked


def _choose(opened: Opened, wanted: _Wanted) -> Chosen:
    if wanted.examples is not None:
        number = len(wanted.examples)
        return Chosen(wanted.examples, f"{number:,} example{'' if number == 1 else 's'} chosen on "
                                       "the page.")
    query = dict(wanted.selection)
    if wanted.run:
        query["run"] = wanted.run
    selection = read_selection(query, opened.workspace)
    return choose_first(opened.workspace, selection, wanted.worst, browser=opened.browser)


def _file_name(opened: Opened) -> str:
    dataset = opened.workspace.dataset
    return file_name("report", dataset.name, dataset.split, suffix="html")
