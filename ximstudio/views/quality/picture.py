"""Compute the Quality view in the background. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from ximstudio.model.arrays import Floats, Ints
from ximstudio.pictures.cache import PictureCache
from ximstudio.pictures.curves import RunCurves
from ximstudio.pictures.measure_table import MeasureTable, measure_table
from ximstudio.session.run import Run, TrainingCurves
from ximstudio.session.run_words import why_apart
from ximstudio.session.shown import Shown
from ximstudio.session.words import Words

if TYPE_CHECKING:
    from ximstudio.measure.distances import ShepardData
    from ximstudio.measure.evidence import MapEvidence


@dataclass(frozen=True, kw_only=True, eq=False)
class QualityPicture:
    """Quality of maps: measures, curves and plots.

    Parameters
    ----------
    live
        Sampled curves during training; None once there are measures.
    shown
        Key of the displayed run.
    runs
        The curves of every measured run of the same data.
    others
        Names of the runs of other data, which are not comparable.
    why_apart
        The reasons, in sentences.
    n_items
        Number of items in the table.
    shepard, co_ranking
        Of the displayed run; None until it is measured.
    """

    live: TrainingCurves | None = None
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
    """Cached plots and curves of a run."""

    trust: Floats
    continuity: Floats
    shepard: ShepardData | None = None
    co_ranking: Ints | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class QualityRequest:
    """Called in the background; everything about a run is computed once."""

    memory: PictureCache = field(default_factory=PictureCache)
    facts: WeakKeyDictionary[MapEvidence, _Facts] = field(default_factory=WeakKeyDictionary)

    def __call__(self, shown: Shown) -> QualityPicture:
        """Return the picture of the displayed run."""
        words, run = self.memory.words(shown.matrix), shown.run
        picture = QualityPicture(words=words, n_items=shown.matrix.n_items)
        if run is None:
            return replace(picture, live=shown.curves or TrainingCurves())
        picture = replace(picture, shown=run.key, name=run.name, n_items=run.matrix.n_items)
        runs = shown.runs or (run,)
        alike = tuple(one for one in runs if one.is_comparable(run))
        if not any(one.measures for one in alike):
            return replace(picture, live=run.curves)
        own = None if run.evidence is None else self._facts_of(run.evidence, whole=True)
        return replace(
            picture,
            runs=tuple(self._curves_of(one) for one in alike if one.evidence is not None),
            others=tuple(one.name for one in runs if one not in alike),
            why_apart=why_apart(run, runs),
            shepard=None if own is None else own.shepard,
            co_ranking=None if own is None else own.co_ranking,
            table=measure_table(alike, words),
        )

    def _curves_of(self, run: Run) -> RunCurves:
        assert run.evidence is not None
        own = self._facts_of(run.evidence)
        return RunCurves(key=run.key, name=run.name, trust=own.trust, continuity=own.continuity)

    def _facts_of(self, evidence: MapEvidence, *, whole: bool = False) -> _Facts:
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


def others_text(picture: QualityPicture) -> str:
    """Name the runs that are left out of the comparison, and why."""
    return f"Not compared with {picture.name}. {picture.why_apart}"
