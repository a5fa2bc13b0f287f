"""How figures look on paper: sizes in millimetres, fonts that stay text, safe colours."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MM_PER_INCH = 25.4

MARKERS = "osD^vP*X"
"""Shapes that take over when there are more classes than colours."""
OTHERS = "#999999"


@dataclass(frozen=True, kw_only=True)
class Look:
    """Size and type of a figure."""

    width_mm: float = 174.0
    font_size: float = 8.0
    dpi: float = 300.0

    def as_values(self) -> dict[str, Any]:
        """Plain values for JSON; `from_values` reads them back."""
        return asdict(self)

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """The look of plain values; TypeError if they are none."""
        return cls(**values)


@contextmanager
def on_paper(look: Look) -> Iterator[None]:
    """matplotlib settings for print: text stays text, fonts are embedded."""
    import matplotlib as mpl  # 0.6 s, only when a figure is drawn

    settings: dict[Any, Any] = {
        "font.size": look.font_size,
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
    with mpl.rc_context(settings):
        yield


def save_figure(figure: Figure, path: Path, look: Look | None = None) -> None:
    """Write a figure in the format that the file's name asks for."""
    look = Look() if look is None else look
    options: dict[str, Any] = {}
    if path.suffix.lower() in (".tif", ".tiff"):
        options["pil_kwargs"] = {"compression": "tiff_lzw"}
    # Without the time of day the same figure is the same file.
    if path.suffix.lower() == ".pdf":
        options["metadata"] = {"CreationDate": None}
    elif path.suffix.lower() == ".svg":
        options["metadata"] = {"Date": None}
    with on_paper(look), warnings.catch_warnings():
        # A letter that the font lacks is drawn as a box, and that is all one can do.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        figure.savefig(path, dpi=look.dpi, **options)
