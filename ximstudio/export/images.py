"""Figures → image files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ximstudio.export.provenance import Provenance
from ximstudio.figures.files import FORMATS
from ximstudio.figures.look import Look
from ximstudio.load.samples import called
from ximstudio.model.matrix import Matrix
from ximstudio.model.problem import UserError
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.pictures.map import FIRST
from ximstudio.pictures.positions import LABEL
from ximstudio.pictures.states import MapState, PositionsState, ViewState
from ximstudio.prepare.input import Input
from ximstudio.session.run import Run
from ximstudio.session.shown import Shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BOTH = "both"
"""The map, and beside it the positions of its items."""
VIEWS = (BOTH, MapState.view, PositionsState.view)
"""What a figure of a run can show before anything is measured."""


def figure_names(names: Iterable[str]) -> tuple[str, ...]:
    """The names of figures to be drawn; formats that cannot be written are refused."""
    names = tuple(names)
    for name in names:
        if Path(name).suffix.lower() not in FORMATS or Path(name).name != name:
            raise UserError(
                key="export.figure_name",
                what=f"A figure cannot be called '{name}'.",
                where="option --figure",
                way_out=f"Give a plain file name that ends in {', '.join(FORMATS)}.",
            )
    return names


def write_figures(
    folder: Path,
    names: Iterable[str],
    result: Result,
    matrix: Matrix,
    *,
    name: str,
    color_by: str | None = None,
    record: Mapping[str, Any] | None = None,
    look: Look | None = None,
    view: str = BOTH,
) -> None:
    """The figure of a run under all `names`, coloured by a label (by default a telling one).

    Of a map without nodes, whatever the view, positions are shown. `record` is the run's record,
    which goes into the files.
    """
    names = tuple(names)
    if not names:
        return
    from ximstudio.figures import save_figure  # matplotlib takes 0.6 s

    look = Look() if look is None else look
    table = Input(name=matrix.source)
    run = Run(key="run", name=name, result=result, matrix=matrix, input=table)
    shown = Shown(result=result, matrix=matrix, run=run, chosen=run, runs=(run,))
    title = f"{name}, {called(matrix.source)}"
    figure, drawn = _drawn(shown, title=title, label=color_by or "", look=look, view=view)
    provenance = Provenance(title=title, figure=drawn, runs=() if record is None else (record,))
    for file_name in names:
        save_figure(figure, folder / file_name, look, provenance)


def _drawn(
    shown: Shown, *, title: str, label: str, look: Look, view: str
) -> tuple[Figure, dict[str, Any]]:
    """The figure, and what it says of itself."""
    from ximstudio.figures import FigurePlan, figure_of, map_figure

    if view == BOTH:
        told = {"view": BOTH, "color_by": label, "look": look.as_values()}
        return map_figure(shown, title=title, label=label, look=look), told
    state: ViewState = PositionsState(by=LABEL if label else "", option=label)
    if view == MapState.view and isinstance(shown.result.model, PrototypeMap):
        state = MapState(names=label or FIRST)
    plan = FigurePlan(state=state, look=look, title=title)
    return figure_of(shown, plan), plan.as_values()
