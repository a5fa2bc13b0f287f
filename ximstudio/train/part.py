"""Train a finer map of some items of an earlier one, from its prototypes and with its values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from ximstudio.model.arrays import Ints
from ximstudio.model.matrix import Matrix, some_of
from ximstudio.model.parent import PART, Parent
from ximstudio.model.problem import UserError
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.model.words import counted, plural
from ximstudio.train import Method, method_named
from ximstudio.train.anchors import AnchorParams
from ximstudio.train.annealing import BEGIN_PART, LateParams, begun_late, left_open
from ximstudio.train.checks import FEWEST_ITEMS
from ximstudio.train.continued import Descendant
from ximstudio.train.params import MapParams
from ximstudio.train.warm import start_from


def part_of(
    result: Result,
    matrix: Matrix,
    *,
    items: Iterable[str] | None = None,
    nodes: Iterable[int] | None = None,
    method: Method | None = None,
    late: LateParams | None = None,
    changes: Mapping[str, Any] = MappingProxyType({}),
) -> Descendant:
    """Build the training of a separate map for some items of a parent.

    The items keep the values of the parent: preparation is not repeated for fewer of them. The new
    grid covers the part of the parent's map in which they lie.

    Parameters
    ----------
    result, matrix
        The parent, and the data that it was trained on.
    items, nodes
        The chosen items by id, or by their nodes. Given both, all of them are used.
    method
        The method; None for the parent's method and parameters.
    late
        Where to resume the annealing.
    changes
        Parameters that differ from those of the parent, or of the method.
    """
    rows = chosen_rows(result, items=items, nodes=nodes)
    some = matrix.items(rows)
    way = method_named(result.method) if method is None else method
    base = left_open(result.params) if way.key == result.method else way.params()
    if isinstance(base, AnchorParams):
        # Pinned nodes of the parent do not exist here, and their items may not be chosen.
        base = base.replace(anchors=())
    params = base.replace(**changes)
    start = None
    if isinstance(params, MapParams):
        begin = (late or LateParams()).begin_or(BEGIN_PART)
        begun = begun_late(params, begin, some.n_items)
        params = begun.replace(**{**changes, "init": "given"})
        start = start_from(result, some, params, around=result.positions[rows])
    return Descendant(
        matrix=some,
        method=way,
        params=params,
        start=start,
        parent=Parent(
            kind=PART,
            result_hash=result.hash,
            data_fingerprint=result.data_fingerprint,
            item_ids=some.item_ids,
        ),
    )


def chosen_rows(
    result: Result, *, items: Iterable[str] | None = None, nodes: Iterable[int] | None = None
) -> Ints:
    """Return indices of the chosen items, in the order of the map; refuse unknown ones."""
    chosen = np.zeros(len(result.item_ids), dtype=bool)
    if items is not None:
        wanted = set(items)
        absent = sorted(wanted.difference(result.item_ids))
        if absent:
            raise UserError(
                key="part.unknown_items",
                what=f"{counted(len(absent), 'chosen item is', 'chosen items are')} not on the"
                " map.",
                where=some_of(absent),
                way_out="Use ids of items as in positions.csv of the run.",
            )
        chosen |= [name in wanted for name in result.item_ids]
    if nodes is not None:
        numbers = _nodes_of(result, nodes)
        assert result.winners is not None
        chosen |= np.isin(result.winners, numbers)
    if chosen.sum() < FEWEST_ITEMS:
        raise UserError(
            key="part.too_few",
            what=f"A map needs at least {FEWEST_ITEMS} items;"
            f" {counted(int(chosen.sum()), 'was', 'were')} chosen.",
            where="the chosen items or nodes",
            way_out="Choose more of them.",
        )
    return np.flatnonzero(chosen)


def _nodes_of(result: Result, nodes: Iterable[int]) -> Ints:
    """Return indices of the chosen nodes; refuse those that the map does not have."""
    if not isinstance(result.model, PrototypeMap):
        raise UserError(
            key="part.no_nodes",
            what="The map has no nodes to choose.",
            where=f"the earlier map: {method_named(result.method).name}",
            way_out="Choose items by their ids.",
        )
    numbers = np.array(sorted(set(nodes)), dtype=np.int64)
    n_nodes = result.model.grid.n_nodes
    beyond = numbers[(numbers < 0) | (numbers >= n_nodes)]
    if len(beyond):
        raise UserError(
            key="part.unknown_nodes",
            what=f"The map has no such {plural(len(beyond), 'node')}.",
            where=some_of([str(number) for number in beyond]),
            way_out=f"Use numbers from 0 to {n_nodes - 1}, as in prototypes.csv of the run.",
        )
    return numbers
