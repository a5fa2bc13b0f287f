"""Programs that write long tables, and other usual headers of their columns."""

from __future__ import annotations

import re
from dataclasses import dataclass

MEAN, MEDIAN, SUM, MAX, FIRST = "mean", "median", "sum", "max", "first"
BLANK, ZERO = "blank", "zero"

FAILED_REACTION = 999.0
"""Cycle number that Fluidigm's software writes for a reaction that never crossed the threshold."""


@dataclass(frozen=True, kw_only=True)
class LongKind:
    """A long table as one program writes it.

    Headers are compared by `key_of`; each is a regular expression that must match the whole key.

    Parameters
    ----------
    key, name
        For programs and for users.
    genes, samples, values
        Headers of the column that names genes, samples, and holds values; the best first.
    needs
        Further headers, all of which such a table has.
    repeats, absent
        How repeated values are joined, and what absent ones mean; "" where values tell.
    codes
        Numbers that stand for a missing value.
    """

    key: str
    name: str
    genes: tuple[str, ...]
    samples: tuple[str, ...]
    values: tuple[str, ...]
    needs: tuple[str, ...] = ()
    repeats: str = ""
    absent: str = BLANK
    codes: frozenset[float] = frozenset()


_CYCLES = ("c[tqp](value)?", "crt(value)?", "c[tq]drn", "cycles?", "c[tq]mean", "crtmean")
_TARGETS = ("target(name|id)?", "detector(name)?", "assay(name|id)?", "gene(name|symbol|id)?")
_RUNS = ("rfilename", "rrawfilename", "rlabel", "rcondition")

LONG_KINDS: tuple[LongKind, ...] = (
    LongKind(
        key="maxquant_evidence",
        name="evidence of MaxQuant",
        needs=("rawfile", "modifiedsequence"),
        genes=("leadingrazorprotein", "leadingproteins", "proteins", "proteinnames", "genenames"),
        samples=("experiment", "rawfile"),
        values=("intensity",),
        repeats=SUM,
    ),
    LongKind(
        key="spectronaut",
        name="report of Spectronaut",
        genes=("pgproteingroups", "pgproteinaccessions", "pguniprotids", "pggenes"),
        samples=_RUNS,
        values=("pgquantity", "pgnormalizedquantity", "pgms2quantity", "pgms1quantity", "pgibaq"),
        repeats=FIRST,
    ),
    LongKind(
        key="spectronaut_precursors",
        name="report of Spectronaut",
        genes=("egprecursorid", "fgid", "egmodifiedsequence", "pepstrippedsequence"),
        samples=_RUNS,
        values=("egtotalquantity.*", "fgquantity", "fgms2quantity", "fgms1quantity", "fpeakarea"),
        repeats=SUM,
    ),
    LongKind(
        key="dia_nn",
        name="report of DIA-NN",
        genes=("proteingroup", "genes"),
        samples=("run", "filename"),
        values=("pgmaxlfq", "pgnormalised", "pgquantity", "genesmaxlfq"),
        needs=("precursorid",),
        repeats=FIRST,
    ),
    LongKind(
        key="dia_nn_precursors",
        name="report of DIA-NN",
        genes=("precursorid",),
        samples=("run", "filename"),
        values=("precursornormalised", "precursorquantity"),
        repeats=FIRST,
    ),
    LongKind(
        key="alphadia",
        name="precursors of AlphaDIA",
        genes=("pg",),
        samples=("run",),
        values=("intensity", "pgintensity"),
        repeats=SUM,
    ),
    LongKind(
        key="biomark",
        name="results of a Fluidigm BioMark",
        needs=("chamberid",),
        genes=("(?!sample).+name",),
        samples=("samplename",),
        values=("ctvalue", "ct"),
        repeats=MEAN,
        codes=frozenset({FAILED_REACTION}),
    ),
    LongKind(
        key="olink",
        name="NPX table of Olink",
        genes=("olinkid", "assay", "uniprot"),
        samples=("sampleid",),
        values=("npx", "pcnormalizednpx", "quantifiedvalue"),
        needs=("assay",),
        repeats=MEAN,
    ),
    LongKind(
        key="umi_tools",
        name="counts of umi_tools",
        genes=("gene",),
        samples=("cell",),
        values=("count",),
        repeats=SUM,
        absent=ZERO,
    ),
    LongKind(
        key="qpcr",
        name="results of a quantitative PCR",
        genes=_TARGETS,
        samples=("sample(name|id)?", "samplenames"),
        values=_CYCLES,
        repeats=MEAN,
        codes=frozenset({FAILED_REACTION}),
    ),
)
"""Tried in this order; other tables are recognised by headers and by repeating cells."""

