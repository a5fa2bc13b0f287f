"""Change the colours of every widget in slices of the event loop.

Qt polishes every widget twice, in one go, when one style sheet of the application takes the place
of another: 0.8 s for 3000 widgets. Here Qt is first made to forget the rules it holds. It then
takes the new sheet without polishing anything, and widgets are polished one by one, visible ones
first. Windows are painted again when all that is seen of them has the new colours.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias
from weakref import WeakKeyDictionary

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QGraphicsItem, QWidget

from ximstudio.ui.widgets.slices import EventLoopSlices

SLICE_SECONDS = 0.02
"""Seconds per slice; a widget takes about a hundredth of it."""
DRAWINGS = 3
"""Plots that are painted in a slice."""


class Recolouring(QObject):
    """Change of all colours in slices of the event loop.

    Another one that begins meanwhile takes its place and goes through all widgets again.
    """

    done = Signal()
    """Every widget has the new colours."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._followers: WeakKeyDictionary[object, list[str]] = WeakKeyDictionary()
        self._slices = EventLoopSlices(self)
        self._seen: deque[_Part] = deque()
        self._left: deque[_Part] = deque()
        """Parts with the old colours: visible ones, and the rest."""
        self._frozen: deque[tuple[QWidget, ...]] = deque()
        """Widgets that are not painted now, together with those that are painted with them."""

    @property
    def over(self) -> bool:
        """True if every widget has the colours that were given last."""
        return self._slices.idle

    def follow(self, method: Callable[[], object]) -> None:
        """Call a method of an object after each change, as long as the object exists."""
        owner: object = method.__self__  # type: ignore[attr-defined]
        self._followers.setdefault(owner, []).append(method.__name__)

    def begin(self, application: QApplication, sheet: str, palette: QPalette) -> None:
        """Take this style sheet and these colours; widgets follow in slices."""
        self._freeze(application)
        style = application.style()
        # Widgets that Qt holds rules for would all be polished at once by the next sheet.
        style.unpolish(application)
        application.setStyleSheet(sheet)
        application.setPalette(palette)
        style.polish(application)
        self._slices.schedule(lambda: self._collect(application), self._slice)

    def _collect(self, application: QApplication) -> None:
        """List all that has the old colours."""
        polished = Qt.WidgetAttribute.WA_WState_Polished
        # The others take the new colours when they are polished for the first time.
        widgets = [each for each in application.allWidgets() if each.testAttribute(polished)]
        self._left = deque(_Polished(each) for each in widgets)
        for owner, names in list(self._followers.items()):
            self._left.extend(_Followed(owner, name) for name in names)
        self._seen.clear()

    def finish(self) -> None:
        """Do at once what is left."""
        while not self.over:
            self._slices.run_next()

    def _slice(self) -> None:
        # First of all, so that an error in one part does not keep the others from their turn.
        self._slices.schedule(self._slice)
        until = time.monotonic() + SLICE_SECONDS
        self._find_seen()
        if self._frozen and not self._seen:
            self._thaw()
            return
        parts = self._seen or self._left
        while parts:
            part = parts.popleft()
            if shiboken6.isValid(part.owner):
                part.recolour()
            if time.monotonic() >= until:
                return
        if not self._left and not self._frozen:
            self._slices.cancel()
            self.done.emit()

    def _find_seen(self) -> None:
        """Give precedence to what can be seen, such as a dialog that was opened since."""
        seen = [part for part in self._left if part.seen]
        if seen:
            self._left = deque(part for part in self._left if not part.seen)
            self._seen.extend(seen)

    def _freeze(self, application: QApplication) -> None:
        """Keep windows from being painted partly in the old and partly in the new colours."""
        while self._frozen:
            self._thaw()
        windows = [each for each in application.topLevelWidgets() if _is_painted(each)]
        owners = [each for each in self._followers if isinstance(each, QAbstractScrollArea)]
        drawings = [each for each in owners if shiboken6.isValid(each) and _is_painted(each)]
        self._frozen.append(tuple(windows))
        # Plots take longer to paint than all the rest: a few of them in each slice, behind it.
        for first in range(0, len(drawings), DRAWINGS):
            self._frozen.append(tuple(drawings[first : first + DRAWINGS]))
        for each in (*windows, *drawings):
            each.setUpdatesEnabled(False)

    def _thaw(self) -> None:
        """Have the next few of those painted that wait for it."""
        for each in self._frozen.popleft():
            if shiboken6.isValid(each):
                each.setUpdatesEnabled(True)
                # If it was to be painted when it was frozen, Qt believes that this is under way.
                if (window := each.windowHandle()) is not None:
                    window.requestUpdate()


def _is_painted(widget: QWidget) -> bool:
    return widget.isVisible() and widget.updatesEnabled()


@dataclass(frozen=True, eq=False)
class _Polished:
    """A widget with colours from the style sheet."""

    owner: QWidget

    @property
    def seen(self) -> bool:
        return shiboken6.isValid(self.owner) and self.owner.isVisible()

    def recolour(self) -> None:
        # Taken off first: Qt would keep the old colours as those that the widget has of its own.
        self.owner.style().unpolish(self.owner)
        self.owner.style().polish(self.owner)


@dataclass(frozen=True, eq=False)
class _Followed:
    """An object that knows itself how to change its colours."""

    owner: object
    method: str

    @property
    def seen(self) -> bool:
        if not shiboken6.isValid(self.owner):
            return False
        if isinstance(self.owner, QWidget):
            return self.owner.isVisible()
        if isinstance(self.owner, QGraphicsItem):
            scene = self.owner.scene()
            return scene is not None and any(view.isVisible() for view in scene.views())
        return True

    def recolour(self) -> None:
        getattr(self.owner, self.method)()


_Part: TypeAlias = _Polished | _Followed
"""Something that has the old colours."""
