"""Tables of proteins and peptides as search engines write them."""

# Rows and headers of so many cells are added up from those that belong together.
# ruff: noqa: RUF005

from __future__ import annotations

from collections.abc import Sequence

from tests.contract.troublesome.case import Case

NAN = float("nan")


def _text(header: Sequence[str], *rows: Sequence[object], delimiter: str = "\t") -> bytes:
    lines = [list(header), *([str(cell) for cell in row] for row in rows)]
    return "\n".join(delimiter.join(cells) for cells in lines).encode() + b"\n"


_MAXQUANT = (
    *("Protein IDs", "Majority protein IDs", "Gene names", "Fasta headers"),
    *("Number of proteins", "Peptides", "Peptides ctrl_1", "Peptides drug_1"),
    *("Identification type ctrl_1", "Identification type drug_1", "Sequence coverage [%]"),
    *("Sequence coverage ctrl_1 [%]", "Sequence coverage drug_1 [%]", "Mol. weight [kDa]"),
    *("Sequence length", "Q-value", "Score", "Intensity", "Intensity ctrl_1", "Intensity drug_1"),
    *("iBAQ", "iBAQ ctrl_1", "iBAQ drug_1", "LFQ intensity ctrl_1", "LFQ intensity drug_1"),
    *("MS/MS count ctrl_1", "MS/MS count drug_1", "Only identified by site", "Reverse"),
    *("Potential contaminant", "id", "Peptide IDs", "Evidence IDs"),
)


def _maxquant_row(ids: str, gene: str, number: int, *marks: str) -> tuple[object, ...]:
    base = 1000 * (number + 1)
    return (
        *(ids, ids, gene, f">sp|{ids}"),
        *(ids.count(";") + 1, 5, 4, 3),
        *("By MS/MS", "By matching", 30.5),
        *(20.5, 10.5, 43.6),
        *(393, 0, 323.31, 30 * base, 10 * base, 20 * base),
        *(3 * base, 1 * base, 2 * base, base, 0 if number == 1 else 2 * base),
        *(7, 8, *marks),
        *(number, f"{number};7;9", "1;2"),
    )


MAXQUANT = Case(
    name="proteinGroups.txt",
    content=_text(
        _MAXQUANT,
        _maxquant_row("P04637;Q15086", "TP53", 0, "", "", ""),
        _maxquant_row("P38398", "BRCA1", 1, "", "", ""),
        _maxquant_row("CON__P00761", "", 2, "", "", "+"),
        _maxquant_row("REV__Q9Y6K9", "", 3, "", "+", ""),
        _maxquant_row("P00533", "EGFR", 4, "+", "", ""),
    ),
    trouble="proteinGroups.txt of MaxQuant: five quantities for every sample, decoys and groups.",
    items=("P04637", "P38398", "CON__P00761", "REV__Q9Y6K9", "P00533"),
    features=("ctrl_1", "drug_1"),
    item_labels={
        "Majority protein IDs": (
            *("P04637;Q15086", "P38398", "CON__P00761", "REV__Q9Y6K9", "P00533"),
        ),
        "Gene names": ("TP53", "BRCA1", "", "", "EGFR"),
        "Reverse": ("", "", "", "+", ""),
        "Peptides": ("5",) * 5,
    },
    values=((1000, 2000), (2000, 0), (3000, 6000), (4000, 8000), (5000, 10000)),
    notes=("load.columns_left_out", "load.quantity_taken", "load.first_ids"),
)

IBAQ_ONLY = Case(
    name="proteinGroups_ibaq.txt",
    content=_text(
        (
            "Protein.IDs",
            "Gene.names",
            "Peptides",
            "iBAQ",
            "iBAQ.wt.1",
            "iBAQ.ko.1",
            "Intensity.wt.1",
        )
        + ("Intensity.ko.1", "Reverse", "Potential.contaminant"),
        ("P04637", "TP53", 5, 30, 10, 20, 100, 200, "", ""),
        ("P38398", "BRCA1", 5, 70, 30, 40, 300, 400, "", ""),
        ("P00533", "EGFR", 5, 110, 50, 60, 500, 600, "", ""),
    ),
    trouble="MaxQuant without LFQ, after R has put points for spaces.",
    items=("P04637", "P38398", "P00533"),
    features=("wt.1", "ko.1"),
    item_labels={"Gene.names": ("TP53", "BRCA1", "EGFR")},
    values=((10, 20), (30, 40), (50, 60)),
    notes=("load.columns_left_out", "load.quantity_taken"),
)

