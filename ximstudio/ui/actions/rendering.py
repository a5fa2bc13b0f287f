"""What the views show: a map, and the pictures of it that they wish for."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QObject, Signal

from ximstudio.jobs import Task
from ximstudio.session import Session
from ximstudio.session.shown import Pictures, Shown, Wishes, pictures_of
from ximstudio.session.training import Live
from ximstudio.ui.desk import Desk, Job
from ximstudio.ui.training import Phase, Trainer

DRAWING = "Drawing"


def shown_run(session: Session) -> Shown | None:
    """What there is to be seen of the run that is shown, whatever is trained; None without one."""
    return None if session.run is None else Shown.of(session.run, session)


class Showing(QObject):
    """Has the lane make pictures; a training makes its own, beside its steps."""

    drawn = Signal(object)
    """Pictures that the views wished for, by pane."""
    undrawn = Signal()
    """Pictures that the views wished for could not be made."""

    def __init__(self, desk: Desk, trainer: Trainer) -> None:
        super().__init__(desk)
        self._desk = desk
        self._trainer = trainer
        self._wishes: Wishes = MappingProxyType({})
        self._due: set[str] = set()
        """Whose pictures were asked for and are not there yet."""
        self._newest: Job | None = None
        self._sets = desk.session.sets
        trainer.trained.connect(self._show_live)
        desk.changed.connect(self._follow_sets)

    @property
    def shown(self) -> Shown | None:
        """What the views show; None while there is no map."""
        session, trainer = self._desk.session, self._trainer
        live, training = trainer.live, trainer.training
        if trainer.phase is not Phase.IDLE and live is not None and training is not None:
            return Shown(
                result=live.result,
                matrix=training.matrix,
                curves=live.curves,
                chosen=session.run,
                runs=session.runs,
                compared=session.compared_runs,
                judged=session.judged,
                sets=session.sets,
                coloured=training.coloured,
                told_by=training.told_by,
            )
        return shown_run(session)

    def wishes(self) -> Wishes:
        """What the views want to show; asked from the lane."""
        return self._wishes

    def wish(self, wishes: Mapping[str, Any], only: str | None = None) -> None:
        """The views want to show something else; `only` one of them, if the others stay."""
        self._wishes = MappingProxyType(dict(wishes))
        self.draw(only)

    def draw(self, only: str | None = None) -> None:
        """Have the pictures of what is shown made, unless a training makes them.

        With `only`, that one is made, and those that are still to be made.
        """
        shown = self.shown
        due = set(self._wishes) if only is None else self._due | {only}
        wishes = {key: wish for key, wish in self._wishes.items() if key in due}
        self._due = set()
        if shown is None:
            self.drawn.emit({})
            return
        trains = self._trainer.phase is Phase.RUNNING and not self._trainer.waits
        if trains or not wishes:
            return
        self._due = set(wishes)

        def work(task: Task[float, Pictures]) -> Pictures:
            task.check()
            return pictures_of(shown, wishes)

        def done(pictures: Pictures) -> None:
            # Another map may be shown by now, or none.
            now = self.shown
            self._due -= set(pictures)
            if now is not None and now.result is shown.result:
                self.drawn.emit(pictures)

        def failed() -> None:
            # Nobody misses pictures that others take the place of.
            if self._newest is job:
                # Whoever asks next need not wait for what went wrong.
                self._due.clear()
                self.undrawn.emit()

        job = Job(doing=DRAWING, work=work, done=done, failed=failed, quiet=True)
        before, self._newest = self._newest, job
        if before is not None:
            self._desk.drop(before)
        self._desk.start(job)

    def _follow_sets(self) -> None:
        """Draw anew when there are other sets: views list them, and colour by them."""
        sets = self._desk.session.sets
        if sets is not self._sets:
            self._sets = sets
            self.draw()

    def _show_live(self, live: Live) -> None:
        if live.pictures:
            self.drawn.emit(live.pictures)
        else:
            # Of one that goes on from an earlier map nothing was drawn yet; that is not no map.
            self.draw()
