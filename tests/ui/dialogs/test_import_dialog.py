"""The import dialog: guesses that can be corrected, a preview, and errors that lose nothing."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from tests.load.workbooks import sheet_data, xlsx
from tests.ui.hands import eventually
from tests.ui.windows import shown_window
from ximstudio.jobs import Task
from ximstudio.load import Choices
from ximstudio.load.attempt import MOST_COLUMNS, MOST_ROWS
from ximstudio.load.questions import SECTIONS, entries_of
from ximstudio.model.problem import Problem, SettingsForm
from ximstudio.model.words import in_words
from ximstudio.prepare.input import Input, Joining
from ximstudio.session.words import way_out_text
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.dialogs.importing import preview as import_preview
from ximstudio.ui.dialogs.importing.dialog import ImportDialog
from ximstudio.ui.dialogs.importing.join_dialog import JoinDialog
from ximstudio.ui.dialogs.importing.parts import Questions, RefusedFile
from ximstudio.ui.dialogs.importing.preview import LABELS, NAMES, VALUES
from ximstudio.ui.runtime.job_queue import AnyJob, Job

MESSY = """# exported
gene;cluster;heat 0 min;heat 5 min;heat 10 min
YAL001C;1;1,5;2,5;n.d.
YAL002C;2;3,5;4,5;5,5
YAL003C;1;6,5;;7,5
YAL004C;2;8,5;9,5;1,5
"""

Show = Callable[..., ImportDialog]


@pytest.fixture
def actions() -> Iterator[Actions]:
    made = Actions()
    yield made
    # They delete themselves once they are closed.
    for dialog in tuple(ImportDialog._open):
        dialog.reject()
    assert made.jobs.close()


@pytest.fixture
def show(actions: Actions, qtbot: QtBot) -> Show:
    """Opens a dialog and waits for its first reading."""

    def shown(name: str | Path, **options: object) -> ImportDialog:
        dialog = ImportDialog(actions, name, **options)  # type: ignore[arg-type]
        dialog.open()
        settled(qtbot, dialog)
        return dialog

    return shown


def settled(qtbot: QtBot, dialog: ImportDialog) -> None:
    qtbot.waitUntil(lambda: dialog.attempt is not None and not dialog._reading.busy)
    qtbot.waitUntil(lambda: not dialog._form_later.isActive())


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    path = tmp_path / "messy.csv"
    path.write_text(MESSY, encoding="utf-8")
    return path


def headings(dialog: ImportDialog) -> list[str]:
    model = dialog.table.contents
    return [model.heading(column) for column in range(model.columnCount())]


def chosen_labels(dialog: ImportDialog) -> list[str]:
    return list(dialog.choices.labels or ())


def test_that_every_guess_has_a_field_with_its_value_and_reason(show: Show, messy: Path) -> None:
    dialog = show(messy)
    assert dialog.attempt is not None
    assert dialog.attempt.reading is not None
    guesses = {guess.key: guess for guess in dialog.attempt.reading.guesses}
    assert set(dialog.form.fields) == set(guesses) - {"items"} | {"format"}
    for key, field in dialog.form.fields.items():
        if key == "format":
            continue
        assert field.entry.guess.reason == guesses[key].reason
        control = field.control
        if isinstance(control, QComboBox):
            assert control.currentData() == guesses[key].value
        elif isinstance(control, QLineEdit):
            assert control.text() == guesses[key].value


def test_that_rows_that_were_filled_up_are_told_and_can_be_left_out(
    show: Show, qtbot: QtBot, actions: Actions, tmp_path: Path
) -> None:
    path = tmp_path / "ragged.tsv"
    rows = [f"YAL00{n}C\t{n}\t{n + 0.5}\t" + ("" if n == 3 else f"{n + 7}") for n in range(1, 9)]
    path.write_text("\n".join(("gene\ts1\ts2\ts3", *(row.strip() for row in rows))) + "\n")
    dialog = show(path)
    dialog.resize(1120, 700)
    field = dialog.form.fields["uneven"]
    assert next(iter(dialog.form.fields)) == "uneven"
    assert field.unsure
    assert "4" in field.entry.guess.reason
    assert field.isVisibleTo(dialog)
    assert dialog.ok.isEnabled()
    notes = dialog.questions.notes
    assert dialog.questions.to_notes.isVisibleTo(dialog)
    assert notes.column.count() == 1
    QTest.mouseClick(dialog.questions.to_notes, Qt.MouseButton.LeftButton)
    seen = notes.mapTo(dialog.questions, notes.rect().topLeft()).y()
    assert 0 <= seen < dialog.questions.height()
    control = field.control
    assert isinstance(control, QComboBox)
    control.setCurrentIndex(control.findData("drop_all"))
    control.activated.emit(control.currentIndex())
    settled(qtbot, dialog)
    assert dialog.choices.uneven == "drop_all"
    assert not dialog.form.fields["uneven"].unsure
    dialog.accept()
    qtbot.waitUntil(lambda: actions.session.data is not None)
    assert actions.session.data is not None
    assert "YAL003C" not in actions.session.data.table.items.names
    assert len(actions.session.data.table.items.names) == 7


def test_that_even_rows_are_no_question(show: Show, messy: Path) -> None:
    dialog = show(messy)
    assert "uneven" not in dialog.form.fields


def test_that_the_questions_come_a_few_at_a_time(show: Show, messy: Path) -> None:
    attempt = show(messy).attempt
    assert attempt is not None
    sections = entries_of(attempt, {})
    questions = Questions("")
    seen = [list(questions.form.fields) for _ in questions.fill(sections, {}, ())]
    keys = [entry.key for entries in sections.values() for entry in entries]
    # More and more of them, and between two there is time for the window.
    assert len(seen) > len(keys) // 3 > 1
    assert [len(each) for each in seen] == sorted({len(each) for each in seen})
    assert seen[-1] == keys
    # Those that are there are answered at once.
    assert [list(questions.form.fields) for _ in questions.fill(sections, {}, ())] == [keys]
    questions.deleteLater()


def test_that_the_width_of_columns_is_told_from_few_texts(
    show: Show, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "wide.csv"
    names = ["id", *(f"sample {number}" for number in range(40))]
    rows = [",".join([f"YAL{row:03d}C", *["1.25"] * 40]) for row in range(60)]
    path.write_text("\n".join([",".join(names), *rows]))
    asked: list[str] = []

    class Metrics(QFontMetrics):
        def horizontalAdvance(self, text: str) -> int:  # type: ignore[override]
            asked.append(text)
            return super().horizontalAdvance(text)

    monkeypatch.setattr(import_preview, "QFontMetrics", Metrics)
    table = show(path).table
    assert table.columnWidth(0) > 0
    assert len(asked) == 2 * 41


def test_that_unsure_guesses_are_marked_and_others_are_not(show: Show, messy: Path) -> None:
    fields = show(messy).form.fields
    assert fields["labels"].unsure
    assert not fields["labels"]._check.isHidden()
    assert fields["labels"].control.property("state") == "warning"
    assert fields["delimiter"]._check.isHidden()


def test_that_the_preview_tells_names_labels_and_values_apart(show: Show, messy: Path) -> None:
    dialog = show(messy)
    model = dialog.table.contents
    assert headings(dialog) == ["gene", "cluster", "heat 0 min", "heat 5 min", "heat 10 min"]
    assert [model.role_of(0, column) for column in range(3)] == [NAMES, LABELS, VALUES]
    assert [model.text(0, column) for column in range(5)] == ["YAL001C", "1", "1.5", "2.5", ""]
    first = model.headerData(0, Qt.Orientation.Vertical, Qt.ItemDataRole.DisplayRole)
    assert first == "3"


def test_that_the_preview_is_the_corner_of_a_large_table(show: Show, tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    lines = [",".join(["id", *(f"s{n}" for n in range(60))])]
    lines += [",".join([f"YAL{row:03d}C", *("1.5" for _ in range(60))]) for row in range(130)]
    path.write_text("\n".join(lines))
    dialog = show(path)
    model = dialog.table.contents
    assert (model.rowCount(), model.columnCount()) == (MOST_ROWS, MOST_COLUMNS + 1)
    dialog.switch.sides.button("columns").click()
    assert dialog.choices.items == "columns"


def test_that_another_answer_is_read_and_can_be_taken_back(
    show: Show, messy: Path, qtbot: QtBot
) -> None:
    dialog = show(messy)
    field = dialog.form.fields["labels"]
    assert isinstance(field.control, QLineEdit)
    field.control.setText("")
    QTest.keyClicks(field.control, "heat 0 min")
    settled(qtbot, dialog)
    assert dialog.choices.labels == ("heat 0 min",)
    assert headings(dialog) == ["gene", "heat 0 min", "cluster", "heat 5 min", "heat 10 min"]
    assert not field._back.isHidden()
    field._back.click()
    settled(qtbot, dialog)
    assert dialog.choices == Choices()
    assert headings(dialog)[1] == "cluster"
    assert field._back.isHidden()


def test_that_only_the_newest_of_quick_answers_is_read(
    show: Show, messy: Path, qtbot: QtBot, actions: Actions
) -> None:
    dialog = show(messy)
    begun: list[AnyJob] = []
    actions.jobs.began.connect(begun.append)
    for mark in (",", ".", ","):
        dialog.form.answered.emit("decimal", mark)
    settled(qtbot, dialog)
    assert len(begun) == 1
    assert dialog.choices.decimal == ","


def test_that_a_wrong_answer_is_told_inside_and_the_preview_stays(
    show: Show, messy: Path, qtbot: QtBot, actions: Actions
) -> None:
    dialog = show(messy)
    refused: list[object] = []
    actions.jobs.refused.connect(refused.append)
    dialog.form.answered.emit("id", "no such column")
    settled(qtbot, dialog)
    assert dialog.attempt is not None
    assert dialog.attempt.reading is None
    assert dialog.attempt.problems
    assert dialog.problems.count() == 1
    assert headings(dialog)[0] == "gene"
    assert not dialog.ok.isEnabled()
    assert refused == []
    dialog.form.taken_back.emit("id")
    settled(qtbot, dialog)
    assert dialog.ok.isEnabled()
    assert dialog.problems.count() == 0


def test_that_a_number_out_of_bounds_is_marked_at_its_field(
    show: Show, messy: Path, qtbot: QtBot
) -> None:
    dialog = show(messy)
    field = dialog.form.fields["skip"]
    assert isinstance(field.control, QLineEdit)
    field.control.clear()
    QTest.keyClicks(field.control, "x")
    assert field.control.property("state") == "error"
    assert not field._problem.isHidden()
    assert dialog.choices == Choices()
    assert not dialog.ok.isEnabled()
    field.control.clear()
    QTest.keyClicks(field.control, "1")
    settled(qtbot, dialog)
    assert dialog.choices.skip == 1


def test_that_the_switch_says_which_side_is_mapped(show: Show, messy: Path, qtbot: QtBot) -> None:
    dialog = show(messy)
    sides = dialog.switch.sides
    assert sides.value == "rows"
    assert "genes" in sides.button("rows").text()
    sides.button("columns").click()
    settled(qtbot, dialog)
    assert dialog.attempt is not None
    assert dialog.attempt.reading is not None
    assert dialog.attempt.reading.table.n_items == 3
    assert sides.value == "columns"
    assert headings(dialog)[0] == "gene"


def test_that_a_click_on_a_heading_makes_a_column_a_label_or_the_names(
    show: Show, messy: Path, qtbot: QtBot
) -> None:
    dialog = show(messy)
    menu = dialog.table.role_menu(2)
    assert menu is not None
    to_label = menu.actions()[1]
    to_label.trigger()
    settled(qtbot, dialog)
    assert chosen_labels(dialog) == ["cluster", "heat 0 min"]
    assert dialog.table.contents.role_of(0, 2) == LABELS
    dialog.table.role_chosen.emit("heat 0 min", VALUES)
    settled(qtbot, dialog)
    assert chosen_labels(dialog) == ["cluster"]
    dialog.table.role_chosen.emit("cluster", NAMES)
    settled(qtbot, dialog)
    assert dialog.choices.id == "cluster"


def test_that_what_was_read_is_opened_without_reading_it_again(
    show: Show, messy: Path, qtbot: QtBot, actions: Actions
) -> None:
    dialog = show(messy)
    assert dialog.attempt is not None
    reading = dialog.attempt.reading
    messy.unlink()
    dialog.ok.click()
    qtbot.waitUntil(lambda: actions.session.data is not None)
    data = actions.session.data
    assert data is not None
    assert data.labelled.reading is reading
    assert data.input == Input(name=str(messy))


def test_that_a_file_that_cannot_be_read_offers_how_it_may_be_written(
    show: Show, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "odd.txt"
    path.write_text("a*b*c\nx*1*2\ny*3*4\n")
    dialog = show(path)
    assert dialog.attempt is not None
    assert dialog.attempt.reading is None
    assert "delimiter" in dialog.form.fields
    dialog.form.answered.emit("delimiter", "*")
    settled(qtbot, dialog)
    assert dialog.ok.isEnabled()
    assert headings(dialog) == ["a", "b", "c"]


def test_that_the_way_out_of_a_refused_file_is_a_field_of_the_form(
    show: Show, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "texts.csv"
    path.write_text("gene,a,b,c\nYAL001C,1,2,3\nYAL002C,4,nothing,5\nYAL003C,6,7,8\n")
    dialog = show(path)
    assert dialog.attempt is not None
    assert [problem.key for problem in dialog.attempt.problems] == ["load.not_a_number"]
    field = dialog.form.fields["missing"]
    QTest.keyClicks(field.control, "nothing")
    settled(qtbot, dialog)
    assert dialog.ok.isEnabled()
    assert dialog.table.contents.text(1, 2) == ""


def test_that_a_missing_file_is_told_and_asks_nothing(show: Show, tmp_path: Path) -> None:
    dialog = show(tmp_path / "nowhere.csv")
    assert dialog.attempt is not None
    assert [problem.key for problem in dialog.attempt.problems] == ["load.unreadable"]
    assert dialog.questions.isHidden()
    assert not dialog.ok.isEnabled()


def test_that_pasted_text_is_kept_as_a_file(
    show: Show, tmp_path: Path, qtbot: QtBot, actions: Actions
) -> None:
    dialog = show("", text=MESSY, folder=tmp_path / "kept")
    dialog.ok.click()
    qtbot.waitUntil(lambda: actions.session.data is not None)
    data = actions.session.data
    assert data is not None
    assert Path(data.input.name).parent == tmp_path / "kept"
    assert Path(data.input.name).read_text(encoding="utf-8") == MESSY
    assert data.input.open().prepared.table.n_items == 4


def test_that_cancelling_stops_reading_and_changes_nothing(
    actions: Actions, messy: Path, qtbot: QtBot
) -> None:
    dialog = ImportDialog(actions, messy)
    dialog.open()
    dialog.reject()
    qtbot.waitUntil(lambda: actions.jobs.idle)
    assert actions.session.data is None
    assert dialog not in ImportDialog._open


def test_that_the_dialog_waits_for_nothing_that_takes_long(
    actions: Actions, messy: Path, qtbot: QtBot
) -> None:
    may_end = threading.Event()

    def work(_: Task[float, None]) -> None:
        may_end.wait(30)

    actions.jobs.start(Job(label="Counting sheep", work=work))
    dialog = ImportDialog(actions, messy)
    dialog.open()
    qtbot.waitUntil(dialog.ok.isEnabled)
    assert actions.jobs.current is not None
    may_end.set()
    settled(qtbot, dialog)


def test_that_reading_ends_with_the_dialog(actions: Actions, messy: Path, qtbot: QtBot) -> None:
    begun, stopped = threading.Event(), threading.Event()

    def work(task: Task[float, None]) -> None:
        begun.set()
        try:
            while True:
                task.report(0.5)
        finally:
            stopped.set()

    dialog = ImportDialog(actions, messy)
    dialog.open()
    settled(qtbot, dialog)
    dialog._reading.start(Job(label="Reading", work=work, quiet=True))
    qtbot.waitUntil(begun.is_set)
    dialog.reject()
    assert stopped.wait(30)


def test_that_reading_again_keeps_the_recipe(actions: Actions, messy: Path, qtbot: QtBot) -> None:
    actions.open(Input(name=str(messy), choices=Choices(labels=("cluster",))))
    qtbot.waitUntil(lambda: actions.session.data is not None)
    before = actions.session
    dialog = ImportDialog.again(actions)
    assert dialog is not None
    dialog.open()
    settled(qtbot, dialog)
    assert dialog.choices.labels == ("cluster",)
    dialog.form.answered.emit("missing", "n.d.")
    settled(qtbot, dialog)
    dialog.ok.click()
    qtbot.waitUntil(lambda: actions.session is not before)
    data = actions.session.data
    assert data is not None
    assert data.input.choices == Choices(labels=("cluster",), missing=("n.d.",))
    assert actions.session.plan is before.plan


def test_that_joining_shows_who_is_found_and_who_is_not(
    actions: Actions, messy: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    second = tmp_path / "second.csv"
    second.write_text("orf,pathway\nYAL001C,a\nYAL002C,b\nYAL003C,a\nYZZ001W,c\n")
    actions.open(Input(name=str(messy)))
    qtbot.waitUntil(lambda: actions.session.data is not None)
    dialog = JoinDialog(actions, second)
    dialog.open()
    qtbot.waitUntil(lambda: not dialog._reading.busy)
    assert dialog.lists["not_found"].names == ("YAL004C",)
    assert dialog.lists["unused"].names == ("YZZ001W",)
    assert dialog.column.currentData() == "orf"
    before = actions.session.data
    dialog.ok.click()
    qtbot.waitUntil(lambda: actions.session.data is not before)
    data = actions.session.data
    assert data is not None
    assert data.input.joinings == (Joining(name=str(second)),)
    assert data.table.items.labels["pathway"] == ("a", "b", "a", "")


def test_that_the_hint_of_a_refusal_is_a_button_that_mends_it(
    show: Show, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "failed.csv"
    path.write_text("gene,a,b\nTP53,1,2\nMYC,failed,4\nEGFR,5,6\nKRAS,7,8\n")
    dialog = show(path)
    assert dialog.good is None
    assert dialog.refused.hint.isVisible()
    assert "failed" in dialog.refused.hint.text()
    dialog.refused.hint.click()
    qtbot.waitUntil(lambda: dialog.good is not None)
    settled(qtbot, dialog)
    assert dialog.choices.missing == ("failed",)
    assert dialog.ok.isEnabled()


def test_that_another_sheet_of_a_workbook_can_be_joined(
    actions: Actions, messy: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    actions.open(Input(name=str(messy)))
    qtbot.waitUntil(lambda: actions.session.data is not None)
    second = tmp_path / "book.xlsx"
    sheets = {
        "Genes": [["orf", "role"], *([f"YAL00{n}C", "a"] for n in range(1, 5))],
        "Times": [["time", "dose"], ["heat 0 min", "1"], ["heat 5 min", "2"]],
    }
    second.write_bytes(xlsx({name: sheet_data(rows) for name, rows in sheets.items()}))
    dialog = JoinDialog(actions, second)
    dialog.open()
    qtbot.waitUntil(lambda: not dialog._reading.busy)
    assert dialog.sheet.isVisible()
    assert dialog.sheet.currentData() == "Genes"
    first = dialog.joined
    dialog.sheet.setCurrentIndex(dialog.sheet.findData("Times"))
    dialog.sheet.activated.emit(dialog.sheet.currentIndex())
    qtbot.waitUntil(lambda: dialog.joined is not first and not dialog._reading.busy)
    assert dialog.column.currentData() == "time"
    before = actions.session.data
    dialog.ok.click()
    qtbot.waitUntil(lambda: actions.session.data is not before)
    assert actions.session.data is not None
    assert actions.session.data.table.features.labels["dose"] == ("1", "2", "")


def test_that_a_file_that_fits_nothing_cannot_be_joined(
    actions: Actions, messy: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    second = tmp_path / "other.csv"
    second.write_text("who,what\nanna,1\nbert,2\n")
    actions.open(Input(name=str(messy)))
    qtbot.waitUntil(lambda: actions.session.data is not None)
    dialog = JoinDialog(actions, second)
    dialog.open()
    qtbot.waitUntil(lambda: not dialog._reading.busy)
    assert dialog.joined is None
    assert [problem.key for problem in dialog.problems] == ["load.no_overlap"]
    assert not dialog.ok.isEnabled()


def test_that_messages_name_fields_and_no_options_of_the_command_line() -> None:
    problem = Problem(
        key="a",
        what="",
        where="",
        way_out="Choose another sheet.",
        fields=("part", "id"),
        form=SettingsForm.READING,
    )
    assert way_out_text(problem, {"part": "Sheet"}) == "Choose another sheet. (“Sheet”, “Names in”)"


def test_that_quoted_names_stay_as_they_are() -> None:
    text = in_words("Items 'items' have 1 feature.", "gene", "sample")
    assert text == "Genes 'items' have 1 sample."


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n\x1a\n" + bytes(range(256))])
def test_that_what_is_no_table_is_told_in_the_middle_and_asks_nothing(
    show: Show, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "picture.csv"
    path.write_bytes(content)
    dialog = show(path)
    assert dialog.attempt is not None
    (problem,) = dialog.attempt.problems

    assert dialog.refused.isVisible()
    assert dialog.refused.what.text() == problem.what
    assert dialog.refused.way_out.text()
    assert dialog.problems.count() == 0
    assert dialog.questions.isHidden()
    assert not dialog.ok.isVisible()
    wanted: list[None] = []
    dialog.refused.another_wanted.connect(lambda: wanted.append(None))
    dialog.refused.another.click()
    assert wanted == [None]


def test_that_what_is_said_before_the_first_rows_are_read_fits(qtbot: QtBot) -> None:
    page = RefusedFile("table.csv")
    qtbot.addWidget(page)
    page.resize(800, 500)
    page.show()
    said = page.what
    assert said.text()
    assert said.width() >= said.fontMetrics().horizontalAdvance(said.text())


def test_that_a_letter_is_asked_only_how_it_is_written(
    show: Show, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("hello this is a letter\nDear Sir,\nthe data follow.\n", encoding="utf-8")
    dialog = show(path)

    assert dialog.refused.isVisible()
    assert set(dialog.form.fields) == set(SECTIONS["The file"])
    path.write_text(MESSY, encoding="utf-8")
    dialog.form.answered.emit("delimiter", ";")
    settled(qtbot, dialog)
    assert not dialog.refused.isVisible()
    assert dialog.table.isVisible()
    assert dialog.ok.isEnabled()


def test_that_the_dialog_fits_into_a_small_window(qtbot: QtBot, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    head = ",".join(f"patient_{n}" for n in range(80))
    rows = [f"YAL{n:03d}W,kind {n % 3}," + ",".join(["1.5"] * 80) for n in range(150)]
    table.write_text("\n".join([f"gene,kind,{head}", *rows]), encoding="utf-8")
    window = shown_window(qtbot)
    window.resize(900, 600)
    window.bar.reading.setChecked(True)
    window.opening.open_file(table)
    (dialog,) = window.findChildren(ImportDialog)
    eventually(qtbot, dialog.ok.isEnabled)
    settled(qtbot, dialog)
    assert dialog.width() < window.width()
    assert dialog.height() < window.height()
    for made in (dialog.ok, dialog.switch, dialog.table):
        place = dialog.rect()
        assert place.contains(made.mapTo(dialog, made.rect().bottomRight()))
    dialog.reject()
    window.close()
