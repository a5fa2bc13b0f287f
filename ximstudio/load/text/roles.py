"""Guess the role of each column: names of the rows, label or numbers, with its evidence."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ximstudio.load.account import CHOSEN, no_such
from ximstudio.load.headers import is_id_name
from ximstudio.load.names import looks_like_genes
from ximstudio.load.reading import Choices
from ximstudio.load.text.dialect import Found
from ximstudio.load.text.edges import grow
from ximstudio.load.text.layout import Layout
from ximstudio.load.text.notation import Notation
from ximstudio.model.problem import UserError

LABEL_NAMES = re.compile(
    r"(?:.*[ _.])?(?:cluster|class|classes|group|batch|label|labels|type|category|stage|grade"
    r"|sex|gender|status|plate|leiden|louvain|chromosome|chr|strand|cell.?type|outcome|phenotype"
    r"|module|kmeans|partition|fold|target|diagnosis|dx|subtype|replicate|condition|treatment"
    r"|response|species|strain|cohort|arm|survived|event|tissue|genotype"
    r")(?:[ _.]?(?:id|no|nr|number|code|\d+))?|y"
)
"""Headers, in lower case, under which few whole numbers are codes, not values."""

ID_NUMBERS = re.compile(
    r"(?:.*[ _.])?id|id_ref|gene.?ids?|entrez.*|probe.*|uid|uniqid|index|unnamed: 0|row.?names?"
)
"""Headers, in lower case, under which whole numbers are ids, wherever the column is."""

ANNOTATIONS = re.compile(
    r"start|end|length|width|gene.?length|position|pos|(?:chrom|tx|cds).?(?:start|end)|exon.?count"
    r"|block|row|column|n\.(?:proteotypic\.)?sequences|number.?psms?|num.?otus"
)
"""Headers, in lower case, of whole numbers that describe a gene, left of its values."""

PROPERTIES = re.compile(
    r"(?:(?:row|average|avg|mean|median|precursor|reference)[ _.]?)?(?:m/?z|mz(?:med|min|max)"
    r"|rt(?:med|min|max)?|retention[ _.]?time)(?:[ _.]?[(\[].*[)\]])?"
    r"|max.?pep.?prob|reference.?intensity|(?:eff|effective)[ _.]?length"
)
"""Headers, in lower case, of any numbers that describe a gene or a peak, left of its values."""

MOST_CODES = 30
"""Maximum number of distinct integers under such a header."""

FIRST_COLUMNS = 12
"""Number of leading columns that may be such annotations."""

STEM = re.compile(r"[ _.]?\d+$")
"""The number at the end of a header."""

NUMBERED = re.compile(r"column (\d+)")

ALIKE = 0.9
"""Share of distinct texts in a column above which they are names."""


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The columns of a table by name; unnamed ones are called by their position in the file.

    `numeric` are the numbers, from 0, of those that hold numbers; `first` is the place of the first
    column as people count.
    """

    names: tuple[str, ...]
    numeric: frozenset[int]
    first: int = 1

    def place(self, column: int) -> int:
        """Return the position of a column in the file, counted from 1."""
        return column + self.first

    def called(self, column: int) -> str:
        """Return the display name of a column."""
        return self.names[column] or f"column {self.place(column)}"

    def find(self, text: str, *, key: str, where: str) -> int | None:
        """Return the column of this name or number ("column 3"); None if there is none."""
        found = [column for column, name in enumerate(self.names) if name == text]
        if len(found) > 1:
            raise UserError(
                key=key,
                what=f"{len(found)} columns are named '{text}'.",
                where=where,
                way_out="Give its number instead: "
                + " or ".join(f"'column {self.place(column)}'" for column in found[:3])
                + ".",
            )
        if found:
            return found[0]
        numbered = NUMBERED.fullmatch(text)
        column = int(numbered[1][:9]) - self.first if numbered else -1
        return column if 0 <= column < len(self.names) else None


