"""Which data set and which second ground truth a command or a program asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal

from inspector.core.errors import UsageError
from inspector.formats.request import LoadRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class DataOptions:
    """What says how data sets are read, by the names of the options of the command line.

    ``split``, ``split_by``, ``images`` and ``texts`` hold for both ground truths, except where one
    ends in ``_b``; ``instances``, ``format`` and ``refs`` are the first's alone.
    """

    split: str | None = None
    split_by: str | None = None
    images: str | Path | None = None
    instances: Sequence[str | Path] = ()
    format: str | None = None
    refs: str | Path | None = None
    texts: Literal["first", "all"] = "first"
    second: str | Path | None = None
    split_b: str | None = None
    images_b: str | Path | None = None
    instances_b: Sequence[str | Path] = ()
    format_b: str | None = None

    def named(self) -> list[str]:
        """Give the names of those that were asked for."""
        return [field.name for field in fields(self)
                if (getattr(self, field.name) or field.default) != field.default]

    def first_request(self, source: str) -> LoadRequest:
        """Say what the data set is and how it is to be read.

        Raises:
            UsageError: If a path cannot be one.
        """
        return LoadRequest.of(
            source, split=self.split, split_by=self.split_by, images=self.images,
            instances=self.instances, format=self.format, refs=self.refs, texts=self.texts,
            is_of_pair=self.second is not None,
        )

    def second_request(self) -> LoadRequest | None:
        """Say what the second ground truth is; None where none is asked for.

        Raises:
            UsageError: If there is an option for it alone, or a path cannot be one.
        """
        if self.second is None:
            given = next((name for name in self.named() if name.endswith("_b")), None)
            if given is not None:
                raise UsageError(
                    f"--{given.replace('_', '-')} is of use only with a second ground truth: add "
                    "--second-truth DATASET_B."
                )
            return None
        return LoadRequest.of(
            self.second, split=self.split_b or self.split, split_by=self.split_by,
            images=self.images_b or self.images, instances=self.instances_b,
            format=self.format_b, texts=self.texts, is_of_pair=True,
        )
