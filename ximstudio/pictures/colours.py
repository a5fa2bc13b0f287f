"""The window's colours by name, in a light and a dark set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from types import MappingProxyType

from ximstudio.maps.palettes import OKABE_ITO


@dataclass(frozen=True, kw_only=True)
class Colours:
    """Named colours as "#rrggbb" for the style sheet, the icons and the drawings."""

    window: str
    """Behind everything."""
    surface: str
    """Panels, fields, and the canvas of plots."""
    raised: str
    """Floating parts: menus, cards, tool tips."""
    sunken: str
    """Tracks, headers of tables, keys of the keyboard."""
    hover: str
    pressed: str
    border: str
    border_strong: str
    """Edges of fields and of controls that can be switched."""
    text: str
    muted: str
    """Secondary text, still readable."""
    disabled: str
    accent: str
    accent_hover: str
    accent_pressed: str
    accent_soft: str
    """Background of selected elements; text and accent are readable on it."""
    accent_text: str
    """Text on the accent."""
    danger: str
    danger_soft: str
    warning: str
    warning_soft: str
    success: str
    success_soft: str
    selection: str
    """Backdrop of selected rows and text."""
    focus: str
    axis: str
    grid: str
    """Lines behind curves."""
    empty: str
    """Nodes without a value."""
    series: tuple[str, ...]
    """Lines of plots, in order, distinct for the colour-blind; names beside them match."""
    classes: tuple[str, ...]
    """Classes of items, in order: as on paper, except for one that the surface would hide."""

    @cached_property
    def named(self) -> Mapping[str, str]:
        """Return all single colours by name."""
        pairs = ((field.name, getattr(self, field.name)) for field in fields(self))
        return MappingProxyType({name: value for name, value in pairs if isinstance(value, str)})


LIGHT = Colours(
    window="#F5F6F8",
    surface="#FFFFFF",
    raised="#FFFFFF",
    sunken="#EDEFF3",
    hover="#ECEEF2",
    pressed="#E0E3EA",
    border="#E2E5EB",
    border_strong="#C6CBD5",
    text="#1B1F27",
    muted="#5A6371",
    disabled="#A3ABB8",
    accent="#3B55D9",
    accent_hover="#314ACB",
    accent_pressed="#283EB2",
    accent_soft="#EBEEFD",
    accent_text="#FFFFFF",
    danger="#BB263D",
    danger_soft="#FCECEE",
    warning="#8A5A00",
    warning_soft="#FDF3DC",
    success="#18724A",
    success_soft="#E4F5EC",
    selection="#DCE2FC",
    focus="#3B55D9",
    axis="#808999",
    grid="#EBEDF1",
    empty="#E4E7EC",
    series=("#0072B2", "#BF4F00", "#2C7D4F", "#A33A78", "#5A4300", "#45269C", "#00798A", "#1E2B38"),
    classes=(*OKABE_ITO[:7], "#000000"),
)

DARK = Colours(
    window="#121419",
    surface="#191C22",
    raised="#22262E",
    sunken="#14171C",
    hover="#252A33",
    pressed="#2E343F",
    border="#2A2F39",
    border_strong="#434B59",
    text="#E8EBF1",
    muted="#9CA5B4",
    disabled="#5C6573",
    accent="#93A5FF",
    accent_hover="#A6B5FF",
    accent_pressed="#7F92F5",
    accent_soft="#242B49",
    accent_text="#10152E",
    danger="#FF8490",
    danger_soft="#3B2128",
    warning="#F0B851",
    warning_soft="#372D1A",
    success="#5FCB94",
    success_soft="#1A3328",
    selection="#2E3863",
    focus="#93A5FF",
    axis="#6E7786",
    grid="#252A32",
    empty="#2B303A",
    series=("#4DA9E8", "#F0864A", "#55C98F", "#F2609A", "#F2D24B", "#8C86FF", "#B5F0EA", "#9AA3B5"),
    classes=(*OKABE_ITO[:7], "#FFFFFF"),
)


def channels(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue of "#rrggbb", 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mixed(one: str, other: str, share: float) -> str:
    """Return the colour `share` of the way from one to the other."""
    parts = zip(channels(one), channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in parts)
