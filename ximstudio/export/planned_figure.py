"""Write planned figures to files, with their provenance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ximstudio.export.figure_work import work_values
from ximstudio.export.provenance import Provenance
from ximstudio.figures.files import figure_bytes, save_figure
from ximstudio.figures.look import MM_PER_INCH
from ximstudio.load import Report, silent
from ximstudio.model.problem import UserError
from ximstudio.session.descent import ancestors_of
from ximstudio.session.run import Run
from ximstudio.session.shown import Shown
from ximstudio.train.record import record_of_run
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.compare.sweep_figure import sweep_figure
from ximstudio.views.compare.sweep_picture import SweepPicture
from ximstudio.views.figure import figure_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DRAWN, COLLECTED = 0.4, 0.5
"""Progress after drawing a figure, and after collecting its provenance."""


@dataclass(frozen=True, kw_only=True)
class WrittenFigure:
    """A figure's file: its path, size on paper and size in bytes."""

    path: Path
    size_mm: tuple[float, float]
    n_bytes: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Printed:
    """A figure in pixels: a PNG file of this resolution, and the size on paper.

    `dense` states whether parts of it are pixels in every format.
    """

    png: bytes
    size_mm: tuple[float, float]
    dpi: float
    dense: bool = False


def runs_in(shown: Shown, plan: FigurePlan, sweep: SweepPicture | None = None) -> tuple[Run, ...]:
    """Runs that a figure shows; for a sweep, its maps as runs of the same table."""
    if plan.state.shows_sweep:
        return () if sweep is None else tuple(_swept(shown, sweep))
    return plan.state.runs(shown)


def _swept(shown: Shown, sweep: SweepPicture) -> Iterator[Run]:
    """Yield the maps of a sweep, if a run knows how to read its table again."""
    same = next((run for run in shown.runs if run.matrix is sweep.matrix), None)
    for number, one in enumerate(sweep.maps, start=1):
        if same is not None and one.result is not None:
            yield Run(
                key=f"sweep-{number}",
                name=", ".join(one.settings),
                result=one.result,
                matrix=same.matrix,
                input=same.input,
            )


def provenance_of(shown: Shown, plan: FigurePlan, sweep: SweepPicture | None = None) -> Provenance:
    """Collect the provenance of a figure: plan, records of runs and ancestors, and the rest."""
    runs = runs_in(shown, plan, sweep)
    return Provenance(
        title=plan.title,
        figure=plan.as_values(),
        runs=tuple(map(record_of_run, runs)),
        ancestors=tuple(map(record_of_run, ancestors_of(runs, shown.runs))),
        work=work_values(shown, plan, runs, sweep),
    )


def write_figure(
    path: Path,
    shown: Shown,
    plan: FigurePlan,
    *,
    sweep: SweepPicture | None = None,
    report: Report = silent,
) -> WrittenFigure:
    """Draw a figure and write it atomically, in the format of the file name."""
    figure = drawn(shown, plan, sweep)
    report(DRAWN)
    provenance = provenance_of(shown, plan, sweep)
    report(COLLECTED)
    save_figure(figure, path, plan.look, provenance)
    report(1.0)
    return WrittenFigure(path=path, size_mm=size_mm(figure), n_bytes=path.stat().st_size)


def figure_files(
    shown: Shown,
    plan: FigurePlan,
    suffixes: tuple[str, ...],
    *,
    sweep: SweepPicture | None = None,
    report: Report = silent,
) -> Mapping[str, bytes]:
    """Contents of files of one figure, by suffix."""
    figure, provenance = drawn(shown, plan, sweep), provenance_of(shown, plan, sweep)
    made = {}
    for number, suffix in enumerate(suffixes):
        report((1 + number) / (1 + len(suffixes)))
        made[suffix] = figure_bytes(figure, suffix, look=plan.look, provenance=provenance)
    return made


def drawn(shown: Shown, plan: FigurePlan, sweep: SweepPicture | None = None) -> Figure:
    """Draw the figure of a plan; `sweep` is the sweep to show, if any."""
    if plan.state.shows_sweep:
        if sweep is None:
            raise UserError(
                key="figure.nothing",
                what="There is no sweep.",
                where="view Compare, page Sweep",
                way_out="Sweep over some settings first.",
            )
        return sweep_figure(sweep, plan)
    return figure_of(shown, plan)


def printed(figure: Figure, plan: FigurePlan, *, dpi: float) -> Printed:
    """Render a figure at this resolution, whatever the plan's is."""
    png = figure_bytes(figure, ".png", look=replace(plan.look, dpi=dpi))
    dense = any(artist.get_rasterized() for artist in figure.findobj())
    return Printed(png=png, size_mm=size_mm(figure), dpi=dpi, dense=dense)


def size_mm(figure: Figure) -> tuple[float, float]:
    """Width and height on paper."""
    width, height = (float(length) * MM_PER_INCH for length in figure.get_size_inches())
    return width, height
