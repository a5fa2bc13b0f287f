"""prototypes.csv of an earlier run → a start for the next."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ximstudio.load.table import Roles, matrix_from
from ximstudio.load.text import read_text_table
from ximstudio.model.arrays import Floats
from ximstudio.model.problem import UserError

PLACES = ("row", "column", "x", "y")


def load_prototypes(path: Path, feature_names: Sequence[str]) -> Floats:
    """Prototypes (M, D) in the order of the file, features in the order given."""
    table = matrix_from(
        read_text_table(path, str(path)),
        Roles(id="node", labels=PLACES),
    )
    columns = {name: number for number, name in enumerate(table.feature_names)}
    absent = [name for name in feature_names if name not in columns]
    if absent:
        raise UserError(
            key="load.start_features",
            what=f"{len(absent)} feature(s) of the data are not in the start prototypes.",
            where=f"{path}: {', '.join(absent[:5])}",
            way_out="Start from prototypes.csv of a run on data with the same features.",
        )
    return np.asarray(table.values[:, [columns[name] for name in feature_names]])
