"""Contract of every entry of VIEWS with maps of dissimilarities, live and finished."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

# The window tests say what is missing; without them this module has nothing to say.
pytest.importorskip("PySide6.QtWidgets", exc_type=ImportError)

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.contract.test_tables import table
from tests.ui.conftest import WARDROBE, delete_closed
from tests.ui.maps_to_show import CURVES, STATES, showing
from tests.ui.opened_views import opened
from ximstudio.prepare.input import Input
from ximstudio.session import Run
from ximstudio.session.measuring import measured
from ximstudio.session.shown import Shown
from ximstudio.train import checkpoints, method_named
from ximstudio.ui.views import VIEWS, AnyView


@cache
def shown(relational: str, state: str) -> Shown:
    method = method_named("c-xim")
    changes = {"metric": "precomputed", "shape": (6, 8), "n_epochs": 6, "relational": relational}
    first, *_, last = checkpoints(table(), method, method.params.from_values(changes))
    run = Run(
        key="run",
        name="a table",
        result=last.result(),
        matrix=table(),
        input=Input(name="sample:yeast"),
        curves=CURVES,
    )
    if state == "live":
        return Shown(
            result=first.result(), matrix=table(), curves=CURVES, chosen=run, compared=(run,)
        )
    run = measured(run) if state == "measured" else run
    return replace(showing(run, (run,)), compared=(run,))


@pytest.mark.parametrize("kind", VIEWS, ids=lambda kind: kind.kind.key)
@pytest.mark.parametrize("relational", ["relational", "median"])
@pytest.mark.parametrize("state", STATES)
def test_that_maps_of_tables_are_drawn(
    qtbot: QtBot, qapp: QApplication, kind: type[AnyView], relational: str, state: str
) -> None:
    WARDROBE.dress(qapp)
    view = opened(qtbot, kind)
    nothing = view.grab().toImage()
    view.draw(view.request()(shown(relational, state)))
    while not view.is_drawn:
        QApplication.processEvents()
    assert view.grab().toImage() != nothing
    delete_closed()
