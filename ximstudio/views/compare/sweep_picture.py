"""Compute a sweep: its maps in order, and which of them are on the Pareto front. No Qt."""

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
"""Measures beside a map, and their letters; the front is that of these measures."""
GRID = "grid"
"""The order of the settings; any other order is by the measure of that key."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SweptMap:
    """One map of a sweep.

    Parameters
    ----------
    place
        Its index among the variants.
    settings
        The changed settings, as the form names them, one line per setting.
    values
        Key of a measure → its value; NaN where it does not apply; empty until measured.
    result
        The map; None until it is trained, and if it was refused.
    front
        Whether it is on the Pareto front of the displayed measures.
    refused
        The reason why it could not be trained; '' if it could.
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
    """The maps of a sweep in the order of display.

    Parameters
    ----------
    matrix
        The table that all maps are trained on.
    axes
        The settings that vary from map to map, and their values.
    columns
        Pictures in a row, where a row of pictures is a row of the grid of settings; 0 in any other
        order.
    """

    matrix: Matrix
    maps: tuple[SweptMap, ...]
    axes: tuple[SweepAxis, ...] = ()
    columns: int = 0

    @property
    def n_trained(self) -> int:
        """Count the maps that are trained so far."""
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
    """Return the maps found so far, by their index among the variants, and those to come."""
    words = Words.of_matrix(matrix) if words is None else words
    values = {place: measured(one) for place, one in found.items()}
    on_front = front(values)
    maps = {
        place: SweptMap(
            place=place,
            settings=setting_texts(variant, words),
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
    """Return the values of measures by key."""
    keys = [measure.key for measure in MEASURES]
    return dict(zip(keys, found.values.tolist(), strict=True))


def front(values: Mapping[int, Mapping[str, float]]) -> frozenset[int]:
    """Return the indices of maps on the Pareto front; empty for a single map."""
    if len(values) < 2:
        return frozenset()
    shown = np.array([[one[key] for key in SHOWN] for one in values.values()])
    ways = {measure.key: measure.better for measure in MEASURES}
    on = pareto(shown, [ways[key] for key in SHOWN])
    return frozenset(place for place, seen in zip(values, on.tolist(), strict=True) if seen)


def ordered(n_maps: int, values: Mapping[int, Mapping[str, float]], order: str) -> list[int]:
    """Return the indices of the maps in order of display: the best first, or by settings."""
    if order == GRID:
        return list(range(n_maps))
    lower = next(one for one in MEASURES if one.key == order).better is Better.LOWER

    def rank(place: int) -> tuple[bool, float, int]:
        value = values.get(place, {}).get(order, np.nan)
        unknown = bool(np.isnan(value))
        return unknown, 0.0 if unknown else value if lower else -value, place

    return sorted(range(n_maps), key=rank)


def setting_texts(variant: Variant, words: Words) -> tuple[str, ...]:
    """Return the settings of a map, one after the other, as the form names them."""
    specs = variant.params.specs()
    return tuple(
        f"{words.said(specs[name].label)} {specs[name].show(value)}"
        for name, value in variant.settings.items()
    )


def _refused(found: TrialResult | None) -> str:
    return found.problems[0].what if found is not None and found.problems else ""
