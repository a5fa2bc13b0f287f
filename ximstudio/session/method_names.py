"""Names of methods in menus, with a note on those that are not installed."""

from __future__ import annotations

from ximstudio.train.checks import is_installed
from ximstudio.train.method import Method

NOT_INSTALLED = "not installed"


def method_title(method: Method) -> str:
    """Name of a method: "UMAP", or "UMAP (not installed)"."""
    return method.name if is_installed(method) else f"{method.name} ({NOT_INSTALLED})"
