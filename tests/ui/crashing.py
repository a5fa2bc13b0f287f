"""The real program in a process of its own, which trains, keeps by itself, and is killed.

  python -m tests.ui.crashing FOLDER

Says a line whenever something is kept: how many maps, and the step of the last. Settings, and what
is kept, are in the folder that XIMSTUDIO_SETTINGS names; FOLDER gets the session that is saved.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from PySide6.QtCore import QTimer

from ximstudio.store import autosave
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.app import process as app
from ximstudio.ui.app import window
from ximstudio.ui.files import autosave as autosaving

LOOK = 20
"""Milliseconds between two looks of this script, and of the window whether to keep something."""
STEPS = 4_000_000
"""Of the second map: none that is waited for."""


def main() -> None:
    """Start the program, and have a hand in it that does one thing after the other."""
    autosaving.LOOK_MILLISECONDS, autosaving.EVERY = LOOK, 0.05
    folder = Path(sys.argv[1])
    tell_what_is_kept()
    hand = Hand(folder)

    def made(*given: Any) -> window.MainWindow:
        hand.window = window.MainWindow(*given)
        hand.begin()
        return hand.window

    with patch.object(app, "MainWindow", made):
        sys.exit(app.start("sample:yeast"))


def tell_what_is_kept() -> None:
    """Say what is kept, once it is."""
    write = autosave.Autosave.write

    def told(self: autosave.Autosave, session: Any, **given: Any) -> None:
        write(self, session, **given)
        last = session.runs[-1].result.step if session.runs else 0
        print("kept", len(session.runs), last, flush=True)

    autosave.Autosave.write = told  # type: ignore[method-assign]


class Hand:
    """Trains a map, saves, and trains another one for ever."""

    window: window.MainWindow

    def __init__(self, folder: Path) -> None:
        self._path = folder / "saved.xims"
        self._done = 0

    def begin(self) -> None:
        """Look at the window from now on."""
        self._timer = QTimer()
        self._timer.timeout.connect(self._go_on)
        self._timer.start(LOOK)

    def _go_on(self) -> None:
        actions, shown = self.window.user_actions, self.window
        n_runs = len(actions.session.runs)
        if self._done == 0 and actions.session.data is not None:
            self._plan(3000, seed=0)
            shown.train()
        elif self._done == 1 and n_runs == 1 and actions.phase is Phase.IDLE:
            shown.settings.change(folder=str(self._path.parent))
            dialog = shown.keeping.save_as()
            assert dialog is not None
            dialog.name.setText(self._path.name)
            dialog.accept()
        elif self._done == 2 and self._path.exists() and shown.keeping.path is not None:
            print("saved", flush=True)
            self._plan(STEPS, seed=1)
            shown.train()
        else:
            return
        self._done += 1

    def _plan(self, n_steps: int, *, seed: int) -> None:
        actions = self.window.user_actions
        params: Any = actions.session.plan.params
        actions.set_params(replace(params, shape=(6, 8), n_steps=n_steps))
        actions.set_seed(seed)


if __name__ == "__main__":
    main()
