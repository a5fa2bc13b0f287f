"""Headers that are easily taken for data, and columns beside the samples that are none."""

from __future__ import annotations

from tests.contract.troublesome.case import Case


def _text(*lines: str, mark: str = "\t") -> bytes:
    """Lines in which bars stand for the delimiter."""
    return "".join(line.replace("|", mark) + "\n" for line in lines).encode()


CALLS = Case(
    name="calls.txt",
    content=_text(
        "Gene Description|Gene Accession Number|1|call|2|call|3|call",
        "first thing|A28102_at|151|A|263|P|88|A",
        "second thing|AB000114_at|72|A|21|A|-27|A",
        "third thing|AB000115_at|281|P|250|P|333|M",
        "fourth thing|AB000220_at|36|A|43|A|33|A",
    ),
    trouble="Arrays are named by numbers, and have a column of calls each.",
    items=("A28102_at", "AB000114_at", "AB000115_at", "AB000220_at"),
    features=("1", "2", "3"),
    values=((151, 263, 88), (72, 21, -27), (281, 250, 333), (36, 43, 33)),
)

REPLICATES = Case(
    name="replicates.csv",
    content=_text(
        "|liver||||kidney|||",
        "|control||treated||control||treated|",
        "gene|1|2|1|2|1|2|1|2",
        "TP53|5.1|5.3|7.2|7.4|2.1|2.2|3.5|3.6",
        "MYC|8.5|8.7|6.1|6.2|4.1|4.5|9.5|9.2",
        "EGFR|3.1|3.3|3.2|3.4|3.1|3.2|3.5|3.6",
        mark=",",
    ),
    trouble="Merged cells over three header rows, the last of which holds numbers of replicates.",
    items=("TP53", "MYC", "EGFR"),
    features=tuple(
        f"{tissue} {group} {number}"
        for tissue in ("liver", "kidney")
        for group in ("control", "treated")
        for number in (1, 2)
    ),
    values=(
        (5.1, 5.3, 7.2, 7.4, 2.1, 2.2, 3.5, 3.6),
        (8.5, 8.7, 6.1, 6.2, 4.1, 4.5, 9.5, 9.2),
        (3.1, 3.3, 3.2, 3.4, 3.1, 3.2, 3.5, 3.6),
    ),
)

TAXA = Case(
    name="otus.txt",
    content=_text(
        "# Constructed from biom file",
        "#OTU ID|101.0|102.0|103.0|taxonomy",
        "4479944|5|0|7|k__Bacteria; p__Firmicutes",
        "519673|2|11|0|k__Bacteria; p__Bacteroidetes",
        "823634|0|3|1|k__Archaea; p__Euryarchaeota",
    ),
    trouble="Numbers name both taxa and samples, and a description is in the last column.",
    items=("4479944", "519673", "823634"),
    features=("101.0", "102.0", "103.0"),
    item_labels={
        "taxonomy": (
            "k__Bacteria; p__Firmicutes",
            "k__Bacteria; p__Bacteroidetes",
            "k__Archaea; p__Euryarchaeota",
        )
    },
    values=((5, 0, 7), (2, 11, 0), (0, 3, 1)),
)

ALIGNMENT = Case(
    name="alignment.txt",
    content=_text(
        "||||Class|QC|QC|B|B",
        "||||File type|QC|QC|Sample|Sample",
        "||||Injection order|1|4|2|3",
        "Alignment ID|Average Rt(min)|Average Mz|Score|Metabolite name|q1|q2|b1|b2",
        "0|1.21|104.107|0.9|Choline|512|530|477|460",
        "1|1.34|132.077|0.8|Creatine|1200|1180|1321|1290",
        "2|5.9|205.097|0.7|Tryptophan|88|91|64|70",
        "3|6.2|166.086|0.9|Phenylalanine|301|299|350|355",
    ),
    trouble="Labels of the samples are above the header and named next to the samples; columns of"
    " numbers that those leave blank describe the peaks.",
    items=("Choline", "Creatine", "Tryptophan", "Phenylalanine"),
    features=("q1", "q2", "b1", "b2"),
    item_labels={"Average Mz": ("104.107", "132.077", "205.097", "166.086")},
    feature_labels={
        "Class": ("QC", "QC", "B", "B"),
        "File type": ("QC", "QC", "Sample", "Sample"),
        "Injection order": ("1", "4", "2", "3"),
    },
    values=((512, 530, 477, 460), (1200, 1180, 1321, 1290), (88, 91, 64, 70), (301, 299, 350, 355)),
)

