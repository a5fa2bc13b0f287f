"""Tables of the selection and of sets: summary, differences, labels, members."""

from __future__ import annotations

import numpy as np

from ximstudio.explore.profiles import pieces, summed
from ximstudio.export.item_sheet import labels_beside
from ximstudio.export.sheet import Sheet
from ximstudio.export.wanted import TableOptions, rows_of, the_matrix
from ximstudio.files.columns import chances, numbers, texts, wholes
from ximstudio.model.named_set import SetSide
from ximstudio.session import Session


def summary_sheet(session: Session) -> Sheet:
    """The selection in a few numbers, as in the panel."""
    from ximstudio.explore.statistics import statistics_of

    found = statistics_of(the_matrix(session), session.selection)
    summary = {
        "items": found.n_items,
        "items_in_table": found.n_all,
        "mean": found.mean,
        "sd": found.sd,
        "median": found.median,
        "values": found.n_values,
        "blank_values": found.n_blank,
    }
    return Sheet(
        name="Selection",
        columns=(
            texts("what", list(summary)),
            numbers("value", np.array(list(summary.values()), dtype=np.float64)),
        ),
    )


def difference_sheet(session: Session) -> Sheet:
    """One row per feature: how the selection differs from the rest, most distinctive first."""
    matrix, rows = the_matrix(session), rows_of(session, TableOptions(only_selected=True))
    from ximstudio.explore.statistics import NO_P_VALUES, statistics_of

    found = statistics_of(matrix, session.selection)
    parts = (matrix.values[some] for some in pieces(rows, matrix.n_features))
    n_known, means, _ = summed(parts, matrix.n_features)
    # Features that cannot be compared come last, in the order of the table.
    others = np.setdiff1d(np.arange(matrix.n_features), found.features)
    order = np.concatenate([found.features, others]).astype(np.int64)
    columns = [
        texts("feature", matrix.feature_names),
        wholes("known", n_known, "Selected items with a value."),
        numbers("mean", means, "Mean of the selection."),
        numbers("mean_of_rest", found.rest, "Mean of all others."),
        numbers("difference", found.differences, "Mean of the selection minus that of the rest."),
        numbers(
            "standardised",
            found.standardised,
            "The difference over the standard deviation within both (Cohen's d).",
        ),
    ]
    columns += labels_beside(matrix.feature_labels, [column.name for column in columns])
    sheet = Sheet(name="Features of the selection", columns=tuple(columns), note=NO_P_VALUES)
    return sheet.take(order)


def enrichment_sheet(session: Session) -> Sheet:
    """Texts of labels in the selection, most significant first."""
    from ximstudio.explore.statistics import enrichment_of

    found = enrichment_of(the_matrix(session), session.selection)
    return Sheet(
        name="Labels of the selection",
        columns=(
            texts("label", [each.label for each in found]),
            texts("text", [each.text for each in found]),
            wholes("chosen", [each.here for each in found], "Selected items with the text."),
            wholes("in_table", [each.everywhere for each in found], "All items with the text."),
            numbers(
                "expected",
                np.array([each.expected for each in found]),
                "Expected number in a random selection of this size.",
            ),
            chances(
                "p",
                np.array([each.p for each in found]),
                "Probability of at least as many (hypergeometric).",
            ),
            chances("q", np.array([each.q for each in found]), "p after Benjamini and Hochberg."),
        ),
    )


def set_sheet(session: Session) -> Sheet:
    """One row per member of every set; for gene-set programs, use GMT instead."""
    matrix = session.matrix
    here = {
        SetSide.ITEMS: set() if matrix is None else set(matrix.item_ids),
        SetSide.FEATURES: set() if matrix is None else set(matrix.feature_names),
    }
    members = [(one, member) for one in session.sets for member in one.members]
    return Sheet(
        name="Sets",
        columns=(
            texts("set", [one.name for one, _ in members]),
            texts("member", [member for _, member in members]),
            texts("of", [one.side.value for one, _ in members], "Items or features."),
            wholes(
                "in_table",
                (int(member in here[one.side]) for one, member in members),
                "1 if the table has it.",
            ),
            texts("note", [one.note for one, _ in members]),
        ),
    )
