"""Find out about the items of the shown map in the background: names, columns, statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ximstudio.jobs import Task
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix
from ximstudio.model.named_set import SetSide
from ximstudio.session import Run
from ximstudio.session.words import Words
from ximstudio.ui.runtime.job_queue import Job, JobQueue
from ximstudio.ui.runtime.job_slot import JobSlot
from ximstudio.ui.runtime.session_store import SessionStore

if TYPE_CHECKING:
    from ximstudio.explore.names import NameIndex
    from ximstudio.explore.sets import SetMatcher
    from ximstudio.pictures.item_facts import FactColumn, ItemFacts
    from ximstudio.pictures.selection_insight import Insight


class Inspector(QObject):
    """Holds what is known about the items and the selection, and keeps it up to date."""

    facts_changed = Signal()
    """`facts` changed."""
    named = Signal()
    """`names` and `fitting` are known."""
    ordered = Signal()
    """The order of a column is known."""
    insight_changed = Signal()
    """`insight` changed."""

    def __init__(self, store: SessionStore, jobs: JobQueue) -> None:
        super().__init__(store)
        self._store = store
        self.facts: ItemFacts | None = None
        """A table of facts about the items; None without a table."""
        self.fitting: SetMatcher | None = None
        """The names of both sides of the table; None until they were read."""
        self.insight: Insight | None = None
        """Statistics of the selection; None without a selection, or until they are known."""
        self._about: tuple[Matrix | None, object, object, object] = (None,) * 4
        self._selected: object = None
        self._words: tuple[Matrix | None, Words] = (None, Words())
        self._wanted = False
        self._label: str | None = None
        self._facts, self._names = JobSlot(jobs, self), JobSlot(jobs, self)
        self._order, self._insight = JobSlot(jobs, self), JobSlot(jobs, self)
        store.changed.connect(self._follow)

    @property
    def words(self) -> Words:
        """The words for items and features, such as genes and samples."""
        session = self._store.session
        matrix, data = session.matrix, session.data
        if matrix is None or (data is not None and matrix is data.matrix):
            # Known since the table was read.
            return Words.of(data)
        if self._words[0] is not matrix:
            self._words = matrix, Words.of_matrix(matrix)
        return self._words[1]

    def want_insight(self, wanted: bool) -> None:
        """Compute statistics of the selection or not: set while a panel shows them."""
        if wanted is not self._wanted:
            self._wanted = wanted
            self._look_closer()

    def group_by(self, label: str) -> None:
        """Group the features in profiles by a label; '' for the order of the table."""
        self._label = label
        self._look_closer()

    def want_order(self, column: FactColumn) -> None:
        """Compute the order of a column."""

        def work(_: Task[float, Floats]) -> Floats:
            return column.places

        job = Job(label="Sorting", work=work, done=lambda _: self.ordered.emit(), quiet=True)
        self._order.start(job)

    @property
    def names(self) -> NameIndex | None:
        """The names of the items; None until they were read."""
        return None if self.fitting is None else self.fitting.names(SetSide.ITEMS)

    def _follow(self) -> None:
        matrix, run = self._store.session.matrix, self._store.session.run
        evidence = None if run is None else run.evidence
        result, clusters = (None, None) if run is None else (run.result, run.clustering)
        before, self._about = self._about, (matrix, result, evidence, clusters)
        if before[0] is not matrix:
            self._read_names(matrix)
        if any(one is not other for one, other in zip(before, self._about, strict=True)):
            self._find_facts(matrix, run)
        elif self._store.session.selection is not self._selected:
            self._look_closer()

    def _read_names(self, matrix: Matrix | None) -> None:
        self.fitting = None
        self._names.stop()
        if matrix is None:
            return

        def work(_: Task[float, SetMatcher]) -> SetMatcher:
            from ximstudio.explore.sets import SetMatcher

            made = SetMatcher(matrix)
            # The index is built at the first use, which is made here, in the lane.
            made.names(SetSide.ITEMS).completions("a", most=1)
            for side in SetSide:
                made.names(side).matched(("",))
            return made

        def done(made: SetMatcher) -> None:
            self.fitting = made
            self.named.emit()

        self._names.start(Job(label="Reading names", work=work, done=done, quiet=True))

    def _find_facts(self, matrix: Matrix | None, run: Run | None) -> None:
        self._facts.stop()
        if matrix is None:
            self._take_facts(None)
            return

        def work(_: Task[float, ItemFacts]) -> ItemFacts:
            from ximstudio.pictures.item_facts import facts_of

            return facts_of(matrix, run)

        job = Job(label="Computing statistics", work=work, done=self._take_facts, quiet=True)
        self._facts.start(job)

    def _take_facts(self, facts: ItemFacts | None) -> None:
        before, self.facts = self.facts, facts
        self.facts_changed.emit()
        # Profiles and statistics do not depend on measures and clusters.
        same = before is not None and facts is not None and before.matrix is facts.matrix
        if not same or self._store.session.selection is not self._selected:
            self._look_closer()

    def _look_closer(self) -> None:
        """Compute statistics of the selection if a panel shows them."""
        selection, facts = self._store.session.selection, self.facts
        self._selected, label = selection, self._label
        if facts is None or not selection or not self._wanted:
            self._insight.stop()
            self._take_insight(None)
            return

        def work(_: Task[float, Insight]) -> Insight:
            from ximstudio.pictures.selection_insight import insight_of

            return insight_of(facts, selection, label)

        job = Job(label="Analysing the selection", work=work, done=self._take_insight, quiet=True)
        self._insight.start(job)

    def _take_insight(self, insight: Insight | None) -> None:
        self.insight = insight
        self.insight_changed.emit()
