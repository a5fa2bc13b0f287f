"""Names in tables of proteins: short ones, and those of decoys and contaminants."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from ximstudio.load.headers import key_of
from ximstudio.model.arrays import Ints
from ximstudio.model.table import Axis

SEPARATOR = ";"

RUN = re.compile(
    r"(?i)\.(?:raw|d|mzml|mzxml|mgf|wiff2?|dia|htrms|tdf|lcd|baf|sam|bam|cram|sf|quant|bw)(?:\.gz)?$"
)
"""Endings of files of runs and alignments."""

PATH = re.compile(r"[\\/]")


def first_ids(ids: Sequence[str]) -> tuple[str, ...] | None:
    """Return the first id of every cell where it is unique, the whole cell elsewhere.

    None if no cell holds several ids.
    """
    if not any(SEPARATOR in cell for cell in ids):
        return None
    firsts = [cell.split(SEPARATOR, 1)[0].strip() or cell for cell in ids]
    often = Counter(firsts)
    return tuple(
        first if often[first] == 1 else cell for first, cell in zip(firsts, ids, strict=True)
    )


def short_runs(names: Sequence[str]) -> tuple[str, ...] | None:
    """Return names of files without folders and endings; None if that fails or collides."""
    if not names or not all(RUN.search(name) for name in names):
        return None
    short = tuple(RUN.sub("", PATH.split(name)[-1]) for name in names)
    return short if len(set(short)) == len(names) and all(short) else None


PREFIX = re.compile(
    r"(?:REV__|CON__)(?=.)"
    r"|(?:REV_|CON_|rev_|contam_|Cont_|cont_|DECOY_|decoy_|##|XXX_)(?=(?:sp|tr)\||[A-Z0-9]{5,})"
)
"""Prefixes that search engines give to ids of reversed sequences and contaminants."""

MARKS = re.compile(
    r"reverse|(potential)?contaminants?|onlyidentifiedbysite|(is)?decoy|(is)?contaminant|iscon"
)
"""Keys of columns that mark such rows."""

YES = frozenset({"+", "true", "1", "yes", "x"})
IDS = re.compile(r".*(protein|accession|uniprot|pg).*")


def decoys_among(axis: Axis) -> dict[str, Ints]:
    """Return rows that are decoys or contaminants by reason, each under its first reason only."""
    found: dict[str, Ints] = {}
    taken: set[int] = set()
    for why, numbers in _reasons(axis.names, axis.labels).items():
        new = [number for number in numbers if number not in taken]
        if new:
            found[why] = np.array(new, dtype=np.int64)
            taken.update(new)
    return found


def _reasons(names: tuple[str, ...], labels: Mapping[str, tuple[str, ...]]) -> dict[str, list[int]]:
    reasons: dict[str, list[int]] = {}
    ids = [names]
    for label, texts in labels.items():
        if MARKS.fullmatch(key_of(label)):
            marked = [n for n, text in enumerate(texts) if text.strip().lower() in YES]
            if len(marked) < len(texts):
                reasons[f"marked in '{label}'"] = marked
        if IDS.fullmatch(key_of(label)):
            ids.append(texts)
    for texts in ids:
        for number, text in enumerate(texts):
            first = PREFIX.match(text.split(SEPARATOR, 1)[0].strip())
            if first:
                reasons.setdefault(f"ids beginning with '{first[0]}'", []).append(number)
    return reasons