PEPTIDES = Case(
    name="peptides.txt",
    content=_text(
        ("Sequence", "Length", "Missed cleavages", "Mass", "Proteins", "Leading razor protein")
        + ("Gene names", "Charges", "PEP", "Score", "Experiment ctrl", "Experiment drug")
        + ("Intensity", "Intensity ctrl", "Intensity drug", "Reverse", "Potential contaminant")
        + ("id", "Protein group IDs", "Evidence IDs"),
        *(
            (sequence, len(sequence), 0, 800.5, "P04637", "P04637", "TP53", "2;3", 0.001, 90, 1, 2)
            + (30 * number, 10 * number, 20 * number, "", "", number, 0, "1;2")
            for number, sequence in enumerate(("AAAK", "CCDR", "LLVEK"), 1)
        ),
    ),
    trouble="peptides.txt of MaxQuant: a protein has many, so that its ids name no row.",
    items=("AAAK", "CCDR", "LLVEK"),
    features=("ctrl", "drug"),
    item_labels={"Proteins": ("P04637",) * 3, "Missed cleavages": ("0",) * 3},
    values=((10, 20), (20, 40), (30, 60)),
    notes=("load.columns_left_out", "load.quantity_taken"),
)

PG_MATRIX = Case(
    name="report.pg_matrix.tsv",
    content=_text(
        ("Protein.Group", "Protein.Names", "Genes", "First.Protein.Description", "N.Sequences")
        + ("C:\\data\\20240101_wt_1.raw", "C:\\data\\20240101_ko_1.raw"),
        ("P04637", "P53_HUMAN", "TP53", "Cellular tumor antigen", 12, 1500.5, 2500.25),
        ("P38398;Q3B891", "BRCA1_HUMAN", "BRCA1", "Breast cancer", 3, "", 320.5),
        ("P00533", "EGFR_HUMAN", "EGFR", "Receptor", 30, 900.75, ""),
    ),
    trouble="A protein matrix of DIA-NN: samples are called by the paths of their files.",
    items=("P04637", "P38398", "P00533"),
    features=("20240101_wt_1", "20240101_ko_1"),
    item_labels={
        "Protein.Group": ("P04637", "P38398;Q3B891", "P00533"),
        "Genes": ("TP53", "BRCA1", "EGFR"),
        "N.Sequences": ("12", "3", "30"),
    },
    feature_labels={"file": ("C:\\data\\20240101_wt_1.raw", "C:\\data\\20240101_ko_1.raw")},
    values=((1500.5, 2500.25), (NAN, 320.5), (900.75, NAN)),
    notes=("load.names_shortened", "load.first_ids"),
)

PR_MATRIX = Case(
    name="report.pr_matrix.tsv",
    content=_text(
        ("Protein.Group", "Genes", "Proteotypic", "Stripped.Sequence", "Modified.Sequence")
        + ("Precursor.Charge", "Precursor.Id", "/data/a.mzML", "/data/b.mzML"),
        ("P04637", "TP53", 1, "AAK", "AAK", 2, "AAK2", 10.5, 20.5),
        ("P04637", "TP53", 1, "AAK", "AAK", 3, "AAK3", 30.5, ""),
        ("P38398", "BRCA1", 0, "CDK", "C(UniMod:4)DK", 2, "C(UniMod:4)DK2", 50.5, 60.5),
    ),
    trouble="A precursor matrix of DIA-NN: charges and flags stand among the numbers.",
    items=("AAK2", "AAK3", "C(UniMod:4)DK2"),
    features=("a", "b"),
    item_labels={"Proteotypic": ("1", "1", "0"), "Precursor.Charge": ("2", "3", "2")},
    values=((10.5, 20.5), (30.5, NAN), (50.5, 60.5)),
    notes=("load.names_shortened",),
)

