"""Takes the pictures of the guide: the real window, off-screen, step by step.

  .venv/bin/python packaging/tour_pictures.py [FOLDER]

Run it when the window has changed, and look at what it has taken. The same window gives the same
files: training reports at given steps, not at given times, and says that a step takes as long as
ever; nothing that a person has set is read.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch

import numpy as np
from PIL import Image
from PySide6.QtCore import QBuffer, QEventLoop, QPoint, QTimer
from PySide6.QtGui import QColor, QCursor, QImage, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QDialog, QScrollArea, QWidget

from ximstudio.jobs import Task
from ximstudio.measure import trials
from ximstudio.measure.neighbourhoods import item_trust
from ximstudio.model.matrix import Matrix
from ximstudio.model.selection import Selection
from ximstudio.prepare.planned import planned
from ximstudio.prepare.recipe import Recipe
from ximstudio.session.plan import USUAL
from ximstudio.session.preferences_file import SETTINGS_FOLDER
from ximstudio.session.presets import PRESETS
from ximstudio.session.run import Run, TrainingCurves
from ximstudio.session.shown import Shown, pictures_of
from ximstudio.session.training import LiveTraining, Training, TrainingSample
from ximstudio.train import Checkpoint, checkpoints
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.dialogs.tool_dialog import ToolDialog
from ximstudio.ui.panels.data.panel import DataPanel
from ximstudio.ui.panels.method.panel import MethodPanel
from ximstudio.ui.panels.panel import Panel
from ximstudio.ui.panels.prepare.panel import PreparePanel
from ximstudio.ui.views import AnyView
from ximstudio.ui.views.compare.view import CompareView
from ximstudio.ui.views.features.view import FeaturesView
from ximstudio.ui.views.heat_map.view import HeatMapView
from ximstudio.ui.views.map.view import MapView
from ximstudio.ui.views.portraits.view import PortraitsView
from ximstudio.ui.views.positions.view import PositionsView
from ximstudio.ui.views.quality.view import QualityView
from ximstudio.ui.widgets.drawing.canvas import Tool
from ximstudio.ui.widgets.look.theme import Scheme, the_theme

FOLDER = Path(__file__).parent.parent / "docs" / "images" / "tour"
PICTURES = (
    "welcome",
    "import",
    "doctor",
    "prepare",
    "method",
    "train",
    "map",
    "feature",
    "positions",
    "quality",
    "dark",
)
"""In the order in which the tour shows them."""
EXPLORING = (
    "selection",
    "heat-map",
    "features",
    "portraits",
    "clusters",
    "similar",
    "zoom",
    "new-genes",
)
"""In the order in which the page about exploring shows them."""
COMPARING = ("compare", "torch", "compare-measures", "sweep", "stability")
"""In the order in which the page about comparing shows them."""
EXPORTING = ("export",)
"""On the page about exporting."""
SIZE = 1280, 800
PATIENCE = 180_000
"""Milliseconds that anything may take; the first training on a machine compiles."""
CALM = 350
"""Milliseconds of a round, longer than any delay of the window."""
ROUNDS, MOST_ROUNDS = 3, 60
"""In which nothing has to change, and after which it is given up."""
STEPS = 1500
"""Between two looks at a training."""
STEP_SECONDS = 5e-5

SomePanel = TypeVar("SomePanel", bound=Panel)
SomeView = TypeVar("SomeView", bound=AnyView)


class Rehearsal:
    """A training that is looked at after given steps, and halts where a picture is to be taken."""

    def __init__(self) -> None:
        self.halt_at = 1.0
        """The part of a training after which it waits to be told to go on."""
        self.go_on = threading.Event()
        self.halted = False

    def work(self, training: Training, task: Task[LiveTraining, LiveTraining]) -> LiveTraining:
        """In place of `Training.work`: every report is seen, and its time follows its step."""
        plan, matrix = training.plan, training.matrix
        sample, curves = TrainingSample(matrix), TrainingCurves()
        steps = checkpoints(
            matrix,
            plan.method,
            plan.params,
            seed=plan.seed,
            chunk=STEPS,
            start=training.start,
            parent=training.parent,
        )
        for checkpoint in steps:
            result = checkpoint.result()
            measured = sample.trust_and_continuity(result.positions, result.periods)
            curves = curves.with_point(checkpoint.step, *measured)
            shown = Shown(result=result, matrix=matrix, curves=curves)
            live = LiveTraining(
                step=checkpoint.step,
                n_steps=checkpoint.n_steps,
                seconds=checkpoint.step * STEP_SECONDS,
                result=result,
                curves=curves,
                pictures=pictures_of(shown, training.requests()),
            )
            if live.finished:
                break
            task.report(live)
            while not task.is_read:
                task.check()
                time.sleep(0.001)
            if live.fraction >= self.halt_at:
                self._halt(task)
        return live

    def _halt(self, task: Task[LiveTraining, LiveTraining]) -> None:
        self.halted = True
        while not self.go_on.wait(0.01):
            task.check()
        self.halted = False


class StepClock(threading.local):
    """A clock for maps that are trained side by side: every step takes as long as ever."""

    def __init__(self) -> None:
        self._passed = 0.0

    def seconds(self) -> float:
        """In place of `perf_counter`: what has passed in this thread since it was asked last."""
        passed, self._passed = self._passed, 0.0
        return passed

    def checkpoints(self, *given: Any, **named: Any) -> Iterator[Checkpoint]:
        """In place of `train.checkpoints`."""
        for checkpoint in checkpoints(*given, **named):
            self._passed = checkpoint.step * STEP_SECONDS
            yield checkpoint


@contextmanager
def rehearsed() -> Iterator[Rehearsal]:
    """Let all trainings be rehearsals meanwhile, and time follow steps."""
    rehearsal, clock = Rehearsal(), StepClock()

    def work(self: Training, task: Task[LiveTraining, LiveTraining]) -> LiveTraining:
        return rehearsal.work(self, task)

    with (
        patch.object(Training, "work", work),
        patch.object(trials, "perf_counter", clock.seconds),
        patch.object(trials, "checkpoints", clock.checkpoints),
    ):
        yield rehearsal


class Stage:
    """A window without settings, and a hand that knows where to press."""

    def __init__(self, application: QApplication, rehearsal: Rehearsal) -> None:
        self._application = application
        self._before = application.cursorFlashTime(), the_theme().scheme
        self.rehearsal = rehearsal
        application.setCursorFlashTime(0)
        the_theme().dress(application)
        the_theme().choose(Scheme.LIGHT)
        # Nothing lies under the mouse.
        QCursor.setPos(*(2 * side for side in SIZE))
        self.window = MainWindow()
        self.window.resize(*SIZE)
        self.window.show()

    # Waiting

    def until(self, condition: Callable[[], bool]) -> None:
        """Let the window work until something holds."""
        late: list[bool] = []
        deadline, beat = QTimer(), QTimer()
        deadline.setSingleShot(True)
        deadline.timeout.connect(lambda: late.append(True))
        deadline.start(PATIENCE)
        beat.start(5)
        while not condition():
            self._application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
            if late:
                raise TimeoutError("the window did not get there")

    def settle(self) -> None:
        """Until nothing is computed, nothing is about to be, and everything has its place.

        A timer that was started before and is shorter goes off within a round, however slow the
        machine is; but it may start the next one, as where a form is filled in pieces. So the
        window has to look the same for some rounds.
        """
        looks: list[QImage] = []
        while len(looks) < ROUNDS or any(look != looks[-1] for look in looks[-ROUNDS:]):
            if len(looks) > MOST_ROUNDS:
                raise TimeoutError("the window does not come to rest")
            calm = QEventLoop()
            QTimer.singleShot(CALM, calm.quit)
            calm.exec()
            self.until(lambda: self.window.jobs.idle or self.rehearsal.halted)
            looks.append(self._look().toImage())

    # Doing

    def panel(self, kind: type[SomePanel]) -> SomePanel:
        """Open a step on the left; what it shows."""
        steps = self.window.steps
        (number, panel), *_ = [
            (number, panel) for number, panel in enumerate(steps.panels) if isinstance(panel, kind)
        ]
        steps.open(number)
        return panel

    def view(self, kind: type[SomeView]) -> SomeView:
        """Show a view in the first pane; what shows it."""
        pane = self.window.views.panes[0]
        pane.show_view(kind.kind.key)
        view = pane.view
        assert isinstance(view, kind)
        return view

    def use_preset(self, name: str) -> None:
        """Plan to train with the settings of a preset."""
        actions = self.window.user_actions
        (preset,) = (preset for preset in PRESETS if preset.name == name)
        actions.set_plan(preset.applied(actions.session.plan), f"Use preset {name}")

    def scroll_to(self, panel: Panel, widget: QWidget) -> None:
        """Bring a part of a step to the top."""
        self.settle()
        inside = panel.parentWidget()
        area = None if inside is None else inside.parentWidget()
        assert isinstance(area, QScrollArea)
        area.verticalScrollBar().setValue(widget.mapTo(panel, QPoint(0, 0)).y())

    # Looking

    def picture(self) -> QPixmap:
        """The window as a person sees it, at rest."""
        if (focused := QApplication.focusWidget()) is not None:
            focused.clearFocus()
        self.settle()
        return self._look()

    def _look(self) -> QPixmap:
        """The window as it is now, with the dialog that is open above it."""
        seen = self.window.grab()
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, QDialog):
            _put_above(seen, dialog.grab())
        for tool in self.window.findChildren(ToolDialog):
            if tool.isVisible():
                _put_beside(seen, tool.grab())
        return seen

    def close(self) -> None:
        """End it, whatever it is doing, and leave everything as it was."""
        self.rehearsal.go_on.set()
        self.window.close()
        self.window.deleteLater()
        flashing, scheme = self._before
        self._application.setCursorFlashTime(flashing)
        the_theme().choose(scheme)
        self._application.processEvents()


def _put_above(below: QPixmap, above: QPixmap) -> None:
    """A dialog in the middle of what it covers."""
    painter = QPainter(below)
    painter.fillRect(below.rect(), QColor(0, 0, 0, 70))
    painter.end()
    _put_at(below, above, below.rect().center() - above.rect().center())


def _put_beside(below: QPixmap, beside: QPixmap) -> None:
    """A dialog over the steps, where it leaves the map in sight."""
    _put_at(below, beside, QPoint(12, below.height() - beside.height() - 40))


def _put_at(below: QPixmap, above: QPixmap, corner: QPoint) -> None:
    painter = QPainter(below)
    for spread in range(8, 0, -1):
        edge = (
            above.rect()
            .translated(corner + QPoint(0, 2))
            .adjusted(-spread, -spread, spread, spread)
        )
        painter.fillRect(edge, QColor(0, 0, 0, 8))
    painter.drawPixmap(corner, above)
    painter.end()


def png(picture: QPixmap) -> bytes:
    """A picture as a file that is as small as may be."""
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")
    image = Image.open(io.BytesIO(bytes(buffer.data().data()))).convert("RGB")
    made = io.BytesIO()
    image.save(made, "PNG", optimize=True)
    return made.getvalue()


# A table as it comes out of a spreadsheet, made up: names that became dates, decimal commas.

GROUPS = {
    "interferon": "ISG15 IFI6 IFI27 IFI44 IFI44L IFIT1 IFIT2 IFIT3 MX1 MX2 OAS1 OAS2 OAS3 RSAD2"
    " STAT1 IRF7 USP18 XAF1 HERC5 DDX58 CXCL10 GBP1",
    "cell cycle": "MKI67 TOP2A CCNB1 CCNA2 CDK1 BUB1 AURKA AURKB PLK1 MCM2 MCM3 MCM4 MCM5 PCNA"
    " TYMS RRM2 BIRC5 CENPA KIF11 TTK 2-Sep 7-Sep",
    "ribosome": "RPL3 RPL4 RPL5 RPL7 RPL8 RPL10 RPL13 RPL19 RPS2 RPS3 RPS6 RPS8 RPS9 RPS14 RPS18"
    " RPLP0 RPLP1 EEF1A1 EEF2 NPM1",
    "stress": "HSPA1A HSPA1B HSPA5 HSP90AA1 DNAJB1 ATF3 ATF4 DDIT3 FOS JUN EGR1 IER3 GADD45A"
    " GADD45B TRIB3 ASNS 1-Mar 8-Mar",
}
SAMPLES = tuple(
    f"{condition} {number}"
    for condition in ("control", "IFN 6 h", "IFN 24 h")
    for number in (1, 2, 3)
)
EFFECTS = {
    "interferon": (0.0, 3.2, 4.1),
    "cell cycle": (0.0, -0.4, -2.2),
    "ribosome": (0.0, 0.1, -0.3),
    "stress": (0.0, 2.4, 0.6),
}
TABLE = "interferon.csv"


def write_table(path: Path) -> None:
    """Write normalised counts of genes under three conditions, three samples each."""
    rng = np.random.default_rng(4)
    lines = [";".join(("gene", "pathway", *SAMPLES))]
    for pathway, names in GROUPS.items():
        level = {"ribosome": 10.5}.get(pathway, 6.0)
        for name in names.split():
            means = level + rng.normal(0.0, 1.2) + np.repeat(EFFECTS[pathway], 3)
            counts = 2.0 ** (means + rng.normal(0.0, 0.3, len(SAMPLES)))
            cells = [f"{count:.1f}".replace(".", ",") for count in counts]
            if rng.random() < 0.15:
                cells[rng.integers(len(cells))] = "n.d."
            lines.append(";".join((name, pathway, *cells)))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


# The tour


def own_table(stage: Stage) -> Iterator[str]:
    """From the first page to a table of one's own that is ready to be trained on."""
    window, actions = stage.window, stage.window.user_actions
    yield "welcome"
    write_table(Path(TABLE))
    window.bar.reading.setChecked(True)
    window.opening.open_file(Path(TABLE))
    yield "import"
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, QDialog)
    dialog.accept()
    stage.until(lambda: actions.session.data is not None)
    data = stage.panel(DataPanel)
    stage.scroll_to(data, data.findings)
    yield "doctor"
    while data.findings.cards and data.findings.cards[0].buttons:
        data.findings.cards[0].buttons[0].click()
        stage.settle()
    centred = planned("centre", axis="items")
    actions.set_recipe(Recipe(steps=(*actions.recipe.steps, centred)), "Add “Centre”")
    stage.panel(PreparePanel)
    yield "prepare"


