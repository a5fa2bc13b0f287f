"""Shared fixtures: the bundled sample, and properties drawn the same way every time."""

from __future__ import annotations

import csv
import gc
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from ximstudio.model import Matrix

# Nothing depends on the clock: a busy machine draws slowly.
settings.register_profile(
    "repeatable",
    deadline=None,
    derandomize=True,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("repeatable")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what runs in the background so, and programs that tests start inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)

SAMPLE = Path(__file__).parent.parent / "resources" / "samples" / "yeast.csv"


def pytest_collection_finish() -> None:
    """Never look for garbage in libraries and tests: a million objects, each time anew."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def settings_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Settings, presets and kept sessions of the tests are never those of who runs them."""
    folder = tmp_path_factory.mktemp("settings")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XIMSTUDIO_SETTINGS", str(folder))
        yield folder


@pytest.fixture(autouse=True)
def _forgotten(settings_folder: Path) -> Iterator[None]:
    """Remember nothing from one test to the next."""
    yield
    for each in settings_folder.iterdir():
        if each.is_dir():
            shutil.rmtree(each)
        else:
            each.unlink()


@pytest.fixture(scope="session")
def yeast() -> Matrix:
    """Ribosomal and respiratory genes of the bundled sample, with their blanks."""
    with SAMPLE.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    rows = [row for row in rows if row[1] in {"Ribo", "Resp"}]
    return Matrix(
        values=np.array([[float(cell) if cell else np.nan for cell in row[2:]] for row in rows]),
        item_ids=tuple(row[0] for row in rows),
        feature_names=tuple(header[2:]),
        item_labels={"function": tuple(row[1] for row in rows)},
        source=SAMPLE.name,
    )
