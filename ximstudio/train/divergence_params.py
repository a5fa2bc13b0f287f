"""Parameters of the divergence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from ximstudio.kernels.divergence import Force
from ximstudio.model.condition import OneOf
from ximstudio.model.method_params import MethodParams
from ximstudio.model.problem import Problem
from ximstudio.model.spec import Choice, Number, param
from ximstudio.train.divergences import DIVERGENCES, divergence_named, force_of

ORDERS = ", ".join(
    f"{each.usual:g} for {each.name}" for each in DIVERGENCES if each.order is not None
)


@dataclass(frozen=True, kw_only=True)
class DivergenceParams(MethodParams):
    """Choice of the divergence between neighbourhoods."""

    divergence: str = param(
        "kl",
        Choice(
            label="Divergence",
            symbol="Div",
            help="Measure of the difference between an item's neighbourhood on the map and in the"
            " data: attraction and repulsion follow from it. Itakura–Saito needs a longer"
            " reach at the end and small steps.",
            equation="TR 9, TR 11, TR 12",
            advanced=True,
            options={each.key: f"{each.name}: {each.formula}" for each in DIVERGENCES},
        ),
    )
    order: float | None = param(
        None,
        Number(
            label="Order of the divergence",
            symbol="β, α, λ",
            help="Member of a family of divergences.",
            low=0.0,
            high=5.0,
            automatic=ORDERS,
            advanced=True,
            when=OneOf("divergence", *(each.key for each in DIVERGENCES if each.order is not None)),
        ),
    )

    @property
    def force(self) -> Force:
        """The chosen divergence in the form that kernels use."""
        return force_of(self.divergence, self.order)

    def conflicts(self) -> Iterable[Problem]:
        yield from super().conflicts()
        chosen = divergence_named(self.divergence)
        allowed = chosen.order
        if allowed is None or self.order is None or allowed.low <= self.order <= allowed.high:
            return
        yield Problem(
            key="params.order",
            what=f"The order {allowed.symbol} of the {chosen.name} divergence cannot be"
            f" {self.order:g}. {allowed.reason}",
            where="parameters 'divergence' and 'order'",
            fields=("divergence", "order"),
            way_out=f"Use a number from {allowed.low:g} to {allowed.high:g}.",
        )

    def resolved(self, n_items: int) -> Self:
        chosen = super().resolved(n_items)
        return chosen if self.order is not None else chosen.replace(order=self.force.order)
