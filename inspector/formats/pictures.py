"""Where pictures lie, and their bytes; no name from a file leaves the folders that were given."""

from __future__ import annotations

import io
import re
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from inspector.core.errors import FormatError, MaskError
from inspector.core.mask import check_size
from inspector.core.problems import ProblemLog
from inspector.core.records import PictureCell, PictureLocation

USUAL_FOLDERS = (
    "images/mscoco/images/train2014",
    "images/train2014",
    "train2014",
    "mscoco/images/train2014",
    "coco/train2014",
    "images/mscoco/images/val2014",
    "images/val2014",
    "val2014",
    "images/train2017",
    "train2017",
    "images/trainval2014",
    "trainval2014",
    "images/saiapr_tc-12",
    "images",
    "JPEGImages",
)


class PictureFinder:
    """Finds pictures by name in a fixed list of folders, each listed once.

    Args:
        beside: The data set's own folder; it and two folders above it are searched for the
            usual picture folders.
        given: The folder of ``--images``; searched first.
    """

    def __init__(self, beside: Path, given: Path | None = None) -> None:
        if given is not None and not given.is_dir():
            raise FormatError(
                "is not a folder", path=given, hint="Give the folder of the pictures to --images."
            )
        roots = [] if given is None else [given]
        roots += [beside, *list(beside.resolve().parents)[:2]]
        self.folders: list[Path] = []
        for number, root in enumerate(roots):
            candidates = [root] if given is not None and number == 0 else []
            candidates += [root / folder for folder in USUAL_FOLDERS]
            self.folders += [c for c in candidates if c.is_dir() and c not in self.folders]
        self._names: dict[Path, frozenset[str]] = {}

    def find(self, names: Sequence[str]) -> Path | None:
        """Return the first of the names that is a file in one of the folders, or None."""
        for folder in self.folders:
            listed = self._listing(folder)
            for name in names:
                if PurePosixPath(name).name in listed:
                    path = folder / PurePosixPath(name).name
                    if stays_inside(path, folder):
                        return path
                if "/" in name and (below := find_below(folder, name)):
                    return below
        return None

    def find_or_log(self, names: Sequence[str], log: ProblemLog, where: str) -> Path | None:
        """Do the same, and list a picture that is not there with what would help."""
        location = self.find(names)
        if location is None:
            name = names[0]
            archive = re.match(r"COCO_((train|val)2014)_", name)
            hint = f" It is in COCO's {archive[1]}.zip." if archive else ""
            said = f"was not found: {self.describe()}.{hint}"
            if (link := self._link(names)) is not None:
                said = (f"is a link in {link.parent} that leads out of it or nowhere, and is not "
                        "followed. Give the folder of the files themselves with --images.")
            log.add("missing-picture", "error", where,
                    f"{name or 'A picture without a name'} {said}")
        return location

    def _link(self, names: Sequence[str]) -> Path | None:
        """Find a link of one of the names, which :meth:`find` does not follow."""
        plain = [PurePosixPath(name).name for name in names]
        return next((
            folder / name for folder in self.folders for name in plain
            if name in self._listing(folder) and (folder / name).is_symlink()
        ), None)

    def describe(self) -> str:
        """Say where was looked, for messages."""
        if not self.folders:
            return "no picture folder was found beside the data set (give one with --images DIR)"
        return "looked in " + ", ".join(str(folder) for folder in self.folders[:3])

    def _listing(self, folder: Path) -> frozenset[str]:
        if folder not in self._names:
            try:
                self._names[folder] = frozenset(child.name for child in folder.iterdir())
            except OSError:  # gone, or not ours to read: nothing is found in it
                self._names[folder] = frozenset()
        return self._names[folder]


def stays_inside(path: Path, folder: Path) -> bool:
    """Say whether a path, with all links followed, is a file below the folder."""
    try:
        resolved = path.resolve()
        return resolved.is_relative_to(folder.resolve()) and resolved.is_file()
    except (OSError, RuntimeError, ValueError):  # too long, a loop of links, no name at all
        return False


def find_below(folder: Path, name: str) -> Path | None:
    """Find a picture by a relative name such as ``images/cat.jpg``; None if it is not there."""
    if PurePosixPath(name).is_absolute():
        return None
    path = folder / name
    return path if stays_inside(path, folder) else None


def picture_size(content: bytes | Path) -> tuple[int, int]:
    """Read height and width from a picture's head, as stored: EXIF turns nothing here.

    Raises:
        MaskError: If it is no picture, or has more pixels than a mask may have.
    """
    from PIL import Image

    try:
        source = io.BytesIO(content) if isinstance(content, bytes) else content
        with Image.open(source) as picture:
            width, height = picture.size
    except Exception as error:  # Pillow raises many kinds on broken files
        raise MaskError(f"the picture cannot be read ({str(error)[:100]})") from error
    return check_size((height, width))


class PictureStore:
    """Gives the compressed bytes of pictures; safe for several threads.

    A picture inside a parquet file costs its whole row group to reach, so the group's pictures
    are copied once to a temporary file (deleted with the store) and read from there afterwards.
    """

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._groups: dict[tuple[Path, int, str], tuple[Path, list[tuple[int, int]]]] = {}
        self._lock = threading.Lock()

    def read(self, location: PictureLocation) -> bytes | None:
        """Return the bytes of one picture, or None where there are none.

        Raises:
            OSError: If the file is gone or cannot be read.
        """
        if location is None:
            return None
        on_disk = location if isinstance(location, Path) else location.path
        if on_disk.exists() and not on_disk.is_file():  # a pipe would be waited for without end
            raise OSError(f"{on_disk} is no file any more")
        if isinstance(location, Path):
            return location.read_bytes()
        path, places = self._group(location)
        begin, size = places[location.row]
        if size < 0:
            return None
        with path.open("rb") as file:
            file.seek(begin)
            return file.read(size)

    def _group(self, cell: PictureCell) -> tuple[Path, list[tuple[int, int]]]:
        import pyarrow.lib

        key = (cell.path, cell.row_group, cell.column)
        with self._lock:
            if key not in self._groups:
                try:
                    self._groups[key] = self._copy_out(cell)
                except pyarrow.lib.ArrowException as error:
                    raise OSError(f"{cell.path} cannot be read as parquet") from error
            return self._groups[key]

    def _copy_out(self, cell: PictureCell) -> tuple[Path, list[tuple[int, int]]]:
        import pyarrow.parquet as pq

        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="inspector-pictures-")
        target = Path(self._folder.name) / f"{len(self._groups)}.bin"
        places: list[tuple[int, int]] = []
        with pq.ParquetFile(cell.path) as file, target.open("wb") as out:
            batches = file.iter_batches(
                batch_size=16, row_groups=[cell.row_group], columns=[cell.column]
            )
            for batch in batches:
                for value in batch.column(0):
                    content = value.as_py()
                    for part in cell.column.split(".")[1:]:
                        content = content.get(part) if isinstance(content, dict) else content
                    if not isinstance(content, bytes):
                        places.append((0, -1))
                        continue
                    places.append((out.tell(), len(content)))
                    out.write(content)
        return target, places
