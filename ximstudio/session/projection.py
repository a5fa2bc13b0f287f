"""Project the items of another file onto a map, reading it as the map's table was read."""

from __future__ import annotations

from pathlib import Path

from ximstudio.explore.projection import frozen_of, input_like, project_items
from ximstudio.load import Report, silent
from ximstudio.load.samples import called
from ximstudio.session.projected import ProjectedFile
from ximstudio.session.run import Run

READ, LEARNT = 0.5, 0.6
"""Progress after reading the file, and after finding the learned values of the recipe."""


def project_file(run: Run, path: Path, report: Report = silent) -> ProjectedFile:
    """Place the items of a file on the map of a run; raise UserError if that is impossible."""
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
    return ProjectedFile(name=called(path.name), newcomers=placed, reading=labelled.reading.notes)
