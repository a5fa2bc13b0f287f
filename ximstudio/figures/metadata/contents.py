"""Title, sentence and record of a figure, and the limits of what is read back."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ximstudio import __version__

PROGRAM = f"XIM Studio {__version__}"
MOST_TEXT = 2**24
"""Letters of a record at the most: 16 MB hold the names of a million chosen genes."""
UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML has no way to say."""


@dataclass(frozen=True, kw_only=True)
class FigureMetadata:
    """What a file says of the figure in it.

    Parameters
    ----------
    title, sentence
        For people: what the figure is called, and what it shows. Line breaks and what no file
        could hold become blanks.
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
    """A file that is broken where the record is, or before it; says why."""
