"""Maps made where arithmetic rounds otherwise | the same maps made here, and what `verify` says.

Every method trains on every table, once here and once per other place: a process whose kernels are
compiled for a plain processor and whose BLAS is an older one's, and any other Python that is named
(`--python`: another version of the libraries, another system, another kind of processor in an
emulator). Tables are those named, or, if none is, two that are made up and the yeast sample.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from pandas import DataFrame

from benchmarks.processes import Processes, fresh_processes
from benchmarks.timing import show_table
from benchmarks.trainings import groups
from ximstudio.measure.catalogue import measure_named
from ximstudio.measure.evidence import MapEvidence
from ximstudio.model.arrays import Floats
from ximstudio.reproduce import prepare, read, train
from ximstudio.reproduce.ticks import AS_GOOD, ROUNDING, Verdict
from ximstudio.train import METHODS, Method

SEED = 5
PLAIN = {"NUMBA_CPU_NAME": "x86-64", "NUMBA_CPU_FEATURES": "", "OPENBLAS_CORETYPE": "Prescott"}


@dataclass(frozen=True, kw_only=True, eq=False)
class Found:
    """Where a map has its items, and what its measures are."""

    positions: Floats
    measures: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class Difference:
    """Between the same map here and elsewhere: of places, as a share of its side; of measures."""

    places: float
    measures: Mapping[str, float]

    @property
    def verdict(self) -> Verdict:
        """What `ximstudio verify` would say."""
        if self.places == 0.0:
            return Verdict.SAME
        if self.places <= ROUNDING:
            return Verdict.ROUNDED
        good = all(self.measures[key] <= allowed for key, allowed in AS_GOOD.items())
        return Verdict.AS_GOOD if good else Verdict.DIFFERENT

    @classmethod
    def between(cls, here: Found, there: Found) -> Difference:
        side = float(np.ptp(here.positions, axis=0).max())
        apart = np.linalg.norm(there.positions - here.positions, axis=1).max()
        return cls(
            places=float(apart) / side,
            measures={key: abs(there.measures[key] - here.measures[key]) for key in AS_GOOD},
        )


# In every place -----------------------------------------------------------------------------------


def ways() -> Iterator[tuple[str, Method, dict[str, Any]]]:
    """Every method that is installed here, and in epochs if it can."""
    for method in METHODS:
        if method.package is not None and find_spec(method.package.module) is None:
            continue
        yield method.name, method, {}
        if "algorithm" in method.params.specs():
            yield f"{method.name} in epochs", method, {"algorithm": "batch"}


def make(tables: Sequence[str]) -> None:
    """Train all maps of all tables, and print each as a line of JSON."""
    for table in tables:
        opened = prepare(read(table))
        for name, method, settings in ways():
            made = train(opened, method.key, seed=SEED, **settings)
            evidence = MapEvidence(matrix=made.matrix, result=made.result)
            found = {key: measure_named(key).of(evidence) for key in AS_GOOD}
            measures = {key: np.nan if each is None else each.value for key, each in found.items()}
            positions = made.result.positions.tolist()
            print(json.dumps([Path(table).name, name, positions, measures]), flush=True)


# Here ---------------------------------------------------------------------------------------------


def maps_by(
    processes: Processes, tables: Sequence[str], python: str, **settings: str
) -> dict[tuple[str, str], Found]:
    """All maps that a Python makes of all tables; table and way → map."""
    made = processes.run("-m", "benchmarks.elsewhere", "--make", *tables, python=python, **settings)
    lines = (json.loads(line) for line in made.stdout.splitlines() if line.startswith("["))
    return {
        (table, way): Found(positions=np.array(positions), measures=measures)
        for table, way, positions, measures in lines
    }


def made_up(folder: Path) -> Iterator[str]:
    """Tables with and without blanks."""
    for number, blanks in enumerate((0.0, 0.05), 1):
        matrix = groups(200 + number, 20, blanks=blanks)
        path = folder / f"made-up-{number}.csv"
        DataFrame(matrix.values, matrix.item_ids, matrix.feature_names).to_csv(path)
        yield str(path)


def rows(
    place: str, here: Mapping[tuple[str, str], Found], there: Mapping[tuple[str, str], Found]
) -> Iterator[tuple[str, ...]]:
    """A row for every way: the largest differences over all tables, and all verdicts."""
    for way in dict.fromkeys(way for _, way in there):
        differences = [
            Difference.between(here[table, other], found)
            for (table, other), found in there.items()
            if other == way
        ]
        largest = [max(each.measures[key] for each in differences) for key in AS_GOOD]
        verdicts = [each.verdict for each in differences]
        told = ", ".join(f"{verdicts.count(each)} {each}" for each in Verdict if each in verdicts)
        places = max(each.places for each in differences)
        yield way, place, f"{places:.1e}", *(f"{value:.4f}" for value in largest), told


def main(arguments: Sequence[str] = ()) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.elsewhere")
    parser.add_argument("tables", nargs="*")
    parser.add_argument("--python", action="append", default=[])
    parser.add_argument("--make", action="store_true")
    options = parser.parse_args(arguments)
    if options.make:
        make(options.tables)
        return
    with fresh_processes() as processes:
        tables = [str(Path(name).absolute()) for name in options.tables]
        tables = tables or ["sample:yeast", *made_up(processes.folder)]
        here = maps_by(processes, tables, sys.executable)
        found = [
            *rows("plain processor", here, maps_by(processes, tables, sys.executable, **PLAIN))
        ]
        for python in options.python:
            found += rows(Path(python).name, here, maps_by(processes, tables, python))
    headings = ("method", "elsewhere", "places", *AS_GOOD, "verdicts")
    show_table("Maps made elsewhere", headings, found)


if __name__ == "__main__":
    main(sys.argv[1:])
