"""Figures → image files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ximstudio.export.provenance import Provenance
from ximstudio.figures.files import FORMATS
from ximstudio.figures.look import Look
from ximstudio.load.samples import called
from ximstudio.model.matrix import Matrix
from ximstudio.model.problem import UserError
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.pictures.heat_map import ALL
from ximstudio.pictures.map import FIRST
from ximstudio.pictures.positions import LABEL
from ximstudio.pictures.states import (
    FeaturesState,
    HeatMapState,
    MapState,
    PortraitsState,
    PositionsState,
    ViewState,
)
from ximstudio.prepare.input import Input
from ximstudio.session.run import Run
from ximstudio.session.shown import Shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BOTH = "both"
"""The map, and beside it the positions of its items."""
VIEWS = (
    BOTH,
    MapState.view,
    PositionsState.view,
    FeaturesState.view,
    HeatMapState.view,
    PortraitsState.view,
)
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
    ancestors: tuple[Mapping[str, Any], ...] = (),
    look: Look | None = None,
    view: str = BOTH,
) -> None:
    """The figure of a run under all `names`, coloured by a label (by default a telling one).

    Of a map that has nothing to show in the view, such as one without nodes, positions are shown.
    `record` is the run's record, which goes into the files, as do those of its `ancestors`.
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
    runs = () if record is None else (record,)
    provenance = Provenance(title=title, figure=drawn, runs=runs, ancestors=ancestors)
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
    places = PositionsState(by=LABEL if label else "", option=label)
    states: dict[str, ViewState] = {
        FeaturesState.view: FeaturesState(),
        HeatMapState.view: HeatMapState(which=ALL, label=label),
        PortraitsState.view: PortraitsState(),
    }
    if isinstance(shown.result.model, PrototypeMap):
        states[MapState.view] = MapState(names=label or FIRST)
    plan = FigurePlan(state=states.get(view, places), look=look, title=title)
    try:
        return figure_of(shown, plan), plan.as_values()
    except UserError as error:
        # The map is trained by now, and is not to be lost for it.
        if error.problems[0].key != "figure.nothing" or plan.state == places:
            raise
    plan = replace(plan, state=places)
    return figure_of(shown, plan), plan.as_values()
