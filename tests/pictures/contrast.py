"""Contrast of colours as WCAG defines it."""

from __future__ import annotations

from ximstudio.pictures.colours import channels

TEXT_CONTRAST = 4.5
"""Least contrast of text against its background (WCAG 2.2, 1.4.3)."""
SHAPE_CONTRAST = 3.0
"""Least contrast of meaningful marks, such as the focus ring (WCAG 2.2, 1.4.11)."""


def luminance(colour: str) -> float:
    """Return the relative luminance as WCAG defines it: 0 for black, 1 for white."""
    shares = (channel / 255.0 for channel in channels(colour))
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the ratio of the luminances, 1 to 21, as WCAG defines it."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
