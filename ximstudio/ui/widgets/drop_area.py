"""Drop area of the welcome page, and drop cover for the rest of the window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QLabel, QWidget

from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, Size, button, label, mark
from ximstudio.ui.widgets.look.icons import icon_pixmap
from ximstudio.ui.widgets.look.theme import the_theme

SIGN = 36


def dropped_files(data: QMimeData) -> tuple[Path, ...]:
    """Return the dragged local files and folders; none for other data."""
    return tuple(Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile())


def let_drops_through(part: QWidget) -> None:
    """Let files be dropped anywhere: plots and lists would otherwise accept them."""
    for area in part.findChildren(QAbstractScrollArea):
        area.viewport().setAcceptDrops(False)
        area.setAcceptDrops(False)


class _Sign(QLabel):
    """Picture of a file being dropped."""

    def __init__(self) -> None:
        super().__init__()
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        the_theme().follow(self._tint)
        self._tint()

    def _tint(self) -> None:
        ratio = self.devicePixelRatioF()
        self.setPixmap(icon_pixmap("import", SIGN, role="accent", scale=ratio))


class DropArea(QFrame):
    """Dashed frame that names the accepted files, with an open button."""

    open_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "drop")
        self.open = button(
            "Open a table…", kind=ButtonKind.PRIMARY, size=Size.LARGE, icon_name="open"
        )
        self.open.clicked.connect(self.open_wanted)
        kinds = label(
            "Excel, CSV, GCT, PCL, GEO, h5ad, 10x, Parquet, Orange; also exported figures",
            kind="muted",
        )
        paste = hbox(
            STRETCH,
            label("or paste copied cells with", kind="muted"),
            label("Ctrl+V", kind="key"),
            STRETCH,
            gap=spacing.SMALL,
        )
        layout = vbox(_Sign(), into=self, gap=spacing.HAIR, margins=spacing.WIDE)
        for text in (label("Drop a table or a session here", kind="title"), kinds):
            text.setAlignment(Qt.AlignmentFlag.AlignCenter)
            layout.addWidget(text)
        layout.addSpacing(spacing.MEDIUM)
        layout.addWidget(self.open, alignment=Qt.AlignmentFlag.AlignCenter)
        layout.addSpacing(spacing.HAIR)
        layout.addLayout(paste)

    def light_up(self, active: bool) -> None:
        """Highlight the area while a file is dragged over it."""
        mark(self, "active", "true" if active else "false")


class DropCover(QFrame):
    """Covers the window while a file is dragged over it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._covered = parent
        self.setProperty("kind", "drop")
        self.setProperty("active", "true")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        layout = vbox(STRETCH, _Sign(), into=self)
        words = label("Drop to open", kind="title")
        words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout.addWidget(words)
        layout.addStretch(1)
        self.hide()

    def cover(self) -> None:
        """Cover the whole parent."""
        self.setGeometry(self._covered.rect())
        self.raise_()
        self.show()
