"""The page of a report: whole, readable without anything else, and true."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.report.pages import Page
from tests.report.sessions import PLACE, data_of, run_of, session_of, whole, with_clusters
from tests.store.sessions import full
from ximstudio.export.measures import item_values
from ximstudio.export.methods_text import session_methods
from ximstudio.export.provenance import record_in
from ximstudio.model.named_set import NamedSet, SetSide
from ximstudio.model.problem import UserError
from ximstudio.model.selection import Selection
from ximstudio.pictures.measure_table import measure_table, value_text
from ximstudio.prepare.recipe import Recipe, planned
from ximstudio.report import SECTIONS, context, read_report, report_html, write_report
from ximstudio.report.html import COARSE
from ximstudio.report.sections.selections import MOST_ROWS
from ximstudio.session import Session


@cache
def text() -> str:
    return report_html(whole())


@cache
def page() -> Page:
    return Page(text())


@cache
def page_of_everything() -> Page:
    return Page(report_html(full()))


Made = Callable[[], Page]
PAGES = pytest.mark.parametrize("made", [page, page_of_everything])


@PAGES
def test_that_every_section_is_there_and_the_contents_lead_to_it(made: Made) -> None:
    (nav,) = made().root.all("nav")
    assert [link.attributes["href"] for link in nav.all("a")] == [
        f"#{section.key}" for section in SECTIONS
    ]
    for section in SECTIONS:
        found = made().section(section.key)
        assert found.text.strip() != section.title


@PAGES
def test_that_ids_are_unique_and_whatever_is_referred_to_is_there(made: Made) -> None:
    assert [name for name, n in made().ids.items() if n > 1] == []
    assert made().references <= set(made().ids)


@PAGES
def test_that_nothing_is_loaded_and_nothing_is_run(made: Made) -> None:
    assert made().loaded == set()
    (script,) = made().root.all("script")
    assert script.attributes["type"] == "application/json"
    policies = [each.attributes.get("content", "") for each in made().root.all("meta")]
    assert any("default-src 'none'" in policy for policy in policies)


@PAGES
def test_that_people_who_do_not_see_it_can_read_it(made: Made) -> None:
    root = made().root
    (html,) = root.all("html")
    assert html.attributes["lang"] == "en"
    assert len(root.all("h1")) == 1
    levels = [int(each.tag[1]) for each in root.every() if re.fullmatch("h[1-6]", each.tag)]
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert all(each.attributes.get("scope") in ("row", "col") for each in root.all("th"))
    assert all(each.attributes["aria-label"] for each in root.all("svg"))
    assert all(each.attributes["alt"] for each in root.all("img"))
    figures = root.all("figure")
    assert figures
    assert all(len(figure.all("figcaption")) == 1 for figure in figures)


def test_that_styles_of_figures_are_not_styles_of_the_page() -> None:
    assert len(page().root.all("style")) == 1


def test_that_equal_sessions_give_equal_pages() -> None:
    assert report_html(replace(whole())) == text()


def test_that_there_is_no_date_unless_one_is_given() -> None:
    session = Session(data=whole().data)
    dated = Page(report_html(session, date="1 May")).root.all("header")[0]
    assert "1 May" in dated.text
    assert "Date" not in Page(report_html(session)).root.all("header")[0].text


def test_that_the_numbers_are_those_of_the_runs() -> None:
    runs = whole().runs
    made = measure_table(runs)
    tables = page().section("quality").all("table")
    rows = {row[0].rstrip(" ↑↓"): row[1:] for row in tables[0].rows()}
    for number, row in enumerate(made.rows):
        expected = [value_text(made, number, column) for column in range(len(runs))]
        assert rows[row.title] == expected, row.key
    bold = {each.text for each in tables[0].all("b")}
    places = np.argwhere(made.best)
    assert bold == {value_text(made, int(row), int(column)) for row, column in places}
    header = page().root.all("header")[0].text
    assert runs[0].result.hash in header
    for run in runs:
        assert run.result.hash in page().section("maps").text
        assert run.matrix.fingerprint in page().section("data").text


def test_that_the_least_trusted_items_are_named() -> None:
    run = whole().runs[0]
    assert run.evidence is not None
    trust = item_values(run.evidence)["trust"]
    worst = [run.matrix.item_ids[item] for item in np.argsort(trust, kind="stable")[:5]]
    tables = page().section("quality").all("table")
    named = [[row[0] for row in table.rows()[1:]] for table in tables]
    assert worst in named


def test_that_data_findings_and_recipe_are_told() -> None:
    assert "60 genes × 4 samples" in page().section("data").text
    assert "59 genes × 4 samples" in page().section("data").text
    assert "Decimal mark" in page().section("data").text
    data = whole().data
    assert data is not None
    for finding in data.findings:
        told = page().section("doctor").text
        assert finding.way_out.split(".")[0].split("item")[0] in told
    assert "YAL000W" in page().section("recipe").text


def test_that_clusters_have_all_their_members() -> None:
    run = whole().runs[0]
    folds = page().section("clusters").all("details")
    members = [name for fold in folds for part in fold.all("p") for name in part.text.split(", ")]
    assert sorted(members) == sorted(run.matrix.item_ids)


def test_that_selection_and_sets_are_listed_with_what_is_known() -> None:
    section = page().section("selections")
    tables = [table.rows() for table in section.all("table")]
    lists = [rows for rows in tables if rows[0][0] == "id"]
    assert [row[0] for row in lists[0][1:]] == sorted(whole().selection.ids)
    assert [row[0] for row in lists[1][1:]] == ["YAL003W", "YAL010W"]
    assert "class" in lists[0][0]
    assert "From a paper" in section.text


def test_that_methods_are_those_of_the_text_with_references() -> None:
    section = page().section("methods")
    told = session_methods(whole())
    for paragraph in told.paragraphs[1:]:
        assert paragraph in section.text
    (references,) = (each for each in section.all("ol"))
    assert [each.text for each in references.all("li")] == list(told.references)


def test_that_no_folder_of_whoever_wrote_it_is_told() -> None:
    assert PLACE not in text()
    assert "somebody" not in text()
    assert "genes.csv" in page().section("data").text


def test_that_an_empty_session_says_so_everywhere() -> None:
    empty = Page(report_html(Session()))
    for section in SECTIONS:
        kinds = {each.attributes.get("class") for each in empty.section(section.key).all("p")}
        assert "absent" in kinds, section.key


def test_that_a_session_whose_table_is_gone_is_told_without_it() -> None:
    session = replace(whole(), data=None, runs=whole().runs[1:], compared=(), sets=())
    made = Page(report_html(replace(session, shown=session.runs[0].key)))
    assert session.runs[0].matrix.fingerprint in made.section("data").text
    assert made.section("doctor").all("p")[0].attributes["class"] == "absent"
    assert len(made.section("recipe").all("li")) == 1


HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</script><script>alert(2)</script>",
    "</title></style></svg><b onclick='x'>",
    "--!><u>", "]]><i>", "&lt;b&gt;", "a & b", "' onload='x", 'id="f1-x" url(#y)',
    "<!--", "$x_1$", "javascript:alert(3)", "new\nline", "nul\x00l",
)  # fmt: skip


def test_that_hostile_names_are_letters_and_nothing_else() -> None:
    names = [*HOSTILE, *(f"gene {number}" for number in range(30))]
    data = data_of(
        names,
        features=("<s>", "f&g", '"q"', "</script>"),
        classes=HOSTILE[:3],
        label="<em>label</em>",
        file="<b>genes</b>.csv",
        recipe=Recipe.of(planned("keep", axis="items", names=tuple(names[:-1]))),
    )
    session = with_clusters(session_of(data, runs=[("som", HOSTILE[0])]), names=HOSTILE[1:3])
    session = replace(
        session,
        selection=Selection.of(HOSTILE),
        sets=(
            NamedSet.of(HOSTILE[2], HOSTILE, note=HOSTILE[3]),
            NamedSet.of("of samples", ["<s>"], side=SetSide.FEATURES, note="<s>"),
        ),
    )
    made = Page(report_html(session, title=HOSTILE[3], date=HOSTILE[1]))
    elements = made.root.every()
    assert len([each for each in elements if each.tag == "script"]) == 1
    assert not [name for each in elements for name in each.attributes if name.startswith("on")]
    assert not {each.tag for each in elements} & {"u", "i", "s", "em", "iframe"}
    assert made.loaded == set()
    assert made.ids.most_common(1)[0][1] == 1
    assert made.root.all("title")[0].text == HOSTILE[3]
    assert made.root.all("h1")[0].text == HOSTILE[3]
    listed = made.section("selections").all("table")[0].rows()
    shown = [name.replace("\x00", "\ufffd") for name in HOSTILE]
    assert [row[0] for row in listed[1:]] == shown


@pytest.mark.parametrize("name", ["bell \x07", "half \ud800 letter", "\ufffe"])
def test_that_names_that_no_file_can_hold_are_drawn_and_told_all_the_same(name: str) -> None:
    data = data_of([f"YAL{number:03}W" for number in range(30)])
    runs = (run_of(data, "pca", name), run_of(data, "pca", "other", seed=1))
    session = Session(data=data, runs=runs, shown="pca 0", compared=("pca 0", "pca 1"))
    made = report_html(session)
    assert made.encode("utf-8")
    assert len(Page(made).root.all("figure")) == 3


def test_that_long_lists_are_cut_and_counted() -> None:
    names = [f"YAL{number:05}W" for number in range(3000)]
    session = session_of(data_of(names), runs=[("pca", "PCA")])
    session = replace(session, sets=(NamedSet.of("Many", names[:1234]),))
    made = report_html(session)
    section = Page(made).section("selections")
    rows = section.all("table")[0].rows()
    assert len(rows) == 1 + MOST_ROWS
    assert str(1234 - MOST_ROWS).replace("1034", "1\u202f034") in section.text
    assert len(made) < 2_000_000


def test_that_a_figure_too_large_for_drawing_is_made_of_pixels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = data_of([f"YAL{number:03}W" for number in range(30)])
    session = Session(data=data).with_run(run_of(data, "pca", "PCA"))
    assert Page(report_html(session)).root.all("svg")
    monkeypatch.setattr(context, "LARGE", 0)
    monkeypatch.setattr(context, "COARSE", replace(COARSE, most_svg=10))
    made = Page(report_html(session))
    assert not made.root.all("svg")
    (picture, *_) = made.root.all("img")
    assert picture.attributes["src"].startswith("data:image/png;base64,")
    assert made.loaded == set()


class StoppedError(Exception):
    pass


def test_that_the_record_of_every_run_can_be_read_back(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    told: list[float] = []
    write_report(path, whole(), told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    found = read_report(path)
    assert found is not None
    assert PLACE not in found.text
    for record, run in zip(found.runs, whole().runs, strict=True):
        settings = record_in(record, path)
        assert settings.result_hash == run.result.hash
        assert settings.data.fingerprint == run.matrix.fingerprint
        assert settings.params == run.result.params.resolved(run.matrix.n_items)
        assert settings.seed == run.result.seed


def test_that_a_page_without_a_record_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "other.html"
    path.write_text("<!DOCTYPE html><p id='provenance'>{}</p><script>1</script>", encoding="utf-8")
    assert read_report(path) is None
    path.write_text("<script id='provenance'>{</script>", encoding="utf-8")
    with pytest.raises(UserError):
        read_report(path)
    with pytest.raises(UserError) as refused:
        read_report(tmp_path / "nowhere.html")
    assert refused.value.keys == ("report.unreadable",)


def test_that_a_report_that_is_ended_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("before", encoding="utf-8")

    def stop(fraction: float) -> None:
        if fraction > 0.0:
            raise StoppedError

    with pytest.raises(StoppedError):
        write_report(path, whole(), stop)
    assert path.read_text(encoding="utf-8") == "before"
    assert [each.name for each in tmp_path.iterdir()] == ["report.html"]


def test_that_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError) as refused:
        write_report(tmp_path / "no folder" / "report.html", Session())
    assert refused.value.keys == ("export.unwritable",)
