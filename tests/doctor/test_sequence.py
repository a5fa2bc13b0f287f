"""Severe findings come first where that changes no repair, and only there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ximstudio.doctor import CHECKS
from ximstudio.doctor.sequence import treated
from ximstudio.model.arrays import Floats
from ximstudio.prepare.input import Input
from ximstudio.session import Data, open_data

N_GENES, N_CONTROLS, N_SAMPLES = 60, 6, 8


def opened(tmp_path: Path, genes: Floats, controls: Floats) -> Data:
    """A table with control probes, which are a note."""
    names = [f"YAL{n:03d}C" for n in range(len(genes))]
    names += [f"AFFX-BioB-{n}_at" for n in range(len(controls))]
    values = np.concatenate((genes, controls)).tolist()
    lines = ["gene," + ",".join(f"patient {n}" for n in range(N_SAMPLES))]
    lines += [",".join((name, *map(str, row))) for name, row in zip(names, values, strict=True)]
    path = tmp_path / "table.csv"
    path.write_text("\n".join(lines))
    return open_data(Input(name=str(path)))


def intensities(n: int, *, below: float, seed: int = 0) -> Floats:
    """Intensities of which some, after the background, are below 0 by so much."""
    rng = np.random.default_rng(seed)
    values = rng.lognormal(6.0, 1.5, size=(n, N_SAMPLES)).round(1) + 0.3
    low = rng.random(values.shape) < 0.2
    return np.where(low, -rng.uniform(0.96, 1.04, size=values.shape) * below, values).round(2)


def order(data: Data) -> list[str]:
    return [finding.key for finding in data.findings if finding.key in ("controls", "unlogged")]


def test_that_a_warning_comes_before_a_note_that_it_does_not_depend_on(tmp_path: Path) -> None:
    keys = [check.key for check in CHECKS]
    assert keys.index("controls") < keys.index("unlogged")
    data = opened(tmp_path, intensities(N_GENES, below=100.0), intensities(N_CONTROLS, below=100.0))
    assert order(data) == ["unlogged", "controls"]


def test_that_both_orders_give_the_same_bits(tmp_path: Path) -> None:
    data = opened(tmp_path, intensities(N_GENES, below=100.0), intensities(N_CONTROLS, below=100.0))
    first, second = (next(each for each in data.findings if each.key == key) for key in order(data))
    for one in first.repairs:
        for other in second.repairs:
            there = treated(treated(data.table, one), other)
            back = treated(treated(data.table, other), one)
            assert there.items.names == back.items.names
            np.testing.assert_array_equal(there.dense, back.dense)


def test_that_a_repair_that_would_be_another_one_keeps_its_place(tmp_path: Path) -> None:
    # How large the noise is taken to be depends on the controls.
    controls = np.tile(intensities(N_CONTROLS, below=900.0), (20, 1))
    data = opened(tmp_path, intensities(N_GENES, below=100.0), controls)
    assert order(data) == ["controls", "unlogged"]


def test_that_sums_of_samples_keep_their_place(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    counts = rng.negative_binomial(2, 0.01, size=(N_GENES + N_CONTROLS, N_SAMPLES)).astype(float)
    data = opened(tmp_path, counts[:N_GENES], counts[N_GENES:])
    (unlogged,) = [each for each in data.findings if each.key == "unlogged"]
    if not any(step.step.key == "library_size" for step in unlogged.repairs[0].steps):
        pytest.fail("the table is one of counts")
    assert order(data) == ["controls", "unlogged"]
