"""What the quality view draws, computed in the lane. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.pictures.memory import Memory
from ximstudio.session.judged import Judged
from ximstudio.session.run import Run
from ximstudio.session.run_words import why_apart
from ximstudio.session.shown import Shown
from ximstudio.session.training_curves import Curves
from ximstudio.session.words import Words

if TYPE_CHECKING:
    from ximstudio.measure.catalogue import Definition
    from ximstudio.measure.distances import ShepardData
    from ximstudio.measure.evidence import Evidence

ARROWS = {"higher": "↑", "lower": "↓", "neither": ""}
"""Which way a measure gets better."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RunCurves:
    """T(k) and C(k) of a run for k = 1 … K."""

    key: str
    name: str
    trust: Floats
    continuity: Floats


@dataclass(frozen=True, kw_only=True)
class MeasureRow:
    """What a row of the table is: its title, which way is better, and what it means."""

    key: str
    title: str
    arrow: str
    meaning: str
    definition: str
    reference: str


@dataclass(frozen=True, kw_only=True, eq=False)
class MeasureTable:
    """Measures by row, runs by column; NaN where a measure does not apply or is not there yet."""

    rows: tuple[MeasureRow, ...]
    keys: tuple[str, ...]
    names: tuple[str, ...]
    values: Floats
    errors: Floats
    best: Bools
    """The best of a row, where there are several and one can be better."""
    waiting: Bools
    """Which runs are not measured yet."""
    repeats: int = 0
    """From how many repetitions values are means, and errors deviations; 0 for one run each."""
    n_made: tuple[int, ...] = ()
    """How many of them could be made of every run."""


@dataclass(frozen=True, kw_only=True, eq=False)
class QualityPicture:
    """How good the maps are.

    Parameters
    ----------
    live
        The sampled curves of a training, until there are measures; None from then on.
    shown
        Key of the run that is shown.
    runs
        The curves of every run of the same data that was measured.
    others
        Names of the runs of other data, which cannot be compared.
    why_apart
        Why each of them cannot, in sentences.
    n_items
        How many items the table has.
    shepard, co_ranking
        Of the run that is shown; None until it is measured.
    """

    live: Curves | None = None
    shown: str = ""
    name: str = ""
    runs: tuple[RunCurves, ...] = ()
    others: tuple[str, ...] = ()
    why_apart: str = ""
    words: Words = field(default_factory=Words)
    n_items: int = 0
    shepard: ShepardData | None = None
    co_ranking: Ints | None = None
    table: MeasureTable | None = None


@dataclass
class _Facts:
    """What was worked out about a run."""

    trust: Floats
    continuity: Floats
    shepard: ShepardData | None = None
    co_ranking: Ints | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class QualityWish:
    """Called in the lane; everything about a run is worked out once."""

    memory: Memory = field(default_factory=Memory)
    facts: WeakKeyDictionary[Evidence, _Facts] = field(default_factory=WeakKeyDictionary)

    def __call__(self, shown: Shown) -> QualityPicture:
        """The picture of what is shown."""
        if shown.run is None:
            words = self.memory.words(shown.matrix)
            return QualityPicture(
                live=shown.curves or Curves(), words=words, n_items=shown.matrix.n_items
            )
        run = shown.run
        own = None if run.evidence is None else self._facts_of(run.evidence, whole=True)
        runs = shown.runs or (run,)
        alike = tuple(one for one in runs if one.is_comparable(run))
        words = self.memory.words(shown.matrix)
        if not any(one.measures for one in alike):
            return QualityPicture(
                live=run.curves,
                shown=run.key,
                name=run.name,
                words=words,
                n_items=run.matrix.n_items,
            )
        curves = []
        for one in alike:
            if one.evidence is not None:
                facts = self._facts_of(one.evidence)
                curves.append(
                    RunCurves(
                        key=one.key,
                        name=one.name,
                        trust=facts.trust,
                        continuity=facts.continuity,
                    )
                )
        return QualityPicture(
            shown=run.key,
            name=run.name,
            runs=tuple(curves),
            others=tuple(one.name for one in runs if one not in alike),
            why_apart=why_apart(run, runs),
            words=words,
            n_items=run.matrix.n_items,
            shepard=None if own is None else own.shepard,
            co_ranking=None if own is None else own.co_ranking,
            table=measure_table(alike, words),
        )

    def _facts_of(self, evidence: Evidence, *, whole: bool = False) -> _Facts:
        from ximstudio.measure.distances import shepard
        from ximstudio.measure.neighbourhoods import co_ranking, continuity, trustworthiness

        facts = self.facts.get(evidence)
        if facts is None:
            ranks = evidence.ranks
            facts = _Facts(trust=trustworthiness(ranks), continuity=continuity(ranks))
            self.facts[evidence] = facts
        if whole and facts.shepard is None:
            facts.shepard = shepard(evidence.pairs)
            facts.co_ranking = co_ranking(evidence.ranks)
        return facts


