"""The guide lists every check as it is, and what it shows works."""

from __future__ import annotations

import re
from pathlib import Path

from ximstudio.doctor import CHECKS
from ximstudio.model.table import Table

GUIDE = Path(__file__).parent.parent.parent / "docs" / "guide" / "doctor.md"


def test_that_the_guide_lists_every_check_as_it_is() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    rows = text.split("| finding | key |")[1].split("\n\n")[0].splitlines()[2:]
    assert rows == [f"| {check.name} | `{check.key}` | {check.about} |" for check in CHECKS]


def test_that_the_guides_example_runs() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, object] = {}
    exec(example, names)
    repaired = names["repaired"]
    assert isinstance(repaired, Table)
    assert repaired.items.names == ("TP53", "BRCA1", "EGFR", "SEPTIN2", "MYC")
