"""Train maps derived from a run: finer maps of the selected items, and runs trained further."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import StrEnum

import numpy as np
from PySide6.QtCore import QObject

from ximstudio.explore.remake import further_items
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
from ximstudio.session.descent import (
    MapDescent,
    part_shape,
    resumed,
    step_words,
    training_of,
    why_not_resumed,
)
from ximstudio.session.shown import RenderRequests
from ximstudio.session.training import Training
from ximstudio.session.words import Words, item_word
from ximstudio.train import method_named
from ximstudio.train.continued import continued, continued_again, usual_again
from ximstudio.train.part import part_of
from ximstudio.ui.actions.trainer import Phase, Trainer
from ximstudio.ui.runtime.job_queue import Job, JobQueue
from ximstudio.ui.runtime.job_slot import JobSlot
from ximstudio.ui.runtime.session_store import SessionStore

FEWEST = 3
"""The smallest number of items of a map."""
MOST_LOOKED_AT = 500
"""The largest number of items that are checked for being all equal."""
BEGINNING = "Starting from an earlier map"


class Further(StrEnum):
    """Ways to train a run further."""

    RESUME = "resume"
    """To the planned end of a training that was stopped."""
    STEPS = "steps"
    """More steps with its own items."""
    ITEMS = "items"
    """With the new items of the table in addition to its own."""
    NEW = "new"
    """With the new items of the table only."""


class DerivedMaps(QObject):
    """Actions that start from a run; each results in a run with a parent."""

    def __init__(
        self,
        store: SessionStore,
        jobs: JobQueue,
        trainer: Trainer,
        *,
        requests: Callable[[], RenderRequests],
        show: Callable[[str], None],
    ) -> None:
        """`requests` returns the requests of the views; `show` shows the run with a key."""
        super().__init__(store)
        self._store = store
        self._slot = JobSlot(jobs, self)
        self._trainer = trainer
        self._requests = requests
        self._show = show
        self._chosen: tuple[Matrix | None, Selection, tuple[str, ...]] = (None, NOTHING, ())

    # Finer maps of the selected items

    @property
    def chosen(self) -> tuple[str, ...]:
        """The selected items of the shown map, in its order."""
        session = self._store.session
        if session.run is None or not session.selection:
            return ()
        matrix, selection = session.run.matrix, session.selection
        # Cached: it is asked for often, and tens of thousands of names are looked up.
        if self._chosen[0] is not matrix or self._chosen[1] is not selection:
            rows = np.flatnonzero(selection.mask(matrix.item_ids)).tolist()
            self._chosen = (matrix, selection, tuple(map(matrix.item_ids.__getitem__, rows)))
        return self._chosen[2]

    @property
    def why_not_zoom(self) -> str:
        """The reason why the selection cannot get a finer map; '' if it can."""
        return next(self._against_zooming(), "")

    def _against_zooming(self) -> Iterator[str]:
        session = self._store.session
        run, chosen, items = session.run, self.chosen, Words.of(session.data).items
        if run is None:
            yield "Train a map first"
            return
        if self._is_busy:
            yield "Wait until training has ended"
        if metric_of(run.result.params) == PRECOMPUTED:
            yield "Zooming in needs a table of values, not of distances"
        if not chosen:
            yield f"Select some {items} on the map first"
        if len(chosen) < FEWEST:
            yield f"A map needs at least {FEWEST} {items}: select more"
        if len(chosen) == run.matrix.n_items:
            yield f"All {items} of the map are selected: select only some"
        if len(chosen) <= MOST_LOOKED_AT and _all_alike(run.matrix, session.selection):
            yield f"The selected {items} are identical: a map would show nothing"

    @property
    def why_no_size(self) -> str:
        """The reason why a finer map has no size to choose; '' if it has."""
        run = self._store.session.run
        if run is None:
            return "Train a map first"
        model = run.result.model
        if not isinstance(model, PrototypeMap):
            return f"{method_named(run.result.method).name} has no nodes"
        if model.grid.lattice is Lattice.TABLE:
            return "This map uses the nodes of a file"
        return ""

    def suggested_shape(self) -> tuple[int, int]:
        """Return the default rows and columns of a finer map of the selection."""
        run = self._store.session.run
        assert run is not None
        return part_shape(run.result, self.chosen)

    def zoom_in(self, *, shape: tuple[int, int] | None = None) -> None:
        """Train a finer map of the selected items; without `shape`, of a suitable size."""
        session = self._store.session
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
        """Show the parent of the shown run; the selection stays."""
        session = self._store.session
        above = None if session.run is None else session.parent_of(session.run)
        if above is not None:
            self._show(above.key)

    # Training further

    def why_not_further(self, run: Run) -> str:
        """Return why a run cannot be trained further at all; '' if it can."""
        if self._is_busy:
            return "Wait until training has ended"
        reasons = [self.why_not(run, how) for how in Further]
        return "" if "" in reasons else reasons[1]

    def why_not(self, run: Run, how: Further) -> str:
        """Return why a run cannot be trained further in this way; '' if it can."""
        if how is Further.RESUME:
            return why_not_resumed(run, self._store.session.runs)
        return next(self._against(run, how), "")

    def _against(self, run: Run, how: Further) -> Iterator[str]:
        result, items = run.result, Words.of(self._store.session.data).items
        if not isinstance(result.model, PrototypeMap):
            yield f"{method_named(result.method).name} has no nodes to train further"
        if metric_of(result.params) == PRECOMPUTED:
            yield "Training further needs a table of values, not of distances"
        if how is Further.STEPS:
            return
        if result.parent is not None and result.parent.of_part:
            yield f"A map of selected {items} cannot take new ones"
        if not self.n_new(run):
            yield f"All {items} of the table are already on the map"

    def n_new(self, run: Run) -> int:
        """Return how many items of the present table a run does not have."""
        data = self._store.session.data
        return (
            0 if data is None else len(set(data.table.items.names).difference(run.matrix.item_ids))
        )

    def train_further(self, run: Run, how: Further, *, n_steps: int | None = None) -> None:
        """Train a run further, for `n_steps` unless it is resumed."""
        data, runs = self._store.session.data, self._store.session.runs
        if data is None or self._is_busy or self.why_not(run, how):
            return

        def made() -> Training:
            if how is Further.RESUME:
                return resumed(run, runs)
            changes = {} if n_steps is None else {length_of(run): n_steps}
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
        """Prepare a training in the background, and start it."""

        def work(_: Task[float, tuple[Training, MapDescent]]) -> tuple[Training, MapDescent]:
            training = replace(made(), requests=self._requests)
            return training, replace(MapDescent.of(run, what), input=source)

        def done(ready: tuple[Training, MapDescent]) -> None:
            session = self._store.session
            # Another training may have begun meanwhile, or another table been opened.
            if session.present(run) is not None and session.data is not None and not self._is_busy:
                self._trainer.begin_descent(*ready)

        # Not quiet: a large table takes a second, and the user may want to cancel.
        self._slot.start(Job(label=BEGINNING, work=work, done=done, first=True))


def length_of(run: Run) -> str:
    """Return the name of the parameter for the length of a training."""
    return "n_epochs" if run.result.params.in_epochs else "n_steps"


def usual_length(run: Run) -> int:
    """Return the default number of steps or epochs to train a run further."""
    return int(getattr(usual_again(run.result, run.matrix.n_items), length_of(run)))


def _all_alike(matrix: Matrix, selection: Selection) -> bool:
    values = matrix.values[selection.mask(matrix.item_ids)]
    # Missing values are no difference.
    low, high = np.fmin.reduce(values), np.fmax.reduce(values)
    return not (low < high).any()
