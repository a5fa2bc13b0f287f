"""The description of a file format: an entry of FORMATS."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ximstudio.load.reading import Choices, Reading, Report
from ximstudio.load.source import Source

if TYPE_CHECKING:
    from ximstudio.load.single_cell.hdf5 import Branch


@dataclass(frozen=True, kw_only=True)
class Hdf5Layout:
    """The layout of an HDF5 file in one format.

    `title` is the kind of file in messages, `matches` tells whether an opened file is laid out so,
    and `read` makes the table of it.
    """

    title: str
    matches: Callable[[Branch], bool]
    read: Callable[[Branch, Choices, Report], Reading]


@dataclass(frozen=True, kw_only=True)
class Format:
    """One file format.

    Parameters
    ----------
    key, name
        For programs and for people.
    suffixes
        What such files are called, for dialogs only: files are recognised by their content.
    recognises
        Whether a file is of this format. Looks at `Source.head` and the like; never raises, never
        reads the whole file.
    read
        The table in it. Raises UserError with an address for what cannot be one, and whatever the
        report raises; nothing else.
    isolated
        Whether a library parses such files which a damaged one can make hang, abort or fill the
        memory: any library for binary files. Then `read` runs in a child process
        (`load.isolation`), and has to be a function that a pickle can name.
    layout
        For formats that are HDF5 files: a file that begins like another of them may still have this
        layout.
    rows, columns
        What the rows (or observations) and columns are by definition: "genes", "cells", …; None
        where names have to tell.
    scaled_first
        True if the matrix that is read by default may be scaled while the file holds others, which
        the doctor then mentions.
    """

    key: str
    name: str
    suffixes: tuple[str, ...]
    recognises: Callable[[Source], bool]
    read: Callable[[Source, Choices, Report], Reading]
    isolated: bool = False
    layout: Hdf5Layout | None = None
    rows: str | None = None
    columns: str | None = None
    scaled_first: bool = False
