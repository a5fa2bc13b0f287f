"""Repeat the preparation of one table on another."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.prepare.tables import assert_same, holed, permuted, sparse, table_of
from tests.prepare.test_recipe import USUAL
from ximstudio.model import UserError
from ximstudio.model.table import Table
from ximstudio.prepare import memory
from ximstudio.prepare.recipe import Frozen, Planned, Recipe, planned

N = np.nan
FIRST = table_of([[1, 2, 3, 4], [3, 4, 5, 9], [8, 6, 1, 2]])
CENTRED = Recipe.of(planned("centre")).prepare(FIRST)


def refused(frozen: Frozen, table: Table) -> UserError:
    with pytest.raises(UserError) as caught:
        frozen.apply(table)
    return caught.value


def test_that_a_whole_recipe_does_the_same_to_the_same_table(tmp_path: Path) -> None:
    for table in (holed(), sparse(holed())):
        first = USUAL.prepare(table)
        first.frozen.write(tmp_path / "frozen.npz")
        read = Frozen.read(tmp_path / "frozen.npz")
        assert read.recipe == first.frozen.recipe == USUAL.bound("features")
        for frozen in (first.frozen, read):
            assert_same(frozen.apply(table).table, first.table)
            assert_same(frozen.apply(permuted(table)).table, first.table)


def test_that_features_are_matched_by_name() -> None:
    new = table_of([[40, 20, 10, 30]], items=["new"], features=["D", "B", "A", "C"])
    result = CENTRED.frozen.apply(new)
    np.testing.assert_array_equal(result.table.dense, [[6, 16, 27, 35]])
    assert result.table.features.names == ("A", "B", "C", "D")
    assert not result.notes


def test_that_features_that_are_absent_are_missing_and_extra_ones_left_out() -> None:
    new = table_of([[40, 7, 20, 10]], items=["new"], features=["D", "X", "B", "A"])
    for table in (new, sparse(new)):
        result = CENTRED.frozen.apply(table)
        np.testing.assert_array_equal(result.table.dense, [[6, 16, N, 35]])
        assert [note.key for note in result.notes] == ["prepare.absent", "prepare.extra"]
        assert "'C'" in result.notes[0].where
        assert "'X'" in result.notes[1].where


def test_that_absent_features_are_filled_by_a_later_step() -> None:
    frozen = Recipe.of(planned("impute", how="mean")).prepare(FIRST).frozen
    new = table_of([[40, 20, 10]], items=["new"], features=["D", "B", "A"])
    np.testing.assert_array_equal(frozen.apply(new).table.dense, [[10, 20, 3, 40]])


def test_that_other_features_altogether_are_refused() -> None:
    new = table_of([[1, 2, 3, 4]], features=["D", "x", "y", "z"])
    assert refused(CENTRED.frozen, new).keys == ("prepare.other_features",)
    assert refused(CENTRED.frozen, FIRST.transposed).keys == ("prepare.other_features",)


def test_that_half_of_the_features_are_enough() -> None:
    new = table_of([[1, 2]], features=["D", "A"])
    assert CENTRED.frozen.apply(new).table.n_missing == 2


def test_that_a_feature_that_is_there_twice_is_refused() -> None:
    new = table_of([[1, 2, 3, 4, 5]], features=["A", "B", "C", "D", "A"])
    assert refused(CENTRED.frozen, new).keys == ("prepare.repeated_names",)


def test_that_extra_features_may_repeat() -> None:
    new = table_of([[1, 2, 3, 4, 5, 6]], features=["A", "x", "B", "C", "D", "x"])
    result = CENTRED.frozen.apply(new)
    np.testing.assert_array_equal(result.table.dense, [[-3, -1, 1, 0]])


def test_that_features_that_were_there_twice_must_be_so_again() -> None:
    first = table_of([[1, 2, 3], [4, 6, 8]], features=["A", "A", "B"])
    frozen = Recipe.of(planned("repeated", axis="features", how="mean")).prepare(first).frozen
    new = table_of([[5, 1, 3]], features=["B", "A", "A"])
    np.testing.assert_array_equal(frozen.apply(new).table.dense, [[2, 5]])
    assert refused(frozen, table_of([[5, 1]], features=["B", "A"])).keys == (
        "prepare.repeated_names",
    )


def test_that_items_are_matched_where_the_recipe_exchanges_them() -> None:
    genes_in_rows = FIRST.transposed
    recipe = Recipe.of(planned("orientation"), planned("centre"))
    frozen = recipe.prepare(genes_in_rows).frozen
    assert frozen.feature_names == ("A", "B", "C", "D")
    new = table_of([[40], [20], [10], [30]], items=["D", "B", "A", "C"], features=["new"])
    result = frozen.apply(new)
    np.testing.assert_array_equal(result.table.dense, [[6, 16, 27, 35]])
    assert result.table.items.names == ("new",)


def test_that_steps_before_an_exchange_know_which_side_is_new() -> None:
    genes_in_rows = FIRST.transposed
    recipe = Recipe.of(
        planned("filter_missing", axis="features", share=0.3),
        planned("top", axis="items", n=2),
        planned("orientation"),
    )
    frozen = recipe.prepare(genes_in_rows).frozen
    new = table_of([[1, N], [5, 6], [9, N], [2, 2]], items=list("ABCD"), features=["p", "q"])
    result = frozen.apply(new)
    assert result.table.items.names == ("p",)
    assert result.table.features.names == ("A", "D")
    assert result.stages[0].removed_features == ("q",)


@pytest.mark.parametrize(
    "step",
    [
        planned("top", axis="items", n=1),
        planned("filter_missing", axis="items", share=0.0),
        planned("minimum", axis="items", value=5.0),
        planned("drop_constant", axis="items"),
        planned("drop", axis="items", names=("new",)),
    ],
    ids=lambda step: step.step.key,
)
def test_that_every_new_item_stays_if_asked_for_and_features_are_chosen_as_at_first(
    step: Planned,
) -> None:
    new = table_of([[2, 2, 2, 2], [0, 1, N, N]], items=["new", "too"])
    first = Recipe.of(step, planned("top", n=2), planned("centre")).prepare(FIRST)
    all_of_them = first.frozen.apply(new, every_item=True)
    assert all_of_them.table.items.names == ("new", "too")
    assert all_of_them.table.features.names == first.table.features.names
    assert all_of_them.notes[0].key == "prepare.passed_over"


def test_that_every_new_item_stays_where_items_are_columns_at_first() -> None:
    step = planned("top", axis="features", n=2)
    frozen = Recipe.of(step, planned("orientation")).prepare(FIRST).frozen
    new = table_of([[1], [1], [1]], features=["new"])
    assert frozen.apply(new, every_item=True).table.items.names == ("new",)


def test_that_labels_of_features_are_those_the_recipe_began_with() -> None:
    labelled = FIRST.with_axis("features", FIRST.features.with_labels({"arm": tuple("ppqq")}))
    frozen = Recipe.of(planned("keep", label="arm", values=("p",))).prepare(labelled).frozen
    assert frozen.apply(FIRST).table.features.names == ("A", "B")
    other = FIRST.with_axis("features", FIRST.features.with_labels({"arm": tuple("qqqq")}))
    result = frozen.apply(other)
    assert result.table.features.names == ("A", "B")
    assert [note.key for note in result.matching] == ["prepare.labels_replaced"]


@pytest.mark.parametrize(
    ("key", "parameters"),
    [
        ("centre", {}),
        ("equal_medians", {"samples": "features"}),
        ("quantile", {"samples": "features"}),
        ("remove_batch", {"label": "run"}),
    ],
)
def test_that_values_where_there_were_none_at_first_are_told(
    key: str, parameters: dict[str, Any]
) -> None:
    def run(table: Table) -> Table:
        return table.with_axis("items", table.items.with_labels({"run": ("1",) * table.n_items}))

    first = run(table_of([[1, N, 3], [4, N, 8], [5, N, 2]]))
    result = Recipe.of(planned(key, **parameters)).prepare(first)
    assert not result.notes
    assert not result.frozen.apply(first).notes
    later = result.frozen.apply(run(table_of([[1, 7, 3], [1, 2, 3]], items=["x", "y"])))
    assert [note.key for note in later.notes] == ["prepare.unlearnt"]
    np.testing.assert_array_equal(later.table.dense[:, 1], [7, 2])


def test_that_an_empty_table_is_refused() -> None:
    assert refused(CENTRED.frozen, FIRST.take("items", [])).keys == ("prepare.empty",)


def test_that_what_was_learnt_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        CENTRED.frozen.remembered[0]["centre"][0] = 5


@pytest.mark.parametrize("error", [ValueError("enough"), KeyError("enough"), KeyboardInterrupt()])
def test_that_what_a_report_raises_inside_a_step_comes_out_as_it_is(
    tmp_path: Path, error: BaseException
) -> None:
    def stop(fraction: float) -> None:
        if fraction > 0:
            raise error

    Recipe.of(planned("impute", how="nearest")).prepare(FIRST).frozen.write(tmp_path / "f.npz")
    with pytest.raises(type(error)) as caught:
        Frozen.read(tmp_path / "f.npz").apply(table_of([[1, N, 3, 4]]), stop)
    assert caught.value is error


def crafted(path: Path, members: dict[str, bytes], *, packed: bool = False) -> Path:
    kind = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
    with zipfile.ZipFile(path, "w", compression=kind) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def array_bytes(array: Any, *, allow_pickle: bool = False) -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array(file, np.asarray(array), allow_pickle=allow_pickle)
    return file.getvalue()


def written(tmp_path: Path) -> dict[str, bytes]:
    """The members of a file as it should be."""
    CENTRED.frozen.write(tmp_path / "right.npz")
    with zipfile.ZipFile(tmp_path / "right.npz") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def record_bytes(record: Any) -> bytes:
    return array_bytes(np.frombuffer(json.dumps(record).encode(), np.uint8))


def read_refused(path: Path) -> tuple[str, ...]:
    with pytest.raises(UserError) as caught:
        Frozen.read(path)
    return caught.value.keys


def test_that_pickled_objects_are_refused(tmp_path: Path) -> None:
    hostile = array_bytes(np.array([{"a": 1}], dtype=object), allow_pickle=True)
    members = written(tmp_path) | {"0.centre.npy": hostile}
    assert read_refused(crafted(tmp_path / "x.npz", members)) == ("prepare.damaged",)


def test_that_a_header_that_promises_too_much_is_refused(tmp_path: Path) -> None:
    header = {"descr": "<f8", "fortran_order": False}
    for shape in ((10**12,), (-1,), (2**62, 4), (3,)):
        file = io.BytesIO()
        np.lib.format.write_array_header_1_0(file, {**header, "shape": shape})
        members = written(tmp_path) | {"0.centre.npy": file.getvalue() + bytes(32)}
        assert read_refused(crafted(tmp_path / "x.npz", members)) == ("prepare.damaged",)


def test_that_compressed_members_are_refused(tmp_path: Path) -> None:
    members = written(tmp_path) | {"0.bomb.npy": bytes(10_000_000)}
    path = crafted(tmp_path / "x.npz", members, packed=True)
    assert read_refused(path) == ("prepare.damaged",)


def test_that_members_that_lie_upon_each_other_are_refused(tmp_path: Path) -> None:
    content = array_bytes(np.zeros(100_000))
    path = crafted(tmp_path / "x.npz", {"0.a.npy": content})
    with zipfile.ZipFile(path, "a") as archive:
        for number in range(50):
            entry = zipfile.ZipInfo(f"0.b{number}.npy")
            first = archive.infolist()[0]
            entry.file_size, entry.compress_size, entry.CRC = (
                first.file_size,
                first.compress_size,
                first.CRC,
            )
            entry.header_offset = first.header_offset
            archive.filelist.append(entry)
            archive.NameToInfo[entry.filename] = entry
        archive._didModify = True  # type: ignore[attr-defined]
    assert read_refused(path) == ("prepare.damaged",)


@pytest.mark.parametrize(
    "change",
    [
        {"memory": 2},
        {"memory": "1"},
        {"texts": 5},
        {"texts": []},
        {"texts": [{"a": ["x", 5]}]},
        {"texts": [{"a": ["x" * 2**20] + [""] * 2**10}]},
        {"names": ["A", 5, "C", "D"]},
        {"names": 4},
        {"labels": {"kind": ["x"]}},
        {"labels": []},
        {"recipe": {"schema": 1, "steps": []}},
        {"recipe": None},
    ],
)
def test_that_records_that_do_not_fit_are_refused(tmp_path: Path, change: Any) -> None:
    members = written(tmp_path)
    record = json.loads(np.load(io.BytesIO(members["record.npy"])).tobytes())
    members["record.npy"] = record_bytes(record | change)
    (key,) = read_refused(crafted(tmp_path / "x.npz", members))
    assert key in ("prepare.damaged", "recipe.newer", "recipe.unreadable")


def test_that_memory_of_another_table_is_refused_when_it_is_used(tmp_path: Path) -> None:
    for array in (np.zeros(3), np.zeros((2, 2))):
        members = written(tmp_path) | {"0.centre.npy": array_bytes(array)}
        frozen = Frozen.read(crafted(tmp_path / "x.npz", members))
        assert refused(frozen, FIRST).keys == ("prepare.damaged",)
    members = written(tmp_path)
    del members["0.centre.npy"]
    frozen = Frozen.read(crafted(tmp_path / "x.npz", members))
    assert refused(frozen, FIRST).keys == ("prepare.damaged",)


def test_that_decisions_about_other_features_are_refused(tmp_path: Path) -> None:
    Recipe.of(planned("top", n=2)).prepare(FIRST).frozen.write(tmp_path / "right.npz")
    with zipfile.ZipFile(tmp_path / "right.npz") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["0.kept.npy"] = array_bytes(np.array([True, False]))
    frozen = Frozen.read(crafted(tmp_path / "x.npz", members))
    assert refused(frozen, FIRST).keys == ("prepare.damaged",)


def test_that_equal_memories_are_equal_files(tmp_path: Path) -> None:
    for name in ("a.npz", "b.npz"):
        USUAL.prepare(holed()).frozen.write(tmp_path / name)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_that_numpy_can_look_into_the_file(tmp_path: Path) -> None:
    CENTRED.frozen.write(tmp_path / "frozen.npz")
    with np.load(tmp_path / "frozen.npz", allow_pickle=False) as arrays:
        np.testing.assert_array_equal(arrays["0.centre"], FIRST.dense.mean(axis=0))


def test_that_parts_of_no_step_are_refused(tmp_path: Path) -> None:
    for name in ("1.centre.npy", "x.npy", "../../etc.npy", "99999999999999999999.a.npy"):
        members = written(tmp_path) | {name: array_bytes(np.zeros(4))}
        assert read_refused(crafted(tmp_path / "x.npz", members)) == ("prepare.damaged",)


def test_that_files_that_are_no_archives_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("gene,cold\n")
    (tmp_path / "empty").write_bytes(b"")
    for name in ("text", "empty"):
        assert read_refused(tmp_path / name) == ("prepare.damaged",)
    assert read_refused(tmp_path / "absent") == ("prepare.unreadable",)
    assert read_refused(tmp_path) == ("prepare.unreadable",)


@given(st.data())
def test_that_damaged_files_are_refused_or_harmless(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("f") / "frozen.npz"
    CENTRED.frozen.write(path)
    content = bytearray(path.read_bytes())
    if data.draw(st.booleans()):
        content = content[: data.draw(st.integers(0, len(content)))]
    for _ in range(data.draw(st.integers(0, 4))):
        if content:
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(bytes(content))
    try:
        found = Frozen.read(path).apply(FIRST).table
    except UserError:
        return
    assert found.n_items == 3


def test_that_others_may_read_a_file_as_they_may_read_any(tmp_path: Path) -> None:
    memory.write_atomically(tmp_path / "ours", b"")
    (tmp_path / "any").touch()
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "any").stat().st_mode


def test_that_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "frozen.npz"
    path.write_text("older")
    memory.write_atomically(path, b"newer")
    assert path.read_bytes() == b"newer"
    for folder in ("none", "frozen.npz"):
        with pytest.raises(UserError) as caught:
            memory.write_atomically(tmp_path / folder / "frozen.npz", b"newer")
        assert caught.value.keys == ("prepare.unwritable",)
    assert [each.name for each in tmp_path.iterdir()] == ["frozen.npz"]
