"""Where the numbers come from: versions, input files with their digests, command, rules, date."""

from __future__ import annotations

import hashlib
import platform
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC
from functools import cache
from importlib import metadata
from pathlib import Path

from inspector import __version__
from inspector.core.dataset import Dataset
from inspector.core.errors import UsageError
from inspector.formats import DEMO_FOLDER, DEMO_TRUTHS
from inspector.formats.parquet import fetch_from_hub, is_hub_id
from inspector.formats.request import LoadRequest
from inspector.paths import user_path
from inspector.report.markup import Markup, Section, element, join
from inspector.report.options import Progress, ReportOptions
from inspector.report.wording import count
from inspector.stored.files import find_tables
from inspector.summary import describe_protocol
from inspector.workspace import Workspace

LIBRARIES = ("numpy", "pycocotools", "pyarrow", "duckdb", "Pillow")
_ANNOTATIONS = frozenset(
    (".json", ".jsonl", ".p", ".pkl", ".pickle", ".parquet", ".csv", ".npz", ".npy", ".txt")
)
_ONE_BY_ONE = 12  # files of a folder that are listed each; more are taken together
_DEEPEST = 3
_MASKS = "masks"  # folders of this name hold annotations as pictures
_REFS = re.compile(r"g?refs\((?P<by>[^)]*)\)\.(p|json)$")


@dataclass(frozen=True, slots=True)
class InputFile:
    """One file that was read, or a folder of them taken together.

    Attributes:
        role: What it is to the report, such as ``data set`` or ``run words``.
        name: Its name without folders.
        path: Where it lies.
        sha256: Of its bytes; of a folder, of the sorted lines ``<sha256>  <name>`` of its files.
        bytes: Its size, or theirs.
        files: How many they are; 1 for a file.
    """

    role: str
    name: str
    path: Path
    sha256: str
    bytes: int
    files: int = 1


def list_inputs(workspace: Workspace, *, progress: Progress | None = None) -> list[InputFile]:
    """Find and digest the files of the data set, the second ground truth and the runs.

    Pictures are not among them, unless masks are kept as pictures: what was predicted and scored
    is told by the rest.
    """
    if workspace.opening is None and workspace.table is None:
        return []
    request = workspace.opening.request if workspace.opening else LoadRequest(
        workspace.dataset.source)
    wanted = list(_data_files(request, workspace.dataset, "data set"))
    if workspace.second is not None:
        other = workspace.second.b
        wanted += _data_files(LoadRequest(other.source), other, "ground truth B")
    if workspace.table is not None:
        wanted += [("table of scores", path) for path in find_tables(workspace.table.source).paths]
    if workspace.opening is not None:
        wanted += [
            (f"run {name}", file.path) for name, (file, _) in workspace.opening.read.items()
        ]
    found = []
    for done, (role, path) in enumerate(wanted):
        if progress:
            progress("digest files", done, len(wanted))
        found += _digest(role, path)
    return found


def _data_files(
    request: LoadRequest, dataset: Dataset, role: str
) -> Iterator[tuple[str, Path]]:
    if request.source in DEMO_TRUTHS:
        yield role, DEMO_FOLDER / DEMO_TRUTHS[request.source]
        return
    if is_hub_id(request.source):
        for paths in fetch_from_hub(request.source).values():
            yield from ((role, path) for path in paths)
    elif request.path.is_dir():
        yield from ((role, path) for path in _annotations(request.path, dataset))
    else:
        yield role, request.path
    for path in (*request.instances, *filter(None, [request.refs])):
        yield role, path


def _annotations(folder: Path, dataset: Dataset) -> list[Path]:
    """List the files of a data set that are no pictures; those of another split-by are not it."""
    found: list[Path] = []
    folders = [(folder, 0)]
    while folders:
        here, depth = folders.pop(0)
        children = sorted(here.iterdir())
        files = [child for child in children if child.is_file() and _is_of(child, dataset)]
        if len(files) > _ONE_BY_ONE:
            found.append(here)
        else:
            found += files
        if depth < _DEEPEST:
            folders += [
                (child, depth + 1) for child in children
                if child.is_dir() and not child.is_symlink() and not child.name.startswith(".")
            ]
    return found


def _is_of(path: Path, dataset: Dataset) -> bool:
    refs = _REFS.match(path.name)
    if refs and dataset.split_by and refs["by"] != dataset.split_by:
        return False
    return path.suffix.casefold() in _ANNOTATIONS or path.parent.name == _MASKS


def _digest(role: str, path: Path) -> Iterator[InputFile]:
    try:
        if path.is_file():
            yield InputFile(role, path.name, path, *_of_file(path))
        elif path.is_dir():
            inside = [child for child in sorted(path.rglob("*")) if child.is_file()]
            lines, size = [], 0
            for child in inside:
                digest, length = _of_file(child)
                lines.append(f"{digest}  {child.relative_to(path).as_posix()}\n")
                size += length
            whole = hashlib.sha256("".join(lines).encode(errors="replace")).hexdigest()
            yield InputFile(role, f"{path.name}/", path, whole, size, len(inside))
    except OSError as error:
        raise UsageError(
            f"{path.name} cannot be read again for its digest ({error.strerror or error}). Is it "
            "still there?"
        ) from error


