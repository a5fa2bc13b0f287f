"""Detect the encoding of a text, and convert it to UTF-8 with line feeds."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from ximstudio.load.reading import Report, silent
from ximstudio.model.problem import UserError

SIGNATURES: tuple[tuple[bytes, str, str], ...] = (
    (b"PK\x03\x04", "a zip archive or an Excel workbook", "Unpack it, or save the sheet as CSV."),
    (b"PK\x05\x06", "an empty zip archive", "Choose the file that holds the table."),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel or Word file", "Save the sheet as CSV."),
    (b"%PDF-", "a PDF document", "Copy the table into a spreadsheet and save that as CSV."),
    (b"\x89PNG\r\n\x1a\n", "a picture (PNG)", "Choose the file that holds the numbers."),
    (b"\xff\xd8\xff", "a picture (JPEG)", "Choose the file that holds the numbers."),
    (b"GIF8", "a picture (GIF)", "Choose the file that holds the numbers."),
    (b"II*\x00", "a picture (TIFF)", "Choose the file that holds the numbers."),
    (b"MM\x00*", "a picture (TIFF)", "Choose the file that holds the numbers."),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file", "Export the table as CSV, or as h5ad."),
    (b"PAR1", "a Parquet file", "Choose its format, or export the table as CSV."),
    (b"ARROW1", "a Feather file", "Choose its format, or export the table as CSV."),
    (b"\x1f\x8b", "a gzip archive inside an archive", "Unpack it, and open what comes out."),
    (b"BZh", "a bzip2 archive", "Unpack it, and open what comes out."),
    (b"\xfd7zXZ\x00", "an xz archive", "Unpack it, and open what comes out."),
    (b"\x28\xb5\x2f\xfd", "a zstd archive", "Unpack it, and open what comes out."),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "Unpack it, and open what comes out."),
    (b"Rar!", "a RAR archive", "Unpack it, and open what comes out."),
    (b"SQLite format 3\x00", "a database", "Export the table as CSV."),
    (b"RDX2\n", "an R workspace", "Write the table with write.csv() and open that."),
    (b"RDX3\n", "an R workspace", "Write the table with write.csv() and open that."),
    (b"MATLAB 5.0", "a MATLAB file", "Write the table with writetable() and open that."),
    (b"\x93NUMPY", "a NumPy array", "Write it as CSV with names for rows and columns."),
    *(
        (mark, "cytometry data (FCS)", "Export the events as CSV in the cytometry program.")
        for mark in (b"FCS2.0    ", b"FCS3.0    ", b"FCS3.1    ", b"FCS3.2    ")
    ),
    (
        b"@\0\0\0\4\0\0\0",
        "scans of one array (CEL)",
        "Make one table of all arrays first, for instance with affy or oligo in R.",
    ),
    (b"{\\rtf", "a formatted text (RTF)", "Save it as plain text."),
)
"""First bytes of other kinds of files: their kind, and the advice for the user."""

MARKS: tuple[tuple[bytes, str, str], ...] = (
    # UTF-32 first: its mark begins with that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
"""Byte order marks."""

CONTROLS = re.compile(rb"[\x01-\x08\x0e-\x1a\x7f]")
"""Bytes that no table has; tab, line ends, form feed, escape and separators are allowed."""

UNUSUAL = re.compile("[\u0530-\u1dff]")
FEW = 3
"""Letters from Armenian to Khmer, and the number up to which they are misread Western ones."""

MOST_CONTROLS = 0.01
"""Share of control bytes above which a file is no text."""

LOOKED_AT = 64 * 1024
"""Number of bytes searched for zero and control bytes."""

PIECE = 4 * 1024 * 1024
"""Bytes whose line ends are converted between two reports."""

RETURNS_TO_FEEDS = bytes.maketrans(b"\r", b"\n")


@dataclass(frozen=True, kw_only=True)
class Encoding:
    """An encoding, and the evidence for it."""

    name: str
    reason: str
    sure: bool = True


def encoding_of(data: bytes, *, name: str) -> Encoding:
    """Detect the encoding of a whole file; refuse what is no text, with its position."""
    for mark, encoding, family in MARKS:
        if data.startswith(mark):
            return Encoding(name=encoding, reason=f"The file begins with the mark of {family}.")
    _refuse_known(data, name)
    if wide := _wide(data[:LOOKED_AT]):
        return wide
    _refuse_binary(data, name)
    if data.isascii():
        return Encoding(name="utf-8", reason="All letters are plain ASCII.")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _eight_bits(data, error.start)
    few = UNUSUAL.findall(text, 0, LOOKED_AT * 16)
    if 0 < len(few) <= FEW:
        reason = f"Letters beyond ASCII are valid UTF-8, but {few[0]!r} is unusual."
        return Encoding(name="utf-8", reason=reason, sure=False)
    return Encoding(name="utf-8", reason="All letters beyond ASCII are valid UTF-8.")


def plain(data: bytes, encoding: str, *, name: str, report: Report = silent) -> bytes:
    """Convert a text to UTF-8 without a byte order mark, with line feeds.

    Letters that the encoding does not have are refused with their line.
    """
    data = _as_utf8(data, encoding, name)
    if b"\r" not in data:
        return data
    pieces = []
    begin = 0
    while begin < len(data):
        end = begin + PIECE
        end += data[end - 1 : end + 1] == b"\r\n"
        pieces.append(data[begin:end].replace(b"\r\n", b"\n").translate(RETURNS_TO_FEEDS))
        begin = end
        report(0.0)
    return b"".join(pieces)


def _as_utf8(data: bytes, encoding: str, name: str) -> bytes:
    try:
        codec = codecs.lookup(encoding)
        # Codecs from bytes to bytes (zip, base64, …) are no text encodings.
        if not codec._is_text_encoding:
            raise LookupError(encoding)
    except (LookupError, ValueError):
        raise UserError(
            key="load.no_such_encoding",
            what=f"There is no encoding {encoding!r}.",
            where=name,
            way_out="Try utf-8, utf-16, cp1252, latin-1, mac_roman, or leave it open.",
        ) from None
    for mark, _, family in MARKS:
        if data.startswith(mark) and family.replace("-", "") in codec.name.upper().replace("-", ""):
            data = data[len(mark) :]
            break
    if data.isascii() and codec.name in {"utf-8", "utf-8-sig", "iso8859-1", "cp1252", "ascii"}:
        return data
    try:
        text = data.decode(encoding)
        return data if codec.name == "utf-8" else text.encode("utf-8", errors="replace")
    except UnicodeDecodeError as error:
        line = 1 + data[: error.start].replace(b"\r\n", b"\n").count(b"\n")
        raise UserError(
            key="load.bad_letters",
            what=f"A letter is not valid in {encoding}: {error.reason}.",
            where=f"{name}, line {line} (byte {error.start + 1})",
            way_out="Choose another encoding, for instance cp1252 or utf-16, or correct the file.",
        ) from None
    except UnicodeError as error:
        raise UserError(
            key="load.bad_letters",
            what=f"The text is not valid in {encoding}: {error}.",
            where=name,
            way_out="Choose another encoding, or leave it open.",
        ) from None


def _refuse_known(data: bytes, name: str) -> None:
    for mark, kind, way_out in SIGNATURES:
        if data.startswith(mark):
            raise UserError(
                key="load.not_text",
                what=f"This is {kind}, not a text table.",
                where=name,
                way_out=way_out,
            )


def _wide(head: bytes) -> Encoding | None:
    """Detect UTF-16 or UTF-32 without a byte order mark by their zero bytes."""
    if b"\0" not in head or len(head) < 4:
        return None
    zeros = [head[place::4].count(0) / max(len(head[place::4]), 1) for place in range(4)]
    for encoding, family, pattern in (
        ("utf-32-le", "UTF-32", (0, 1, 1, 1)),
        ("utf-32-be", "UTF-32", (1, 1, 1, 0)),
        ("utf-16-le", "UTF-16", (0, 1, 0, 1)),
        ("utf-16-be", "UTF-16", (1, 0, 1, 0)),
    ):
        pairs = zip(zeros, pattern, strict=True)
        fits = all((share > 0.7) if zero else (share < 0.1) for share, zero in pairs)
        if fits and len(head) % 2 == 0:
            reason = f"Zero bytes lie where {family} has them; the file begins with no mark."
            return Encoding(name=encoding, reason=reason, sure=False)
    return None


def _refuse_binary(data: bytes, name: str) -> None:
    zero = data.find(0)
    if zero >= 0:
        line = 1 + data.count(b"\n", 0, zero)
        raise UserError(
            key="load.not_text",
            what="This is not a text file: it holds zero bytes.",
            where=f"{name}, line {line} (byte {zero + 1})",
            way_out="Save the table as CSV or TSV. If it is a text, the file is damaged there.",
        )
    head = data[:LOOKED_AT]
    controls = [found.start() for found in CONTROLS.finditer(head)]
    if len(controls) > MOST_CONTROLS * len(head):
        raise UserError(
            key="load.not_text",
            what=f"This is not a text file: {len(controls)} of its first {len(head)} bytes are no"
            " letters.",
            where=f"{name}, byte {controls[0] + 1}",
            way_out="Save the table as CSV or TSV.",
        )


def _eight_bits(data: bytes, bad: int) -> Encoding:
    """Choose an encoding with one byte per letter, as of older instruments and Excel."""
    line = 1 + data.count(b"\n", 0, bad)
    # Latin-1 has no letters at 80–9F, Windows has quotation marks, dashes and the euro there;
    # five of those bytes are nothing in Windows' table either.
    undefined = any(byte in data for byte in (b"\x81", b"\x8d", b"\x8f", b"\x90", b"\x9d"))
    western = "latin-1" if undefined else "cp1252"
    evidence = f"Byte {data[bad]:#04x} in line {line} is not UTF-8; "
    ours, mac = plausible(data, western), plausible(data, MAC)
    # Programs that write the line ends of old Macs write its letters, too.
    bare = b"\r" in data and b"\n" not in data
    if mac > ours or (bare and mac == ours):
        why = "letters read better as those of an old Mac than as those of Windows."
        return Encoding(name=MAC, reason=evidence + why, sure=False)
    return Encoding(name=western, reason=evidence + "Western letters are assumed.", sure=False)


MAC = "mac_roman"

USUAL = frozenset("äöüÄÖÜßéèêëÉÈàâáãÀÂÁíìîïÍóòôõÓúùûÚçÇñÑøØåÅæÆœµ°±²³×–—‘’“”„…•·€£®©™§½¼¾ºª«»¿¡")
"""Letters and signs that are usual in Western tables."""

OPENING, CLOSING = frozenset("“„«‘"), frozenset("”»’")
"""Quotation marks; the typographic apostrophe is one of those that close."""

INSIDE_WORDS = frozenset("·–-ºª")
"""Signs that may stand between two letters."""


def plausible(data: bytes, encoding: str) -> int:
    """Return how well letters beyond ASCII fit their context in this encoding.

    Letters within words count for an encoding, signs within words and capitals behind small letters
    against it.
    """
    score = 0
    for found in BEYOND_ASCII.finditer(data[: 16 * LOOKED_AT]):
        before, here, after = (part.decode(encoding, errors="replace") for part in found.groups())
        for place, letter in enumerate(here):
            left = here[place - 1] if place else before
            right = here[place + 1] if place + 1 < len(here) else after
            score += _fits(letter, left, right)
    return score


BEYOND_ASCII = re.compile(rb"([\x00-\x7f]?)([\x80-\xff]+)(?=([\x00-\x7f]?))")


def _fits(letter: str, left: str, right: str) -> int:
    score = 1 if letter in USUAL else -1
    if letter.isalpha() and letter not in "µºª":
        if letter.isupper() and left.islower():
            score -= 2
        elif left.isalpha() or right.isalpha():
            score += 1
    elif letter == "°":
        score += 1 if right in "CFKc" or left.isdigit() else 0
    elif letter in OPENING:
        score += 1 if right.isalnum() and not left.isalnum() else -1
    elif letter in CLOSING:
        score += 1 if left.isalnum() else -1
    elif left.isalpha() and right.isalpha() and letter not in INSIDE_WORDS:
        score -= 2
    return score
