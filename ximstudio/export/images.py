"""Draw the figures that a command requests, by the same plans as the window."""

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
from ximstudio.model.problem import Problem, SettingsForm, UserError
from ximstudio.model.result import PrototypeMap
from ximstudio.model.selection import NOTHING
from ximstudio.session import Run, Session
from ximstudio.session.shown import Shown
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.state import ViewState
from ximstudio.views.figure import figure_of, figure_plan_from
from ximstudio.views.map.picture import POINTS
from ximstudio.views.map.state import MapState
from ximstudio.views.positions.figure import map_figure
from ximstudio.views.positions.state import PositionsState

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Drawn: TypeAlias = "tuple[Figure, Provenance]"
"""A figure and its provenance."""

BOTH = "both"
"""The map with the positions of its items beside it."""


def views_of_one_map() -> tuple[str, ...]:
    """Return the views of figures of one map, the default first."""
    return (BOTH, *(kind.key for kind in views.VIEWS if not kind.compares))


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The figures that the user requests: file name and view of each, and one look for all.

    Without a title, the names of map and table are drawn. `label` colours items, and `palette` is
    the key of the colours for numbers; '' for the defaults. With `table`, that of measures is drawn
    below, and `like` is a figure whose view settings are copied.
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
        """True if a figure of one map shows its measures."""
        shows = {kind.key for kind in views.VIEWS if kind.shows_measures}
        return any(view in shows for _, view in self.figures)

    def plan(self, state: ViewState, *, title: str, dots: bool = False) -> FigurePlan:
        """Plan the figure of a view; with `like`, its settings and marks are copied."""
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
    """Check the names of figures; refuse formats that cannot be written."""
    names = tuple(names)
    for name in names:
        if Path(name).suffix.lower() not in FORMATS or Path(name).name != name:
            raise UserError(
                key="export.figure_name",
                what=f"A figure cannot be called '{name}'.",
                where=f"figure '{name}'",
                fields=("figure",),
                form=SettingsForm.COMMAND,
                way_out=f"Use a plain file name that ends in {', '.join(FORMATS)}.",
            )
    return names


def figure_views(
    names: tuple[str, ...], views: Iterable[str], *, among: Iterable[str], usual: str
) -> tuple[tuple[str, str], ...]:
    """Assign views to figures: one view for all, or one each in order."""
    views = tuple(views) or (usual,)
    for view in views:
        known("view", view, tuple(among))
    if len(views) not in (1, len(names)):
        raise UserError(
            key="export.figure_views",
            what=f"There are {len(views)} views for {len(names)} figures.",
            where=f"figures {', '.join(names)}",
            way_out="Choose one view for all figures, or one for each, in their order.",
            fields=("figure", "view"),
            form=SettingsForm.COMMAND,
        )
    return tuple(zip(names, views if len(views) > 1 else views * len(names), strict=True))


def figure_like(path: Path) -> tuple[FigurePlan, str]:
    """Read the view settings of a figure's file, and which of the commands' views it is."""
    record = read_provenance(path) if path.is_file() else None
    try:
        plan = None if record is None else figure_plan_from(record.figure)
    except (UserError, KeyError, TypeError, ValueError, AttributeError):
        plan = None
    if record is None or plan is None:
        raise UserError(
            key="export.figure_like",
            what="This file is not a figure with a record of how it was made.",
            where=str(path),
            fields=("like",),
            form=SettingsForm.COMMAND,
            way_out="Use a PDF, SVG, PNG or TIFF as exported by XIM Studio.",
        )
    if "beside" in record.figure:
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
    """Write all figures of a run; return why some could not be drawn.

    If a view is empty for a map, such as one without nodes, positions are drawn instead. `began` is
    what the run's record says of the initial prototypes, and `ancestors` are the records of the
    runs that it descends from: both are stored in the files.
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
    """Draw every view once, and write it under all its names; return why some failed.

    Long computations are finished by now and must not be lost because of a figure.
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
    """Draw a view, or positions if it would be empty, with its provenance."""
    assert shown.run is not None
    title = f"{shown.run.name}, {called(shown.matrix.source)}"
    places = PositionsState.for_command(asked.label)
    plan = asked.plan(_state(view, places, shown), title=title)
    if view == BOTH and plan.state.view == MapState.view:
        figure = map_figure(shown, plan, label=asked.label)
        provenance = provenance_of(shown, plan)
        beside = {"view": places.view, "state": places.as_values()}
        return figure, replace(provenance, figure={**provenance.figure, "beside": beside})
    try:
        figure = figure_of(shown, plan)
    except UserError as error:
        if error.problems[0].key != "figure.nothing" or plan.state.view == places.view:
            raise
        plan = asked.plan(places, title=title)
        figure = figure_of(shown, plan)
    return figure, provenance_of(shown, plan)


def _state(view: str, places: PositionsState, shown: Shown) -> ViewState:
    """Return a view as in a window in which the user has only chosen a label, with all items."""
    if view != BOTH:
        return views.view_named(view).state_class.for_command(places.option)
    if isinstance(shown.result.model, PrototypeMap):
        return MapState(names="", marks=POINTS)
    return places
