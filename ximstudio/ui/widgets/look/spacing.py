"""Distances of the window: one scale of gaps, three radii, three heights of controls."""

from __future__ import annotations

from typing import Final

HAIR: Final = 4
SMALL: Final = 8
MEDIUM: Final = 12
LARGE: Final = 16
WIDE: Final = 24
HUGE: Final = 32

SCALE: Final = (HAIR, SMALL, MEDIUM, LARGE, WIDE, HUGE)
"""Every gap and margin of the window is one of these, in pixels at 100 %."""

RADIUS_SMALL: Final = 4
RADIUS: Final = 6
RADIUS_LARGE: Final = 10

CONTROL_SMALL: Final = 24
CONTROL: Final = 30
CONTROL_LARGE: Final = 38
"""Heights of buttons and fields: inside tables, everywhere else, and for the one main action."""

ICON: Final = 16
ICON_LARGE: Final = 20
