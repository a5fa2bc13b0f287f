"""Several quantities of every sample side by side, of which one is mapped."""

from __future__ import annotations

from tests.contract.troublesome.case import Case

PROBES = ("ILMN_1762337", "ILMN_2055271", "ILMN_1736007")
SAMPLES = ("ctl 1", "ctl 2", "ko 1")
SIGNAL = ((123.4, 130.1, 98.5), (2051.0, 1980.5, 2210.75), (88.25, 91.5, 90.0))
LEFT_OUT = ("load.columns_left_out",)


def _text(header: str, rows: tuple[str, ...]) -> bytes:
    """Lines in which bars stand for tabs: a header and a row per probe."""
    lines = [header, *(f"{probe}|{row}" for probe, row in zip(PROBES, rows, strict=True))]
    return "".join(line.replace("|", "\t") + "\n" for line in lines).encode()


def _beside(*others: str) -> tuple[str, ...]:
    """Rows in which other cells follow every signal."""
    return tuple("|".join("|".join((str(value), *others)) for value in row) for row in SIGNAL)


def _case(name: str, content: bytes, trouble: str, notes: tuple[str, ...] = LEFT_OUT) -> Case:
    return Case(
        name=name,
        content=content,
        trouble=trouble,
        items=PROBES,
        features=SAMPLES,
        values=SIGNAL,
        notes=notes,
    )


CASES = (
    _case(
        "studio.txt",
        _text(
            "PROBE_ID|" + "|".join(f"{one}.AVG_Signal|{one}.Detection Pval" for one in SAMPLES),
            _beside("0.01"),
        ),
        "A p-value stands beside the signal of every sample.",
    ),
    _case(
        "beads.txt",
        _text(
            "PROBE_ID|"
            + "|".join(f"AVG_Signal-{one}|Avg_NBEADS-{one}|Detection-{one}" for one in SAMPLES),
            _beside("31", "0.99"),
        ),
        "The name of the sample stands behind that of the quantity.",
    ),
    _case(
        "mas.txt",
        _text(
            "Probe Set ID|" + "|".join(f"{one}_Signal|{one}_Detection" for one in SAMPLES),
            _beside("P"),
        ),
        "A call in letters stands beside the signal of every sample.",
    ),
    _case(
        "submitted.txt",
        _text("ID_REF|" + "|".join(f"{one}|Detection Pval" for one in SAMPLES), _beside("0.01")),
        "A column of the same name follows every sample.",
        notes=(),
    ),
    _case(
        "exchanged.txt",
        _text(
            "Scan REF|"
            + "|".join(f"{one}|{one}" for one in SAMPLES)
            + "\nReporter REF|"
            + "|".join("Signal|Detection Pval" for _ in SAMPLES),
            _beside("0.01"),
        ),
        "Samples are named in one header row, their quantities in the next.",
    ),
)
