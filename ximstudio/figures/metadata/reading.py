"""Read the record from a figure's file, whichever program saved it last."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ximstudio.figures.metadata import pdf, png, svg, tiff
from ximstudio.figures.metadata.contents import UnsoundFileError
from ximstudio.files.bounded import open_regular
from ximstudio.model.problem import UserError, because

OPENING = 1024


@dataclass(frozen=True, kw_only=True)
class FigureFormat:
    """A file format, recognised by its first bytes."""

    recognises: Callable[[bytes], bool]
    record_of: Callable[[BinaryIO], str | None]


KINDS = tuple(
    FigureFormat(recognises=module.recognises, record_of=module.record_of)
    for module in (png, tiff, pdf, svg)
)


def read_record(path: Path) -> str | None:
    """Return the record in a figure's file; None if it has none, or the file is no figure.

    The name of the file does not matter. A broken file is refused with a UserError.
    """
    try:
        with open_regular(path) as file:
            opening = file.read(OPENING)
            kind = next((kind for kind in KINDS if kind.recognises(opening)), None)
            if kind is None:
                return None
            file.seek(0)
            return kind.record_of(file)
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
