"""What the compare view draws, computed in the lane. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from ximstudio.maps.aligned import Aligned, aligned
from ximstudio.maps.drawn import drawn
from ximstudio.maps.palettes import Scale, Scheme
from ximstudio.maps.turning import UNTURNED, Turn
from ximstudio.measure.alignment import extent
from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.model.grid import Grid, shortened
from ximstudio.model.matrix import Matrix
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.session.run import Run
from ximstudio.session.shown import Shown
from ximstudio.ui.drawing.colouring import colours_of
from ximstudio.ui.views.compare.stability_picture import StabilityPicture, stability_picture
from ximstudio.ui.views.compare.torch import Torch
from ximstudio.ui.views.memory import Memory
from ximstudio.ui.views.positions_picture import (
    WANDER,
    PositionsPicture,
    PositionsWish,
    wander_of,
)
from ximstudio.ui.views.quality_picture import (
    MeasureTable,
    QualityPicture,
    QualityWish,
    repeated_table,
)


@dataclass(frozen=True, kw_only=True, eq=False)
class PanelPicture:
    """One run beside others.

    Parameters
    ----------
    run
        What is seen.
    items
        Its items and their colours.
    places
        Where the items are drawn once the map is turned, shape (N, 2).
    turn
        How the picture of the nodes is turned; None for maps without nodes.
    elsewhere
        Where the reference has the same items, in this panel's coordinates; NaN where it lacks
        them.
    torch
        Lights up the neighbours of an item by the distances in the data.
    """

    run: Run
    items: PositionsPicture
    places: Floats
    turn: Turn | None
    elsewhere: Floats
    torch: Torch

    @cached_property
    def travel(self) -> Floats:
        """From where items are to where the reference has them, (N, 2); 0 for those it lacks."""
        apart = self.elsewhere - self.places
        return frozen(np.where(np.isnan(apart).any(axis=1, keepdims=True), 0.0, apart))

    @property
    def grid(self) -> Grid | None:
        return self.items.grid

    @property
    def matrix(self) -> Matrix:
        return self.run.matrix

    @property
    def spacing(self) -> Floats | None:
        """How far every node is from its neighbours, (M,); None without nodes."""
        model = self.run.result.model
        return model.spacing if isinstance(model, PrototypeMap) else None


@dataclass(frozen=True, kw_only=True, eq=False)
class ComparePicture:
    """Runs side by side; the first is the reference.

    `quality` are their measures and curves, `repeated` the means and deviations of repetitions, if
    all runs that can be compared were repeated. `stability` is about the run that is shown, if it
    was made again.
    """

    shown: Shown
    panels: tuple[PanelPicture, ...] = ()
    quality: QualityPicture = field(default_factory=QualityPicture)
    repeated: MeasureTable | None = None
    stability: StabilityPicture | None = None

    @property
    def reference(self) -> PanelPicture:
        return self.panels[0]


@dataclass(eq=False)
class CompareMemory:
    """What wishes of a compare view worked out before. Used in the lane only."""

    by_run: WeakKeyDictionary[Result, Memory] = field(default_factory=WeakKeyDictionary)
    places: WeakKeyDictionary[Result, tuple[Result, Aligned, Floats]] = field(
        default_factory=WeakKeyDictionary
    )
    torches: WeakKeyDictionary[Result, Torch] = field(default_factory=WeakKeyDictionary)
    quality: QualityWish = field(default_factory=QualityWish)

    def of(self, run: Run) -> Memory:
        """What is known about a run."""
        return self.by_run.setdefault(run.result, Memory())

    def torch(self, run: Run) -> Torch:
        """The torch of a run's table."""
        if run.result not in self.torches:
            self.torches[run.result] = Torch.of(run.matrix, run.result.params)
        return self.torches[run.result]

    def aligned(self, run: Run, reference: Run) -> tuple[Aligned, Floats]:
        """A run brought over the reference, and where that has the same items."""
        kept = self.places.get(run.result)
        if kept is None or kept[0] is not reference.result:
            kept = (reference.result, *_aligned(run, reference))
            self.places[run.result] = kept
        return kept[1:]


