"""Columns that programs for arrays and sequencing write side by side for every sample.

Headers of GenomeStudio and BeadStudio, MAS 5, Cufflinks, StringTie, RSEM and others; the name of
the sample stands before or behind that of the quantity.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ximstudio.load.headers import key_of
from ximstudio.load.proteomics.quantities import NEVER, Quantity, spelt

MARK = r"[ ._:|-]+"

_VALUES = (
    # The longer names first, for the shorter ones end alike.
    *(("AVG_Signal", 0), ("AVG_Beta", 0), ("gProcessedSignal", 0), ("Signal", 1), ("Beta", 1)),
    *(("TPM", 2), ("FPKM", 3), ("RPKM", 3), ("CPM", 3), ("Normalized counts", 3)),
    *(("Normalized count", 3), ("Expected count", 4), ("Raw counts", 5), ("Raw count", 5)),
    *(("Read counts", 5), ("Read count", 5), ("Counts", 5), ("Count", 5), ("NumReads", 5)),
)
_BESIDE = (
    *("Detection p-value", "Detection Pval", "Detection", "ABS_CALL", "Call", "p-value", "Pval"),
    *("BEAD_STDERR", "BEAD_STDEV", "Avg_NBEADS", "NBEADS", "NARRAYS", "ARRAY_STDEV", "MIN_Signal"),
    *("MAX_Signal", "Signal_A", "Signal_B", "conf_lo", "conf_hi", "status", "Flags", "Flag"),
    *("STDEV", "StdDev", "SD", "SE", "SEM", "CV", "coverage", "cov"),
)


def _quantity(name: str, rank: int) -> Quantity:
    form = spelt(name)
    return Quantity(
        name=name,
        pattern=re.compile(rf"(?P<sample>.+?){MARK}{form}|{form}{MARK}(?P<other>.+)", re.I),
        glob=f"*{name}*",
        rank=rank,
        zero_is_missing=False,
    )


READOUTS: tuple[Quantity, ...] = (
    *(_quantity(name, NEVER) for name in _BESIDE),
    *(_quantity(name, rank) for name, rank in _VALUES),
)
"""Tried in this order: a header belongs to the first that matches."""

_KEYS_BESIDE = frozenset(map(key_of, _BESIDE))


def readout_of(header: str) -> tuple[Quantity, str] | None:
    """Return the quantity and the sample that a header names; None if it names none."""
    for quantity in READOUTS:
        found = quantity.pattern.fullmatch(header)
        if found:
            return quantity, found["sample"] or found["other"]
    return None


def repeated_readouts(headers: Sequence[str]) -> dict[int, int]:
    """Return columns such as "Detection Pval" that follow every sample → the sample's column."""
    often = Counter(headers)
    beside = [
        column
        for column, header in enumerate(headers)
        if often[header] > 1 and key_of(header) in _KEYS_BESIDE
    ]
    found: dict[int, int] = {}
    for column in beside:
        before = column - 1
        while before in found:
            before -= 1
        found[column] = before
    return {column: sample for column, sample in found.items() if sample >= 0}
