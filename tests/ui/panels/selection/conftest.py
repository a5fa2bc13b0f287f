"""A window with a map, without the time that training takes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.maps_to_show import run_of
from tests.ui.windows import sample_data, shown_window, wait_idle
from ximstudio.ui.app.window import MainWindow


@pytest.fixture
def window(qtbot: QtBot, dressed: None) -> Iterator[MainWindow]:
    """The real window with a map of 60 genes, of which none is chosen."""
    del dressed
    shown = shown_window(qtbot)
    shown.user_actions.use_table(sample_data())
    wait_idle(qtbot, shown)
    shown.store.commit(shown.store.session.with_run(run_of("som")), "Train")
    shown.user_actions.draw()
    wait_idle(qtbot, shown)
    yield shown
    shown.close()
