"""Dialogs about the table of the session, which have no meaning for another one."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog

from ximstudio.ui.studio import Studio


def close_with_table(dialog: QDialog, studio: Studio) -> None:
    """Cancel the dialog when the session's table, as it was read, is replaced by another.

    A file that was being read when the dialog was opened may become the session's table while it
    is open; what the dialog shows would then be done to that one.
    """
    data = studio.session.data
    labelled = None if data is None else data.labelled

    def look() -> None:
        now = studio.session.data
        if (None if now is None else now.labelled) is not labelled:
            dialog.reject()

    studio.desk.changed.connect(look)
    dialog.finished.connect(lambda: studio.desk.changed.disconnect(look))
