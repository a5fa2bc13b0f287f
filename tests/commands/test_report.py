"""`ximstudio report`: a page of a run's folder or a session."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.report.pages import Page
from ximstudio.cli import main
from ximstudio.load.run import RECORD
from ximstudio.report import measured_session, session_of_folder
from ximstudio.store import write_session


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "map"
    settings = ["--set", "shape=5x4", "--set", "n_steps=400"]
    arguments = ["sample:yeast", "--method", "som", *settings, "--out", str(folder), "--quiet"]
    assert main(["run", *arguments]) == 0
    return folder


def report(*arguments: str | Path) -> int:
    return main(["report", *map(str, arguments), "--quiet"])


def test_that_a_run_and_the_session_of_it_give_the_same_page(run: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "new" / "run.html", tmp_path / "session.html"
    assert report(run, "--out", first) == 0
    page = Page(first.read_text(encoding="utf-8"))
    recorded = json.loads((run / RECORD).read_text(encoding="utf-8"))["result_hash"]
    assert recorded in page.root.all("header")[0].text
    assert [each.name for each in first.parent.iterdir()] == ["run.html"]
    stored = tmp_path / "map.xims"
    write_session(stored, measured_session(session_of_folder(run)))
    assert report(stored, "--out", second) == 0
    again = Page(second.read_text(encoding="utf-8"))
    assert len(page.root.all("svg")) == len(again.root.all("svg")) >= 3
    for key in ("data", "doctor", "quality", "selections"):
        assert page.section(key).text == again.section(key).text
    for before, after in zip(page.root.all("svg"), again.root.all("svg"), strict=True):
        assert before.text == after.text
        assert [each.attributes for each in before.every()] == [
            each.attributes for each in after.every()
        ]


def test_that_maps_are_measured_unless_a_person_says_no(run: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    assert report(run, "--no-measure", "--title", "Mine", "--out", path) == 0
    page = Page(path.read_text(encoding="utf-8"))
    assert page.root.all("h1")[0].text == "Mine"
    assert not page.section("quality").all("table")
    before = path.read_bytes()
    assert report(run, "--no-measure", "--title", "Mine", "--out", path) == 2
    assert report(run, "--no-measure", "--title", "Mine", "--out", path, "--force") == 0
    assert path.read_bytes() == before


def test_that_measures_are_taken_where_they_are_missing(run: Path) -> None:
    session = session_of_folder(run)
    assert not session.runs[0].measures
    made = measured_session(session)
    assert made.runs[0].measures["trustworthiness"].value > 0.5
    # Files keep measures but not the evidence: they are not taken again.
    kept = replace(made.runs[0], evidence=None)
    again = measured_session(made.with_changed(kept)).runs[0]
    assert again.measures is kept.measures
    assert again.evidence is not None


def run_of_file(tmp_path: Path) -> tuple[Path, Path]:
    """A table in a file, and a run of it."""
    table = tmp_path / "here" / "genes.csv"
    table.parent.mkdir()
    rows = ["gene,a,b,c", *(f"YAL{n:03}W,{n % 7},{n % 5},{n % 3}" for n in range(30)), ""]
    table.write_text("\n".join(rows), encoding="utf-8")
    folder = tmp_path / "map"
    assert main(["run", str(table), "--method", "pca", "--out", str(folder), "--quiet"]) == 0
    return table, folder


def test_that_the_script_in_the_page_makes_the_map_again_beside_its_table(tmp_path: Path) -> None:
    table, folder = run_of_file(tmp_path)
    path = tmp_path / "report.html"
    assert report(folder, "--out", path) == 0
    text = path.read_text(encoding="utf-8")
    assert str(tmp_path) not in text
    script = table.with_name("maps.py")
    (code,) = Page(text).section("reproducing").all("pre")
    script.write_text(code.text, encoding="utf-8")
    assert main(["verify", str(script), "--quiet"]) == 0


def test_that_a_session_without_its_table_is_told_and_finds_it_again(tmp_path: Path) -> None:
    table, folder = run_of_file(tmp_path)
    stored = tmp_path / "map.xims"
    write_session(stored, session_of_folder(folder), embed=False)
    moved = table.rename(tmp_path / "there.csv")
    first, second = tmp_path / "without.html", tmp_path / "with.html"
    assert report(stored, "--no-measure", "--out", first) == 0
    assert report(stored, "--no-measure", "--data", moved, "--out", second) == 0
    pages = [Page(path.read_text(encoding="utf-8")) for path in (first, second)]
    kinds = [page.section("doctor").all("p")[0].attributes.get("class") for page in pages]
    assert kinds == ["absent", None]


@pytest.mark.parametrize(
    ("path", "out"), [("nowhere.xims", "r.html"), ("", "r.html"), ("map", "r.pdf"), ("map", "dir")]
)
def test_that_what_cannot_be_made_is_refused_and_leaves_nothing(
    run: Path, tmp_path: Path, path: str, out: str
) -> None:
    given = run if path == "map" else tmp_path / path
    assert report(given, "--out", tmp_path / "out" / out) == 2
    assert list(tmp_path.iterdir()) == []