GENES = (
    r"gene(s|id|ids|name|names|symbol|symbols|label)?|hugosymbol|hgncsymbol|symbol|geneshortname",
    r"ensembl(id|geneid|gene)?|entrez(id|geneid|gene)?|orf|locus(tag)?|transcript(id|name)?",
    r"protein(s|id|ids|name|names|group|groups)?|uniprot(id|kb)?|accession",
    r"target(id|name)?|assay(id|name)?|analyte|detector(name)?|probe(id|set|setid|name)?|mirna",
    r"feature(s|id|name)?|featurecall|marker|antibody|metabolite|compound|peptide|precursor(id)?",
    r"otu|asv|taxon|taxa|species|lipid|cpg|cpgid|isoform",
)
"""Headers of columns that name genes or other measured molecules, plainest first."""

SAMPLES = (
    r"samples?|sample(id|name|names|label)|biosample|tumorsamplebarcode|gsm|geoaccession",
    r"cells?|cell(id|barcode|name)|barcode|cb|bc",
    r"run|rawfile|file|filename|library(id)?|array|chip|experiment|column|specimen",
    r"patient(id)?|subject(id)?|donor(id)?|individual|animal|mouse|participant|case(id)?|plant",
)
"""Headers of columns that name samples."""

CONDITIONS = (
    r"condition|treatment|group|tissue|celltype|cellline|organ|genotype|strain|stage|line|region",
    r"time|timepoint|times?(min|h|hr|hours?|minutes?)|hours?|minutes?|days?|weeks?|hpi|dpi|dose",
    r"concentration|temperature|drug|compound|stimulus|visit|sex|medium|fraction|location|cluster",
)
"""Headers of columns that distinguish conditions or times."""

REPLICATES = (r"(bio|biological|tech|technical)?rep(licate|lica)?(id|no|nr|number)?|batch",)
"""Headers of columns that number the replicates of a condition."""

VALUES = (
    r"values?|expression(value|level)?|expr|exprs|level",
    r"counts?|ncounts?|umis?|umicounts?|numis?|reads?|nreads|readcounts?|rawcounts?|molecules",
    r"tpm|[fr]pkm|cpm|rpm|log2?(tpm|[fr]pkm|cpm|counts?|expression|expr|intensity|value|ratio|fc)",
    r"(norm(alis|aliz)ed)?(values?|counts?|expression|intensity|abundance|quantity)",
    r"(lfq|maxlfq|ibaq)?intensit(y|ies)|signal|abundance|quantity|(peak)?area|npx|mfi",
    *_CYCLES,
    r"(d|dd|delta|deltadelta)c[tq]|rq|foldchange|zscore|beta(value)?|concentration|measurement|x",
)
"""Headers of columns that hold values; the plainest first."""

EITHER = r"variable|key|name|ind|level_?[01]|var[12]?|column|row|dim[12]"
"""Default headers of programs for unnamed columns of names."""

COUNTS = re.compile(
    r"counts?|ncounts?|umis?|umicounts?|numis?|reads?|nreads|readcounts?|rawcounts?|molecules"
)
"""Headers of counts, which can be added up."""
