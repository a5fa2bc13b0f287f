"""Write folders atomically: they appear complete or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from ximstudio.files.leftovers import clear_leftovers, replaced_name, unfinished_name
from ximstudio.model.problem import SettingsForm, UserError

MARKS = ("run.json", "compare.json", "measures.json", "place.json", "tables.json")
"""Files that mark a folder as written by this program."""


class NewFolder:
    """A folder that is filled under a temporary name and moved into place by `keep`.

    Leaving the `with` block without `keep` removes what was written. With `replace` an earlier
    result is replaced, but only once the new one is complete; nothing else is ever replaced, and no
    folder that holds a file of `needed`. Remains of a killed process are removed, and a result that
    it was replacing is restored.
    """

    def __init__(self, place: Path, *, replace: bool = False, needed: Iterable[Path] = ()) -> None:
        self.place = place.resolve()
        self.replace = replace
        self.needed = [path.resolve() for path in needed]
        self.path = self.place

    def __enter__(self) -> NewFolder:
        try:
            clear_leftovers(self.place.parent)
            self._refuse_to_replace()
            self.place.parent.mkdir(parents=True, exist_ok=True)
            self.path = self.place.parent / unfinished_name()
            self.path.mkdir()
        except OSError as error:
            raise self._refusal(
                "unwritable",
                f"The output cannot be written: {error.strerror}.",
                "Choose a folder where you may write.",
            ) from None
        return self

    def _refusal(
        self, key: str, what: str, way_out: str, fields: tuple[str, ...] = ("out",)
    ) -> UserError:
        where, form = str(self.place), SettingsForm.COMMAND
        return UserError(
            key=f"export.{key}", what=what, where=where, way_out=way_out, fields=fields, form=form
        )

    def _refuse_to_replace(self) -> None:
        if not self.place.exists():
            return
        if not self.place.is_dir():
            raise self._refusal(
                "not_a_folder",
                "The output is to be a folder, but a file of that name exists.",
                "Choose another folder.",
            )
        here = Path.cwd().resolve()
        in_use = self.place in (here, *here.parents)
        in_use |= any(self.place in path.parents for path in self.needed)
        if not in_use and not any(self.place.iterdir()):
            return
        if in_use or not any((self.place / mark).is_file() for mark in MARKS):
            raise self._refusal(
                "not_ours",
                "The output exists already and is not a result that could be replaced.",
                "Choose a folder that does not exist yet.",
            )
        if not self.replace:
            raise self._refusal(
                "exists",
                "The output exists already and was left as it is.",
                "Choose another folder, or allow the program to replace this one.",
                fields=("out", "force"),
            )

    def keep(self) -> None:
        """Move the finished folder to its place."""
        old = None
        if self.place.exists():
            old = self.place.parent / replaced_name()
            old.mkdir()
            self.place.replace(old / self.place.name)
        try:
            self.path.replace(self.place)
        except BaseException:
            if old is not None:
                (old / self.place.name).replace(self.place)
            raise
        self.path = self.place
        if old is not None:
            shutil.rmtree(old, ignore_errors=True)

    def __exit__(self, *_: object) -> None:
        self.discard()

    def discard(self) -> None:
        """Remove what was written, unless it was kept."""
        if self.path != self.place:
            shutil.rmtree(self.path, ignore_errors=True)
