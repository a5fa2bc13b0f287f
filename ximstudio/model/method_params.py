"""Facts that the parameters of a method declare about the maps that it trains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ximstudio.model.grid import Grid
from ximstudio.model.params import Params


@dataclass(frozen=True, kw_only=True)
class MethodParams(Params):
    """Parameters of a method.

    Other packages read the facts below instead of testing which class the parameters have. The
    defaults are those of a method that places items without nodes, steps or kernels of its own.
    """

    @property
    def grid(self) -> Grid | None:
        """The nodes of the map; None of a method without prototypes."""
        return None

    @property
    def planned(self) -> Grid | None:
        """The nodes, or a guess while a table of nodes cannot be read; None without prototypes."""
        return self.grid

    @property
    def takes_prototypes(self) -> bool:
        """True if training can begin with given prototypes, one for every node."""
        return False

    @property
    def takes_pins(self) -> bool:
        """True if nodes can be pinned to items."""
        return False

    @property
    def anchored(self) -> Mapping[int, str]:
        """Item ids by the node that is pinned to them."""
        return {}

    @property
    def in_epochs(self) -> bool:
        """True if a step presents many items together."""
        return False

    @property
    def step_word(self) -> str:
        """Word for one step of training."""
        return "epoch" if self.in_epochs else "step"

    def steps_at_most(self, n_items: int) -> int | None:  # noqa: ARG002
        """Number of steps of a training that may end early by itself; None if it cannot."""
        return None

    @property
    def length_scale(self) -> float:
        """Length that distances on the map are divided by."""
        return 1.0

    @property
    def rare(self) -> bool:
        """True if training uses kernels that few maps need, which are compiled last."""
        return False
