"""Items of another table, placed on a map after its training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ximstudio.model.problem import Problem

if TYPE_CHECKING:
    from ximstudio.explore.projection import ProjectedItems


@dataclass(frozen=True, kw_only=True, eq=False)
class ProjectedFile:
    """New items and the file that they came from.

    Parameters
    ----------
    name
        Name of the file.
    newcomers
        Positions of its items, their novelty, and what did not match.
    reading
        Notes on what reading left out or changed.
    """

    name: str
    newcomers: ProjectedItems
    reading: tuple[Problem, ...] = ()

    def __len__(self) -> int:
        return len(self.newcomers)

    @property
    def notes(self) -> tuple[Problem, ...]:
        """All notes for the user: what did not match, and what reading left out."""
        return (*self.newcomers.notes, *self.reading)
