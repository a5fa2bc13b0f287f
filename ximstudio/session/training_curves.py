"""Quality of the map during training."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainingCurves:
    """Trustworthiness and continuity of a sample of the items, over the steps of training.

    `n_sampled` is the size of the sample; 0 if it has all items.
    """

    steps: tuple[int, ...] = ()
    trust: tuple[float, ...] = ()
    continuity: tuple[float, ...] = ()
    n_sampled: int = 0

    def with_point(self, step: int, trust: float, kept: float) -> TrainingCurves:
        """Return the curves with one more point."""
        return TrainingCurves(
            steps=(*self.steps, step),
            trust=(*self.trust, trust),
            continuity=(*self.continuity, kept),
            n_sampled=self.n_sampled,
        )
