"""Sentences that rate trustworthiness and continuity, with their neighbourhoods."""

from __future__ import annotations

from ximstudio.measure.chance import chance_level, grade, neighbours_of

KEPT = ("trustworthiness", "continuity")
"""Measures with a chance level and a rating."""


def neighbours_text(k: int) -> str:
    """Return the neighbourhoods that a mean over k covers, in short: "k ≤ 50"."""
    return f"k ≤ {k}" if k > 1 else "k = 1"


def chance_text(n_items: int, k: int | None = None) -> str:
    """Return T and C of a perfect and of a random map with so many items, as a clause."""
    return f"1 is perfect, a random map has {chance_level(n_items, k):.2f}"


def goodness_text(value: float, n_items: int) -> str:
    """Rate a finished map's T or C, and name its neighbourhoods."""
    k = neighbours_of(n_items)
    of = f"Mean over neighbourhoods of 1 to {k}" if k > 1 else "For the nearest neighbour"
    return f"{of}; {chance_text(n_items)}. {value:.3f} is {grade(value, n_items)}."
