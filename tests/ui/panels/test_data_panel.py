"""The data step: what the table is, which side is mapped, and repairs at one click."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from ximstudio.doctor import Finding, Repair
from ximstudio.load import Choices
from ximstudio.prepare.input import Input, Joining
from ximstudio.prepare.recipe import Recipe, planned
from ximstudio.session import Data, open_data
from ximstudio.session.sides import items_in_rows, turned
from ximstudio.session.words import overview_of
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.panels.data.findings import (
    NO_PROBLEMS,
    carry_out,
    decisions,
    open_findings,
    with_repair,
    words_of,
)
from ximstudio.ui.panels.data.panel import DataPanel, problems_to_report
from ximstudio.ui.widgets.elided import FittingButton
from ximstudio.ui.widgets.look.controls import Tone

Open = Callable[..., Data]


@pytest.fixture
def actions() -> Iterator[Actions]:
    made = Actions()
    yield made
    assert made.jobs.close()


@pytest.fixture
def panel(actions: Actions, qtbot: QtBot) -> DataPanel:
    panel = DataPanel(actions)
    qtbot.addWidget(panel)
    actions.store.changed.connect(panel.show_session)
    panel.show()
    return panel


@pytest.fixture
def opened(actions: Actions, qtbot: QtBot) -> Open:
    def opened(name: str | Path, **options: object) -> Data:
        actions.open(Input(name=str(name), **options))  # type: ignore[arg-type]
        idle(actions, qtbot)
        assert actions.session.data is not None
        return actions.session.data

    return opened


def idle(actions: Actions, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: actions.jobs.idle)


@pytest.fixture
def counts(tmp_path: Path) -> Path:
    """Counts that are not logged, with blanks, and a gene that became a date."""
    path = tmp_path / "counts.csv"
    values = np.random.default_rng(0).lognormal(4.0, 1.5, size=(40, 8)).round(1)
    lines = ["gene,kind," + ",".join(f"heat {n} min" for n in range(8))]
    for row, line in enumerate(values):
        cells = [str(value) for value in line]
        cells[row % 8] = cells[row % 8] if row % 5 else ""
        name = "1-Mar" if row == 7 else f"YAL{row:03d}C"
        lines.append(",".join([name, "ab"[row % 2], *cells]))
    path.write_text("\n".join(lines))
    return path


@pytest.fixture
def lying(tmp_path: Path) -> Path:
    """A table with its genes in columns."""
    path = tmp_path / "lying.csv"
    values = np.random.default_rng(1).normal(size=(6, 40)).round(3)
    lines = ["sample," + ",".join(f"YAL{n:03d}C" for n in range(40))]
    lines += [
        ",".join([f"patient {row}", *map(str, line.tolist())]) for row, line in enumerate(values)
    ]
    path.write_text("\n".join(lines))
    return path


def card_of(panel: DataPanel, key: str) -> object:
    return next((card for card in panel.findings.cards if card.finding.key == key), None)


def test_that_the_step_is_done_once_there_is_a_table(panel: DataPanel, opened: Open) -> None:
    states = [(panel.done, panel._page.isHidden())]
    opened("sample:yeast")
    states.append((panel.done, panel._page.isHidden()))
    assert states == [(False, True), (True, False)]


def test_that_size_blanks_and_labels_are_told(panel: DataPanel, opened: Open) -> None:
    data = opened("sample:yeast")
    assert data.overview.n_missing == 214
    assert panel._size.text() == "186 genes × 79 samples"
    assert "214" in panel.facts.values["Missing"].text()
    assert "121" in panel.facts.values["Labels"].text()


def test_that_one_click_repairs_a_finding(
    panel: DataPanel, opened: Open, counts: Path, actions: Actions, qtbot: QtBot
) -> None:
    opened(counts)
    shown = {card.finding.key for card in panel.findings.cards}
    assert {"unlogged", "excel_dates"} <= shown
    card = next(card for card in panel.findings.cards if card.finding.key == "unlogged")
    card.buttons[0].click()
    idle(actions, qtbot)
    assert card_of(panel, "unlogged") is None
    data = actions.session.data
    assert data is not None
    assert [step.step.key for step in data.input.recipe.steps] == ["log2"]


@pytest.mark.parametrize("side", ["rows", "columns"])
def test_that_steps_are_remembered_in_the_words_of_the_table(
    panel: DataPanel, opened: Open, counts: Path, actions: Actions, qtbot: QtBot, side: str
) -> None:
    opened(counts, choices=Choices(items=side))
    card = next(card for card in panel.findings.cards if card.finding.key == "blanks")
    repairs = card.finding.repairs
    assert any("item" in each.label or "feature" in each.label for each in repairs)
    for repair in repairs:
        carry_out(actions, repair)
        idle(actions, qtbot)
        assert not re.search("item|feature", actions.undoes, re.IGNORECASE)
        actions.undo()
    panel.sides.button("columns" if side == "rows" else "rows").click()
    idle(actions, qtbot)
    assert actions.undoes == ("Map the samples" if side == "rows" else "Map the genes")


def test_that_decisions_are_told_and_not_that_all_is_well(
    panel: DataPanel, opened: Open, actions: Actions, qtbot: QtBot
) -> None:
    data = opened("sample:yeast")
    (card,) = panel.findings.cards
    assert decisions(data) == ()
    card.buttons[0].click()
    idle(actions, qtbot)
    kept = actions.session.data
    assert kept is not None
    assert open_findings(kept) == ()
    ((finding, repair),) = decisions(kept)
    assert (finding.key, repair.settles) == ("blanks", False)
    told = " ".join(each.text() for each in panel.findings.findChildren(QLabel))
    assert NO_PROBLEMS not in told
    assert "214" in told
    assert repair.label in told


def test_that_facts_are_those_of_the_side_that_is_mapped(
    panel: DataPanel, opened: Open, tmp_path: Path, actions: Actions, qtbot: QtBot
) -> None:
    path = tmp_path / "cells.csv"
    rows = [f"YAL{n:03d}C,{n * 1.5:.1f},{n % 7}.5,{n % 5}.25,{n % 3}.125" for n in range(1, 41)]
    path.write_text("ORF,length,heat 1,heat 2,heat 3\n" + "\n".join(rows))
    opened(path, choices=Choices(labels=("length",)))
    names, labels = panel.facts.values["Names"], panel.facts.values["Labels"]
    assert names.text() == "column “ORF”"
    assert labels.text() == "length: 40 numbers from 1.5 to 60"
    for field in panel.kinds.fields.values():
        assert field.toolTip().startswith("Rows are genes, columns are samples. ")
    panel.sides.button("columns").click()
    idle(actions, qtbot)
    assert names.text() == "names of the columns; genes: column “ORF”"


def test_that_settings_are_remembered_in_the_words_of_the_table(
    opened: Open, actions: Actions
) -> None:
    opened("sample:yeast")
    actions.set_params(actions.session.plan.params.replace(first_share=0.5))
    assert actions.undoes == "Change Share of genes at first"


def test_that_one_click_reads_codes_as_missing(
    panel: DataPanel, opened: Open, counts: Path, actions: Actions, qtbot: QtBot
) -> None:
    lines = counts.read_text().splitlines()
    for row in (3, 9, 14):
        lines[row] = lines[row].rsplit(",", 1)[0] + ",-9999"
    counts.write_text("\n".join(lines))
    before = opened(counts).overview.n_missing
    card = panel.findings.cards[0]
    assert card.finding.key == "missing_codes"
    card.buttons[0].click()
    idle(actions, qtbot)
    data = actions.session.data
    assert data is not None
    assert data.input.choices.missing == ("-9999",)
    assert data.overview.n_missing == before + 3
    assert card_of(panel, "missing_codes") is None


def test_that_other_repairs_are_in_a_menu(
    panel: DataPanel, opened: Open, counts: Path, actions: Actions, qtbot: QtBot
) -> None:
    opened(counts)
    card = next(card for card in panel.findings.cards if card.finding.key == "blanks")
    others = card.menu.actions()
    assert len(others) == len(card.finding.repairs) - 1
    others[-1].trigger()
    idle(actions, qtbot)
    data = actions.session.data
    assert data is not None
    assert data.input.recipe.steps == card.finding.repairs[-1].steps
    assert data.table.n_missing == 0


def test_that_a_decision_to_leave_it_puts_a_finding_away(opened: Open, counts: Path) -> None:
    data = opened(counts)
    blanks = next(finding for finding in data.findings if finding.key == "blanks")
    keeping = next(repair for repair in blanks.repairs if not repair.settles)
    kept = open_data(Input(name=str(counts), recipe=keeping.recipe))
    assert "blanks" in {finding.key for finding in kept.findings}
    assert "blanks" not in {finding.key for finding in open_findings(kept)}


def test_that_unsure_findings_say_look_first(panel: DataPanel, opened: Open, counts: Path) -> None:
    opened(counts)
    sure = {card.finding.key: card.finding.sure for card in panel.findings.cards}
    assert not all(sure.values())
    tones = {card.finding.key: card.tone for card in panel.findings.cards}
    assert tones["unlogged"] is Tone.WARNING
    assert tones["blanks"] is Tone.NOTE


def test_that_a_repair_comes_first_if_a_step_refused(counts: Path) -> None:
    wanted = Recipe.of(planned("keep"))
    data = open_data(Input(name=str(counts), recipe=wanted))
    assert data.opened is None
    repair = Repair(label="", steps=(planned("log2"),))
    keys = [step.step.key for step in with_repair(data, wanted, repair).steps]
    assert keys == ["log2", "keep"]


def test_that_the_switch_exchanges_both_sides_and_back(
    panel: DataPanel, opened: Open, lying: Path, actions: Actions, qtbot: QtBot
) -> None:
    data = opened(lying)
    assert items_in_rows(data)
    assert panel.sides.value == "rows"
    panel.sides.button("columns").click()
    idle(actions, qtbot)
    assert actions.session.data is not None
    assert actions.session.data.table.n_items == 40
    assert panel.sides.value == "columns"
    assert panel._size.text() == "40 genes × 6 samples"
    panel.sides.button("rows").click()
    idle(actions, qtbot)
    assert actions.recipe.steps == ()


def test_that_the_switch_knows_how_the_file_was_read(lying: Path) -> None:
    data = open_data(Input(name=str(lying), choices=Choices(items="columns")))
    assert not items_in_rows(data)
    back = open_data(
        Input(name=str(lying), choices=Choices(items="columns"), recipe=turned(Recipe()))
    )
    assert items_in_rows(back)


def test_that_an_exchange_that_is_off_does_not_count() -> None:
    off = turned(Recipe())
    assert [step.step.key for step in off.steps] == ["orientation"]
    assert turned(off).steps == ()


def test_that_rows_and_columns_are_called_so_where_their_kind_is_in_question(lying: Path) -> None:
    data = open_data(Input(name=str(lying)))
    transposed = next(finding for finding in data.findings if finding.key == "transposed")
    words = words_of(transposed, data)
    assert (words.item, words.feature) == ("row", "column")
    other = Finding(
        key="blanks", severity=transposed.severity, what="", where="", way_out="", side=""
    )
    assert words_of(other, data).item == "sample"


def test_that_problems_with_repairs_are_told_once(tmp_path: Path, opened: Open) -> None:
    path = tmp_path / "twice.csv"
    path.write_text("gene,a,b,c,d\n" + "\n".join(f"YAL00{n % 3}C,1,2,3,{n}.5" for n in range(6)))
    data = opened(path)
    assert data.problems
    assert data.matrix is None
    assert "repeated_names" in {finding.key for finding in data.findings}
    assert problems_to_report(data) == ()


def test_that_joined_files_are_listed_and_can_be_taken_out(
    panel: DataPanel, opened: Open, counts: Path, tmp_path: Path, actions: Actions, qtbot: QtBot
) -> None:
    second = tmp_path / "second.csv"
    second.write_text("orf,pathway\n" + "\n".join(f"YAL{n:03d}C,p{n % 3}" for n in range(20)))
    opened(counts, joinings=(Joining(name=str(second)),))
    assert len(panel.joined.texts) == 1
    assert panel.joined.texts[0].startswith("19 of 40")
    panel.joined.removed.emit(0)
    idle(actions, qtbot)
    data = actions.session.data
    assert data is not None
    assert data.input.joinings == ()
    assert panel.joined.isHidden()


def test_that_notes_fold_away(panel: DataPanel, opened: Open, tmp_path: Path) -> None:
    path = tmp_path / "noted.csv"
    path.write_text(
        "# a comment\ngene,a,b,c,d\n" + "\n".join(f"YAL00{n}C,1,2,3,4" for n in range(6))
    )
    data = opened(path)
    notes = data.labelled.reading.notes
    assert notes
    assert panel.notes.column.count() == len(notes)
    assert not panel.notes.is_open
    panel.notes._head.click()
    assert panel.notes.is_open


def test_that_the_overview_counts_and_names_both_sides(lying: Path) -> None:
    table = open_data(Input(name=str(lying))).labelled.table
    overview = overview_of(table)
    assert (overview.item, overview.feature) == ("sample", "gene")
    assert (overview.n_items, overview.n_features, overview.n_missing) == (6, 40, 0)
    assert overview_of(table.transposed).item == "gene"


def test_that_a_long_repair_is_told_in_two_lines(qtbot: QtBot) -> None:
    outer = QWidget()
    qtbot.addWidget(outer)
    made = FittingButton("Take arcsinh(x / 100), which allows values below 0")
    row = QVBoxLayout(outer)
    row.addWidget(made)
    row.addStretch(1)
    outer.resize(made.sizeHint().width() + 60, 200)
    outer.show()
    assert made.text() == made.whole
    low = made.height()

    outer.resize(220, 200)
    QApplication.processEvents()

    assert made.text().count("\n") >= 1
    assert " ".join(made.text().split()) == made.whole
    assert made.height() > low
    longest = max(made.text().split("\n"), key=len)
    assert made.fontMetrics().horizontalAdvance(longest) < made.width()