@dataclass(frozen=True, kw_only=True, eq=False)
class CompareWish:
    """The options of a compare view, as they are now; called in the lane."""

    memory: CompareMemory
    by: str = ""
    option: str = ""
    palettes: tuple[tuple[Scheme, str], ...] = ()

    def __call__(self, shown: Shown) -> ComparePicture:
        """The picture of the runs that are compared."""
        runs, stability = shown.compared, self._stability(shown)
        if not runs:
            return ComparePicture(shown=shown, stability=stability)
        items = _coloured_alike([self._items(shown, run) for run in runs])
        panels = []
        for run, one in zip(runs, items, strict=True):
            placed, elsewhere = self.memory.aligned(run, runs[0])
            panels.append(
                PanelPicture(
                    run=run,
                    items=one,
                    places=placed.positions,
                    turn=placed.turn,
                    elsewhere=elsewhere,
                    torch=self.memory.torch(run),
                )
            )
        alike = tuple(run for run in runs if run.is_comparable(runs[0]))
        repeated = None
        if shown.judged is not None:
            repeated = repeated_table(shown.judged, alike, items[0].words)
        return ComparePicture(
            shown=shown,
            panels=tuple(panels),
            quality=self.memory.quality(_shown(shown, runs[0], runs)),
            repeated=repeated,
            stability=stability,
        )

    def _stability(self, shown: Shown) -> StabilityPicture | None:
        """What of the run that is shown stays when it is made again."""
        run = shown.run
        if run is None or run.steadiness is None:
            return None
        wish = PositionsWish(memory=self.memory.of(run), by=WANDER, palettes=self.palettes)
        return stability_picture(run, wish(_shown(shown, run)), self.palettes)

    def _items(self, shown: Shown, run: Run) -> PositionsPicture:
        """The items of a run in the colours that are asked for, or those its table has."""
        wish = PositionsWish(
            memory=self.memory.of(run),
            by=self.by,
            option=self.option,
            palettes=self.palettes,
            beside=any(wander_of(_shown(shown, other)) is not None for other in shown.compared),
        )
        return wish(_shown(shown, run))


def _shown(shown: Shown, run: Run, runs: tuple[Run, ...] = ()) -> Shown:
    """What would be shown if it were this run."""
    return replace(
        shown,
        result=run.result,
        matrix=run.matrix,
        run=run,
        evidence=run.evidence,
        curves=None,
        runs=runs,
        coloured=run.coloured,
        told_by=run.told_by,
    )


def _coloured_alike(pictures: Sequence[PositionsPicture]) -> list[PositionsPicture]:
    """The same colours for the same numbers in all pictures: a key that holds for all."""
    scales = [one.scale for one in pictures if one.scale is not None]
    if not scales:
        return list(pictures)
    scheme = Scheme.DIVERGING if all(s.scheme is Scheme.DIVERGING for s in scales) else None
    low, high = min(one.low for one in scales), max(one.high for one in scales)
    made = []
    for picture in pictures:
        if picture.scale is None or picture.palette is None or picture.values is None:
            made.append(picture)
            continue
        scale = Scale(scheme or picture.scale.scheme, low, high)
        colours = colours_of(picture.values, picture.palette.table, low=low, high=high)
        made.append(replace(picture, scale=scale, colours=colours))
    return made


def _aligned(run: Run, reference: Run) -> tuple[Aligned, Floats]:
    """A map brought over another, and the other's places of its items in its own coordinates."""
    grid, other = _grid(run.result), _grid(reference.result)
    there = drawn(other, reference.result.positions)
    if run.result is reference.result:
        return Aligned(positions=there, turn=UNTURNED), there
    ids = reference.result.item_ids
    placed = aligned(run.result, ids, there, onto_grid=other)
    rows = rows_in(run.result.item_ids, ids)
    elsewhere = there if rows is None else np.append(there, [[np.nan, np.nan]], axis=0)[rows]
    if grid is not None and grid == other and grid.repeats:
        # On the same torus things go the short way, even across its seams.
        apart = shortened(elsewhere - placed.positions, grid.periods)
        return placed, frozen(placed.positions + apart)
    return placed, frozen(_brought(elsewhere, placed.positions))


def _grid(result: Result) -> Grid | None:
    return result.model.grid if isinstance(result.model, PrototypeMap) else None


def rows_in(ids: Sequence[str], others: Sequence[str]) -> Ints | None:
    """Where items are among others, −1 for those that are not; None if both are the same."""
    if ids is others or ids == others:
        return None
    rows = {name: row for row, name in enumerate(others)}
    return np.array([rows.get(name, -1) for name in ids], dtype=np.int64)


def _brought(places: Floats, onto: Floats) -> Floats:
    """Places moved and scaled as a whole, so that they lie where those of the same items do."""
    both = ~np.isnan(places).any(axis=1) & ~np.isnan(onto).any(axis=1)
    if not both.any():
        return places
    here, there = places[both].mean(axis=0), onto[both].mean(axis=0)
    size, wanted = extent(places[both]), extent(onto[both])
    return np.asarray((places - here) * (wanted / size if size > 0.0 else 1.0) + there)
