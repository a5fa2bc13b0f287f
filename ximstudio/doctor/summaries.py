"""Detection of rows and columns that summarise the others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ximstudio.doctor.check import Check, RepairPhase
from ximstudio.doctor.evidence import SIDES, TableEvidence, once
from ximstudio.doctor.finding import Finding
from ximstudio.doctor.repairs import counted, drop
from ximstudio.doctor.robust import middle_profile
from ximstudio.model.arrays import Bools, Floats
from ximstudio.model.matrix import SHOWN, some_of
from ximstudio.model.problem import Severity
from ximstudio.model.table import ITEMS
from ximstudio.prepare.step import other

WORDS = re.compile(
    r"\b(grand total|total|totals|sum|sums|mean|means|average|averages|avg|ave|median|gesamt"
    r"|gesamtsumme|summe|mittelwert|mittel|somme|moyenne|suma|media|promedio|minimum|maximum|sd"
    r"|stdev|std|stddev|variance|var|cv|(?:row|col)(?:sum|mean|median|total)s?)\b"
    # Within a name it means minutes more often than minimum.
    r"|^(?:min|max)$",
    re.IGNORECASE,
)
CAPITAL_WITHIN = re.compile(r"(?<=[a-z])(?=[A-Z])")
"""Start of a word in a name such as RowSum."""
COUNTERS = re.compile(
    # HTSeq, STAR, featureCounts, samtools idxstats, umi_tools, CITE-seq-Count, kallisto and alevin.
    r"_{0,2}(?:no_feature|too_low_aqual|not_aligned|alignment_not_unique)|__ambiguous"
    r"|n_?(?:unmapped|multimapping|nofeature|ambiguous)"
    r"|unassigned(?:_\w+)?|unmapped(?: reads)?|multimapp(?:ed|ing)(?: reads)?|no_?feature(?:s)?"
    r"|\*|bad_struct|(?:library|lib)[ _.]?size|sequencing[ _.]depth|total[ _.](?:counts|umis?)"
    r"|(?:(?:total|mapped|aligned|assigned|unmapped|unaligned|unassigned|unique|uniquely|multi|input"
    r"|raw|clean|duplicate|r?rna|ribosomal|mitochondrial|intergenic|intronic|exonic)[ _.-]?)+"
    r"(?:reads|fragments)",
    re.IGNORECASE,
)
"""Names that counting programs write above or below the genes."""
LIMITS = re.compile(
    r"(?:(?:max|maximum|plate|fixed|assay)[ _.]?)?(?:l[lo]?o[dq]|uloq|limit of detection)"
    r"|missing[ _.](?:data[ _.])?freq(?:uency|\.)?",
    re.IGNORECASE,
)
"""Names below the samples of an immunoassay: limits of its targets."""
BESIDE_COUNTERS = frozenset({"ambiguous", "assigned", "unknown"})
"""Further names of tallies, if another tally stands beside them."""
FEWEST = 3
"""Number of others needed for a summary, and of places that must agree."""
AGREEING = 0.95
CLOSE = 0.05
"""Distance from the sum or mean, relative to that of the others, that rounding explains."""
COMPARED = 5
"""Number of others that the distance is compared with."""
MOST_NAMED = 12
"""Number of matching names above which they mean nothing."""
UNNAMED = ("sum", "mean")
"""Summaries that are searched in the first and last line if their names say nothing."""
MOST_OTHERS = 200
"""Number of others among which a summarised part is searched."""
PLACES_LOOKED_AT = 2000
PART = 0.5
"""Weight of the summarised ones, which distinguishes them from the others."""
MORE_PLACES = 3
"""Places beyond the number of others that are needed to identify the summarised ones."""


@once
def summary_numbers(evidence: TableEvidence, side: str) -> tuple[tuple[int, str], ...]:
    """Return items (or features) that summarise the others, and how."""
    names = evidence.axis(side).names
    counters = [number for number, name in enumerate(names) if COUNTERS.fullmatch(name.strip())]
    if counters:
        counters = [
            number
            for number, name in enumerate(names)
            if number in set(counters) or name.strip().lower() in BESIDE_COUNTERS
        ]
    named = [n for n, name in enumerate(names) if WORDS.search(_spaced(name))]
    if len(named) > MOST_NAMED:
        # "total RNA 1", "total RNA 2", …: the word says nothing.
        named = []
    limits = [number for number, name in enumerate(names) if LIMITS.fullmatch(name.strip())]
    found = dict.fromkeys(limits, "a limit of detection, or how much is below it")
    found |= dict.fromkeys(counters, "a tally of reads, not a gene")
    counters = [*counters, *limits]
    # Totals often stand at an end without a matching name.
    for number in sorted({*named, 0, len(names) - 1} - {*counters, -1, len(names)}):
        # A line named like a total may itself be one of the summarised.
        for left_out in ({*named, *counters, number}, {*counters, number}):
            how = _summary(evidence, side, number, left_out, tuple(named))
            if how and number not in found:
                found[number] = f"the {how} of the other {side}"
    for number in sorted({*named} - {*found}):
        how = _summary_of_part(evidence, side, number, {*named, *counters})
        if how:
            found[number] = f"the {how} {side}"
    return tuple(sorted(found.items()))


def _spaced(name: str) -> str:
    """Return a name with its words separated."""
    return re.sub(r"[_.]+", " ", CAPITAL_WITHIN.sub(" ", name)).strip()


def _summary_of_part(evidence: TableEvidence, side: str, number: int, left_out: set[int]) -> str:
    """Return how a line summarises some others, "mean of 3 of the other"; "" if it does not."""
    others = np.setdiff1d(np.arange(evidence.length(side)), sorted(left_out))
    values = evidence.table.values
    if not isinstance(values, np.ndarray) or not FEWEST <= len(others) <= MOST_OTHERS:
        return ""
    rows = values if side == ITEMS else values.T
    places = np.flatnonzero(np.isfinite(rows[[*others, number]]).all(axis=0))
    places = places[:: -(-len(places) // PLACES_LOOKED_AT) or 1]
    if len(places) < len(others) + MORE_PLACES:
        return ""
    given, wanted = rows[np.ix_(others, places)].T, rows[number, places]
    weights = np.linalg.lstsq(given, wanted, rcond=None)[0]
    part = weights > PART * weights.max(initial=0.0)
    if not 1 < part.sum() < len(others):
        return ""
    compared = list(given.T[part][:COMPARED])
    for how, expected in (
        ("mean", given[:, part].mean(axis=1)),
        ("sum", given[:, part].sum(axis=1)),
    ):
        if _agrees(wanted, expected, compared):
            return f"{how} of {int(part.sum())} of the other"
    return ""


def _summary(
    evidence: TableEvidence, side: str, number: int, left_out: set[int], named: tuple[int, ...]
) -> str:
    """Return how a line summarises all but those left out; "" if it does not."""
    others = np.ones(evidence.length(side), dtype=np.bool_)
    others[list(left_out)] = False
    if others.sum() < FEWEST or evidence.length(other(side)) < FEWEST:
        return ""
    values = evidence.values_of(side, number)
    compared = [evidence.values_of(side, int(n)) for n in np.flatnonzero(others)[-COMPARED:]]
    for how, way in _ways(evidence, side, others).items():
        if (how in UNNAMED or number in named) and _agrees(values, way(), compared):
            return how
    return ""


def _ways(evidence: TableEvidence, side: str, others: Bools) -> dict[str, Callable[[], Floats]]:
    """Yield summaries of the others with their names; computed only when needed."""
    across = other(side)
    left_out = [evidence.values_of(side, int(number)) for number in np.flatnonzero(~others)]
    sums = evidence.tally[across].sums - sum(np.where(np.isfinite(v), v, 0.0) for v in left_out)
    counts = evidence.present(across) - sum((~np.isnan(v)).astype(np.int64) for v in left_out)
    means = sums / np.maximum(counts, 1)
    ways: dict[str, Callable[[], Floats]] = {"sum": lambda: sums, "mean": lambda: means}
    values = evidence.table.values
    if not isinstance(values, np.ndarray):
        return ways
    rows = values if side == ITEMS else values.T
    chosen = np.flatnonzero(others)

    def deviation() -> Floats:
        with np.errstate(invalid="ignore"):
            off = rows[chosen] - means
        return np.asarray(np.sqrt(np.nansum(off**2, axis=0) / np.maximum(counts - 1, 1)))

    return ways | {
        "median": lambda: middle_profile(rows[chosen]),
        "standard deviation": deviation,
        "variance": lambda: deviation() ** 2,
        "coefficient of variation": lambda: deviation() / means,
        "coefficient of variation in percent": lambda: 100 * deviation() / means,
        "minimum": lambda: np.asarray(np.fmin.reduce(rows[chosen], axis=0)),
        "maximum": lambda: np.asarray(np.fmax.reduce(rows[chosen], axis=0)),
    }


def _agrees(values: Floats, expected: Floats, compared: Sequence[Floats]) -> bool:
    """Return whether values are as expected, and those of the others are not."""
    there = np.isfinite(values) & np.isfinite(expected)
    if there.sum() < FEWEST or np.ptp(values[there]) == 0:
        return False
    off = np.abs(values - expected)[there]
    with np.errstate(invalid="ignore"):
        usual = np.abs(np.array(compared) - expected)[:, there]
    usual = usual[np.isfinite(usual)]
    if not len(usual):
        return False
    return bool((off <= CLOSE * np.median(usual)).mean() >= AGREEING and np.median(usual) > 0)


def _look(evidence: TableEvidence) -> Iterable[Finding]:
    if evidence.is_empty:
        return
    for side in SIDES:
        found = summary_numbers(evidence, side)
        if not found:
            continue
        axis = evidence.axis(side)
        numbers = [number for number, _ in found]
        said = [f"{axis.address(number)}: {how}" for number, how in found[:SHOWN]]
        yield Finding(
            key=SUMMARIES.key,
            severity=Severity.WARNING,
            side=side,
            what=f"Totals, means or tallies of the others: {counted(side, numbers)}.",
            where=f"{evidence.table.source}: {some_of(said, total=len(found))}",
            way_out="Remove them: they would be mapped like one more of the others.",
            addresses=evidence.along(side, numbers),
            repairs=(drop(evidence, side, numbers),) if len(numbers) < len(axis) else (),
        )


SUMMARIES = Check(
    key="summaries",
    name="Totals and means among the data",
    about="A row or column 'Total', 'Mean' and the like that equals the sum or mean of the others,"
    " and the tallies that counting programs write under the genes.",
    phase=RepairPhase.ROLES,
    look=_look,
    of_measurements=True,
)
