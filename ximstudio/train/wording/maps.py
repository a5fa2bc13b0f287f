"""Sentences about the map: nodes, metric, start and positions of prototypes or items."""

from __future__ import annotations

from collections.abc import Iterator

from ximstudio.model.citations import REPORT
from ximstudio.model.clauses import (
    Clause,
    MapContext,
    printed,
    quoted,
    shortened,
    worded,
)
from ximstudio.model.metric import PRECOMPUTED
from ximstudio.model.result import PrototypeMap
from ximstudio.model.structures import BY_LATTICE
from ximstudio.model.words import counted, grouped
from ximstudio.place import mapping_named, shepard
from ximstudio.train.anchors import node_at

ROWS = {
    "rectangular": "a rectangular lattice",
    "hexagonal": "a hexagonal lattice",
    "cylinder": "a rectangular lattice joined from left to right to a cylinder",
}
OTHERS = {
    "hyperbolic": "a triangular lattice in the hyperbolic plane",
    "line": "a line",
    "ring": "a ring",
    "disc": "a disc, like the seeds of a sunflower",
    "random": "a rectangle, at random places",
}
ITEM_STARTS = {
    "pca": "Items began at their places in the plane of the first two principal components.",
    "random": "Items began at random places.",
}


def structure_clauses(context: MapContext) -> Iterator[Clause]:
    """Describe the number and arrangement of nodes."""
    params = context.params
    rows, columns = params.shape
    names: tuple[str, ...] = ("shape", "lattice", "toroidal")
    size = f"{grouped(rows)} × {grouped(columns)}"
    n_nodes = params.planned.n_nodes
    if params.lattice == "table":
        names = ("lattice", "toroidal", "node_file")
        if isinstance(context.result.model, PrototypeMap):
            n_nodes = context.result.model.grid.n_nodes
        where = f"the places given in {quoted(_bare(params.node_file))}"
        text = f"The {counted(n_nodes, 'node')} of the map had {where}."
    elif params.lattice == "cubic":
        names = (*names, "depth")
        text = (
            f"The map was a block of {size} × {grouped(params.depth)} nodes in"
            f" {counted(params.depth, 'layer')}."
        )
    elif params.lattice in ROWS:
        joined = ", its opposite edges joined to a torus" if params.toroidal else ""
        text = f"The map was {ROWS[params.lattice]} of {size} nodes{joined}."
    else:
        about = OTHERS.get(params.lattice, BY_LATTICE[params.planned.lattice].about)
        text = f"The {counted(n_nodes, 'node')} of the map ({size}) were arranged in {about}."
    yield Clause(text=text, names=names)


ALIKE = {
    "euclidean": "Items were compared by the Euclidean distance between them.",
    "correlation": "Items were compared by the Euclidean distance between their profiles, each"
    " centred and scaled to unit length, and thus by their Pearson correlation.",
    "cosine": "Items were compared by the Euclidean distance between their profiles, each scaled to"
    " unit length, and thus by the cosine of the angle between them.",
}
UNEQUAL = {
    "mean": "the mean of both",
    "smaller": "the smaller of both",
    "larger": "the larger of both",
}


def metric_clauses(context: MapContext) -> Iterator[Clause]:
    """Describe the metric."""
    params = context.params
    if params.metric != PRECOMPUTED:
        text = ALIKE.get(params.metric, f"Items were compared by the metric '{params.metric}'.")
        yield Clause(text=text, names=("metric",))
        return
    unequal = ""
    if params.symmetrise in UNEQUAL:
        unequal = f"; where the two directions differed, {UNEQUAL[params.symmetrise]} was used"
    yield Clause(
        text=f"Items were compared by these distances themselves{unequal}.",
        names=("metric", "symmetrise"),
    )
    what = {
        "relational": "a mixture of all items",
        "median": "one of the items, after every epoch the one with the least sum of squared"
        " distances weighted by the forces",
    }
    yield Clause(
        text=f"Each prototype was {what[params.relational]}, as only distances were known"
        f"{context.citations.of(REPORT)}.",
        names=("relational",),
    )


STARTS = {
    "pca": "Prototypes were initialised in the {space} of the first {axes}.",
    "items": "Prototypes were initialised with randomly chosen items.",
    "random": "Prototypes were initialised uniformly at random within the range of every feature.",
    "given": "Prototypes were initialised with given values.",
}


def start_clauses(context: MapContext) -> Iterator[Clause]:
    """Describe the initial prototypes; those of an earlier map are described with that map."""
    if context.result.parent is not None:
        return
    params = context.params
    two = params.planned.n_axes < 3
    axes = f"{'two' if two else 'three'} principal components"
    if params.metric == PRECOMPUTED:
        axes = f"{'two' if two else 'three'} coordinates of the classical scaling of the distances"
    text = STARTS[params.init].format(space="plane" if two else "space", axes=axes)
    yield Clause(text=text, names=("init",))


def anchor_clauses(context: MapContext) -> Iterator[Clause]:
    """Describe the pinned nodes."""
    anchors = context.params.anchors
    if not anchors:
        return
    grid = context.params.planned
    pinned = []
    for text in anchors:
        place, _, item = text.partition("=")
        node = node_at(grid, place)
        where = (
            "node ?" if node is None else _place(node, grid.columns, rows=grid.structure.in_rows)
        )
        pinned.append(f"{where} to {quoted(item.strip())}")
    one = len(anchors) == 1
    yield Clause(
        text=f"Of the prototypes, {worded(len(anchors))} {'was' if one else 'were'} pinned and"
        f" never moved: {shortened(pinned)}.",
        names=("anchors",),
    )


def _place(node: int, columns: int, *, rows: bool) -> str:
    """Name a node as the map counts rows and columns, or as its table counts nodes."""
    if not rows:
        return f"node {node}"
    return f"row {node // columns + 1}, column {node % columns + 1}"


def placing_clauses(context: MapContext) -> Iterator[Clause]:
    """Describe how items were placed between the nodes."""
    params = context.params
    rule = mapping_named(params.mapping)
    model = context.result.model
    n_nodes = model.grid.n_nodes if isinstance(model, PrototypeMap) else params.planned.n_nodes
    yield Clause(
        text=f"{rule.in_text(params, n_nodes)}{context.citations.of(*rule.works)}.",
        names=("mapping", *rule.tells),
    )


def _bare(name: str) -> str:
    return name.replace("\\", "/").rsplit("/", 1)[-1]


def item_start_clauses(context: MapContext) -> Iterator[Clause]:
    """Describe the initial positions of items."""
    yield Clause(text=ITEM_STARTS[context.params.init], names=("init",))


def projection_clauses(context: MapContext) -> Iterator[Clause]:
    """Describe how new items were placed between those that a map was trained on."""
    params = context.params
    if not context.n_projected:
        return
    items = counted(min(params.neighbours, context.n_items), "nearest item")
    yield Clause(
        text="Items that were placed later lie at the mean of the places of their"
        f" {items}, weighted by inverse distance in the data with the power"
        f" p = {printed(params.power)}{context.citations.of(shepard.WORK)}.",
        names=("power", "neighbours"),
    )
