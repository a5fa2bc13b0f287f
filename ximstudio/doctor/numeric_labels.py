"""Detection of numbers that are labels: clusters, batches, ages, positions, p-values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ximstudio.doctor.check import Check, RepairPhase
from ximstudio.doctor.evidence import SIDES, TableEvidence, once
from ximstudio.doctor.finding import Finding
from ximstudio.doctor.repairs import as_label, counted
from ximstudio.doctor.results import EFFECTS, P_VALUES, joined, result_numbers
from ximstudio.load.names import CLINICAL, DESCRIBING, may_be_gene
from ximstudio.load.reading import Choices
from ximstudio.load.scale import HIGHEST_LOG
from ximstudio.model import words
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.matrix import SHOWN, some_of
from ximstudio.model.problem import Severity
from ximstudio.model.table import FEATURES
from ximstudio.prepare.step import other

WORDS = re.compile(r"[a-zà-ÿ]+")
LAST_NUMBER = re.compile(r"[\W_]*\d+$")
GROUPING = frozenset(
    WORDS.findall(
        "class classes cluster clusters group groups batch label labels stage type subtype"
        " category condition treatment plate lane replicate sex gender kmeans leiden louvain grade"
        " module klasse gruppe groupe classe grupo clase target outcome status diagnosis dx"
        " response species strain cohort arm phenotype genotype survived smoker event tissue"
        " fold partition geschlecht diagnose sexe"
    )
)
"""Words in names of columns whose whole numbers stand for groups."""
LAST_LETTERS = frozenset({"y"})
"""Single letters with the same meaning, if they are the whole name."""
STATISTICS = (
    P_VALUES
    | EFFECTS
    | {
        *("gweight", "eweight", "gorder", "ncountrna", "nfeaturerna", "percentmt", "pctcountsmt"),
        *("ngenesbycounts", "totalcounts", "ncounts", "ngenes", "sizefactor", "sizefactors"),
        *("libsize", "normfactors", "percentmito", "pctmt", "pctmito", "percentribo", "pctribo"),
        *("pctcountsmito", "pctcountsribo", "mitofraction", "doubletscore", "scrubletscore"),
    }
)
"""Names of columns of results and weights, without separators."""
POSITIONS = frozenset(
    WORDS.findall(
        "start end length chr chromosome strand entrez entrezid entrezgene entrezgeneid geneid"
        " ncbigeneid txlength genelength position pos"
    )
)
"""Names of columns of whole numbers that locate or number genes."""
RESULT = "named like a result or a weight, not a sample"
MOST_GROUPS = 50
FEW_GROUPS = 10
ENOUGH = 20
"""Number of items from which a column of few whole numbers is a label regardless of its name."""
MOST_CODED = 0.2
"""Share of columns with few whole numbers above which these are not exceptional."""
FEWEST_EACH = 4
"""Average number of items per code, at least."""
EVENLY = 0.2
"""Share of its items that a code must have if all had the same number."""
MOST_LOOKED_AT = 500
"""Number of columns of whole numbers that are examined one by one, if most are of that kind."""
RARE = 0.1
"""Share of columns with whole numbers above which these are not exceptional."""
MANY = 0.3
"""Share of columns above which their names are no reason for doubt."""
FEWEST_LEFT = 2
"""Number of columns that must remain: a table of only fold changes is a table."""
FEWEST = 5
"""Number of values needed to say that they differ from those of genes."""
BEYOND = 2.0
"""Ratio of a typical value of something else to the largest logarithms of genes."""
GENES_LOOKED_AT = 200
FIRST_LOOK = 64
"""Number of rows that distinguish most columns of fractions from those of whole numbers."""


@once
def label_numbers(evidence: TableEvidence, side: str) -> tuple[tuple[int, str], ...]:
    """Return features (or items) that are labels, results of a test included, and the reasons."""
    if evidence.is_empty:
        return ()
    found = dict.fromkeys(result_numbers(evidence, side), RESULT)
    if evidence.is_genes(side):
        found |= dict(_among_genes(evidence, side))
    else:
        found |= {**dict(_by_value(evidence, side)), **dict(_named(evidence, side))}
    return tuple(sorted(found.items()))


def _named(evidence: TableEvidence, side: str) -> tuple[tuple[int, str], ...]:
    """Return those with revealing names."""
    names = evidence.axis(side).names
    stems = Counter(map(_stem, names))
    found = [
        (number, why)
        for number, name in enumerate(names)
        # "condition 1", "condition 2", …: samples, not codes.
        if (kind := _kind(name))
        and (kind != "group" or stems[_stem(name)] == 1)
        and (why := _described(_there(evidence.values_of(side, number)), kind))
    ]
    enough_left = len(names) - len(found) >= FEWEST_LEFT
    return tuple(found) if enough_left and len(found) <= max(1, MANY * len(names)) else ()


def _stem(name: str) -> str:
    """Return a name without the number at its end."""
    return LAST_NUMBER.sub("", name.lower())


def _kind(name: str) -> str:
    whole = joined(name)
    if whole in STATISTICS:
        return "result"
    if whole in POSITIONS:
        return "position"
    if whole in LAST_LETTERS:
        return "group"
    return "" if GROUPING.isdisjoint(WORDS.findall(name.lower())) else "group"


def describes_samples(name: str) -> bool:
    """Return whether a name is a known attribute of a patient or sample."""
    return not (DESCRIBING | CLINICAL | GROUPING).isdisjoint(WORDS.findall(name.lower()))


def _among_genes(evidence: TableEvidence, side: str) -> Iterable[tuple[int, str]]:
    """Return those among genes that are named otherwise, and are no expression by name or value."""
    names = [name.strip() for name in evidence.axis(side).names]
    strange = {n for n, name in enumerate(names) if not (may_be_gene(name) or name.isdecimal())}
    called = {
        n: kind
        for n, name in enumerate(names)
        if (kind := _kind_among_genes(name, gene=n not in strange))
    }
    genes = np.setdiff1d(np.arange(len(names)), [*strange, *called])
    # Columns of a sparse table are costly, and its values are counts, unlike labels.
    by_value = len(genes) and not evidence.table.is_sparse
    unlike = _unlike_genes(evidence, side, genes) if by_value else None
    for number in sorted({*strange, *called}):
        values = _there(evidence.values_of(side, number))
        why = _described(values, called[number]) if number in called else ""
        if not why and unlike and len(values) >= FEWEST and np.ptp(values) > 0:
            why = unlike(values)
        if why:
            yield number, why


def _kind_among_genes(name: str, *, gene: bool) -> str:
    """Return the kind of a name; where it could be a gene's, only if it is exactly one of the
    words.

    END and POS are genes.
    """
    lower = name.lower()
    # Separators inside stay: rice has genes such as LOC_Os01g01010.
    if not DESCRIBING.isdisjoint({lower} if gene else re.split(r"[\W_]+", lower)):
        return "description"
    if gene:
        return "group" if lower in GROUPING else ""
    return _kind(name)


def _unlike_genes(evidence: TableEvidence, side: str, genes: Ints) -> Callable[[Floats], str]:
    """Return a test of values: why they differ from those of the genes, or ""."""
    some = genes[:: -(-len(genes) // GENES_LOOKED_AT)]
    whole = sum(_whole(_there(evidence.values_of(side, int(number)))) for number in some)
    tally = evidence.tally[side]
    largest = float(np.quantile(np.fmax(tally.high, -tally.low)[genes], 0.9))

    def test(values: Floats) -> str:
        if whole <= RARE * len(some) and _whole(values):
            return "whole numbers where genes have fractions"
        if largest <= HIGHEST_LOG and np.median(np.abs(values)) > BEYOND * largest:
            return f"beyond {words.number(largest)}, which genes hardly exceed"
        return ""

    return test


def _described(values: Floats, kind: str) -> str:
    """Return why values under a name of this kind are no measurements; "" if they may be."""
    if kind == "result":
        return RESULT
    if kind == "description":
        return "named like the description of a sample" if len(values) else ""
    if not len(values) or not _whole(values):
        return ""
    if kind == "position":
        return "named like the position or number of a gene"
    n_groups = len(np.unique(values))
    most = min(MOST_GROUPS, max(2, len(values) // 2))
    reason = f"{words.counted(n_groups, 'whole number')}, and named like a group"
    return reason if n_groups <= most else ""


def _by_value(evidence: TableEvidence, side: str) -> Iterable[tuple[int, str]]:
    """Return columns of few whole numbers, like codes, among columns of measurements."""
    values = evidence.table.values
    n_others = evidence.length(other(side))
    if not isinstance(values, np.ndarray) or n_others < ENOUGH:
        return
    columns = values if side == "features" else values.T
    whole = _whole_ones(columns)
    groups = {
        int(number): found
        for number in whole
        if len(found := np.unique(_there(columns[:, number]))) <= FEW_GROUPS
        and len(found) > 1
        and len(found) * FEWEST_EACH <= n_others
    }
    most = max(1, MOST_CODED * columns.shape[1])
    if not groups or len(groups) > most:
        return
    if 2 * len(whole) <= columns.shape[1]:
        for number, found in groups.items():
            yield number, f"{len(found)} whole numbers where others have fractions"
        return
    # Among whole numbers only those that look like codes, in the usual place of codes.
    for number in {0, columns.shape[1] - 1} & set(groups):
        if len(groups) == 1 and _like_codes(columns, number, groups[number]):
            yield number, f"{len(groups[number])} whole numbers where others have many"


def _like_codes(columns: Floats, number: int, groups: Floats) -> bool:
    """Return whether whole numbers are consecutive, all frequent, and other columns have many."""
    often = [int((columns[:, number] == value).sum()) for value in groups]
    others = [
        len(np.unique(_there(columns[:, other])))
        for other in range(columns.shape[1])
        if other != number
    ]
    follow = len(groups) == 2 or np.ptp(groups) == len(groups) - 1
    return bool(
        follow
        and min(often) >= EVENLY * len(columns) / len(groups)
        and np.median(others) > 2 * FEW_GROUPS
    )


def _whole_ones(columns: Floats) -> Ints:
    """Return columns of whole numbers and blanks, if there are few enough to examine each."""
    candidates = np.arange(columns.shape[1])
    for rows in (slice(0, FIRST_LOOK), slice(None)):
        looked_at = columns[rows][:, candidates]
        candidates = candidates[(np.isnan(looked_at) | _is_whole(looked_at)).all(axis=0)]
        if len(candidates) > MOST_LOOKED_AT and 2 * len(candidates) > columns.shape[1]:
            return np.empty(0, dtype=np.int64)
    return candidates


def _is_whole(values: Floats) -> Bools:
    return np.asarray(np.isfinite(values) & (values == np.rint(values)))


def _whole(values: Floats) -> bool:
    return bool(_is_whole(values).all())


def _there(values: Floats) -> Floats:
    return values[~np.isnan(values)]


def _look(evidence: TableEvidence) -> Iterable[Finding]:
    for side in SIDES:
        # Results of a test are a separate finding.
        results = result_numbers(evidence, side)
        found = [
            (number, why) for number, why in label_numbers(evidence, side) if number not in results
        ]
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
            hint=_as_read(evidence, side, numbers),
        )


def _as_read(
    evidence: TableEvidence, side: str, numbers: Sequence[int]
) -> dict[str, tuple[str, ...]]:
    """Return the choice that reads columns of a file as labels; empty if there is none."""
    guess = evidence.guess("labels")
    names = [evidence.axis(side).names[number] for number in numbers]
    if guess is None or side != FEATURES or evidence.reading is None:
        return {}
    if not set(names) <= set(evidence.reading.table.features.names):
        return {}
    already = Choices.specs()["labels"].parse(guess.value) or ()
    return {"labels": tuple(dict.fromkeys((*already, *names)))}


NUMERIC_LABELS = Check(
    key="numeric_labels",
    name="Labels read as values",
    about="Clusters, classes, ages, doses, positions, weights or p-values among the measurements."
    " As labels they colour the map; as values they distort it.",
    phase=RepairPhase.ROLES,
    look=_look,
    of_measurements=True,
)
