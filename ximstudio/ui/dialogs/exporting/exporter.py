"""Out of the program: figures, texts, tables and scripts of what is shown, made in the lane."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from PySide6.QtCore import QObject, Signal

from ximstudio.figures.plan import FigurePlan
from ximstudio.load import Report
from ximstudio.load.samples import PREFIX
from ximstudio.model.problem import Problem, UserError
from ximstudio.pictures.states import CompareState, QualityState, ViewState
from ximstudio.pictures.states.compare import MAPS, MEASURES, STABILITY, SWEEP
from ximstudio.session.shown import Shown
from ximstudio.session.words import name_of
from ximstudio.ui.dialogs.import_newest import Newest
from ximstudio.ui.settings import Settings
from ximstudio.ui.showing import shown_run
from ximstudio.ui.studio import Studio

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ximstudio.export.planned_figure import Printed
    from ximstudio.pictures.sweep import SweepPicture
    from ximstudio.ui.views import View
    from ximstudio.ui.views.area import Pane, ViewArea
    from ximstudio.ui.views.compare.view import CompareView

DRAWING, WRITING, TELLING = "Drawing a figure", "Exporting", "Writing a text"
FORBIDDEN = re.compile(r'[\\/:*?"<>|\x00-\x1f]+')
"""What some system or other does not allow in the name of a file."""
LONGEST = 80
FOLDER = "folder"
COPIED = (".png", ".svg", ".pdf")
"""Kinds of files that are put on the clipboard: every program takes one of them."""


@dataclass(frozen=True, kw_only=True)
class Offer:
    """A figure that can be made: a view, and how it is set; and a sweep, which views are not told.

    Of two that are equal one is enough.
    """

    name: str
    icon: str
    state: ViewState
    sweep: SweepPicture | None = None


@dataclass(frozen=True)
class Refused:
    """Why something could not be made."""

    problems: tuple[Problem, ...]


class Exporting(QObject):
    """What a person can take along; whatever takes time is done in the quiet lane.

    It asks for nothing: dialogs say what they want, and get it, or a `Refused`.
    """

    changed = Signal()
    """There is something else to be taken along, or something is being made."""
    exported = Signal()
    """A file was written, or something was copied."""

    def __init__(self, studio: Studio, settings: Settings) -> None:
        super().__init__(studio)
        self.studio = studio
        self.settings = settings
        desk = studio.desk
        self.drawing = Newest(desk, DRAWING, self)
        """Draws previews."""
        self.writing = Newest(desk, WRITING, self)
        """Makes files."""
        self.telling = Newest(desk, TELLING, self)
        """Makes texts and counts tables."""
        self._shown: Shown | None = None
        self._made: tuple[Shown, FigurePlan, Figure] | None = None
        """The figure that was drawn last; only the lane touches it."""
        desk.changed.connect(self._follow)
        self._follow()

    # What there is

    @property
    def shown(self) -> Shown | None:
        """The run that is shown, and all that is to be seen of it; the same until it changes."""
        return self._shown

    @property
    def able(self) -> bool:
        """Whether there is a map."""
        return self._shown is not None

    def offers(self, area: ViewArea) -> tuple[Offer, ...]:
        """All views as they are set: first the one in focus, then those that are seen."""
        return offers_of(area)

    def name(self, *parts: str, state: ViewState | None = None) -> str:
        """A name for a file, without its end: of the table, of the run, and of what is in it.

        With `state`, for a figure of this view: some show more than one run.
        """
        data = self.studio.session.data
        table = "" if data is None else Path(data.input.name.removeprefix(PREFIX)).stem
        words = FORBIDDEN.sub(" ", " ".join((table, self._run_name(state), *parts)))
        return " ".join(words.split()).strip(" .")[:LONGEST].strip() or "export"

    def title(self, state: ViewState) -> str:
        """What stands above a figure of this view unless a person writes something else."""
        data = self.studio.session.data
        names = (self._run_name(state), "" if data is None else name_of(data))
        return ", ".join(filter(None, names))

    def _run_name(self, state: ViewState | None) -> str:
        """The name of the run that is shown; '' where others are, too."""
        run = self.studio.session.run
        return "" if run is None or isinstance(state, CompareState | QualityState) else run.name

    # What is remembered

    def chosen(self, page: str) -> Mapping[str, Any]:
        """What was chosen on a page the last time."""
        return self.settings.now.export.get(page, {})

    def remember(self, page: str, values: Mapping[str, Any]) -> None:
        """Choose the same the next time."""
        export = self.settings.now.export
        if export.get(page) != values:
            self.settings.change(export={**export, page: dict(values)})

    @property
    def folder(self) -> Path:
        """Where something was saved last, or else where tables are."""
        places = (self.chosen(FOLDER).get("path"), self.settings.now.folder)
        known = (Path(place) for place in places if isinstance(place, str) and place)
        return next((place for place in known if place.is_dir()), Path.home())

    def remember_folder(self, path: Path) -> None:
        """Save beside this file the next time."""
        self.remember(FOLDER, {"path": str(path.absolute().parent)})

    # What is made

    def preview(
        self,
        plan: FigurePlan,
        *,
        sweep: SweepPicture | None = None,
        dpi: float,
        done: Callable[[Any], None],
        at_once: bool = False,
    ) -> None:
        """Have a figure drawn for the screen: `done` gets it as `Printed`, or a `Refused`."""
        shown = self._shown
        if shown is None:
            return

        def work(report: Report) -> Printed:
            from ximstudio.export.planned_figure import drawn, printed

            made = self._made
            if made is None or made[0] is not shown or made[1] != plan:
                self._made = None
                report(0.0)
                made = shown, plan, drawn(shown, plan, sweep)
                self._made = made
            # Before and after what cannot be ended.
            report(0.5)
            return printed(made[2], plan, dpi=dpi)

        self.drawing.ask(trying(work), done, at_once=at_once)

    def save_figure(
        self,
        path: Path,
        plan: FigurePlan,
        done: Callable[[Any], None],
        *,
        sweep: SweepPicture | None = None,
    ) -> None:
        """Have a figure written: `done` gets what was `Written`, or a `Refused`."""
        shown = self._shown
        if shown is None:
            return

        def work(report: Report) -> Any:
            from ximstudio.export.planned_figure import write_figure

            return write_figure(path, shown, plan, sweep=sweep, report=report)

        self.make(work, done)

    def copy_figure(
        self,
        plan: FigurePlan,
        done: Callable[[Any], None],
        *,
        sweep: SweepPicture | None = None,
    ) -> None:
        """Have a figure made for the clipboard: `done` gets files by their ends, or a `Refused`."""
        shown = self._shown
        if shown is None:
            return

        def work(report: Report) -> Any:
            from ximstudio.export.planned_figure import figure_files

            return figure_files(shown, plan, COPIED, sweep=sweep, report=report)

        self.make(work, done)

    def make(self, work: Callable[[Report], Any], done: Callable[[Any], None]) -> None:
        """Have something made that a person waits for."""

        def made(outcome: Any) -> None:
            done(outcome)
            if not isinstance(outcome, Refused):
                self.exported.emit()

        self.writing.ask(trying(work), made, at_once=True)

    def tell(self, work: Callable[[Report], Any], done: Callable[[Any], None]) -> None:
        """Have something found out that is shown as soon as it is known."""
        self.telling.ask(trying(work), done, at_once=True)

    def stop(self) -> None:
        """Want nothing any more; files that are not whole by now never appear."""
        for work in (self.drawing, self.writing, self.telling):
            work.stop()
        self._made = None

    def _follow(self) -> None:
        shown = shown_run(self.studio.session)
        if _told(shown) != _told(self._shown):
            self._shown = shown
            self.changed.emit()


def _told(shown: Shown | None) -> tuple[object, ...]:
    """All that figures depend on, by identity: values of one session are never changed."""
    if shown is None:
        return ()
    parts = (shown.run, shown.judged, *shown.runs, None, *shown.compared, None, *shown.sets)
    return tuple(map(id, parts))


def trying(work: Callable[[Report], Any]) -> Callable[[Report], Any]:
    """The same work, with what is refused as its outcome: the dialog that asked for it says so."""

    def tried(report: Report) -> Any:
        try:
            return work(report)
        except UserError as error:
            return Refused(error.problems)

    return tried


def offers_of(area: ViewArea) -> tuple[Offer, ...]:
    """All views as they are set, those that are seen first; of comparing, every page."""
    from ximstudio.ui.views import VIEWS

    first = area.pane
    seen = (first, *(pane for pane in area.seen if pane is not first))
    states = list(dict.fromkeys(pane.view.state for pane in seen))
    kinds = {kind.key: kind for kind in VIEWS}
    states += [first.state_of(key) for key in kinds if key not in {state.view for state in states}]
    often = Counter(state.view for state in states)
    counts: Counter[str] = Counter()
    offers = []
    for state in states:
        kind = kinds[state.view]
        counts[state.view] += 1
        number = f" {counts[state.view]}" if often[state.view] > 1 else ""
        offer = Offer(name=f"{kind.name}{number}", icon=kind.icon, state=state)
        offers += _pages(offer, state, seen) if isinstance(state, CompareState) else [offer]
    return tuple(offers)


def _pages(offer: Offer, state: CompareState, panes: Sequence[Pane]) -> list[Offer]:
    """What every page of the compare view shows, the one that is seen first."""
    sweeps = (view.swept for pane in panes for view in pane.built if is_compare(view))
    sweep = next((picture for picture in sweeps if picture is not None), None)
    pages = [state.page, *(page for page in (MAPS, MEASURES, STABILITY) if page != state.page)]
    if sweep is not None and SWEEP not in pages:
        pages.append(SWEEP)
    return [
        replace(
            offer,
            name=f"{offer.name}: {page}",
            state=replace(state, page=page),
            sweep=sweep if page == SWEEP else None,
        )
        for page in pages
    ]


def is_compare(view: View) -> TypeGuard[CompareView]:
    """Whether a view is the one for comparing, which knows of sweeps."""
    return view.key == CompareState.view
