"""Welcome page: drop a file, open an example, or reopen a recent file or session."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPixmap
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QWidget

from ximstudio.assets import asset
from ximstudio.load.samples import Sample, samples
from ximstudio.ui.runtime.settings import Recent, Settings
from ximstudio.ui.widgets.boxes import STRETCH, Stretch, hbox, vbox
from ximstudio.ui.widgets.card import Card
from ximstudio.ui.widgets.drop_area import DropArea
from ximstudio.ui.widgets.elided import Elided
from ximstudio.ui.widgets.image import Picture
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Size, label, tool_button
from ximstudio.ui.widgets.look.icons import icon_pixmap
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.ui.widgets.message_card import clear

WIDTH = 920
"""Maximum width of the column: longer lines are hard to read."""
LEAST_HALF = 340
SAMPLE_PICTURE = 168, 112
SIGN = 20
MOST_SHOWN = 5
"""Number of recent files shown."""

FIRST_STEPS = (
    ("Open", "Drop your table. Its layout is detected, and you see why."),
    ("Train", "One click, and the map unfolds while you watch."),
    ("Read", "Layers, positions and measures show what goes together, and how reliable that is."),
)


class Welcome(QScrollArea):
    """A drop area, example data as cards, and recent files."""

    open_wanted = Signal()
    sample_wanted = Signal(str)
    recent_wanted = Signal(object)
    forget_wanted = Signal(str)
    """The user removes a recent file from the list; its name."""
    text_pasted = Signal(str)

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # The window focuses it so that cells can be pasted without a click; it is not a tab stop.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.drop_area = DropArea()
        self.drop_area.open_wanted.connect(self.open_wanted)
        self.sample_cards = {key: SampleCard(sample) for key, sample in samples().items()}
        self.recent_rows: list[RecentRow] = []
        self._right = vbox(gap=spacing.SMALL)
        self._lay_out()
        for key, card in self.sample_cards.items():
            card.clicked.connect(lambda key=key: self.sample_wanted.emit(key))
        self.show_recent()

    def _lay_out(self) -> None:
        words = vbox(
            label("See which genes go together", kind="display"),
            label("Open an expression table, train a map, and explore it.", kind="muted"),
            gap=spacing.HAIR,
        )
        left = vbox(
            label("EXAMPLE DATA", kind="section"),
            *self.sample_cards.values(),
            STRETCH,
            gap=spacing.SMALL,
        )
        halves = QGridLayout()
        halves.setHorizontalSpacing(spacing.WIDE)
        halves.addLayout(left, 0, 0)
        halves.addLayout(self._right, 0, 1)
        for number in (0, 1):
            halves.setColumnStretch(number, 1)
            halves.setColumnMinimumWidth(number, LEAST_HALF)
        inner = QWidget()
        inner.setMaximumWidth(WIDTH)
        vbox(words, self.drop_area, halves, into=inner, gap=spacing.WIDE, margins=0)
        page = QWidget()
        page.setProperty("kind", "page")
        down = vbox(Stretch(2), inner, Stretch(3))
        hbox(STRETCH, (down, 100), STRETCH, into=page, margins=spacing.HUGE)
        self.setWidget(page)

    def show_recent(self) -> None:
        """Show the recent files, or an introduction if there are none."""
        clear(self._right)
        self.recent_rows = [RecentRow(each) for each in self._settings.now.recent[:MOST_SHOWN]]
        title = "RECENT FILES" if self.recent_rows else "HOW IT WORKS"
        self._right.addWidget(label(title, kind="section"))
        for row in self.recent_rows:
            row.clicked.connect(lambda row=row: self.recent_wanted.emit(row.recent))
            row.forget.clicked.connect(lambda _, row=row: self.forget_wanted.emit(row.recent.name))
            self._right.addWidget(row)
        if not self.recent_rows:
            self._right.addWidget(_first_steps())
        self._right.addStretch(1)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802  (Qt's name)
        pastes = event.matches(QKeySequence.StandardKey.Paste)
        text = QGuiApplication.clipboard().text() if pastes else ""
        if text.strip():
            self.text_pasted.emit(text)
        else:
            super().keyPressEvent(event)


class SampleCard(Card):
    """Card of an example: picture, description and source."""

    def __init__(self, sample: Sample) -> None:
        super().__init__()
        self.sample = sample
        self.setToolTip(f"{sample.about}\n{sample.citation}")
        self.setAccessibleName(sample.title)
        self.picture = Picture(*SAMPLE_PICTURE)
        the_theme().follow(self._show_picture)
        self._show_picture()
        words = vbox(
            label(sample.title, kind="strong", wrap=True),
            label(_first_part(sample.about), kind="muted", wrap=True),
            label(sample.citation, kind="caption", wrap=True),
            STRETCH,
            gap=spacing.HAIR,
        )
        hbox(
            (self.picture, Qt.AlignmentFlag.AlignTop),
            (words, 1),
            into=self,
            gap=spacing.LARGE,
            margins=spacing.MEDIUM,
        )

    def _show_picture(self) -> None:
        scheme = "dark" if the_theme().dark else "light"
        found = QPixmap(str(asset("samples", f"{self.sample.key}-{scheme}.png")))
        if not found.isNull():
            self.picture.show_pixmap(found)


def _first_part(about: str) -> str:
    """Return the first clause of a description."""
    first = about.partition(";")[0].partition(". ")[0]
    return f"{first.rstrip('.')}."


class RecentRow(Card):
    """Row of a recent file: kind, name, folder and size."""

    def __init__(self, recent: Recent) -> None:
        super().__init__()
        self.recent = recent
        path = Path(recent.name)
        kind = "Session" if recent.session else "Table"
        self.setAccessibleName(f"{kind} {path.name}")
        self.setToolTip(f"{kind}: {recent.name}")
        self.sign = QLabel()
        the_theme().follow(self._tint)
        self._tint()
        self.forget = tool_button("close", tip="Remove from this list", size=Size.SMALL)
        name = Elided(path.name, kind="strong", mode=Qt.TextElideMode.ElideMiddle)
        where = Elided(_folder(path), kind="caption", mode=Qt.TextElideMode.ElideLeft)
        words = vbox(name, where, gap=0)
        hbox(
            self.sign,
            (words, 1),
            label(recent.size, kind="caption"),
            self.forget,
            into=self,
            gap=spacing.MEDIUM,
            margins=(spacing.MEDIUM, spacing.SMALL, spacing.SMALL, spacing.SMALL),
        )

    def _tint(self) -> None:
        """Return the icon and colour of a session or a table."""
        name, role = ("map", "accent") if self.recent.session else ("data", "muted")
        ratio = self.devicePixelRatioF()
        self.sign.setPixmap(icon_pixmap(name, SIGN, role=role, scale=ratio))


def _folder(path: Path) -> str:
    """Return the folder of the file, with the home folder as "~"."""
    try:
        return str("~" / path.parent.relative_to(Path.home()))
    except (ValueError, RuntimeError):
        return str(path.parent)


def _first_steps() -> QFrame:
    frame = QFrame()
    frame.setProperty("kind", "card")
    grid = QGridLayout(frame)
    grid.setContentsMargins(spacing.LARGE, spacing.MEDIUM, spacing.LARGE, spacing.MEDIUM)
    grid.setHorizontalSpacing(spacing.MEDIUM)
    grid.setVerticalSpacing(spacing.SMALL)
    grid.setColumnStretch(2, 1)
    for number, (what, how) in enumerate(FIRST_STEPS):
        top = Qt.AlignmentFlag.AlignTop
        grid.addWidget(label(str(number + 1), kind="badge", tone="accent"), number, 0, top)
        grid.addWidget(label(what, kind="strong"), number, 1, top)
        grid.addWidget(label(how, kind="muted", wrap=True), number, 2)
    return frame
