"""The user's whole way, by mouse and keyboard: from a spreadsheet to two compared maps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.hands import choose, click, click_tab, eventually, pick, write
from tests.ui.windows import is_running, shown_window, wait_idle
from ximstudio.maps import LAYERS
from ximstudio.session import Data
from ximstudio.train import METHODS
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.dialogs.importing.dialog import ImportDialog
from ximstudio.ui.dialogs.importing.preview import LABELS, VALUES
from ximstudio.ui.panels.data.panel import DataPanel
from ximstudio.ui.panels.method.panel import MethodPanel
from ximstudio.ui.panels.panel import Panel
from ximstudio.ui.panels.prepare.panel import PreparePanel
from ximstudio.ui.panels.runs.card import RunCard
from ximstudio.ui.panels.train.panel import TrainPanel
from ximstudio.ui.runtime.settings import Settings
from ximstudio.ui.views import VIEWS, AnyView
from ximstudio.ui.views.compare.view import CompareView
from ximstudio.ui.views.map.view import MapView
from ximstudio.ui.views.quality.view import QualityView
from ximstudio.ui.widgets.forms.numbers import NumberEdit, NumberField, PairField
from ximstudio.ui.widgets.look.theme import the_theme

Kind = TypeVar("Kind", bound=Panel)
N_GENES, N_SAMPLES = 62, 8
LONG, SHORT = 50_000_000, 2000
"""Steps that no test waits for, and steps that are over at once."""


def counts_file(folder: Path) -> Path:
    """Counts as a spreadsheet leaves them: a gene that became a date, blanks, a flat row."""
    rng = np.random.default_rng(5)
    samples = [f"{kind}_{number}" for kind in ("control", "heat") for number in (1, 2, 3, 4)]
    lines = [["gene", "batch", "half_life", *samples]]
    for number in range(N_GENES - 2):
        low, high = (80.0, 1100.0) if number % 2 else (900.0, 60.0)
        level = np.repeat([low, high], N_SAMPLES // 2) * rng.uniform(0.5, 2.0)
        counts = [str(count) for count in rng.poisson(level)]
        if number % 13 == 4:
            counts[number % N_SAMPLES] = "n.d."
        lines.append(
            [f"YAL{number:03d}W", str(number % 3 + 1), str(rng.integers(300, 4000)), *counts]
        )
    lines.append(["1-Mar", "1", "1200", *(str(100 + 30 * place) for place in range(N_SAMPLES))])
    lines.append(["YBR007C", "2", "900", *(["77"] * N_SAMPLES)])
    path = folder / "heat shock.csv"
    path.write_text("\n".join(";".join(line) for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[MainWindow]:
    the_theme().dress(qapp)
    asks = Qt.ApplicationAttribute.AA_DontUseNativeDialogs
    QCoreApplication.setAttribute(asks, True)
    shown = shown_window(qtbot, Settings(tmp_path / "settings.json"))
    shown.activateWindow()
    yield shown
    shown.close()
    QCoreApplication.setAttribute(asks, False)


def test_that_a_person_gets_from_a_spreadsheet_to_two_maps(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    dialog = open_by_the_file_dialog(qtbot, window, counts_file(tmp_path))
    correct_a_guess(qtbot, window, dialog)
    let_the_doctor_repair(qtbot, window)
    prepare(qtbot, window)
    plan(qtbot, window, n_steps=LONG)
    train_pause_go_on_and_stop(qtbot, window)
    look_at_all_layers(qtbot, window)
    look_at_all_views(qtbot, window)
    split(qtbot, window)
    train_by_another_method(qtbot, window)
    compare(qtbot, window)
    close(window, tmp_path)


# Stations


def open_by_the_file_dialog(qtbot: QtBot, window: MainWindow, path: Path) -> ImportDialog:
    assert window.welcome.isVisible()
    assert not window.bar.train.isEnabled()

    click(window.welcome.drop_area.open)
    qtbot.waitUntil(lambda: bool(window.findChildren(QFileDialog)))
    (files,) = window.findChildren(QFileDialog)
    name = files.findChild(QLineEdit, "fileNameEdit")
    assert name is not None
    write(name, str(path))
    QTest.keyClick(name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(window.findChildren(ImportDialog)))
    (dialog,) = window.findChildren(ImportDialog)
    eventually(qtbot, lambda: dialog.ok.isEnabled() and "labels" in dialog.form.fields)
    assert window.welcome.isVisible()
    return dialog


def correct_a_guess(qtbot: QtBot, window: MainWindow, dialog: ImportDialog) -> None:
    """The half-life of a gene is no expression: the preview shows it as a label."""
    preview = dialog.table.contents
    headings = [preview.heading(column) for column in range(preview.columnCount())]
    assert headings[:3] == ["gene", "batch", "half_life"]
    assert preview.rowCount() == N_GENES
    before = [preview.role_of(0, column) for column in (1, 2)]
    labels = dialog.form.fields["labels"].control
    assert isinstance(labels, QLineEdit)

    eventually(qtbot, labels.isVisible)
    write(labels, "batch, half_life")
    eventually(qtbot, lambda: preview.role_of(0, 2) == LABELS)

    assert before == [LABELS, VALUES]
    assert preview.role_of(0, 3) == VALUES
    eventually(qtbot, dialog.ok.isEnabled)
    click(dialog.ok)
    eventually(qtbot, lambda: window.user_actions.session.data is not None)
    data = data_of(window)
    assert tuple(data.table.items.labels) == ("batch", "half_life")
    assert (data.table.n_items, data.table.n_features) == (N_GENES, N_SAMPLES)
    assert window.steps.isVisible()
    assert not window.welcome.isVisible()
    assert window.windowTitle().startswith("heat shock.csv")


def let_the_doctor_repair(qtbot: QtBot, window: MainWindow) -> None:
    panel = panel_of(window, DataPanel)
    assert panel.isVisible()

    def found() -> set[str]:
        return {card.finding.key for card in panel.findings.cards}

    def repair(key: str) -> None:
        card = next(card for card in panel.findings.cards if card.finding.key == key)
        click(card.buttons[0])
        eventually(qtbot, lambda: key not in found())
        wait_idle(qtbot, window)

    assert found() == {"unlogged", "excel_dates", "constant", "blanks"}
    repair("constant")
    assert "YBR007C" not in data_of(window).table.items.names
    repair("excel_dates")
    names = data_of(window).table.items.names
    assert "1-Mar" not in names
    assert "MARCHF1" in names
    assert found() == {"unlogged", "blanks"}


def prepare(qtbot: QtBot, window: MainWindow) -> None:
    """Switch a step off and on, add one, and change its parameter."""
    panel = panel_of(window, PreparePanel)
    open_step(window, "prepare")
    assert [card.account.planned.step.key for card in panel.cards] == ["drop_constant", "rename"]

    click(panel.cards[0].switch)
    eventually(qtbot, lambda: data_of(window).table.n_items == N_GENES)
    click(panel.cards[0].switch)
    eventually(qtbot, lambda: data_of(window).table.n_items == N_GENES - 1)
    highest = greatest(data_of(window))
    pick(qtbot, panel.add, "Scale of values", "Logarithm")
    eventually(qtbot, lambda: len(data_of(window).stages) == 3)
    wait_idle(qtbot, window)
    card = panel.cards[-1]
    assert card.is_open
    assert card.picture.isVisible()
    assert greatest(data_of(window)) == pytest.approx(np.log2(highest + 1.0))
    assert card.form is not None
    offset = card.form.fields["offset"]
    assert isinstance(offset, NumberField)
    write(offset.edit, "10")
    eventually(qtbot, lambda: greatest(data_of(window)) == pytest.approx(np.log2(highest + 10.0)))
    wait_idle(qtbot, window)
    assert data_of(window).matrix is not None
    assert "unlogged" not in {finding.key for finding in data_of(window).findings}


def plan(qtbot: QtBot, window: MainWindow, *, n_steps: int, method: str = METHODS[0].key) -> None:
    """Choose a method, a small map and a number of steps."""
    panel = panel_of(window, MethodPanel)
    open_step(window, "method")
    choose(qtbot, panel.method, next(each.name for each in METHODS if each.key == method))
    assert window.user_actions.session.plan.method_key == method
    shape = panel.form.fields["shape"]
    assert isinstance(shape, PairField)
    if shape.tick is not None and shape.tick.isChecked():
        click(shape.tick)
    for edit, side in zip(shape.edits, (6, 8), strict=True):
        write(edit, str(side))
    write(number_of(panel, "n_steps"), str(n_steps))
    assert panel.form.valid
    assert window.user_actions.session.plan.params.as_values()["shape"] == (6, 8)
    assert window.user_actions.session.plan.params.as_values()["n_steps"] == n_steps
    wait_idle(qtbot, window)


def train_pause_go_on_and_stop(qtbot: QtBot, window: MainWindow) -> None:
    panel = panel_of(window, TrainPanel)
    view = window.views.panes[0].view
    assert isinstance(view, MapView)
    assert view.empty.isVisible()
    nothing = pixels(view)

    open_step(window, "train")
    click(panel.go)
    eventually(qtbot, lambda: is_running(window) and not view.empty.isVisible())
    first = pixels(view)
    assert first != nothing
    assert panel.progress.isVisible()
    eventually(qtbot, panel.curves.isVisible)
    eventually(qtbot, lambda: pixels(view) != first)

    click(panel.pause)
    eventually(qtbot, lambda: window.user_actions.phase is Phase.PAUSED)
    wait_idle(qtbot, window)
    assert window.user_actions.live is not None
    step, still = window.user_actions.live.step, pixels(view)
    assert not window.user_actions.session.runs
    assert still == pixels(view)

    click(panel.go)
    eventually(qtbot, lambda: is_running(window) and step_of(window) > step)
    eventually(qtbot, lambda: pixels(view) != still)
    click(panel.stop)
    eventually(qtbot, lambda: window.user_actions.phase is Phase.IDLE)
    wait_idle(qtbot, window)
    (run,) = window.user_actions.session.runs
    assert step < run.result.step < LONG
    assert run.measures
    assert run.matrix is data_of(window).matrix
    assert not panel.progress.isVisible()
    assert list(window.runs.cards) == [run.key]
    assert not window.runs.cards[run.key].picture.empty


def look_at_all_layers(qtbot: QtBot, window: MainWindow) -> None:
    view = window.views.panes[0].view
    assert isinstance(view, MapView)
    seen, names = {}, {}
    for name in texts_of(view.layers.what):
        choose(qtbot, view.layers.what, name)
        wait_idle(qtbot, window)
        key = view.layers.key
        names[key], seen[key] = name, pixels(view.canvas)
        assert not view.note.isVisible()
        assert view.layers.which.isVisible() is (key in ("classes", "label_mean", "plane"))
    assert set(seen) == {layer.key for layer in LAYERS}
    assert len(set(seen.values())) == len(seen)

    choose(qtbot, view.layers.what, names["plane"])
    searched = view.layers.which.lineEdit()
    assert searched is not None
    wait_idle(qtbot, window)
    control = pixels(view.canvas)
    write(searched, "heat_3")
    QTest.keyClick(searched, Qt.Key.Key_Return)
    wait_idle(qtbot, window)
    assert view.layers.option == "heat_3"
    assert pixels(view.canvas) != control


def look_at_all_views(qtbot: QtBot, window: MainWindow) -> None:
    pane = window.views.panes[0]
    seen = []
    for number, kind in enumerate(VIEWS):
        click_tab(pane.tabs, number)
        wait_idle(qtbot, window)
        assert isinstance(pane.view, kind)
        if isinstance(pane.view, CompareView):
            # Nobody has asked to compare anything yet.
            assert pane.view.empty.isVisible()
        else:
            assert is_drawn(pane.view)
        seen.append(pixels(pane.view))
    assert len(set(seen)) == len(VIEWS)
    for number in range(len(VIEWS)):
        key = Qt.Key(Qt.Key.Key_1 + number)
        QTest.keyClick(window, key, Qt.KeyboardModifier.ControlModifier)
        assert pane.tabs.currentIndex() == number
    click_tab(pane.tabs, 0)
    wait_idle(qtbot, window)


def split(qtbot: QtBot, window: MainWindow) -> None:
    for number in (2, 4):
        click(window.views.split.button(str(number)))
        wait_idle(qtbot, window)
        panes = [pane for pane in window.views.panes if pane.isVisible()]
        assert len(panes) == number
        assert all(is_drawn(pane.view) for pane in panes)
    assert [type(pane.view) for pane in window.views.panes] == list(VIEWS[:4])


def train_by_another_method(qtbot: QtBot, window: MainWindow) -> None:
    """All four views follow."""
    plan(qtbot, window, n_steps=SHORT, method="som")
    views = [pane.view for pane in window.views.panes]
    before = [pixels(view) for view in views]
    QTest.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    assert panel_of(window, TrainPanel).isVisible()
    eventually(qtbot, lambda: len(window.user_actions.session.runs) == 2)
    wait_idle(qtbot, window)
    first, second = window.user_actions.session.runs
    assert (first.result.method, second.result.method) == (METHODS[0].key, "som")
    assert second.result.finished
    assert window.user_actions.session.run is second
    assert all(pixels(view) != old for view, old in zip(views, before, strict=True))


def compare(qtbot: QtBot, window: MainWindow) -> None:
    """Both runs are below, and in the curves and the table of the quality view."""
    runs = window.user_actions.session.runs
    keys = [run.key for run in runs]
    quality = window.views.panes[2].view
    maps = window.views.panes[0].view
    assert isinstance(quality, QualityView)
    assert list(window.runs.cards) == keys
    assert all(card.isVisible() and card.numbers["spearman"].isVisible() for card in cards(window))
    assert [card.chosen for card in cards(window)] == [False, True]
    eventually(qtbot, lambda: quality.is_drawn)
    for plot in (quality.trust, quality.continuity):
        assert plot.keys == tuple(keys)
    assert quality.table.model().columnCount() >= len(runs)

    som = pixels(maps)
    click(window.runs.cards[keys[0]])
    wait_idle(qtbot, window)
    assert window.user_actions.session.shown == keys[0]
    assert [card.chosen for card in cards(window)] == [True, False]
    assert pixels(maps) != som
    click(window.runs.cards[keys[1]])
    wait_idle(qtbot, window)
    assert pixels(maps) == som


def close(window: MainWindow, tmp_path: Path) -> None:
    assert window.close()
    assert not window.isVisible()
    (recent,) = Settings(tmp_path / "settings.json").now.recent
    assert Path(recent.name).name == "heat shock.csv"
    steps = recent.wanted.recipe.steps
    assert [step.step.key for step in steps] == ["drop_constant", "rename", "log2"]


# What a person sees


def data_of(window: MainWindow) -> Data:
    data = window.user_actions.session.data
    assert data is not None
    return data


def greatest(data: Data) -> float:
    return float(np.nanmax(data.table.dense))


def step_of(window: MainWindow) -> int:
    return 0 if window.user_actions.live is None else window.user_actions.live.step


def panel_of(window: MainWindow, kind: type[Kind]) -> Kind:
    return next(panel for panel in window.steps.panels if isinstance(panel, kind))


def open_step(window: MainWindow, key: str) -> None:
    panel = next(panel for panel in window.steps.panels if panel.key == key)
    openers = [each for each in window.steps.findChildren(QPushButton) if each.isCheckable()]
    click(next(each for each in openers if each.text() == panel.name))
    assert panel.isVisible()


def number_of(panel: MethodPanel, name: str) -> NumberEdit:
    field = panel.form.fields[name]
    assert isinstance(field, NumberField)
    if field.tick is not None and field.tick.isChecked():
        click(field.tick)
    return field.edit


def texts_of(combo: QComboBox) -> list[str]:
    return [combo.itemText(row) for row in range(combo.count())]


def cards(window: MainWindow) -> list[RunCard]:
    return list(window.runs.cards.values())


def pixels(widget: QWidget) -> bytes:
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    return bytes(image.constBits())


def is_drawn(view: AnyView) -> bool:
    return view.isVisible() and not view.empty.isVisible()
