"""Short names: the first of several ids, and runs without the folders of their files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

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
