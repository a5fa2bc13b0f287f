"""Pin nodes of the next map to selected items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from PySide6.QtCore import QObject, Signal

from ximstudio.model.grid import Grid
from ximstudio.model.method_params import MethodParams
from ximstudio.model.metric import PRECOMPUTED, in_metric, metric_of
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.model.words import counted
from ximstudio.session import Run
from ximstudio.session.shown import Shown
from ximstudio.session.words import Words, item_word
from ximstudio.train import method_named
from ximstudio.ui.actions.derived_maps import DerivedMaps
from ximstudio.ui.actions.trainer import Phase, Trainer
from ximstudio.ui.runtime.session_store import SessionStore

MOST = 500
"""The largest number of items to pin at once."""


class Pinning(QObject):
    """Actions on pins, which are part of the plan; each is a step that can be undone."""

    picking_changed = Signal()
    """Picking a node began or ended."""

    def __init__(self, store: SessionStore, trainer: Trainer, derived_maps: DerivedMaps) -> None:
        super().__init__(store)
        self._store = store
        self._trainer = trainer
        self._derived_maps = derived_maps
        self.picking = ""
        """The item whose node is being picked; '' for none."""
        store.changed.connect(self._drop_stale)
        trainer.phase_changed.connect(self._drop_stale)

    @property
    def pins(self) -> Mapping[int, str]:
        """The pinned items by node of the next map."""
        return self._next_params.anchored

    @property
    def _next_params(self) -> MethodParams:
        """The parameters of the next map, with its size."""
        session = self._store.session
        matrix = None if session.data is None else session.data.matrix
        run = session.run
        matrix = run.matrix if matrix is None and run is not None else matrix
        return session.plan.params.sized(0 if matrix is None else matrix.n_items)

    @property
    def why_not(self) -> str:
        """The reason why the selection cannot be pinned; '' if it can."""
        return next(self._against(), "")

    def pins_on(self, shown: Shown | None) -> tuple[Mapping[int, str], Mapping[int, str]]:
        """Return the pins that a map was trained with, and those of the next, by node."""
        if shown is None or not isinstance(shown.result.model, PrototypeMap):
            return {}, {}
        planned = self._next_params
        fits = planned.takes_pins and planned.planned == shown.result.model.grid
        whole = not _is_part(shown.result)
        return shown.result.params.anchored, self.pins if fits and whole else {}

    def pin_winners(self) -> None:
        """Pin every selected item to its winner node; a node takes its nearest item."""
        run, chosen = self._store.session.run, self._derived_maps.chosen
        if self.why_not or run is None:
            return
        pins = _nearest(run, chosen)
        word = item_word(self._store.session.data, len(chosen))
        some = f"{len(pins)} of " if len(pins) < len(chosen) else ""
        grid = _grid_of(run)
        if len(chosen) == 1:
            (node,) = pins
            what = f"Pin {chosen[0]} to {_name(grid, node)}"
        else:
            what = f"Pin {some}{len(chosen)} {word} to their nodes"
        self._pin(pins, grid, what)

    def begin_picking(self) -> None:
        """Let the user pick the node for the one selected item."""
        chosen = self._derived_maps.chosen
        if not self.why_not and len(chosen) == 1:
            self._ask(chosen[0])

    def end_picking(self) -> None:
        """Stop picking a node."""
        self._ask("")

    def pick(self, node: int) -> None:
        """Pin the item to the picked node."""
        item, run = self.picking, self._store.session.run
        self.end_picking()
        if item and run is not None:
            grid = _grid_of(run)
            self._pin({node: item}, grid, f"Pin {item} to {_name(grid, node)}")

    def remove_all(self) -> None:
        """Remove all pins."""
        plan = self._store.session.plan
        if self.pins:
            params = plan.params.replace(anchors=())
            self._store.update("Remove all pins", plan=plan.with_params(params))

    def _pin(self, pins: Mapping[int, str], grid: Grid, what: str) -> None:
        plan = self._store.session.plan
        # An item or node that is pinned already moves.
        moved = set(pins.values())
        kept = {node: item for node, item in self.pins.items() if item not in moved}
        anchors = tuple(
            anchor_text(grid, node, item) for node, item in sorted({**kept, **pins}.items())
        )
        params = self._next_params.replace(anchors=anchors)
        self._store.update(what, plan=plan.with_params(params))

    def _ask(self, item: str) -> None:
        if item != self.picking:
            self.picking = item
            self.picking_changed.emit()

    def _drop_stale(self) -> None:
        if self.picking and (self.why_not or self._derived_maps.chosen != (self.picking,)):
            self.end_picking()

    def _against(self) -> Iterator[str]:
        session = self._store.session
        run, chosen, words = session.run, self._derived_maps.chosen, Words.of(session.data)
        if run is None:
            yield "Train a map first"
            return
        if self._trainer.phase is not Phase.IDLE:
            # The views show the map in training, whose nodes are not those of the run.
            yield "Wait until training has ended"
        result, plan = run.result, session.plan
        if not isinstance(result.model, PrototypeMap):
            yield f"{method_named(result.method).name} has no nodes to pin"
            return
        if _is_part(result):
            yield f"This map shows only selected {words.items}: pins need a map of all of them"
        if metric_of(result.params) == PRECOMPUTED:
            yield "Pinning needs a table of values, not of distances"
        planned = self._next_params
        if not planned.takes_pins or planned.planned is None:
            yield f"{plan.method.name}, the method of the next map, has no nodes to pin"
            return
        if planned.planned != result.model.grid:
            yield (
                f"The next map has {_size(planned.planned)} nodes, this one"
                f" {_size(result.model.grid)}: use the settings of {run.name} first"
                if _size(planned.planned) != _size(result.model.grid)
                else f"The next map has other nodes: use the settings of {run.name} first"
            )
        if not chosen:
            yield f"Select a {words.item} on the map first"
        if len(chosen) > MOST:
            yield f"Select no more than {counted(MOST, words.item)} to pin"


def anchor_text(grid: Grid, node: int, item: str) -> str:
    """Return a pin as the parameter writes it: 3:5=YAL001C, or 64=YAL001C without rows."""
    if not grid.structure.in_rows or grid.depth > 1:
        return f"{node}={item}"
    row, column = divmod(node, grid.columns)
    return f"{row + 1}:{column + 1}={item}"


def _name(grid: Grid, node: int) -> str:
    from ximstudio.pictures.map_texts import node_name  # imported late: it needs all that draws

    return node_name(grid, node)


def _size(grid: Grid) -> str:
    from ximstudio.pictures.map_texts import size_text

    return size_text(grid)


def _is_part(result: Result) -> bool:
    return result.parent is not None and result.parent.of_part


def _grid_of(run: Run) -> Grid:
    assert isinstance(run.result.model, PrototypeMap)
    return run.result.model.grid


def _nearest(run: Run, chosen: tuple[str, ...]) -> dict[int, str]:
    """Return for each node the selected item nearest to its prototype, among its members."""
    result = run.result
    assert isinstance(result.model, PrototypeMap)
    assert result.winners is not None
    wanted = set(chosen)
    rows = np.array([row for row, name in enumerate(result.item_ids) if name in wanted])
    seen = in_metric(run.matrix.items(rows), result.params)
    nodes = result.winners[rows]
    apart = np.nanmean((seen.values - result.model.prototypes[nodes]) ** 2, axis=1)
    found: dict[int, str] = {}
    for number in np.argsort(apart, kind="stable").tolist():
        found.setdefault(int(nodes[number]), result.item_ids[rows[number]])
    return found
