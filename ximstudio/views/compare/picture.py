"""Compute the Compare view in the background. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.maps.aligned import Aligned, aligned
from ximstudio.maps.classes import coloured_classes
from ximstudio.maps.drawn import drawn
from ximstudio.maps.orientation import UNTURNED, Orientation
from ximstudio.maps.palettes import PaletteScheme, Scale
from ximstudio.measure.alignment import extent
from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.model.grid import Grid, shortened
from ximstudio.model.matrix import Matrix
from ximstudio.model.metric import compared as metric_compared
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.pictures.cache import Latest, PictureCache
from ximstudio.pictures.measure_table import MeasureTable, measure_table, repeated_table
from ximstudio.session.run import Run
from ximstudio.session.run_words import why_apart
from ximstudio.session.shown import Shown
from ximstudio.views.compare.stability_picture import StabilityPicture, stability_picture
from ximstudio.views.compare.true_distances import Torch
from ximstudio.views.positions.picture import (
    PLAIN,
    WANDER,
    PositionsPicture,
    PositionsRequest,
    wander_of,
)
from ximstudio.views.positions.state import PositionsState
from ximstudio.views.quality.picture import QualityPicture, QualityRequest

if TYPE_CHECKING:
    from ximstudio.views.compare.state import CompareState

DIVERGING = PaletteScheme.DIVERGING
FIGURES = {"trustworthiness": "T", "continuity": "C"}
"""Abbreviations beside the name of a run, by key of the measure."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PanelPicture:
    """One run beside others.

    Parameters
    ----------
    run
        The run.
    items
        Its items and their colours.
    places
        Where the items are drawn after alignment, shape (N, 2).
    turn
        Rotation or reflection of the nodes; None for maps without nodes.
    elsewhere
        Where the reference has the same items, in this panel's coordinates; NaN where it lacks
        them.
    torch
        Highlights the neighbours of an item by the distances in the data.
    """

    run: Run
    items: PositionsPicture
    places: Floats
    turn: Orientation | None
    elsewhere: Floats
    torch: Torch

    @cached_property
    def travel(self) -> Floats:
        """Return vectors from items to their places in the reference, (N, 2); 0 if missing."""
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
        """Return the distance of every node to its neighbours, (M,); None without nodes."""
        model = self.run.result.model
        return model.spacing if isinstance(model, PrototypeMap) else None


@dataclass(frozen=True, kw_only=True, eq=False)
class ComparePicture:
    """Runs side by side; the first is the reference.

    `quality` are their measures and curves, `repeated` the means and deviations of repetitions, if
    all comparable runs were repeated. `stability` concerns the displayed run, if it was retrained.
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
    """Cache of the requests of a Compare view. Used in the background thread only.

    Runs that are no longer compared or displayed are dropped.
    """

    by_run: dict[Result, PictureCache] = field(default_factory=dict)
    places: dict[Result, tuple[Result, Aligned, Floats]] = field(default_factory=dict)
    torches: dict[tuple[int, tuple[str, ...]], Torch] = field(default_factory=dict)
    stability: Latest[StabilityPicture] = field(default_factory=Latest)
    quality: QualityRequest = field(default_factory=QualityRequest)
    last: Latest[ComparePicture] = field(default_factory=Latest)

    def keep_only(self, runs: Sequence[Run]) -> None:
        """Forget all but these runs."""
        results = {run.result for run in runs}
        tables = {_table_key(run) for run in runs}
        self.by_run = {key: kept for key, kept in self.by_run.items() if key in results}
        self.places = {key: kept for key, kept in self.places.items() if key in results}
        self.torches = {key: kept for key, kept in self.torches.items() if key in tables}

    def of(self, run: Run) -> PictureCache:
        """Return the cache of a run."""
        return self.by_run.setdefault(run.result, PictureCache())

    def torch(self, run: Run) -> Torch:
        """Return the torch of a run's table, by its metric."""
        key = _table_key(run)
        if key not in self.torches:
            self.torches[key] = Torch.of(run.matrix, run.result.params)
        return self.torches[key]

    def aligned(self, run: Run, reference: Run) -> tuple[Aligned, Floats]:
        """Align a run with the reference; also return where the reference has the same items."""
        kept = self.places.get(run.result)
        if kept is None or kept[0] is not reference.result:
            kept = (reference.result, *_aligned(run, reference))
            self.places[run.result] = kept
        return kept[1:]


