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
from inspector.core.errors import UsageError
from inspector.formats import DEMO_FOLDER, DEMO_TRUTHS
from inspector.formats.hub import is_hub_id
from inspector.paths import user_path
from inspector.report.markup import Markup, Section, element, join, scrolled_table
from inspector.report.options import Progress, ReportOptions
from inspector.report.wording import count
from inspector.stored.files import find_tables
from inspector.summary import describe_protocol
from inspector.workspace import Workspace

LIBRARIES = ("numpy", "pycocotools", "pyarrow", "duckdb", "Pillow")
_ONE_BY_ONE = 12  # files of a folder that are listed each; more are taken together


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
    """Digest the files that the data set, the second ground truth and the runs were read from.

    Pictures are not among them, unless masks are kept as pictures: what was predicted and scored
    is told by the rest.

    Raises:
        UsageError: If one cannot be read again.
    """
    if workspace.opening is None and workspace.table is None:
        return []
    wanted = list(_by_folder("data set", workspace.dataset.files))
    if workspace.second is not None:
        wanted += _by_folder("ground truth B", workspace.second.b.files)
    if workspace.table is not None:
        wanted += [("table of scores", path, [path])
                   for path in find_tables(workspace.table.source).paths]
    if workspace.opening is not None:
        wanted += [(f"run {name}", file.path, _files_in(file.path))
                   for name, (file, _) in workspace.opening.read.items()]
    found = []
    for done, (role, path, files) in enumerate(wanted):
        if progress:
            progress("digest files", done, len(wanted))
        found.append(_digest(role, path, files))
    return found


def _by_folder(role: str, files: Sequence[Path]) -> Iterator[tuple[str, Path, list[Path]]]:
    """Take the files of a folder together where they are many, such as masks as pictures."""
    folders: dict[Path, list[Path]] = {}
    for path in files:
        folders.setdefault(path.parent, []).append(path)
    for folder, inside in folders.items():
        if len(inside) > _ONE_BY_ONE:
            yield role, folder, sorted(inside)
        else:
            yield from ((role, path, [path]) for path in inside)


def _files_in(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    return [child for child in sorted(path.rglob("*")) if child.is_file()]


def _digest(role: str, path: Path, files: Sequence[Path]) -> InputFile:
    """Digest one file, or those of a folder together."""
    try:
        if files == [path]:
            return InputFile(role, path.name, path, *_of_file(path))
        lines, size = [], 0
        for child in files:
            digest, length = _of_file(child)
            lines.append(f"{digest}  {child.relative_to(path).as_posix()}\n")
            size += length
    except OSError as error:
        raise UsageError(
            f"{path.name} cannot be read again for its digest ({error.strerror or error}). Is it "
            "still there?"
        ) from error
    whole = hashlib.sha256("".join(lines).encode(errors="replace")).hexdigest()
    return InputFile(role, f"{path.name}/", path, whole, size, len(files))


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
    rows = [
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
    ]
    return scrolled_table(head, rows, caption="Files that were read", class_="files")


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "of unknown version"
