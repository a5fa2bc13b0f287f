"""How good the map is while it trains."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainingCurves:
    """Trustworthiness and continuity of a sample of the items, as training goes on.

    `n_sampled` is how many items the sample has; 0 if it has all of them.
    """

    steps: tuple[int, ...] = ()
    trust: tuple[float, ...] = ()
    continuity: tuple[float, ...] = ()
    n_sampled: int = 0

    def with_point(self, step: int, trust: float, kept: float) -> TrainingCurves:
        """The curves with one point more."""
        return TrainingCurves(
            steps=(*self.steps, step),
            trust=(*self.trust, trust),
            continuity=(*self.continuity, kept),
            n_sampled=self.n_sampled,
        )
