"""A small figure with all that is hard to write, and the files of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.figures.look import MM_PER_INCH, Look, on_paper
from ximstudio.figures.metadata import FigureMetadata

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LOOK = Look(width_mm=85.0, font_size=7.0, dpi=150.0)
HEIGHT_MM = 50.3
TITLE = "HSP70 → ↑ 2 × 3 µm − αβ & <b> 'Liberation Sans'"
NAMES = ("plain", "slanted", "heavy")
SUFFIXES = (".pdf", ".svg", ".png", ".tif")


@dataclass(frozen=True)
class Told:
    """Something that has a embedded, like a Provenance."""

    embedded: FigureMetadata = field(default_factory=FigureMetadata)


def page(look: Look = LOOK) -> Figure:
    """Text in all styles, a rasterised cloud, and a layout that is computed."""
    from matplotlib.figure import Figure

    with on_paper(look):
        size = (look.width_mm / MM_PER_INCH, HEIGHT_MM / MM_PER_INCH)
        figure = Figure(figsize=size, layout="constrained")
        left, right = figure.subplots(1, 2)
        cloud = np.random.default_rng(0).normal(size=(2, 300))
        left.scatter(*cloud, s=2.0, rasterized=True, label=NAMES[0])
        left.legend()
        left.set_xlabel(NAMES[1], style="italic")
        left.set_ylabel(NAMES[2], weight="bold")
        right.plot([0.0, 1.0], [-1.0, 1.0], alpha=0.5)
        figure.suptitle(TITLE, parse_math=False)
        return figure
