"""Pins: nodes of the next map that stay with items a person has chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from PySide6.QtCore import QObject, Signal

from ximstudio.model.grid import Grid
from ximstudio.model.metric import PRECOMPUTED, in_metric, metric_of
from ximstudio.model.params import Params
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.model.words import counted
from ximstudio.session import Run
from ximstudio.session.shown import Shown
from ximstudio.session.words import Words, item_word
from ximstudio.train import method_named
from ximstudio.train.anchor_params import AnchorParams
from ximstudio.ui.descending import Descending
from ximstudio.ui.desk import Desk
from ximstudio.ui.training import Phase, Trainer

MOST = 500
"""Items that can be pinned in one go."""


class Pinning(QObject):
    """What a person can do with pins. They are part of the plan, and each change is a step."""

    picking_changed = Signal()
    """A node is asked for, or no longer."""

    def __init__(self, desk: Desk, trainer: Trainer, descending: Descending) -> None:
        super().__init__(desk)
        self._desk = desk
        self._trainer = trainer
        self._descending = descending
        self.picking = ""
        """The item that a node is asked for; '' for none."""
        desk.changed.connect(self._drop_stale)
        trainer.phase_changed.connect(self._drop_stale)

    @property
    def pins(self) -> Mapping[int, str]:
        """Items by the node of the next map that is pinned to them."""
        params = self._next_params
        return params.anchored if isinstance(params, AnchorParams) and params.anchors else {}

    @property
    def _next_params(self) -> Params:
        """Parameters of the next map, with its size chosen."""
        session = self._desk.session
        matrix = None if session.data is None else session.data.matrix
        run = session.run
        matrix = run.matrix if matrix is None and run is not None else matrix
        return session.plan.params.sized(0 if matrix is None else matrix.n_items)

    @property
    def why_not(self) -> str:
        """Why what is chosen cannot be pinned; '' if it can."""
        return next(self._against(), "")

    def pins_on(self, shown: Shown | None) -> tuple[Mapping[int, str], Mapping[int, str]]:
        """Items by the nodes of a map that it was trained with, and that the next is to be."""
        if shown is None or not isinstance(shown.result.model, PrototypeMap):
            return {}, {}
        params = shown.result.params
        held = params.anchored if isinstance(params, AnchorParams) and params.anchors else {}
        planned = self._next_params
        fits = isinstance(planned, AnchorParams) and planned.planned == shown.result.model.grid
        whole = not _is_part(shown.result)
        return held, self.pins if fits and whole else {}

    def pin_winners(self) -> None:
        """Pin every chosen item to the node it lies in; a node takes the item most like it."""
        run, chosen = self._desk.session.run, self._descending.chosen
        if self.why_not or run is None:
            return
        pins = _nearest(run, chosen)
        word = item_word(self._desk.session.data, len(chosen))
        some = f"{len(pins)} of " if len(pins) < len(chosen) else ""
        grid = _grid_of(run)
        if len(chosen) == 1:
            (node,) = pins
            what = f"Pin {chosen[0]} to {_name(grid, node)}"
        else:
            what = f"Pin {some}{len(chosen)} {word} to their nodes"
        self._pin(pins, grid, what)

    def begin_picking(self) -> None:
        """Ask for the node that the one chosen item is to be pinned to."""
        chosen = self._descending.chosen
        if not self.why_not and len(chosen) == 1:
            self._ask(chosen[0])

    def end_picking(self) -> None:
        """Ask for a node no longer."""
        self._ask("")

    def pick(self, node: int) -> None:
        """Pin the item that a node is asked for to this one."""
        item, run = self.picking, self._desk.session.run
        self.end_picking()
        if item and run is not None:
            grid = _grid_of(run)
            self._pin({node: item}, grid, f"Pin {item} to {_name(grid, node)}")

    def remove_all(self) -> None:
        """Pin nothing."""
        plan = self._desk.session.plan
        if self.pins:
            params = plan.params.replace(anchors=())
            self._desk.update("Remove all pins", plan=plan.with_params(params))

    def _pin(self, pins: Mapping[int, str], grid: Grid, what: str) -> None:
        plan = self._desk.session.plan
        # An item that is pinned once more moves there, and so does a node.
        moved = set(pins.values())
        kept = {node: item for node, item in self.pins.items() if item not in moved}
        anchors = tuple(
            anchor_text(grid, node, item) for node, item in sorted({**kept, **pins}.items())
        )
        params = self._next_params.replace(anchors=anchors)
        self._desk.update(what, plan=plan.with_params(params))

    def _ask(self, item: str) -> None:
        if item != self.picking:
            self.picking = item
            self.picking_changed.emit()

    def _drop_stale(self) -> None:
        if self.picking and (self.why_not or self._descending.chosen != (self.picking,)):
            self.end_picking()

    def _against(self) -> Iterator[str]:
        session = self._desk.session
        run, chosen, words = session.run, self._descending.chosen, Words.of(session.data)
        if run is None:
            yield "Train a map first"
            return
        if self._trainer.phase is not Phase.IDLE:
            # What is seen is the map that is trained: its nodes are not those of the run.
            yield "Wait until training has ended"
        result, plan = run.result, session.plan
        if not isinstance(result.model, PrototypeMap):
            yield f"{method_named(result.method).name} has no nodes to pin"
            return
        if _is_part(result):
            yield f"This is a map of chosen {words.items}: pins are for maps of all of them"
        if metric_of(result.params) == PRECOMPUTED:
            yield "Nodes of a map of a table of distances cannot be pinned"
        planned = self._next_params
        if not isinstance(planned, AnchorParams):
            yield f"{plan.method.name}, which is planned next, has no nodes to pin"
            return
        if planned.planned != result.model.grid:
            yield (
                f"The next map has {_size(planned.planned)} nodes, this one"
                f" {_size(result.model.grid)}: use the settings of {run.name} again first"
                if _size(planned.planned) != _size(result.model.grid)
                else f"The next map has other nodes: use the settings of {run.name} again first"
            )
        if not chosen:
            yield f"Choose a {words.item} on the map first"
        if len(chosen) > MOST:
            yield f"Choose no more than {counted(MOST, words.item)} to pin"


def anchor_text(grid: Grid, node: int, item: str) -> str:
    """A pin as the parameter writes it: 3:5=YAL001C, or 64=YAL001C where there are no rows."""
    if not grid.structure.in_rows or grid.depth > 1:
        return f"{node}={item}"
    row, column = divmod(node, grid.columns)
    return f"{row + 1}:{column + 1}={item}"


def _name(grid: Grid, node: int) -> str:
    from ximstudio.pictures.node_name import node_name  # late: views bring all that draws

    return node_name(grid, node)


def _size(grid: Grid) -> str:
    from ximstudio.pictures.node_name import size_text

    return size_text(grid)


def _is_part(result: Result) -> bool:
    return result.parent is not None and result.parent.of_part


def _grid_of(run: Run) -> Grid:
    assert isinstance(run.result.model, PrototypeMap)
    return run.result.model.grid


def _nearest(run: Run, chosen: tuple[str, ...]) -> dict[int, str]:
    """By node: the item it is pinned to, the one most like its prototype among those in it."""
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
