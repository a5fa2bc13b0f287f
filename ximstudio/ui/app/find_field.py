"""The field that finds genes and samples by name, at the end of the bar."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    SignalInstance,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QCompleter, QLineEdit, QListView, QSizePolicy

from ximstudio.explore.names import Completion, Names
from ximstudio.model.selection import Selection
from ximstudio.model.words import grouped
from ximstudio.ui.choosing import combine_of
from ximstudio.ui.look.icons import icon
from ximstudio.ui.selection.latest import Latest
from ximstudio.ui.studio import Studio

NARROW, WIDE = 130, 230
POPUP_WIDTH = 340
OFFERED = 10
"""Names that are offered while one is written."""
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, kw_only=True)
class Offer:
    """A line of the list below the field: what it says, and what is chosen by it, if anything."""

    text: str
    ids: tuple[str, ...] = ()
    typed: str = ""
    """What to write into the field instead, for a name that is proposed."""


class FindField(QLineEdit):
    """Offers names while one is written; Enter chooses, with Shift or Ctrl as everywhere."""

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self._studio = studio
        self._every, self._near = Latest(studio.desk, "Finding"), Latest(studio.desk, "Finding")
        self.offers = _Offers()
        self.setProperty("kind", "search")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(NARROW)
        self.setMaximumWidth(WIDE)
        sign = self.addAction(
            icon("search", role="muted"), QLineEdit.ActionPosition.LeadingPosition
        )
        sign.setText("Find")
        sign.setToolTip("Find")
        sign.triggered.connect(self.begin)
        self.finder = QCompleter(self.offers, self)
        self.finder.setWidget(self)
        self.finder.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self.finder.setMaxVisibleItems(OFFERED + 1)
        popup = self.popup
        popup.setUniformItemSizes(True)
        # Qt makes it as high as its rows, and forgets what the style sheet puts around them.
        popup.setStyleSheet("QListView { padding: 1px; }")
        popup.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        popup.setProperty("framed", "true")
        popup.setAccessibleName("Names that fit")
        self.setWhatsThis(
            "Type a part of a name, or of a label such as a gene symbol. Enter chooses the marked"
            " one; with Shift it is added to what is chosen, with Ctrl taken from it. Esc leaves."
        )
        self.textEdited.connect(self._offer)
        # The one with the index, of two signals that share the name.
        clicked: SignalInstance = self.finder.activated[QModelIndex]  # type: ignore[index]
        clicked.connect(self._click)
        self._table = ""
        """The file that is looked through."""
        studio.began.connect(self._forget)
        studio.desk.changed.connect(self.show_session)
        studio.inspecting.named.connect(self.show_session)
        self.show_session()

    @property
    def popup(self) -> QListView:
        """The list of what is offered."""
        view = self.finder.popup()
        assert isinstance(view, QListView)
        return view

    @property
    def names(self) -> Names | None:
        return self._studio.inspecting.names

    def show_session(self) -> None:
        """Say what can be found, if anything can; of another table, nothing is looked for yet."""
        data = self._studio.session.data
        table = "" if data is None else data.input.name
        if table != self._table:
            self._table = table
            self._forget()
        words = self._studio.inspecting.words
        self.setEnabled(self.names is not None)
        self.setPlaceholderText(f"Find a {words.item}" if self.isEnabled() else "Find")
        tip = f"Find {words.items} by name (Ctrl+F)"
        self.setToolTip(tip)
        self.setAccessibleName(tip)

    def _forget(self) -> None:
        """Look for nothing any more."""
        self._every.drop()
        self._near.drop()
        self.popup.hide()
        self.clear()

    def begin(self) -> None:
        """Take the keyboard, and let what is typed replace what is there."""
        if self.isEnabled():
            self.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.selectAll()

    # What is offered

    def _offer(self, typed: str) -> None:
        """List the names that fit, at once, and how many more do as soon as that is known."""
        self._every.drop()
        self._near.drop()
        names = self.names
        found = () if names is None else names.completions(typed, most=OFFERED)
        if names is None or not typed.strip():
            self.popup.hide()
            return
        if not found:
            self._offer_near(names, typed)
            return
        if len(found) == 1:
            self._show([_named(found[0])])
            return
        some = [_named(each) for each in found]
        self._show([*some, Offer(text=f"Select all that contain “{typed.strip()}”")])

        def work() -> tuple[str, ...]:
            return tuple(each.id for each in names.completions(typed, most=len(names.ids)))

        def done(ids: tuple[str, ...]) -> None:
            text = f"Select all {grouped(len(ids))} that contain “{typed.strip()}”"
            row = self.popup.currentIndex().row()
            self.offers.fill_last(Offer(text=text, ids=ids))
            # Qt forgets which one is marked when any of them changes.
            self._mark(row)

        self._every.ask(work, done)

    def _offer_near(self, names: Names, typed: str) -> None:
        """Say that there is no such name, and which are nearly the same."""
        words = self._studio.inspecting.words
        missing = Offer(text=f"No {words.item} is called “{typed.strip()}”")
        self._show([missing])

        def work() -> tuple[str, ...]:
            from ximstudio.explore.near_names import near_names

            return near_names(names, typed)

        def done(near: tuple[str, ...]) -> None:
            if near and self.hasFocus():
                meant = [Offer(text=f"Did you mean {each}?", typed=each) for each in near]
                self._show([missing, *meant])

        self._near.ask(work, done)

    def _show(self, offers: list[Offer]) -> None:
        self.offers.fill(offers)
        box = self.rect()
        box.setWidth(max(POPUP_WIDTH, self.width()))
        box.moveRight(self.rect().right())
        self.finder.complete(box)
        self._mark(next((row for row, offer in enumerate(offers) if offer.ids), -1))

    def _mark(self, row: int) -> None:
        if row >= 0:
            # Of the list's own model, which stands between it and the offers.
            self.popup.setCurrentIndex(self.popup.model().index(row, 0))

    # What is chosen

    def take(self, offer: Offer, modifiers: Qt.KeyboardModifier) -> None:
        """Choose what is offered, or write what is proposed."""
        if offer.typed:
            self.setText(offer.typed)
            self._offer(offer.typed)
        elif offer.ids:
            self.popup.hide()
            self._studio.choosing.select(Selection.of(offer.ids), combine_of(modifiers))
            self.selectAll()

    def _click(self, index: QModelIndex) -> None:
        self.take(self.offers.offer(index.row()), QApplication.keyboardModifiers())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802  (Qt's name)
        if event.key() in ENTER:
            self._enter(event.modifiers())
            event.accept()
        elif event.key() == Qt.Key.Key_Escape:
            self.clear()
            self.window().setFocus()
        elif event.key() == Qt.Key.Key_Down and not self.popup.isVisible() and self.text():
            self._offer(self.text())
        else:
            super().keyPressEvent(event)

    def _enter(self, modifiers: Qt.KeyboardModifier) -> None:
        if not self.popup.isVisible():
            self._offer(self.text())
        index = self.popup.currentIndex()
        if index.isValid() and self.popup.isVisible():
            self.take(self.offers.offer(index.row()), modifiers)

    def event(self, event: QEvent) -> bool:
        """Keep Esc from the window's shortcut while a name is looked for."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride:
            event.setAccepted(event.key() == Qt.Key.Key_Escape)
            return event.isAccepted() or super().event(event)
        return super().event(event)


class _Offers(QAbstractListModel):
    """What is offered, one line each."""

    def __init__(self) -> None:
        super().__init__()
        self._offers: list[Offer] = []

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(offer.text for offer in self._offers)

    def offer(self, row: int) -> Offer:
        return self._offers[row]

    def fill(self, offers: list[Offer]) -> None:
        self.beginResetModel()
        self._offers = offers
        self.endResetModel()

    def fill_last(self, offer: Offer) -> None:
        """Put this in place of the last one."""
        if self._offers:
            self._offers[-1] = offer
            last = self.index(len(self._offers) - 1)
            self.dataChanged.emit(last, last)

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: N802  (Qt's name)
        del parent
        return len(self._offers)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        shown = role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole)
        return self._offers[index.row()].text if shown else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        offer = self._offers[index.row()]
        able = bool(offer.ids or offer.typed)
        return super().flags(index) if able else Qt.ItemFlag.NoItemFlags


def _named(found: Completion) -> Offer:
    """A name as it is offered, with that of the item if a label was found."""
    other = f"  ({found.id})" if found.label and found.text != found.id else ""
    return Offer(text=f"{found.text}{other}", ids=(found.id,))
