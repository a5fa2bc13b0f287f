"""How good the map is while it trains."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, eq=False)
class Curves:
    """Trustworthiness and continuity of a sample of the items, as training goes on."""

    steps: tuple[int, ...] = ()
    trust: tuple[float, ...] = ()
    continuity: tuple[float, ...] = ()

    def with_point(self, step: int, trust: float, kept: float) -> Curves:
        """The curves with one point more."""
        return Curves(
            steps=(*self.steps, step),
            trust=(*self.trust, trust),
            continuity=(*self.continuity, kept),
        )