def measure_table(runs: tuple[Run, ...], words: Words | None = None) -> MeasureTable:
    """All measures that any of the runs has, explained in the words of their table."""
    from ximstudio.measure.catalogue import MEASURES, SECONDS, Better
    from ximstudio.measure.estimate import Estimate

    used = [one for one in MEASURES if any(one.key in run.measures for run in runs)]
    timed = used and not all(np.isnan(run.seconds) for run in runs)
    rows = (*used, SECONDS) if timed else tuple(used)
    shape = (len(rows), len(runs))
    values, errors = np.full(shape, np.nan), np.zeros(shape)
    best = np.zeros(shape, dtype=np.bool_)
    for row, measure in enumerate(rows):
        for column, run in enumerate(runs):
            estimate = (
                Estimate(run.seconds) if measure is SECONDS else run.measures.get(measure.key)
            )
            if estimate is not None:
                values[row, column], errors[row, column] = estimate.value, estimate.error
        known = np.isfinite(values[row])
        if measure.better is not Better.NEITHER and known.sum() > 1:
            sign = 1.0 if measure.better is Better.HIGHER else -1.0
            best[row] = known & (sign * values[row] == (sign * values[row])[known].max())
    return MeasureTable(
        rows=tuple(_row(measure, words or Words()) for measure in rows),
        keys=tuple(run.key for run in runs),
        names=tuple(run.name for run in runs),
        values=values,
        errors=errors,
        best=best,
        waiting=np.array([not run.measures for run in runs], dtype=np.bool_),
    )


def repeated_table(judged: Judged, runs: tuple[Run, ...], words: Words) -> MeasureTable | None:
    """Means and deviations of runs that were repeated; None if not all of them were."""
    numbers = [judged.number_of(run) for run in runs]
    columns = [number for number in numbers if number is not None]
    if len(columns) < len(runs) or not runs:
        return None
    summaries = [
        replace(one, means=one.means[columns], deviations=one.deviations[columns])
        for one in judged.comparison.summaries
    ]
    return MeasureTable(
        rows=tuple(_row(one.definition, words) for one in summaries),
        keys=tuple(run.key for run in runs),
        names=tuple(run.name for run in runs),
        values=np.array([one.means for one in summaries]),
        errors=np.array([one.deviations for one in summaries]),
        best=np.array([one.best for one in summaries], dtype=np.bool_),
        waiting=np.zeros(len(runs), dtype=np.bool_),
        repeats=judged.comparison.n_runs,
        n_made=tuple(judged.comparison.n_made[number] for number in columns),
    )


def _row(measure: Definition, words: Words) -> MeasureRow:
    return MeasureRow(
        key=measure.key,
        title=measure.title,
        arrow=ARROWS[measure.better.value],
        meaning=words.said(measure.meaning),
        definition=words.said(measure.definition),
        reference=measure.reference,
    )
