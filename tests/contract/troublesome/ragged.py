"""Ten texts with uneven rows, blank names, or several header rows."""

from __future__ import annotations

from math import nan

from tests.contract.troublesome.case import Case


def _text(*lines: str, mark: str = "\t") -> bytes:
    """Lines in which bars stand for the delimiter."""
    return "".join(line.replace("|", mark) + "\n" for line in lines).encode()


STRIPPED = Case(
    name="stripped.tsv",
    content=_text(
        "gene|alpha 0|alpha 7|alpha 14|alpha 21",
        "YAL001C|0.15|-0.2|0.07",
        "YAL002W|-0.11",
        "YAL003W|0.3|0.41|-0.5|0.26",
        "YAL004W",
        "YAL005C||0.12",
        "YAL007C|1.1|-0.9|0.6",
    ),
    trouble="Blank cells at the ends of most rows were stripped as white space.",
    items=("YAL001C", "YAL002W", "YAL003W", "YAL004W", "YAL005C", "YAL007C"),
    features=("alpha 0", "alpha 7", "alpha 14", "alpha 21"),
    values=(
        (0.15, -0.2, 0.07, nan),
        (-0.11, nan, nan, nan),
        (0.3, 0.41, -0.5, 0.26),
        (nan, nan, nan, nan),
        (nan, 0.12, nan, nan),
        (1.1, -0.9, 0.6, nan),
    ),
    notes=("load.short_rows",),
)

LIGHT_CYCLER = Case(
    name="cycler.txt",
    content=_text(
        "Experiment: plate 7  Selected Filter: SYBR (465-510)",
        "Include|Color|Pos|Name|Cp|Concentration|Standard|Status",
        "True|255|A1|ACTB|18.25||0",
        "True|255|A2|GAPDH|19.5||0",
        "True|255|A3|TP53|||0|>40",
        "False|255|A4|MYC|27.75||0",
    ),
    trouble="The last column is blank but in one row, and a line of text is above the header.",
    items=("ACTB", "GAPDH", "TP53", "MYC"),
    features=("Color", "Cp", "Concentration", "Standard"),
    item_labels={"Pos": ("A1", "A2", "A3", "A4"), "Status": ("", "", ">40", "")},
    values=((255, 18.25, nan, 0), (255, 19.5, nan, 0), (255, nan, nan, 0), (255, 27.75, nan, 0)),
    notes=("load.preamble", "load.short_rows"),
)

R_STRIPPED = Case(
    name="from_r.csv",
    content=_text(
        '"cold"|"heat"|"salt"',
        '"HSP12"|1.5|2|0.5',
        '"HSP26"|-3|0.25',
        '"SSA1"|1|4|2.5',
        '"SSA2"|0.5',
        "",
        "Total genes|4",
        mark=",",
    ),
    trouble="R writes no name over the names of the rows; rows are stripped, and a sum is below.",
    items=("HSP12", "HSP26", "SSA1", "SSA2"),
    features=("cold", "heat", "salt"),
    values=((1.5, 2, 0.5), (-3, 0.25, nan), (1, 4, 2.5), (0.5, nan, nan)),
    notes=("load.short_rows", "load.footer"),
)

ALL_SHORT = Case(
    name="all_short.csv",
    content=_text(
        "gene|cold|heat|remark",
        "HSP12|1.5|2",
        "HSP26|-3|0.25",
        "SSA1|1|4",
        mark=",",
    ),
    trouble="No row reaches the last name of the header: it may be blank, or a name be cut.",
    items=("HSP12", "HSP26", "SSA1"),
    features=("cold", "heat"),
    item_labels={"remark": ("", "", "")},
    values=((1.5, 2), (-3, 0.25), (1, 4)),
    notes=("load.short_rows",),
)

SHIFTED = Case(
    name="shifted.csv",
    content=_text(
        "gene|product|s1|s2",
        "HSP12|heat shock protein|1.5|2",
        "HSP26|chaperone, small|-3|0.25",
        "1.25|4",
        "SSA2|chaperone|0.5|1",
        "KAR2|ATPase|2.5|3",
        mark=",",
    ),
    trouble="A comma in a text is not quoted, and a row lacks its first cells, not its last.",
    items=("HSP12", "HSP26", "SSA2", "KAR2"),
    features=("s1", "s2"),
    item_labels={"product": ("heat shock protein", "chaperone, small", "chaperone", "ATPase")},
    values=((1.5, 2), (-3, 0.25), (0.5, 1), (2.5, 3)),
    notes=("load.joined_cells", "load.uneven_rows_left_out"),
)

