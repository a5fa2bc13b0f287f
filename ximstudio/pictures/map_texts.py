"""Texts on a map: names of nodes, of classes where they gather, or of the items of every node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ximstudio.maps.cells import bounds
from ximstudio.maps.classes import Classes
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.grid import Grid, shortened

NEAR = 0.13
"""Items of a class this close, as a share of the map's longer side, share one name."""
LEAST = 0.12
"""A class is named again where at least this share of it gathers."""
MOST_NAMES = 4
"""Most names of one class."""
MOST_ITEMS = 160
"""Most items of a class that are examined, evenly sampled."""
MOST_NODES = 4000
"""Most nodes that are named, those with most items."""


@dataclass(frozen=True, kw_only=True, eq=False)
class MapTexts:
    """Texts, their places on the map, (T, 2), and their priority, (T,)."""

    texts: tuple[str, ...] = ()
    anchors: Floats = field(default_factory=lambda: np.empty((0, 2)))
    priority: Floats = field(default_factory=lambda: np.empty(0))
    nodes: Ints | None = None
    """The node that each names, (T,); None for groups."""
    strong: bool = False
    """True for names of groups, which stand above them; others stand beside single items."""


def class_texts(classes: Classes, positions: Floats, grid: Grid) -> MapTexts:
    """Place the name of every coloured class wherever many of its items are close together."""
    found: list[tuple[str, Floats, float]] = []
    for number, name in enumerate(classes.names[: classes.n_own]):
        places = positions[classes.codes == number]
        step = -(-len(places) // MOST_ITEMS) or 1
        gathered = _gatherings(places[::step], grid)
        found += [(name, place, float(count * step)) for place, count in gathered]
    return MapTexts(
        texts=tuple(name for name, _, _ in found),
        anchors=np.array([place for _, place, _ in found]).reshape(-1, 2),
        priority=np.array([priority for *_, priority in found]),
        strong=True,
    )


def item_texts(ids: Sequence[str], winners: Ints, positions: Floats, grid: Grid) -> MapTexts:
    """Name the first item of every node, at its place, and count the others."""
    hits = np.bincount(winners, minlength=grid.n_nodes)
    nodes = np.flatnonzero(hits)
    nodes = nodes[np.argsort(-hits[nodes], kind="stable")][:MOST_NODES]
    first = np.full(grid.n_nodes, len(ids))
    np.minimum.at(first, winners, np.arange(len(winners)))
    texts = (
        f"{ids[item]} +{count - 1}" if count > 1 else ids[item]
        for item, count in zip(first[nodes].tolist(), hits[nodes].tolist(), strict=True)
    )
    return MapTexts(
        texts=tuple(texts),
        anchors=positions[first[nodes]],
        priority=hits[nodes].astype(np.float64),
        nodes=nodes,
    )


def _gatherings(places: Floats, grid: Grid) -> list[tuple[Floats, int]]:
    """Return the upper edge of every group of close places, and their number; largest first."""
    places = places[np.isfinite(places).all(axis=1)]
    apart = _apart(places, grid)
    near = (apart**2).sum(axis=2) <= (NEAR * bounds(grid).longer_side) ** 2
    left: Bools = np.ones(len(places), dtype=np.bool_)
    found: list[tuple[Floats, int]] = []
    while left.any() and len(found) < MOST_NAMES:
        counts = np.where(left, (near & left).sum(axis=1), 0)
        best = int(counts.argmax())
        count = int(counts[best])
        if found and count < LEAST * len(places):
            break
        members = near[best] & left
        # Differences, as a group may lie across the seam of a torus.
        around = apart[members, best]
        above = np.array([around[:, 0].mean(), around[:, 1].min()])
        found.append((places[best] + above, count))
        # A group is often wider than the distance that counts as close.
        left &= ~near[members].any(axis=0)
    return found


def _apart(places: Floats, grid: Grid) -> Floats:
    """Return vectors from every second place to every first, the short way round, (n, n, 2)."""
    return shortened(places[:, None, :] - places[None, :, :], grid.periods[:2])


def node_name(grid: Grid, node: int) -> str:
    """Return layer, row and column of a node as far as the map has any, else its number; from 1."""
    if not grid.structure.in_rows:
        return f"node {node + 1}"
    row, column = divmod(node, grid.columns)
    if grid.depth == 1:
        return f"row {row + 1}, column {column + 1}"
    layer, row = divmod(row, grid.rows)
    return f"layer {layer + 1}, row {row + 1}, column {column + 1}"


def short_node_name(grid: Grid, node: int) -> str:
    """Return only the numbers of its name: "8, 6"."""
    parts = node_name(grid, node).split(", ")
    return ", ".join(part.rsplit(" ", 1)[-1] for part in parts)


def size_text(grid: Grid) -> str:
    """Return rows and columns, and layers if there are several; else the number of nodes."""
    if not grid.structure.in_rows:
        return str(grid.n_nodes)
    layers = f" × {grid.depth}" if grid.depth > 1 else ""
    return f"{grid.rows} × {grid.columns}{layers}"
