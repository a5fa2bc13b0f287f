"""Parameters of training in epochs, in each of which all items act at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from ximstudio.model.params import Params
from ximstudio.model.spec import Number, param

RELAXATION = 0.5


@dataclass(frozen=True, kw_only=True)
class EpochParams(Params):
    """How often all items act, and how far prototypes go at once."""

    n_epochs: int = param(
        50,
        Number(
            label="Epochs",
            help="How often training in epochs goes through all items.",
            low=1,
            high=1e6,
            whole=True,
            advanced=True,
        ),
    )
    relaxation: float | None = param(
        None,
        Number(
            label="Relaxation",
            symbol="λ",
            help="Which share of the way to where its forces balance a prototype goes at once.",
            equation="TR 26",
            low=0.0,
            high=1.0,
            above=True,
            advanced=True,
            automatic="a half",
        ),
    )

    def relaxation_of(self, n_items: int) -> float:  # noqa: ARG002
        """λ, chosen if left open: with 1 maps with a Gaussian kernel swing to and fro."""
        return RELAXATION if self.relaxation is None else self.relaxation

    def resolved(self, n_items: int) -> Self:
        return super().resolved(n_items).replace(relaxation=self.relaxation_of(n_items))
