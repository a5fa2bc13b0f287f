"""Layers, numbers over the nodes of a map, and the evidence that they are computed from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.maps.density import count_related, count_within, pareto_radius
from ximstudio.maps.label_kinds import default_class_label, label_kinds
from ximstudio.maps.palettes import PaletteScheme
from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.model.dissimilarities import Dissimilarities
from ximstudio.model.grid import Grid
from ximstudio.model.matrix import Matrix
from ximstudio.model.metric import compared, in_metric
from ximstudio.model.params import known
from ximstudio.model.problem import UserError
from ximstudio.model.relational import RelationalMap
from ximstudio.model.result import PrototypeMap, Result

if TYPE_CHECKING:
    from ximstudio.measure.evidence import MapEvidence

LIVE_ITEMS = 1024
"""Items that tell the density of a map while it is trained."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LayerEvidence:
    """A map with nodes (`result`) and, where a layer needs them, the items it shows (`matrix`).

    What several layers need is computed once, when first asked for. `seed` is that of all samples.
    A `live` map is about to change: what would take too long for thirty maps a second is estimated.
    `coloured` are the classes, by label, that have their colours from an earlier map.
    """

    result: Result
    matrix: Matrix | None = None
    seed: int = 0
    live: bool = False
    coloured: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.result.model, PrototypeMap):
            raise UserError(
                key="layer.no_nodes",
                what="There are no layers on a map without nodes.",
                where=f"result of the method '{self.result.method}'",
                way_out="Look at its positions, or choose the map of another method.",
            )
        if self.matrix is not None and (
            self.matrix.item_ids != self.result.item_ids
            or self.matrix.feature_names != self.result.feature_names
        ):
            raise UserError(
                key="layer.other_data",
                what="The items or features are not those that the map was trained on.",
                where=self.matrix.source,
                way_out="Give the table that the map was trained on.",
            )

    @classmethod
    def of(cls, measured: MapEvidence) -> LayerEvidence:
        """The same map and data, with all that was measured already."""
        made = cls(result=measured.result, matrix=measured.matrix, seed=measured.seed)
        # Where a cached property keeps its value.
        vars(made)["measured"] = measured
        return made

    def at(self, result: Result, *, live: bool = False) -> LayerEvidence:
        """The same data under another map, as while it is trained; what is theirs is kept."""
        made = replace(self, result=result, live=live)
        same = compared(result.params) == compared(self.result.params)
        for kept in ("seen", "radius", "counted") if live is self.live else ("seen", "radius"):
            if same and kept in vars(self):
                # Where a cached property keeps its value.
                vars(made)[kept] = vars(self)[kept]
        return made

    @property
    def model(self) -> PrototypeMap:
        assert isinstance(self.result.model, PrototypeMap)
        return self.result.model

    @property
    def grid(self) -> Grid:
        return self.model.grid

    @property
    def winners(self) -> Ints:
        assert self.result.winners is not None
        return self.result.winners

    @property
    def items(self) -> Matrix:
        """The matrix, which must be there."""
        if self.matrix is None:
            raise UserError(
                key="layer.no_matrix",
                what="This layer looks at the items, and they are not there.",
                where=f"map of {len(self.result.item_ids)} items",
                way_out="Open the table that the map was trained on.",
            )
        return self.matrix

    @cached_property
    def measured(self) -> MapEvidence:
        """Return the evidence for the measures of the map."""
        from ximstudio.measure.evidence import MapEvidence  # brings numba and scipy

        return MapEvidence(matrix=self.items, result=self.result, seed=self.seed)

    @cached_property
    def seen(self) -> Matrix:
        """The items as the metric of the map sees them."""
        return in_metric(self.items, self.result.params)

    @cached_property
    def radius(self) -> float:
        """The Pareto radius of the data."""
        seen = self.seen
        table = seen.table if isinstance(seen, Dissimilarities) else None
        return pareto_radius(seen.values, seed=self.seed, table=table)

    @cached_property
    def counted(self) -> Floats:
        """Return the items that densities are estimated from, all or a sample of them."""
        values = self.seen.values
        if not self.live or len(values) <= LIVE_ITEMS:
            return values
        rng = np.random.default_rng(self.seed)
        return values[np.sort(rng.choice(len(values), LIVE_ITEMS, replace=False))]

    @cached_property
    def density(self) -> Floats:
        """Return how many items lie within the Pareto radius of every prototype, shape (M,).

        Exact, except during training, where it is estimated from a sample.
        """
        model = self.model
        if isinstance(model, RelationalMap):
            counts = count_related(self.counted, model, self.radius)
        else:
            counts = count_within(self.counted, model.prototypes, self.radius)
        share = len(self.counted) / self.items.n_items
        return frozen(np.asarray(counts / share, dtype=np.float64))

    def feature(self, name: str) -> int:
        """The number of a feature; unknown ones are refused with a proposal."""
        known("feature", name, self.result.feature_names)
        return self.result.feature_names.index(name)

    def labels(self, name: str) -> tuple[str, ...]:
        """A label's text of every item; unknown labels are refused with a proposal."""
        known("label", name, self.items.item_labels)
        return self.items.item_labels[name]


