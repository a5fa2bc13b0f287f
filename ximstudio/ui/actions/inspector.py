"""Looking closer: what is known about the items of the shown map, and what their names are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ximstudio.model.matrix import Matrix
from ximstudio.model.named_set import Side
from ximstudio.session import Run
from ximstudio.session.words import Words
from ximstudio.ui.desk import Desk
from ximstudio.ui.selection.latest import Latest

if TYPE_CHECKING:
    from ximstudio.explore.names import Names
    from ximstudio.explore.sets import Fitting
    from ximstudio.ui.selection.facts import Column, Facts
    from ximstudio.ui.selection.insight import Insight


class Inspecting(QObject):
    """Has the lane find out about items, newest first; everybody may look at what is known."""

    facts_changed = Signal()
    """More, or something else, is known about the items."""
    named = Signal()
    """Items can be found by name."""
    ordered = Signal()
    """The order of a column is known now."""
    insight_changed = Signal()
    """More, or something else, is known about the selection as a whole."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self.facts: Facts | None = None
        """What is known about every item; None while there is no table."""
        self.fitting: Fitting | None = None
        """The names of both sides of the table; None until they were looked through."""
        self.insight: Insight | None = None
        """What the chosen have in common; None if nothing is chosen, or not known yet."""
        self._about: tuple[Matrix | None, object, object, object] = (None,) * 4
        self._selected: object = None
        self._words: tuple[Matrix | None, Words] = (None, Words())
        self._wanted = False
        self._label: str | None = None
        self._facts, self._names = Latest(desk, "Looking at items"), Latest(desk, "Reading names")
        self._order, self._insight = Latest(desk, "Sorting"), Latest(desk, "Looking closer")
        desk.changed.connect(self._follow)

    @property
    def words(self) -> Words:
        """What the items and features that can be chosen are called, as far as that is known."""
        session = self._desk.session
        matrix, data = session.matrix, session.data
        if matrix is None or (data is not None and matrix is data.matrix):
            # Worked out when the table was read.
            return Words.of(data)
        if self._words[0] is not matrix:
            self._words = matrix, Words.of_matrix(matrix)
        return self._words[1]

    def want_insight(self, wanted: bool) -> None:
        """Look closer at selections from now on, or at none: somebody sees it, or nobody does."""
        if wanted is not self._wanted:
            self._wanted = wanted
            self._look_closer()

    def group_by(self, label: str) -> None:
        """Group the features of profiles by a label; '' for the order of the table."""
        self._label = label
        self._look_closer()

    def want_order(self, column: Column) -> None:
        """Find out the order of a column."""

        def done(_: object) -> None:
            self.ordered.emit()

        self._order.ask(lambda: column.places, done)

    @property
    def names(self) -> Names | None:
        """The names of the items; None until they were looked through."""
        return None if self.fitting is None else self.fitting.names(Side.ITEMS)

    def _follow(self) -> None:
        matrix, run = self._desk.session.matrix, self._desk.session.run
        evidence = None if run is None else run.evidence
        result, clusters = (None, None) if run is None else (run.result, run.clustering)
        before, self._about = self._about, (matrix, result, evidence, clusters)
        if before[0] is not matrix:
            self._read_names(matrix)
        if any(one is not other for one, other in zip(before, self._about, strict=True)):
            self._find_facts(matrix, run)
        elif self._desk.session.selection is not self._selected:
            self._look_closer()

    def _read_names(self, matrix: Matrix | None) -> None:
        self.fitting = None
        self._names.drop()
        if matrix is None:
            return

        def work() -> Fitting:
            from ximstudio.explore.sets import Fitting

            made = Fitting(matrix)
            # What it finds names by is made when first asked, which is to be here.
            made.names(Side.ITEMS).completions("a", most=1)
            for side in Side:
                made.names(side).matched(("",))
            return made

        def done(made: Fitting) -> None:
            self.fitting = made
            self.named.emit()

        self._names.ask(work, done)

    def _find_facts(self, matrix: Matrix | None, run: Run | None) -> None:
        self._facts.drop()
        if matrix is None:
            self._take_facts(None)
            return

        def work() -> Facts:
            from ximstudio.ui.selection.facts import facts_of

            return facts_of(matrix, run)

        self._facts.ask(work, self._take_facts)

    def _take_facts(self, facts: Facts | None) -> None:
        before, self.facts = self.facts, facts
        self.facts_changed.emit()
        # Measures and clusters change nothing about profiles and statistics.
        same = before is not None and facts is not None and before.matrix is facts.matrix
        if not same or self._desk.session.selection is not self._selected:
            self._look_closer()

    def _look_closer(self) -> None:
        """Find out what the chosen have in common, if somebody wants to see it."""
        selection, facts = self._desk.session.selection, self.facts
        self._selected, label = selection, self._label
        if facts is None or not selection or not self._wanted:
            self._insight.drop()
            self._take_insight(None)
            return

        def work() -> Insight:
            from ximstudio.ui.selection.insight import insight_of

            return insight_of(facts, selection, label)

        self._insight.ask(work, self._take_insight)

    def _take_insight(self, insight: Insight | None) -> None:
        self.insight = insight
        self.insight_changed.emit()
