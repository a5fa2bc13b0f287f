"""Stability: the retrained run, and for comparison a map of random data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QStackedWidget, QWidget

from ximstudio.pictures.colouring import colours_of, node_shades
from ximstudio.pictures.point_looks import default_size
from ximstudio.pictures.quantity import value_words
from ximstudio.session.words import share_text
from ximstudio.ui.views.common.sight import Sight
from ximstudio.ui.views.common.view import Empty
from ximstudio.ui.views.positions.drawing import item_colours
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.drawing.canvas import Canvas
from ximstudio.ui.widgets.drawing.colour_bar import ColourBar
from ximstudio.ui.widgets.drawing.mesh import MapItem
from ximstudio.ui.widgets.drawing.points import PointsItem
from ximstudio.ui.widgets.drawing.raster_item import LinesItem
from ximstudio.ui.widgets.elided import Elided
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, Size, button, combo_box, label, segments
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.views.compare.stability_picture import (
    NULL,
    Landscape,
    StabilityPicture,
    by_width,
    own_caption,
    summary_text,
)

if TYPE_CHECKING:
    from ximstudio.session.run import Run
    from ximstudio.ui.actions.actions import Actions

SEEDS, PARTS = "seeds", "parts"
WAYS = {SEEDS: "Other seeds", PARTS: "Subsamples"}
PART = 0.95
"""Share of the items when a run is retrained on subsamples, as in the report."""
TIMES = (5, 10, 20, 50)
USUAL = 10
ROOMY = 560
"""Width of a page with room for all words, in pixels."""
RIDGES, WANDER = "ridges", "wander"
LOOKS = {RIDGES: "Ridges", WANDER: "Wander"}


class Scene(QFrame):
    """A map with a caption: its cells, ridges, and items."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self.caption = Elided(kind="muted")
        self.canvas = Canvas()
        self.sight = Sight(self.canvas)
        self.nodes, self.ridges, self.points = MapItem(), LinesItem(), PointsItem()
        for item in (self.nodes, self.ridges, self.points):
            self.canvas.add(item)
        self.caption.setContentsMargins(spacing.SMALL, 0, spacing.SMALL, 0)
        vbox(
            self.caption,
            (self.canvas, 1),
            into=self,
            gap=spacing.HAIR,
            margins=(1, spacing.HAIR, 1, 1),
        )

    def draw(self, land: Landscape, picture: StabilityPicture, *, shaded: bool) -> None:
        """Show a landscape in the colours of both, or in shades behind items."""
        self.nodes.setVisible(True)
        self.nodes.show_grid(land.grid)
        if shaded:
            self.nodes.show_colours(node_shades(land.heights, the_theme().colours))
        else:
            table, low, high = picture.palette.table, picture.low, picture.high
            self.nodes.show_colours(colours_of(land.heights, table, low=low, high=high))
        self.ridges.show_groups(by_width(land.lines, land.shares))
        self.sight.follow(self.nodes.tiles.bounds)

    def draw_items(self, picture: StabilityPicture) -> None:
        """Show the items, coloured by how far they move."""
        items = picture.items
        self.points.setVisible(True)
        self.points.show_positions(items.positions)
        self.points.show_colours(item_colours(items))
        self.points.show_size(self.sight.scale * default_size(items.matrix.n_items))
        if picture.own is None and items.bounds is not None:
            self.nodes.setVisible(False)
            self.ridges.setVisible(False)
            self.sight.follow(items.bounds)


