"""Cache of what the requests of a view need repeatedly. Used in the background thread only."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ximstudio.explore.sets import set_mean
from ximstudio.maps import LayerEvidence
from ximstudio.maps.classes import Classes, classes_of
from ximstudio.maps.clusters import items_of
from ximstudio.maps.label_kinds import numbers_of
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix
from ximstudio.model.named_set import NamedSet
from ximstudio.pictures.canvas import BARE, Overlaid, overlaid
from ximstudio.pictures.set_classes import cluster_classes, set_classes
from ximstudio.session.shown import Shown
from ximstudio.session.words import Words

if TYPE_CHECKING:
    from ximstudio.measure.evidence import MapEvidence
    from ximstudio.measure.ranks import Ranks

Value = TypeVar("Value")


class Latest(Generic[Value]):
    """The value that was computed last. Used in the background thread only."""

    def __init__(self) -> None:
        self._known: tuple[tuple[object, ...], Value] | None = None

    def kept(self, made_of: tuple[object, ...], find: Callable[[], Value]) -> Value:
        """Return the value as long as it is made of the same, else a new one."""
        if self._known is None or self._known[0] != made_of:
            self._known = made_of, find()
        return self._known[1]


class PictureCache:
    """Facts about the table and the map that were shown last."""

    def __init__(self) -> None:
        self._matrix: Matrix | None = None
        self._of_table: dict[object, Any] = {}
        self._layers: LayerEvidence | None = None
        self._evidence: MapEvidence | None = None
        self._per_item: dict[str, Floats] = {}
        self._marked: Latest[Classes] = Latest()
        self._clusters: Latest[Classes] = Latest()
        self._overlaid: Latest[Overlaid] = Latest()

    def words(self, matrix: Matrix) -> Words:
        """Return the nouns for items and features of a table."""
        return self._fact(matrix, "words", lambda: Words.of_matrix(matrix))

    def classes(self, shown: Shown, name: str) -> Classes:
        """Return the classes of an item label."""
        labels, coloured = shown.matrix.item_labels[name], shown.coloured.get(name, ())
        return self._fact(shown.matrix, ("classes", name), lambda: classes_of(labels, coloured))

    def numbers(self, matrix: Matrix, name: str) -> Floats:
        """Return the numbers of a numeric item label, (N,)."""
        labels = matrix.item_labels[name]
        return self._fact(matrix, ("numbers", name), lambda: numbers_of(labels))

    def set_mean(self, matrix: Matrix, one: NamedSet) -> Floats:
        """Return the mean of a set of features for every item, (N,)."""
        return self._fact(matrix, one, lambda: set_mean(one, matrix))

    def set_classes(self, matrix: Matrix, sets: tuple[NamedSet, ...], name: str) -> Classes:
        """Return the members of a set, or of all sets, as classes; cached while sets stay."""
        self._turn_to(matrix)
        return self._marked.kept((sets, name), lambda: set_classes(sets, name, matrix))

    def layers(self, shown: Shown) -> LayerEvidence:
        """Return the input of layers; densities and radii are kept while valid."""
        self._turn_to(shown.matrix)
        kept = self._layers
        if kept is None:
            kept = LayerEvidence(
                result=shown.result, matrix=shown.matrix, live=shown.live, coloured=shown.coloured
            )
        elif kept.result is not shown.result or kept.live is not shown.live:
            kept = kept.at(shown.result, live=shown.live)
        if shown.evidence is not None:
            # Cached properties keep their values here.
            vars(kept)["measured"] = shown.evidence
        self._layers = kept
        return kept

    def per_item(
        self, key: str, evidence: MapEvidence, measure: Callable[[Ranks], Floats]
    ) -> Floats:
        """Return a measure of every item, (N,)."""
        if self._evidence is not evidence:
            self._evidence, self._per_item = evidence, {}
        if key not in self._per_item:
            self._per_item[key] = measure(evidence.ranks)
        return self._per_item[key]

    def clusters(self, shown: Shown) -> Classes | None:
        """Return the clusters of the items as classes; None if there are no clusters."""
        clustering = None if shown.run is None else shown.run.clustering
        if clustering is None:
            return None
        winners = shown.result.winners
        return self._clusters.kept(
            (clustering,), lambda: cluster_classes(clustering, items_of(clustering, winners))
        )

    def overlaid(self, shown: Shown, *, lines: bool) -> Overlaid:
        """Return what lies above the map; the same object as long as nothing changes."""
        run = shown.run
        if run is None:
            return BARE
        made_of = (shown.result, run.clustering, run.projected)
        return self._overlaid.kept(made_of, lambda: overlaid(shown, lines=lines))

    def _fact(self, matrix: Matrix, key: object, find: Callable[[], Value]) -> Value:
        """Return a fact about the table, which is found once."""
        self._turn_to(matrix)
        if key not in self._of_table:
            self._of_table[key] = find()
        fact: Value = self._of_table[key]
        return fact

    def _turn_to(self, matrix: Matrix) -> None:
        if self._matrix is not matrix:
            self._matrix, self._of_table = matrix, {}
            self._layers, self._marked = None, Latest()