COUNTED = Case(
    name="counted.csv",
    content=_text(
        "File Name|||a_01.RCC|a_02.RCC|b_01.RCC",
        "Sample Name|||a1|a2|b1",
        "Binding Density|||0.51|0.62|0.7",
        "Probe Name|Accession #|Class Name|||",
        "ACTB|NM_001101.2|Housekeeping|8120|7995|9034",
        "TP53|NM_000546.2|Endogenous|312|287|451",
        "POS_A(128)|ERCC_00117.1|Positive|20110|19876|21034",
        mark=",",
    ),
    trouble="Columns of texts are named below the rows that describe the samples.",
    items=("ACTB", "TP53", "POS_A(128)"),
    features=("a1", "a2", "b1"),
    item_labels={"Class Name": ("Housekeeping", "Endogenous", "Positive")},
    feature_labels={
        "File Name": ("a_01.RCC", "a_02.RCC", "b_01.RCC"),
        "Binding Density": ("0.51", "0.62", "0.7"),
    },
    values=((8120, 7995, 9034), (312, 287, 451), (20110, 19876, 21034)),
    notes=("load.label_rows",),
)

ANNOTATED = Case(
    name="annotated_columns.csv",
    content=_text(
        "||Patient|p1|p1|p2|p2",
        "||Time (h)|0|24|0|24",
        "Probe|Symbol|Band|a|b|c|d",
        "1007_s_at|DDR1|6p21|5.1|5.3|7.2|7.4",
        "1053_at|RFC2|7q11|8.5|8.7|6.1|6.2",
        "117_at|HSPA6|1q23|3.1|3.3|3.2|3.4",
        mark=",",
    ),
    trouble="Rows of labels are named next to the samples, one as columns of names may be.",
    items=("1007_s_at", "1053_at", "117_at"),
    features=("a", "b", "c", "d"),
    feature_labels={"Patient": ("p1", "p1", "p2", "p2"), "Time (h)": ("0", "24", "0", "24")},
    item_labels={"Symbol": ("DDR1", "RFC2", "HSPA6")},
    values=((5.1, 5.3, 7.2, 7.4), (8.5, 8.7, 6.1, 6.2), (3.1, 3.3, 3.2, 3.4)),
)

PEAKS = Case(
    name="peaks.csv",
    content=_text(
        "row ID|row m/z|row retention time|a.mzML Peak area|b.mzML Peak area|c.mzML Peak area|",
        "1|104.107|1.21|512|530.5|477|",
        "2|132.077|1.34|1200|1180|1321|",
        "3|205.097|5.9|88|91|64.5|",
        mark=",",
    ),
    trouble="Mass and time of a peak are no samples; every row ends with a delimiter.",
    items=("1", "2", "3"),
    features=("a.mzML Peak area", "b.mzML Peak area", "c.mzML Peak area"),
    item_labels={
        "row m/z": ("104.107", "132.077", "205.097"),
        "row retention time": ("1.21", "1.34", "5.9"),
    },
    values=((512, 530.5, 477), (1200, 1180, 1321), (88, 91, 64.5)),
)

NO_HEADER = Case(
    name="unknown_function.tsv",
    content=_text(
        "YAL001C|unknown function|0.15|-0.2|7",
        "YAL002W|cell cycle process|-0.11|0.4|9",
        "YAL003W|translation|0.3|0.41|2",
    ),
    trouble="There is no header, but a first description that could be part of one.",
    items=("YAL001C", "YAL002W", "YAL003W"),
    features=("column 3", "column 4", "column 5"),
    values=((0.15, -0.2, 7), (-0.11, 0.4, 9), (0.3, 0.41, 2)),
    notes=("load.no_header",),
)

NUMBERED = Case(
    name="numbered.csv",
    content=_text("Strain|1|2|3|4", "st_x|7|12|3|0", "st_y|1|8|5|2", "st_z|4|4|9|6", mark=","),
    trouble="Samples are named by numbers, and values are whole numbers, too.",
    items=("st_x", "st_y", "st_z"),
    features=("1", "2", "3", "4"),
    values=((7, 12, 3, 0), (1, 8, 5, 2), (4, 4, 9, 6)),
)

