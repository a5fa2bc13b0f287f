"""Open the window from the command line, or report what is missing.

Qt is imported only inside functions, so that a missing Qt can be reported.
"""

from __future__ import annotations

import ctypes
import gc
import importlib.util
import os
import sys
from pathlib import Path

from ximstudio.model.problem import UserError

NEEDED = ("PySide6", "pyqtgraph")
LIBRARIES = (
    "libgl1 libegl1 libxkbcommon0 libfontconfig1 libdbus-1-3 libglib2.0-0 libxcb-cursor0"
    " libxkbcommon-x11-0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0"
)
"""Debian and Ubuntu packages of the system libraries that Qt needs and no wheel contains."""


def open_window(name: str | None) -> int:
    """Show the window until it is closed; raise a UserError if something is missing."""
    _refuse_missing_packages()
    if sys.platform.startswith("linux"):
        _refuse_missing_screen()
        _refuse_missing_libraries()
    # Imports create many permanent objects; collecting garbage among them would take a third of the
    # time.
    gc.disable()
    from ximstudio.ui.app.process import start

    return start(name)


def _refuse_missing_packages() -> None:
    missing = [module for module in NEEDED if importlib.util.find_spec(module) is None]
    if missing:
        raise UserError(
            key="window.not_installed",
            what="The window needs packages that are not installed.",
            where=", ".join(missing),
            way_out=(
                "Install them with: pip install 'ximstudio[gui]'. All commands work without them."
            ),
        )


def _refuse_missing_screen() -> None:
    """Refuse to start without a display: Qt would end the process without an exception."""
    if os.environ.get("QT_QPA_PLATFORM"):
        return
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise UserError(
            key="window.no_screen",
            what="There is no display to show a window on.",
            where="Neither DISPLAY nor WAYLAND_DISPLAY is set.",
            way_out="Start it on a desktop (or with ssh -X), or use 'ximstudio run'.",
        )


def _refuse_missing_libraries() -> None:
    """Refuse to start if Qt's platform plug-in lacks a library: it would end the process, too."""
    platform = os.environ.get("QT_QPA_PLATFORM") or "xcb"
    try:
        from PySide6.QtCore import QLibraryInfo
        from PySide6.QtWidgets import QApplication  # noqa: F401

        plugins = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath), "platforms")
        plugin = plugins / f"libq{platform.split(':')[0]}.so"
        if plugin.exists():
            ctypes.CDLL(str(plugin))
    except (ImportError, OSError) as error:
        raise UserError(
            key="window.missing_library",
            what="A system library that Qt needs is missing.",
            where=str(error).split(": cannot open")[0],
            way_out=f"On Debian or Ubuntu: sudo apt-get install -y {LIBRARIES}",
        ) from error