FRAGPIPE = Case(
    name="combined_protein.tsv",
    content=_text(
        ("Protein", "Protein ID", "Entry Name", "Gene", "Protein Length", "Organism")
        + ("Protein Probability", "Combined Total Peptides", "Combined Spectral Count")
        + ("Combined Total Spectral Count", "wt_1 Spectral Count", "ko_1 Spectral Count")
        + ("wt_1 Total Spectral Count", "ko_1 Total Spectral Count", "wt_1 Intensity")
        + ("ko_1 Intensity", "wt_1 MaxLFQ Intensity", "ko_1 MaxLFQ Intensity")
        + ("Indistinguishable Proteins",),
        ("sp|P04637|P53_HUMAN", "P04637", "P53_HUMAN", "TP53", 393, "Homo sapiens", 1.0)
        + (8, 17, 17, 9, 8, 9, 8, 900, 800, 95.5, 85.5, ""),
        ("sp|P38398|BRCA1_HUMAN", "P38398", "BRCA1_HUMAN", "BRCA1", 1863, "Homo sapiens", 0.99)
        + (4, 7, 7, 4, 3, 4, 3, 400, 300, 45.5, 0, "sp|Q3B891|Q3B891_HUMAN"),
        ("contam_sp|P00761|TRYP_PIG", "P00761", "TRYP_PIG", "", 231, "Sus scrofa", 1.0)
        + (9, 50, 50, 25, 25, 25, 25, 9000, 8000, 955.5, 855.5, ""),
    ),
    trouble="combined_protein.tsv of FragPipe: names of quantities stand behind those of samples.",
    items=("P04637", "P38398", "P00761"),
    features=("wt_1", "ko_1"),
    item_labels={
        "Gene": ("TP53", "BRCA1", ""),
        "Protein Length": ("393", "1863", "231"),
        "Combined Spectral Count": ("17", "7", "50"),
    },
    values=((95.5, 85.5), (45.5, 0), (955.5, 855.5)),
    notes=("load.columns_left_out", "load.quantity_taken"),
)

SPECTRONAUT = Case(
    name="spectronaut_pivot.tsv",
    content=_text(
        ("PG.ProteinGroups", "PG.Genes", "PG.ProteinDescriptions", "PG.Qvalue")
        + ("[1] wt_1.raw.PG.NrOfStrippedSequencesIdentified", "[1] wt_1.raw.PG.Quantity")
        + ("[2] ko_1.raw.PG.NrOfStrippedSequencesIdentified", "[2] ko_1.raw.PG.Quantity"),
        ("P04637", "TP53", "antigen", 0.0, 5, 1234.5, 6, 2345.5),
        ("P02768;P02769", "ALB", "albumin", 0.001, 15, 91234.5, 16, "Filtered"),
        ("P38398", "BRCA1", "breast", 0.002, 2, "Filtered", 3, 45.5),
    ),
    trouble="A pivot report of Spectronaut: counts alternate with quantities, some are Filtered.",
    items=("P04637", "P02768", "P38398"),
    features=("wt_1", "ko_1"),
    item_labels={"PG.ProteinGroups": ("P04637", "P02768;P02769", "P38398")},
    values=((1234.5, 2345.5), (91234.5, NAN), (NAN, 45.5)),
    notes=("load.columns_left_out", "load.quantity_taken", "load.first_ids"),
)

ALPHAPEPT = Case(
    name="results_proteins.csv",
    content=_text(
        ("", "wt_1_LFQ", "ko_1_LFQ", "wt_1", "ko_1"),
        ("sp|P04637|P53_HUMAN", 10.5, 20.5, 100, 200),
        ("sp|P38398|BRCA1_HUMAN", 30.5, 40.5, 300, 400),
        ("REV__sp|P00533|EGFR_HUMAN", 50.5, 60.5, 500, 600),
        delimiter=",",
    ),
    trouble="Proteins of AlphaPept: normalised and raw intensities of the same samples.",
    items=("sp|P04637|P53_HUMAN", "sp|P38398|BRCA1_HUMAN", "REV__sp|P00533|EGFR_HUMAN"),
    features=("wt_1", "ko_1"),
    values=((10.5, 20.5), (30.5, 40.5), (50.5, 60.5)),
    notes=("load.columns_left_out", "load.quantity_taken"),
)

