"""Items of another file, projected onto a map: read as the map's table was read, then placed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ximstudio.load import Report, silent
from ximstudio.load.samples import called
from ximstudio.model.problem import Problem

if TYPE_CHECKING:
    from ximstudio.explore.projection import ProjectedItems
    from ximstudio.session.run import Run


@dataclass(frozen=True, kw_only=True, eq=False)
class ProjectedFile:
    """New items and the file that they came from.

    Parameters
    ----------
    name
        Name of the file.
    items
        Positions of its items, their novelty, and what did not match.
    reading
        Notes on what reading left out or changed.
    """

    name: str
    items: ProjectedItems
    reading: tuple[Problem, ...] = ()

    def __len__(self) -> int:
        return len(self.items)

    @property
    def notes(self) -> tuple[Problem, ...]:
        """All notes for the user: what did not match, and what reading left out."""
        return (*self.items.notes, *self.reading)


READ, LEARNT = 0.5, 0.6
"""Progress after reading the file, and after finding the learned values of the recipe."""


def project_file(run: Run, path: Path, report: Report = silent) -> ProjectedFile:
    """Place the items of a file on the map of a run; raise UserError if that is impossible."""
    # Imported late: what only draws projected items does without it.
    from ximstudio.explore.projection import frozen_of, input_like, project_items

    labelled = input_like(run.input, str(path)).read(lambda share: report(READ * share))
    frozen = run.frozen
    if frozen is None:
        frozen = frozen_of(run.input, lambda share: report(READ + (LEARNT - READ) * share))
    placed = project_items(
        run.result,
        run.matrix,
        labelled.table,
        frozen=frozen,
        report=lambda share: report(LEARNT + (1.0 - LEARNT) * share),
    )
    return ProjectedFile(name=called(path.name), items=placed, reading=labelled.reading.notes)