CODED = Case(
    name="coded_samples.csv",
    content=_text("Strain|17|4|11", "st_x|7|12|3", "st_y|1|8|5", "st_z|4|4|9", mark=","),
    trouble="Nothing tells numbers that name samples from values; the note says what to do.",
    items=("st_x", "st_y", "st_z"),
    features=("17", "4", "11"),
    values=((7, 12, 3), (1, 8, 5), (4, 4, 9)),
)

ROOM_TEMPERATURE = Case(
    name="temperatures.csv",
    content=_text("gene|RT|4C|37C", "TP53|5.1|5.3|7.2", "MYC|8.5|8.7|6.1", "EGFR|3.1|3.3|3.2"),
    trouble="RT is a temperature here, not the retention time of a peak.",
    items=("TP53", "MYC", "EGFR"),
    features=("RT", "4C", "37C"),
    values=((5.1, 5.3, 7.2), (8.5, 8.7, 6.1), (3.1, 3.3, 3.2)),
)

RULED = Case(
    name="ruled.md",
    content=_text(
        "| gene | ctl | low |",
        "|------|----:|----:|",
        "| TP53 | 5.1 | 5.3 |",
        "| MYC | 8.5 | 8.7 |",
        "| EGFR | 3.1 | 3.3 |",
        mark="|",
    ),
    trouble="A line is drawn below the header.",
    items=("TP53", "MYC", "EGFR"),
    features=("ctl", "low"),
    values=((5.1, 5.3), (8.5, 8.7), (3.1, 3.3)),
    notes=("load.remarks",),
)

TWO_TABLES = Case(
    name="two_tables.csv",
    content=_text(
        "gene|ctl|low|high",
        "TP53|5.1|5.3|7.2",
        "MYC|8.5|8.7|6.1",
        "EGFR|3.1|3.3|3.2",
        "",
        "gene|p|fold|rank",
        "TP53|0.01|1.5|1",
        "MYC|0.2|0.7|3",
        mark=",",
    ),
    trouble="A table as wide as the first is below it.",
    items=("TP53", "MYC", "EGFR"),
    features=("ctl", "low", "high"),
    values=((5.1, 5.3, 7.2), (8.5, 8.7, 6.1), (3.1, 3.3, 3.2)),
    notes=("load.footer",),
)

NARROWER = Case(
    name="narrower.csv",
    content=_text(
        "gene|ctl|low|high|higher",
        "TP53|5.1|5.3|7.2|7.4",
        "MYC|8.5|8.7|6.1|6.2",
        "EGFR|3.1|3.3|3.2|3.4",
        "",
        "Symbol|p|fold",
        "TP53|0.01|1.5",
        mark=",",
    ),
    trouble="A table that is narrower than the first, and named otherwise, is below it.",
    items=("TP53", "MYC", "EGFR"),
    features=("ctl", "low", "high", "higher"),
    values=((5.1, 5.3, 7.2, 7.4), (8.5, 8.7, 6.1, 6.2), (3.1, 3.3, 3.2, 3.4)),
    notes=("load.footer",),
)

SIDE_BY_SIDE = Case(
    name="side_by_side.csv",
    content=_text(
        "gene|ctl|low||gene|mock|virus",
        "TP53|5.1|5.3||MYC|0.2|0.4",
        "MYC|8.5|8.7||EGFR|0.7|0.1",
        "EGFR|3.1|3.3||TP53|0.5|0.6",
        mark=",",
    ),
    trouble="Two tables lie side by side, with the same genes in another order.",
    items=("TP53", "MYC", "EGFR"),
    features=("ctl", "low"),
    values=((5.1, 5.3), (8.5, 8.7), (3.1, 3.3)),
)

CASES = (
    CALLS,
    REPLICATES,
    TAXA,
    ALIGNMENT,
    COUNTED,
    ANNOTATED,
    PEAKS,
    NO_HEADER,
    NUMBERED,
    CODED,
    ROOM_TEMPERATURE,
    RULED,
    TWO_TABLES,
    NARROWER,
    SIDE_BY_SIDE,
)
