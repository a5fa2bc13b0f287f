"""Quantities of samples, by the headers of their columns.

Of proteins and peptides as MaxQuant, FragPipe, Spectronaut, Proteome Discoverer, AlphaPept and
DIA-NN write them, and as R leaves them when it puts points for spaces. Of arrays and sequencing as
GenomeStudio and BeadStudio, MAS 5, Cufflinks, StringTie, RSEM and others write them side by side
for every sample; the name of the sample stands before or behind that of the quantity.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ximstudio.load.headers import key_of

NEVER = 99
"""Rank of columns per sample that are no quantity."""

TELLING_RANK = 6
"""Highest rank of quantities that only such tables have: LFQ, reporters, label ratios, iBAQ."""

TOTALS = frozenset({"combined", "total", "sum", "all"})
"""Words, in lower case, in place of a sample where a column is the total of all samples."""


@dataclass(frozen=True)
class Quantity:
    """A quantity that a table holds for every sample, in one column each.

    Parameters
    ----------
    name
        As the program calls it.
    pattern
        Matches whole headers; the group `sample` is the name of the sample.
    glob
        The same for users, with * for the sample.
    rank
        Which is taken first where several are there: the lowest.
    zero_is_missing
        Whether a zero means that nothing was found.
    """

    name: str
    pattern: re.Pattern[str]
    glob: str
    rank: int
    zero_is_missing: bool = True

    @property
    def is_telling(self) -> bool:
        """Return whether nothing but a table of proteins or peptides has it."""
        return self.rank <= TELLING_RANK


def _before(name: str, rank: int, *, after: str = "", zero: bool = True) -> Quantity:
    """Return a quantity whose name stands before that of the sample."""
    form = re.compile(rf"{spelt(name)}[ ._]+(?P<sample>.+?){spelt(after)}")
    return Quantity(name, form, f"{name} *{after}", rank, zero)


def _after(name: str, rank: int, *, mark: str = " ", zero: bool = True) -> Quantity:
    """Return a quantity whose name stands after that of the sample."""
    form = re.compile(rf"(?:\[\d+\] )?(?P<sample>.+?){re.escape(mark)}{spelt(name)}")
    return Quantity(name, form, f"*{mark}{name}", rank, zero)


def _colon(name: str, rank: int, form: str = "") -> Quantity:
    """Return a quantity with a colon between its name, or what `form` matches, and the sample."""
    pattern = re.compile(rf"{form or re.escape(name)}: (?P<sample>.+)")
    return Quantity(name, pattern, f"{name}: *", rank)


def spelt(name: str) -> str:
    """Return a pattern for a name in which R may have replaced spaces and signs by dots."""
    return re.sub(r"[^A-Za-z0-9]+", lambda mark: rf"(?:{re.escape(mark[0])}|[._]+)", name)


QUANTITIES: tuple[Quantity, ...] = (
    # MaxQuant
    _before("LFQ intensity", 0),
    _before("Reporter intensity corrected", 2),
    _before("Reporter intensity count", NEVER),
    _before("Reporter intensity", 3),
    _before("Ratio H/L normalized", 4, zero=False),
    _before("Ratio H/L variability [%]", NEVER),
    _before("Ratio H/L count", NEVER),
    _before("Ratio H/L type", NEVER),
    _before("Ratio H/L iso-count", NEVER),
    _before("Ratio H/L", 5, zero=False),
    _before("iBAQ", 6),
    _before("Top3", 8),
    _before("Intensity", 9),
    _before("MS/MS count", 20),
    _before("Razor + unique peptides", NEVER),
    _before("Unique peptides", NEVER),
    _before("Peptides", NEVER),
    _before("Unique + razor sequence coverage", NEVER, after=" [%]"),
    _before("Unique sequence coverage", NEVER, after=" [%]"),
    _before("Sequence coverage", NEVER, after=" [%]"),
    _before("Identification type", NEVER),
    _before("Experiment", NEVER),
    _before("Fraction", NEVER),
    # Proteome Discoverer
    _colon("Abundances (Normalized)", 0, r"Abundances? \(Normalized\)"),
    _colon("Abundances (Scaled)", 7, r"Abundances? \(Scaled\)"),
    _colon("Abundances (Grouped)", 10, r"Abundances? \(Grouped\)"),
    _colon("Abundance", 9),
    *(
        _colon(name, NEVER)
        for name in (
            *("Abundances (Grouped) CV [%]", "Abundances (Grouped) Count", "Abundances Count"),
            *("Found in Sample", "Found in Sample Group", "Abundance Ratio", "Quan Info"),
            *("Abundance Ratio (log2)", "Abundance Ratio P-Value", "Abundance Ratio Adj. P-Value"),
            *("Abundance Ratio Variability [%]", "Abundance Ratio Weight", "Abundances CV [%]"),
        )
    ),
    # Spectronaut
    _after("PG.Quantity", 0, mark="."),
    _after("PG.NormalizedQuantity", 0, mark="."),
    _after("PG.Log2Quantity", 1, mark=".", zero=False),
    _after("PG.IBAQ", 6, mark="."),
    _after("EG.TotalQuantity (Settings)", 7, mark="."),
    _after("FG.Quantity", 8, mark="."),
    *(
        _after(name, NEVER, mark=".")
        for name in (
            *("PG.NrOfStrippedSequencesIdentified", "PG.NrOfPrecursorsIdentified"),
            *("PG.NrOfStrippedSequencesUsedForQuantification", "PG.IsSingleHit", "PG.Qvalue"),
            *("PG.NrOfStrippedSequencesMeasured", "PG.Cscore", "PG.Coverage", "PG.PEP"),
            *("PG.RunEvidenceCount", "EG.Qvalue", "EG.Cscore", "EG.IsImputed", "PG.QValue"),
        )
    ),
    # AlphaPept
    _after("LFQ", 0, mark="_"),
    # FragPipe; the longer names first, for the shorter ones end alike
    _after("MaxLFQ Unique Intensity", 1),
    _after("MaxLFQ Total Intensity", 1),
    _after("MaxLFQ Razor Intensity", 1),
    _after("MaxLFQ Intensity", 0),
    _after("Unique Intensity", 10),
    _after("Total Intensity", 10),
    _after("Razor Intensity", 10),
    _after("Intensity", 9),
    _after("Unique Spectral Count", 22, zero=False),
    _after("Total Spectral Count", 21, zero=False),
    _after("Razor Spectral Count", 21, zero=False),
    _after("Spectral Count", 20, zero=False),
    _after("Total Peptides", NEVER),
    _after("Match Type", NEVER),
)
"""Tried in this order: a header belongs to the first that matches."""

PEPTIDE_IDS = (r"precursorid", r"modifiedsequence|annotatedsequence", r"(peptide)?sequence|peptide")
"""Keys of headers over names of peptides and precursors; tables of these have proteins besides."""

PROTEIN_IDS = (
    r"majorityproteinids",
    r"proteinids|proteingroups?|pgproteingroups|pgproteinaccessions",
    r"proteinid|accession|proteinaccessions?|uniprot(id|ids|kb)?|pg|leadingproteins",
    r"protein|proteins|proteinnames?|entryname",
)
"""Keys of headers over names of proteins, most specific first."""

TELLING = re.compile(
    r"majorityproteinids|proteinids|proteingroups?|pgproteingroups|pgproteinaccessions|proteinid"
    r"|accession|proteinaccessions?|leadingproteins|leadingrazorprotein|indistinguishableproteins"
    r"|firstproteindescription|fastaheaders|precursorid|proteins|pg"
)
"""Keys of headers that tables of proteins or peptides have, and hardly any others."""

GROUPED = re.compile(
    r"majorityproteinids|proteinids|proteingroups?|pgproteingroups|pgproteinaccessions|precursorid|pg"
)
"""Keys of headers that identify such a table even without a quantity."""

DESCRIPTIONS = re.compile(
    r"proteotypic|precursorcharge|n(proteotypic)?sequences|charges?|mass|molweightkda|sequencelength"
    r"|mw(kda)?|calcpi|coverage|(razoruniqueor)?(unique)?peptides?|psms?|score|qvalue|pep|msmscount"
    r"|proteinlength|proteinprobability|toppeptideprobability|combinedtotalpeptides|length"
    r"|numberofproteins|razoruniquepeptides|sequencecoverage|uniquerazorsequencecoverage|aas"
    r"|uniquesequencecoverage|sumpepscore|expqvalue.*|proteinexistence|intensity|ibaq|startposition"
    r"|endposition|missedcleavages|sequencelengths|ibaqpeptides|peptidecounts?(all|unique|razorunique)"
)
"""Keys of headers of numbers that describe a protein or peptide, and no sample."""

ID_LISTS = re.compile(
    r"(mod)?peptideids|peptideisrazor|evidenceids|msmsids|bestmsms|.*siteids|.*sitepositions|id"
    r"|proteingroupids|msmsscannumbers?|taxonomyids"
)
"""Keys of headers over numbers of rows in other tables of MaxQuant."""


def quantity_of(header: str, among: Sequence[Quantity] = QUANTITIES) -> tuple[Quantity, str] | None:
    """Return the quantity and the sample that a header names; None if it names none."""
    for quantity in among:
        if found := quantity.pattern.fullmatch(header):
            return quantity, found["sample"] or found["other"]
    return None


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
    pattern = re.compile(rf"(?P<sample>.+?){MARK}{form}|{form}{MARK}(?P<other>.+)", re.I)
    return Quantity(name, pattern, f"*{name}*", rank, zero_is_missing=False)


READOUTS: tuple[Quantity, ...] = (
    *(_quantity(name, NEVER) for name in _BESIDE),
    *(_quantity(name, rank) for name, rank in _VALUES),
)
"""Tried in this order: a header belongs to the first that matches."""

_KEYS_BESIDE = frozenset(map(key_of, _BESIDE))


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
