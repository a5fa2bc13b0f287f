"""Densities of very many points: counts per pixel, smoothed, on a logarithmic colour scale."""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Floats, Floats32
from ximstudio.pictures.colours import Colours, channels, mixed
from ximstudio.pictures.raster.frame import Bytes, Pixels, RasterFrame, packed


def counts(frame: RasterFrame, x: Floats, y: Floats) -> Floats32:
    """Count the points per pixel of the frame."""
    across = frame.scale_x * x + frame.offset_x
    down = frame.scale_y * y + frame.offset_y
    # These comparisons leave out NaN, too.
    seen = (across >= 0.0) & (across < frame.width) & (down >= 0.0) & (down < frame.height)
    row, column = (places[seen].astype(np.int64) for places in (down, across))
    pixel = row * frame.width + column
    found = np.bincount(pixel, minlength=frame.width * frame.height)
    return found.reshape(frame.height, frame.width).astype(np.float32)


def smoothed(values: Floats32, times: int) -> Floats32:
    """Smooth values `times` over: each pass is (1, 2, 1) / 4 along both axes."""
    for _ in range(times):
        for axis in (0, 1):
            spread = 2.0 * values
            lines, known = np.moveaxis(spread, axis, 0), np.moveaxis(values, axis, 0)
            lines[1:] += known[:-1]
            lines[:-1] += known[1:]
            values = spread * np.float32(0.25)
    return values


def density_pixels(densities: Floats32, table: Pixels) -> Pixels:
    """Return densities in the colours of a table, logarithmic, transparent where there are none."""
    peak = float(densities.max(initial=0.0))
    if peak <= 0.0:
        return np.zeros(densities.shape, dtype=np.uint32)
    # A single point, spread over its neighbours, still gets the first colours.
    floor = 0.05
    scale = (len(table) - 1) / np.log1p(peak / floor)
    entries = (np.log1p(densities * np.float32(1.0 / floor)) * np.float32(scale)).astype(np.int32)
    pixels: Pixels = np.take(table, entries, mode="clip")
    return pixels


def density_table(colours: Colours) -> Pixels:
    """Return the colours of densities, from a tint of the accent to the text's colour."""
    stops = (mixed(colours.surface, colours.accent, 0.25), colours.accent, colours.text)
    known = np.array([channels(stop) for stop in stops], dtype=np.float64)
    places = np.linspace(0.0, 1.0, 255)
    ramp = [np.interp(places, (0.0, 0.55, 1.0), known[:, channel]) for channel in range(3)]
    opaque = packed(np.rint(np.column_stack(ramp)).astype(np.uint8))
    return np.concatenate([np.zeros(1, dtype=np.uint32), opaque])


def count_levels(counts: Floats) -> Bytes:
    """Return the index of every count in 256 colours: 0 for none, from 1 on logarithmic."""
    levels = np.zeros(counts.shape)
    some = counts > 0.0
    if some.any():
        logs = np.log(counts[some])
        span = float(np.ptp(logs)) or 1.0
        levels[some] = 1.0 + 254.0 * (logs - logs.min()) / span
    return levels.astype(np.uint8)
