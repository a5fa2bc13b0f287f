"""Sentences on how good trustworthiness and continuity are, and of which neighbourhoods."""

from __future__ import annotations

from ximstudio.measure.chance import chance_level, grade, neighbours_of

KEPT = ("trustworthiness", "continuity")
"""Measures that have a chance level and a grade."""


def neighbours_text(k: int) -> str:
    """Which neighbourhoods a mean over k is of, in short: "k ≤ 50"."""
    return f"k ≤ {k}" if k > 1 else "k = 1"


def chance_text(n_items: int, k: int | None = None) -> str:
    """What T and C of a perfect and of a random map of so many items are, as a clause."""
    return f"1 is perfect, a map drawn at random has {chance_level(n_items, k):.2f}"


def goodness_text(value: float, n_items: int) -> str:
    """Of which neighbourhoods a finished map's T or C is, and whether that is good."""
    k = neighbours_of(n_items)
    of = f"Mean over neighbourhoods of 1 to {k}" if k > 1 else "Of the nearest neighbour"
    return f"{of}; {chance_text(n_items)}. {value:.3f} is {grade(value, n_items)}."