def _table_key(run: Run) -> tuple[int, tuple[str, ...]]:
    """Return what the true distances of a run depend on."""
    return id(run.matrix), metric_compared(run.result.params)


@dataclass(frozen=True, kw_only=True, eq=False)
class CompareRequest:
    """Current options of a Compare view; called in the background."""

    memory: CompareMemory
    state: CompareState

    def __call__(self, shown: Shown) -> ComparePicture:
        """Return the picture of the compared runs, cached while nothing has changed."""
        state = self.state
        made_of: tuple[object, ...] = (shown.compared, shown.chosen, shown.sets, shown.judged)
        made_of += (state.by, state.option, state.palettes)
        return self.memory.last.kept(made_of, lambda: self._picture(shown))

    def _picture(self, shown: Shown) -> ComparePicture:
        chosen = () if shown.chosen is None else (shown.chosen,)
        self.memory.keep_only((*shown.compared, *chosen))
        runs, stability = shown.compared, self._stability(shown)
        if not runs:
            return ComparePicture(shown=shown, stability=stability)
        items = self._coloured(shown)
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
        alike = _alike(runs)
        judged, words = shown.judged, items[0].words
        repeated = None if judged is None else repeated_table(judged, alike, words)
        quality = self.memory.quality(seen_as(shown, runs[0], runs))
        if quality.table is None:
            # None of them is measured yet.
            others = tuple(run.name for run in runs if run not in alike)
            table, why = measure_table(alike, words), why_apart(runs[0], runs)
            quality = replace(quality, table=table, others=others, why_apart=why)
        return ComparePicture(
            shown=shown,
            panels=tuple(panels),
            quality=quality,
            repeated=repeated,
            stability=stability,
        )

    def _stability(self, shown: Shown) -> StabilityPicture | None:
        """Return the stability of the run that the user chose; None if it was not tested."""
        run = shown.chosen
        if run is None or run.stability is None:
            self.memory.stability = Latest()
            return None
        found, palettes = run.stability, self.state.palettes
        own = replace(seen_as(shown, run), judged=None)
        request = PositionsState(by=WANDER, palettes=palettes).request(self.memory.of(run))
        return self.memory.stability.kept(
            (run, palettes), lambda: stability_picture(run, found, request(own), palettes)
        )

    def choice(self, shown: Shown) -> tuple[str, str]:
        """Return the subject of the colours of all maps, and its label, feature or set."""
        return self._leading(shown).choice(seen_as(shown, shown.compared[0]))

    def _leading(self, shown: Shown) -> PositionsRequest:
        """Return the request for the first run."""
        beside = any(wander_of(seen_as(shown, run)) is not None for run in shown.compared)
        state = self.state
        items = PositionsState(by=state.by, option=state.option, palettes=state.palettes)
        memory = self.memory.of(shown.compared[0])
        return PositionsRequest(memory=memory, state=items, beside=beside)

    def _coloured(self, shown: Shown) -> list[PositionsPicture]:
        """Colour the items of all runs with one key, which the first run determines."""
        first, *others = shown.compared
        request = self._leading(shown)
        leading = request(seen_as(shown, first))
        coloured = coloured_classes(first.matrix.item_labels, first.coloured)
        made = [leading]
        state = replace(request.state, by=leading.by, option=leading.option)
        plain = replace(state, by=PLAIN, option="")
        for run in others:
            request = replace(request, memory=self.memory.of(run), state=state)
            own = seen_as(shown, run)
            if not run.is_comparable(first):
                own = replace(own, coloured={**own.coloured, **coloured})
            one = request(own)
            if (one.by, one.option) != (leading.by, leading.option):
                # This run lacks the label or feature: other colours would have another meaning.
                one = replace(request, state=plain)(own)
            made.append(one)
        return _coloured_alike(made)