def sample(stage: Stage) -> Iterator[str]:
    """The sample: settings, training, reading the map, and a second map to compare it with."""
    window, actions = stage.window, stage.window.user_actions
    window.opening.open_sample("yeast")
    stage.until(lambda: actions.session.data is not None)
    stage.use_preset("Smooth overview")
    stage.panel(MethodPanel)
    yield "method"
    stage.rehearsal.halt_at = 0.3
    window.train()
    stage.until(lambda: stage.rehearsal.halted)
    # Otherwise curves are drawn ten times a second only, and may lag behind.
    window.steps.show_session()
    yield "train"
    stage.rehearsal.go_on.set()
    stage.until(lambda: len(actions.session.runs) == 1)
    stage.settle()
    nodes = stage.view(MapView)
    nodes.hover(fullest_node(actions.session.runs[0], "Proteas"))
    yield "map"
    nodes.hover(-1)
    nodes.layers.choose("plane", "heat 20")
    yield "feature"
    genes = stage.view(PositionsView)
    stage.settle()
    genes.colouring.choose("trust")
    stage.settle()
    genes.hover(least_trusted(actions.session.runs[0]))
    yield "positions"
    genes.hover(-1)
    genes.colouring.choose("label", "function")
    stage.use_preset("Classic SOM")
    window.train()
    stage.until(lambda: len(actions.session.runs) == 2)
    stage.view(QualityView)
    yield "quality"
    actions.show_run("run-1")
    actions.reuse(actions.session.runs[0])
    the_theme().choose(Scheme.DARK)
    stage.view(MapView)
    window.views.split.button("4").click()
    yield "dark"


