"""Points as discs in a picture, by a compiled loop as soon as it is ready.

Discs are small tables of coverage, one per position within a pixel.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.pictures.raster.frame import Pixels, RasterFrame

PHASES = 4
"""Positions within a pixel, along each axis, for which a disc is computed."""
_SAMPLES = 8


@lru_cache(maxsize=64)
def disc_stamps(diameter: float) -> Pixels:
    """Coverage 0 to 256 of the pixels around a disc, (PHASES, PHASES, side, side): y before x.

    Phase p stands for a middle at (p + ½) / PHASES within the stamp's middle pixel.
    """
    phases = (np.arange(PHASES) + 0.5) / PHASES
    # As small as the last phase allows: few pixels are what makes many points fast.
    half = max(0, int(np.ceil(diameter / 2.0 + phases[-1] - 1.0)))
    side = 2 * half + 1
    middles = half + phases
    samples = (np.arange(side * _SAMPLES) + 0.5) / _SAMPLES
    squares = (samples - middles[:, None]) ** 2
    inside = squares[:, None, :, None] + squares[None, :, None, :] <= (diameter / 2.0) ** 2
    shape = (PHASES, PHASES, side, _SAMPLES, side, _SAMPLES)
    coverage = inside.reshape(shape).mean(axis=(3, 5))
    return frozen(np.rint(256.0 * coverage).astype(np.uint32))


Splat = Callable[[Pixels, Floats, Floats, Ints, Pixels, Pixels, Floats, Floats], None]


@dataclass
class _Loop:
    """The compiled loop, once it is warm."""

    compiled: Splat | None = None


_loop = _Loop()


def warm_up() -> None:
    """Load or compile the loop, which takes a second or two once per computer.

    Until it is done points are drawn by numpy: slower, and with hard edges.
    """
    from ximstudio.kernels.splat import splat

    one = np.zeros(1)
    splat(
        np.zeros((1, 1), dtype=np.uint32),
        one,
        one,
        np.zeros(1, dtype=np.int64),
        np.zeros(1, dtype=np.uint32),
        disc_stamps(1.0),
        np.array([1.0, 0.0, 1.0, 0.0]),
        np.array([0.0, 0.0, 1.0, 1.0]),
    )
    _loop.compiled = splat


def stamp_points(
    pixels: Pixels,
    x: Floats,
    y: Floats,
    *,
    order: Ints,
    colours: Pixels,
    diameter: float,
    frame: RasterFrame,
    clip: Floats | None = None,
) -> None:
    """Draw discs of that diameter, in device pixels, over the picture."""
    stamps = disc_stamps(round(diameter, 1))
    reach = stamps.shape[2] // 2 + 1
    height, width = pixels.shape
    seen = np.array([-reach, -reach, width + reach, height + reach], dtype=np.float64)
    if clip is not None:
        seen[:2] = np.maximum(seen[:2], clip[:2])
        seen[2:] = np.minimum(seen[2:], clip[2:])
    transform = np.array([frame.scale_x, frame.offset_x, frame.scale_y, frame.offset_y])
    draw = plain_splat if _loop.compiled is None else _loop.compiled
    draw(pixels, x, y, order, colours, stamps, transform, seen)


def plain_splat(
    pixels: Pixels,
    x: Floats,
    y: Floats,
    order: Ints,
    colours: Pixels,
    stamps: Pixels,
    transform: Floats,
    clip: Floats,
) -> None:
    """Do the same as `splat` without a compiler: hard edges, and the nearest centre wins."""
    across = transform[0] * x[order] + transform[1]
    down = transform[2] * y[order] + transform[3]
    seen = (across >= clip[0]) & (across < clip[2]) & (down >= clip[1]) & (down < clip[3])
    column = np.floor(across[seen]).astype(np.int64)
    line = np.floor(down[seen]).astype(np.int64)
    ink = colours[order[seen]]
    half = stamps.shape[2] // 2
    # Room around the picture instead of a test per point.
    edge = half + stamps.shape[2]
    room = np.pad(pixels, edge)
    spots = (line + edge) * room.shape[1] + column + edge
    flat = room.reshape(-1)
    rows, columns = np.nonzero(stamps[PHASES // 2, PHASES // 2] >= 128)
    if not rows.size:
        rows, columns = np.array([half]), np.array([half])
    farthest_first = np.argsort(-((rows - half) ** 2 + (columns - half) ** 2), kind="stable")
    for k in farthest_first.tolist():
        places = spots + (int(rows[k]) - half) * room.shape[1] + int(columns[k]) - half
        flat[places] = _over(ink, flat[places])
    pixels[:] = room[edge : edge + pixels.shape[0], edge : edge + pixels.shape[1]]


def _over(ink: Pixels, below: Pixels) -> Pixels:
    """Blend premultiplied pixels over others."""
    two = np.uint32(0x00FF00FF)
    opacity = ink >> np.uint32(24)
    rest = np.uint32(256) - (opacity + (opacity >> np.uint32(7)))
    low = ((below & two) * rest >> np.uint32(8)) & two
    high = ((below >> np.uint32(8)) & two) * rest & ~two
    return np.asarray(ink + (low | high))
