"""Compare column headers with the words that people and programs use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def key_of(header: str) -> str:
    """Normalise a header for comparison: lower case, only letters and digits.

    Applied Biosystems writes the t of Ct in Cyrillic.
    """
    plain = header.casefold().replace("т", "t")
    return "".join(letter for letter in plain if letter.isalnum())


def rank(key: str, patterns: tuple[str, ...]) -> int | None:
    """Return the index of the first pattern that matches a whole key; None if none does."""
    return next((n for n, pattern in enumerate(patterns) if re.fullmatch(pattern, key)), None)


def ranked(keys: Sequence[str], patterns: tuple[str, ...], columns: Iterable[int]) -> list[int]:
    """Return the columns whose keys match any pattern, by pattern and then by position."""
    ranks = ((rank(keys[column], patterns), column) for column in columns)
    return [column for _, column in sorted((n, column) for n, column in ranks if n is not None)]


_GENES = (
    "gene|genes|gene id|gene ids|gene name|gene names|gene symbol|gene symbols|symbol|symbols|hugo"
    "|hugo symbol|hgnc|hgnc symbol|mgi symbol|external gene name|gene short name|orf|yorf|locus"
    "|locus tag|systematic name|accession|accession number|gene accession|gene accession number"
    "|ensembl|ensembl id|ensembl gene id|entrez|entrez id|entrez gene|entrez gene id|refseq"
    "|refseq id|unigene|transcript|transcript id|target id|tracking id|gene family|mirna|mirna id"
)
_PROBES = (
    "probe|probes|probe id|probe name|probeset|probe set|probe set id|probe set name|probeset id"
    "|id ref|reporter|reporter id|reporter ref|clone|clone id|cpg|cpg id|composite element ref"
    "|hybridization ref|feature|feature id|assay|assay name|snp|snp id"
)
_MOLECULES = (
    "protein|protein id|uniprot|uniprot id|peptide|metabolite|metabolite name|compound"
    "|compound name|compound id|lipid|lipid name|row id|alignment id|otu|otu id|asv|asv id|taxon"
    "|taxa|taxon name|clade name"
)
_SAMPLES = (
    "sample|samples|sample id|sample name|cell|cells|cell id|barcode|barcodes|patient|patient id"
    "|subject|subject id"
)
_ANYTHING = (
    "id|ids|name|names|uid|uniqid|identifier|index|unnamed: 0|row.names|row names|row name|rowname"
)

ID_KEYS = frozenset(
    key_of(name)
    for names in (_GENES, _PROBES, _MOLECULES, _SAMPLES, _ANYTHING)
    for name in names.split("|")
)
"""Keys of headers under which a column names the rows even if it holds numbers."""

DESCRIPTIONS = re.compile(
    r"(?:.*[ _.])?(?:descriptions?|annotations?|comments?|remarks?|notes?|names?|symbols?|status"
    r"|synonyms?|alias(?:es)?|titles?|functions?|process|pathways?|keywords?)",
    re.I,
)
"""Headers of descriptions: a column without any cell is a text there."""


def is_id_name(cell: str) -> bool:
    """Return whether a header says that a column names the rows; a blank one does not."""
    return len(cell) <= 60 and key_of(cell) in ID_KEYS


def may_name_rows(cell: str) -> bool:
    """Return the same, but accept a blank header, as over the first column."""
    return not cell.strip() or is_id_name(cell)


def heads_texts(cell: str) -> bool:
    """Return whether a header says that a column names or describes the rows."""
    return is_id_name(cell) or bool(DESCRIPTIONS.fullmatch(cell.strip()[:60]))
