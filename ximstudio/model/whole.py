"""Files that appear whole or not at all, however they are written and whatever goes wrong."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ximstudio.model.problem import UserError


@contextmanager
def appearing(path: Path, *, key: str = "export.unwritable") -> Iterator[Path]:
    """The name of an unfinished file beside `path`, which takes its place at the end of the block.

    If the block raises, nothing is left of it, and a file that was there before stays as it was.
    What the system refuses is told with this key.
    """
    # Named by ourselves, not by tempfile, whose files only their owner may read.
    unfinished = path.parent / f".{secrets.token_hex(8)}.part"
    try:
        yield unfinished
        # Else a machine that fails soon after may find the new name with nothing behind it.
        with unfinished.open("rb+") as file:
            os.fsync(file.fileno())
        unfinished.replace(path)
    except OSError as error:
        raise UserError(
            key=key,
            what=f"The file cannot be written: {error.strerror or error}.",
            where=str(path),
            way_out="Give a folder where you may write, with room for it.",
        ) from None
    finally:
        with suppress(OSError):
            unfinished.unlink()
