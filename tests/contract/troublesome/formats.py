"""Encodings, quotation marks, and packings that programs and people leave behind."""

from __future__ import annotations

from tests.contract.troublesome.case import Case

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
)
