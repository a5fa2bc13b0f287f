"""Detection of results of a statistical test in place of expression values."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ximstudio.doctor.check import Check, RepairPhase
from ximstudio.doctor.evidence import SIDES, TableEvidence, once
from ximstudio.doctor.finding import Finding
from ximstudio.doctor.repairs import as_label, counted
from ximstudio.model.problem import Severity

P_VALUES = frozenset(
    {"pvalue", "pval", "pvals", "padj", "adjp", "adjpval", "adjpvalue", "pvalueadj"}
    | {"pvaladj", "pvalsadj", "fdr", "qvalue", "qval", "svalue", "fdrpvalue", "rawp"}
)
EFFECTS = frozenset(
    {"logfc", "log2fc", "foldchange", "log2foldchange", "logfoldchange", "logfoldchanges"}
    | {"avglogfc", "avglog2fc", "basemean", "lfcse"}
)
# Of DESeq2, limma, edgeR, Seurat, Scanpy and sleuth; too short to be clear on their own.
BESIDE = frozenset(
    {"fc", "stat", "statistic", "t", "f", "b", "z", "lr", "score", "scores", "tstat", "zscore"}
    | {"aveexpr", "logcpm", "cil", "cir", "pct1", "pct2", "seb", "meanobs", "se", "weight"}
)


MARKS = re.compile(r"[\W_]+")


def joined(name: str) -> str:
    """Return a name in lower case, without separators between its words."""
    return MARKS.sub("", name.lower())


@once
def result_numbers(evidence: TableEvidence, side: str) -> tuple[int, ...]:
    """Return features (or items) that hold results of a test: p-values and their companions."""
    names = [joined(name) for name in evidence.axis(side).names]
    found = [n for n, name in enumerate(names) if name in P_VALUES | EFFECTS | BESIDE]
    has_p_values = any(names[number] in P_VALUES for number in found)
    return tuple(found) if has_p_values and len(found) > 1 else ()


def _look(evidence: TableEvidence) -> Iterable[Finding]:
    for side in SIDES:
        found = result_numbers(evidence, side)
        if not found:
            continue
        left = evidence.length(side) - len(found)
        yield Finding(
            key=TEST_RESULTS.key,
            severity=Severity.WARNING,
            side=side,
            what=f"The numbers of {counted(side, found)} are results of a statistical test, not"
            " expression.",
            where=evidence.where(side, found),
            way_out="Open the table of expression that was tested; make labels of these if they"
            " stand beside it.",
            addresses=evidence.along(side, found),
            repairs=(as_label(evidence, side, found),) if left else (),
        )


TEST_RESULTS = Check(
    key="test_results",
    name="Results of a test",
    about="Fold changes, p-values and the like, as DESeq2, edgeR or limma write them: a map of"
    " these shows the test, not the expression.",
    phase=RepairPhase.ROLES,
    look=_look,
    of_measurements=True,
)
