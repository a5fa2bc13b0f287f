"""What a sweep draws: its maps in order, and which of them none betters. No Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ximstudio.measure.catalogue import MEASURES, Better
from ximstudio.measure.sweep import SweepAxis, Variant, pareto
from ximstudio.measure.trials import TrialResult
from ximstudio.model.matrix import Matrix
from ximstudio.model.result import Result
from ximstudio.session.words import Words

SHOWN = {"trustworthiness": "T", "continuity": "C", "spearman": "ρ"}
"""Measures beside a map, and the letters they go by; the front is that of these."""
GRID = "grid"
"""The order of the settings; every other order is by the measure of that key."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SweptMap:
    """One map of a sweep.

    Parameters
    ----------
    place
        Its place among the variants.
    settings
        What was changed, in the words of the form, one line per setting.
    values
        Key of a measure → its value; NaN where it does not apply; none until it is measured.
    result
        The map; None until it is trained, and if it was refused.
    front
        Whether no other map betters it in what is shown.
    refused
        Why it could not be trained; '' if it could.
    """

    place: int
    settings: tuple[str, ...]
    values: Mapping[str, float]
    result: Result | None = None
    front: bool = False
    refused: str = ""

    @property
    def figures(self) -> tuple[tuple[str, float], ...]:
        """T, C and ρ, as far as they are known."""
        known = ((letter, self.values.get(key, np.nan)) for key, letter in SHOWN.items())
        return tuple((letter, value) for letter, value in known if not np.isnan(value))


@dataclass(frozen=True, kw_only=True, eq=False)
class SweepPicture:
    """The maps of a sweep in the order in which they are seen.

    Parameters
    ----------
    matrix
        The table that all of them show.
    axes
        What is changed from map to map, and to what.
    columns
        How many stand beside each other where a row of pictures is a row of the grid of settings;
        0 where the order is another.
    """

    matrix: Matrix
    maps: tuple[SweptMap, ...]
    axes: tuple[SweepAxis, ...] = ()
    columns: int = 0

    @property
    def n_trained(self) -> int:
        """How many maps there are by now."""
        return sum(one.result is not None for one in self.maps)


def sweep_picture(
    matrix: Matrix,
    axes: Sequence[SweepAxis],
    *,
    variants: Sequence[Variant],
    found: Mapping[int, TrialResult],
    words: Words | None = None,
    order: str = GRID,
) -> SweepPicture:
    """The maps that were found by now, by their places among the variants, and those to come."""
    words = Words.of_matrix(matrix) if words is None else words
    values = {place: measured(one) for place, one in found.items()}
    on_front = front(values)
    maps = {
        place: SweptMap(
            place=place,
            settings=settings_told(variant, words),
            values=values.get(place, {}),
            result=found[place].result if place in found else None,
            front=place in on_front,
            refused=_refused(found.get(place)),
        )
        for place, variant in enumerate(variants)
    }
    return SweepPicture(
        matrix=matrix,
        maps=tuple(maps[place] for place in ordered(len(maps), values, order)),
        axes=tuple(axes),
        columns=len(axes[-1].values) if order == GRID and axes else 0,
    )


def measured(found: TrialResult) -> dict[str, float]:
    """Key of a measure → its value."""
    keys = [measure.key for measure in MEASURES]
    return dict(zip(keys, found.values.tolist(), strict=True))


def front(values: Mapping[int, Mapping[str, float]]) -> frozenset[int]:
    """The places of maps that no other betters in what is shown; none of a single map."""
    if len(values) < 2:
        return frozenset()
    shown = np.array([[one[key] for key in SHOWN] for one in values.values()])
    ways = {measure.key: measure.better for measure in MEASURES}
    on = pareto(shown, [ways[key] for key in SHOWN])
    return frozenset(place for place, seen in zip(values, on.tolist(), strict=True) if seen)


def ordered(n_maps: int, values: Mapping[int, Mapping[str, float]], order: str) -> list[int]:
    """The places of the maps as they are seen: the best first, or as the settings go."""
    if order == GRID:
        return list(range(n_maps))
    lower = next(one for one in MEASURES if one.key == order).better is Better.LOWER

    def rank(place: int) -> tuple[bool, float, int]:
        value = values.get(place, {}).get(order, np.nan)
        unknown = bool(np.isnan(value))
        return unknown, 0.0 if unknown else value if lower else -value, place

    return sorted(range(n_maps), key=rank)


def settings_told(variant: Variant, words: Words) -> tuple[str, ...]:
    """The settings of a map in the words of the form, one after the other."""
    specs = variant.params.specs()
    return tuple(
        f"{words.said(specs[name].label)} {specs[name].show(value)}"
        for name, value in variant.settings.items()
    )


def _refused(found: TrialResult | None) -> str:
    return found.problems[0].what if found is not None and found.problems else ""