def exploring(stage: Stage) -> Iterator[str]:
    """What can be done with a map of the sample: choosing, views of it, zooming in, new genes."""
    window, actions = stage.window, stage.window.user_actions
    window.opening.open_sample("yeast")
    stage.until(lambda: actions.session.data is not None)
    window.train()
    stage.until(lambda: len(actions.session.runs) == 1)
    stage.settle()
    run = actions.session.runs[0]
    labels = np.array(run.matrix.item_labels["function"])
    actions.selecting.select(Selection.where(labels == "Proteas", run.matrix.item_ids))
    stage.settle()
    window.runs.show_folded(True)
    stage.view(MapView).take_tool(Tool.LASSO)
    yield "selection"
    stage.view(HeatMapView)
    stage.settle()
    yield "heat-map"
    stage.view(FeaturesView)
    yield "features"
    stage.view(PortraitsView)
    yield "portraits"
    stage.view(MapView)
    window.explorer.show_clusters()
    clusters = window.explorer.clusters
    clusters.start.click()
    stage.settle()
    yield "clusters"
    clusters.close()
    window.explorer.show_similar()
    stage.settle()
    yield "similar"
    window.explorer.similar.close()
    actions.derived_maps.zoom_in()
    stage.until(lambda: len(actions.session.runs) == 2)
    yield "zoom"
    actions.derived_maps.go_up()
    actions.selecting.clear()
    stage.settle()
    write_new_genes(Path(NEW_GENES), run.matrix)
    actions.projection.place(Path(NEW_GENES))
    stage.until(lambda: bool(actions.projection.projected))
    yield "new-genes"


