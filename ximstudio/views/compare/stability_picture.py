"""Compute the stability page in the background. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.maps.layout import lay_out
from ximstudio.maps.palettes import Palette, PaletteScheme, palette_named
from ximstudio.maps.ridges import Ridges
from ximstudio.maps.sides import sides
from ximstudio.maps.stability import MapStability
from ximstudio.model.arrays import Floats
from ximstudio.model.grid import Grid
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.pictures.colouring import EXTREMES
from ximstudio.pictures.ticks import number_text
from ximstudio.session.run import Run
from ximstudio.session.words import share_text
from ximstudio.views.common.state import Palettes
from ximstudio.views.positions.picture import PositionsPicture

SEEN = 0.05
"""Ridges in less than this share of the runs are not drawn."""
KEPT = 0.95
"""Share of the runs from which on a ridge counts as stable."""
STEPS = ((0.05, 0.8), (0.5, 1.6), (0.8, 2.6), (0.95, 3.6))
"""Shares of runs and the widths of lines, in pixels, from which on they apply."""
NULL = "Null map: the same values, shuffled in every column"
VERDICTS = (
    (0.1, "stable", "positions of {items} and groups on this map are reliable"),
    (0.25, "mostly stable", "groups stay together, while single {items} move a little"),
    (np.inf, "unstable", "other maps may show other groups, so rely on what several share"),
)
"""Mean wander up to which a verdict applies, the verdict, and what it means for the reader.

c-XIM maps of the yeast sample wander by 0.05 with other seeds and by 0.12 on 95 % of the genes; of
the same values, shuffled in every column, by 0.28 and 0.42.
"""


@dataclass(frozen=True, kw_only=True, eq=False)
class Landscape:
    """The U-matrix of a map, and ridges on it.

    Parameters
    ----------
    grid, heights
        The grid, and the distance of every node to its neighbours, (M,).
    lines, shares
        Sides of cells with a ridge, (S, 2, 2), and the share of the runs that have it, (S,).
    """

    grid: Grid
    heights: Floats
    lines: Floats
    shares: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class StabilityPicture:
    """A run that was retrained to test its stability.

    Parameters
    ----------
    run, found
        The run, and its stability.
    items
        Its items, coloured by wander.
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


def stability_picture(
    run: Run, found: MapStability, items: PositionsPicture, palettes: Palettes
) -> StabilityPicture:
    """Return the picture of a run and its stability."""
    own = _landscape(run.result, found.ridges)
    null = None if found.null is None else _landscape(found.null)
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


def _landscape(result: Result, ridges: Ridges | None = None) -> Landscape | None:
    """Return the landscape of a map with its ridges, if they are known; None without nodes."""
    model = result.model
    if not isinstance(model, PrototypeMap):
        return None
    grid, lines, shares = model.grid, np.empty((0, 2, 2)), np.empty(0)
    if ridges is not None:
        every = sides(lay_out(grid))
        edges = np.sort(ridges.edges, axis=1)
        numbers = edges[:, 0] * grid.n_nodes + edges[:, 1]
        wanted = every.pairs[:, 0] * grid.n_nodes + every.pairs[:, 1]
        order = np.argsort(numbers)
        at = np.searchsorted(numbers, wanted, sorter=order).clip(max=len(numbers) - 1)
        matched = numbers[order[at]] == wanted
        share = np.where(matched, np.nan_to_num(ridges.shares[order[at]]), 0.0)
        seen = share >= SEEN
        lines, shares = every.lines[seen], share[seen]
    return Landscape(grid=grid, heights=model.spacing, lines=lines, shares=shares)


def by_width(lines: Floats, shares: Floats) -> list[tuple[float, Floats]]:
    """Return every width in pixels with its lines, (S, 2, 2), chosen by their shares, (S,)."""
    step = np.searchsorted([least for least, _ in STEPS], shares, side="right") - 1
    return [(width, lines[step == number]) for number, (_, width) in enumerate(STEPS)]


def own_caption(picture: StabilityPicture, *, wander: bool) -> str:
    """Return the caption of the run's own map."""
    if wander:
        return f"{picture.run.name}: how far each item moves when the map is retrained"
    return f"{picture.run.name}: broader lines are ridges that more runs share"


def verdict(mean_wander: float) -> tuple[str, str]:
    """Return the verdict for a map with this mean wander, and what it means for the reader."""
    return next((word, means) for most, word, means in VERDICTS if mean_wander <= most)


def summary_text(picture: StabilityPicture) -> str:
    """Summarise the test, its result, and whether that is good."""
    found, words = picture.found, picture.items.words
    how = (
        "with other seeds"
        if found.share == 1.0
        else f"on {share_text(found.share)} of the {words.items}"
    )
    text = f"Retrained {found.n_made} times {how}."
    if found.n_made < found.runs:
        refused = found.runs - found.n_made
        text = f"{text[:-1]}; {refused} more could not be trained on these data."
    known = found.wander[np.isfinite(found.wander)]
    if found.share == 1.0 and not known.any():
        return (
            f"{text} All maps are the same: this method does not depend on the seed. Retrain"
            " it on subsamples of the data to test its stability."
        )
    if len(known):
        mean = float(known.mean())
        word, means = verdict(mean)
        text += (
            f" {words.items.capitalize()} wander by {number_text(mean)} on average, where 0 means"
            f" always the same position and 1 any position. The map is {word}:"
            f" {means.format(items=words.items)}."
        )
    if found.ridges is None:
        return text
    shares = found.ridges.shares
    return (
        f"{text} {np.count_nonzero(shares >= KEPT)} of {len(shares)} pairs of neighbouring nodes"
        f" have a ridge between them in {share_text(KEPT)} or more of the runs, higher than"
        " expected by chance."
    )
