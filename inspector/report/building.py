"""Puts a report together from a workspace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from inspector.analysis.compare import MOST_RUNS
from inspector.core.errors import InspectorError, UsageError, say_choices
from inspector.report.comparing import make_comparison
from inspector.report.failing import make_failures, make_histograms
from inspector.report.gallery import LAYERS, make_examples
from inspector.report.markup import Markup, Section
from inspector.report.numbers import make_coverage, make_headline
from inspector.report.options import Chosen, Progress, ReportOptions, now
from inspector.report.page import write_page
from inspector.report.pictures import Pictures, collect_pictures
from inspector.report.provenance import PathHider, list_inputs, make_provenance
from inspector.report.reviewing import make_reviews
from inspector.report.slicing import make_slices
from inspector.report.truths import make_truths
from inspector.summary import describe_dataset
from inspector.workspace import Workspace

_ROOM = 200_000  # bytes kept for what is not in the first draft: digits of counts, no more


@dataclass(frozen=True, slots=True)
class Report:
    """A finished report.

    Attributes:
        content: The file's bytes, UTF-8.
        examples: How many examples are shown.
        notes: What is to be said to who made it, such as pictures that were compressed.
    """

    content: bytes
    examples: int
    notes: tuple[str, ...]


def build_report(
    workspace: Workspace, chosen: Chosen, options: ReportOptions | None = None, *,
    progress: Progress | None = None,
) -> Report:
    """Make the report of a workspace as one HTML file.

    The same workspace, examples and options with the same date give the same bytes.

    Args:
        workspace: Data set and runs; without a run the ground truth alone is shown.
        chosen: Which examples are shown.
        options: Title, remarks, date and the rest; their defaults if None.
        progress: Called with (what, done, all).

    Raises:
        UsageError: If there is no such run or layer, or an input file is gone.
        InspectorError: If the report cannot be kept below ``options.most_bytes``.
    """
    options = options or ReportOptions()
    options = replace(options, made=options.made or now())
    row = _run_row(workspace, options)
    runs = len(workspace.scores)
    workspace, row = _few_runs(workspace, row)
    hider = PathHider(workspace, is_on=not options.with_paths)
    inputs = list_inputs(workspace, progress=progress)
    sections = _numbers(workspace, row, hider, progress)
    if options.reviews:
        sections.append(make_reviews(options.reviews))
    provenance = make_provenance(workspace, inputs, options, hider)
    drawn: dict[tuple[int, bool], Markup] = {}
    images = [int(workspace.dataset.expressions.image[place]) for place in chosen.places]

    def assemble(pictures: Pictures) -> bytes:
        examples = make_examples(
            workspace, chosen, row, pictures, options, hide=hider.hide, drawn=drawn,
            progress=progress,
        )
        page = write_page(
            title=options.title or _title(workspace),
            lines=_lines(workspace, options, runs), sections=[*sections, examples, provenance],
            pictures=pictures.define(), layer=options.layer,
        )
        return page.encode("utf-8", errors="replace")

    def collect(most: int) -> Pictures:
        return collect_pictures(
            workspace, images, most_bytes=most, longest_side=options.longest_side,
            progress=progress,
        )

    content, pictures = _below(options.most_bytes, collect, assemble)
    return Report(content, len(chosen.places),
                  tuple(note for note in [pictures.describe()] if note))


def _below(
    most: int, collect: Callable[[int], Pictures], assemble: Callable[[Pictures], bytes]
) -> tuple[bytes, Pictures]:
    """Write the file; if it is too large, once more with the pictures made as small as needed."""
    pictures = collect(most)
    content = assemble(pictures)
    if len(content) <= most:
        return content, pictures
    rest = len(content) - len(pictures.define())
    if rest + _ROOM < most:
        pictures = collect(most - rest - _ROOM)
        content = assemble(pictures)
    if len(content) > most:
        raise InspectorError(
            f"The report would have {len(content) / 1e6:.1f} MB, more than {most / 1e6:.1f} MB. "
            "Show fewer examples (--worst N), or allow more with --max-mb."
        )
    return content, pictures


def _run_row(workspace: Workspace, options: ReportOptions) -> int | None:
    layers = [key for key, _ in LAYERS]
    if options.layer not in layers:
        raise UsageError(f"No layer '{options.layer[:40]}'. {say_choices(options.layer, layers)}")
    names = [scores.run.name for scores in workspace.scores]
    if not names and not options.run:
        return None
    if options.run and options.run not in names:
        raise UsageError(f"No run '{options.run[:80]}'. {say_choices(options.run, names)}")
    return names.index(options.run) if options.run else 0


def _numbers(
    workspace: Workspace, row: int | None, hider: PathHider, progress: Progress | None
) -> list[Section]:
    if row is None:
        return [make_coverage(workspace, hider.hide)]
    sections = [make_headline(workspace)]
    other = next((at for at in range(len(workspace.scores)) if at != row), None)
    if other is not None:
        sections.append(make_comparison(workspace, (row, other), progress=progress))
    sections += [make_failures(workspace), make_histograms(workspace),
                 make_slices(workspace, row, progress=progress)]
    if workspace.truths is not None:
        sections.append(make_truths(workspace.truths))
    return [*sections, make_coverage(workspace, hider.hide)]


def _title(workspace: Workspace) -> str:
    names = [scores.run.name for scores in workspace.scores]
    data = f"{workspace.dataset.name} {workspace.dataset.split}"
    if not names:
        return f"The ground truth of {data}"
    return f"{' and '.join(names) if len(names) < 3 else f'{len(names)} runs'} on {data}"


def _few_runs(workspace: Workspace, row: int | None) -> tuple[Workspace, int | None]:
    """Keep at most ten runs, the drawn one among them; more make no table to be read."""
    if row is None or len(workspace.scores) <= MOST_RUNS:
        return workspace, row
    kept = sorted({row, *[at for at in range(MOST_RUNS) if at != row][: MOST_RUNS - 1]})
    return replace(workspace, scores=tuple(workspace.scores[at] for at in kept)), kept.index(row)


def _lines(workspace: Workspace, options: ReportOptions, all_runs: int) -> list[str]:
    made = f"{options.made:%d %B %Y}".lstrip("0") if options.made else ""
    names = [scores.run.name for scores in workspace.scores]
    runs = f"Runs: {', '.join(names)}" if len(names) > 1 else (
        f"Run: {names[0]}" if names else "Ground truth only")
    if all_runs > len(names):
        runs += f" ({len(names)} of {all_runs:,})"
    return [describe_dataset(workspace.dataset), f"{runs} · {made}" if made else runs]
