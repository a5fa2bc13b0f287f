"""Colours for numbers: tables of 256 colours, and which number gets which.

Without matplotlib, which takes long to import; paper and screen use the same tables.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ximstudio.assets import asset
from ximstudio.model.arrays import Floats, frozen
from ximstudio.model.registry import named

Colours: TypeAlias = NDArray[np.uint8]
"""Red, green and blue from 0 to 255, shape (…, 3)."""


class PaletteScheme(StrEnum):
    """Kind of numbers that the colours of a palette suit."""

    SEQUENTIAL = "sequential"
    """From little to much."""
    DIVERGING = "diverging"
    """From much on one side over nothing to much on the other."""


OKABE_ITO = (
    "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000",
)  # fmt: skip
"""Colours that colour-blind people can tell apart (Okabe & Ito 2008)."""


@dataclass(frozen=True, kw_only=True)
class Palette:
    """A table of colours; `source` says who made it."""

    key: str
    name: str
    scheme: PaletteScheme
    source: str

    @property
    def table(self) -> Colours:
        """Its colours from low to high, read-only, shape (256, 3)."""
        return _tables()[self.key]


_DECLARED = {
    PaletteScheme.SEQUENTIAL: (
        ("viridis", "Viridis", "Smith and van der Walt 2015, CC0"),
        ("cividis", "Cividis", "Nuñez, Anderton and Renslow 2018, from matplotlib"),
        ("magma", "Magma", "Smith and van der Walt 2015, CC0"),
        ("greys", "Greys", "XIM Studio, even steps of Oklab lightness"),
    ),
    PaletteScheme.DIVERGING: (
        ("blue_rust", "Blue–rust", "XIM Studio, even steps of Oklab lightness on both sides"),
    ),
}
"""Key, name and source of every palette; the first of a scheme is its default."""

PALETTES: tuple[Palette, ...] = tuple(
    Palette(key=key, name=name, scheme=scheme, source=source)
    for scheme, declared in _DECLARED.items()
    for key, name, source in declared
)
"""All are distinguishable for the colour-blind."""


def palette_named(key: str) -> Palette:
    """The palette with this key; unknown ones are refused with a proposal."""
    return named("palette", key, PALETTES)


def default_palette(scheme: PaletteScheme) -> Palette:
    """Return the default palette of a scheme."""
    return next(palette for palette in PALETTES if palette.scheme is scheme)


class Scale(NamedTuple):
    """Numbers with the first and the last colour, and the scheme that suits them."""

    scheme: PaletteScheme
    low: float
    high: float


def scale_of(values: Floats, scheme: PaletteScheme = PaletteScheme.SEQUENTIAL) -> Scale:
    """The scale from the least to the largest number; NaN is passed over.

    Diverging colours need numbers on both sides of 0, which is in their middle; numbers on one side
    get a sequential scale.
    """
    finite = values[np.isfinite(values)]
    if not finite.size:
        return Scale(PaletteScheme.SEQUENTIAL, 0.0, 1.0)
    low, high = float(finite.min()), float(finite.max())
    if scheme is PaletteScheme.DIVERGING and low < 0.0 < high:
        reach = max(-low, high)
        return Scale(PaletteScheme.DIVERGING, -reach, reach)
    return Scale(PaletteScheme.SEQUENTIAL, low, high)


def coloured(
    values: Floats, table: Colours, *, low: float, high: float, blank: Sequence[int]
) -> Colours:
    """The colour of every number, shape (…, 3); NaN gets the colour `blank`.

    `low` gets the first colour and `high` the last, and so does all that is beyond. The colours
    between are of equal width, as they are in matplotlib.
    """
    last = len(table) - 1
    span = high - low
    with np.errstate(invalid="ignore", over="ignore"):
        share = (values - low) / span if span > 0.0 else values * 0.0
    known_share = np.where(np.isnan(values), 0.0, np.clip(share, 0.0, 1.0))
    colours = table[np.minimum((known_share * len(table)).astype(np.int64), last)]
    colours[np.isnan(values)] = np.asarray(blank, dtype=np.uint8)
    return colours


@lru_cache(maxsize=1)
def _tables() -> dict[str, Colours]:
    with asset("palettes", "palettes.csv").open(newline="", encoding="ascii") as file:
        header, *rows = csv.reader(file)
    # From codes such as #440154.
    packed = (bytes.fromhex("".join(codes).replace("#", "")) for codes in zip(*rows, strict=True))
    colours = (np.frombuffer(each, dtype=np.uint8).reshape(-1, 3).copy() for each in packed)
    return dict(zip(header, map(frozen, colours), strict=True))