def separated(labels: Iterable[str], known: Container[str]) -> Iterator[str]:
    """Split names at commas, except those that are part of a known name."""
    for label in labels:
        if label in known:
            yield label
        else:
            yield from (part.strip() for part in label.split(",") if part.strip())


def chosen_id(
    columns: Columns, name: str, where: str, unusable: Container[int] = ()
) -> tuple[int | None, Found]:
    """Return the column that the user chose to name the rows; None for "", which numbers them."""
    if not name:
        return None, Found("", "You chose to number the rows.")
    chosen = columns.find(name, key="load.ambiguous_id", where=where)
    if chosen is None or chosen in unusable:
        known = [text for text in columns.names if text]
        raise no_such("id", name, known, f"There is no column '{name}' to name the rows.", where)
    return chosen, Found(columns.called(chosen), CHOSEN)


def id_column(
    columns: Columns, layout: Layout, choices: Choices, *, where: str, meant: Sequence[int] = ()
) -> tuple[int | None, Found]:
    """Choose the column that names the rows, None to number them, and the reason.

    `meant` are columns that name rows by what they are, the best first.
    """
    if choices.id is not None:
        return chosen_id(columns, choices.id, where)
    sample = _body_sample(layout)
    for column in meant:
        texts = [cells[column].strip() for cells in sample]
        if all(texts) and len(set(texts)) >= ALIKE * len(texts):
            called = columns.called(column)
            return column, Found(called, f"'{called}' names every row by what it is.")
    return _guessed_id(columns, layout, choices, sample)


def _guessed_id(
    columns: Columns, layout: Layout, choices: Choices, sample: list[list[str]]
) -> tuple[int | None, Found]:
    named = bool(layout.header)
    apart = set(separated(choices.labels or (), set(columns.names)))
    ranked = []
    for column, name in enumerate(columns.names):
        header = plain_name(name)
        says_so = named and (is_id_name(header) or (column == 0 and not header))
        is_text = column not in columns.numeric
        if not (is_text or says_so) or name in apart or columns.called(column) in apart:
            continue
        if not is_text and column > 0 and not _whole(sample, column):
            continue
        texts = [cells[column].strip() for cells in sample]
        # Texts of groups repeat: targets of a PCR differ, classes do not.
        repeat = len(set(texts)) < ALIKE * len(texts)
        if is_text and not says_so and named and names_codes(header) and repeat:
            continue
        if column == 0 and header == "" and not is_text and _running(texts) and _has_text(columns):
            continue
        filled = [text for text in texts if text]
        distinct = len(set(filled)) / max(len(filled), 1)
        genes = looks_like_genes(filled)[0] >= 0.5
        full, differ = len(filled) == len(texts), distinct >= ALIKE
        # Names with gaps are better than a description of every row, if the header says names.
        named_like = 2 if full and (says_so or genes) else says_so and 2 * len(filled) > len(texts)
        rank = (named_like if differ else 0, full, differ, says_so, genes, is_text, -column)
        ranked.append((rank, column))
    if not ranked:
        return None, Found("", "No column holds different texts to name rows by.", sure=False)
    (_, full, distinct, says_so, genes, *_), column = max(ranked)
    called = columns.called(column)
    reason = f"'{called}' is what columns of names are called; " if says_so else ""
    reason += "its texts differ from row to row" if distinct else "its texts repeat"
    reason += "; they look like genes" if genes else ""
    sure = bool(full and distinct and (says_so or genes or len(ranked) == 1))
    # A single text column with a few repeating words is a description, no name.
    values = [cells[column].strip() for cells in sample]
    if not distinct and not says_so and len(values) >= 10 and len(set(values)) * 4 < len(values):
        return None, Found("", f"'{called}' has the same few texts again and again.", sure=False)
    return column, Found(called, reason[:1].upper() + reason[1:] + ".", sure=sure)


