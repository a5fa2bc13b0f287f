from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ximstudio.load.prototypes import load_prototypes
from ximstudio.model import Grid, UserError

HEADER = "node,row,column,x,y,a,b\n"
ROWS = "1,0,1,1,0,3,4\n0,0,0,0,0,1,2\n"


def written(folder: Path, text: str) -> Path:
    path = folder / "prototypes.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_that_prototypes_come_in_the_order_of_nodes_and_features(tmp_path: Path) -> None:
    path = written(tmp_path, HEADER + ROWS)
    found = load_prototypes(path, ["b", "a"], Grid(1, 2))
    np.testing.assert_array_equal(found, [[2.0, 1.0], [4.0, 3.0]])


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (HEADER, "load.not_prototypes"),
        ("id,x,y\na,1,2\nb,1,2\n", "load.not_prototypes"),
        (HEADER + "0,0,0,0,0,1,2\n3,0,1,1,0,3,4\n", "load.not_prototypes"),
        (HEADER + "0,0,0,0,0,1,two\n1,0,1,1,0,3,4\n", "load.not_prototypes"),
        (HEADER + "0,0,0,0,0,1,2\n", "load.start_shape"),
        (HEADER.replace("b", "c") + ROWS, "load.start_features"),
    ],
)
def test_that_other_tables_are_refused(tmp_path: Path, text: str, key: str) -> None:
    with pytest.raises(UserError) as refused:
        load_prototypes(written(tmp_path, text), ["a", "b"], Grid(1, 2))
    assert refused.value.keys == (key,)
