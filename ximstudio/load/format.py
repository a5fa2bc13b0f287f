"""File formats: the description of one, all of them, and the recognition of a file's."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from ximstudio.load.reading import Choices, Reading, Report
from ximstudio.load.source import Source
from ximstudio.model.params import known
from ximstudio.model.problem import UserError

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
        For programs and for users.
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


HDF5 = rb"\x89HDF"

ORANGE = (
    rb'(?i)#|(?:\A|["\s\x80-\xff])(?:c|continuous|n|numeric|d|discrete|categorical|s|string|text'
    rb'|t|time)(?:\Z|["\s\x80-\xff])'
)
"""A prefix of a name, or a cell with the type of a column."""


@dataclass(frozen=True, kw_only=True)
class FormatEntry:
    """A format that is imported only for files that may be in it.

    Parameters
    ----------
    key
        That of the format.
    mark
        What the head of every such file holds, bytes 0 left out; folders can be of any format.
    load
        Imports the format.
    """

    key: str
    mark: bytes
    load: Callable[[], Format]


def _entry(key: str, module: str, mark: bytes = b"", *, name: str = "FORMAT") -> FormatEntry:
    return FormatEntry(key=key, mark=mark, load=partial(_imported, module, name))


def _imported(module: str, name: str) -> Format:
    found: Format = getattr(import_module(f"ximstudio.load.{module}"), name)
    return found


FORMATS: tuple[FormatEntry, ...] = (
    _entry("10x-mtx", "single_cell.mtx", rb"\A%%"),
    _entry("10x-h5", "single_cell.tenx_h5", HDF5),
    _entry("loom", "annotated.loom", HDF5),
    _entry("gctx", "annotated.gctx", HDF5),
    _entry("biom", "annotated.biom", HDF5 + rb"|\{"),
    _entry("h5ad", "single_cell.h5ad", HDF5),
    _entry("excel", "workbook.excel", rb"\APK|\A\xd0\xcf\x11\xe0|<"),
    _entry("r", "r_data.formats", rb"\A(RD[XAB]|X\n|A\n)"),
    _entry("parquet", "arrow.formats", rb"\APAR[1E]", name="PARQUET"),
    _entry("feather", "arrow.formats", rb"\A(ARROW1|FEA1)", name="FEATHER"),
    _entry("gct", "structured.gct", rb"#1\."),
    _entry("cls", "structured.cls", rb"#"),
    _entry("series-matrix", "geo.series_matrix", rb"!"),
    _entry("soft", "geo.soft", rb"\^"),
    _entry("pcl", "structured.pcl", rb"(?i)WEIGHT|EORDER|AID|GID"),
    _entry("perseus", "structured.perseus", rb"#!\{Type\}"),
    _entry("orange", "structured.orange_tab", ORANGE),
    _entry("text", "text.delimited"),
)
"""Tried in this order; delimited text accepts whatever no other format recognises."""


def every_format() -> tuple[Format, ...]:
    """Import and return all formats."""
    return tuple(entry.load() for entry in FORMATS)


def format_named(key: str) -> Format | None:
    """Return the format with this key, or None if there is none."""
    return next((entry.load() for entry in FORMATS if entry.key == key), None)


def format_of(source: Source, key: str | None) -> Format:
    """Return the format with this key, or the first that recognises the content."""
    if key is not None:
        known("format", key, [entry.key for entry in FORMATS])
        return next(entry.load() for entry in FORMATS if entry.key == key)
    head = b"" if source.is_folder else source.head.replace(b"\0", b"")
    for entry in FORMATS:
        if source.is_folder or re.search(entry.mark, head):
            form = entry.load()
            if form.recognises(source):
                return form
    if source.is_folder:
        raise UserError(
            key="load.folder",
            what="This folder holds no table.",
            where=source.name,
            way_out="Choose a file; only folders with a 10x matrix (matrix.mtx) are tables.",
        )
    # It refuses what is no text, and says what it looks like.
    return FORMATS[-1].load()
