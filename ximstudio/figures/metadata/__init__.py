"""Metadata embedded in figure files: title, program, a sentence, and a record for programs.

The record is an opaque text here; `export.provenance` writes and reads it. Every kind of file
carries it as XMP, which programs that handle figures preserve:
in a PDF as the document's and the page's metadata, in a PNG as an iTXt chunk, in a TIFF as tag 700,
and in an SVG as the same RDF in its <metadata>. Title and sentence are also in the fields that each
kind has for them.

Files are not trusted: a few lines per kind, rather than a library, read the packet and nothing
else, up to a limit. No picture is decoded.
"""

from __future__ import annotations

from pathlib import Path

from ximstudio.figures.metadata import pdf, png, svg, tiff
from ximstudio.figures.metadata.xmp import PROGRAM, FigureMetadata, UnsoundFileError
from ximstudio.files.bounded import open_regular
from ximstudio.model.problem import UserError, because

__all__ = ["PROGRAM", "FigureMetadata", "damaged", "read_record"]

OPENING = 1024
KINDS = (png, tiff, pdf, svg)
"""Modules for the formats, each of which recognises its files by their first bytes."""


def read_record(path: Path) -> str | None:
    """Return the record in a figure's file; None if it has none, or the file is no figure.

    The name of the file does not matter. A broken file is refused with a UserError.
    """
    try:
        with open_regular(path) as file:
            opening = file.read(OPENING)
            kind = next((kind for kind in KINDS if kind.recognises(opening)), None)
            file.seek(0)
            record: str | None = None if kind is None else kind.record_of(file)
            return record
    except OSError as error:
        raise UserError(
            key="provenance.unreadable",
            what=f"The figure cannot be read: {error.strerror or error}.",
            where=str(path),
            way_out="Check the path.",
        ) from None
    except UnsoundFileError as error:
        raise damaged(path, str(error)) from None


def damaged(path: Path, why: str | UserError) -> UserError:
    """Return the error for a damaged file."""
    return UserError(
        key="provenance.damaged",
        what=because("The metadata of the figure cannot be read", why),
        where=str(path),
        way_out="Use the file as exported, before other programs changed it.",
    )
