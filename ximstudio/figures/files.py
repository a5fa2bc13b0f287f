"""Write figures to PDF, SVG, PNG or TIFF files of exact size, with embedded metadata.

The same figure gives the same bytes: files contain no date and no random names.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ximstudio.figures.fonts import CSS, PAPER, printable
from ximstudio.figures.look import MM_PER_INCH, Look, on_paper
from ximstudio.figures.metadata import FigureMetadata, pdf, png, svg, tiff
from ximstudio.model.problem import UserError

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from PIL.Image import Image

MOST_PIXELS = 300_000_000
"""Most pixels of an image: A3 at 1200 dpi has 278 million, which take 2 GB to draw."""
TEXT = re.compile(rb"<(?:text|tspan)\b[^>]*>")
FAMILIES = re.compile(rb"'(?:%b|Liberation Sans)'(?:, '[^'<>]*')*" % PAPER.encode())


class MetadataSource(Protocol):
    """Source of a figure's metadata, such as `export.provenance.Provenance`."""

    @property
    def embedded(self) -> FigureMetadata:
        """Return the metadata for the file."""
        ...


def save_figure(
    figure: Figure, path: Path, look: Look | None = None, provenance: MetadataSource | None = None
) -> None:
    """Write a figure atomically, in the format of the file's suffix."""
    # Imported late: the window uses the colours of figures and must not wait for readers.
    from ximstudio.prepare.memory import write_atomically

    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise UserError(
            key="export.figure_name",
            what=f"A figure cannot be called '{path.name}'.",
            where=str(path),
            way_out=f"Give a file name that ends in {', '.join(FORMATS)}.",
        )
    content = figure_bytes(figure, suffix, look=look, provenance=provenance)
    try:
        write_atomically(path, content)
    except UserError as error:
        raise UserError(
            key="export.unwritable",
            what=error.problems[0].what,
            where=str(path),
            way_out="Give a folder where you may write, on a disk with room for it.",
        ) from None


def figure_bytes(
    figure: Figure,
    suffix: str,
    *,
    look: Look | None = None,
    provenance: MetadataSource | None = None,
) -> bytes:
    """Return the bytes of a figure's file; `suffix` is one of FORMATS."""
    look = Look() if look is None else look
    embedded = FigureMetadata() if provenance is None else provenance.embedded
    _make_printable(figure)
    with on_paper(look), _left_as_it_is(figure), warnings.catch_warnings():
        # A letter that no font has is drawn as a box.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        return FORMATS[suffix](figure, look, embedded)


def _make_printable(figure: Figure) -> None:
    """Replace characters that no file may hold: matplotlib writes names as they are."""
    from matplotlib.text import Text

    for found in figure.findobj(Text):
        assert isinstance(found, Text)
        text = found.get_text()
        if (sound := printable(text)) != text:
            found.set_text(sound)


def _pixels(figure: Figure, look: Look) -> Image:
    """Render a figure at the resolution of its look: opaque, on white."""
    from PIL import Image

    width, height = (round(length * look.dpi) for length in figure.get_size_inches())
    if width * height > MOST_PIXELS:
        raise UserError(
            key="export.too_many_pixels",
            what=f"The figure would have {width} × {height} pixels, more than memory may hold.",
            where=f"resolution of {look.dpi:g} dpi",
            way_out="Choose a lower resolution or a smaller width, or save a PDF.",
        )
    buffer = io.BytesIO()
    # matplotlib drops fractions of pixels; a hundredth more makes sure that none is lost.
    figure.set_size_inches((width + 0.01) / look.dpi, (height + 0.01) / look.dpi)
    figure.savefig(buffer, format="rgba", dpi=look.dpi, facecolor="white", edgecolor="none")
    drawn = Image.frombytes("RGBA", (width, height), buffer.getbuffer())
    paper = Image.new("RGB", drawn.size, "white")
    paper.paste(drawn, mask=drawn.getchannel("A"))
    return paper


@contextmanager
def _left_as_it_is(figure: Figure) -> Iterator[None]:
    """Restore what saving changes in a figure: its size, and the places of panels.

    Panels are laid out from their previous places, and would shift by a last bit.
    """
    size = tuple(figure.get_size_inches())
    places = [
        (axes, axes.get_position(original=True).frozen(), axes.get_position().frozen())
        for axes in figure.axes
    ]
    in_layout = [axes.get_in_layout() for axes in figure.axes]
    try:
        yield
    finally:
        figure.set_size_inches(*size)
        for (axes, original, active), was_in in zip(places, in_layout, strict=True):
            axes.set_position(original, which="original")
            axes.set_position(active, which="active")
            axes.set_in_layout(was_in)


def _pdf(figure: Figure, look: Look, embedded: FigureMetadata) -> bytes:
    content = _saved(figure, look, "pdf", pdf.info(embedded))
    return pdf.with_metadata(content, embedded)


def _svg(figure: Figure, look: Look, embedded: FigureMetadata) -> bytes:
    content = _saved(figure, look, "svg", svg.NO_METADATA)
    content = TEXT.sub(lambda tag: FAMILIES.sub(CSS.encode(), tag[0]), content)
    width, height = figure.get_size_inches() * MM_PER_INCH
    return svg.with_metadata(content, embedded, size_mm=(float(width), float(height)))


def _saved(figure: Figure, look: Look, kind: str, metadata: Mapping[str, Any]) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(
        buffer, format=kind, dpi=look.dpi, facecolor="white", edgecolor="none", metadata=metadata
    )
    return buffer.getvalue()


def _png(figure: Figure, look: Look, embedded: FigureMetadata) -> bytes:
    return _image(figure, look, "PNG", pnginfo=png.texts(embedded))


def _tiff(figure: Figure, look: Look, embedded: FigureMetadata) -> bytes:
    return _image(figure, look, "TIFF", compression="tiff_lzw", tiffinfo=tiff.tags(embedded))


def _image(figure: Figure, look: Look, kind: str, **options: Any) -> bytes:
    buffer = io.BytesIO()
    _pixels(figure, look).save(buffer, kind, dpi=(look.dpi, look.dpi), **options)
    return buffer.getvalue()


FORMATS: Mapping[str, Callable[[Figure, Look, FigureMetadata], bytes]] = {
    ".pdf": _pdf,
    ".svg": _svg,
    ".png": _png,
    ".tif": _tiff,
    ".tiff": _tiff,
}
"""Writers by suffix."""
