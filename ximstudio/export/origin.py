"""Origin of the tables of a session, written beside them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ximstudio.export.places import named, without_places
from ximstudio.session import Run, Session
from ximstudio.train.record import run_record


def origin_record(run: Run) -> dict[str, Any]:
    """Record that reproduces the map of a run: data, recipe, method, seed, versions, hashes.

    Without a date, so that equal content gives equal files, and without folders, because tables go
    to co-authors and journals, as figures do.
    """
    matrix = run.matrix
    data = {
        "source": matrix.source,
        "items": matrix.n_items,
        "features": matrix.n_features,
        "missing_values": matrix.n_missing,
        "fingerprint": matrix.fingerprint,
        "input": run.input.as_values(),
    }
    full = run_record(run.result, data, start=None, made_with=run.made_with)
    record = {"run": run.name, **without_places(full)}
    if run.clustering is not None:
        record["clusters"] = {
            "method": run.clustering.method,
            "parameters": run.clustering.params.as_values(),
            "seed": run.clustering.seed,
        }
    return record


def origin_rows(session: Session) -> tuple[tuple[str, str], ...]:
    """Origin as names and texts for display; without a map, what is known about the table."""
    run = session.run
    if run is not None:
        return tuple(_rows(origin_record(run)))
    matrix = session.matrix
    if matrix is None:
        return ()
    data = {"source": named(matrix.source), "fingerprint": matrix.fingerprint}
    return tuple(_rows({"data": data}))


def _rows(record: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for name, value in record.items():
        called = f"{before}{name}"
        if isinstance(value, Mapping):
            yield from _rows(value, f"{called}.")
        elif value not in (None, "", [], ()):
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            yield called, text