def _of_file(path: Path) -> tuple[str, int]:
    stat = path.stat()
    return _of_unchanged(path, stat.st_mtime_ns, stat.st_size), stat.st_size


@cache
def _of_unchanged(path: Path, written: int, size: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def shorten_command(arguments: Sequence[str], kept: Iterable[str] = ()) -> str:
    """Write a command line with every path shortened to its name.

    Args:
        arguments: As they were given, without the program.
        kept: Words that look like paths and are none, such as ids of the hub.
    """
    known = frozenset(kept)
    return " ".join(
        ["python -m inspector", *(_quote(_shorten(word, known)) for word in arguments)]
    )


def _shorten(word: str, kept: frozenset[str]) -> str:
    """Keep the last part of a path, also behind ``NAME=`` and in ``--option=``."""
    if word in kept:
        return word
    head, equals, tail = word.partition("=")
    if equals and "/" not in head and "\\" not in head:
        return f"{head}={_shorten(tail, kept)}"
    return re.split(r"[/\\]", word.rstrip("/\\"))[-1] if re.search(r"[/\\]", word) else word


def _quote(word: str) -> str:
    if word and re.fullmatch(r"[\w@%+=:,./~-]+", word):
        return word
    return "'" + word.replace("'", "'\\''") + "'"


def _on_disk(source: str) -> list[Path]:
    """Give the path of a data set that is one, neither the demo nor an id of the hub."""
    return [] if source in DEMO_TRUTHS or is_hub_id(source) else [user_path(source)]


class PathHider:
    """Takes the folders of this machine out of texts that other parts of the program made.

    Args:
        workspace: Whose paths are known.
        is_on: Whether anything is to be hidden at all.
    """

    def __init__(self, workspace: Workspace, *, is_on: bool) -> None:
        self._is_on = is_on
        folders = {str(Path.home()), str(Path.cwd()), str(DEMO_FOLDER)}
        paths: list[Path] = []
        if workspace.table is not None:
            paths += find_tables(workspace.table.source).paths
        if workspace.opening is not None:
            opening = workspace.opening
            paths += [file.path for file, _ in opening.read.values()]
            asked = opening.request
            paths += [*asked.instances, *filter(None, [asked.images, asked.refs])]
            paths += _on_disk(asked.source)
        if workspace.table is not None:
            paths += _on_disk(workspace.dataset.source)
        if workspace.second is not None:
            paths += _on_disk(workspace.second.b.source)
        for path in paths:
            folders |= {str(path.parent), str(path.resolve().parent)}
        self._folders = sorted((f for f in folders if len(f) > 1), key=len, reverse=True)

    def hide(self, text: str) -> str:
        """Leave of every path its name."""
        if not self._is_on:
            return text
        for folder in self._folders:
            text = text.replace(f"{folder}/", "").replace(f"{folder}\\", "")
        return _ABSOLUTE.sub(lambda found: found[0].rstrip("/\\").replace("\\", "/")
                             .rpartition("/")[2], text)


_ABSOLUTE = re.compile(r"(?<![\w/.:&<])(?:/[^\s/<>\"'“”;,]+){2,}/?|\b[A-Za-z]:\\[^\s<>\"';,]+")


def make_provenance(
    workspace: Workspace, inputs: Sequence[InputFile], options: ReportOptions, hider: PathHider
) -> Section:
    """Write everything by which the numbers can be made again."""
    made = options.made.astimezone(UTC) if options.made else None
    versions = ", ".join(f"{name} {_version(name)}" for name in LIBRARIES)
    dataset = workspace.dataset
    pairs = [
        ("Made", f"{made:%Y-%m-%d %H:%M} UTC" if made else ""),
        ("Program", f"inspector {__version__}, Python {platform.python_version()}; {versions}"),
        ("Command", options.command),
        ("Data", f"{hider.hide(dataset.source)} (format {dataset.format})"),
        ("Rules", describe_protocol(workspace.protocol)),
        ("Content digest", f"{workspace.version}: changes with any mask, sentence, prediction, "
         "picture file or rule"),
    ]
    listed = element("dl", join(
        element("div", element("dt", name), element("dd", value)) for name, value in pairs if value
    ), class_="provenance")
    return Section("provenance", "Where this comes from", join((
        listed, element("h3", "Files that were read") if inputs else None,
        _inputs(inputs, options) if inputs else None,
    )))


def _inputs(inputs: Sequence[InputFile], options: ReportOptions) -> Markup:
    head = element("tr", join(element("th", text, scope="col", class_=kind) for text, kind in (
        ("File", None), ("Bytes", "number"), ("SHA-256", None))))
    rows = join(
        element(
            "tr",
            element("th", element("bdi", f"{file.path}" if options.with_paths else file.name),
                    element("span", file.role + (f", {count(file.files, 'file')} together"
                                                 if file.files > 1 else ""), class_="small"),
                    scope="row"),
            element("td", f"{file.bytes:,}", class_="number"),
            element("td", element("code", file.sha256)),
        )
        for file in inputs
    )
    return element("div", element(
        "table", element("caption", "Files that were read", class_="unseen"),
        element("thead", head), element("tbody", rows), class_="files",
    ), class_="scroll", tabindex="0", role="region", aria_label="Files that were read")


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "of unknown version"
