"""Export figures, texts, tables and scripts in the background."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from PySide6.QtCore import QObject, Signal

from ximstudio import views
from ximstudio.load import Report
from ximstudio.load.samples import PREFIX
from ximstudio.model.problem import Problem
from ximstudio.session.shown import Shown
from ximstudio.session.words import name_of
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.actions.rendering import shown_run
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.runtime.job_slot import TYPING_MILLISECONDS, JobSlot
from ximstudio.ui.runtime.settings import Settings
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.state import ViewState

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ximstudio.export.planned_figure import Printed
    from ximstudio.ui.views.area import ViewArea
    from ximstudio.views.compare.sweep_picture import SweepPicture

Outcome = TypeVar("Outcome")
Refused: TypeAlias = Callable[[tuple[Problem, ...]], None]
"""Gets the problems if something could not be made."""
FORBIDDEN = re.compile(r'[\\/:*?"<>|\x00-\x1f]+')
"""Characters that some systems do not allow in file names."""
LONGEST = 80
FOLDER = "folder"


@dataclass(frozen=True, kw_only=True)
class FigureOffer:
    """A figure that can be exported: a view with its state, and the sweep that it shows.

    Equal offers are listed once.
    """

    name: str
    icon: str
    state: ViewState
    sweep: SweepPicture | None = None


class Exporter(QObject):
    """Makes figures, texts, tables and scripts in the background.

    The pages of the dialog say what they want, and get the result or the problems.
    """

    changed = Signal()
    """The available exports have changed, or an export has started or ended."""
    exported = Signal()
    """A file was written, or something was copied."""

    def __init__(self, actions: Actions, settings: Settings) -> None:
        super().__init__(actions)
        self.actions = actions
        self.settings = settings
        self.drawing = JobSlot(actions.jobs, self)
        """Slot for previews."""
        self.writing = JobSlot(actions.jobs, self)
        """Slot for files."""
        self.describing = JobSlot(actions.jobs, self)
        """Slot for texts and for counting tables."""
        self._shown: Shown | None = None
        self._made: tuple[Shown, FigurePlan, Figure] | None = None
        """The last figure; only the background thread uses it."""
        actions.store.changed.connect(self._follow)
        self._follow()

    # Available exports

    @property
    def shown(self) -> Shown | None:
        """The current run with everything that views show of it."""
        return self._shown

    def offers(self, area: ViewArea) -> tuple[FigureOffer, ...]:
        """Return all views as they are set, those that are seen first; of some, every page."""
        first = area.pane
        seen = (first, *(pane for pane in area.seen if pane is not first))
        states = list(dict.fromkeys(pane.view.state for pane in seen))
        kinds = {kind.key: kind for kind in views.VIEWS}
        states += [
            first.state_of(key) for key in kinds if key not in {state.view for state in states}
        ]
        sweeps = (view.swept for pane in seen for view in pane.built)
        sweep = next((picture for picture in sweeps if picture is not None), None)
        often = Counter(state.view for state in states)
        counts: Counter[str] = Counter()
        offers = []
        for state in states:
            kind = kinds[state.view]
            counts[state.view] += 1
            number = f" {counts[state.view]}" if often[state.view] > 1 else ""
            offers += [
                FigureOffer(
                    name=f"{kind.name}{number}" + (f": {name}" if name else ""),
                    icon=kind.icon,
                    state=page,
                    sweep=sweep if page.shows_sweep else None,
                )
                for name, page in state.pages(swept=sweep is not None)
            ]
        return tuple(offers)

    def name(self, *parts: str, state: ViewState | None = None) -> str:
        """Return a file name without suffix, made of table, run and content.

        With `state`, for a figure of this view, which may show several runs.
        """
        data = self.actions.session.data
        table = "" if data is None else Path(data.input.name.removeprefix(PREFIX)).stem
        words = FORBIDDEN.sub(" ", " ".join((table, self._run_name(state), *parts)))
        return " ".join(words.split()).strip(" .")[:LONGEST].strip() or "export"

    def title(self, state: ViewState) -> str:
        """Return the default title of a figure of this view."""
        data = self.actions.session.data
        names = (self._run_name(state), "" if data is None else name_of(data))
        return ", ".join(filter(None, names))

    def _run_name(self, state: ViewState | None) -> str:
        """Return the name of the current run; '' if a view shows several runs."""
        run = self.actions.session.run
        if run is None or (state is not None and not views.view_named(state.view).shows_one_run):
            return ""
        return run.name

    # Stored choices

    def chosen(self, page: str) -> Mapping[str, Any]:
        """Return the choices made on a page the last time."""
        return self.settings.now.export.get(page, {})

    def remember(self, page: str, values: Mapping[str, Any]) -> None:
        """Store the choices for the next time."""
        export = self.settings.now.export
        if export.get(page) != values:
            self.settings.change(export={**export, page: dict(values)})

    @property
    def folder(self) -> Path:
        """The folder used last, or that of tables."""
        places = (self.chosen(FOLDER).get("path"), self.settings.now.folder)
        known = (Path(place) for place in places if isinstance(place, str) and place)
        return next((place for place in known if place.is_dir()), Path.home())

    def remember_folder(self, path: Path) -> None:
        """Store the folder of this file for the next time."""
        self.remember(FOLDER, {"path": str(path.absolute().parent)})

    # Exports

    def preview(
        self,
        plan: FigurePlan,
        *,
        sweep: SweepPicture | None = None,
        dpi: float,
        done: Callable[[Printed], None],
        refused: Refused,
        at_once: bool = False,
    ) -> None:
        """Draw a figure for the screen."""
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
            # Check for cancellation before and after the part that cannot be interrupted.
            report(0.5)
            return printed(made[2], plan, dpi=dpi)

        job = _job("Drawing a figure", work, done, refused)
        self.drawing.start(job, delay=0 if at_once else TYPING_MILLISECONDS)

    def make_of_map(
        self,
        work: Callable[[Shown, Report], Outcome],
        done: Callable[[Outcome], None],
        refused: Refused,
    ) -> None:
        """Make something of the current run that the user waits for."""
        if self._shown is not None:
            self.make(partial(work, self._shown), done, refused)

    def make(
        self, work: Callable[[Report], Outcome], done: Callable[[Outcome], None], refused: Refused
    ) -> None:
        """Make something that the user waits for."""

        def made(outcome: Outcome) -> None:
            done(outcome)
            self.exported.emit()

        self.writing.start(_job("Exporting", work, made, refused))

    def describe(
        self, work: Callable[[Report], Outcome], done: Callable[[Outcome], None], refused: Refused
    ) -> None:
        """Compute something that is shown as soon as it is known."""
        self.describing.start(_job("Writing a text", work, done, refused))

    def stop(self) -> None:
        """Stop everything; files that are not complete never appear."""
        for work in (self.drawing, self.writing, self.describing):
            work.stop()
        self._made = None

    def _follow(self) -> None:
        shown = shown_run(self.actions.session)
        if _map_and_runs(shown) != _map_and_runs(self._shown):
            self._shown = shown
            self.changed.emit()


def _map_and_runs(shown: Shown | None) -> tuple[object, ...]:
    """Return everything that figures depend on, by identity: session values are immutable."""
    if shown is None:
        return ()
    parts = (shown.run, shown.judged, *shown.runs, None, *shown.compared, None, *shown.sets)
    return tuple(map(id, parts))


def _job(
    label: str,
    work: Callable[[Report], Outcome],
    done: Callable[[Outcome], None],
    refused: Refused,
) -> Job[float, Outcome]:
    return Job(
        label=label, work=lambda task: work(task.report), done=done, refused=refused, quiet=True
    )
