"""Provenance in figures, and what it leaves out."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.figures.pages import LOOK, SUFFIXES, page
from ximstudio import __version__
from ximstudio.export.places import FILES, inputs_at_hand
from ximstudio.export.provenance import SCHEMA, Provenance, read_provenance, record_in
from ximstudio.figures.files import save_figure
from ximstudio.figures.metadata.xmp import MOST_TEXT
from ximstudio.model.problem import UserError
from ximstudio.prepare.input import Input, Joining
from ximstudio.session.run import Run
from ximstudio.train import METHODS, method_named, train
from ximstudio.train.record import record_of_run, run_record

TABLE = "id\ta\tb\tkind\n" + "".join(
    f"gène {number}\t{number % 5}\t{number * number % 7}\t{'xy'[number % 2]}\n"
    for number in range(12)
)
VALUES = {"schema": SCHEMA, "program": "0.1", "title": "t", "figure": {}, "runs": []}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders whose names are nobody's business."""
    folder = tmp_path_factory.mktemp("jane_doe") / "secret project"
    folder.mkdir()
    (folder / "sérum.txt").write_text(TABLE, encoding="utf-8")
    (folder / "more.txt").write_text("id\tgroup\ngène 1\tnew\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def run(home: Path) -> Run:
    given = Input(
        name=str(home / "sérum.txt"), joinings=(Joining(name=str(home / "more.txt"), on="id"),)
    )
    matrix = given.open().matrix
    method = method_named("som")
    params = method.params.from_values({"shape": (3, 4), "n_steps": 200})
    result = train(matrix, method, params, seed=5)
    return Run(key="r1", name="My run", result=result, matrix=matrix, input=given)


def provenance(*runs: Mapping[str, Any], **figure: Any) -> Provenance:
    return Provenance(title="A figure of gènes", figure=figure, runs=runs)


def test_that_a_record_has_all_it_takes_to_train_the_same_map_again(run: Run, home: Path) -> None:
    record = record_of_run(run)
    assert record["name"] == run.name
    assert record["result_hash"] == run.result.hash
    assert record["data"]["fingerprint"] == run.matrix.fingerprint
    assert {"versions", "platform", "steps", "parent", "program"} <= set(record)
    [public] = provenance(record).runs
    found = record_in(public, home / "figure.pdf")
    assert (found.method.key, found.seed) == ("som", 5)
    assert found.params == run.result.params.resolved(run.matrix.n_items)
    assert found.data.fingerprint == run.matrix.fingerprint
    [there] = inputs_at_hand(found.input, beside=home / "figure.pdf")
    assert there == run.input
    again = train(there.open().matrix, found.method, found.params, seed=found.seed)
    assert again.hash == found.result_hash


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_that_every_file_gives_back_what_was_written_and_no_folder(
    run: Run, home: Path, tmp_path: Path, suffix: str
) -> None:
    told = provenance(
        record_of_run(run), view="map", shown=(1, 2), selection=["基因", " a  b ", "\ud800\x7f\x00"]
    )
    path = tmp_path / f"figure{suffix}"
    save_figure(page(), path, LOOK, told)
    assert read_provenance(path) == told
    assert told.figure["shown"] == [1, 2]
    assert told.program == __version__
    content = path.read_bytes()
    for private in (home, home.parent, home.parent.parent):
        assert private.name.encode() not in content
    assert b"more.txt" in content


def test_that_places_are_left_out_of_all_parts_of_a_record(run: Run) -> None:
    record = run_record(
        run.result,
        {
            "source": r"C:\Users\jane\data\a b.xlsx",
            "notes": [{"key": "load.skipped", "what": "/home/jane: ...", "where": "/home/jane/x"}],
            "input": {
                "source": "/home/jane/a.csv",
                "frozen": "../jane/run/prepared.npz",
                "joinings": ({"name": "~jane/b.csv", "on": None, "side": None},),
                "choices": {},
            },
        },
        start="/home/jane/start/",
    )
    parent = {"kind": "part", "folder": "/home/jane/runs/first", "item_ids": ["g"]}
    parameters = {**record["parameters"], "node_file": "C:/Users/jane/nodes.csv"}
    [public] = provenance({**record, "parent": parent, "parameters": parameters}).runs
    assert "jane" not in json.dumps(public)
    data = public["data"]
    assert data["source"] == "a b.xlsx"
    assert data["notes"] == [{"key": "load.skipped"}]
    assert data["input"]["source"] == "a.csv"
    assert data["input"]["frozen"] == "prepared.npz"
    assert data["input"]["joinings"] == [{"name": "b.csv", "on": None, "side": None}]
    assert public["start"] == "start"
    assert public["parameters"]["node_file"] == "nodes.csv"
    assert public["parent"] == {**parent, "folder": "first"}
    # What stays with its owner keeps it all.
    assert record["data"]["input"]["source"] == "/home/jane/a.csv"


def test_that_every_parameter_that_is_a_file_is_known_as_one() -> None:
    named_so = {
        name
        for method in METHODS
        for name, spec in method.params.specs().items()
        if "file" in f"{name} {spec.label} {spec.help}".lower()
    }
    assert named_so == set(FILES)


def test_that_ancestors_are_told_apart_from_the_maps_that_are_drawn(run: Run, home: Path) -> None:
    record = record_of_run(run)
    alone = provenance(record)
    told = replace(alone, ancestors=({**record, "method": "pca"},))
    assert told.runs == alone.runs
    assert told.sentence == alone.sentence
    assert home.name not in told.text
    assert Provenance.from_text(told.text, Path("figure.pdf")) == told
    # A figure without any is what it was before there were some.
    assert "ancestors" not in json.loads(alone.text)
    assert json.loads(told.text)["schema"] == 1


def test_that_samples_keep_their_names() -> None:
    data = {"source": "sample:serum", "input": {"source": "sample:serum", "joinings": []}}
    [public] = provenance({"data": data}).runs
    assert public["data"]["source"] == public["data"]["input"]["source"] == "sample:serum"


def test_that_people_are_told_methods_and_tables_by_name(run: Run) -> None:
    record = record_of_run(run)
    said = provenance(record, {**record, "method": "c-xim"}).embedded
    assert said.title == "A figure of gènes"
    for word in ("SOM", "c-XIM", "sérum.txt", __version__):
        assert word in said.sentence
    # Whatever a record lacks, the file is written.
    assert provenance({}, {"data": None}, {"method": 3, "data": {}}).embedded.sentence
    assert provenance().embedded.sentence


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(st.text(), st.dictionaries(st.text(), values, max_size=4), st.lists(values, max_size=2))
def test_that_any_plain_values_come_back(
    title: str, figure: dict[str, Any], more: list[Any]
) -> None:
    told = Provenance(title=title, figure=figure, runs=tuple({"more": each} for each in more))
    assert Provenance.from_text(told.embedded.record, Path("figure.pdf")) == told


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "7",
        '"schema"',
        "{",
        "[" * 100_000,
        "{}",
        *(json.dumps({**VALUES, "schema": schema}) for schema in (0, -1, True, 1.0, "1", None)),
        *(json.dumps({**VALUES, name: 3}) for name in ("program", "title", "figure", "runs")),
        json.dumps({**VALUES, "runs": [[]]}),
        json.dumps({**VALUES, "runs": ["text"]}),
        json.dumps({**VALUES, "ancestors": {}}),
        json.dumps({**VALUES, "ancestors": ["text"]}),
        json.dumps({**VALUES, "runs": [{"data": {"notes": [{}]}}]}),
        *(json.dumps({key: VALUES[key] for key in VALUES if key != name}) for name in VALUES),
        f'{{"schema": {"9" * 5000}}}',
    ],
)
def test_that_what_was_not_written_so_is_refused(text: str) -> None:
    with pytest.raises(UserError) as error:
        Provenance.from_text(text, Path("figure.pdf"))
    assert error.value.keys == ("provenance.damaged",)


