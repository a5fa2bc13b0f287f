"""Items of another table, placed on a map after its training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ximstudio.model.problem import Problem

if TYPE_CHECKING:
    from ximstudio.explore.projection import ProjectedItems


@dataclass(frozen=True, kw_only=True, eq=False)
class ProjectedFile:
    """New items, and the file that they came with.

    Parameters
    ----------
    name
        What the file is called.
    newcomers
        Where its items lie, how new they are to the map, and what did not match.
    reading
        What is not in the table as it was in the file.
    """

    name: str
    newcomers: ProjectedItems
    reading: tuple[Problem, ...] = ()

    def __len__(self) -> int:
        return len(self.newcomers)

    @property
    def notes(self) -> tuple[Problem, ...]:
        """All that a person should know: what did not match, and what reading left out."""
        return (*self.newcomers.notes, *self.reading)
