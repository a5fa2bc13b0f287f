"""Page of a view that draws: controls on top, then the drawing and its key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLayout, QWidget

from ximstudio.maps.classes import Classes
from ximstudio.ui.views.common.chooser import Chooser
from ximstudio.ui.views.common.class_colours import class_colours, legend_entries
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.drawing.colour_bar import LEAST_HEIGHT, ColourBar
from ximstudio.ui.widgets.drawing.legend import Legend, LegendEntry
from ximstudio.ui.widgets.elided import Elided
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, Size, button, label

BAR_WIDTH, MOST_WIDTH = 104, 260
SHARE = 0.27
"""Width of a key with classes: this share of the view's, between those above."""
MOST_FURTHER = 8
"""Maximum number of classes listed that cannot be hidden."""
TIGHT = 300
"""A key lower than this has tight rows."""


class Key(QWidget):
    """Key of the colours beside a drawing: a legend of classes, a bar of numbers, both or none.

    Its width depends on the view and the table, but not on what is shown, so that the drawing stays
    in place when the user chooses other colours.
    """

    def __init__(self) -> None:
        super().__init__()
        self.legend, self.bar = Legend(), ColourBar()
        self.classes: Classes | None = None
        """Classes of the legend."""
        self.show_all = button("Show all", kind=ButtonKind.LINK, size=Size.SMALL)
        self._has_legend = self._has_bar = False
        self._further = ""
        self.title = Elided(kind="section")
        self.title.hide()
        self.more = label(kind="caption", wrap=True)
        self.more.setTextFormat(Qt.TextFormat.RichText)
        self.more.hide()
        self._column = column = vbox(
            self.title,
            self.legend,
            self.show_all,
            self.more,
            spacing.SMALL,
            into=self,
            gap=spacing.HAIR,
            margins=(spacing.SMALL, spacing.SMALL, spacing.SMALL, spacing.MEDIUM),
        )
        column.addWidget(self.bar, 1, alignment=Qt.AlignmentFlag.AlignLeft)
        column.addStretch()
        self.show_all.clicked.connect(self.legend.show_all)
        self.legend.shown_changed.connect(self._show_way_back)

    def show_parts(self, *, legend: bool, bar: bool, classes: bool, room: int) -> None:
        """Show these parts in a view of that width; `classes` if the table has any to list."""
        self._has_legend, self._has_bar = legend, bar
        wide = round(min(max(SHARE * room, BAR_WIDTH), MOST_WIDTH))
        self.setFixedWidth(wide if classes else BAR_WIDTH)
        self.bar.setVisible(bar)
        self.legend.setVisible(legend)
        self._show_way_back()

    def show_classes(self, classes: Classes | None) -> None:
        """List these classes; the same ones keep what the user has hidden."""
        if classes is not self.classes:
            self.classes = classes
            self.legend.show_classes([] if classes is None else legend_entries(classes))

    def recolour(self) -> None:
        """Apply the theme's colours to the legend."""
        if self.classes is not None:
            self.legend.show_colours(class_colours(self.classes))

    def show_title(self, title: str) -> None:
        """Show the title of the legend; '' for none."""
        self.title.show_text(title)
        self.title.setVisible(bool(title))

    def show_more(self, groups: Mapping[str, Sequence[LegendEntry]]) -> None:
        """List further classes by title, below those that can be hidden."""
        texts = (
            f"<p><b>{escape(name)}</b><br>{_entries_text(entries)}</p>"
            for name, entries in groups.items()
        )
        self._further = "".join(texts)
        self.more.setText(self._further)
        self._share_height()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        """Reserve the height of the bar."""
        super().resizeEvent(event)
        self._share_height()

    def _share_height(self) -> None:
        self.legend.show_tight(tight=self.height() < TIGHT)
        inner = self.width() - 2 * spacing.SMALL
        further = self.more.heightForWidth(inner) if self._further else 0
        least = LEAST_HEIGHT + self.legend.height_of(2) + 2 * spacing.WIDE
        # In a low pane, the drawing's titles and the card at the mouse have to suffice.
        self.more.setVisible(bool(self._further) and self.height() >= further + least)
        further = further if self.more.isVisibleTo(self) else 0
        title = self.title.sizeHint().height() if self.title.isVisibleTo(self) else 0
        wanted = self.legend.sizeHint().height()
        way_back = self.show_all.sizeHint().height() if self.show_all.isVisibleTo(self) else 0
        taken = (
            spacing.WIDE
            + way_back
            + further
            + title
            + (LEAST_HEIGHT + spacing.LARGE if self._has_bar else 0)
        )
        # Whole rows: half of one would look like an error.
        rows = max((self.height() - taken) // self.legend.row, 2)
        self.legend.setMaximumHeight(min(wanted, self.legend.height_of(rows)))
        # Now: otherwise the key would visibly settle.
        self._column.activate()

    def _show_way_back(self, _: object = None) -> None:
        """Offer to show all classes if some are hidden."""
        self.show_all.setVisible(self._has_legend and not self.legend.shown.all())
        self._share_height()


def _entries_text(entries: Sequence[LegendEntry]) -> str:
    """Classes with their colours, as HTML."""
    texts = [
        f"<span style='color: {each.colour}'>■</span>&nbsp;{escape(each.name)}"
        for each in entries[:MOST_FURTHER]
    ]
    left = len(entries) - MOST_FURTHER
    return " ".join([*texts, f"and {left} more"] if left > 0 else texts)


def page(chooser: Chooser, buttons: Sequence[QWidget], body: QLayout) -> QFrame:
    """Build the page: chooser at the top left, buttons at the top right, body below."""
    head = hbox(
        (chooser, 1),
        *buttons,
        gap=spacing.HAIR,
        margins=(spacing.MEDIUM, spacing.SMALL, spacing.SMALL, spacing.SMALL),
    )
    frame = QFrame()
    frame.setProperty("kind", "panel")
    vbox(head, (body, 1), into=frame, gap=0, margins=0)
    return frame
