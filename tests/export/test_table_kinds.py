"""Every table that can be made of a session, and what is in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from python_calamine import CalamineWorkbook

from tests.export.sheets import CHOSEN, full, mapped
from tests.ui.maps_to_show import run_of, some_matrix
from ximstudio.explore.statistics import enrichment_of, statistics_of
from ximstudio.export.item_sheet import item_sheet
from ximstudio.export.sheet import Sheet
from ximstudio.export.sheet_xlsx import write_xlsx
from ximstudio.export.table_kinds import TABLES, TableKind, table_named, tables_of
from ximstudio.export.wanted import Need, TableOptions
from ximstudio.maps.clusters import items_of
from ximstudio.measure.catalogue import MEASURES
from ximstudio.model import UserError
from ximstudio.model.named_set import NamedSet
from ximstudio.model.selection import NOTHING, Selection
from ximstudio.pictures.item_facts import CLUSTER, CONTINUITY, ERROR, NODE, TRUST, facts_of
from ximstudio.session import Session


def sheet_of(key: str, session: Session | None = None) -> Sheet:
    return table_named(key).sheet(full() if session is None else session)


def values(sheet: Sheet, name: str) -> list[object]:
    return list(sheet.column(name).cells())


def floats(sheet: Sheet, name: str) -> list[float]:
    return [float(each) for each in np.asarray(sheet.column(name).values)]


@pytest.mark.parametrize("kind", TABLES, ids=lambda each: each.key)
def test_that_every_table_is_made_and_none_without_its_needs(
    kind: TableKind, tmp_path: Path
) -> None:
    session = full()
    if kind.key == "components":
        session = replace(session, shown="run-pca")
    assert kind.lacking(session) is None
    assert kind.why_not(session) == ""
    sheet = kind.sheet(session)
    assert sheet.name == kind.name
    assert sheet.n_rows > 0
    write_xlsx(tmp_path / "book.xlsx", [sheet])
    rows = CalamineWorkbook.from_path(tmp_path / "book.xlsx").get_sheet_by_index(0).to_python()
    assert len(rows) == sheet.n_rows + 1
    assert kind.lacking(Session()) is not None
    assert kind.why_not(Session())
    with pytest.raises(UserError):
        kind.sheet(Session())


def test_that_tables_and_needs_are_told_apart() -> None:
    assert len({table.key for table in TABLES}) == len({t.name for t in TABLES}) == len(TABLES)
    assert all(all(need.value) for need in Need)
    assert not tables_of(Session())
    with pytest.raises(UserError):
        table_named("item")


@pytest.mark.parametrize("method", ["c-xim", "xom", "pca"])
def test_that_the_tables_of_any_kind_of_map_are_made(method: str) -> None:
    session = Session().with_run(run_of(method, state="finished"))
    keys = tuple(table.key for table in tables_of(session))
    assert {"items", "runs"} <= set(keys)
    assert all(table_named(key).sheet(session).columns for key in keys)


def test_that_items_have_what_the_panel_shows() -> None:
    session = full()
    facts = facts_of(some_matrix(), session.run)
    sheet = item_sheet(session, TableOptions(only_selected=True, order=CHOSEN))
    rows = [some_matrix().item_ids.index(name) for name in CHOSEN]
    assert values(sheet, "id") == list(CHOSEN)
    for key, name in (
        (TRUST, "trust"),
        (CONTINUITY, "continuity"),
        (ERROR, "quantisation_error"),
        ("label: dose", "dose"),
    ):
        column = facts.column(key)
        assert column is not None
        assert column.numbers is not None
        np.testing.assert_array_equal(floats(sheet, name), column.numbers[rows])
    node, cluster = facts.column(NODE), facts.column(CLUSTER)
    assert node is not None
    assert cluster is not None
    shown = [
        f"{row}, {column}"
        for row, column in zip(values(sheet, "row"), values(sheet, "column"), strict=True)
    ]
    assert shown == [node.text(row) for row in rows]
    assert [each or "" for each in values(sheet, "cluster_name")] == [
        cluster.text(row) for row in rows
    ]
    kinds = [some_matrix().item_labels["kind"][row] or None for row in rows]
    assert values(sheet, "kind") == kinds


def test_that_items_have_places_sets_wander_and_values() -> None:
    session, matrix = full(), some_matrix()
    sheet = item_sheet(session, TableOptions(with_values=True))
    positions = mapped().result.positions
    np.testing.assert_array_equal(floats(sheet, "x"), positions[:, 0])
    np.testing.assert_array_equal(floats(sheet, "y"), positions[:, 1])
    assert [n for n, inside in enumerate(floats(sheet, "in mine")) if inside] == [1, 2]
    assert "in stress" not in sheet.names
    assert values(sheet, "wander")[7] is None
    assert values(sheet, "wander")[59] == 1.0
    stacked = np.column_stack([floats(sheet, name) for name in matrix.feature_names])
    np.testing.assert_array_equal(stacked, matrix.values)
    chosen = item_sheet(
        session, TableOptions(with_values=True, only_selected=True, with_sets=False)
    )
    assert values(chosen, "id") == ["YBR003W", "YBR041W", "YBR059W"]
    np.testing.assert_array_equal(floats(chosen, "acid"), matrix.values[[3, 41, 59], 3])
    assert "in mine" not in chosen.names


def test_that_nobody_gets_a_table_of_nothing_chosen() -> None:
    session = full()
    for selection in (NOTHING, Selection.of(["of another table"])):
        empty = replace(session, selection=selection)
        with pytest.raises(UserError) as caught:
            item_sheet(empty, TableOptions(only_selected=True))
        assert caught.value.keys == ("export.no_selection",)
        for key in ("selection", "differences", "enrichment"):
            assert table_named(key).lacking(empty) is Need.SELECTION


def test_that_labels_and_features_keep_out_of_the_way_of_other_columns() -> None:
    matrix = replace(
        some_matrix(),
        item_labels={"x": ("a",) * 60, "id": ("b",) * 60},
        feature_names=("x", "id", "node", "in mine", "dark"),
    )
    session = replace(full(), runs=(replace(mapped(), matrix=matrix),), compared=())
    sheet = item_sheet(session, TableOptions(with_values=True))
    assert len(set(sheet.names)) == len(sheet.names)
    assert set(values(sheet, "label_x")) == {"a"}
    np.testing.assert_array_equal(floats(sheet, "x"), mapped().result.positions[:, 0])
    np.testing.assert_array_equal(floats(sheet, "x (2)"), matrix.values[:, 0])


def test_that_items_without_a_map_have_names_labels_and_sets() -> None:
    session = Session(sets=(NamedSet.of("mine", ("YBR001W",)),))

    class Data:
        matrix = some_matrix()

    session = replace(session, data=Data())  # type: ignore[arg-type]
    assert item_sheet(session).names == ("id", "kind", "dose", "in mine")


def test_that_a_map_in_layers_names_its_nodes_by_layer() -> None:
    run = run_of("som", state="finished", lattice="cubic", shape=(3, 4), depth=2)
    sheet = sheet_of("prototypes", Session().with_run(run))
    assert sheet.names[:8] == ("node", "layer", "row", "column", "x", "y", "z", "hits")
    last = [column.cells()[-1] for column in sheet.columns[:4]]
    assert last == [24, 2, 3, 4]


def test_that_nodes_in_no_rows_have_numbers_only() -> None:
    run = run_of("som", state="finished", lattice="random")
    sheet = item_sheet(Session().with_run(run))
    assert "node" in sheet.names
    assert "row" not in sheet.names


def test_that_prototypes_have_hits_clusters_and_values() -> None:
    sheet, run = sheet_of("prototypes"), mapped()
    assert run.clustering is not None
    model = run.result.model
    winners = run.result.winners
    assert winners is not None
    assert floats(sheet, "hits") == np.bincount(winners, minlength=48).tolist()
    assert values(sheet, "cluster")[0] is None
    assert floats(sheet, "cluster")[1:] == (run.clustering.clusters[1:] + 1).tolist()
    stacked = np.column_stack([floats(sheet, name) for name in some_matrix().feature_names])
    np.testing.assert_array_equal(stacked, model.prototypes)  # type: ignore[union-attr]
    trust = floats(item_sheet(full()), "trust")
    node = int(winners[0])
    mean = np.mean([value for value, winner in zip(trust, winners, strict=True) if winner == node])
    assert floats(sheet, "mean_trust")[node] == pytest.approx(mean)


def test_that_clusters_list_all_items_once() -> None:
    sheet, run = sheet_of("clusters"), mapped()
    assert run.clustering is not None
    names = values(sheet, "cluster_name")
    assert names[1] == "SEPT2"
    of_item = items_of(run.clustering, run.result.winners)
    assert (names[-1] is None) == bool((of_item < 0).any())
    members = [str(each).split("; ") for each in values(sheet, "members")]
    assert [len(each) for each in members] == floats(sheet, "items")
    assert sorted(name for each in members for name in each) == list(some_matrix().item_ids)
    for number, each in enumerate(members):
        cluster = -1 if names[number] is None else number
        assert {of_item[some_matrix().item_ids.index(name)] for name in each} == {cluster}
    assert sum(floats(sheet, "nodes")) == 48


def test_that_measures_have_values_bounds_and_references() -> None:
    sheet, run = sheet_of("measures"), mapped()
    assert values(sheet, "key") == [each.key for each in MEASURES if each.key in run.measures]
    for key, value, error in zip(
        values(sheet, "key"), values(sheet, "value"), values(sheet, "error"), strict=True
    ):
        assert (value, error) == (run.measures[str(key)].value, run.measures[str(key)].error)
    unbounded = values(sheet, "key").index("quantisation_error")
    assert values(sheet, "high")[unbounded] is None
    assert all(values(sheet, "reference"))


def test_that_all_runs_stand_side_by_side() -> None:
    sheet, session = sheet_of("runs"), full()
    assert values(sheet, "run") == ["pca", "som"]
    assert values(sheet, "shown") == [None, "yes"]
    assert values(sheet, "compared") == [2, 1]
    assert values(sheet, "starred") == ["yes", None]
    for run, value in zip(session.runs, values(sheet, "trustworthiness"), strict=True):
        assert value == run.measures["trustworthiness"].value
    assert values(sheet, "quantisation_error")[0] is None
    assert "shape=6x8" in str(values(sheet, "parameters")[1])
    assert values(sheet, "result_hash") == [run.result.hash for run in session.runs]


def test_that_neighbourhoods_agree_with_the_measures() -> None:
    sheet = sheet_of("neighbourhoods")
    assert floats(sheet, "k") == list(range(1, 30))
    mean = np.mean(floats(sheet, "trustworthiness"))
    assert mean == pytest.approx(mapped().measures["trustworthiness"].value)


def test_that_repeated_runs_have_means_of_the_repetitions() -> None:
    means, all_of_them = sheet_of("repeated"), sheet_of("repetitions")
    assert values(means, "runs") == ["pca"]
    assert values(means, "repetitions") == [2]
    found = floats(all_of_them, "spearman")
    assert len(found) == 2
    assert floats(means, "spearman_mean") == [pytest.approx(np.mean(found))]
    assert floats(means, "spearman_sd") == [pytest.approx(np.std(found, ddof=1))]
    assert values(all_of_them, "seed") == [0, 1]


def test_that_differences_are_those_of_the_panel() -> None:
    sheet, matrix = sheet_of("differences"), some_matrix()
    found = statistics_of(matrix, full().selection)
    assert values(sheet, "feature") == [matrix.feature_names[each] for each in found.features]
    np.testing.assert_array_equal(floats(sheet, "standardised"), found.standardised[found.features])
    means = np.nanmean(matrix.values[[3, 41, 59]], axis=0)[found.features]
    np.testing.assert_allclose(floats(sheet, "mean"), means)
    assert sheet.note
    told = dict(
        zip(
            values(sheet_of("selection"), "what"),
            values(sheet_of("selection"), "value"),
            strict=True,
        )
    )
    assert (told["items"], told["median"], told["sd"]) == (3, found.median, found.sd)


def test_that_enrichment_is_that_of_the_panel() -> None:
    sheet = sheet_of("enrichment")
    found = enrichment_of(some_matrix(), full().selection)
    assert [(each.text, each.here, each.q) for each in found] == list(
        zip(values(sheet, "text"), values(sheet, "chosen"), values(sheet, "q"), strict=True)
    )


def test_that_new_items_have_their_file_and_strangeness() -> None:
    sheet, projected = sheet_of("newcomers"), mapped().projected[0].items
    assert values(sheet, "id") == list(projected.ids)
    assert set(values(sheet, "file")) == {"later.csv"}
    np.testing.assert_array_equal(floats(sheet, "novelty"), projected.novelty)
    assert values(sheet, "in_training") == [0, 1, 0, 0]
    assert values(sheet, "kind") == ["a", "b", None, "c"]
    assert projected.winners is not None
    assert floats(sheet, "node") == (projected.winners + 1).tolist()


def test_that_new_items_of_several_files_stand_below_each_other() -> None:
    run = mapped()
    first = run.projected[0]
    labels = {"other": ("p", "q", "r", "s")}
    matrix = replace(first.items.matrix, item_labels=labels)
    second = replace(first, name="more.csv", items=replace(first.items, matrix=matrix))
    session = Session().with_run(replace(run, projected=(first, second)))
    sheet = sheet_of("newcomers", session)
    assert values(sheet, "file") == ["later.csv"] * 4 + ["more.csv"] * 4
    assert values(sheet, "kind") == ["a", "b", None, "c", *[None] * 4]
    assert values(sheet, "other") == [*[None] * 4, "p", "q", "r", "s"]


def test_that_sets_are_told_member_by_member() -> None:
    sheet = sheet_of("sets")
    assert values(sheet, "set") == ["mine"] * 3 + ["stress"] * 2
    assert values(sheet, "in_table") == [1, 1, 0, 1, 1]
    assert values(sheet, "of") == ["items"] * 3 + ["features"] * 2


def test_that_a_projection_has_components() -> None:
    sheet = sheet_of("components", replace(full(), shown="run-pca"))
    model = run_of("pca").result.model
    assert values(sheet, "part")[0] == "centre"
    assert values(sheet, "explained")[0] is None
    stacked = np.column_stack([floats(sheet, name) for name in some_matrix().feature_names])
    np.testing.assert_array_equal(stacked[0], model.centre)  # type: ignore[union-attr]
    np.testing.assert_array_equal(stacked[1:], model.components)  # type: ignore[union-attr]


def test_that_training_is_told_stretch_by_stretch() -> None:
    sheet, history = sheet_of("training"), mapped().result.history
    np.testing.assert_array_equal(floats(sheet, "step"), history.step)
    np.testing.assert_array_equal(floats(sheet, "width"), history.width)
    assert floats(sheet_of("curves"), "continuity") == [0.5, 0.875]


def test_that_measures_of_a_session_from_a_file_need_no_evidence() -> None:
    session = Session().with_run(replace(mapped(), evidence=None))
    assert table_named("measures").lacking(session) is None
    assert table_named("neighbourhoods").lacking(session) is Need.EVIDENCE
    assert "trust" not in item_sheet(session).names
