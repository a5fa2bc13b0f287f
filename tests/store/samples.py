"""Makes the sample of the present schema: once for every schema, and never again.

`python -m tests.store.samples` writes tests/data/sessions/schema_N.xims, what is in it, and how the
schema is made up. A sample that is there is left alone: it tells whether files of that time open.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.store.sessions import full
from ximstudio.session import Session
from ximstudio.store import write_session
from ximstudio.store.schema import SCHEMA, described

FOLDER = Path(__file__).parent.parent / "data" / "sessions"


def contents(session: Session) -> dict[str, Any]:
    """What a sample is known by."""
    assert session.data is not None
    assert session.data.matrix is not None
    return {
        "fingerprint": session.data.matrix.fingerprint,
        "hashes": {run.key: run.result.hash for run in session.runs},
        "clusters": {
            run.key: [run.clustering.method, *run.clustering.clusters.tolist()]
            for run in session.runs
            if run.clustering is not None
        },
        "made with": {
            run.key: run.made_with.as_values() for run in session.runs if run.made_with is not None
        },
        "new items": {
            run.key: [len(projected) for projected in run.projected] for run in session.runs
        },
        "plan": {key: params.as_values() for key, params in session.plan.parameters.items()},
        "selection": sorted(session.selection.ids),
        "sets": {each.name: list(each.members) for each in session.sets},
        "colours of sets": {each.name: each.colour for each in session.sets},
        "compared": list(session.compared),
        "findings": [finding.key for finding in session.data.findings],
        "recipe": session.data.input.recipe.as_values(),
    }


def main() -> None:
    """Write what is not there."""
    sample = FOLDER / f"schema_{SCHEMA}.xims"
    if sample.exists():
        raise SystemExit(f"{sample} is there: a schema has one sample for ever.")
    FOLDER.mkdir(exist_ok=True)
    write_session(sample, full(), views={"panes": ["map", "positions"]})
    told = json.dumps(contents(full()), indent=1, ensure_ascii=False) + "\n"
    sample.with_suffix(".json").write_text(told, encoding="utf-8")
    sample.with_suffix(".txt").write_text(described(), encoding="utf-8")


if __name__ == "__main__":
    main()
