"""Parameters of training in epochs: all items at once, or block by block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from ximstudio.model.condition import Fact, OneOf
from ximstudio.model.metric import OF_ITEMS, PRECOMPUTED
from ximstudio.model.spec import Choice, Number, param
from ximstudio.train.params import IN_EPOCHS, OnlineParams

FIRST_ITEMS = 4000
"""Number of items that is enough while the map is still wide."""
EPOCHS_OF_ITEMS = OneOf("algorithm", "batch", "mini-batch") & OF_ITEMS
REPELS = Fact(
    "repels", "prototypes repel ('repulsion' above 0, rule=gradient or 'divergence' not kl)"
)


@dataclass(frozen=True, kw_only=True)
class BatchParams(OnlineParams):
    """Training in epochs, for every method that can also train item by item."""

    algorithm: str = param(
        "online",
        Choice(
            label="Algorithm",
            help="Item by item, or many items at once in epochs: quicker on large tables.",
            equation="TR 4, TR 24, TR 26",
            when=OF_ITEMS,
            options={
                "online": "one item at a time, in random order",
                "batch": "all items at once",
                "mini-batch": "random blocks of items, all of them once in an epoch",
            },
        ),
    )
    n_epochs: int = param(
        50,
        Number(
            label="Epochs",
            help="Number of passes through the items during annealing, for training in epochs.",
            low=1,
            high=1e6,
            whole=True,
            advanced=True,
            when=IN_EPOCHS,
        ),
    )
    relaxation: float | None = param(
        None,
        Number(
            label="Relaxation",
            symbol="λ",
            help="Share of the way to the balance of its forces that a prototype moves per epoch.",
            equation="TR 26",
            low=0.0,
            high=1.0,
            above=True,
            advanced=True,
            automatic="1, in mini-batches the share of the items that a block holds, and a half on"
            " a table of distances",
            when=Fact(
                "relaxes", "training goes in epochs, and prototypes are no medians of a table"
            ),
        ),
    )
    first_share: float | None = param(
        None,
        Number(
            label="Share of items at first",
            help="Share of the items, drawn at random, that the first epoch of a batch training"
            " uses; it rises to all of them over four fifths of the epochs.",
            low=0.0,
            high=1.0,
            above=True,
            advanced=True,
            automatic=f"all, or {FIRST_ITEMS} items if there are more",
            when=OneOf("algorithm", "batch") & OF_ITEMS,
        ),
    )
    block_items: int = param(
        2000,
        Number(
            label="Items in a block",
            help="Number of items in a mini-batch: smaller blocks move the prototypes more often.",
            unit="items",
            low=1,
            high=1e9,
            whole=True,
            advanced=True,
            when=OneOf("algorithm", "mini-batch") & OF_ITEMS,
        ),
    )
    settling: int = param(
        0,
        Number(
            label="Settling epochs",
            help="Maximum number of epochs after annealing, with the final width and reach.",
            low=0,
            high=1e6,
            whole=True,
            advanced=True,
            when=IN_EPOCHS,
        ),
    )
    tolerance: float = param(
        0.001,
        Number(
            label="Tolerance",
            help="Training in epochs ends when no prototype moves farther than this in an epoch,"
            " and annealing has ended; 0 continues to the last epoch.",
            unit="× median distance between items",
            low=0.0,
            high=1.0,
            advanced=True,
            when=EPOCHS_OF_ITEMS,
        ),
    )

    @property
    def in_epochs(self) -> bool:
        return self.algorithm != "online" or super().in_epochs

    @property
    def relaxes(self) -> bool:
        """True if λ has an effect; a prototype that is an item moves all the way to another."""
        medians = self.metric == PRECOMPUTED and self.relational == "median"
        return self.in_epochs and not medians

    def planned_steps(self, n_items: int) -> int:
        """Number of epochs, or of steps of an online training."""
        return self.n_epochs + self.settling if self.in_epochs else self.steps_for(n_items)

    def steps_at_most(self, n_items: int) -> int | None:
        return self.planned_steps(n_items)

    def first_share_of(self, n_items: int) -> float:
        """Share of items in the first epoch, chosen if left open."""
        return min(1.0, FIRST_ITEMS / n_items) if self.first_share is None else self.first_share

    def relaxation_of(self, n_items: int) -> float:
        """λ, chosen if left open: with 1, maps of a table oscillate if h is Gaussian."""
        if self.relaxation is not None:
            return self.relaxation
        if self.metric == PRECOMPUTED:
            return 0.5
        return min(1.0, self.block_items / n_items) if self.algorithm == "mini-batch" else 1.0

    def resolved(self, n_items: int) -> Self:
        return (
            super()
            .resolved(n_items)
            .replace(
                first_share=self.first_share_of(n_items), relaxation=self.relaxation_of(n_items)
            )
        )


@dataclass(frozen=True, kw_only=True)
class BatchXimParams(BatchParams):
    """Training in epochs for methods with repulsion."""

    fixed_point: str = param(
        "damped",
        Choice(
            label="Rule of an epoch",
            help="How prototypes move towards the balance of attraction and repulsion.",
            equation="TR 26, TR 27",
            advanced=True,
            when=EPOCHS_OF_ITEMS,
            options={
                "damped": "by the force over all attraction and repulsion; stable",
                "literal": "to Σ f x / Σ f (TR 27); nodes where Σ f is not positive stay, and"
                " the history counts them",
            },
        ),
    )
    repelled_by: str = param(
        "items",
        Choice(
            label="Repelled by",
            help="Source of repulsion in an epoch of batch training.",
            equation="TR 24, TR 26",
            advanced=True,
            when=EPOCHS_OF_ITEMS & REPELS,
            options={
                "items": "every item by itself",
                "means": "the items of a node together, from their mean; quicker, and rougher",
            },
        ),
    )
    repelling_share: float | None = param(
        None,
        Number(
            label="Share of items that repel",
            help="Share of the items that repel in an epoch: all attract, and they take turns to"
            " repel, for all of them together, until all do so over the last fifth of the epochs.",
            equation="TR 26",
            low=0.0,
            high=1.0,
            above=True,
            advanced=True,
            automatic=f"all, or {FIRST_ITEMS} items if there are more; all by the literal rule and"
            " for other divergences than Kullback and Leibler's",
            when=EPOCHS_OF_ITEMS & REPELS & OneOf("repelled_by", "items"),
        ),
    )

    def repelling_share_of(self, n_items: int) -> float:
        """Share of items that repel in an epoch, chosen if left open."""
        if self.repelling_share is not None:
            return self.repelling_share
        return min(1.0, FIRST_ITEMS / n_items) if self.fixed_point == "damped" else 1.0

    def resolved(self, n_items: int) -> Self:
        share = self.repelling_share_of(n_items)
        return super().resolved(n_items).replace(repelling_share=share)
