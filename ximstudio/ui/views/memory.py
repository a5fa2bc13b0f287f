"""What the wishes of a view need time and again, worked out once. Used in the lane only."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ximstudio.load.names import looks_like_genes
from ximstudio.maps import MapEvidence
from ximstudio.maps.classes import Classes, classes_of
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix
from ximstudio.session.shown import Shown

if TYPE_CHECKING:
    from ximstudio.measure.evidence import Evidence
    from ximstudio.measure.ranks import Ranks


class Memory:
    """Facts about the table and the map that were shown last."""

    def __init__(self) -> None:
        self._matrix: Matrix | None = None
        self._classes: dict[str, Classes] = {}
        self._noun = ""
        self._layers: MapEvidence | None = None
        self._evidence: Evidence | None = None
        self._per_item: dict[str, Floats] = {}

    def noun(self, matrix: Matrix) -> str:
        """What the items of a table are, in the plural: genes, samples or items."""
        self._turn_to(matrix)
        if not self._noun:
            self._noun = noun_of(matrix)
        return self._noun

    def classes(self, matrix: Matrix, name: str) -> Classes:
        """The classes of an item label."""
        self._turn_to(matrix)
        if name not in self._classes:
            self._classes[name] = classes_of(matrix.item_labels[name])
        return self._classes[name]

    def layers(self, shown: Shown) -> MapEvidence:
        """What layers look at; densities and radii are kept as long as they hold."""
        self._turn_to(shown.matrix)
        kept = self._layers
        if kept is None:
            kept = MapEvidence(result=shown.result, matrix=shown.matrix)
        elif kept.result is not shown.result:
            kept = kept.at(shown.result)
        if shown.evidence is not None:
            # Where a cached property keeps its value.
            vars(kept)["measured"] = shown.evidence
        self._layers = kept
        return kept

    def per_item(self, key: str, evidence: Evidence, measure: Callable[[Ranks], Floats]) -> Floats:
        """A measure of every item, (N,)."""
        if self._evidence is not evidence:
            self._evidence, self._per_item = evidence, {}
        if key not in self._per_item:
            self._per_item[key] = measure(evidence.ranks)
        return self._per_item[key]

    def _turn_to(self, matrix: Matrix) -> None:
        if self._matrix is not matrix:
            self._matrix, self._layers = matrix, None
            self._classes, self._noun = {}, ""


def noun_of(matrix: Matrix) -> str:
    """What the items of a table are, in the plural: genes, samples or items."""
    if looks_like_genes(matrix.item_ids)[0] > 0.5:
        return "genes"
    if looks_like_genes(matrix.feature_names)[0] > 0.5:
        return "samples"
    return "items"
