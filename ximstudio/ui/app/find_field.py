"""Search field of the toolbar: finds genes and samples by name."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, Qt, SignalInstance
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QApplication, QCompleter, QLineEdit, QListView, QSizePolicy

from ximstudio.explore.names import Completion, NameIndex
from ximstudio.jobs import Task
from ximstudio.model.selection import Selection
from ximstudio.model.words import grouped
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.actions.selection import combine_of
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.runtime.job_slot import JobSlot
from ximstudio.ui.widgets.look.icons import icon

NARROW, WIDE = 130, 230
POPUP_WIDTH = 340
OFFERED = 10
"""Maximum number of names offered while the user types."""
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


@dataclass(frozen=True, kw_only=True)
class NameOffer:
    """A line of the list below the field: its text, and the ids that it selects, if any."""

    text: str
    ids: tuple[str, ...] = ()
    typed: str = ""
    """Text to put into the field instead, for a suggested name."""


class FindField(QLineEdit):
    """Search field that offers matching names; Enter selects, combined with Shift or Ctrl."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        self._finding = JobSlot(actions.jobs, self)
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
        # Qt computes the height from the rows and ignores the padding of the style sheet.
        popup.setStyleSheet("QListView { padding: 1px; }")
        popup.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        popup.setProperty("framed", "true")
        popup.setAccessibleName("Matching names")
        self.setWhatsThis(
            "Type part of a name, or of a label such as a gene symbol. Enter selects the "
            "highlighted match, Shift+Enter adds it to the selection, Ctrl+Enter removes it. "
            "Esc closes the list."
        )
        self.textEdited.connect(self._offer)
        # The one with the index, of two signals that share the name.
        clicked: SignalInstance = self.finder.activated[QModelIndex]  # type: ignore[index]
        clicked.connect(self._click)
        self._table = ""
        """The file that is looked through."""
        actions.table_opening.connect(self._forget)
        actions.store.changed.connect(self.show_session)
        actions.inspector.named.connect(self.show_session)
        self.show_session()

    @property
    def popup(self) -> QListView:
        """The list of matching names."""
        view = self.finder.popup()
        assert isinstance(view, QListView)
        return view

    @property
    def names(self) -> NameIndex | None:
        return self._actions.inspector.names

    def show_session(self) -> None:
        """Enable the field and update its texts; a new table clears the search."""
        data = self._actions.session.data
        table = "" if data is None else data.input.name
        if table != self._table:
            self._table = table
            self._forget()
        words = self._actions.inspector.words
        self.setEnabled(self.names is not None)
        self.setPlaceholderText(f"Find a {words.item}" if self.isEnabled() else "Find")
        tip = f"Find {words.items} by name (Ctrl+F)"
        self.setToolTip(tip)
        self.setAccessibleName(tip)

    def _forget(self) -> None:
        """Clear the search."""
        self._finding.stop()
        self.popup.hide()
        self.clear()

    def begin(self) -> None:
        """Focus the field and select its text."""
        if self.isEnabled():
            self.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.selectAll()

    # Offers

    def _offer(self, typed: str) -> None:
        """List the first matching names at once, and the number of all matches when it is known."""
        self._finding.stop()
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
        self._show([*some, NameOffer(text=f"Select all that contain “{typed.strip()}”")])

        def work(_: Task[float, tuple[str, ...]]) -> tuple[str, ...]:
            return tuple(each.id for each in names.completions(typed, most=len(names.ids)))

        def done(ids: tuple[str, ...]) -> None:
            text = f"Select all {grouped(len(ids))} that contain “{typed.strip()}”"
            row = self.popup.currentIndex().row()
            self.offers.fill_last(NameOffer(text=text, ids=ids))
            # Qt forgets which one is marked when any of them changes.
            self._mark(row)

        self._finding.start(Job(label="Finding", work=work, done=done, quiet=True))

    def _offer_near(self, names: NameIndex, typed: str) -> None:
        """Say that no name matches, and offer similar ones."""
        words = self._actions.inspector.words
        missing = NameOffer(text=f"No {words.item} is called “{typed.strip()}”")
        self._show([missing])

        def work(_: Task[float, tuple[str, ...]]) -> tuple[str, ...]:
            from ximstudio.explore.names import near_names

            return near_names(names, typed)

        def done(near: tuple[str, ...]) -> None:
            if near and self.hasFocus():
                meant = [NameOffer(text=f"Did you mean {each}?", typed=each) for each in near]
                self._show([missing, *meant])

        self._finding.start(Job(label="Finding", work=work, done=done, quiet=True))

    def _show(self, offers: list[NameOffer]) -> None:
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

    # Selection

    def take(self, offer: NameOffer, modifiers: Qt.KeyboardModifier) -> None:
        """Select the offered items, or type the suggested name."""
        if offer.typed:
            self.setText(offer.typed)
            self._offer(offer.typed)
        elif offer.ids:
            self.popup.hide()
            self._actions.selecting.select(Selection.of(offer.ids), combine_of(modifiers))
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
        """Keep Esc from the window's shortcut while the user searches."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride:
            event.setAccepted(event.key() == Qt.Key.Key_Escape)
            return event.isAccepted() or super().event(event)
        return super().event(event)


class _Offers(QStandardItemModel):
    """List model of the offers."""

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(self.item(row).text() for row in range(self.rowCount()))

    def offer(self, row: int) -> NameOffer:
        found: NameOffer = self.item(row).data()
        return found

    def fill(self, offers: list[NameOffer]) -> None:
        self.clear()
        self.appendColumn([_item(offer) for offer in offers])

    def fill_last(self, offer: NameOffer) -> None:
        """Replace the last offer."""
        if self.rowCount():
            self.setItem(self.rowCount() - 1, _item(offer))


def _item(offer: NameOffer) -> QStandardItem:
    """Return the line of an offer, which only one with ids or a name enables."""
    item = QStandardItem(offer.text)
    item.setData(offer)
    able = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
    item.setFlags(able if offer.ids or offer.typed else Qt.ItemFlag.NoItemFlags)
    return item


def _named(found: Completion) -> NameOffer:
    """Return the text of an offer, with the id of the item if a label matched."""
    other = f"  ({found.id})" if found.label and found.text != found.id else ""
    return NameOffer(text=f"{found.text}{other}", ids=(found.id,))