def comparing(stage: Stage) -> Iterator[str]:
    """Maps of the sample side by side, judged, swept, and made again."""
    window, actions = stage.window, stage.window.user_actions
    window.opening.open_sample("yeast")
    stage.until(lambda: actions.session.data is not None)
    view = stage.view(CompareView)
    view.usual.click()
    stage.until(lambda: len(actions.comparison.keys) == len(USUAL))
    window.runs.show_folded(True)
    yield "compare"
    view.maps.torch.setChecked(True)
    view.maps.hover(0, first_of(actions.session.compared_runs[0], "Resp"))
    yield "torch"
    view.maps.hover(0, -1)
    view.pages.button("measures").click()
    view.measures.protocol.click()
    stage.until(lambda: actions.session.judged is not None)
    yield "compare-measures"
    view.pages.button("sweep").click()
    view.sweep.begin.click()
    stage.until(lambda: not actions.parameter_sweep.busy)
    yield "sweep"
    view.pages.button("stability").click()
    view.stability.begin.click()
    stage.until(lambda: not actions.stability.busy)
    yield "stability"


def exporting(stage: Stage) -> Iterator[str]:
    """The map of the sample, as it will be printed."""
    window, actions = stage.window, stage.window.user_actions
    window.opening.open_sample("yeast")
    stage.until(lambda: actions.session.data is not None)
    window.train()
    stage.until(lambda: len(actions.session.runs) == 1)
    stage.settle()
    run = actions.session.runs[0]
    labels = np.array(run.matrix.item_labels["function"])
    actions.selecting.select(Selection.where(labels == "Proteas", run.matrix.item_ids))
    stage.settle()
    window.exporter.show()
    stage.until(lambda: not window.exporter.dialog.figure.preview.is_blank)
    yield "export"