class LayerKind(StrEnum):
    """Kind of the values of a layer, which determines how it is drawn."""

    NUMBERS = "numbers"
    """A number, drawn as a colour."""
    SHARES = "shares"
    """Shares that add up to 1, drawn as a pie."""


class LayerNeed(StrEnum):
    """Input that a layer needs besides the map."""

    MATRIX = "matrix"
    """The items that the map shows."""
    RANKS = "ranks"
    """The neighbours of all items: seconds of work for many items, shared with the measures."""
    FEATURE = "feature"
    """The name of a feature."""
    LABEL = "label"
    """The name of an item label with classes."""
    SCALE = "scale"
    """The name of an item label whose texts are numbers."""


@dataclass(frozen=True, kw_only=True)
class Layer:
    """Something to see on the nodes of a map; views, figures and commands read these entries.

    Parameters
    ----------
    key, name
        What programs and people call it.
    about
        A sentence for users who have never heard of it.
    legend
        What the numbers are, for the colour bar.
    kind
        A number per node, or shares per node.
    of
        From the evidence and the option (the name of a feature or label, '' where none is needed)
        to an array of shape (M,), for shares (M, classes). Counts are 0 and means are NaN at nodes
        without items; NaN is drawn in a neutral colour.
    needs
        What must be there.
    scheme
        Whether 0 divides the numbers into two sides, each with a colour of its own.
    reference
        Who proposed it.
    """

    key: str
    name: str
    about: str
    legend: str
    kind: LayerKind = LayerKind.NUMBERS
    of: Callable[[LayerEvidence, str], Floats]
    needs: frozenset[LayerNeed] = frozenset()
    scheme: PaletteScheme = PaletteScheme.SEQUENTIAL
    reference: str = ""

    @property
    def live(self) -> bool:
        """Return whether it is fast enough to follow training."""
        return LayerNeed.RANKS not in self.needs

    def options(self, result: Result, matrix: Matrix | None = None) -> tuple[str, ...]:
        """The names there are to choose from; none where no name is needed."""
        if LayerNeed.FEATURE in self.needs:
            return result.feature_names
        if LayerNeed.LABEL in self.needs and matrix is not None:
            return label_kinds(matrix).classes
        if LayerNeed.SCALE in self.needs and matrix is not None:
            return label_kinds(matrix).scales
        return ()

    def first_option(
        self, result: Result, matrix: Matrix | None = None, *, old_label: str = ""
    ) -> str:
        """Return the name that is shown by default; '' where there is no choice.

        `old_label` is the label that had classes on an earlier map.
        """
        options = self.options(result, matrix)
        class_label = "" if matrix is None else default_class_label(matrix, old_label) or ""
        return class_label if class_label in options else next(iter(options), "")

    def title(self, option: str = "") -> str:
        """Its name, with that of the feature or label it shows."""
        return f"{self.name}: {option}" if option else self.name
