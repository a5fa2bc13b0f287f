"""Metadata in figures, after other programs have saved them, and malicious files."""

from __future__ import annotations

import io
import tracemalloc
import zlib
from collections.abc import Mapping
from pathlib import Path

import pikepdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from tests.figures.pages import LOOK, SUFFIXES, Told, page
from ximstudio.figures.files import figure_bytes
from ximstudio.figures.metadata import FigureMetadata, pdf, png, read_record, xmp
from ximstudio.model.problem import UserError

RECORD = '{"a":"<&> endstream ]]> \\ud800","b":[1,2.5,null]}'
TOLD = FigureMetadata(title="A\x00\ud800\n title", sentence="It shows\ta map.", record=RECORD)
DAMAGED = "provenance.damaged"
LONG = '{"selection":"' + "gene_1234 " * 110_000 + '"}'


@pytest.fixture(scope="module")
def files() -> Mapping[str, bytes]:
    return {
        suffix: figure_bytes(page(), suffix, look=LOOK, provenance=Told(TOLD))
        for suffix in SUFFIXES
    }


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("figures") / "without_suffix"


def read(content: bytes, path: Path) -> str | None:
    path.write_bytes(content)
    return read_record(path)


def refused(content: bytes, path: Path) -> tuple[str, ...]:
    with pytest.raises(UserError) as error:
        read(content, path)
    return error.value.keys


def outcome(content: bytes, path: Path) -> str | None:
    """The record, or the key of the one problem; any other exception fails the test."""
    try:
        return read(content, path)
    except UserError as error:
        [key] = error.keys
        return key


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_that_a_record_is_read_back_whatever_the_file_is_called(
    files: Mapping[str, bytes], place: Path, suffix: str
) -> None:
    assert read(files[suffix], place) == RECORD


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_that_a_megabyte_is_carried_too(place: Path, suffix: str) -> None:
    content = figure_bytes(
        page(), suffix, look=LOOK.replace(dpi=72.0), provenance=Told(FigureMetadata(record=LONG))
    )
    assert len(LONG) > 2**20
    assert read(content, place) == LONG


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_that_a_figure_without_a_record_has_none(place: Path, suffix: str) -> None:
    assert read(figure_bytes(page(), suffix, look=LOOK), place) is None


def test_that_titles_hold_what_a_file_can_hold_and_records_what_survives() -> None:
    assert (TOLD.title, TOLD.sentence) == ("A title", "It shows a map.")
    for record in ("é", "a\nb", "\x7f"):
        with pytest.raises(ValueError, match="ASCII"):
            FigureMetadata(record=record)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"id,a,b\n1,2,3\n",
        b"<",
        b"<p>no figure",
        b"<!DOCTYPE html><html><p>&nbsp;</html>",
        b'<!DOCTYPE table [<!ENTITY e "x">]><table>&e;</table>',
        "\ufeffid\ta\n1\t2\n".encode("utf-16"),
        b"\xff\xfe",
        b"<?xml version='1.0' encoding='no-such'?><svg/>",
        b"GIF89a",
        b"<p>urn:ximstudio:figure#",
        b"<urn:ximstudio:figure#",
        b"<?xml version='1.0' encoding='no-such'?><svg a='urn:ximstudio:figure#'/>",
        b'<!DOCTYPE t [<!ENTITY e "x">]><t a="urn:ximstudio:figure#">&e;</t>',
        b'<t xmlns:q="urn:ximstudio:figure#"><q:provenance>{}</q:provenance></t>',
    ],
)
def test_that_other_files_are_no_figures(place: Path, content: bytes) -> None:
    assert read(content, place) is None


def test_that_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.pdf", tmp_path):
        with pytest.raises(UserError) as error:
            read_record(path)
        assert error.value.keys == ("provenance.unreadable",)


def rewritten(content: bytes, **how: object) -> bytes:
    """A PDF as qpdf writes it anew."""
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(content)) as document:
        document.save(out, **how)  # type: ignore[arg-type]
    return out.getvalue()


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"linearize": True},
        {"object_stream_mode": pikepdf.ObjectStreamMode.generate, "recompress_flate": True},
        {"qdf": True},
        {"encryption": pikepdf.Encryption(owner="o", metadata=False)},
    ],
    ids=lambda how: "-".join(how) or "plain",
)
def test_that_a_pdf_written_anew_keeps_the_record(
    files: Mapping[str, bytes], place: Path, how: Mapping[str, object]
) -> None:
    again = rewritten(files[".pdf"], **how)
    assert again != files[".pdf"]
    assert read(again, place) == RECORD


def packed_metadata(packed: bytes) -> bytes:
    """A stream of metadata in a PDF, packed."""
    head = b"1 0 obj\n<< /Type /Metadata /Subtype /XML /Filter /FlateDecode /Length %d >>\n"
    return head % len(packed) + b"stream\n" + packed + b"\nendstream\nendobj\n"


def test_that_packed_and_rearranged_metadata_are_read(place: Path) -> None:
    # Other programs write simple things as attributes, and with other prefixes.
    other = (
        f'<r:RDF xmlns:r="{xmp.RDF}" xmlns:q="{xmp.NAMESPACE}">'
        '<r:Description q:provenance="{&quot;a&quot;:1}"/></r:RDF>'
    )
    content = b"%PDF-1.7\n" + packed_metadata(zlib.compress(other.encode()))
    assert read(content, place) == '{"a":1}'


def test_that_a_page_keeps_the_record_in_another_document(
    files: Mapping[str, bytes], place: Path
) -> None:
    out = io.BytesIO()
    with pikepdf.new() as paper, pikepdf.open(io.BytesIO(files[".pdf"])) as figure:
        paper.add_blank_page()
        paper.pages.extend(figure.pages)
        paper.save(out)
    assert read(out.getvalue(), place) == RECORD


