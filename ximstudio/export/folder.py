"""A folder that appears whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

from ximstudio.model.problem import UserError


class NewFolder:
    """A folder filled under another name beside its place, and moved there by `keep`.

    Leaving the `with` block without `keep` removes what was written. With `replace` an existing
    folder gives way, but only once the new one is complete.
    """

    def __init__(self, place: Path, *, replace: bool = False) -> None:
        self.place = place.absolute()
        self.replace = replace
        self.path = self.place

    def __enter__(self) -> NewFolder:
        if self.place.exists() and not self.replace and not _is_empty_folder(self.place):
            raise UserError(
                key="export.exists",
                what="The output exists already and was left as it is.",
                where=str(self.place),
                way_out="Give another folder with --out, or add --force to replace it.",
            )
        if self.place.exists() and not self.place.is_dir():
            raise UserError(
                key="export.not_a_folder",
                what="The output is to be a folder, but a file of that name exists.",
                where=str(self.place),
                way_out="Give another folder with --out.",
            )
        try:
            self.place.parent.mkdir(parents=True, exist_ok=True)
            self.path = Path(tempfile.mkdtemp(prefix=f".{self.place.name}.", dir=self.place.parent))
        except OSError as error:
            raise UserError(
                key="export.unwritable",
                what=f"The output cannot be written: {error.strerror}.",
                where=str(self.place),
                way_out="Give a folder with --out where you may write.",
            ) from None
        return self

    def keep(self) -> None:
        """Move the finished folder to its place."""
        # mkdtemp makes folders that only their owner may read; results are for everyone.
        self.path.chmod(0o777 & ~_umask())
        old = None
        if self.place.exists():
            old = Path(tempfile.mkdtemp(prefix=f".{self.place.name}.old.", dir=self.place.parent))
            self.place.replace(old / self.place.name)
        self.path.replace(self.place)
        self.path = self.place
        if old is not None:
            shutil.rmtree(old, ignore_errors=True)

    def __exit__(self, *_: object) -> None:
        if self.path != self.place:
            shutil.rmtree(self.path, ignore_errors=True)


def _is_empty_folder(path: Path) -> bool:
    with contextlib.suppress(OSError):
        return path.is_dir() and not any(path.iterdir())
    return False


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
