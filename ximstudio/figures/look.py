"""Appearance of figures on paper: sizes in millimetres, embedded fonts, safe colours."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ximstudio.figures.fonts import PAPER, families
from ximstudio.model.params import Params
from ximstudio.model.spec import Number, param

MM_PER_INCH = 25.4

SINGLE_MM, MIDDLE_MM, DOUBLE_MM = 85.0, 114.0, 174.0
"""Widths that journals require: one column, one and a half, two."""

_turn = threading.RLock()
"""Lock for matplotlib's global settings: figures are made one after the other."""


@dataclass(frozen=True, kw_only=True)
class Look(Params):
    """Size and type of a figure."""

    width_mm: float = param(
        DOUBLE_MM,
        Number(
            label="Width",
            help="Width of the figure on paper. Journals ask for "
            f"{SINGLE_MM:g}, {MIDDLE_MM:g} or {DOUBLE_MM:g} mm: one column, one and a half, two.",
            unit="mm",
            low=30.0,
            high=400.0,
        ),
    )
    font_size: float = param(
        8.0,
        Number(
            label="Font size",
            help="Size of most text; numbers at axes are a point smaller. Journals ask for 5 to 8.",
            unit="pt",
            low=4.0,
            high=24.0,
        ),
    )
    dpi: float = param(
        300.0,
        Number(
            label="Resolution",
            help="Pixels per inch of PNG and TIFF, and of dense clouds inside PDF and SVG. "
            "Journals ask for 300, and for 600 where there are lines and text.",
            unit="dpi",
            low=72.0,
            high=1200.0,
        ),
    )


@contextmanager
def on_paper(look: Look) -> Iterator[None]:
    """Set up matplotlib for print: text stays text, fonts are embedded.

    The user's own matplotlib settings are ignored meanwhile, so that a figure is the same
    everywhere.
    """
    import matplotlib as mpl  # 0.6 s, only when a figure is drawn

    settings: dict[Any, Any] = {
        "font.family": families(),
        "font.size": look.font_size,
        # Letters as they are in a PDF, wherever pixels begin: all files of a figure look alike.
        "text.hinting": "none",
        "mathtext.fontset": "custom",
        "mathtext.rm": PAPER,
        "mathtext.it": f"{PAPER}:italic",
        "mathtext.bf": f"{PAPER}:bold",
        "mathtext.bfit": f"{PAPER}:italic:bold",
        "mathtext.sf": PAPER,
        "mathtext.cal": f"{PAPER}:italic",
        "mathtext.fallback": "stixsans",
        "axes.titlesize": look.font_size,
        "axes.labelsize": look.font_size,
        "xtick.labelsize": look.font_size - 1,
        "ytick.labelsize": look.font_size - 1,
        "legend.fontsize": look.font_size - 1,
        "axes.linewidth": 0.6,
        "svg.fonttype": "none",
        "svg.hashsalt": "ximstudio",
        "pdf.fonttype": 42,
        "savefig.dpi": look.dpi,
    }
    with _turn, mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(settings)
        yield
