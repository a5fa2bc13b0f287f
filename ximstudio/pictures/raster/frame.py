"""The part of the screen that an item draws into, in pixels of the device."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ximstudio.maps.box import Box
from ximstudio.model.arrays import Floats

Pixels: TypeAlias = NDArray[np.uint32]
"""Premultiplied 0xAARRGGBB, as QImage's Format_ARGB32_Premultiplied holds it."""
Bytes: TypeAlias = NDArray[np.uint8]
"""Colours as (n, 3) or (n, 4): red, green, blue, and opacity if given; 0 to 255."""


@dataclass(frozen=True, kw_only=True)
class RasterFrame:
    """A picture of width × height pixels, and where an item's places fall on it.

    A place (x, y) falls on (scale_x · x + offset_x, scale_y · y + offset_y); scales may be
    negative, where an axis points to the left or up. `left` and `top` say where on the device
    the picture goes, `ratio` how many of its pixels make one of the window's (2 at 200 %).
    """

    width: int
    height: int
    scale_x: float
    scale_y: float
    offset_x: float
    offset_y: float
    left: int = 0
    top: int = 0
    ratio: float = 1.0

    def pixel_places(self) -> tuple[Floats, Floats]:
        """Return the places of the centres of pixels: x of every column, y of every row."""
        across, down = (np.arange(size, dtype=np.float64) for size in (self.width, self.height))
        x = (across + 0.5 - self.offset_x) / self.scale_x
        return x, (down + 0.5 - self.offset_y) / self.scale_y

    @property
    def cell(self) -> float:
        """Return the smaller side of a unit square, in pixels of the window."""
        return min(abs(self.scale_x), abs(self.scale_y)) / self.ratio

    def finer(self, times: int) -> RasterFrame:
        """Return the same part of the screen with more pixels."""
        return replace(
            self,
            width=self.width * times,
            height=self.height * times,
            scale_x=self.scale_x * times,
            scale_y=self.scale_y * times,
            offset_x=self.offset_x * times,
            offset_y=self.offset_y * times,
        )

    def coarser(self, times: int) -> RasterFrame:
        """Return the same part of the screen, or slightly more, with fewer pixels."""
        return replace(
            self,
            width=-(-self.width // times),
            height=-(-self.height // times),
            scale_x=self.scale_x / times,
            scale_y=self.scale_y / times,
            offset_x=self.offset_x / times,
            offset_y=self.offset_y / times,
        )

    def moved(self, right: float, down: float) -> RasterFrame:
        """Return a frame shifted by this vector."""
        return replace(
            self,
            offset_x=self.offset_x + right * self.scale_x,
            offset_y=self.offset_y + down * self.scale_y,
        )

    def swapped(self) -> RasterFrame:
        """Return a frame with rows for columns: places fall there with x and y swapped."""
        return replace(
            self,
            width=self.height,
            height=self.width,
            scale_x=self.scale_y,
            scale_y=self.scale_x,
            offset_x=self.offset_y,
            offset_y=self.offset_x,
            left=self.top,
            top=self.left,
        )

    @property
    def place_bounds(self) -> tuple[float, float, float, float]:
        """Return smallest x, smallest y, largest x and largest y that the picture shows."""
        x = sorted((-self.offset_x / self.scale_x, (self.width - self.offset_x) / self.scale_x))
        y = sorted((-self.offset_y / self.scale_y, (self.height - self.offset_y) / self.scale_y))
        return x[0], y[0], x[1], y[1]


def fitted(box: Box, width: int, height: int) -> RasterFrame:
    """Return the largest box that fits into the middle of a picture."""
    across, down = box.right - box.left, box.bottom - box.top
    scale = min(width / across, height / down)
    return RasterFrame(
        width=width,
        height=height,
        scale_x=scale,
        scale_y=scale,
        offset_x=0.5 * width - scale * 0.5 * (box.left + box.right),
        offset_y=0.5 * height - scale * 0.5 * (box.top + box.bottom),
    )


def packed(colours: Bytes, *, opacity: float = 1.0) -> Pixels:
    """Return colours as premultiplied pixels."""
    given = np.full(len(colours), 255.0) if colours.shape[1] == 3 else colours[:, 3]
    alpha = np.rint(given * opacity).astype(np.uint32)
    red, green, blue = ((channel * alpha + 127) // 255 for channel in colours[:, :3].T)
    return np.asarray(alpha << 24 | red << 16 | green << 8 | blue, dtype=np.uint32)