DISCOVERER = Case(
    name="proteome_discoverer.txt",
    content=_text(
        ("Protein FDR Confidence: Combined", "Master", "Accession", "Description", "Contaminant")
        + ("Exp. q-value: Combined", "Coverage [%]", "# Peptides", "# PSMs", "# AAs", "MW [kDa]")
        + ("Abundance Ratio: (ko) / (wt)", "Abundances (Grouped): ko", "Abundances (Grouped): wt")
        + ("Abundances (Normalized): F1: Sample, wt", "Abundances (Normalized): F2: Sample, ko")
        + (
            "Abundance: F1: Sample, wt",
            "Abundance: F2: Sample, ko",
            "Found in Sample: [S1] F1: wt",
        ),
        ("High", "IsMasterProtein", "P04637", "antigen", "FALSE", 0, 40, 9, 20, 393, 43.6)
        + (1.5, 15, 10, 10.5, 15.5, 9.5, 14.5, "High"),
        ("High", "IsMasterProtein", "P38398", "breast", "FALSE", 0, 10, 4, 5, 1863, 207.6)
        + (0.5, 5, 10, 20.5, 10.5, 19.5, 9.5, "High"),
        ("High", "IsMasterProtein", "P00761", "trypsin", "TRUE", 0, 60, 9, 50, 231, 24.4)
        + (1, 100, 100, 100.5, 100.25, 99.5, 98.5, "Peak Found"),
    ),
    trouble="Proteome Discoverer: abundances raw, normalised, grouped and as ratios.",
    items=("P04637", "P38398", "P00761"),
    features=("F1: Sample, wt", "F2: Sample, ko"),
    item_labels={"Contaminant": ("FALSE", "FALSE", "TRUE"), "# Peptides": ("9", "4", "9")},
    values=((10.5, 15.5), (20.5, 10.5), (100.5, 100.25)),
    notes=("load.columns_left_out", "load.quantity_taken"),
)

PERSEUS = Case(
    name="perseus_matrix.txt",
    content=_text(
        ("wt_1", "wt_2", "ko_1", "Potential contaminant", "Peptides", "Majority protein IDs")
        + ("Gene names",),
        ("#!{Type}E", "E", "E", "C", "N", "T", "T"),
        ("#!{C:Genotype}wt", "wt", "ko", "", "", "", ""),
        ("#!{N:Day}1", "2", "1", "", "", "", ""),
        (25.5, 26.5, "NaN", "", 5, "P04637;Q15086", "TP53"),
        (27.5, 28.5, 29.5, "", 6, "P38398", "BRCA1"),
        (30.5, 31.5, 32.5, "+", 7, "P00533", "EGFR"),
    ),
    trouble="A matrix of Perseus: rows between header and values tell types and groups.",
    items=("P04637", "P38398", "P00533"),
    features=("wt_1", "wt_2", "ko_1"),
    item_labels={
        "Majority protein IDs": ("P04637;Q15086", "P38398", "P00533"),
        "Gene names": ("TP53", "BRCA1", "EGFR"),
        "Peptides": ("5", "6", "7"),
    },
    feature_labels={"Genotype": ("wt", "wt", "ko"), "Day": ("1", "2", "1")},
    values=((25.5, 26.5, NAN), (27.5, 28.5, 29.5), (30.5, 31.5, 32.5)),
)

CASES = (
    MAXQUANT,
    IBAQ_ONLY,
    PEPTIDES,
    PG_MATRIX,
    PR_MATRIX,
    FRAGPIPE,
    SPECTRONAUT,
    ALPHAPEPT,
    DISCOVERER,
    PERSEUS,
)
