"""Findings of the checks, and data that they accept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.doctor.tables import (
    GENES,
    N_GENES,
    N_SAMPLES,
    as_sparse,
    beside_genes,
    changed,
    clinical,
    counts,
    found,
    keys,
    logs,
    named,
    table,
    unnamed_counts,
    with_column,
    with_row,
)
from tests.doctor.tables import SAMPLES as SAMPLE_NAMES
from ximstudio.doctor import Address, Addresses, TableEvidence, examine, settled
from ximstudio.doctor.measured import profiles
from ximstudio.load.reading import Choices
from ximstudio.model import Matrix
from ximstudio.model.arrays import Floats
from ximstudio.model.problem import Severity
from ximstudio.model.table import FEATURES, ITEMS, SAMPLES, Axis, Table
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Recipe, planned
from ximstudio.train.checks import data_problems


def _blanked(values: Floats) -> Table:
    rng = np.random.default_rng(2)
    return table(np.where(rng.random(values.shape) < 0.3, np.nan, values))


def items_of(start: Table, key: str) -> list[int | None]:
    return [address.item for address in found(start, key, ITEMS).addresses]


def features_of(start: Table, key: str) -> list[int | None]:
    return [address.feature for address in found(start, key, FEATURES).addresses]


def repaired(start: Table, key: str, side: str = "", repair: int = 0) -> Table:
    return found(start, key, side).repairs[repair].recipe.prepare(start).table


def test_that_the_samples_only_fault_is_its_blanks(yeast: Matrix) -> None:
    assert keys(Table.of(yeast)) == [("blanks", "")]


# Which way round


def test_that_a_table_on_its_side_is_told_and_turned() -> None:
    start = table(logs(200)).transposed
    finding = found(start, "transposed")
    assert finding.severity is Severity.WARNING
    assert repaired(start, "transposed").items.names == start.features.names


def test_that_who_chose_the_sides_is_not_asked_again() -> None:
    start = table(logs(200)).transposed
    recipe = Recipe.of(planned("orientation"))
    for wanted in (
        Input(name="counts.csv", recipe=recipe),
        Input(name="counts.csv", choices=Choices(items="columns")),
    ):
        findings = examine(start, settled=settled(wanted))
        assert "transposed" not in {finding.key for finding in findings}
    off = Recipe(steps=tuple(replace(each, on=False) for each in recipe.steps))
    assert not settled(Input(name="counts.csv", recipe=off))


def test_that_cells_named_by_barcodes_lie_as_they_should() -> None:
    rng = np.random.default_rng(0)
    cells = ["".join(rng.choice(list("ACGT"), 16)) + "-1" for _ in range(40)]
    start = table(logs(100)).transposed
    start = table(start.dense[:12], items=cells[:12], features=start.features.names)
    assert keys(start) == []


def test_that_many_samples_of_few_genes_are_a_note() -> None:
    start = table(logs(8, 40)).transposed
    assert found(start, "transposed").severity is Severity.NOTE


def test_that_a_few_items_are_told_but_none_are_an_error() -> None:
    assert found(table(logs(3)), "few", ITEMS).severity is Severity.NOTE
    nothing = Table(values=np.empty((0, 12)), items=Axis(names=()), features=table().features)
    assert found(nothing, "few", ITEMS).severity is Severity.ERROR


# Names


def test_that_repeated_names_are_all_addressed() -> None:
    start = named(ITEMS, {5: GENES[1], 7: GENES[1]})
    assert items_of(start, "repeated_names") == [1, 5, 7]
    assert found(start, "repeated_names", ITEMS).severity is Severity.ERROR
    repairs = found(start, "repeated_names", ITEMS).repairs
    ways = {repair.steps[-1].params.as_values()["how"] for repair in repairs}
    assert ways == {"first", "mean", "max", "suffix"}


def test_that_what_shares_a_blank_a_date_or_a_number_is_never_merged() -> None:
    strangers = {2: "---", 4: "---", 6: "1-Mar", 8: "1-Mar", 10: "2.31E+13", 12: "2.31E+13"}
    start = named(ITEMS, strangers)
    assert ("repeated_names", ITEMS) not in keys(start)
    for key in ("blank_names", "excel_dates", "lost_names"):
        assert found(start, key, ITEMS).severity is Severity.ERROR
    twice = named(ITEMS, {14: GENES[0]}, start)
    assert items_of(twice, "repeated_names") == [0, 14]
    for repair in found(twice, "repeated_names", ITEMS).repairs:
        after = repair.recipe.prepare(twice).table
        assert after.n_items >= N_GENES - 1
        assert len(set(after.items.names)) == after.n_items


def test_that_repeated_samples_are_rather_numbered_than_merged() -> None:
    start = named(FEATURES, {5: "patient 1"})
    assert repaired(start, "repeated_names", FEATURES).n_features == N_SAMPLES
    twice = named(ITEMS, {5: GENES[1]})
    assert repaired(twice, "repeated_names", ITEMS).n_items == N_GENES - 1


def test_that_blank_names_are_dropped_alone_even_if_others_are_called_alike() -> None:
    start = named(ITEMS, {2: "", 4: "NA"})
    assert items_of(start, "blank_names") == [2, 4]
    left = repaired(start, "blank_names", ITEMS, repair=1)
    np.testing.assert_array_equal(left.dense, np.delete(start.dense, [2, 4], axis=0))
    names = repaired(start, "blank_names", ITEMS).items.names
    assert (names[2], names[4]) == ("unnamed 1", "unnamed 2")


def test_that_white_space_is_tidied_and_single_spaces_stay() -> None:
    start = named(FEATURES, {1: " a  b ", 2: "c d"})
    assert features_of(start, "white_space") == [1]
    assert repaired(start, "white_space", FEATURES).features.names[1:3] == ("a b", "c d")


def test_that_names_differing_in_case_are_merged_by_their_mean() -> None:
    start = named(ITEMS, {3: "yal001c"})
    assert items_of(start, "case") == [0, 3]
    left = repaired(start, "case", ITEMS)
    assert left.items.names == (*GENES[:3], *GENES[4:])
    np.testing.assert_allclose(left.dense[0], start.dense[[0, 3]].mean(axis=0))


def test_that_versions_come_off_and_clone_names_stay_whole() -> None:
    start = named(ITEMS, {1: "ENSG00000141510.12", 2: "AC079767.4", 3: "RP11-34P13.7"})
    assert items_of(start, "versions") == [1]
    assert repaired(start, "versions", ITEMS).items.names[1] == "ENSG00000141510"


def test_that_controls_are_a_note() -> None:
    start = named(ITEMS, {1: "AFFX-BioB-5_at", 2: "ERCC-00130", 3: "DarkCorner"})
    assert items_of(start, "controls") == [1, 2, 3]
    assert found(start, "controls", ITEMS).severity is Severity.NOTE


# Gaps


def test_that_infinite_values_are_addressed_and_become_blanks() -> None:
    start = changed(([3, 5], [2, 1]), [np.inf, -np.inf])
    finding = found(start, "infinite")
    assert list(finding.addresses) == [Address(3, 2), Address(5, 1)]
    assert finding.severity is Severity.ERROR
    after = repaired(start, "infinite")
    assert np.argwhere(np.isnan(after.dense)).tolist() == [[3, 2], [5, 1]]


def test_that_blanks_are_counted_and_may_stay() -> None:
    start = changed(([0, 0, 4], [1, 2, 3]), np.nan)
    finding = found(start, "blanks")
    assert list(finding.addresses) == [Address(0, 1), Address(0, 2), Address(4, 3)]
    assert [repair.settles for repair in finding.repairs] == [False, True, True]
    assert finding.severity is Severity.NOTE


def test_that_only_more_than_half_is_mostly_blank() -> None:
    start = changed((slice(0, 30), 4), np.nan)
    assert ("mostly_blank", FEATURES) not in keys(start)
    start = changed((slice(0, 31), 4), np.nan)
    assert features_of(start, "mostly_blank") == [4]
    assert repaired(start, "mostly_blank", FEATURES).n_features == N_SAMPLES - 1


def test_that_empty_is_not_also_constant_or_mostly_blank() -> None:
    start = changed((7,), np.nan)
    assert items_of(start, "empty") == [7]
    assert {key for key, _ in keys(start)} == {"empty", "blanks"}


@pytest.mark.parametrize("places", [(7,), (slice(None), 4)])
def test_that_what_training_refuses_as_empty_is_an_error(places: tuple[int | slice, ...]) -> None:
    start = changed(places, np.nan)
    (refused,) = data_problems(start.matrix())
    assert refused.key in {"data.empty_item", "data.empty_feature"}
    side = ITEMS if len(places) == 1 else FEATURES
    assert found(start, "empty", side).severity is Severity.ERROR
    assert not list(data_problems(repaired(start, "empty", side).matrix()))


def test_that_constant_rows_and_columns_are_found_beside_blanks() -> None:
    start = changed((slice(None), 4), 7.0, changed(([0, 1], [4, 5]), np.nan))
    start = changed((0, 4), np.nan, start)
    assert features_of(start, "constant") == [4]


def test_that_a_single_value_among_blanks_is_no_constant() -> None:
    start = changed((3, slice(1, None)), np.nan, changed((8,), 5.0))
    assert items_of(start, "constant") == [8]
    assert repaired(start, "constant", ITEMS).items.names == (*GENES[:8], *GENES[9:])


# Labels and summaries


def test_that_limits_of_detection_are_no_samples() -> None:
    start = named(FEATURES, {10: "LOD", 11: "Missing Data freq."})
    assert features_of(start, "summaries") == [10, 11]


@pytest.mark.parametrize("name", ["cluster", "Class", "batch_id", "tumour stage", "k-means group"])
def test_that_a_grouping_becomes_a_label(name: str) -> None:
    start = with_column(name, np.arange(N_GENES) % 2 * 3.0 + 5)
    finding = found(start, "numeric_labels", FEATURES)
    assert [address.feature for address in finding.addresses] == [N_SAMPLES]
    assert finding.sure
    after = repaired(start, "numeric_labels", FEATURES)
    assert after.n_features == N_SAMPLES
    assert after.items.labels[name][:3] == ("5", "8", "5")


def test_that_few_whole_numbers_among_fractions_are_doubted() -> None:
    start = with_column("x", np.arange(N_GENES) % 5 * 1.0)
    assert not found(start, "numeric_labels", FEATURES).sure


def test_that_measurements_called_like_groups_stay_measurements() -> None:
    assert keys(named(FEATURES, {0: "class A", 1: "group 2"})) == []
    assert ("numeric_labels", FEATURES) not in keys(table(counts()))


def test_that_weights_positions_and_results_become_labels() -> None:
    for name, values in (
        ("GWEIGHT", np.ones(N_GENES)),
        ("Start", np.arange(N_GENES) * 1000.0 + 335),
        ("log2FoldChange", np.linspace(-3, 3, N_GENES)),
        ("entrez_id", np.arange(N_GENES) * 91.0 + 7157),
    ):
        assert features_of(with_column(name, values), "numeric_labels") == [N_SAMPLES]


def test_that_what_is_known_about_patients_is_no_expression() -> None:
    start = beside_genes(clinical())
    assert features_of(start, "numeric_labels") == [0, 1, 2, 3]
    assert found(start, "numeric_labels", FEATURES).sure
    # Nor is it a reason to take logarithms once more, or to doubt a patient.
    assert {key for key, _ in keys(start)} == {"numeric_labels", "transposed"}
    assert set(repaired(start, "numeric_labels", FEATURES).items.labels) == set(clinical())


@pytest.mark.parametrize("name", ["Age", "TIME", "OS", "OS.months", "drug dose", "Height"])
def test_that_words_for_patients_count_among_genes(name: str) -> None:
    start = beside_genes({name: np.linspace(5.1, 9.3, 40)})
    assert features_of(start, "numeric_labels") == [0]


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (np.arange(40) * 1.0, True),
        (np.linspace(40.5, 99.1, 40), True),
        (np.linspace(5.1, 9.3, 40), False),
        (np.full(40, 7.0), False),
    ],
)
def test_that_what_has_no_genes_name_is_judged_by_its_values(values: Floats, told: bool) -> None:
    start = beside_genes({"pack_per_week": values})
    assert (("numeric_labels", FEATURES) in keys(start)) == told
    if told:
        assert not found(start, "numeric_labels", FEATURES).sure


def test_that_genes_with_the_names_of_samples_stay_genes() -> None:
    for name in ("WT1", "HR", "SPO11", "LOC_Os01g01010", "END"):
        start = beside_genes({name: np.linspace(5.1, 9.3, 40)})
        assert ("numeric_labels", FEATURES) not in keys(start)
    assert ("numeric_labels", FEATURES) not in keys(beside_genes({"HR": np.arange(40) * 1.0}))


DESEQ2 = ("baseMean", "log2FoldChange", "lfcSE", "stat", "pvalue", "padj")
LIMMA = ("logFC", "AveExpr", "t", "P.Value", "adj.P.Val", "B")


@pytest.mark.parametrize("columns", [DESEQ2, LIMMA, ("logFC", "FDR")])
def test_that_a_table_of_test_results_is_told_once(columns: tuple[str, ...]) -> None:
    rng = np.random.default_rng(0)
    values = rng.random((N_GENES, len(columns)))
    values[:, 0] = rng.gamma(1, 500, N_GENES)
    start = table(values, features=columns)
    finding = found(start, "test_results", FEATURES)
    assert [address.feature for address in finding.addresses] == list(range(len(columns)))
    assert finding.repairs == ()
    assert {key for key, _ in keys(start)} <= {"test_results", "few"}


def test_that_results_beside_expression_become_labels() -> None:
    start = table(
        np.column_stack([np.random.default_rng(0).random((N_GENES, 6)) * 900, logs(N_GENES, 6)]),
        features=(*DESEQ2, *(f"patient {number}" for number in range(6))),
    )
    assert keys(start) == [("test_results", FEATURES)]
    after = repaired(start, "test_results", FEATURES)
    assert set(after.items.labels) == set(DESEQ2)
    assert keys(after) == []


def test_that_samples_named_by_letters_are_no_results() -> None:
    assert keys(table(features=list("ABFPTZKLMNRS"))) == []


def test_that_a_table_of_one_fold_change_keeps_it() -> None:
    assert ("numeric_labels", FEATURES) not in keys(table(logs(60, 1), features=["logFC"]))


def test_that_a_label_among_the_rows_becomes_a_label_of_the_features() -> None:
    start = with_row("batch", np.arange(N_SAMPLES) % 2 * 1.0)
    assert items_of(start, "numeric_labels") == [N_GENES - 1]
    after = repaired(start, "numeric_labels", ITEMS)
    assert after.features.labels["batch"][:2] == ("0", "1")


def test_that_one_of_two_columns_of_a_name_becomes_the_label() -> None:
    start = named(FEATURES, {0: "cluster"}, with_column("cluster", np.arange(N_GENES) % 2 * 1.0))
    after = repaired(start, "numeric_labels", FEATURES)
    np.testing.assert_array_equal(after.dense, start.dense[:, :-1])


def test_that_totals_and_means_are_found_together() -> None:
    values = table().dense
    start = table(
        np.column_stack(
            [values, values.sum(axis=1), values.mean(axis=1), np.median(values, axis=1)]
        ),
        features=(*table().features.names, "Total", "Average", "Median"),
    )
    assert features_of(start, "summaries") == [12, 13, 14]
    assert repaired(start, "summaries", FEATURES).features.names == table().features.names


def test_that_totals_are_found_among_blanks() -> None:
    values = changed((slice(0, 20), 3), np.nan).dense
    start = table(
        np.column_stack([values, np.nansum(values, axis=1)]),
        features=(*table().features.names, "Total"),
    )
    assert features_of(start, "summaries") == [12]


def test_that_a_name_alone_makes_no_total() -> None:
    assert keys(named(FEATURES, {2: "Total RNA", 3: "mean arterial pressure", 4: "20 min"})) == []
    similar = np.repeat(logs(N_GENES, 1), N_SAMPLES, axis=1)
    rng = np.random.default_rng(0)
    assert keys(table(similar + rng.normal(scale=1e-3, size=similar.shape))) == []


def test_that_tallies_of_reads_are_no_genes() -> None:
    start = named(ITEMS, {58: "__no_feature", 59: "N_unmapped"})
    assert items_of(start, "summaries") == [58, 59]


# Units


def test_that_counts_are_brought_to_one_size_before_their_logarithm() -> None:
    finding = found(table(counts()), "unlogged")
    assert [step.step.key for step in finding.repairs[0].steps] == ["library_size", "log2"]
    assert finding.repairs[0].steps[0].params.as_values()["samples"] == SAMPLES


def test_that_values_below_zero_get_a_logarithm_that_can_take_them() -> None:
    start = changed((slice(0, 20), 2), -50.0, table(2 ** logs()))
    assert [step.step.key for step in found(start, "unlogged").repairs[0].steps] == ["arcsinh"]


def test_that_a_slip_of_the_pen_is_told_and_nothing_logged() -> None:
    start = changed((5, 5), 8125.0, table(logs(1000, 10)))
    assert keys(start) == [("lone_values", "")]
    finding = found(start, "lone_values")
    assert list(finding.addresses) == [Address(5, 5)]
    assert not finding.sure
    assert {step.step.key for one in finding.repairs for step in one.steps} == {"drop"}
    assert repaired(start, "lone_values").n_items == 999


def test_that_a_sample_in_other_units_is_not_many_lone_values() -> None:
    values = logs(60, 300)
    values[:, 7] = 2 ** (values[:, 7] + 9)
    assert keys(table(values)) == [("mixed_units", FEATURES)]


def test_that_large_values_among_intensities_are_no_slips() -> None:
    start = changed((5, 5), 1e9, table(2 ** logs(1000, 10)))
    assert ("lone_values", "") not in keys(start)


def test_that_counts_are_divided_only_if_names_tell_the_samples() -> None:
    finding = found(unnamed_counts(), "unlogged")
    assert [[step.step.key for step in one.steps] for one in finding.repairs] == [["log2"]]
    assert not finding.sure
    assert found(table(counts()), "unlogged").sure


def test_that_unlogged_ratios_get_a_plain_logarithm_after_a_look() -> None:
    start = table(2 ** np.random.default_rng(0).normal(size=(N_GENES, N_SAMPLES)))
    finding = found(start, "unlogged")
    assert not finding.sure
    np.testing.assert_allclose(repaired(start, "unlogged").dense, np.log2(start.dense))


def test_that_intensities_with_blanks_are_not_divided_by_sums() -> None:
    start = _blanked((2 ** (logs() + 18)).round())
    finding = found(start, "unlogged")
    assert [[step.step.key for step in one.steps] for one in finding.repairs] == [["log2"]]


def test_that_infinite_values_go_before_the_logarithm() -> None:
    start = changed((3, 3), -np.inf, table(2 ** logs()))
    assert [each.step.key for each in found(start, "unlogged").repairs[0].steps] == [
        "infinite",
        "log2",
    ]
    huge = changed((0, 2), -4e-310, table(2 ** logs()))
    assert found(huge, "unlogged").repairs == ()


def test_that_principal_components_are_not_examined_as_samples() -> None:
    values = logs(60, 12)
    values[:, 0] *= 8
    components = Recipe.of(planned("pca", n=9)).prepare(table(values)).table
    assert keys(components) == []
    two = Recipe.of(planned("pca", n=2)).prepare(table(values)).table
    assert keys(two) == []
    # The same numbers would be doubted, if they were measured.
    measured = table(components.dense, features=[f"patient {number}" for number in range(9)])
    assert ("outliers", FEATURES) in keys(measured)


def test_that_logarithms_and_ratios_are_left_alone() -> None:
    ratios = np.random.default_rng(0).normal(size=(N_GENES, N_SAMPLES))
    assert keys(table(ratios)) == []
    ratios[:, 0] *= 0.02
    assert ("mixed_units", FEATURES) not in keys(table(ratios))


def test_that_linear_samples_among_logarithms_are_named_and_nothing_is_logged() -> None:
    values = logs()
    values[:, 3:5] = 2 ** values[:, 3:5]
    finding = found(table(values), "mixed_units", FEATURES)
    assert [address.feature for address in finding.addresses] == [3, 4]
    assert not finding.sure
    assert ("unlogged", "") not in keys(table(values))
    assert ("outliers", FEATURES) not in keys(table(values))


def test_that_samples_a_thousand_times_larger_are_mixed_units() -> None:
    values = 2 ** logs()
    values[:, 6] *= 1000
    assert features_of(table(values), "mixed_units") == [6]


# Outliers


def test_that_shifted_squeezed_and_shuffled_samples_are_outliers() -> None:
    rng = np.random.default_rng(0)
    values = logs(700, 20)
    values[:, 2] -= 3
    values[:, 5] = values[:, 5].mean() + 0.2 * (values[:, 5] - values[:, 5].mean())
    values[:, 8] = rng.permutation(values[:, 8])
    assert features_of(table(values), "outliers") == [2, 5, 8]


def test_that_a_second_group_of_samples_is_no_outlier() -> None:
    values = logs(700, 20)
    values[:100, 12:] += 3
    assert keys(table(values)) == []


def test_that_genes_that_fall_together_do_not_make_an_outlier() -> None:
    ratios = np.random.default_rng(0).normal(scale=0.4, size=(150, 40))
    ratios[:, 7] -= 2.2
    assert keys(table(ratios)) == []


def test_that_it_takes_eight_samples_to_say_what_is_usual() -> None:
    values = logs(700, 7)
    values[:, 2] += 6
    assert keys(table(values)) == []


def test_that_cells_with_hardly_any_counts_are_outliers_of_a_sparse_table() -> None:
    rng = np.random.default_rng(0)
    values = rng.poisson(2.0, size=(40, 300)).astype(np.float64)
    values[9] = 0
    values[9, :3] = 1
    cells = ["ACGTACGTAC" + letter * 6 + f"-{n}" for n, letter in enumerate("ACGT" * 10)]
    genes = [f"ENSG{number:011}" for number in range(300)]
    start = as_sparse(table(values, items=cells, features=genes))
    assert items_of(start, "outliers") == [9]


# All together


def test_that_sparse_and_dense_tables_say_the_same_about_names_and_gaps() -> None:
    values = counts()
    values[values < 100] = 0
    values[3] = 0
    values[5, 5] = np.nan
    values[6, 6] = np.inf
    start = named(ITEMS, {7: GENES[8]}, table(values))
    same = {"repeated_names", "constant", "blanks", "infinite", "empty", "mostly_blank"}

    def said(one: Table) -> list[tuple[str, str, list[Address]]]:
        return [(f.key, f.side, list(f.addresses)) for f in examine(one) if f.key in same]

    assert said(start) == said(as_sparse(start))
    assert {key for key, _, _ in said(start)} >= {"repeated_names", "constant", "blanks"}


def test_that_addresses_are_a_sequence() -> None:
    some = Addresses(items=np.array([1, 2, 3]))
    assert list(some[1:]) == [Address(2, None), Address(3, None)]
    assert some[-1] == Address(3, None)
    assert len(Addresses()) == 0
    with pytest.raises(ValueError, match="features"):
        Addresses(items=np.array([1, 2]), features=np.array([1]))


NUMBERS = st.floats(allow_nan=True, allow_infinity=True, width=64)
NAMES = st.text(max_size=6)


@given(st.data())
def test_that_any_table_is_examined(data: st.DataObject) -> None:
    n_items, n_features = data.draw(st.integers(0, 12)), data.draw(st.integers(0, 12))
    cells = data.draw(
        st.lists(NUMBERS, min_size=n_items * n_features, max_size=n_items * n_features)
    )
    start = Table(
        values=np.array(cells, dtype=np.float64).reshape(n_items, n_features),
        items=Axis(names=tuple(data.draw(st.lists(NAMES, min_size=n_items, max_size=n_items)))),
        features=Axis(
            names=tuple(data.draw(st.lists(NAMES, min_size=n_features, max_size=n_features)))
        ),
    )
    for each in (start, as_sparse(start)):
        for finding in examine(each):
            assert finding.what


ODD = st.sampled_from(
    (np.nan, np.inf, -np.inf, 1e308, -1e308, 1e300, 5e-324, -5e-324, 0.0, -0.0)
) | st.sampled_from((0.5, 1.0, -40.0, 7.25, 8.0, 30.0, 301.0, 999.0, 8125.5, 1e9))
SOME_NAMES = st.sampled_from(["TP53", "MYC", "ENSG00000141510", "age", "pvalue", "logFC", "S1", ""])


@given(st.data())
def test_that_nothing_odd_stops_the_doctor(data: st.DataObject) -> None:
    n_items, n_features = data.draw(st.integers(0, 30)), data.draw(st.integers(0, 12))
    few = data.draw(st.lists(ODD, min_size=1, max_size=5))
    seed = data.draw(st.integers(0, 1000))
    values = np.random.default_rng(seed).choice(few, size=(n_items, n_features))
    names = data.draw(st.lists(SOME_NAMES, min_size=1, max_size=4))
    start = Table(
        values=values,
        items=Axis(names=tuple((names * 30)[:n_items])),
        features=Axis(
            names=tuple(f"{name}{n}" for n, name in enumerate((names * 12)[:n_features]))
        ),
    )
    for each in (start, start.transposed, as_sparse(start)):
        for finding in examine(each):
            assert all((finding.what, finding.where, finding.way_out))


def test_that_evidence_is_gathered_once() -> None:
    evidence = TableEvidence(table())
    assert evidence.tally is evidence.tally
    assert profiles(evidence) is profiles(evidence)


def test_that_a_report_is_heard_within_checks_and_ends_the_examination() -> None:
    heard: list[float] = []
    examine(table(counts()), heard.append)
    assert heard == sorted(heard)
    assert heard[-1] == 1.0
    assert len(heard) > len(set(heard))

    def end(fraction: float) -> None:
        if fraction > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        examine(table(counts()), end)


# Summaries under other names, in other places, and of a part


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("RowSum", lambda v: v.sum(axis=1)),
        ("row_mean", lambda v: v.mean(axis=1)),
        ("variance", lambda v: v.var(axis=1, ddof=1)),
        ("CV", lambda v: v.std(axis=1, ddof=1) / v.mean(axis=1)),
        ("max", lambda v: v.max(axis=1)),
        ("mean_treated", lambda v: v[:, 6:].mean(axis=1).round(3)),
        ("Total control", lambda v: v[:, :6].sum(axis=1)),
    ],
    ids=lambda case: case if isinstance(case, str) else "",
)
def test_that_a_summary_is_known_by_name_and_value(name: str, way: Any) -> None:
    values = logs()
    last = table(np.column_stack([values, way(values)]), features=(*SAMPLE_NAMES, name))
    assert features_of(last, "summaries") == [N_SAMPLES]
    first = table(np.column_stack([way(values), values]), features=(name, *SAMPLE_NAMES))
    assert features_of(first, "summaries") == [0]
    # By that name alone nobody is removed.
    assert not [each for each in keys(named(FEATURES, {3: name})) if each[0] == "summaries"]


@pytest.mark.parametrize(
    "name",
    ["bad_struct", "Total_Mapped_Reads", "rRNA_reads", "uniquely mapped reads", "library size"],
)
def test_that_a_tally_is_known_by_its_name(name: str) -> None:
    assert items_of(named(ITEMS, {7: name}, table(counts())), "summaries") == [7]


def test_that_controls_of_genes_are_none_if_samples_are_called_so() -> None:
    called = {4: "SIRV3", 9: "NEG_A(0)", 11: "spike-in 2", 30: "NegControl_1"}
    assert items_of(named(ITEMS, called), "controls") == [4, 9, 11, 30]
    assert not [
        key
        for key, _ in keys(named(FEATURES, {3: "NEG_A", 5: "neg control 1"}))
        if key == "controls"
    ]
