"""Figures that a command was asked for → files, drawn by the plans that the window makes, too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from ximstudio import views
from ximstudio.export.planned_figure import provenance_of
from ximstudio.export.provenance import Provenance, read_provenance
from ximstudio.figures.files import FORMATS, save_figure
from ximstudio.figures.look import Look
from ximstudio.load import Report, silent
from ximstudio.load.samples import called
from ximstudio.model.params import known
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.result import PrototypeMap
from ximstudio.model.selection import NOTHING
from ximstudio.session import Run, Session
from ximstudio.session.shown import Shown
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.state import ViewState
from ximstudio.views.figure import figure_of, figure_plan_from
from ximstudio.views.map.picture import POINTS
from ximstudio.views.map.state import MapState
from ximstudio.views.map.with_positions import map_figure
from ximstudio.views.positions.state import PositionsState

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Drawn: TypeAlias = "tuple[Figure, Provenance]"
"""A figure, and how it was made."""

BOTH = "both"
"""The map, and beside it the positions of its items."""


def views_of_one_map() -> tuple[str, ...]:
    """Return what a figure of one map can show, the usual view first."""
    return (BOTH, *(kind.key for kind in views.VIEWS if not kind.compares))


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The figures that a person asks for.

    Parameters
    ----------
    figures
        The name of each file, and what it shows.
    look
        Size and type of all.
    title
        What stands above them; None for the names of map and table.
    label
        The label that colours items; '' for a telling one.
    palette
        Key of the colours for numbers; '' for the usual ones.
    table
        Whether the table of measures stands below.
    like
        A figure whose view is to be set as it was there; None for views that nobody touched.
    """

    figures: tuple[tuple[str, str], ...] = ()
    look: Look = field(default_factory=Look)
    title: str | None = None
    label: str = ""
    palette: str = ""
    table: bool = False
    like: FigurePlan | None = None

    @property
    def measured(self) -> bool:
        """Whether a figure of one map shows its measures."""
        shows = {kind.key for kind in views.VIEWS if kind.shows_measures}
        return any(view in shows for _, view in self.figures)

    def plan(self, state: ViewState, *, title: str, dots: bool = False) -> FigurePlan:
        """The figure of a view; one that is to be like another has its settings and its marks."""
        selection = NOTHING
        if self.like is not None and self.like.state.view == state.view:
            state, selection = self.like.state, self.like.selection
        return FigurePlan(
            state=state.with_palette(self.palette) if self.palette else state,
            selection=selection,
            look=self.look,
            title=title if self.title is None else self.title,
            table=self.table,
            dots=dots,
        )


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


def figure_views(
    names: tuple[str, ...], views: Iterable[str], *, among: Iterable[str], usual: str
) -> tuple[tuple[str, str], ...]:
    """What each figure shows: all the same one view, or one each in their order."""
    views = tuple(views) or (usual,)
    for view in views:
        known("view", view, tuple(among))
    if len(views) not in (1, len(names)):
        raise UserError(
            key="export.figure_views",
            what=f"There are {len(views)} views for {len(names)} figures.",
            where="options --figure and --view",
            way_out="Give --view once for all figures, or once for each, in their order.",
        )
    return tuple(zip(names, views if len(views) > 1 else views * len(names), strict=True))


def figure_like(path: Path) -> tuple[FigurePlan, str]:
    """How the view in a figure's file is set, and which of the commands' views it is."""
    told = read_provenance(path) if path.is_file() else None
    try:
        plan = None if told is None else figure_plan_from(told.figure)
    except (UserError, KeyError, TypeError, ValueError, AttributeError):
        plan = None
    if told is None or plan is None:
        raise UserError(
            key="export.figure_like",
            what="There is no figure here that says how it was made.",
            where=f"option --like {path}",
            way_out="Give a PDF, SVG, PNG or TIFF as XIM Studio exported it.",
        )
    if "beside" in told.figure:
        return plan, BOTH
    return plan, plan.state.command_view(dots=plan.dots)


def write_run_figures(
    folder: Path,
    asked: Asked,
    run: Run,
    *,
    began: Mapping[str, Any] = MappingProxyType({}),
    ancestors: tuple[Mapping[str, Any], ...] = (),
    report: Report = silent,
) -> tuple[Problem, ...]:
    """All figures of a run; why some could not be drawn.

    Of a map that has nothing to show in a view, such as one without nodes, positions are shown.
    `began` is what the run's record says of prototypes that training began with, and `ancestors`
    are the records of the runs that it descends from: both go into the files.
    """
    shown = Shown.of(run, Session().with_run(run))

    def drawn(view: str) -> Drawn:
        figure, provenance = _drawn(shown, asked, view)
        runs = tuple({**each, **began} for each in provenance.runs)
        return figure, replace(provenance, runs=runs, ancestors=ancestors)

    return write_asked(folder, asked, drawn, report)


def write_asked(
    folder: Path, asked: Asked, draw: Callable[[str], Drawn], report: Report = silent
) -> tuple[Problem, ...]:
    """Draw every view once, and write it under all its names; why some could not be.

    What took long to compute is there by now, and is not to be lost for a figure.
    """
    kept: dict[str, Drawn] = {}
    refused: list[Problem] = []
    for number, (name, view) in enumerate(asked.figures):
        report(number / len(asked.figures))
        try:
            if view not in kept:
                kept[view] = draw(view)
            figure, provenance = kept[view]
            save_figure(figure, folder / name, asked.look, provenance)
        except UserError as error:
            refused += [replace(one, where=f"{name}, {one.where}") for one in error.problems]
    return tuple(refused)


def _drawn(shown: Shown, asked: Asked, view: str) -> Drawn:
    """The figure of a view, or of positions if that would be empty, and how it was made."""
    assert shown.run is not None
    title = f"{shown.run.name}, {called(shown.matrix.source)}"
    places = PositionsState.for_command(asked.label)
    plan = asked.plan(_state(view, places, shown), title=title)
    if view == BOTH and plan.state.view == MapState.view:
        figure = map_figure(shown, plan, label=asked.label)
        told = provenance_of(shown, plan)
        beside = {"view": places.view, "state": places.as_values()}
        return figure, replace(told, figure={**told.figure, "beside": beside})
    try:
        return figure_of(shown, plan), provenance_of(shown, plan)
    except UserError as error:
        if error.problems[0].key != "figure.nothing" or plan.state.view == places.view:
            raise
    plan = asked.plan(places, title=title)
    return figure_of(shown, plan), provenance_of(shown, plan)


def _state(view: str, places: PositionsState, shown: Shown) -> ViewState:
    """Return a view as in a window in which the user chose nothing but a label, with all items."""
    if view != BOTH:
        return views.view_named(view).state_class.for_command(places.option)
    if isinstance(shown.result.model, PrototypeMap):
        return MapState(names="", marks=POINTS)
    return places
