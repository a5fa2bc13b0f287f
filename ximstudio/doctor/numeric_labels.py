"""Numbers that describe instead of measure: clusters, batches, ages, positions, p-values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ximstudio.doctor.check import Check, Phase
from ximstudio.doctor.evidence import SIDES, Evidence, once
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
"""Words in the names of columns whose whole numbers stand for groups."""
LAST_LETTERS = frozenset({"y"})
"""Names that say the same if they are the whole name."""
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
"""Names of columns that hold results and weights, without marks between words."""
POSITIONS = frozenset(
    WORDS.findall(
        "start end length chr chromosome strand entrez entrezid entrezgene entrezgeneid geneid"
        " ncbigeneid txlength genelength position pos"
    )
)
"""Names of columns of whole numbers that say where a gene is, or number it."""
RESULT = "named like a result or a weight, not a sample"
MOST_GROUPS = 50
FEW_GROUPS = 10
ENOUGH = 20
"""Items that a column of few whole numbers must have before its name does not matter."""
MOST_CODED = 0.2
"""Share of columns with few whole numbers above which these are nothing special."""
FEWEST_EACH = 4
"""Items that every code must have on the average."""
EVENLY = 0.2
"""Share of its items that a code must have if all had the same number."""
MOST_LOOKED_AT = 500
"""Columns of whole numbers that are looked at one by one, if most columns are of that kind."""
RARE = 0.1
"""Share of columns with whole numbers above which whole numbers are nothing special."""
MANY = 0.3
"""Share of columns above which their names are no reason to doubt them."""
FEWEST_LEFT = 2
"""Columns that must remain: a table of nothing but fold changes is a table."""
FEWEST = 5
"""Values that it takes to say that they are not like those of genes."""
BEYOND = 2.0
"""How many times the largest logarithms of genes the usual value of something else is."""
GENES_LOOKED_AT = 200
FIRST_LOOK = 64
"""Rows by which most columns of fractions are told from those of whole numbers."""


@once
def label_numbers(evidence: Evidence, side: str) -> tuple[tuple[int, str], ...]:
    """Features (or items) that are labels, results of a test among them, and why."""
    if evidence.is_empty:
        return ()
    found = dict.fromkeys(result_numbers(evidence, side), RESULT)
    if evidence.is_genes(side):
        found |= dict(_among_genes(evidence, side))
    else:
        found |= {**dict(_by_value(evidence, side)), **dict(_named(evidence, side))}
    return tuple(sorted(found.items()))


def _named(evidence: Evidence, side: str) -> tuple[tuple[int, str], ...]:
    """Those with telling names."""
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
    """A name without the number at its end."""
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
    """Whether a name is one of what is known, or measured, of a patient or a sample."""
    return not (DESCRIBING | CLINICAL | GROUPING).isdisjoint(WORDS.findall(name.lower()))


def _among_genes(evidence: Evidence, side: str) -> Iterable[tuple[int, str]]:
    """Those among genes that are called otherwise, and by name or by value are no expression."""
    names = [name.strip() for name in evidence.axis(side).names]
    strange = {n for n, name in enumerate(names) if not (may_be_gene(name) or name.isdecimal())}
    called = {
        n: kind
        for n, name in enumerate(names)
        if (kind := _kind_among_genes(name, gene=n not in strange))
    }
    genes = np.setdiff1d(np.arange(len(names)), [*strange, *called])
    # Columns of a sparse table are dear, and its values are counts: they are like nothing else.
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
    """The kind of a name; where it could be a gene's, only if it is one of the words and no more.

    END and POS are genes.
    """
    lower = name.lower()
    # Not those within: rice has genes such as LOC_Os01g01010.
    if not DESCRIBING.isdisjoint({lower} if gene else re.split(r"[\W_]+", lower)):
        return "description"
    if gene:
        return "group" if lower in GROUPING else ""
    return _kind(name)


def _unlike_genes(evidence: Evidence, side: str, genes: Ints) -> Callable[[Floats], str]:
    """A test of values: why they are not like those of the genes, or ""."""
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
    """Why values under a name of this kind are no measurements; "" if they may be."""
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
    told = f"{words.counted(n_groups, 'whole number')}, and named like a group"
    return told if n_groups <= most else ""


def _by_value(evidence: Evidence, side: str) -> Iterable[tuple[int, str]]:
    """Columns of few whole numbers, like codes, among columns of measured ones."""
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
    # Among whole numbers only what looks like codes, and stands where codes are put.
    for number in {0, columns.shape[1] - 1} & set(groups):
        if len(groups) == 1 and _like_codes(columns, number, groups[number]):
            yield number, f"{len(groups[number])} whole numbers where others have many"


def _like_codes(columns: Floats, number: int, groups: Floats) -> bool:
    """Whether whole numbers follow each other, all of them often, and other columns have many."""
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
    """Columns of whole numbers and blanks, if they are not too many to look at one by one."""
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


def _look(evidence: Evidence) -> Iterable[Finding]:
    for side in SIDES:
        # Results of a test are a finding of their own.
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


def _as_read(evidence: Evidence, side: str, numbers: Sequence[int]) -> dict[str, tuple[str, ...]]:
    """The choice by which columns of a file are read as labels; nothing if they are none."""
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
    " As labels they colour the map; as values they bend it.",
    phase=Phase.ROLES,
    look=_look,
    of_measurements=True,
)
