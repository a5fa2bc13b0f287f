"""Encodings, quotation marks, and packings that programs and people leave behind."""

from __future__ import annotations

import bz2
import io
import lzma
import zipfile

from tests.contract.troublesome.case import Case
from tests.load.workbooks import sheet_data, xlsx

NAN = float("nan")
GENES = ("TP53", "BRCA1", "EGFR", "MYC")
SAMPLES = ("control 1", "control 2", "tumour 1")
VALUES = ((1.5, 2.25, 3.125), (4.5, 5.75, 6.0), (7.25, 8.5, 9.875), (0.5, 1.25, 2.0))


def _text(
    *, delimiter: str = ",", samples: tuple[str, ...] = SAMPLES, corner: str = "gene"
) -> list[str]:
    """The lines of the table."""
    rows = ((gene, *map(str, values)) for gene, values in zip(GENES, VALUES, strict=True))
    return [delimiter.join(row) for row in ((corner, *samples), *rows)]


UMLAUTS = ("Köln 1", "Zürich µM", "Malmö 37°C")
"""Names of samples with letters that encodings differ in."""


def _wrapped(lines: list[str]) -> str:
    """Every line in quotation marks, those within doubled."""
    return "\n".join('"' + line.replace('"', '""') + '"' for line in lines)


def _packed(name: str, content: bytes) -> bytes:
    """A zip archive with what a Mac puts beside a file."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", "Downloaded from the supplement.")
        archive.writestr(f"__MACOSX/._{name}", b"\0\5\x16\7")
        archive.writestr(name, content)
    return file.getvalue()


def _several(tables: dict[str, str]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in tables.items():
            archive.writestr(name, text)
    return file.getvalue()


CASES = (
    Case(
        name="text_row_within.csv",
        content="\n".join(
            (
                *("gene,cluster,a 1,a 2,b 1", "TP53,1,1.5,2.5,3.5", "BRCA1,2,4,5,6"),
                *("tissue,1,liver,liver,brain", "EGFR,2,7,8,9", "MYC,1,0,1,2"),
            )
        ).encode(),
        trouble="A row among the genes labels the samples.",
        items=GENES,
        features=("a 1", "a 2", "b 1"),
        item_labels={"cluster": ("1", "2", "2", "1")},
        feature_labels={"tissue": ("liver", "liver", "brain")},
        values=((1.5, 2.5, 3.5), (4, 5, 6), (7, 8, 9), (0, 1, 2)),
    ),
    Case(
        name="own_missing_word.csv",
        content="\n".join(_text()).replace("5.75", "failed").replace("9.875", "broken").encode(),
        trouble="Values that are missing are spelt in words of its own.",
        items=GENES,
        features=SAMPLES,
        values=(VALUES[0], (4.5, NAN, 6.0), (7.25, 8.5, NAN), VALUES[3]),
    ),
    Case(
        name="old_mac.csv",
        content="\r".join(_text(samples=UMLAUTS)).encode("mac_roman"),
        trouble="Saved by Excel on an old Mac: its letters and its line ends.",
        items=GENES,
        features=UMLAUTS,
        values=VALUES,
    ),
    Case(
        name="mac_letters.csv",
        content="\n".join(_text(samples=UMLAUTS)).encode("mac_roman"),
        trouble="The letters of an old Mac with the line ends of today.",
        items=GENES,
        features=UMLAUTS,
        values=VALUES,
    ),
    Case(
        name="windows_letters.csv",
        content="\r\n".join(_text(samples=UMLAUTS)).encode("cp1252"),
        trouble="The letters of Windows.",
        items=GENES,
        features=UMLAUTS,
        values=VALUES,
    ),
    Case(
        name="quoted_lines.csv",
        content=_wrapped(_text()).encode(),
        trouble="Every line is quoted as a whole.",
        items=GENES,
        features=SAMPLES,
        values=VALUES,
        notes=("load.lines_quoted",),
    ),
    Case(
        name="quoted_lines_with_quotes.csv",
        content="\n".join(
            (
                "gene,description,a 1,a 2",
                _wrapped(['TP53,"tumor protein, 53",1.5,2.5', 'MYC,"proto-oncogene, bHLH",3,4']),
            )
        ).encode(),
        trouble="Lines that hold quotation marks are quoted once more, the header is not.",
        items=("TP53", "MYC"),
        features=("a 1", "a 2"),
        item_labels={"description": ("tumor protein, 53", "proto-oncogene, bHLH")},
        values=((1.5, 2.5), (3, 4)),
        notes=("load.lines_quoted",),
    ),
    Case(
        name="percents.csv",
        content=b"gene;a 1;a 2\nTP53;12,5 %;3%\nBRCA1;0;7,25%\nEGFR;100 %;\nMYC;1 %;2 %\n",
        trouble="Percentages with decimal commas, a bare 0 and a blank among them.",
        items=GENES,
        features=("a 1", "a 2"),
        values=((12.5, 3), (0, 7.25), (100, NAN), (1, 2)),
        notes=("load.percents",),
    ),
    Case(
        name="table.csv.bz2",
        content=bz2.compress("\n".join(_text()).encode()),
        trouble="Compressed with bzip2.",
        items=GENES,
        features=SAMPLES,
        values=VALUES,
    ),
    Case(
        name="table.tsv.xz",
        content=lzma.compress("\n".join(_text(delimiter="\t")).encode()),
        trouble="Compressed with xz.",
        items=GENES,
        features=SAMPLES,
        values=VALUES,
    ),
    Case(
        name="supplement.zip",
        content=_packed("Table S1.csv", "\n".join(_text()).encode()),
        trouble="A table in an archive, with what a Mac puts beside it.",
        items=GENES,
        features=SAMPLES,
        values=VALUES,
    ),
    Case(
        name="several.zip",
        content=_several({"samples.csv": "sample,age\na,1\n", "data.csv": "\n".join(_text())}),
        trouble="Two tables in an archive, the one with the values larger.",
        items=GENES,
        features=SAMPLES,
        values=VALUES,
    ),
    Case(
        name="side_by_side.xlsx",
        content=xlsx(
            {
                "Results": sheet_data(
                    [
                        ["gene", "a 1", "a 2", "b 1", "", "sample", "age"],
                        ["TP53", 1.5, 2.25, 3.125, "", "a 1", 61],
                        ["BRCA1", 4.5, 5.75, 6.5, "", "a 2", 54],
                        ["EGFR", 7.25, 8.5, 9.875, "", "b 1", 70],
                        ["MYC", 0.5, 1.25, 2.5],
                    ]
                )
            }
        ),
        trouble="A second table with rows of its own lies beside the first.",
        items=GENES,
        features=("a 1", "a 2", "b 1"),
        values=((1.5, 2.25, 3.125), (4.5, 5.75, 6.5), (7.25, 8.5, 9.875), (0.5, 1.25, 2.5)),
    ),
    Case(
        name="spaced_out.xlsx",
        content=xlsx(
            {
                "Results": sheet_data(
                    [
                        ["gene", "a 1", "a 2", "", "b 1"],
                        ["TP53", 1.5, 2.5, "", 3.5],
                        ["BRCA1", 2.5, 2.5, "", 3.5],
                        ["EGFR", 3.5, 2.5, "", 3.5],
                        ["MYC", 4.5, 2.5, "", 3.5],
                    ]
                )
            }
        ),
        trouble="Blank columns keep groups of samples of one table apart.",
        items=GENES,
        features=("a 1", "a 2", "b 1"),
        values=((1.5, 2.5, 3.5), (2.5, 2.5, 3.5), (3.5, 2.5, 3.5), (4.5, 2.5, 3.5)),
    ),
    Case(
        name="lined_up.txt",
        content=(
            b"gene       control 1  control 2  tumour 1\n"
            b"TP53             1.5       2.25     3.125\n"
            b"BRCA1            4.5       5.75       6.0\n"
            b"EGFR            7.25        8.5     9.875\n"
            b"MYC              0.5       1.25       2.0\n"
        ),
        trouble="Columns are lined up by spaces, and names hold one.",
        items=GENES,
        features=SAMPLES,
        values=VALUES,
    ),
)
