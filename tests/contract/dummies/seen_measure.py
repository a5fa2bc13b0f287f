"""Where a measure appears; run with the plugin that adds it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests import test_docs
from tests.contract.dummies.measure import DUMMY
from ximstudio.cli import main
from ximstudio.export.methods_text import methods_text
from ximstudio.export.wording.described import Described
from ximstudio.measure.catalogue import MEASURES
from ximstudio.measure.evidence import MapEvidence
from ximstudio.model import Matrix
from ximstudio.prepare.input import Input
from ximstudio.train import method_named, train

TABLE = "id,a,b\n" + "".join(f"g{n},{n},{n * n % 7}\n" for n in range(30))


def test_that_the_command_line_prints_the_dummy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, out = tmp_path / "table.csv", tmp_path / "out"
    table.write_text(TABLE, encoding="utf-8")
    quick = ["--set", "shape=3x3", "--set", "n_steps=100", "--quiet"]
    assert main(["run", str(table), "--out", str(out), *quick]) == 0
    assert main(["measure", str(out)]) == 0
    assert DUMMY.name in capsys.readouterr().out


def test_that_the_methods_text_tells_the_dummy() -> None:
    matrix = Matrix.from_array(np.random.default_rng(0).normal(size=(30, 3)))
    method = method_named("som")
    result = train(matrix, method, method.params.from_values({"shape": (3, 4), "n_steps": 100}))
    evidence = MapEvidence(matrix=matrix, result=result)
    found = {each.key: value for each in MEASURES if (value := each.of(evidence)) is not None}
    described = Described(
        result=result, matrix=matrix, input=Input(name="table.csv"), measures=found
    )
    text = methods_text([described])
    said = " ".join(text.paragraphs)
    assert "by trustworthiness T, continuity C and a census of parishes [" in said
    assert "census = 0." in said
    assert set(DUMMY.works) <= set(text.references)


def test_that_the_guide_check_demands_a_row_of_the_dummy() -> None:
    with pytest.raises(AssertionError, match=DUMMY.name):
        test_docs.test_that_the_guide_lists_every_measure_as_it_is_defined()
