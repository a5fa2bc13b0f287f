"""A layer: numbers over the nodes of a map, and all that is needed to draw them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ximstudio.maps.label_kinds import default_class_label, label_kinds
from ximstudio.maps.palettes import PaletteScheme
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix
from ximstudio.model.result import Result

if TYPE_CHECKING:
    from ximstudio.maps.evidence import LayerEvidence


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
        A sentence for people who have never heard of it.
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
        self, result: Result, matrix: Matrix | None = None, *, told_by: str = ""
    ) -> str:
        """Return the name that is shown by default; '' where there is no choice.

        `told_by` is the label that had classes on an earlier map.
        """
        options = self.options(result, matrix)
        class_label = "" if matrix is None else default_class_label(matrix, told_by) or ""
        return class_label if class_label in options else next(iter(options), "")

    def title(self, option: str = "") -> str:
        """Its name, with that of the feature or label it shows."""
        return f"{self.name}: {option}" if option else self.name
