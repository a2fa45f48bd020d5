"""Which examples a report shows: named ones, those with a tag, or the first of a selection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from inspector.browse import ALL_RUNS, Browser, make_browser, read_selection
from inspector.browse.filters import FILTERS
from inspector.browse.selection import Selection
from inspector.browse.sorts import SORTS
from inspector.core.errors import UsageError, say_choices
from inspector.paths import user_path
from inspector.report.options import MOST_EXAMPLES, WORST, Chosen, Remark
from inspector.report.wording import count
from inspector.workspace import Workspace

_LIST_BYTES = 1_000_000
_FURTHER_KEYS = ("match", "sort", "reverse", "run")


def choose_named(workspace: Workspace, ids: Sequence[str]) -> Chosen:
    """Take the examples of these ids, in this order, each once.

    Raises:
        UsageError: If there is none, one is not in the data set, or there are too many.
    """
    wanted = list(dict.fromkeys(ids))
    if not wanted:
        raise UsageError("--examples names no example. Write --examples ID,ID… or a file of ids.")
    known = workspace.dataset.index_of
    unknown = [name for name in wanted if name not in known]
    if unknown:
        more = f" and {len(unknown) - 1:,} more" if len(unknown) > 1 else ""
        raise UsageError(
            f"No example '{unknown[0][:60]}'{more} in {workspace.dataset.name}, split "
            f"{workspace.dataset.split}. Copy ids from the page, or from the table of score --csv."
        )
    return Chosen(
        _bounded([known[name] for name in wanted]),
        f"{count(len(wanted), 'example')} chosen by hand, in this order.",
    )


def read_ids(text: str) -> list[str]:
    """Read the ids of ``--examples``: a list with commas, or a file of ids, one a line.

    What holds a comma is a list, whatever files there are: a long one is no name of a file.

    Raises:
        UsageError: If the file cannot be read, or is too large to be a list of examples.
    """
    if "," in text or not (path := user_path(text)).is_file():
        return [part.strip() for part in text.split(",") if part.strip()]
    return [line.strip() for line in _read(path).splitlines() if line.strip()]


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > _LIST_BYTES:
            raise UsageError(f"{path.name} is too large for a list of ids. Write one id a line.")
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{path.name} cannot be read as a list of ids ({error}). Write one id a line, in UTF-8."
        ) from error


def choose_tagged(workspace: Workspace, remarks: Mapping[str, Remark], tag: str) -> Chosen:
    """Take the examples that have a tag, in the order of the data set.

    Raises:
        UsageError: If no example has it; the known tags are listed.
    """
    known = workspace.dataset.index_of
    places = sorted(
        known[name] for name, remark in remarks.items() if tag in remark.tags and name in known
    )
    if not places:
        tags = sorted({t for name, r in remarks.items() if name in known for t in r.tags})
        raise UsageError(f"No example has the tag '{tag[:60]}'. {say_choices(tag, tags)}")
    return Chosen(_bounded(places), f"{count(len(places), 'example')} tagged “{tag}”.")


def choose_first(
    workspace: Workspace, selection: Selection, number: int = WORST, *,
    browser: Browser | None = None,
) -> Chosen:
    """Take the first examples of a selection in its order.

    Raises:
        UsageError: If the number is not one that a page can hold.
    """
    if not 0 <= number <= MOST_EXAMPLES:
        raise UsageError(
            f"{number:,} examples cannot be shown. A report holds from 0 to {MOST_EXAMPLES}."
        )
    if selection.run == ALL_RUNS:
        raise UsageError("The rows of all runs are no examples. Choose one run for the report.")
    order = (browser or make_browser(workspace)).order(selection)
    places = tuple(order[:number].tolist())
    label = next(sort.label for sort in SORTS if sort.key == selection.sort)
    why = label[0].lower() + label[1:] + (", reversed" if selection.reverse else "")
    if selection.run and selection.sort in ("worst", "best"):
        why += f", by {selection.run}"
    said = selection.describe()
    within = f" where {said}" if said else ""
    shown = count(len(places), "example")
    return Chosen(places, f"{shown} of {len(order):,}: {why}{within}.")


def read_where(pairs: Sequence[str], workspace: Workspace, *, run: str = "") -> Selection:
    """Read ``--where KEY=VALUE`` with the keys of the page's address.

    Raises:
        UsageError: If a key or a value is not known.
    """
    query: dict[str, str] = {"run": run} if run else {}
    keys = [entry.key for entry in FILTERS] + list(_FURTHER_KEYS)
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not value:
            raise UsageError(f"--where {pair[:80]} is not KEY=VALUE, such as failure=part.")
        if key not in keys:
            raise UsageError(f"--where knows no '{key[:40]}'. {say_choices(key, keys)}")
        query[key] = value
    return read_selection(query, workspace)


def _bounded(places: Sequence[int]) -> tuple[int, ...]:
    if len(places) > MOST_EXAMPLES:
        raise UsageError(
            f"{len(places):,} examples are more than the {MOST_EXAMPLES} that a report holds. "
            "Choose fewer."
        )
    return tuple(places)
