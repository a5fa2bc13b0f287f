"""Close dialogs when the table that they are about is replaced."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog

from ximstudio.ui.actions.actions import Actions


def close_with_table(dialog: QDialog, actions: Actions) -> None:
    """Cancel the dialog when the session's table is replaced.

    A file that was being read may become the session's table while the dialog is open; the dialog's
    action would then apply to it.
    """
    data = actions.session.data
    labelled = None if data is None else data.labelled

    def look() -> None:
        now = actions.session.data
        if (None if now is None else now.labelled) is not labelled:
            dialog.reject()

    actions.store.changed.connect(look)
    dialog.finished.connect(lambda: actions.store.changed.disconnect(look))