def test_that_a_newer_form_is_refused_as_such() -> None:
    for values in ({"schema": SCHEMA + 1}, {**VALUES, "schema": 99, "runs": {}}):
        with pytest.raises(UserError) as error:
            Provenance.from_text(json.dumps(values), Path("figure.pdf"))
        assert error.value.keys == ("provenance.newer",)
    assert Provenance.from_text(json.dumps(VALUES), Path("figure.pdf")).title == "t"


def test_that_nothing_is_written_that_could_not_be_read_back(tmp_path: Path) -> None:
    with pytest.raises(UserError) as error:
        save_figure(page(), tmp_path / "figure.pdf", LOOK, provenance(selection="g" * MOST_TEXT))
    assert error.value.keys == ("provenance.too_long",)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "change",
    [
        {"method": "no-such"},
        {"method": 3},
        {"parameters": {"n_steps": -1}},
        {"parameters": None},
        {"seed": "many"},
        {"seed": None},
        {"data": {}},
        {"data": 3},
        {"parent": {"kind": "unheard of"}},
        {"parent": 3},
    ],
)
def test_that_settings_that_make_no_sense_are_refused(run: Run, change: dict[str, Any]) -> None:
    record = {**record_of_run(run), **change}
    with pytest.raises(UserError) as error:
        record_in(record, Path("figure.pdf"))
    assert error.value.keys == ("provenance.damaged",)


def test_that_data_are_looked_for_where_they_may_be(tmp_path: Path) -> None:
    given = Input(name="a.csv", joinings=(Joining(name="b.csv"),), frozen="c.npz")
    figure = tmp_path / "paper" / "figure.pdf"
    places = {name: tmp_path / name for name in ("paper", "old", "new")}
    for folder in places.values():
        folder.mkdir()
    files = [places["old"] / "a.csv", places["new"] / "a.csv", places["new"] / "b.csv"]
    for path in (*files, places["paper"] / "a.csv", places["paper"] / "c.npz"):
        path.write_text("x")
    gone = tmp_path / "gone" / "a.csv"
    known = [gone, *files, places["new"] / "other.csv"]
    found = list(inputs_at_hand(given, beside=figure, known=known))
    there = (places["old"], places["new"], places["paper"])
    assert [each.name for each in found] == [str(folder / "a.csv") for folder in there]
    assert {each.joinings[0].name for each in found} == {str(places["new"] / "b.csv")}
    assert {each.frozen for each in found} == {str(places["paper"] / "c.npz")}
    [asked] = inputs_at_hand(given, beside=figure, known=known, table=tmp_path / "moved.csv")
    assert asked.name == str(tmp_path / "moved.csv")
    assert not list(inputs_at_hand(given, beside=figure))


@pytest.mark.parametrize("name", ["..", "", ".", "../../../etc/hostname", "a/../.."])
def test_that_names_lead_nowhere_else(tmp_path: Path, name: str) -> None:
    (tmp_path / "hostname").mkdir()
    assert not list(inputs_at_hand(Input(name=name), beside=tmp_path / "figure.pdf"))


def test_that_reading_needs_no_drawing(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "figure.png"
    save_figure(page(), path, LOOK, provenance(record_of_run(run)))
    script = (
        "import sys; from pathlib import Path\n"
        "from ximstudio.export.provenance import read_provenance\n"
        "assert read_provenance(Path(sys.argv[1])) is not None\n"
        "print([name for name in ('matplotlib', 'PIL', 'lxml') if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
