"""Kernels are precompiled by another process, and waiting for it always ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ximstudio.session import precompile
from ximstudio.session.precompile import MEASURING, REST, TRAINING, Precompiler, stage_of
from ximstudio.train import method_named

HERE = Path(__file__).parents[2]
SESSION = """
from ximstudio.session import Data, open_data
from ximstudio.prepare.input import Input
from ximstudio.maps import LayerEvidence, layers_of
from ximstudio.measure.catalogue import MEASURES
from ximstudio.measure.evidence import MapEvidence
from ximstudio.train import METHODS, train
matrix = open_data(Input(name="sample:yeast")).matrix
for method in METHODS:
    if method.package is not None:
        continue
    result = train(matrix, method)
    for layer in layers_of(result, matrix):
        shown = LayerEvidence(result=result, matrix=matrix)
        layer.of(shown, (layer.options(result, matrix) or ("",))[0])
    evidence = MapEvidence(matrix=matrix, result=result)
    for measure in MEASURES:
        measure.of(evidence)
"""


class Enough(Exception):
    """Raised by who waits."""


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A process that would compile for a minute, and where it says what is compiled."""
    monkeypatch.setattr(precompile, "CHILD", "import time; time.sleep(60)")
    monkeypatch.setattr(precompile, "_sign", lambda stage: tmp_path / stage)
    return tmp_path


def halt() -> None:
    raise Enough


def test_that_nothing_is_waited_for_if_nobody_compiles(compiler: Path) -> None:
    assert not list(compiler.iterdir())
    Precompiler().wait(TRAINING, halt)


def test_that_what_is_compiled_is_not_compiled_again(compiler: Path) -> None:
    for stage in (TRAINING, MEASURING, REST):
        (compiler / stage).touch()
    process = Precompiler()
    process.begin()
    process.wait(MEASURING, halt)
    assert process._process is None


def test_that_a_stage_is_waited_for_until_it_is_there(compiler: Path) -> None:
    process = Precompiler()
    process.begin()
    try:
        with pytest.raises(Enough):
            process.wait(TRAINING, halt)
        process.wait(TRAINING, (compiler / TRAINING).touch)
        with pytest.raises(Enough):
            process.wait(MEASURING, halt)
    finally:
        process.end()
    process.wait(MEASURING, halt)


def test_that_a_compiler_that_breaks_down_is_not_waited_for(
    compiler: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(precompile, "CHILD", "raise SystemExit('no room')")
    process = Precompiler()
    process.begin()
    process.wait(TRAINING, lambda: None)
    assert not list(compiler.iterdir())
    # And it is not told in vain.
    assert ["no room" in record.getMessage() for record in caplog.records] == [True]
    process.wait(TRAINING, lambda: None)
    assert len(caplog.records) == 1
    process.end()


@pytest.mark.parametrize(
    ("key", "settings", "stage"),
    [
        ("c-xim", {}, TRAINING),
        ("som", {}, TRAINING),
        ("pca", {}, TRAINING),
        ("t-sne", {}, TRAINING),
        ("xom", {}, REST),
        ("som", {"algorithm": "batch"}, REST),
        ("xim", {"divergence": "hellinger"}, REST),
        ("xim", {"reach_from": "perplexity"}, REST),
    ],
)
def test_that_what_few_need_is_waited_for_by_them_alone(
    key: str, settings: dict[str, str], stage: str
) -> None:
    assert stage_of(method_named(key).params.from_values(settings)) == stage


@pytest.mark.slow
def test_that_a_session_compiles_nothing_more(tmp_path: Path) -> None:
    def run(code: str) -> set[str]:
        subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            cwd=HERE,
            env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        )
        return {path.name for path in tmp_path.rglob("*.nbc")}

    compiled = run("from ximstudio.session import precompile; precompile.main()")
    assert compiled
    assert run(SESSION) == compiled
