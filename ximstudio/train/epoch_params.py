"""Parameters of training in epochs, in each of which all items act at once."""

from __future__ import annotations

from dataclasses import dataclass

from ximstudio.model.params import Params
from ximstudio.model.spec import Number, param


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
    relaxation: float = param(
        1.0,
        Number(
            label="Relaxation",
            symbol="λ",
            help="Which share of the way to where its forces balance a prototype goes at once.",
            equation="TR 26",
            low=0.0,
            high=1.0,
            above=True,
            advanced=True,
        ),
    )
