"""Names and numbers of nodes."""

from __future__ import annotations

from ximstudio.model.grid import Grid


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
