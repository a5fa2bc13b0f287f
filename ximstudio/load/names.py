"""Distinguish names of genes from names of samples and conditions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

LOOKED_AT = 2000
"""Maximum number of names examined, evenly sampled."""

IDENTIFIERS: dict[str, re.Pattern[str]] = {
    "Ensembl ids": re.compile(r"ENS[A-Z]{0,6}[GTPE]\d{6,}(?:\.\d+)?"),
    "yeast ORFs": re.compile(r"Y[A-P][LR]\d{3}[WC](?:-[A-Z])?", re.I),
    "Affymetrix probes": re.compile(r"AFFX-.+|.+_(?:at|st)"),
    "Illumina probes": re.compile(r"ILMN_\d+|cg\d{6,}"),
    "Agilent probes": re.compile(r"A_\d\d_P\d+"),
    "RefSeq ids": re.compile(r"[NX][MRP]_\d{5,}(?:\.\d+)?"),
    "Arabidopsis loci": re.compile(r"AT[1-5CM]G\d{5}(?:\.\d+)?", re.I),
    "FlyBase ids": re.compile(r"FBgn\d+"),
    "WormBase ids": re.compile(r"WBGene\d+"),
    "UniProt ids": re.compile(r"[OPQ]\d[A-Z\d]{3}\d|[A-NR-Z]\d(?:[A-Z][A-Z\d]{2}\d){1,2}"),
    "microRNAs": re.compile(r"[a-z]{3}-(?:miR|mir|let)-.+"),
    "UniGene clusters": re.compile(r"[A-Z][a-z]{1,2}\.\d+"),
}
"""Patterns of identifiers of genes, transcripts, proteins and probes."""

SYMBOL = re.compile(
    r"[A-Z][A-Z\d]{1,9}(?:[-.][A-Z\d]{1,5}){0,2}"  # TP53, HLA-DRB1, AC012345.1
    r"|[A-Z][a-z]{1,6}\d{0,4}[a-z]?\d{0,2}"  # Trp53, Actb, Cyp2d22
    r"|C\d+orf\d+|LOC\d+|\w+Rik|mt-\w+"
)
"""Pattern of human and mouse gene symbols; other names may match, too."""

SAMPLE = re.compile(
    r"GSM\d+|[SED]RR\d+|SAM[ND]\w+|TCGA-.+"
    r"|(?i:.*(?:^|[^a-z])(?:control|ctrl|treated|treatment|untreated|patient|sample|subject|donor"
    r"|tumou?r|normal|healthy|disease|case|wild.?type|wt|mutant|mut|ko|knock.?out|mock|vehicle|dmso"
    r"|replicate|rep|batch|array|chip|day|days|week|weeks|hour|hours|hr|hrs|min|mins|minutes|time"
    r"|timepoint|heat|cold|shock|dose|stage|lane|run|plate|well|cell|cells|mouse|rat|male|female"
    r"|alpha|elu|cdc15|spo|diau|dtt|cond|condition|experiment|exp|baseline|post|pre)(?:$|[^a-z]).*)"
    r"|[A-Za-z]\d{1,4}"
    r"|[ACGT]{12,}(?:-\d+)?"
    r"|\S+ .*"
)
"""Pattern of samples, cells and conditions: "heat 20 min", "GSM1234", "patient1", "s12"."""

DESCRIBING = frozenset(
    word
    for line in (
        "age bmi status event events survival os pfs dfs rfs time day days month months year years",
        "dose weight height alive dead death vital censor censored followup relapse recurrence",
        "smoker smoking purity passage concentration temperature score alter gewicht zeit dosis",
    )
    for word in line.split()
)
"""Words in headers of columns beside genes that describe a patient or a sample."""

CLINICAL = frozenset(
    word
    for line in (
        "glucose insulin cholesterol hdl ldl triglycerides creatinine bilirubin albumin hemoglobin",
        "haemoglobin platelets leukocytes sodium potassium calcium urea pressure systolic",
        "diastolic bp pulse thickness pregnancies pedigree tumor tumour nodes psa crp hematocrit",
        "alcohol acid ash magnesium phenols flavanoids hue proline",
    )
    for word in line.split()
)
"""Words for quantities measured in patients, or in wine, each in a unit of its own."""

STEM = re.compile(r"[^\d]*")
MOST_OF_ONE_STEM = 0.7
"""Share of names with the same beginning above which they are numbered, not named."""

_ANY_IDENTIFIER = re.compile(
    "|".join(
        f"(?i:({form.pattern}))" if form.flags & re.I else f"({form.pattern})"
        for form in IDENTIFIERS.values()
    )
)
"""All patterns in one, which is faster than one after the other: one group each."""
_KINDS = ("", *IDENTIFIERS)
"""Kinds by the number of the group."""


def _kind_of(name: str) -> str | None:
    """Return the kind of identifier of a name; None if it is no identifier."""
    found = _ANY_IDENTIFIER.fullmatch(name)
    return None if found is None else _KINDS[found.lastindex or 0]


def may_be_gene(name: str) -> bool:
    """Return whether a name among those of genes or probes can be one, too; WT1 and HR can."""
    return _kind_of(name) is not None or SYMBOL.fullmatch(name) is not None


def looks_like_genes(names: Sequence[str]) -> tuple[float, str]:
    """Return the share of names that look like genes or probes, and their most frequent kind."""
    looked_at = _some(names)
    if not looked_at:
        return 0.0, ""
    named = [(_kind_of(name), name) for name in looked_at]
    kinds = Counter(kind for kind, _ in named if kind is not None)
    rest = [name for kind, name in named if kind is None]
    if not _numbered(rest):
        kinds["gene symbols"] = sum(
            bool(SYMBOL.fullmatch(name))
            and not SAMPLE.fullmatch(name)
            and name.lower() not in DESCRIBING | CLINICAL
            for name in rest
        )
    entrez = [int(name[:12]) for name in rest if name.isdecimal()]
    # Numbers below a hundred are time points and running numbers.
    if len(entrez) >= 20 and max(entrez) > max(1000, 2 * len(names)):
        kinds["Entrez ids"] = len(entrez)
    kind, count = max(kinds.items(), key=lambda pair: pair[1], default=("", 0))
    share = sum(kinds.values()) / len(looked_at)
    return (share, kind) if count else (0.0, "")


def looks_like_samples(names: Sequence[str]) -> float:
    """Return the share of names that look like samples, cells or conditions."""
    looked_at = _some(names)
    if not looked_at:
        return 0.0
    found = sum(bool(SAMPLE.fullmatch(name)) and _kind_of(name) is None for name in looked_at)
    if _numbered(looked_at) and looks_like_genes(looked_at)[0] < 0.5:
        return 1.0
    return found / len(looked_at)


def _some(names: Sequence[str]) -> list[str]:
    step = max(1, len(names) // LOOKED_AT)
    return [name[:100] for name in names[::step] if name]


def _numbered(names: Iterable[str]) -> bool:
    """Return whether names are one word with running numbers: "s1", "s2", …"""
    stems = Counter(
        found[0] for name in names if (found := STEM.match(name)) and any(map(str.isdigit, name))
    )
    total = sum(stems.values())
    return total >= 3 and max(stems.values()) > MOST_OF_ONE_STEM * total
