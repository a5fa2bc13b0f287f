"""What the stability page draws, computed in the lane. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.maps.layout import lay_out
from ximstudio.maps.palettes import Palette, PaletteScheme, palette_named
from ximstudio.maps.sides import sides
from ximstudio.maps.stability import MapStability
from ximstudio.model.arrays import Floats
from ximstudio.model.grid import Grid
from ximstudio.model.result import PrototypeMap
from ximstudio.pictures.ticks import number_text
from ximstudio.session.run import Run
from ximstudio.session.words import share_text
from ximstudio.views.positions.picture import PositionsPicture

SEEN = 0.05
"""Ridges in less than this share of the runs are not drawn."""
KEPT = 0.95
"""From this share on a ridge is said to stay."""
STEPS = ((0.05, 0.8), (0.5, 1.6), (0.8, 2.6), (0.95, 3.6))
"""Shares of runs from which on a line is so broad, in pixels."""
NULL = "Null map: the same values, shuffled in every column"
VERDICTS = (
    (0.1, "stable", "you may read {items}' places and groups off this map"),
    (0.25, "mostly stable", "groups stay together, while single {items} move a little"),
    (np.inf, "unstable", "another map may show other groups, so trust only what several agree on"),
)
"""Mean wander up to which a map is called so, and what that means for its reader.

c-XIM maps of the yeast sample wander by 0.05 with other seeds and by 0.12 on 95 % of the genes; of
the same values, shuffled in every column, by 0.28 and 0.42.
"""
EXTREMES = (2.0, 98.0)
"""Percentiles of the heights between which colours change: one ridge must not hide all others."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Landscape:
    """The U-matrix of a map, and ridges on it.

    Parameters
    ----------
    grid, heights
        The map, and how far every node is from those beside it, (M,).
    lines, shares
        Sides of cells with a ridge, (S, 2, 2), and in which share of the runs it is there, (S,).
    """

    grid: Grid
    heights: Floats
    lines: Floats
    shares: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class StabilityPicture:
    """A run that was made again.

    Parameters
    ----------
    run, found
        The run, and what of it stays.
    items
        Its items, coloured by how far they wander.
    own, null
        Its landscape and that of a null map; None without nodes.
    low, high, palette
        The colours of both.
    """

    run: Run
    found: MapStability
    items: PositionsPicture
    own: Landscape | None
    null: Landscape | None
    low: float
    high: float
    palette: Palette

    @property
    def n_ridges(self) -> tuple[int, int]:
        """How many pairs of neighbouring nodes have a ridge in nearly all runs, and of how many."""
        if self.found.ridges is None:
            return 0, 0
        shares = self.found.ridges.shares
        return int(np.count_nonzero(shares >= KEPT)), len(shares)


def stability_picture(
    run: Run, items: PositionsPicture, palettes: tuple[tuple[PaletteScheme, str], ...]
) -> StabilityPicture | None:
    """The picture of a run, if it was made again."""
    found = run.steadiness
    if found is None:
        return None
    own, null = _own(run, found), _null(found)
    heights = [each.heights for each in (own, null) if each is not None]
    known = np.concatenate(heights) if heights else np.empty(0)
    known = known[np.isfinite(known)]
    low, high = np.percentile(known, EXTREMES).tolist() if len(known) else (0.0, 1.0)
    return StabilityPicture(
        run=run,
        found=found,
        items=items,
        own=own,
        null=null,
        low=low,
        high=high,
        palette=palette_named(dict(palettes)[PaletteScheme.SEQUENTIAL]),
    )


def _own(run: Run, found: MapStability) -> Landscape | None:
    model = run.result.model
    if not isinstance(model, PrototypeMap):
        return None
    lines, shares = np.empty((0, 2, 2)), np.empty(0)
    if found.ridges is not None:
        every = sides(lay_out(model.grid))
        edges = np.sort(found.ridges.edges, axis=1)
        numbers = edges[:, 0] * model.grid.n_nodes + edges[:, 1]
        wanted = every.pairs[:, 0] * model.grid.n_nodes + every.pairs[:, 1]
        order = np.argsort(numbers)
        at = np.searchsorted(numbers, wanted, sorter=order).clip(max=len(numbers) - 1)
        matched = numbers[order[at]] == wanted
        share = np.where(matched, np.nan_to_num(found.ridges.shares[order[at]]), 0.0)
        seen = share >= SEEN
        lines, shares = every.lines[seen], share[seen]
    return Landscape(grid=model.grid, heights=model.spacing, lines=lines, shares=shares)


def _null(found: MapStability) -> Landscape | None:
    if found.null is None or not isinstance(found.null.model, PrototypeMap):
        return None
    model = found.null.model
    nothing = np.empty(0)
    return Landscape(
        grid=model.grid, heights=model.spacing, lines=np.empty((0, 2, 2)), shares=nothing
    )


def by_width(lines: Floats, shares: Floats) -> list[tuple[float, Floats]]:
    """Every width in pixels and its lines, (S, 2, 2), by the lines' shares of the runs, (S,)."""
    step = np.searchsorted([least for least, _ in STEPS], shares, side="right") - 1
    return [(width, lines[step == number]) for number, (_, width) in enumerate(STEPS)]


def own_caption(picture: StabilityPicture, *, wander: bool) -> str:
    """What stands above the run's own map."""
    if wander:
        return f"{picture.run.name}: how far each strays when the map is made again"
    return f"{picture.run.name}: the broader a line, the more runs have a ridge there"


def verdict(mean_wander: float) -> tuple[str, str]:
    """Word for a map that wanders so much on average, and what it means for its reader."""
    return next((word, means) for most, word, means in VERDICTS if mean_wander <= most)


def summary_text(picture: StabilityPicture) -> str:
    """What was done, what came of it, and whether that is good."""
    found, words = picture.found, picture.items.words
    how = (
        "with other seeds"
        if found.share == 1.0
        else f"on {share_text(found.share)} of the {words.items}"
    )
    told = f"Made {found.n_made} times {how}."
    if found.n_made < found.runs:
        refused = found.runs - found.n_made
        told = f"{told[:-1]}; {refused} more could not be made of these data."
    known = found.wander[np.isfinite(found.wander)]
    if found.share == 1.0 and not known.any():
        return (
            f"{told} All maps are the same: this method does not depend on the seed. Make it again"
            " on parts of the data to see what stays."
        )
    if len(known):
        mean = float(known.mean())
        word, means = verdict(mean)
        told += (
            f" {words.items.capitalize()} wander by {number_text(mean)} on average, where 0 is"
            f" always in the same place and 1 anywhere. That is {word}:"
            f" {means.format(items=words.items)}."
        )
    if found.ridges is None:
        return told
    kept, every = picture.n_ridges
    return (
        f"{told} {kept} of {every} pairs of neighbouring nodes have a ridge between them in"
        f" {share_text(KEPT)} of the runs or more, higher than chance raises."
    )
