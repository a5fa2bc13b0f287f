"""Images inside figures: sharp in every viewer, and as fine as the paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ximstudio.figures.look import MM_PER_INCH
from ximstudio.figures.sheet import PaperSheet
from ximstudio.maps.box import Box
from ximstudio.pictures.colours import LIGHT, channels
from ximstudio.pictures.raster.frame import Bytes, Pixels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage


def pixels_of(sheet: PaperSheet, box: Box) -> tuple[int, int]:
    """Return the rows and columns of pixels in a box of the page, at least 1."""
    dots = sheet.look.dpi / MM_PER_INCH
    high, wide = (box.bottom - box.top) * dots, (box.right - box.left) * dots
    return max(round(high), 1), max(round(wide), 1)


def draw_image(
    axes: Axes,
    colours: Bytes,
    *,
    extent: tuple[float, float, float, float],
    pixels: tuple[int, int] = (1, 1),
    upwards: bool = False,
    label: str = "image",
) -> AxesImage:
    """Draw colours (rows, columns, 3 or 4), each as a rectangle with sharp edges.

    Many viewers blur images of few pixels: each is repeated until there are as many `pixels`
    as the paper has. `extent` is left, right, bottom and top, of axes that stay as they are.
    """
    from matplotlib.image import AxesImage

    down, across = (
        max(1, -(-wanted // have)) for wanted, have in zip(pixels, colours.shape[:2], strict=True)
    )
    # As it is: "nearest" would be made anew at the resolution of the whole file, and so would
    # all images of the same axes, as one.
    axes.figure.get_figure(root=True).suppressComposite = True
    image = AxesImage(
        axes, origin="lower" if upwards else "upper", extent=extent, interpolation="none"
    )
    image.set_data(_opaque(colours).repeat(down, axis=0).repeat(across, axis=1))
    image.set(zorder=0.5, label=label)
    image.set_clip_path(axes.patch)
    axes.add_image(image)
    return image


def draw_in_box(sheet: PaperSheet, box: Box, colours: Bytes, *, label: str) -> AxesImage:
    """Draw an image that fills a box of the page; far faster than axes of its own."""
    extent = (box.left, box.right, box.bottom, box.top)
    pixels = pixels_of(sheet, box)
    return draw_image(sheet.paper, colours, extent=extent, pixels=pixels, label=label)


def frame_box(sheet: PaperSheet, box: Box, *, colour: str, width: float = 0.5) -> None:
    """Draw a line around a box of the page."""
    from matplotlib.patches import Rectangle

    frame = Rectangle((box.left, box.top), box.right - box.left, box.bottom - box.top)
    frame.set(facecolor="none", edgecolor=colour, linewidth=width, label="frame")
    sheet.paper.add_patch(frame)


def _opaque(colours: Bytes) -> Bytes:
    """Blend colours with the white of the paper.

    Viewers smooth opacity and colours apart, and leave dark seams around what is transparent.
    """
    if colours.shape[-1] == 3:
        return colours
    alpha = colours[..., 3:] / 255.0
    white = np.array(channels(LIGHT.surface))
    inks = alpha * colours[..., :3] + (1.0 - alpha) * white
    return np.asarray(np.rint(inks), dtype=np.uint8)


def unpacked(pixels: Pixels) -> Bytes:
    """Convert premultiplied pixels to red, green, blue and opacity, (…, 4)."""
    parts = np.stack([pixels >> np.uint32(shift) & np.uint32(255) for shift in (16, 8, 0, 24)], -1)
    alpha = parts[..., 3:]
    inks = (parts[..., :3] * 255 + alpha // 2) // np.maximum(alpha, 1)
    return np.concatenate([inks, alpha], axis=-1).astype(np.uint8)