class StabilityPage(QWidget):
    """Controls for retraining, above the results."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        self._picture: StabilityPicture | None = None
        self._run: Run | None = None
        self.title = Elided(kind="strong")
        self.way = segments(WAYS, name="What varies between the retrained maps")
        self.times = combo_box(name="How often")
        for n in TIMES:
            self.times.addItem(f"{n} times", n)
        self.times.setCurrentIndex(TIMES.index(USUAL))
        self.begin = button("Retrain", kind=ButtonKind.PRIMARY, size=Size.SMALL, icon_name="train")
        self.stop = button("Stop", size=Size.SMALL, icon_name="stop")
        self.state = Elided(kind="muted")
        self.look = segments(LOOKS, name="Show")
        self.summary = label(kind="muted", wrap=True)
        self.own, self.null = Scene(), Scene()
        self.null.caption.show_text(NULL)
        self.bar = ColourBar()
        self.empty = Empty("dice")
        self._body = QStackedWidget()
        self._lay_out()
        self.begin.clicked.connect(self._begin)
        self.stop.clicked.connect(actions.stability.stop)
        self.look.chosen.connect(lambda _: self._redraw())
        the_theme().follow(self._redraw)
        actions.stability.changed.connect(self._show_state)
        actions.store.changed.connect(self._show_state)
        actions.jobs.began.connect(lambda _: self._show_state())
        self.draw(None)

    def _lay_out(self) -> None:
        head = hbox(
            self.way,
            self.times,
            self.begin,
            self.stop,
            (self.state, 1),
            gap=spacing.SMALL,
            margins=(spacing.MEDIUM, 0, spacing.SMALL, spacing.SMALL),
        )
        top = hbox(
            (self.title, 1), self.look, margins=(spacing.MEDIUM, 0, spacing.SMALL, spacing.HAIR)
        )
        maps = hbox(
            (self.own, 1),
            (self.null, 1),
            self.bar,
            gap=spacing.HAIR,
            margins=(spacing.SMALL, 0, 0, 0),
        )
        page = QWidget()
        self.summary.setContentsMargins(spacing.MEDIUM, 0, spacing.MEDIUM, spacing.SMALL)
        vbox((maps, 1), self.summary, into=page, gap=spacing.HAIR, margins=0)
        self._body.addWidget(page)
        self._body.addWidget(self.empty)
        vbox(top, head, (self._body, 1), into=self, gap=0, margins=0)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        """Drop words in a narrow pane."""
        super().resizeEvent(event)
        roomy = self.width() >= ROOMY
        self.begin.setText("Retrain" if roomy else "")
        self.stop.setText("Stop" if roomy else "")
        self.way.button(PARTS).setText(WAYS[PARTS] if roomy else "Samples")

    def draw(self, picture: StabilityPicture | None) -> None:
        """Show the results for the run on display; None if there are none."""
        before, self._picture = self._picture, picture
        if before is None or picture is None or before.run.result is not picture.run.result:
            for scene in (self.own, self.null):
                scene.sight.forget()
        self._redraw()
        self._show_state()

    def _redraw(self) -> None:
        picture = self._picture
        self._body.setCurrentIndex(0 if picture is not None else 1)
        self.look.setVisible(picture is not None and picture.own is not None)
        if picture is None:
            return
        wander = self.look.value == WANDER or picture.own is None
        self.own.points.setVisible(False)
        if picture.own is not None:
            self.own.draw(picture.own, picture, shaded=wander)
        if wander:
            self.own.draw_items(picture)
        self.null.setVisible(picture.null is not None and not wander)
        if picture.null is not None:
            self.null.draw(picture.null, picture, shaded=False)
        self._show_bar(picture, wander=wander)
        self.own.caption.show_text(own_caption(picture, wander=wander))
        self.summary.setText(summary_text(picture))

    def _show_bar(self, picture: StabilityPicture, *, wander: bool) -> None:
        items = picture.items
        if wander and items.scale is not None and items.palette is not None:
            self.bar.show_scale(
                items.palette.table, low=items.scale.low, high=items.scale.high, name="wander"
            )
        elif not wander:
            name = f"distance to neighbouring nodes, {value_words(items.shown)}"
            table, low, high = picture.palette.table, picture.low, picture.high
            self.bar.show_scale(table, low=low, high=high, name=name)

    def _show_state(self, _: str = "") -> None:
        run, stability = self._actions.session.run, self._actions.stability
        self._run = run
        self.title.show_text("Stability" if run is None else f"Stability of {run.name}")
        self.begin.setEnabled(run is not None and not stability.busy)
        self.stop.setVisible(stability.busy)
        text = ""
        if stability.run is not None:
            first = stability.waits_for
            now = f"{first} comes first" if first else share_text(stability.fraction)
            text = f"{stability.run.name}: {now}"
        self.state.show_text(text)
        if self._picture is not None:
            return
        if stability.busy:
            self.empty.show_wait(
                "Retraining…", "Maps of random data are trained as well, for comparison."
            )
        elif run is None:
            self.empty.show_message("No map yet", "Train a map to test its stability here.")
        else:
            self.empty.show_message(
                f"Would {run.name} look the same if it were trained again?",
                "Retrain the map with other seeds or on subsamples of the data. Positions "
                "and ridges that stay the same are reliable; those that change depend on "
                "chance.",
            )

    def _begin(self) -> None:
        if self._run is not None:
            share = 1.0 if self.way.value == SEEDS else PART
            self._actions.stability.begin(
                self._run, runs=int(self.times.currentData()), share=share
            )
