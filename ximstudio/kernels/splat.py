"""Compiled loop that stamps points into a picture.

All is done in 32 bits, two channels at a time, so that the innermost loop works on eight pixels at
once.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ximstudio.kernels.jit import inlined, kernel
from ximstudio.model.arrays import Floats, Ints

Pixels: TypeAlias = NDArray[np.uint32]
"""Premultiplied, opacity in the highest byte."""

TWO = np.uint32(0x00FF00FF)
FULL = np.uint32(256)


@inlined
def scaled(two_channels: np.uint32, share: np.uint32) -> np.uint32:
    """Two channels times a share of 256."""
    return np.uint32(np.uint32(two_channels * share) >> np.uint32(8)) & TWO


@kernel
def splat(
    pixels: Pixels,
    x: Floats,
    y: Floats,
    order: Ints,
    colours: Pixels,
    stamps: Pixels,
    transform: Floats,
    clip: Floats,
) -> None:
    """Stamp points, in their order, over what is in `pixels` already.

    `transform` holds scale and offset along x, then along y; points whose centre falls outside
    `clip` (left, top, right, bottom, in pixels) are left out.
    """
    height, width = pixels.shape
    phases = stamps.shape[0]
    side = stamps.shape[2]
    half = side // 2
    for i in order:
        across = transform[0] * x[i] + transform[1]
        down = transform[2] * y[i] + transform[3]
        # Written so that NaN is left out too.
        if not (clip[0] <= across < clip[2] and clip[1] <= down < clip[3]):
            continue
        column = int(across // 1.0)
        line = int(down // 1.0)
        stamp = stamps[int((down - line) * phases), int((across - column) * phases)]
        low = np.uint32(colours[i] & TWO)
        high = np.uint32(np.uint32(colours[i] >> np.uint32(8)) & TWO)
        top = line - half
        left = column - half
        begin = max(0, -left)
        end = min(side, width - left)
        for r in range(max(0, -top), min(side, height - top)):
            below = pixels[top + r, left + begin : left + end]
            shares = stamp[r, begin:end]
            for c in range(end - begin):
                ink_low = scaled(low, shares[c])
                ink_high = scaled(high, shares[c])
                opacity = np.uint32(ink_high >> np.uint32(16))
                # 255 becomes 256, so that opaque points hide everything below.
                rest = np.uint32(FULL - np.uint32(opacity + np.uint32(opacity >> np.uint32(7))))
                old_low = np.uint32(below[c] & TWO)
                old_high = np.uint32(np.uint32(below[c] >> np.uint32(8)) & TWO)
                new_low = np.uint32(ink_low + scaled(old_low, rest))
                new_high = np.uint32(ink_high + scaled(old_high, rest))
                below[c] = np.uint32(np.uint32(new_high << np.uint32(8)) | new_low)
