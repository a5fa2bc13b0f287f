"""Texts, tables, scripts and reports out of the window, and the dialog for all of them."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.app.test_access import cut_off, spoken
from tests.ui.export_hands import drawn, opened, saved, settled
from tests.ui.hands import choose, click, click_tab, pick
from tests.ui.windows import begin_long_training, run_shown, take_ready, wait_idle
from ximstudio.export.table_files import FILES
from ximstudio.export.table_kinds import TABLES, tables_of
from ximstudio.load import read
from ximstudio.model.selection import Selection
from ximstudio.report import SECTIONS, measured_session, read_report, write_report
from ximstudio.reproduce.script_file import read_script
from ximstudio.session import Session
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.app.menus import import_dialog
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.dialogs.exporting.dialog import PAGES, ExportDialog
from ximstudio.ui.dialogs.exporting.page import length_text
from ximstudio.ui.dialogs.exporting.report_page import ReportPage, report_contents
from ximstudio.ui.dialogs.exporting.text_pages import ScriptPage, TextPage
from ximstudio.ui.dialogs.help import help_about
from ximstudio.ui.runtime.job_queue import AnyJob
from ximstudio.ui.widgets.question import Question

FRESH = """
import sys
from ximstudio.ui.app import menus as exporter
dialog = "ximstudio.ui.dialogs.exporting.dialog"
before = dialog in sys.modules
exporter.import_dialog(None)
print(before, dialog in sys.modules)
"""

pytestmark = pytest.mark.usefixtures("dressed")


@pytest.fixture
def window(mapped: MainWindow) -> MainWindow:
    return mapped


def text_page(dialog: ExportDialog) -> TextPage:
    return dialog.page_of(TextPage)


def script_page(dialog: ExportDialog) -> ScriptPage:
    return dialog.page_of(ScriptPage)


def only(dialog: ExportDialog, *keys: str) -> None:
    """Tick these tables, and no other."""
    for key, line in dialog.tables.lines.items():
        if line.tick.isEnabled() and line.tick.isChecked() != (key in keys):
            click(line.tick)


# Texts


def test_that_methods_and_legend_are_written_from_the_run_and_copied(
    qtbot: QtBot, window: MainWindow
) -> None:
    page = text_page(opened(qtbot, window, "text"))
    run = run_shown(window)
    methods, legend = page.methods.toPlainText(), page.legend.toPlainText()
    assert f"{run.result.seed}" in methods
    assert "[1]" in methods
    assert f"{run.matrix.n_items} genes" in legend
    click(page.copy_methods)
    assert QGuiApplication.clipboard().text() == methods
    click(page.copy_legend)
    assert QGuiApplication.clipboard().text() == legend


def test_that_the_legend_is_that_of_the_figure(qtbot: QtBot, window: MainWindow) -> None:
    dialog = opened(qtbot, window)
    click_tab(dialog.tabs, 1)
    settled(qtbot, window)
    first = text_page(dialog).legend.toPlainText()
    click_tab(dialog.tabs, 0)
    choose(qtbot, dialog.figure.form.view, "Positions")
    click_tab(dialog.tabs, 1)
    settled(qtbot, window)
    assert text_page(dialog).legend.toPlainText() != first


def test_that_all_runs_can_be_told_together(qtbot: QtBot, window: MainWindow) -> None:
    window.user_actions.set_seed(7)
    take_ready(qtbot, window)
    page = text_page(opened(qtbot, window, "text"))
    one = page.methods.toPlainText()
    click(page.which.button("all"))
    settled(qtbot, window)
    both = page.methods.toPlainText()
    assert one != both
    assert "seed" in one


def test_that_both_texts_are_saved_in_one_file(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    dialog = opened(qtbot, window, "text")
    page = text_page(dialog)
    for name in ("methods.txt", "methods.md"):
        path = saved(qtbot, window, tmp_path / name)
        text = path.read_text(encoding="utf-8")
        assert page.legend.toPlainText() in text
        assert page.methods.toPlainText().split("\n")[0] in text
    assert length_text(path.stat().st_size) in dialog.status.full


# Tables


def test_that_tables_say_their_size_or_why_there_are_none(qtbot: QtBot, window: MainWindow) -> None:
    page = opened(qtbot, window, "tables").tables
    session, run = window.user_actions.session, run_shown(window)
    there = {kind.key for kind in tables_of(session)}
    for kind in TABLES:
        line = page.lines[kind.key]
        assert line.tick.isEnabled() == (kind.key in there)
        assert bool(line.size.text()) == (kind.key in there)
        assert line.about.text()
    assert page.lines["items"].size.text().startswith(f"{run.matrix.n_items} ×")


def test_that_ticked_tables_are_sheets_of_one_workbook(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    import python_calamine

    dialog = opened(qtbot, window, "tables")
    only(dialog, "items", "prototypes")
    settled(qtbot, window)
    path = saved(qtbot, window, tmp_path / "tables.xlsx")

    book = python_calamine.CalamineWorkbook.from_path(path)
    first, second, *_ = book.sheet_names
    run = run_shown(window)
    assert len(book.get_sheet_by_name(first).to_python()) == 1 + run.matrix.n_items
    assert len(book.get_sheet_by_name(second).to_python()) == 1 + 48


def test_that_chosen_genes_are_exported_from_beside_their_list(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    ids = run_shown(window).matrix.item_ids[5:12]
    window.user_actions.selecting.select(Selection.of(ids))
    window.work.panel.show_folded(False)
    wait_idle(qtbot, window)
    click(window.work.panel.chosen.head.export)
    settled(qtbot, window)
    dialog = window.exporter.dialog
    assert dialog.page is dialog.tables
    choose(qtbot, dialog.tables.file, "Comma-separated (CSV)")
    settled(qtbot, window)
    path = saved(qtbot, window, tmp_path / "genes.csv")

    with path.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert [row[0] for row in rows] == list(ids)
    assert dialog.tables.lines["items"].size.text() == f"{len(rows)} × {len(header)}"


def test_that_several_texts_are_files_of_their_own_and_none_is_lost_unasked(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    dialog = opened(qtbot, window, "tables")
    only(dialog, "items", "measures")
    choose(qtbot, dialog.tables.file, "Tab-separated (TSV)")
    settled(qtbot, window)
    there = tmp_path / "out measures.tsv"
    there.write_text("mine", encoding="utf-8")
    saved(qtbot, window, tmp_path / "out.tsv")
    (question,) = [each for each in window.findChildren(Question) if each.isVisible()]
    click(question.no)
    assert there.read_text(encoding="utf-8") == "mine"
    assert sorted(each.name for each in tmp_path.iterdir()) == [there.name]
    saved(qtbot, window, tmp_path / "out.tsv")
    (question,) = [each for each in window.findChildren(Question) if each.isVisible()]
    click(question.yes)
    settled(qtbot, window)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["out items.tsv", there.name]
    table = read(str(tmp_path / "out items.tsv")).table
    assert run_shown(window).matrix.n_items in table.values.shape


def test_that_sets_go_into_a_gmt_file_once_there_are_some(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    dialog = opened(qtbot, window, "tables")
    choose(qtbot, dialog.tables.file, "Gene sets (GMT)")
    assert not dialog.save.isEnabled()
    ids = run_shown(window).matrix.item_ids[:4]
    window.user_actions.selecting.select(Selection.of(ids))
    window.user_actions.selecting.save_set("Stress")
    settled(qtbot, window)
    assert dialog.save.isEnabled()
    path = saved(qtbot, window, tmp_path / "sets.gmt")
    name, _, *members = path.read_text(encoding="utf-8").strip().split("\t")
    assert name == "Stress"
    assert sorted(members) == sorted(ids)


def test_that_every_kind_of_file_can_be_written(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.user_actions.selecting.select(Selection.of(run_shown(window).matrix.item_ids[:4]))
    window.user_actions.selecting.save_set("Stress")
    dialog = opened(qtbot, window, "tables")
    only(dialog, "items")
    for kind in FILES:
        choose(qtbot, dialog.tables.file, kind.name)
        settled(qtbot, window)
        path = saved(qtbot, window, tmp_path / f"{kind.key}{kind.suffix}")
        assert path.stat().st_size > 0
        assert path.name in dialog.status.full


# Scripts


def test_that_a_saved_script_is_one_that_can_be_verified(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    dialog = opened(qtbot, window, "script")
    page = script_page(dialog)
    assert run_shown(window).result.hash in page.field.toPlainText()
    click(dialog.copy)
    assert QGuiApplication.clipboard().text() == page.text
    path = saved(qtbot, window, tmp_path / "again.py")
    script = read_script(path)
    assert not script.edited
    assert list(script.receipt["runs"]) == ["run_1"]


# Reports


def test_that_a_report_is_saved_with_the_map_that_is_shown(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    run = run_shown(window)
    window.user_actions.selecting.select(Selection.of(run.matrix.item_ids[:4]))
    dialog = opened(qtbot, window, "report")
    page = dialog.page_of(ReportPage)
    assert list(page.parts) == [section.key for section in SECTIONS]
    assert all(told.text() for told in page.parts.values())
    assert "4" in page.parts["selections"].text()
    path = saved(qtbot, window, tmp_path / "all.html")
    text = path.read_text(encoding="utf-8")
    assert "<svg" in text
    assert length_text(path.stat().st_size) in dialog.status.full
    provenance = read_report(path)
    assert provenance is not None
    assert [record["result_hash"] for record in provenance.runs] == [run.result.hash]


def test_that_maps_without_measures_are_measured_for_a_report(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    run = run_shown(window)
    bare = replace(run, measures={}, evidence=None)
    window.user_actions.store.commit(window.user_actions.session.with_changed(bare), "Forget")
    dialog = opened(qtbot, window, "report")
    page = dialog.page_of(ReportPage)
    context = page.parts["quality"].text()
    saved(qtbot, window, tmp_path / "all.html")
    measured = report_contents(window.user_actions.session.with_changed(run))["quality"]
    assert context != measured
    text = (tmp_path / "all.html").read_text(encoding="utf-8")
    whole = tmp_path / "whole.html"
    write_report(
        whole, measured_session(Session(data=window.user_actions.session.data).with_run(run))
    )
    numbers = re.compile(r"<td[^>]*>[^<]*</td>")
    assert len(numbers.findall(text)) == len(numbers.findall(whole.read_text(encoding="utf-8")))


def test_that_a_report_nobody_waits_for_never_appears(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    dialog = opened(qtbot, window, "report")
    writing = window.exporter.exporting.writing
    dialog.page_of(ReportPage).save_as(tmp_path / "all.html")
    qtbot.waitUntil(lambda: writing.fraction > 0.0, timeout=60_000)
    click(dialog.close_button)
    settled(qtbot, window)
    assert list(tmp_path.iterdir()) == []


# The dialog


def test_that_the_lane_imports_what_the_dialog_needs_once_there_is_a_map(
    qtbot: QtBot, window: MainWindow
) -> None:
    exporter = window.exporter
    assert exporter.ahead.isActive()
    exporter.ahead.setInterval(0)
    begun: list[AnyJob] = []
    window.jobs.began.connect(begun.append)
    qtbot.waitUntil(lambda: not exporter.ahead.isActive())
    wait_idle(qtbot, window)
    assert any(job.work is import_dialog and job.quiet for job in begun)
    window.user_actions.set_seed(7)
    take_ready(qtbot, window)
    assert not exporter.ahead.isActive()


def test_that_nothing_is_left_to_import_when_the_dialog_opens() -> None:
    told = subprocess.run(
        [sys.executable, "-c", FRESH], capture_output=True, text=True, check=True, timeout=120
    )
    assert told.stdout.strip() == "False True"


def test_that_a_run_is_exported_from_its_card(qtbot: QtBot, window: MainWindow) -> None:
    first = run_shown(window)
    take_ready(qtbot, window)
    card = window.runs.cards[first.key]
    pick(qtbot, card.more, "Export…")
    drawn(qtbot, window)
    shown = window.exporter.exporting.shown
    assert shown is not None
    assert shown.run is first
    assert window.user_actions.session.shown == first.key


def test_that_everything_has_a_name_and_a_help(qtbot: QtBot, window: MainWindow) -> None:
    dialog = opened(qtbot, window)
    for number, kind in enumerate(PAGES):
        click_tab(dialog.tabs, number)
        settled(qtbot, window)
        page = dialog.page_of(kind)
        assert dialog.page is page
        assert help_about(page)
        for each in dialog.findChildren(QWidget):
            if each.isVisible() and each.focusPolicy() & Qt.FocusPolicy.TabFocus:
                assert spoken(each, QAccessible.Text.Name), each
        mute = [
            each.text()
            for each in page.findChildren(QAbstractButton)
            if each.isVisible() and not each.toolTip()
        ]
        assert mute == []


@pytest.mark.parametrize("size", [(1280, 800), (900, 600)])
def test_that_no_text_is_cut_off_in_any_window(
    qtbot: QtBot, window: MainWindow, size: tuple[int, int]
) -> None:
    window.resize(*size)
    window.user_actions.selecting.select(Selection.of(run_shown(window).matrix.item_ids[:100]))
    wait_idle(qtbot, window)
    dialog = opened(qtbot, window)
    form = dialog.figure.form
    click(form.width_mm.choice.button("own"))
    click(form.titled)
    for number in range(len(PAGES)):
        click_tab(dialog.tabs, number)
        settled(qtbot, window)

        def all_fits() -> None:
            assert [each.metaObject().className() for each in cut_off(dialog)] == []
            assert dialog.width() <= size[0]
            assert dialog.height() <= size[1]

        qtbot.waitUntil(all_fits)


def test_that_tab_goes_round_and_enter_saves(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.exporter.exporting.remember_folder(tmp_path / "figure.pdf")
    dialog = opened(qtbot, window)
    drawn(qtbot, window)
    seen: list[QWidget | None] = []
    for _ in range(40):
        QTest.keyClick(QApplication.focusWidget() or dialog, Qt.Key.Key_Tab)
        if QApplication.focusWidget() in seen:
            break
        seen.append(QApplication.focusWidget())
    form = dialog.figure.form
    order = [dialog.tabs, form.view, form.font_size.edit, form.colours.combo, form.titled,
             dialog.close_button, dialog.copy, dialog.save_as, dialog.save]  # fmt: skip
    assert [each for each in seen if each in order] == order

    form.view.setFocus()
    QTest.keyClick(form.view, Qt.Key.Key_Return)
    settled(qtbot, window)
    (first,) = tmp_path.glob("*.pdf")
    content = first.read_bytes()
    # Once more: another file, and the first one stays.
    click(dialog.save)
    settled(qtbot, window)
    second = first.with_stem(f"{first.stem} 2")
    assert second.is_file()
    assert first.read_bytes() == content


def test_that_escape_closes_the_dialog_and_training_goes_on(
    qtbot: QtBot, window: MainWindow
) -> None:
    begin_long_training(qtbot, window)
    click(window.bar.export)
    dialog = window.exporter.dialog
    qtbot.waitUntil(lambda: not dialog.figure.preview.is_blank, timeout=60_000)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert window.user_actions.phase is Phase.RUNNING
    window.user_actions.stop()
    wait_idle(qtbot, window)


@pytest.mark.parametrize(
    ("n_bytes", "text"),
    [(812, "812 bytes"), (212_400, "212 kB"), (3_440_000, "3.4 MB"), (34_400_000, "34 MB")],
)
def test_that_lengths_are_told_in_round_numbers(n_bytes: int, text: str) -> None:
    assert length_text(n_bytes) == text
