"""Scripts: what they say, that they run, and that their receipt is made again by `verify`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ximstudio
from tests.reproduce.conftest import made
from ximstudio.export.provenance import Provenance
from ximstudio.model.made_with import MadeWith
from ximstudio.model.problem import UserError
from ximstudio.reproduce.again import verify_records
from ximstudio.reproduce.receipt import receipt_of, records_in, records_in_provenance
from ximstudio.reproduce.script import literal, script_text, write_script
from ximstudio.reproduce.script_file import read_script, values_of
from ximstudio.reproduce.ticks import Tick, Verdict
from ximstudio.session.run import Run
from ximstudio.train import METHODS, checkpoints, method_named, train
from ximstudio.train.continued import continued, continued_again
from ximstudio.train.part import part_of
from ximstudio.train.record import record_of_run


def ticks(receipt: dict[str, Any], folder: Path, data: str | None = None) -> list[Tick]:
    compared = verify_records(records_in(receipt, "here"), folder=folder, data=data)
    return [tick for one in compared for tick in one.ticks]


def wrong(found: Sequence[Tick]) -> list[str]:
    return [tick.key for tick in found if not tick.verdict.holds]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.key)
def test_that_the_map_of_every_method_is_made_again_to_the_last_bit(
    table: Path, tmp_path: Path, method: Any
) -> None:
    run = made(table, method.key)
    write_script(tmp_path / "map.py", [run])
    script = read_script(tmp_path / "map.py")
    assert not script.edited
    found = ticks(script.receipt, tmp_path)
    assert {tick.verdict for tick in found} == {Verdict.SAME}
    assert [tick.what for tick in found][:2] == ["data", "map"]
    assert {tick.what for tick in found} >= {"trustworthiness", "spearman"}


@pytest.mark.parametrize(
    "changes",
    [
        {"algorithm": "batch", "n_epochs": 8},
        {"algorithm": "mini-batch", "n_epochs": 4, "block_items": 11},
        {"anchors": ("1:2=g3", "7=g8"), "lattice": "hexagonal", "toroidal": True},
        {"reach_from": "neighbours", "divergence": "beta", "metric": "correlation"},
    ],
    ids=["batch", "mini-batch", "pinned", "local"],
)
def test_that_odd_settings_are_made_again(table: Path, tmp_path: Path, changes: Any) -> None:
    receipt = receipt_of([made(table, "c-xim", **changes)])
    assert {tick.verdict for tick in ticks(receipt, tmp_path)} == {Verdict.SAME}


@pytest.fixture(scope="module")
def family(table: Path) -> list[Run]:
    """A map, a part of it, and that part trained further."""
    first = made(table, "c-xim", seed=3)
    some = part_of(
        first.result, first.matrix, items=first.matrix.item_ids[:20], changes={"n_steps": 400}
    )
    part = Run(
        key="b",
        name="part",
        result=some.train(seed=1),
        matrix=some.matrix,
        input=first.input,
        parent="a",
    )
    more = continued_again(part.result, part.matrix)
    further = Run(
        key="c",
        name="further",
        result=more.train(),
        matrix=more.matrix,
        input=first.input,
        parent="b",
    )
    return [first, part, further]


def test_that_maps_which_descend_from_others_are_made_again(
    family: list[Run], tmp_path: Path
) -> None:
    # The youngest alone brings those along that it descends from.
    write_script(tmp_path / "family.py", family, ["c"])
    script = read_script(tmp_path / "family.py")
    assert list(script.receipt["runs"]) == ["run_1", "run_2", "run_3"]
    assert {tick.verdict for tick in ticks(script.receipt, tmp_path)} == {Verdict.SAME}


def test_that_a_figure_tells_enough_of_maps_which_descend_from_others(
    family: list[Run], tmp_path: Path, table: Path
) -> None:
    # In whatever order the figure shows them.
    runs = tuple(record_of_run(run) for run in reversed(family))
    told = records_in_provenance(Provenance(figure={}, runs=runs), tmp_path / "map.pdf")
    found = [tick for one in verify_records(told, folder=table.parent) for tick in one.ticks]
    assert [tick.verdict for tick in found] == [Verdict.SAME] * 6
    with pytest.raises(UserError) as caught:
        records_in_provenance(Provenance(figure={}, runs=runs[:1]), tmp_path / "map.pdf")
    assert caught.value.keys == ("verify.not_enough",)
    with pytest.raises(UserError) as caught:
        records_in_provenance(Provenance(figure={}), tmp_path / "map.pdf")
    assert caught.value.keys == ("verify.not_enough",)


def test_that_a_map_which_took_new_items_in_is_made_again(table: Path, tmp_path: Path) -> None:
    run = made(table, "som")
    lines = table.read_text(encoding="utf-8").splitlines()
    (tmp_path / "first.csv").write_text("\n".join(lines[:31]) + "\n", encoding="utf-8")
    # Nothing that a step learns, so that both tables are prepared alike.
    bare = replace(run.input, recipe=type(run.input.recipe)())
    first = replace(bare, name=str(tmp_path / "first.csv"))
    earlier, all_items = first.open(), bare.open()
    way = method_named("som")
    begun = train(earlier.matrix, way, way.params.from_values({"shape": (4, 4), "n_steps": 200}))
    new = all_items.matrix.items(range(30, 40))
    more = continued(begun, new, earlier=earlier.matrix)
    runs = [
        Run(key="a", name="a", result=begun, matrix=earlier.matrix, input=first),
        Run(key="b", name="b", result=more.train(), matrix=more.matrix, input=bare, parent="a"),
    ]
    assert {tick.verdict for tick in ticks(receipt_of(runs), tmp_path)} == {Verdict.SAME}


@pytest.mark.parametrize("last", [1000, 1234, 77])
def test_that_a_stopped_map_is_made_again_up_to_the_same_step(
    table: Path, tmp_path: Path, last: int
) -> None:
    run = made(table, "c-xim", n_steps=1)
    params = run.result.params.replace(n_steps=5000)
    way = method_named("c-xim")
    step = next(
        each for each in checkpoints(run.matrix, way, params, chunk=last) if each.step == last
    )
    stopped = replace(run, result=step.result(), measures={})
    assert not stopped.result.finished
    receipt = receipt_of([stopped])
    assert {tick.verdict for tick in ticks(receipt, tmp_path)} == {Verdict.SAME}


def test_that_a_run_whose_beginning_is_gone_is_refused(family: list[Run]) -> None:
    with pytest.raises(UserError) as caught:
        receipt_of(family[1:])
    assert caught.value.keys == ("script.no_beginning",)


def test_that_a_script_runs_as_a_plain_program_and_ticks_all(
    family: list[Run], tmp_path: Path
) -> None:
    write_script(tmp_path / "family.py", family)
    package = str(Path(ximstudio.__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, tmp_path / "family.py"],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": package, "PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("✓") == 3 * 2 + len(family[0].measures)
    assert "✗" not in done.stdout


@pytest.mark.parametrize(
    ("path", "value", "key"),
    [
        (("result_hash",), "0" * 64, "run_1.map"),
        (("measures", "sammon"), 0.5, "run_1.sammon"),
        (("data", "fingerprint"), "0" * 64, "run_1.data"),
        (("seed",), 9, "run_1.map"),
    ],
)
def test_that_another_expectation_fails_under_its_own_key(
    table: Path, tmp_path: Path, path: tuple[str, ...], value: Any, key: str
) -> None:
    receipt = receipt_of([made(table, "som")])
    inner = receipt["runs"]["run_1"]
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = value
    assert wrong(ticks(receipt, tmp_path))[0] == key
    if path != ("seed",):
        assert wrong(ticks(receipt, tmp_path)) == [key]


def test_that_a_moved_table_is_found_beside_the_script_or_by_name(
    table: Path, tmp_path: Path
) -> None:
    receipt = receipt_of([made(table, "pca")])
    given = receipt["runs"]["run_1"]["data"]["input"]
    given["source"] = str(tmp_path / "gone" / "table.csv")
    with pytest.raises(UserError):
        ticks(receipt, tmp_path)
    assert not wrong(ticks(receipt, tmp_path, str(table)))
    assert not wrong(ticks(receipt, table.parent))


def test_that_another_table_is_told_and_nothing_is_trained(table: Path, tmp_path: Path) -> None:
    receipt = receipt_of([made(table, "c-xim", n_steps=100)])
    lines = table.read_text(encoding="utf-8").splitlines()
    other = tmp_path / "other.csv"
    other.write_text("\n".join(lines[:-3]) + "\n", encoding="utf-8")
    found = ticks(receipt, tmp_path, str(other))
    assert [tick.key for tick in found] == wrong(found) == ["run_1.data"]


def test_that_people_may_change_where_files_are(table: Path, tmp_path: Path) -> None:
    path = tmp_path / "map.py"
    write_script(path, [made(table, "pca")])
    text = path.read_text(encoding="utf-8")
    before, _, after = text.partition("TABLE_1 = ")
    moved = f"{before}TABLE_1 = {literal('elsewhere.csv')}\n{after.partition(chr(10))[2]}"
    # The receipt still names the old place, which the constant overrules.
    path.write_text(moved, encoding="utf-8")
    script = read_script(path)
    assert script.receipt["runs"]["run_1"]["data"]["input"]["source"] == "elsewhere.csv"


def test_that_a_map_from_elsewhere_is_not_said_to_be_made_here(table: Path, tmp_path: Path) -> None:
    """Else rounding of another processor would be taken for another map."""
    elsewhere = MadeWith(program="0.0.9", versions={"numpy": "1.26"})
    runs = [made(table, "pca"), replace(made(table, "pca", key="b"), made_with=elsewhere)]
    write_script(tmp_path / "maps.py", runs)
    found = read_script(tmp_path / "maps.py")
    assert not found.edited
    first, second = records_in(found.receipt, "x").values()
    assert first.elsewhere == []
    assert {"ximstudio 0.0.9", "numpy 1.26", "processor unknown"} <= set(second.elsewhere)


def test_that_a_script_with_another_name_or_place_is_not_edited(
    table: Path, tmp_path: Path
) -> None:
    first, second = tmp_path / "maps.py", tmp_path / "renamed.py"
    write_script(first, [made(table, "pca")])
    text = first.read_text(encoding="utf-8")
    second.write_text(text.replace(f"{table.parent}/", ""), encoding="utf-8")
    found = read_script(second)
    assert not found.edited
    assert found.receipt["runs"]["run_1"]["data"]["input"]["source"] == table.name
    # Whatever stands behind the head is code.
    second.write_text(text.replace('"""\n', '""";print()\n', 1), encoding="utf-8")
    assert read_script(second).edited


def test_that_edited_code_is_told(table: Path, tmp_path: Path) -> None:
    path = tmp_path / "map.py"
    write_script(path, [made(table, "pca")])
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("seed=2", "seed=3"), encoding="utf-8")
    assert read_script(path).edited
    path.write_bytes(text.replace("\n", "\r\n").encode())
    assert not read_script(path).edited


def test_that_names_cannot_break_out_of_a_script(table: Path) -> None:
    run = made(table, "pca")
    name = 'x"""\n\nimport os\nos.remove("all")\n#'
    odd = replace(run, name=name, input=replace(run.input, name=f'/tmp/a"b\\{name}.csv'))
    text = script_text(receipt_of([odd]), 'a"""b.py')
    assert not any(line.startswith(("import", "os.")) for line in text.splitlines())
    compile(text, "script", "exec")


@pytest.mark.parametrize(
    "value",
    [
        {"a": [1, 2.5, -1e-300, None, True], "b": {"long " * 9: ("one",) * 30}, "c": {}, "d": ()},
        ['"quoted"', "back\\slash", "line\nbreak", "ümlaut", "\x00", ","] * 9,
        {"deep": [[[[[["x" * 200]]]]]], "empty": [[], {}, ()]},
    ],
)
def test_that_values_read_back_as_they_were_written(value: Any) -> None:
    # As JSON has them: it knows no tuples.
    assert values_of(literal(value), "here") == json.loads(json.dumps(value))
