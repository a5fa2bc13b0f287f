"""Long tables as instruments and programs write them: one value per row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tests.contract.troublesome.case import Case

NAN = float("nan")


def _text(header: str, rows: Iterable[Sequence[object]], *, delimiter: str = "\t") -> bytes:
    """Lines of cells; the header is written with commas between its names."""
    lines = [header.split(","), *([str(cell) for cell in row] for row in rows)]
    return "\n".join(delimiter.join(cells) for cells in lines).encode() + b"\n"


UMI_TOOLS = Case(
    name="umi_tools_counts.tsv",
    content=_text(
        "gene,cell,count",
        [
            ("ENSG00000000003", "AAACCTGAGAAACCAT", 3),
            ("ENSG00000000003", "AAACCTGAGGGTTTCC", 1),
            ("ENSG00000000419", "AAACCTGAGAAACCAT", 2),
            ("ENSG00000000457", "AAACCTGAGCCCAATT", 5),
            ("ENSG00000000457", "AAACCTGAGGGTTTCC", 1),
        ],
    ),
    trouble="Counts of umi_tools: what was not counted has no row, and is zero.",
    items=("ENSG00000000003", "ENSG00000000419", "ENSG00000000457"),
    features=("AAACCTGAGAAACCAT", "AAACCTGAGGGTTTCC", "AAACCTGAGCCCAATT"),
    values=((3, 1, 0), (2, 0, 0), (0, 1, 5)),
    notes=("load.pivoted", "load.absent_zero"),
)

QUANTSTUDIO = Case(
    name="quantstudio_results.csv",
    content=b"* Block Type = 96-Well Block (0.2mL)\n* Chemistry = TAQMAN\n\n[Results]\n"
    + _text(
        "Well,Well Position,Sample Name,Target Name,Task,Reporter,CT,Ct Mean,Ct SD",
        [
            (1, "A1", "ctrl 1", "GAPDH", "UNKNOWN", "FAM", 18.0, 18.25, 0.3),
            (2, "A2", "ctrl 1", "GAPDH", "UNKNOWN", "FAM", 18.5, 18.25, 0.3),
            (3, "A3", "ctrl 1", "MYC", "UNKNOWN", "FAM", 25.0, 25.0, ""),
            (4, "A4", "ctrl 1", "MYC", "UNKNOWN", "FAM", "Undetermined", 25.0, ""),
            (5, "A5", "drug 1", "GAPDH", "UNKNOWN", "FAM", 19.0, 19.5, 0.7),
            (6, "A6", "drug 1", "GAPDH", "UNKNOWN", "FAM", 20.0, 19.5, 0.7),
            (7, "A7", "drug 1", "MYC", "UNKNOWN", "FAM", "Undetermined", "", ""),
            (8, "A8", "drug 1", "MYC", "UNKNOWN", "FAM", "Undetermined", "", ""),
        ],
        delimiter=",",
    ),
    trouble="Wells of a QuantStudio, in duplicate, below what the instrument says of itself.",
    items=("GAPDH", "MYC"),
    features=("ctrl 1", "drug 1"),
    values=((18.25, 19.5), (25.0, NAN)),
    notes=("load.pivoted", "load.repeats_joined", "load.columns_left_out"),
)

BIOMARK = Case(
    name="biomark_detailed.csv",
    content=b"Chip Run Info,C:\\runs\\13.bml,1361102,48.48 (138x),Gene Expression,ROX,FAM-MGB\n"
    b"Application Version,4.1.2\nExport Type,Detailed Table Results\nQuality Threshold,0.65\n\n"
    b"Experiment Information,Experiment Information,Experiment Information,EvaGreen,EvaGreen,"
    b"EvaGreen,EvaGreen,EvaGreen\n"
    b"Chamber,Sample,Sample,FAM-MGB,FAM-MGB,Ct,Ct,Ct\n"
    + _text(
        "ID,Name,Type,Name,Type,Value,Quality,Call",
        [
            ("S01-A01", "cell 1", "Unknown", "GAPDH", "Test", 12.5, 0.99, "Pass"),
            ("S01-A02", "cell 1", "Unknown", "SOX2", "Test", 999, 0, "Fail"),
            ("S02-A01", "cell 2", "Unknown", "GAPDH", "Test", 13.5, 0.98, "Pass"),
            ("S02-A02", "cell 2", "Unknown", "SOX2", "Test", 20.25, 0.97, "Pass"),
            ("S03-A01", "cell 3", "NTC", "GAPDH", "Test", 12.75, 0.99, "Pass"),
            ("S03-A02", "cell 3", "NTC", "SOX2", "Test", 21.5, 0.96, "Pass"),
        ],
        delimiter=",",
    ),
    trouble="Chambers of a BioMark with names in three header rows, and 999 for what failed.",
    items=("GAPDH", "SOX2"),
    features=("cell 1", "cell 2", "cell 3"),
    feature_labels={"Sample Type": ("Unknown", "Unknown", "NTC")},
    values=((12.5, 13.5, 12.75), (NAN, 20.25, 21.5)),
    notes=("load.pivoted", "load.coded_missing"),
)

OPEN_ARRAY = Case(
    name="openarray.txt",
    content=_text(
        "Barcode,Well,Sample Name,Target Name,Crt,Crt Mean,Amp Score",
        [
            ("AAA01", "A1a1", "liver", "hsa-miR-21-5p_000397", 17.5, 17.5, 1.2),
            ("AAA01", "A1a2", "liver", "hsa-let-7a-5p_000377", 19.25, 19.25, 1.3),
            ("AAA02", "A1a1", "brain", "hsa-miR-21-5p_000397", 22.0, 22.0, 1.1),
            ("AAA02", "A1a2", "brain", "hsa-let-7a-5p_000377", 16.5, 16.5, 1.4),
        ],
    ),
    trouble="An OpenArray, whose cycles are called Crt, with a barcode for each array.",
    items=("hsa-miR-21-5p_000397", "hsa-let-7a-5p_000377"),
    features=("liver", "brain"),
    feature_labels={"Barcode": ("AAA01", "AAA02")},
    values=((17.5, 22.0), (19.25, 16.5)),
    notes=("load.pivoted",),
)

EVIDENCE = Case(
    name="evidence.txt",
    content=_text(
        "Sequence,Modified sequence,Proteins,Leading razor protein,Gene names,Raw file,Experiment,"
        "Charge,Retention time,Intensity,Reverse,Potential contaminant,id",
        [
            ("AAK", "_AAK_", "P04637", "P04637", "TP53", "f1", "ctrl", 2, 20.5, 1000, "", "", 0),
            ("CDK", "_CDK_", "P04637;Q1", "P04637", "TP53", "f1", "ctrl", 3, 31.5, 500, "", "", 1),
            ("AAK", "_AAK_", "P04637", "P04637", "TP53", "f2", "drug", 2, 20.75, 250, "", "", 2),
            ("EFK", "_EFK_", "P38398", "P38398", "BRCA1", "f1", "ctrl", 2, 25.0, "", "", "", 3),
            ("EFK", "_EFK_", "P38398", "P38398", "BRCA1", "f2", "drug", 2, 25.5, 70, "", "", 4),
        ],
    ),
    trouble="The evidence of MaxQuant: peptides, whose intensities add up to those of proteins.",
    items=("P04637", "P38398"),
    features=("ctrl", "drug"),
    item_labels={"Gene names": ("TP53", "BRCA1")},
    feature_labels={"Raw file": ("f1", "f2")},
    values=((1500, 250), (NAN, 70)),
    notes=("load.pivoted", "load.repeats_joined", "load.columns_left_out"),
)

SPECTRONAUT = Case(
    name="spectronaut_report.tsv",
    content=_text(
        "R.Condition,R.FileName,R.Replicate,PG.Genes,PG.ProteinGroups,PG.Quantity,EG.PrecursorId,"
        "EG.Qvalue,FG.Quantity",
        [
            ("ctrl", "run_1", 1, "TP53", "P04637", 1200.5, "_AAK_.2", 0.001, 400),
            ("ctrl", "run_1", 1, "TP53", "P04637", 1200.5, "_CDK_.3", 0.002, 300),
            ("ctrl", "run_1", 1, "ALB;ALBU", "P02768;P02769", 90, "_EFK_.2", 0.001, 90),
            ("drug", "run_2", 2, "TP53", "P04637", 600.25, "_AAK_.2", 0.004, 200),
        ],
    ),
    trouble="A report of Spectronaut: the quantity of a protein stands beside all its precursors.",
    items=("P04637", "P02768;P02769"),
    features=("run_1", "run_2"),
    item_labels={"PG.Genes": ("TP53", "ALB;ALBU")},
    feature_labels={"R.Condition": ("ctrl", "drug"), "R.Replicate": ("1", "2")},
    values=((1200.5, 600.25), (90, NAN)),
    notes=("load.pivoted", "load.repeats_joined", "load.absent_blank"),
)

DIA_NN = Case(
    name="diann_report.tsv",
    content=_text(
        "File.Name,Run,Protein.Group,Protein.Ids,Genes,PG.Quantity,PG.MaxLFQ,Precursor.Id,Q.Value",
        [
            ("C:\\d\\a.raw", "a", "P04637", "P04637", "TP53", 10, 11.5, "AAK2", 0.001),
            ("C:\\d\\b.raw", "b", "P04637", "P04637", "TP53", 20, 21.5, "AAK2", 0.002),
            ("C:\\d\\a.raw", "a", "P38398", "P38398", "BRCA1", 30, 31.5, "EFK2", 0.001),
            ("C:\\d\\b.raw", "b", "P38398", "P38398", "BRCA1", 40, 41.5, "EFK2", 0.003),
            ("C:\\d\\b.raw", "b", "P38398", "P38398", "BRCA1", 40, 41.5, "GHK2", 0.003),
        ],
    ),
    trouble="The main report of DIA-NN, with several quantities for every precursor.",
    items=("P04637", "P38398"),
    features=("a", "b"),
    item_labels={"Genes": ("TP53", "BRCA1")},
    values=((11.5, 21.5), (31.5, 41.5)),
    notes=("load.pivoted", "load.repeats_joined"),
)

OLINK = Case(
    name="olink_npx.csv",
    content=_text(
        "SampleID;Index;OlinkID;UniProt;Assay;Panel;QC_Warning;LOD;NPX",
        [],
    )
    .replace(b",", b";")
    .replace(b"\t", b";")
    + b"A1;1;OID00471;P10145;IL8;Olink INFLAMMATION;Pass;1.5;12.96\n"
    b"A1;1;OID00472;P15692;VEGFA;Olink INFLAMMATION;Pass;2.5;6.5\n"
    b"A2;2;OID00471;P10145;IL8;Olink INFLAMMATION;Warning;1.5;11.25\n"
    b"A2;2;OID00472;P15692;VEGFA;Olink INFLAMMATION;Warning;2.5;6.75\n",
    trouble="The NPX table of Olink: assays have an id, a name and a protein.",
    items=("OID00471", "OID00472"),
    features=("A1", "A2"),
    item_labels={"Assay": ("IL8", "VEGFA"), "LOD": ("1.5", "2.5")},
    feature_labels={"QC_Warning": ("Pass", "Warning")},
    values=((12.96, 11.25), (6.5, 6.75)),
    notes=("load.pivoted",),
)

REPLICATES = Case(
    name="tidy_replicates.csv",
    content=_text(
        "gene_id,gene_name,condition,replicate,tpm",
        [
            (gene, name, condition, replicate, 10 * place + step)
            for place, (gene, name) in enumerate((("7157", "TP53"), ("672", "BRCA1")))
            for step, (condition, replicate) in enumerate(
                (("ctrl", 1), ("ctrl", 2), ("drug", 1), ("drug", 2))
            )
        ],
        delimiter=",",
    ),
    trouble="A tidy table: samples are replicates of conditions, genes have numbers.",
    items=("7157", "672"),
    features=("ctrl_1", "ctrl_2", "drug_1", "drug_2"),
    item_labels={"gene_name": ("TP53", "BRCA1")},
    feature_labels={
        "condition": ("ctrl", "ctrl", "drug", "drug"),
        "replicate": ("1", "2", "1", "2"),
    },
    values=((0, 1, 2, 3), (10, 11, 12, 13)),
    notes=("load.pivoted",),
)

MELTED = Case(
    name="melted.csv",
    content=_text(
        ",Symbol,variable,value",
        [
            (number, gene, sample, 0.5 * number)
            for number, (sample, gene) in enumerate(
                (sample, gene) for sample in ("liver", "brain") for gene in ("TP53", "EGFR", "MYC")
            )
        ],
        delimiter=",",
    ),
    trouble="What pandas' melt and R's melt leave, with the numbers of the rows before it.",
    items=("TP53", "EGFR", "MYC"),
    features=("liver", "brain"),
    values=((0.0, 1.5), (0.5, 2.0), (1.0, 2.5)),
    notes=("load.pivoted",),
)

NO_CT = Case(
    name="no_ct.csv",
    content=_text(
        "Sample,Target,Cq",
        [
            ("s1", "GAPDH", 18.5),
            ("s1", "SOX2", "No Ct"),
            ("s1", "MYC", "No Ct"),
            ("s2", "GAPDH", 19.5),
            ("s2", "SOX2", "No Ct"),
            ("s2", "MYC", 30.25),
        ],
        delimiter=",",
    ),
    trouble="Half of all reactions failed, and the instrument has a word of its own for that.",
    items=("GAPDH", "SOX2", "MYC"),
    features=("s1", "s2"),
    values=((18.5, 19.5), (NAN, NAN), (NAN, 30.25)),
    notes=("load.pivoted",),
)

UNNAMED = Case(
    name="tissue_levels.csv",
    content=_text(
        "Organ;HGNC;Level measured",
        [],
    )
    + b"".join(
        f"{organ};{gene};{value},5\n".encode()
        for organ, values in (("heart", (1, 2, 3)), ("lung", (4, 5, 6)), ("skin", (7, 8, 9)))
        for gene, value in zip(("TP53", "EGFR", "MYC"), values, strict=True)
    ),
    trouble="Headers of nobody's but its own, and decimal commas: only repeats tell what is what.",
    items=("TP53", "EGFR", "MYC"),
    features=("heart", "lung", "skin"),
    values=((1.5, 4.5, 7.5), (2.5, 5.5, 8.5), (3.5, 6.5, 9.5)),
    notes=("load.pivoted",),
)

CASES = (
    UMI_TOOLS,
    QUANTSTUDIO,
    BIOMARK,
    OPEN_ARRAY,
    EVIDENCE,
    SPECTRONAUT,
    DIA_NN,
    OLINK,
    REPLICATES,
    MELTED,
    NO_CT,
    UNNAMED,
)
