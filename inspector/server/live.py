"""Routes of the live model: a question, how far it is, and pictures of the viewer's own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI, HTTPException, Request, Response
from starlette.concurrency import run_in_threadpool

from inspector.core.errors import UsageError, describe_size, say_choices
from inspector.live import Desk, ModelError, Question
from inspector.live.comparing import LiveAnswer, measure_stored, measure_truth
from inspector.live.line import Done, Failed, LineFullError, Running, State
from inspector.live.pictures import dropped_picture, stored_picture
from inspector.server.addresses import MOST_PICTURE
from inspector.server.answers import NEVER, answer_json
from inspector.server.bodies import content_type, read_body
from inspector.server.json_bodies import is_whole_text, read_json
from inspector.server.opened import NoPictureError, Opened

MOST_LETTERS = 500  # of a sentence
_MOST_UPLOADS = 4  # pictures that are opened at once
_WAIT_SECONDS = 0.4
_LOOK_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question as the page sends it; ``place`` is -1 for a picture of the viewer's own."""

    sentence: str
    client: str
    place: int
    run: str
    picture: str


def add_live_routes(app: FastAPI, at: Callable[[str], Opened], desk: Desk | None) -> None:
    """Add the routes; without a model they are not there.

    None of them waits for the model in a thread: a question waits in the line's own, and who asks
    how far it is waits a moment between other requests. So one slow model delays no page turn.

    Args:
        app: What to add them to.
        at: Gives what is open under a version.
        desk: The model.
    """
    if desk is None:
        return
    uploads = 0

    @app.post("/data/{version}/live")
    async def _ask(version: str, request: Request) -> Response:
        opened = at(version)
        asked = _read_question(await read_json(request), opened)
        if asked.place >= 0:
            work = _about_example(desk, opened, asked)
        else:
            work = _about_picture(desk, asked)
        viewer = asked.client or (request.client.host if request.client else "")
        try:
            return answer_json({"ticket": desk.line.ask(viewer, work)})
        except LineFullError as error:
            return answer_json({"error": str(error)}, 429)

    @app.get("/data/{version}/live/{ticket}")
    async def _look(version: str, ticket: str) -> Response:
        at(version)
        until = time.monotonic() + _WAIT_SECONDS
        while True:
            state = desk.line.look(ticket)
            if state is None:
                raise HTTPException(404, "That question is not known any more. Ask again.")
            if isinstance(state, Done | Failed) or time.monotonic() >= until:
                return answer_json(_state_json(state))
            await asyncio.sleep(_LOOK_SECONDS)

    @app.delete("/data/{version}/live/{ticket}")
    async def _cancel(version: str, ticket: str) -> Response:
        at(version)
        if not desk.line.cancel(ticket):
            raise HTTPException(404, "That question is not known any more.")
        return answer_json({})

    @app.post("/data/{version}/live/picture")
    async def _give(version: str, request: Request) -> Response:
        nonlocal uploads
        at(version)
        kind = content_type(request)
        if kind != "application/octet-stream" and not kind.startswith("image/"):
            return answer_json({"error": "Send the bytes of a picture, as image/jpeg or so."}, 415)
        if uploads >= _MOST_UPLOADS:
            return answer_json({"error": "Too many pictures arrive at once. Give it again."}, 429)
        uploads += 1
        try:
            content = await read_body(
                request.receive, length=request.headers.get("content-length"), most=MOST_PICTURE
            )
            picture = await run_in_threadpool(dropped_picture, content)
        finally:
            uploads -= 1
        token = desk.pictures.put(picture)
        return answer_json({"picture": token, "size": list(picture.size_hw)})

    @app.get("/data/{version}/live/picture/{token}")
    async def _given(version: str, token: str) -> Response:
        at(version)
        try:
            picture = desk.pictures.get(token)
        except UsageError as error:
            raise HTTPException(404, str(error)) from error
        return Response(picture.content, media_type=picture.kind, headers=NEVER)


def _about_example(desk: Desk, opened: Opened, asked: _Asked) -> Callable[[], LiveAnswer]:
    """Say how a question about a stored picture is answered, in the line's thread."""
    workspace = opened.workspace
    dataset, place = workspace.dataset, asked.place
    image = int(dataset.expressions.image[place])

    def work() -> LiveAnswer:
        try:
            picture = stored_picture(opened.picture(image)[0])
        except NoPictureError as error:
            raise ModelError(f"The model cannot be asked: {error}") from error
        size = dataset.images[image].size_hw
        if picture.size_hw != size:
            raise ModelError(
                f"The picture's file has {describe_size(picture.size_hw)}, its annotations are "
                f"for {describe_size(size)}. A mask of the one does not fit the other."
            )
        mask = desk.model.answer(Question(picture, asked.sentence))
        stored = None
        if asked.run:
            stored = measure_stored(
                workspace.scores[opened.run_names.index(asked.run)], place, mask
            )
        return LiveAnswer(
            mask, size, measure_truth(dataset, place, mask, workspace.protocol), stored
        )

    return work


def _about_picture(desk: Desk, asked: _Asked) -> Callable[[], LiveAnswer]:
    picture = desk.pictures.get(asked.picture)

    def work() -> LiveAnswer:
        return LiveAnswer(
            desk.model.answer(Question(picture, asked.sentence)), picture.size_hw
        )

    return work


def _read_question(value: dict[str, Any], opened: Opened) -> _Asked:
    """Read a question.

    Raises:
        UsageError: If it is none.
    """
    known = ("place", "picture", "sentence", "run", "client")
    unknown = sorted(set(value) - set(known))
    if unknown:
        raise UsageError(f"A question has no '{unknown[0][:40]}'. {say_choices(unknown[0], known)}")
    if ("place" in value) == ("picture" in value):
        raise UsageError("A question must have 'place' or 'picture', one of them.")
    texts = {key: value.get(key, "") for key in ("sentence", "run", "client", "picture")}
    for key, text in texts.items():
        if not is_whole_text(text):
            raise UsageError(f"'{key}' must be text.")
    sentence = texts["sentence"].strip()
    if not sentence:
        raise UsageError("Write a sentence to ask the model with.")
    if len(sentence) > MOST_LETTERS:
        raise UsageError(
            f"The sentence has {len(sentence):,} letters; at most {MOST_LETTERS} are asked."
        )
    place = value.get("place", -1)
    count = len(opened.workspace.dataset)
    is_index = isinstance(place, int) and not isinstance(place, bool)
    if "place" in value and not (is_index and 0 <= place < count):
        raise UsageError(f"'place' must be a whole number from 0 to {count - 1}.")
    if texts["run"] and texts["run"] not in opened.run_names:
        choices = say_choices(texts["run"], opened.run_names)
        raise UsageError(f"No run '{texts['run'][:80]}'. {choices}")
    return _Asked(sentence, texts["client"][:80], place, texts["run"], texts["picture"])


def _state_json(state: State) -> dict[str, Any]:
    if isinstance(state, Done):
        return {"state": "done", "seconds": round(state.seconds, 3), **state.answer.to_json()}
    if isinstance(state, Failed):
        return {"state": "failed", "why": state.why}
    if isinstance(state, Running):
        return {"state": "running", "seconds": round(state.seconds, 3)}
    return {"state": "waiting", "ahead": state.ahead}
