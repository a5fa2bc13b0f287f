"""Distances and kernels in the map: d_O, h_σ(d_O), and sums of h over all of its nodes.

Letters as in the report: r_j node, σ width, h map kernel (TR 14–16), d_O squared map distance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ximstudio.kernels.elementary import exp_negative, log_positive
from ximstudio.kernels.jit import kernel, summing
from ximstudio.model.arrays import Floats, Floats32

f4 = np.float32

GAUSSIAN, STUDENT, CAUCHY = 0, 1, 2
"""Codes of the map kernels."""
LOGARITHM = 3
"""Added to the code of a map kernel to get ln h, which does not underflow."""

TINY = f4(1e-37)
"""Threshold below which h ln h counts as 0: a Gaussian h underflows far from the winner."""


class Nodes(NamedTuple):
    """The nodes as kernels see them, in coordinates in which distances are Euclidean.

    `z` is empty on a plane. Where there are no such coordinates, as on the hyperbolic plane,
    `apart` (M, M) holds d_O; else it is empty. `by_offset` says whether d_O depends only on how
    many rows and columns nodes are apart, which `rows` and what follows are for.
    """

    x: Floats32
    y: Floats32
    z: Floats32
    apart: Floats32
    by_offset: bool
    period_x: np.float32
    period_y: np.float32
    rows: int
    columns: int
    row_height: np.float32
    row_shift: np.float32


@kernel
def map_distances(nodes: Nodes, winner: int, d_O: Floats32) -> None:
    """d_O: squared distances of all nodes from the winner, across the seams of a torus."""
    if nodes.apart.size:
        d_O[:] = nodes.apart[winner]
        return
    x, y = nodes.x, nodes.y
    x0, y0 = x[winner], y[winner]
    for j in range(d_O.size):
        dx = abs(x[j] - x0)
        dy = abs(y[j] - y0)
        dx = min(dx, nodes.period_x - dx)
        dy = min(dy, nodes.period_y - dy)
        d_O[j] = dx * dx + dy * dy
    if nodes.z.size:
        z0 = nodes.z[winner]
        for j in range(d_O.size):
            dz = nodes.z[j] - z0
            d_O[j] += dz * dz


@kernel
def map_kernel(code: int, sigma: float, scale: float, d_O: Floats32, h: Floats32) -> None:
    """h = h_σ(d_O / s²) by TR 14 (Gaussian), TR 15 (Student t) or TR 16 (Cauchy).

    s is 1 in the report; in TR 15 σ is the degrees of freedom and does not widen the kernel. With
    LOGARITHM added to the code it is ln h.
    """
    if code >= LOGARITHM:
        log_map_kernel(code - LOGARITHM, sigma, scale, d_O, h)
        return
    s2 = scale * scale
    if code == CAUCHY:
        c = f4(1.0 / (s2 * sigma * sigma))
        for j in range(d_O.size):
            h[j] = f4(1.0) / (f4(1.0) + d_O[j] * c)
    elif code == GAUSSIAN:
        c = f4(-0.5 / (s2 * sigma * sigma))
        for j in range(d_O.size):
            h[j] = exp_negative(d_O[j] * c)
    else:
        c = f4(1.0 / (s2 * sigma))
        power = f4(-0.5 * (sigma + 1.0))
        for j in range(d_O.size):
            h[j] = exp_negative(power * log_positive(f4(1.0) + d_O[j] * c))


@kernel
def log_map_kernel(code: int, sigma: float, scale: float, d_O: Floats32, log_h: Floats32) -> None:
    """ln h_σ(d_O / s²): a number even where h itself is none."""
    s2 = scale * scale
    if code == GAUSSIAN:
        c = f4(-0.5 / (s2 * sigma * sigma))
        for j in range(d_O.size):
            log_h[j] = d_O[j] * c
        return
    c = f4(1.0 / (s2 * sigma)) if code == STUDENT else f4(1.0 / (s2 * sigma * sigma))
    power = f4(-0.5 * (sigma + 1.0)) if code == STUDENT else f4(-1.0)
    for j in range(d_O.size):
        log_h[j] = power * log_positive(f4(1.0) + d_O[j] * c)


@kernel
def offset_kernel(
    nodes: Nodes, code: int, sigma: float, scale: float, table: Floats32, row: Floats32
) -> None:
    """h for every offset between two nodes of the lattice.

    table[p, R−1+Δrow, C−1+Δcolumn] is h between a node in a row of parity p and the node Δrow
    rows and Δcolumn columns on. On a lattice h depends on nothing else, so 2(2R−1)(2C−1) values
    replace the M² of a full table.
    """
    R, C = nodes.rows, nodes.columns
    for parity in range(2):
        for down in range(-(R - 1), R):
            shift = f4(0.0)
            if (parity + down) % 2 != parity:
                shift = nodes.row_shift if parity == 0 else -nodes.row_shift
            dy = f4(abs(down)) * nodes.row_height
            dy = min(dy, nodes.period_y - dy)
            for q in range(2 * C - 1):
                dx = abs(f4(q - (C - 1)) + shift)
                dx = min(dx, abs(nodes.period_x - dx))
                row[q] = dx * dx + dy * dy
            map_kernel(code, sigma, scale, row, table[parity, down + R - 1])


@kernel
def smooth(nodes: Nodes, table: Floats32, values: Floats32, out: Floats32) -> None:
    """out_k = Σ_j h_kj values_j over the whole lattice (the sum in TR 6 and TR 10).

    Four nodes j at a time, so that a row of `out` is read and written a quarter as often.
    """
    R, C = nodes.rows, nodes.columns
    for k in range(R * C):
        out[k] = f4(0.0)
    for k_row in range(R):
        target = out[k_row * C : (k_row + 1) * C]
        for j_row in range(R):
            h = table[j_row % 2, k_row - j_row + R - 1]
            v = values[j_row * C : (j_row + 1) * C]
            j = 0
            while j + 4 <= C:
                v0, v1, v2, v3 = v[j], v[j + 1], v[j + 2], v[j + 3]
                h3 = h[C - 4 - j : 2 * C - 1 - j]
                for k in range(C):
                    target[k] += (v0 * h3[k + 3] + v1 * h3[k + 2]) + (v2 * h3[k + 1] + v3 * h3[k])
                j += 4
            while j < C:
                h0 = h[C - 1 - j : 2 * C - 1 - j]
                for k in range(C):
                    target[k] += v[j] * h0[k]
                j += 1


@kernel
def self_terms(nodes: Nodes, table: Floats32, running: Floats, out: Floats32) -> None:
    """out_k = Σ_j (h_kj ln h_kj − h_kj): the part of TR 10 that does not depend on the item.

    The sum over a row of nodes is a difference of running sums over the offsets; `running` is
    scratch, one longer than `table` in its last axis.
    """
    R, C = nodes.rows, nodes.columns
    for parity in range(2):
        for down in range(2 * R - 1):
            total = 0.0
            for q in range(2 * C - 1):
                h = table[parity, down, q]
                running[parity, down, q] = total
                if h > TINY:
                    total += float(h * log_positive(h) - h)
            running[parity, down, 2 * C - 1] = total
    for k_row in range(R):
        for k in range(C):
            total = 0.0
            for j_row in range(R):
                sums = running[k_row % 2, j_row - k_row + R - 1]
                total += sums[2 * C - 1 - k] - sums[C - 1 - k]
            out[k_row * C + k] = f4(total)


@summing
def product(h: Floats32, values: Floats32) -> np.float32:
    """Σ_j h_j values_j."""
    total = f4(0.0)
    for j in range(h.size):
        total += h[j] * values[j]
    return total


@summing
def self_term(h: Floats32) -> np.float32:
    """Σ_j (h_j ln h_j − h_j)."""
    total = f4(0.0)
    for j in range(h.size):
        # Underflown values are replaced by 1, whose logarithm is 0, instead of a branch.
        total += h[j] * log_positive(h[j] if h[j] > TINY else f4(1.0)) - h[j]
    return total


@kernel
def smooth_anywhere(
    nodes: Nodes,
    code: int,
    sigma: float,
    scale: float,
    values: Floats32,
    out: Floats32,
    own: Floats32,
    d_O: Floats32,
    h: Floats32,
) -> None:
    """Compute `smooth` and `self_terms` for nodes anywhere; no own terms if `own` is empty.

    Row by row of h, which is never held as a whole; `d_O` and `h` are scratch.
    """
    for k in range(d_O.size):
        map_distances(nodes, k, d_O)
        map_kernel(code, sigma, scale, d_O, h)
        out[k] = product(h, values)
        if own.size:
            own[k] = self_term(h)
