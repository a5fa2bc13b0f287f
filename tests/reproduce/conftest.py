"""A small table, and runs of it as a session has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ximstudio.measure.catalogue import measure_named
from ximstudio.measure.evidence import MapEvidence
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Recipe, planned
from ximstudio.reproduce.ticks import AS_GOOD
from ximstudio.session.run import Run
from ximstudio.train import method_named, train

N_ITEMS = 40
FEW: dict[str, Any] = {"shape": (4, 5), "n_steps": 300}


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Items in three groups, with a label and a blank."""
    rng = np.random.default_rng(5)
    values = rng.normal(size=(N_ITEMS, 4)) + 4 * np.eye(4)[np.arange(N_ITEMS) % 3]
    rows = [
        f"g{number},{'abc'[number % 3]}," + ",".join(f"{value:.3f}" for value in row)
        for number, row in enumerate(values)
    ]
    rows[7] = rows[7].rsplit(",", 1)[0] + ","
    path = tmp_path_factory.mktemp("data") / "table.csv"
    path.write_text("\n".join(["gene,kind,one,two,three,four", *rows, ""]), encoding="utf-8")
    return path


def made(table: Path, method: str, *, key: str = "a", seed: int = 2, **changes: Any) -> Run:
    """A run of a method with few steps, measured."""
    given = Input(
        name=str(table),
        recipe=Recipe.of(planned("impute", how="mean"), planned("scale", axis="features")),
    )
    opened = given.open()
    way = method_named(method)
    few = {name: value for name, value in FEW.items() if name in way.params.specs()}
    result = train(opened.matrix, way, way.params(**(few | changes)), seed=seed)
    evidence = MapEvidence(matrix=opened.matrix, result=result)
    found = {name: measure_named(name).of(evidence) for name in AS_GOOD}
    return Run(
        key=key,
        name=f"run of {method}",
        result=result,
        matrix=opened.matrix,
        input=given,
        frozen=opened.prepared.frozen,
        measures={name: each for name, each in found.items() if each is not None},
    )
