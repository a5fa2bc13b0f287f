"""Give existing maps the labels of files that were joined to their table later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ximstudio.load import Report, silent
from ximstudio.maps.label_kinds import default_class_label
from ximstudio.measure.catalogue import MEASURES
from ximstudio.model.matrix import Matrix
from ximstudio.model.metric import in_metric
from ximstudio.model.parent import Parent
from ximstudio.model.problem import UserError
from ximstudio.model.result import Result
from ximstudio.prepare.input import Input, Joining
from ximstudio.session.data import Data
from ximstudio.session.run import Run
from ximstudio.session.session import Session
from ximstudio.train.method import TrainingJob


@dataclass(frozen=True, kw_only=True, eq=False)
class Relabelled:
    """A map as if the labels had been there when it was trained: the positions stay.

    Parameters
    ----------
    result
        The map, with the new fingerprint of its data.
    matrix, input
        The matrix with all labels, and how to read it again.
    """

    result: Result
    matrix: Matrix
    input: Input


def relabelled(
    runs: Sequence[Run], data: Data, report: Report = silent
) -> Mapping[Result, Relabelled]:
    """Compute the relabelled maps, by their results, for a table with the labels of `data`.

    Left out are runs whose table can no longer be read with the same values.
    """
    found: dict[Result, Relabelled] = {}
    parents: dict[tuple[str, str], tuple[str, str]] = {}
    matrices: dict[tuple[str, int], Matrix | None] = {}
    for number, run in enumerate(runs):
        report(number / len(runs))
        wanted = with_joinings(run.input, data.input)
        matrix = run.matrix
        if wanted != run.input:
            # Equal tables stay one object, so that their runs compare without comparing values.
            key = (repr(wanted.as_values()), id(run.matrix))
            if key not in matrices:
                matrices[key] = _matrix_again(wanted, run.matrix, data)
            matrix = matrices[key] or run.matrix
        result = _result_of(run, matrix, parents)
        if result is not run.result:
            given = wanted if matrix is not run.matrix else run.input
            found[run.result] = Relabelled(result=result, matrix=matrix, input=given)
            before = run.result.hash, run.result.data_fingerprint
            parents[before] = result.hash, result.data_fingerprint
    return found


def with_labels(session: Session, found: Mapping[Result, Relabelled]) -> Session:
    """Return the session with the relabelled maps."""
    if not found:
        return session
    judged = session.judged
    if judged is not None:
        results = tuple(
            (found[result].result if result in found else result, number)
            for result, number in judged.results
        )
        judged = replace(judged, results=results)
    runs = tuple(
        run if run.result not in found else _with(run, found[run.result]) for run in session.runs
    )
    return replace(session, runs=runs, judged=judged)


def with_joinings(own: Input, present: Input) -> Input:
    """Return an input of the same table with the files that the present one has joined."""
    names = {joining.name for joining in own.joinings}
    turned = own.choices.items != present.choices.items
    added = tuple(
        _turned(each) if turned else each for each in present.joinings if each.name not in names
    )
    return replace(own, joinings=(*own.joinings, *added))


def _turned(joining: Joining) -> Joining:
    """Return the joining for a table whose rows and columns are read the other way round."""
    sides = {"items": "features", "features": "items"}
    return replace(joining, side=sides.get(joining.side or "", joining.side))


def _matrix_again(wanted: Input, before: Matrix, data: Data) -> Matrix | None:
    """Read the same values with labels; None if that is impossible."""
    try:
        if wanted.choices == data.input.choices:
            labelled = wanted.labelled(data.labelled.reading)
        else:
            labelled = wanted.read()
        matrix = wanted.prepare(labelled).matrix
    except UserError:
        # The table of the run no longer exists; the run keeps what it has.
        return None
    if matrix.item_ids != before.item_ids:
        rows = {name: row for row, name in enumerate(matrix.item_ids)}
        if not all(name in rows for name in before.item_ids):
            return None
        matrix = matrix.items([rows[name] for name in before.item_ids])
    same = matrix.feature_names == before.feature_names and np.array_equal(
        matrix.values, before.values, equal_nan=True
    )
    return matrix if same else None


def _result_of(
    run: Run, matrix: Matrix, parents: Mapping[tuple[str, str], tuple[str, str]]
) -> Result:
    """Return the result for this matrix, with the new names of its ancestors."""
    result, parent = run.result, run.result.parent
    if parent is not None:
        result_hash, fingerprint = parent.result_hash, parent.data_fingerprint
        now = parents.get((result_hash, fingerprint))
        if now is not None:
            renamed: Parent = replace(parent, result_hash=now[0], data_fingerprint=now[1])
            result = replace(result, parent=renamed)
    if matrix is run.matrix:
        return result
    resume = result.resume
    if resume is not None:
        job = TrainingJob(
            matrix=in_metric(matrix, result.params),
            method=result.method,
            params=result.params,
            seed=result.seed,
        )
        resume = replace(resume, origin=job.origin)
    return replace(result, data_fingerprint=matrix.fingerprint, resume=resume)


def _with(run: Run, found: Relabelled) -> Run:
    label = default_class_label(found.matrix, run.old_label)
    same = label == default_class_label(run.matrix, run.old_label)
    of_labels = {measure.key for measure in MEASURES if measure.of_labels}
    measures = {key: value for key, value in run.measures.items() if same or key not in of_labels}
    return replace(
        run,
        result=found.result,
        matrix=found.matrix,
        input=found.input,
        measures=measures,
        evidence=None,
    )