def coded_labels(
    columns: Columns, layout: Layout, choices: Choices, notation: Notation
) -> list[int]:
    """Return columns of integers that are labels by their header: clusters, ids, places."""
    if choices.labels is not None or not layout.header:
        return []
    sample = _body_sample(layout)
    headers = [plain_name(name) for name in columns.names]
    found = []
    if 0 in columns.numeric and headers[0] == "" and _has_text(columns):
        found = [0] if _running([cells[0].strip() for cells in sample]) else []
    numeric = columns.numeric
    found += [
        column for column in _matching(ID_NUMBERS, headers) & numeric if _whole(sample, column)
    ]
    grouping = _matching(LABEL_NAMES, headers) & numeric
    stems = Counter(STEM.sub("", headers[column]) for column in grouping)
    found += [
        column
        for column in grouping
        # "replicate 1", "replicate 2", …: samples, not codes.
        if stems[STEM.sub("", headers[column])] == 1
        and is_code([cells[column] for cells in sample], notation)
    ]
    left = numeric & {*range(FIRST_COLUMNS)}
    found += [column for column in _matching(ANNOTATIONS, headers) & left if _whole(sample, column)]
    properties = _matching(PROPERTIES, headers) & left
    # "rt" alone is a sample at room temperature, not a retention time.
    found += [] if [headers[column] for column in properties] == ["rt"] else properties
    found = sorted({*found, *_beside_labels(columns, layout)})
    # Something must be left to map.
    return found if len(found) < len(numeric) else []


def _beside_labels(columns: Columns, layout: Layout) -> list[int]:
    """Return columns left of those with sample labels, if the labels' names are next to them."""
    *labels, _ = layout.header
    starts = set()
    for row in labels:
        start = next((n for n in sorted(columns.numeric) if row[n].strip()), 0)
        starts.add(start if start and row[start - 1].strip() else 0)
    return [column for column in columns.numeric if column < min(starts, default=0)]


def _matching(pattern: re.Pattern[str], headers: Sequence[str]) -> set[int]:
    """Return the columns whose headers match, searching all at once: there may be a million."""
    lines = "\n".join(header.replace("\n", " ")[:100] for header in headers)
    starts = np.cumsum([0, *(min(len(header), 100) + 1 for header in headers)])
    places = [found.start() for found in re.finditer(f"(?m)^(?:{pattern.pattern})$", lines)]
    return set(np.searchsorted(starts, places).tolist())


def names_codes(header: str) -> bool:
    """Return whether a header says that the numbers below are codes."""
    return bool(LABEL_NAMES.fullmatch(header[:100]))


def describes(name: str) -> bool:
    """Return whether a header says that a column describes rows, so that texts are expected."""
    header = plain_name(name)[:100]
    return any(form.fullmatch(header) for form in (LABEL_NAMES, ANNOTATIONS, ID_NUMBERS))


def is_code(texts: Sequence[str], notation: Notation) -> bool:
    """Return whether cells hold few different whole numbers."""
    filled = [text.strip() for text in texts if text.strip()]
    different = set(filled)
    if len(different) > MOST_CODES or len(different) >= len(filled):
        return False
    values = [notation.value(text) for text in different]
    return all(value is not None and (math.isnan(value) or value % 1 == 0) for value in values)


def plain_name(name: str) -> str:
    """Normalise a header for comparison: lower case, without a comment mark."""
    return name.lower() if name[:1].isalnum() else name.lstrip('#!%/" ').rstrip('" ').lower()


def _body_sample(layout: Layout) -> list[list[str]]:
    """Return the sample without header rows."""
    headers = {tuple(cells) for cells in layout.header}
    return [cells for cells in layout.sample if tuple(cells) not in headers] or layout.sample


def _whole(sample: list[list[str]], column: int) -> bool:
    texts = [cells[column].strip() for cells in sample if cells[column].strip()]
    return bool(texts) and all(map(str.isdecimal, texts))


def _running(texts: Sequence[str]) -> bool:
    """Return whether texts are increasing integers: row numbers that programs write."""
    numbers = [int(text) for text in texts if text.isdecimal() and len(text) < 12]
    return len(numbers) == len(texts) and grow(numbers) and numbers[:1] in ([0], [1])


def _has_text(columns: Columns) -> bool:
    return len(columns.numeric) < len(columns.names)
