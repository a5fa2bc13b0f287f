"""Maps that descend from others: finer ones of what is chosen, and those trained further."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum

import numpy as np
from PySide6.QtCore import QObject

from ximstudio.explore.further import further_items
from ximstudio.jobs import Task
from ximstudio.model.grid import Lattice
from ximstudio.model.matrix import Matrix
from ximstudio.model.metric import PRECOMPUTED, metric_of
from ximstudio.model.parent import CONTINUED_AGAIN, PART
from ximstudio.model.result import PrototypeMap
from ximstudio.model.selection import NOTHING, Selection
from ximstudio.model.words import counted
from ximstudio.prepare.input import Input
from ximstudio.session import Run
from ximstudio.session.descent import Descent, earlier_of, resumed, step_words, training_of
from ximstudio.session.map_size import part_shape
from ximstudio.session.shown import Wishes
from ximstudio.session.training import Training
from ximstudio.session.words import Words, item_word
from ximstudio.train import method_named
from ximstudio.train.continued import continued, continued_again, usual_again
from ximstudio.train.params import MapParams, OnlineParams
from ximstudio.train.part import part_of
from ximstudio.ui.desk import Desk, Job
from ximstudio.ui.training import Phase, Trainer

FEWEST = 3
"""Items that a map of their own can show something about."""
MOST_LOOKED_AT = 500
"""Among so many items it takes no time to see whether all are the same."""
BEGINNING = "Beginning from an earlier map"


class Further(StrEnum):
    """How a run is trained further."""

    RESUME = "resume"
    """To the end that was planned, for it was stopped."""
    STEPS = "steps"
    """With its own items."""
    ITEMS = "items"
    """With those of the table that it has not seen, among its own."""
    NEW = "new"
    """With the new ones alone."""


class Descending(QObject):
    """What a person can begin from a run that is there; each becomes a run with a parent."""

    def __init__(
        self,
        desk: Desk,
        trainer: Trainer,
        *,
        wishes: Callable[[], Wishes],
        show: Callable[[str], None],
    ) -> None:
        """`wishes` tells what views want to show, `show` has them show the run with a key."""
        super().__init__(desk)
        self._desk = desk
        self._trainer = trainer
        self._wishes = wishes
        self._show = show
        self._chosen: tuple[Matrix | None, Selection, tuple[str, ...]] = (None, NOTHING, ())

    # A finer map of what is chosen

    @property
    def chosen(self) -> tuple[str, ...]:
        """The chosen items that the shown map has, in its order."""
        session = self._desk.session
        if session.run is None or not session.selection:
            return ()
        matrix, selection = session.run.matrix, session.selection
        # Asked for time and again, and tens of thousands of names are looked up.
        if self._chosen[0] is not matrix or self._chosen[1] is not selection:
            rows = np.flatnonzero(selection.mask(matrix.item_ids)).tolist()
            self._chosen = (matrix, selection, tuple(map(matrix.item_ids.__getitem__, rows)))
        return self._chosen[2]

    @property
    def why_not_zoom(self) -> str:
        """Why there can be no finer map of what is chosen now; '' if there can."""
        return next(self._against_zooming(), "")

    def _against_zooming(self) -> Iterator[str]:
        session = self._desk.session
        run, chosen, items = session.run, self.chosen, Words.of(session.data).items
        if run is None:
            yield "Train a map first"
            return
        if self._is_busy:
            yield "Wait until training has ended"
        if metric_of(run.result.params) == PRECOMPUTED:
            yield "A map of a table of distances cannot be zoomed into"
        if not chosen:
            yield f"Choose some {items} on the map first"
        if len(chosen) < FEWEST:
            yield f"A map needs at least {FEWEST} {items}: choose more"
        if len(chosen) == run.matrix.n_items:
            yield f"All {items} of the map are chosen: choose some of them"
        if len(chosen) <= MOST_LOOKED_AT and _all_alike(run.matrix, session.selection):
            yield f"The chosen {items} are all the same: a map would show nothing"

    @property
    def why_no_size(self) -> str:
        """Why the size of a finer map cannot be chosen; '' if it can."""
        run = self._desk.session.run
        if run is None:
            return "Train a map first"
        if not isinstance(run.result.params, MapParams):
            return f"{method_named(run.result.method).name} has no nodes"
        if run.result.params.lattice == Lattice.TABLE:
            return "The nodes of this map are those of a file"
        return ""

    def suggested_shape(self) -> tuple[int, int]:
        """Rows and columns that a finer map of what is chosen has, unless others are asked for."""
        run = self._desk.session.run
        assert run is not None
        return part_shape(run.result, self.chosen)

    def zoom_in(self, *, shape: tuple[int, int] | None = None) -> None:
        """Train a finer map of what is chosen; of a size that suits it unless one is given."""
        session = self._desk.session
        run, items = session.run, self.chosen
        if self.why_not_zoom or run is None:
            return
        changes = {} if self.why_no_size else {"shape": shape or self.suggested_shape()}

        def made() -> Training:
            descendant = part_of(run.result, run.matrix, items=items, changes=changes)
            return training_of(descendant, seed=run.result.seed)

        counted_items = counted(len(items), item_word(session.data, 1))
        what = step_words(PART, run, items=counted_items)
        self._begin(run, made, what, source=run.input)

    def go_up(self) -> None:
        """Show the map that the shown one descends from; what is chosen stays so."""
        session = self._desk.session
        above = None if session.run is None else session.parent_of(session.run)
        if above is not None:
            self._show(above.key)

    # Training further

    def why_not_further(self, run: Run) -> str:
        """Why a run cannot be trained further in any way; '' if it can."""
        if self._is_busy:
            return "Wait until training has ended"
        reasons = [self.why_not(run, how) for how in Further]
        return "" if "" in reasons else reasons[1]

    def why_not(self, run: Run, how: Further) -> str:
        """Why a run cannot be trained further in this way; '' if it can."""
        if how is Further.RESUME:
            return next(_against_resuming(run, self._desk.session.runs), "")
        return next(self._against(run, how), "")

    def _against(self, run: Run, how: Further) -> Iterator[str]:
        result, items = run.result, Words.of(self._desk.session.data).items
        if not isinstance(result.model, PrototypeMap) or not isinstance(result.params, MapParams):
            yield f"{method_named(result.method).name} has no nodes that could go on learning"
        if metric_of(result.params) == PRECOMPUTED:
            yield "A map of a table of distances cannot be trained further"
        if how is Further.STEPS:
            return
        if result.parent is not None and result.parent.of_part:
            yield f"A map of chosen {items} takes no others in"
        if not self.n_new(run):
            yield f"The table has no {items} that are not on the map"

    def n_new(self, run: Run) -> int:
        """How many items of the table as it is now the run has not seen."""
        data = self._desk.session.data
        return (
            0 if data is None else len(set(data.table.items.names).difference(run.matrix.item_ids))
        )

    def train_further(self, run: Run, how: Further, *, n_steps: int | None = None) -> None:
        """Train a run further; `n_steps` says for how long, unless it goes on where it stopped."""
        data, runs = self._desk.session.data, self._desk.session.runs
        if data is None or self._is_busy or self.why_not(run, how):
            return

        def made() -> Training:
            if how is Further.RESUME:
                return resumed(run, runs)
            changes = _steps(run, n_steps)
            if how is Further.STEPS:
                descendant = continued_again(run.result, run.matrix, changes=changes)
            else:
                new = further_items(
                    run.matrix, data.labelled.table, frozen=run.frozen, now=data.matrix
                )
                earlier = run.matrix if how is Further.ITEMS else None
                descendant = continued(run.result, new, earlier=earlier, changes=changes)
            return training_of(descendant, seed=run.result.seed)

        own = how in (Further.RESUME, Further.STEPS)
        what = step_words(CONTINUED_AGAIN, run)
        self._begin(run, made, what, source=run.input if own else data.input)

    @property
    def _is_busy(self) -> bool:
        return self._trainer.phase is not Phase.IDLE

    def _begin(self, run: Run, made: Callable[[], Training], what: str, *, source: Input) -> None:
        """Have the lane make a training, and begin it."""

        def work(task: Task[float, tuple[Training, Descent]]) -> tuple[Training, Descent]:
            task.check()
            training = replace(made(), wishes=self._wishes)
            return training, replace(Descent.of(run, what), input=source)

        def done(ready: tuple[Training, Descent]) -> None:
            session = self._desk.session
            # Something else may be trained by now, or another table be open.
            if session.present(run) is not None and session.data is not None and not self._is_busy:
                self._trainer.begin_descent(*ready)

        self._desk.forget(lambda job: job.doing == BEGINNING)
        # Not quiet: a large table takes a second, and a person may think better of it.
        self._desk.start(Job(doing=BEGINNING, work=work, done=done), first=True)


def _against_resuming(run: Run, runs: Sequence[Run]) -> Iterator[str]:
    if run.result.finished:
        yield "It was trained to its end"
    if run.result.resume is None:
        yield "Where it was stopped is not known any more"
    began_from_another = run.result.parent is not None and isinstance(run.result.params, MapParams)
    if began_from_another and earlier_of(run, runs) is None:
        yield "The map that it began from is not here any more"


def length_of(run: Run) -> str:
    """The parameter of a run that says how long it is trained."""
    in_epochs = isinstance(run.result.params, OnlineParams) and run.result.params.in_epochs
    return "n_epochs" if in_epochs else "n_steps"


def usual_length(run: Run) -> int:
    """How many steps or epochs a run is trained further unless a person says otherwise."""
    return int(getattr(usual_again(run.result, run.matrix.n_items), length_of(run)))


def _steps(run: Run, n_steps: int | None) -> dict[str, int]:
    return {} if n_steps is None else {length_of(run): n_steps}


def _all_alike(matrix: Matrix, selection: Selection) -> bool:
    values = matrix.values[selection.mask(matrix.item_ids)]
    # A blank is no difference.
    low, high = np.fmin.reduce(values), np.fmax.reduce(values)
    return not (low < high).any()
