"""Numbers that describe instead of measure: clusters, batches, positions, p-values."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from ximstudio.doctor.check import Check
from ximstudio.doctor.evidence import SIDES, Evidence, once, other
from ximstudio.doctor.finding import Finding
from ximstudio.doctor.repairs import as_label, counted
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.matrix import SHOWN, some_of
from ximstudio.model.problem import Severity

WORDS = re.compile(r"[a-zà-ÿ]+")
GROUPING = frozenset(
    WORDS.findall(
        "class classes cluster clusters group groups batch label labels stage type subtype"
        " category condition treatment plate lane replicate sex gender kmeans leiden louvain grade"
        " module klasse gruppe groupe classe grupo clase"
    )
)
"""Words in the names of columns whose whole numbers stand for groups."""
STATISTICS = frozenset(
    {"pvalue", "pval", "padj", "adjpval", "adjpvalue", "fdr", "qvalue", "qval", "pvalueadj"}
    | {"logfc", "log2fc", "foldchange", "log2foldchange", "basemean", "lfcse"}
    | {"gweight", "eweight", "gorder"}
)
"""Names of columns that hold results and weights, without marks between words."""
POSITIONS = frozenset(
    WORDS.findall(
        "start end length chr chromosome strand entrez entrezid entrezgene entrezgeneid geneid"
        " ncbigeneid txlength genelength position pos"
    )
)
"""Names of columns of whole numbers that say where a gene is, or number it."""
MOST_GROUPS = 50
FEW_GROUPS = 10
ENOUGH = 20
"""Items that a column of few whole numbers must have before its name does not matter."""
RARE = 0.1
"""Share of columns with whole numbers above which whole numbers are nothing special."""
MANY = 0.3
"""Share of columns above which their names are no reason to doubt them."""
FEWEST_LEFT = 2
"""Columns that must remain: a table of nothing but fold changes is a table."""
FIRST_LOOK = 64
"""Rows by which most columns of fractions are told from those of whole numbers."""


@once
def label_numbers(evidence: Evidence, side: str) -> tuple[tuple[int, str], ...]:
    """Features (or items) that are labels, and why."""
    if evidence.is_empty:
        return ()
    if evidence.is_genes(side):
        # Among genes a part of a name says nothing, and neither do END and POS.
        return _named(evidence, side, strict=True)
    found = {**dict(_by_value(evidence, side)), **dict(_named(evidence, side, strict=False))}
    return tuple(sorted(found.items()))


def _named(evidence: Evidence, side: str, *, strict: bool) -> tuple[tuple[int, str], ...]:
    """Those with telling names; if strict, only those called "class" and the like and no more."""
    names = evidence.axis(side).names
    found = [
        (number, why)
        for number, name in enumerate(names)
        if (kind := _kind(name.strip().lower(), strict=strict))
        and (why := _described(_there(evidence.values_of(side, number)), kind))
    ]
    enough_left = len(names) - len(found) >= FEWEST_LEFT
    return tuple(found) if enough_left and len(found) <= max(1, MANY * len(names)) else ()


def _kind(name: str, *, strict: bool) -> str:
    if strict:
        return "group" if name in GROUPING else ""
    joined = "".join(character for character in name if character.isalnum())
    if joined in STATISTICS:
        return "result"
    if joined in POSITIONS:
        return "position"
    return "" if GROUPING.isdisjoint(WORDS.findall(name)) else "group"


def _described(values: Floats, kind: str) -> str:
    """Why values under a name of this kind are no measurements; "" if they may be."""
    if kind == "result":
        return "named like a result or a weight, not a sample"
    if not len(values) or not _whole(values):
        return ""
    if kind == "position":
        return "named like the position or number of a gene"
    n_groups = len(np.unique(values))
    most = min(MOST_GROUPS, max(2, len(values) // 2))
    return f"{n_groups} whole numbers, and named like a group" if n_groups <= most else ""


def _by_value(evidence: Evidence, side: str) -> Iterable[tuple[int, str]]:
    """Columns of few whole numbers among columns of measured ones."""
    values = evidence.table.values
    if not isinstance(values, np.ndarray) or evidence.length(other(side)) < ENOUGH:
        return
    whole = _whole_ones(values if side == "features" else values.T)
    low, high = evidence.tally[side].low, evidence.tally[side].high
    for number in whole:
        if low[number] == high[number]:
            continue
        groups = np.unique(_there(evidence.values_of(side, int(number))))
        if len(groups) <= FEW_GROUPS:
            yield int(number), f"{len(groups)} whole numbers where others have fractions"


def _whole_ones(columns: Floats) -> Ints:
    """Columns of whole numbers and blanks, if there are few; a first look spares most of them."""
    candidates = np.arange(columns.shape[1])
    for rows in (slice(0, FIRST_LOOK), slice(None)):
        looked_at = columns[rows][:, candidates]
        candidates = candidates[(np.isnan(looked_at) | _is_whole(looked_at)).all(axis=0)]
        if len(candidates) > max(1, RARE * columns.shape[1]):
            return np.empty(0, dtype=np.int64)
    return candidates


def _is_whole(values: Floats) -> Bools:
    return np.asarray(np.isfinite(values) & (values == np.rint(values)))


def _whole(values: Floats) -> bool:
    return bool(_is_whole(values).all())


def _there(values: Floats) -> Floats:
    return values[~np.isnan(values)]


def _look(evidence: Evidence) -> Iterable[Finding]:
    for side in SIDES:
        found = label_numbers(evidence, side)
        if not found:
            continue
        numbers = [number for number, _ in found]
        axis = evidence.axis(side)
        said = [f"{axis.address(number)}: {why}" for number, why in found[:SHOWN]]
        left = len(numbers) < evidence.length(side)
        yield Finding(
            key=NUMERIC_LABELS.key,
            severity=Severity.WARNING,
            side=side,
            what=f"The numbers of {counted(side, numbers)} seem to be labels, not expression.",
            where=f"{evidence.table.source}: {some_of(said, total=len(found))}",
            way_out="Make labels of them, so that they do not count in distances.",
            addresses=evidence.along(side, numbers),
            repairs=(as_label(evidence, side, numbers),) if left else (),
            sure=all("named" in why for _, why in found),
        )


NUMERIC_LABELS = Check(
    key="numeric_labels",
    name="Labels read as values",
    about="Clusters, classes, batches, positions, weights or p-values among the measurements. As"
    " labels they colour the map; as values they bend it.",
    look=_look,
)