NEW_GENES = "new genes.csv"


def write_new_genes(path: Path, matrix: Matrix) -> None:
    """Write genes that are mixtures of two of a table, and two whose values were shuffled."""
    rng = np.random.default_rng(7)
    values = np.nan_to_num(matrix.values)
    lines = [",".join(("gene", *matrix.feature_names))]
    labels = np.array(matrix.item_labels["function"])
    for label in ("Ribo", "Proteas", "Resp"):
        for number in range(4):
            one, other = rng.choice(np.flatnonzero(labels == label), 2, replace=False)
            mixed = (values[one] + values[other]) / 2.0
            lines.append(",".join((f"NEW {label} {number + 1}", *(f"{v:.3f}" for v in mixed))))
    for number in range(2):
        shuffled = 2.0 * rng.permutation(values[rng.integers(len(values))])
        lines.append(",".join((f"SHUFFLED {number + 1}", *(f"{v:.3f}" for v in shuffled))))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def fullest_node(run: Run, label: str) -> int:
    """The node that wins most genes of a class."""
    assert run.result.winners is not None
    labels = np.array(run.matrix.item_labels["function"])
    return int(np.bincount(run.result.winners[labels == label]).argmax())


def first_of(run: Run, label: str) -> int:
    """The first gene of a class."""
    return run.matrix.item_labels["function"].index(label)


def least_trusted(run: Run) -> int:
    """The gene whose neighbours on the map are least its neighbours in the data."""
    assert run.evidence is not None
    return int(item_trust(run.evidence.ranks).argmin())


ACTS = (own_table, sample, exploring, comparing, exporting)


@contextmanager
def nothing_wrong() -> Iterator[Callable[[], None]]:
    """A function that raises what went wrong in the window meanwhile; Qt would only print it."""
    errors: list[BaseException] = []

    def check() -> None:
        if errors:
            raise errors[0]

    with patch.object(sys, "excepthook", lambda _, error, __: errors.append(error)):
        yield check


def pictures(act: Callable[[Stage], Iterator[str]]) -> Iterator[tuple[str, bytes]]:
    """The pictures of one part of the tour, as they are taken."""
    application = QApplication.instance() or QApplication(["tour", "-platform", "offscreen"])
    assert isinstance(application, QApplication)
    with (
        tempfile.TemporaryDirectory() as folder,
        chdir(folder),
        patch.dict(os.environ, {SETTINGS_FOLDER: folder}),
        rehearsed() as rehearsal,
        nothing_wrong() as check,
    ):
        stage = Stage(application, rehearsal)
        try:
            for name in act(stage):
                picture = png(stage.picture())
                check()
                yield name, picture
        finally:
            stage.close()


def main() -> None:
    """Take all pictures, then write them: a tour that goes wrong leaves the old ones."""
    folder = Path(sys.argv[1]).absolute() if len(sys.argv) > 1 else FOLDER
    taken = [picture for act in ACTS for picture in pictures(act)]
    assert tuple(name for name, _ in taken) == (*PICTURES, *EXPLORING, *COMPARING, *EXPORTING)
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in taken:
        (folder / f"{name}.png").write_bytes(data)
        print(f"{name}: {len(data) // 1024} KB")


if __name__ == "__main__":
    main()