def test_that_metadata_of_others_are_no_record(place: Path) -> None:
    document = pikepdf.new()
    document.add_blank_page()
    with document.open_metadata() as found:
        found["dc:title"] = "a paper"
    out = io.BytesIO()
    document.save(out)
    assert read(out.getvalue(), place) is None
    picture = Image.new("RGB", (2, 2))
    for kind in ("PNG", "TIFF"):
        out = io.BytesIO()
        picture.save(out, kind)
        assert read(out.getvalue(), place) is None
    assert read(b"<svg xmlns='http://www.w3.org/2000/svg'><g/></svg>", place) is None


def test_that_an_svg_in_another_encoding_is_read(files: Mapping[str, bytes], place: Path) -> None:
    text = files[".svg"].decode().replace('encoding="utf-8"', 'encoding="utf-16"')
    assert read(text.encode("utf-16"), place) == RECORD


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_that_half_a_file_is_refused_or_has_no_record(
    files: Mapping[str, bytes], place: Path, suffix: str
) -> None:
    content = files[suffix]
    where = content.index(b"urn:ximstudio")
    assert refused(content[: where + 60], place) == (DAMAGED,)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_that_broken_files_do_no_harm(files: Mapping[str, bytes], place: Path, suffix: str) -> None:
    content = files[suffix]
    begin = max(0, content.index(b"W5M0Mp" if suffix != ".svg" else b"<metadata") - 200)
    end = content.index(b"</rdf:RDF>") + 100
    near = st.integers(min(begin, len(content) - 1), min(end, len(content) - 1))
    spots = st.one_of(st.integers(0, 400), near)
    change = st.tuples(spots, st.integers(0, 12), st.binary(max_size=12))

    @settings(max_examples=150, deadline=None)
    @given(st.lists(change, min_size=1, max_size=4), st.integers(0, len(content)))
    def check(changes: list[tuple[int, int, bytes]], length: int) -> None:
        broken = bytearray(content)
        for spot, removed, added in changes:
            broken[spot : spot + removed] = added
        if length % 3 == 0:
            del broken[length:]
        assert isinstance(outcome(bytes(broken), place), str | None)

    check()


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from([png.MAGIC, b"II*\0", b"MM\0*", b"%PDF-1.4\n", b"<svg xmlns=", b"\xff\xfe"]),
    st.binary(max_size=300),
)
def test_that_anything_behind_the_first_bytes_does_no_harm(
    place: Path, opening: bytes, rest: bytes
) -> None:
    assert outcome(opening + rest, place) in (None, DAMAGED)


def bomb(megabytes: int) -> bytes:
    """So many megabytes of blanks, packed."""
    packer = zlib.compressobj(9)
    blank = b" " * 2**20
    return b"".join([*(packer.compress(blank) for _ in range(megabytes)), packer.flush()])


def chunk(kind: bytes, body: bytes) -> bytes:
    check = zlib.crc32(kind + body).to_bytes(4, "big")
    return len(body).to_bytes(4, "big") + kind + body + check


def test_that_bombs_are_not_unpacked(place: Path) -> None:
    packed = bomb(200)
    text = chunk(b"iTXt", png.KEYWORD + b"\0\1\0\0\0" + packed)
    tracemalloc.start()
    try:
        assert refused(png.MAGIC + text + chunk(b"IEND", b""), place) == (DAMAGED,)
        assert refused(b"%PDF-1.4\n" + 20 * packed_metadata(packed), place) == (
            "provenance.damaged",
        )
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 190 * 2**20


def test_that_entities_are_refused(place: Path) -> None:
    laughs = "".join(f'<!ENTITY e{number + 1} "{10 * f"&e{number};"}">' for number in range(9))
    root = (
        f"<svg xmlns='{xmp.SVG}' xmlns:q='{xmp.NAMESPACE}'><q:provenance>&e9;</q:provenance></svg>"
    )
    for declared in (f'<!ENTITY e0 "lol">{laughs}', '<!ENTITY e9 SYSTEM "file:///etc/hostname">'):
        content = f"<!DOCTYPE svg [{declared}]>{root}".encode()
        assert refused(content, place) == (DAMAGED,)


def test_that_sizes_that_lie_are_not_believed(files: Mapping[str, bytes], place: Path) -> None:
    tiff = files[".tif"]
    # The tag's length, and where its text is.
    entry = tiff.index((700).to_bytes(2, "little") + (1).to_bytes(2, "little"))
    for spot in (entry + 4, entry + 8):
        lying = tiff[:spot] + (2**25).to_bytes(4, "little") + tiff[spot + 4 :]
        assert refused(lying, place) == (DAMAGED,)
    huge = png.MAGIC + (2**31 - 1).to_bytes(4, "big") + b"iTXt" + b"x" * 50
    assert refused(huge, place) == (DAMAGED,)
    short = files[".pdf"].replace(b"/Subtype /XML /Length ", b"/Subtype /XML /Length 9", 1)
    assert read(short, place) == RECORD


def test_that_a_text_that_was_changed_without_its_check_sum_is_refused(
    files: Mapping[str, bytes], place: Path
) -> None:
    assert refused(files[".png"].replace(b"2.5", b"3.5"), place) == (DAMAGED,)


def test_that_too_much_metadata_is_refused(place: Path) -> None:
    marks = b"1 0 obj\n<< /Subtype /XML >>\nstream\n\nendstream\nendobj\n" * (pdf.MOST_STREAMS + 1)
    assert refused(b"%PDF-1.4\n" + marks, place) == (DAMAGED,)
