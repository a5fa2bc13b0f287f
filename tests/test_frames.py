"""Maps as DataFrames, from estimators and from the folders of runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import ximstudio
from tests.test_first_edition import RUNS, WRITTEN
from ximstudio.cli import main
from ximstudio.estimators import PCA, SOM, XIM, estimator_of
from ximstudio.measure.catalogue import MEASURES
from ximstudio.model import UserError
from ximstudio.train import METHODS
from ximstudio.train.finished import open_run
from ximstudio.train.method import Method


@pytest.fixture
def table() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(30, 4)) + 3.0 * rng.integers(0, 2, (30, 1))
    names = pd.Index([f"g{number}" for number in range(30)], name="gene")
    return pd.DataFrame(values, names, ["s1", "s2", "s3", "s4"])


def small(**more: object) -> XIM:
    return XIM(shape=(4, 5), n_steps=300, random_state=0, **more)


# Estimators ---------------------------------------------------------------------------------------


def test_that_index_and_columns_of_a_frame_name_items_and_features(table: pd.DataFrame) -> None:
    xim = small().fit(table)
    assert xim.result_.item_ids == tuple(table.index)
    assert xim.result_.feature_names == tuple(table.columns)
    assert xim.feature_names_in_.tolist() == list(table.columns)
    np.testing.assert_array_equal(xim.positions_, small().fit(table.to_numpy()).positions_)


def test_that_an_index_that_repeats_itself_names_no_items_but_is_kept(table: pd.DataFrame) -> None:
    for index in (["g"] * 30, [1, "1", *range(2, 30)]):
        repeated = table.set_axis(pd.Index(index, dtype=object))
        xim = small().fit(repeated)
        assert xim.result_.item_ids[0] == "item 1"
        assert xim.frames(repeated).items.index.tolist() == index


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.key)
def test_that_every_method_gives_frames_by_scikit_learns_own_setting(
    table: pd.DataFrame, method: Method
) -> None:
    sizes = {"shape": (4, 5), "n_steps": 300}
    settings = {name: sizes[name] for name in sizes if name in method.params.specs()}
    estimator = estimator_of(method.key, **settings, random_state=0).set_output(transform="pandas")
    for placed in (estimator.fit_transform(table), estimator.transform(table[:3])):
        assert isinstance(placed, pd.DataFrame)
        assert placed.index.equals(table.index[: len(placed)])
        assert placed.columns.tolist() == estimator.get_feature_names_out().tolist()


def test_that_frames_pass_through_a_pipeline(table: pd.DataFrame) -> None:
    pipeline = make_pipeline(StandardScaler(), small()).set_output(transform="pandas")
    placed = pipeline.fit_transform(table)
    assert placed.index.equals(table.index)
    assert placed.columns.tolist() == pipeline.get_feature_names_out().tolist()
    assert pipeline[-1].feature_names_in_.tolist() == list(table.columns)


def test_that_the_frames_of_a_fitted_map_hold_what_it_learnt(table: pd.DataFrame) -> None:
    xim = small().fit(table)
    frames = xim.frames(table)
    np.testing.assert_array_equal(frames.items[["x", "y"]], xim.positions_)
    np.testing.assert_array_equal(frames.items["node"], xim.winners_)
    assert frames.items.index.equals(table.index)
    assert frames.item_measures.index.equals(table.index)
    np.testing.assert_array_equal(frames.nodes[["x", "y"]], xim.nodes_)
    assert frames.nodes["hits"].sum() == len(table)
    np.testing.assert_array_equal(5 * frames.nodes["row"] + frames.nodes["column"], np.arange(20))
    np.testing.assert_array_equal(frames.prototypes, xim.prototypes_)
    assert frames.prototypes.columns.tolist() == list(table.columns)
    assert frames.nodes.index.equals(frames.prototypes.index)
    np.testing.assert_array_equal(frames.history["cost"], xim.history_.cost)
    assert frames.history.index.tolist() == xim.history_.step.tolist()


def test_that_measures_are_under_their_keys_and_curves_average_to_them(
    table: pd.DataFrame,
) -> None:
    frames = small().fit(table).frames(table)
    assert set(frames.measures.index) <= {measure.key for measure in MEASURES}
    value = frames.measures["value"]
    assert frames.neighbourhoods["trustworthiness"].mean() == pytest.approx(
        value["trustworthiness"]
    )
    assert frames.item_measures["quantisation_error"].mean() == pytest.approx(
        value["quantisation_error"]
    )


def test_that_frames_of_further_items_are_those_of_their_places(table: pd.DataFrame) -> None:
    xim = small().fit(table[:20])
    frames = xim.frames(table[20:])
    np.testing.assert_array_equal(frames.items[["x", "y"]], xim.transform(table[20:]))
    assert frames.items.index.equals(table.index[20:])
    assert len(frames.item_measures) == 10


def test_that_arrays_have_frames_with_numbers_for_names(table: pd.DataFrame) -> None:
    values = table.to_numpy()
    for X in (values, values.tolist()):
        frames = SOM(shape=(4, 5), n_steps=300, random_state=0).fit(X).frames(X)
        assert frames.items.index.equals(pd.RangeIndex(30))
        assert frames.prototypes.columns.tolist()[0] == "feature 1"


def test_that_a_map_without_nodes_says_so(table: pd.DataFrame) -> None:
    frames = PCA().fit(table).frames(table)
    assert frames.items.columns.tolist() == ["x", "y"]
    assert frames.history.empty
    for name in ("nodes", "prototypes"):
        with pytest.raises(UserError) as refused:
            getattr(frames, name)
        assert refused.value.keys == ("frames.no_nodes",)


# Runs ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RUNS)
def test_that_every_run_opens_as_frames(name: str) -> None:
    run = ximstudio.open_run(WRITTEN / name)
    written = pd.read_csv(WRITTEN / name / "positions.csv", index_col="id")
    axes = ["x", "y"]
    pd.testing.assert_frame_equal(run.items[axes], written[axes], check_index_type=False)
    if "winner" in written:
        assert run.items["node"].tolist() == written["winner"].tolist()
        of_file = pd.read_csv(WRITTEN / name / "prototypes.csv", index_col="node")
        np.testing.assert_array_equal(run.prototypes, of_file[run.prototypes.columns])
        np.testing.assert_array_equal(run.nodes[axes], of_file[axes])
    if (WRITTEN / name / "history.csv").exists():
        of_file = pd.read_csv(WRITTEN / name / "history.csv", index_col="step")
        pd.testing.assert_frame_equal(run.history, of_file, check_dtype=False)


def test_that_a_run_has_the_measures_that_the_command_writes(tmp_path: Path) -> None:
    options = ["--label", "kind", "--out", str(tmp_path / "measures"), "--quiet"]
    assert main(["measure", str(WRITTEN / "cxim"), *options]) == 0
    run = ximstudio.open_run(WRITTEN / "cxim", label="kind")
    assert set(run.items["kind"]) == set(open_run(WRITTEN / "cxim").matrix.item_labels["kind"])
    written = pd.read_csv(tmp_path / "measures" / "measures.csv", index_col="key")
    pd.testing.assert_frame_equal(run.measures[written.columns], written, check_dtype=False)
    items = pd.read_csv(tmp_path / "measures" / "items.csv", index_col="id")
    values = items[run.item_measures.columns]
    pd.testing.assert_frame_equal(run.item_measures, values, check_index_type=False)


def test_that_labels_and_folders_that_are_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError) as refused:
        ximstudio.open_run(WRITTEN / "cxim", label="colour")
    assert refused.value.keys == ("label.unknown",)
    with pytest.raises(UserError) as refused:
        ximstudio.open_run(tmp_path)
    assert refused.value.keys == ("run.none",)
