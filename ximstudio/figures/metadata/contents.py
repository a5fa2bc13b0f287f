"""Title, sentence and record of a figure, and the limits for reading them back."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ximstudio import __version__

PROGRAM = f"XIM Studio {__version__}"
MOST_TEXT = 2**24
"""Most letters of a record: 16 MB hold the names of a million selected genes."""
UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot represent."""


@dataclass(frozen=True, kw_only=True)
class FigureMetadata:
    """Metadata of a figure.

    Parameters
    ----------
    title, sentence
        For readers: the name of the figure, and what it shows. Line breaks and characters that no
        file can hold become blanks.
    record
        For programs: printable ASCII, such as JSON; '' if there is none.
    """

    title: str = ""
    sentence: str = ""
    record: str = ""

    def __post_init__(self) -> None:
        for name in ("title", "sentence"):
            plain = " ".join(UNFIT.sub(" ", getattr(self, name)).split())
            object.__setattr__(self, name, plain)
        if not (self.record.isascii() and self.record.isprintable()):
            raise ValueError("a record is printable ASCII")


class UnsoundFileError(Exception):
    """A file that is broken at or before the record; its text says why."""