def _alike(runs: tuple[Run, ...]) -> tuple[Run, ...]:
    """Return the runs whose measures are comparable with those of the first."""
    return tuple(run for run in runs if run.is_comparable(runs[0]))


def is_repeated(shown: Shown) -> bool:
    """Return whether the measures of compared runs are those of repetitions."""
    judged, runs = shown.judged, _alike(shown.compared)
    return judged is not None and all(judged.number_of(run) is not None for run in runs)


def seen_as(shown: Shown, run: Run, runs: tuple[Run, ...] = ()) -> Shown:
    """Return the same `Shown` with this run displayed."""
    return replace(
        shown,
        result=run.result,
        matrix=run.matrix,
        run=run,
        evidence=run.evidence,
        curves=None,
        runs=runs,
        coloured=run.coloured,
        old_label=run.old_label,
    )


def _coloured_alike(pictures: Sequence[PositionsPicture]) -> list[PositionsPicture]:
    """Give equal numbers equal colours in all pictures, so that one key holds for all."""
    known = [(one.scale, one.palette) for one in pictures if one.scale and one.palette]
    if not known:
        return list(pictures)
    low, high = min(scale.low for scale, _ in known), max(scale.high for scale, _ in known)
    # If one has values on both sides of 0, all get a diverging scale.
    (scheme, *_), palette = max(known, key=lambda pair: pair[0].scheme is DIVERGING)
    if scheme is DIVERGING:
        high = max(abs(low), abs(high))
        low = -high
    scale = Scale(scheme, low, high)
    return [
        one if one.values is None else one.coloured(one.values, scale, palette) for one in pictures
    ]


def _aligned(run: Run, reference: Run) -> tuple[Aligned, Floats]:
    """Align a map with another; also return the other's places of its items in its coordinates."""
    grid, other = _grid(run.result), _grid(reference.result)
    there = drawn(other, reference.result.positions)
    if run.result is reference.result:
        return Aligned(positions=there, turn=UNTURNED), there
    ids = reference.result.item_ids
    placed = aligned(run.result, ids, there, onto_grid=other)
    rows = rows_in(run.result.item_ids, ids)
    elsewhere = there if rows is None else np.append(there, [[np.nan, np.nan]], axis=0)[rows]
    if grid is not None and grid == other and grid.repeats:
        # On the same torus items move the short way, even across seams.
        apart = shortened(elsewhere - placed.positions, grid.periods)
        return placed, frozen(placed.positions + apart)
    return placed, frozen(_fitted(elsewhere, placed.positions))


def _grid(result: Result) -> Grid | None:
    return result.model.grid if isinstance(result.model, PrototypeMap) else None


def rows_in(ids: Sequence[str], others: Sequence[str]) -> Ints | None:
    """Return the rows of items among others, −1 if missing; None if both lists are the same."""
    if ids is others or ids == others:
        return None
    rows = {name: row for row, name in enumerate(others)}
    return np.array([rows.get(name, -1) for name in ids], dtype=np.int64)


def _fitted(places: Floats, onto: Floats) -> Floats:
    """Move and scale places as a whole to fit those of the same items."""
    both = ~np.isnan(places).any(axis=1) & ~np.isnan(onto).any(axis=1)
    if not both.any():
        return places
    here, there = places[both].mean(axis=0), onto[both].mean(axis=0)
    size, wanted = extent(places[both]), extent(onto[both])
    return np.asarray((places - here) * (wanted / size if size > 0.0 else 1.0) + there)


def figures_text(run: Run) -> str:
    """Return trustworthiness and continuity in short; '' until they are measured."""
    known = [(letter, run.measures.get(key)) for key, letter in FIGURES.items()]
    return "  ".join(f"{letter} {one.value:.3f}" for letter, one in known if one is not None)
