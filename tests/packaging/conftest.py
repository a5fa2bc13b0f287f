"""A machine without the system libraries of Qt."""

from pathlib import Path

import pytest


@pytest.fixture
def qt_without_libgl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets every Python started from here fail to import Qt, as it does on a bare Debian."""
    package = tmp_path / "shadow" / "PySide6"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "QtCore.py").write_text(
        "raise ImportError('libGL.so.1: cannot open shared object file: No such file or directory')"
    )
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
