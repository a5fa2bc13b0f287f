"""Contents of the files of a figure."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pikepdf
import pypdfium2
import pytest
from PIL import Image

from tests.figures.pages import HEIGHT_MM, LOOK, NAMES, SUFFIXES, TITLE, Told, page
from ximstudio.figures.files import figure_bytes, save_figure
from ximstudio.figures.look import Look
from ximstudio.figures.metadata import PROGRAM, FigureMetadata
from ximstudio.model.arrays import Floats
from ximstudio.model.problem import UserError

COLOPHON = FigureMetadata(title="Gène 基因", sentence="What it shows <1>.", record='{"a":"<&>"}')
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def files() -> Mapping[str, bytes]:
    return {
        suffix: figure_bytes(page(), suffix, look=LOOK, provenance=Told(COLOPHON))
        for suffix in SUFFIXES
    }


@pytest.fixture(scope="module")
def svg(files: Mapping[str, bytes]) -> ElementTree.Element:
    return ElementTree.fromstring(files[".svg"])


def opened(content: bytes) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(content))


def fonts(content: bytes) -> dict[str, int]:
    """The TrueType fonts that are embedded in a PDF, with the bytes that each has."""
    with opened(content) as pdf:
        page: Any = pdf.pages[0]
        every = [font.DescendantFonts[0] for font in page.Resources.Font.values()]
        assert {str(font.Subtype) for font in every} == {"/CIDFontType2"}
        return {
            str(font.BaseFont): len(font.FontDescriptor.FontFile2.read_bytes()) for font in every
        }


def test_that_a_pdf_has_text_as_text(files: Mapping[str, bytes]) -> None:
    [one] = list(pypdfium2.PdfDocument(files[".pdf"]))
    text = one.get_textpage().get_text_range()
    for expected in (TITLE, *NAMES, "−1.0"):
        assert expected in text


def test_that_fonts_are_embedded_as_truetype_and_only_with_what_is_used(
    files: Mapping[str, bytes],
) -> None:
    found = fonts(files[".pdf"])
    # Six letters before the name say that the font has only some of its letters.
    bare = {re.fullmatch(r"/[A-Z]{6}\+(.*)", name)[1] for name in found}  # type: ignore[index]
    assert bare == {"LiberationSans", "LiberationSans-Bold", "LiberationSans-Italic"}
    assert all(100 < size < 40_000 for size in found.values())  # of 400 kB


def test_that_letters_that_the_font_lacks_come_from_the_other() -> None:
    from matplotlib.figure import Figure

    from ximstudio.figures.look import on_paper

    with on_paper(Look()):
        figure = Figure(figsize=(2.0, 1.0))
        figure.text(0.1, 0.5, "Hirsch: ☂ ⊗")
    content = figure_bytes(figure, ".pdf")
    assert any("DejaVuSans" in name for name in fonts(content))
    text = pypdfium2.PdfDocument(content)[0].get_textpage().get_text_range()
    assert "☂ ⊗" in text


def test_that_an_svg_has_text_as_text_in_fonts_that_others_have(svg: ElementTree.Element) -> None:
    texts = svg.findall(f".//{SVG}text")
    said = ["".join(text.itertext()) for text in texts]
    assert {TITLE, *NAMES} <= set(said)
    for text in texts:
        families = text.attrib["style"].partition("font-family: ")[2]
        assert families.startswith("Arial, Helvetica, 'Liberation Sans'")
    assert "XIM Studio Paper" not in ElementTree.tostring(svg, "unicode")


def test_that_formulas_in_an_svg_have_the_same_fonts() -> None:
    from matplotlib.figure import Figure

    from ximstudio.figures.look import on_paper

    with on_paper(Look()):
        figure = Figure(figsize=(2.0, 1.0))
        figure.text(0.1, 0.5, r"$x^2$")
    root = ElementTree.fromstring(figure_bytes(figure, ".svg"))
    spans = root.findall(f".//{SVG}tspan")
    assert spans
    assert all("font-family: Arial, Helvetica" in span.attrib["style"] for span in spans)


def test_that_pdf_and_svg_have_the_size_in_millimetres(
    files: Mapping[str, bytes], svg: ElementTree.Element
) -> None:
    with opened(files[".pdf"]) as pdf:
        box = [float(side) for side in pdf.pages[0].mediabox]
    assert box[:2] == [0.0, 0.0]
    millimetres = [side / 72.0 * 25.4 for side in box[2:]]
    np.testing.assert_allclose(millimetres, [LOOK.width_mm, HEIGHT_MM], atol=1e-5)
    assert (svg.attrib["width"], svg.attrib["height"]) == ("85mm", "50.3mm")
    np.testing.assert_allclose([float(part) for part in svg.attrib["viewBox"].split()], box, 1e-6)


@pytest.mark.parametrize("suffix", [".png", ".tif"])
@pytest.mark.parametrize("dpi", [72.0, 150.0, 299.5, 600.0])
def test_that_pixels_are_opaque_as_many_as_asked_and_say_how_large_they_are(
    suffix: str, dpi: float
) -> None:
    content = figure_bytes(page(), suffix, look=LOOK.replace(dpi=dpi))
    with Image.open(io.BytesIO(content)) as image:
        assert image.mode == "RGB"
        assert image.size == (round(85.0 / 25.4 * dpi), round(HEIGHT_MM / 25.4 * dpi))
        assert image.info["dpi"] == pytest.approx((dpi, dpi), abs=0.02)
        assert image.getpixel((0, 0)) == (255, 255, 255)
        assert "transparency" not in image.info
        if suffix == ".tif":
            assert image.info["compression"] == "tiff_lzw"
            assert image.tag_v2[296] == 2  # type: ignore[attr-defined]  # inches


def test_that_a_figure_without_a_background_is_printed_on_white() -> None:
    figure = page()
    figure.set_facecolor("none")
    for axes in figure.axes:
        axes.set_facecolor((0.0, 0.0, 0.0, 0.0))
    with Image.open(io.BytesIO(figure_bytes(figure, ".png", look=LOOK))) as image:
        assert image.mode == "RGB"
        assert image.getpixel((0, 0)) == (255, 255, 255)


def test_that_png_and_tiff_show_what_the_pdf_shows(files: Mapping[str, bytes]) -> None:
    drawn = pypdfium2.PdfDocument(files[".pdf"])[0].render(scale=150.0 / 72.0).to_pil()
    pictures = {}
    for suffix in (".png", ".tif"):
        with Image.open(io.BytesIO(files[suffix])) as image:
            pictures[suffix] = np.asarray(image.convert("L"), float)
    np.testing.assert_array_equal(pictures[".png"], pictures[".tif"])
    height, width = pictures[".png"].shape
    other = np.asarray(drawn.convert("L").resize((width, height)), float)
    # Edges are smoothed in other ways; ink lies in the same places.
    ink, its = 255.0 - pictures[".png"], 255.0 - other
    assert ink.mean() == pytest.approx(its.mean(), rel=0.1)
    assert np.corrcoef(_blurred(ink).ravel(), _blurred(its).ravel())[0, 1] > 0.97


def _blurred(ink: Floats) -> Floats:
    rows, columns = (side // 6 * 6 for side in ink.shape)
    tiles = ink[:rows, :columns].reshape(rows // 6, 6, columns // 6, 6)
    return np.asarray(tiles.mean(axis=(1, 3)))


def test_that_the_same_figure_is_the_same_file_whatever_was_saved_before(
    files: Mapping[str, bytes],
) -> None:
    figure = page()
    for suffix in (*reversed(SUFFIXES), *SUFFIXES):
        content = figure_bytes(figure, suffix, look=LOOK, provenance=Told(COLOPHON))
        assert content == files[suffix]
        assert b"CreationDate" not in content
        assert b"dc:date" not in content


def test_that_people_find_title_program_and_sentence_in_a_pdf(files: Mapping[str, bytes]) -> None:
    with opened(files[".pdf"]) as pdf:
        assert not pdf.check_pdf_syntax()
        stream: Any = pdf.Root.Metadata
        assert pdf.pages[0].obj.Metadata.objgen == stream.objgen
        assert "/Filter" not in stream
        info = pdf.docinfo
        assert str(info["/Title"]) == COLOPHON.title
        assert str(info["/Creator"]) == PROGRAM
        assert str(info["/Subject"]) == COLOPHON.sentence
        with pdf.open_metadata(set_pikepdf_as_editor=False) as packet:
            assert packet["dc:title"] == COLOPHON.title
            assert packet["dc:description"] == COLOPHON.sentence
            assert packet["xmp:CreatorTool"] == PROGRAM
            assert packet["{urn:ximstudio:figure#}provenance"] == COLOPHON.record


def test_that_people_find_title_program_and_sentence_in_other_files(
    files: Mapping[str, bytes], svg: ElementTree.Element
) -> None:
    with Image.open(io.BytesIO(files[".png"])) as image:
        assert image.info["Title"] == COLOPHON.title
        assert image.info["Software"] == PROGRAM
        assert image.info["Description"] == COLOPHON.sentence
    with Image.open(io.BytesIO(files[".tif"])) as image:
        tags = image.tag_v2  # type: ignore[attr-defined]
        assert tags[305] == PROGRAM
        assert tags[270] == "G?ne ??. What it shows <1>."
    title, sentence = svg.find(f"{SVG}title"), svg.find(f"{SVG}desc")
    assert title is not None
    assert title.text == COLOPHON.title
    assert sentence is not None
    assert sentence.text == COLOPHON.sentence


def test_that_a_figure_without_provenance_says_only_what_made_it(tmp_path: Path) -> None:
    save_figure(page(), tmp_path / "figure.pdf", LOOK)
    with pikepdf.open(tmp_path / "figure.pdf") as pdf:
        assert str(pdf.docinfo["/Creator"]) == PROGRAM
        assert "/Title" not in pdf.docinfo


def test_that_an_earlier_file_stays_if_the_figure_cannot_be_drawn(tmp_path: Path) -> None:
    from matplotlib.text import Text

    class Broken(Text):
        def draw(self, *_: object, **__: object) -> None:
            raise RuntimeError("cannot be drawn")

    for suffix in SUFFIXES:
        path = tmp_path / f"figure{suffix}"
        path.write_bytes(b"earlier")
        figure = page()
        figure.add_artist(Broken())
        with pytest.raises(RuntimeError):
            save_figure(figure, path, LOOK)
        assert path.read_bytes() == b"earlier"
    assert len(list(tmp_path.iterdir())) == len(SUFFIXES)


def test_that_an_earlier_file_stays_if_the_disk_is_full(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource", reason="only where files can be kept small")
    path = tmp_path / "figure.png"
    path.write_bytes(b"earlier")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(UserError) as error:
            save_figure(page(), path, LOOK)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert error.value.keys == ("export.unwritable",)
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"earlier"]


def test_that_places_where_nothing_can_be_written_are_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.pdf").mkdir()
    for path in (tmp_path / "missing" / "figure.pdf", tmp_path / "folder.pdf"):
        with pytest.raises(UserError) as error:
            save_figure(page(), path, LOOK)
        assert error.value.keys == ("export.unwritable",)
    assert [path.name for path in tmp_path.iterdir()] == ["folder.pdf"]


def test_that_names_of_other_formats_and_pictures_too_large_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError) as error:
        save_figure(page(), tmp_path / "figure.jpg", LOOK)
    assert error.value.keys == ("export.figure_name",)
    huge = Look(width_mm=400.0, dpi=1200.0)
    figure = page(huge)
    figure.set_size_inches(16.0, 40.0)
    with pytest.raises(UserError) as error:
        save_figure(figure, tmp_path / "figure.png", huge)
    assert error.value.keys == ("export.too_many_pixels",)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_that_a_name_with_what_no_file_may_hold_is_no_obstacle(suffix: str) -> None:
    figure = page()
    figure.suptitle("a\x00b\x1b\x7f\x85\ud800\ufffec", parse_math=False)
    content = figure_bytes(figure, suffix, look=LOOK)
    if suffix == ".svg":
        said = "".join(ElementTree.fromstring(content).itertext())
        assert "a\ufffdb\ufffd\ufffd\ufffd\ufffd\ufffdc" in said