BLANK_NAMES = Case(
    name="blank_names.csv",
    content=_text(
        "symbol|description|s1|s2|s3",
        "TP53|tumour protein|1|2|3.5",
        "|novel transcript|4|5|6",
        "MYC|transcription factor|7|8|9",
        "|pseudogene of actin|2|1|0.5",
        "ACTB|actin|3|2|1",
        mark=",",
    ),
    trouble="Some rows have no symbol.",
    items=("TP53", "novel transcript", "MYC", "pseudogene of actin", "ACTB"),
    features=("s1", "s2", "s3"),
    values=((1, 2, 3.5), (4, 5, 6), (7, 8, 9), (2, 1, 0.5), (3, 2, 1)),
    notes=("load.blank_names",),
)

ENTREZ = Case(
    name="entrez_times.csv",
    content=_text(
        "|0|10|20|40",
        "7157|0.5|1.5|2.5|3",
        "4609|1|0.25|2|8",
        "672|4|2.5|1|0.5",
        mark=",",
    ),
    trouble="Numbers name the rows and the columns, and the corner is blank.",
    items=("7157", "4609", "672"),
    features=("0", "10", "20", "40"),
    values=((0.5, 1.5, 2.5, 3), (1, 0.25, 2, 8), (4, 2.5, 1, 0.5)),
)

CLINICAL = Case(
    name="clinical_rows.tsv",
    content=_text(
        "gene|description|P1|P2|P3|P4",
        "Tumour type||luminal|basal|basal|normal",
        "Age (years)||45|61|38|50",
        "class||1|2|2|1",
        "ESR1|oestrogen receptor|9.5|2.25|2|5",
        "ERBB2|receptor kinase|7|8.5|6|5.5",
        "GATA3|transcription factor|8|3|2.5|6",
        "KRT5|keratin|1.5|7|8|6.5",
    ),
    trouble="Rows of texts and of numbers below the names describe the samples.",
    items=("ESR1", "ERBB2", "GATA3", "KRT5"),
    features=("P1", "P2", "P3", "P4"),
    item_labels={
        "description": (
            "oestrogen receptor",
            "receptor kinase",
            "transcription factor",
            "keratin",
        )
    },
    feature_labels={
        "Tumour type": ("luminal", "basal", "basal", "normal"),
        "Age (years)": ("45", "61", "38", "50"),
        "class": ("1", "2", "2", "1"),
    },
    values=((9.5, 2.25, 2, 5), (7, 8.5, 6, 5.5), (8, 3, 2.5, 6), (1.5, 7, 8, 6.5)),
    notes=("load.label_rows",),
)

LEVELS = Case(
    name="levels.csv",
    content=_text(
        "strain|wild type||mutant|",
        "hours|0|2|0|2",
        "gene||||",
        "HSP12|1.5|2|3|4",
        "HSP26|-3|0.25|5|6",
        "SSA1|1|4|2|2.5",
        mark=",",
    ),
    trouble="Two levels of names, the upper ones merged, and the name of the index below them.",
    items=("HSP12", "HSP26", "SSA1"),
    features=("wild type 0", "wild type 2", "mutant 0", "mutant 2"),
    feature_labels={
        "strain": ("wild type", "wild type", "mutant", "mutant"),
        "hours": ("0", "2", "0", "2"),
    },
    values=((1.5, 2, 3, 4), (-3, 0.25, 5, 6), (1, 4, 2, 2.5)),
)

SAMR = Case(
    name="responses.tsv",
    content=_text(
        "||1|1|2|2",
        "id|name|c1|c2|t1|t2",
        "||TPM|TPM|TPM|TPM",
        "g1|first gene|1.5|2|3|4",
        "g2|second gene|-3|0.25|5|6",
        "g3|third gene|1|4|2|2.5",
        "id|name|c1|c2|t1|t2",
        "g4|fourth gene|2|3|1|0.5",
    ),
    trouble="Responses above the names, units below them, and the names again further down.",
    items=("g1", "g2", "g3", "g4"),
    features=("c1", "c2", "t1", "t2"),
    item_labels={"name": ("first gene", "second gene", "third gene", "fourth gene")},
    feature_labels={"class": ("1", "1", "2", "2"), "unit": ("TPM", "TPM", "TPM", "TPM")},
    values=((1.5, 2, 3, 4), (-3, 0.25, 5, 6), (1, 4, 2, 2.5), (2, 3, 1, 0.5)),
    notes=("load.repeated_header",),
)

CASES = (
    STRIPPED,
    LIGHT_CYCLER,
    R_STRIPPED,
    ALL_SHORT,
    SHIFTED,
    BLANK_NAMES,
    ENTREZ,
    CLINICAL,
    LEVELS,
    SAMR,
)
