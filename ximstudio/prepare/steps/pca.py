"""Replacement of features by their principal components."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.kernels.parallel import one_thread
from ximstudio.model.arrays import Floats
from ximstudio.model.params import Params
from ximstudio.model.problem import Severity, UserError
from ximstudio.model.spec import Number, param
from ximstudio.model.table import FEATURES, ITEMS, Axis, Table
from ximstudio.model.words import counted, grouped, plural
from ximstudio.prepare import summaries
from ximstudio.prepare.cells import refuse_blanks, refuse_infinite
from ximstudio.prepare.dense import each_value
from ximstudio.prepare.removal import note
from ximstudio.prepare.step import Course, Remembered, Step, StepGroup, StepResult, other

if TYPE_CHECKING:
    from ximstudio.model.table import Values

SMALL = 3000
"""Number of items or features up to which all eigenvectors are cheap; beyond, only those wanted."""

LARGE = 2.0**300
"""Numbers up to this, and down to its inverse, can be squared and summed safely."""

BLOCK = 2**24
"""Number of values centred together: enough for linear algebra, with little memory."""


@dataclass(frozen=True, kw_only=True)
class PcaStepParams(Params):
    """Number of components."""

    n: int = param(
        10,
        Number(
            label="Components",
            help="Number of features afterwards.",
            low=1,
            high=10_000,
            whole=True,
        ),
    )


def _refuse_holes(table: Table) -> None:
    refuse_infinite(table)
    refuse_blanks(table, "Put the step 'impute' before this one, or remove what has blanks.")


def _learn(table: Table, params: PcaStepParams, course: Course) -> Remembered:
    if course.grows != ITEMS:
        raise UserError(
            key="prepare.exchange_first",
            what="Items and features are exchanged after the components were taken.",
            where=table.source,
            way_out="Move the step 'orientation' before this one.",
        )
    _refuse_holes(table)
    most = min(table.n_items - 1, table.n_features)
    if params.n > most:
        raise UserError(
            key="prepare.too_many_components",
            what=f"{counted(table.n_items, 'item')} and {counted(table.n_features, 'feature')} have"
            f" no {counted(params.n, 'component')}.",
            where=f"{table.source}, parameter 'n'",
            fields=("n",),
            way_out=f"Ask for {most} at the most." if most else "Take this step out.",
        )
    small, exponent = _in_range(table)
    centre = summaries.means(small, FEATURES)
    total = float(summaries.variances(small, FEATURES).sum()) * (table.n_items - 1)
    directions, shares = np.zeros((params.n, table.n_features)), np.zeros(params.n)
    if total > 0:
        squares, vectors = _leading(small, centre, params.n, course)
        # Directions without variance are rounding errors.
        real = squares > 1e-12 * total
        directions[real], shares[real] = vectors[real], squares[real] / total
    largest = directions[np.arange(params.n), np.argmax(np.abs(directions), axis=1)]
    directions *= np.where(largest < 0, -1.0, 1.0)[:, None]
    return {"centre": np.ldexp(centre, exponent), "directions": directions, "shares": shares}


def _in_range(table: Table) -> tuple[Table, int]:
    """Return the table divided by a power of 2 if its squares could overflow, and the power."""
    largest = max(float(table.stored.max(initial=0.0)), -float(table.stored.min(initial=0.0)))
    if 1 / LARGE < largest < LARGE:
        return table, 0
    exponent = int(np.frexp(largest)[1])
    return each_value(table, lambda values: np.ldexp(values, -exponent)), exponent


def _leading(table: Table, centre: Floats, n: int, course: Course) -> tuple[Floats, Floats]:
    """Return the largest eigenvalues of the scatter matrix in falling order, and eigenvectors."""
    from scipy.sparse.linalg import ArpackError

    fewest = min(table.n_items, table.n_features)
    try:
        with one_thread():
            # For half of the eigenvectors or more, all cost the same.
            if fewest > SMALL and 2 * n < fewest:
                return _leading_few(table.values, centre, n)
            if table.n_features <= table.n_items:
                return _leading_of_features(table, centre, n, course)
            return _leading_of_items(table, centre, n, course)
    except (np.linalg.LinAlgError, ArpackError) as error:
        raise UserError(
            key="prepare.no_components",
            what=f"The components were not found: {error}.",
            where=table.source,
            way_out="Look for values far out of the usual, or ask for fewer components.",
        ) from None


def _moved(table: Table, side: str, centre: Floats) -> Iterator[tuple[slice, Floats]]:
    """Yield some items, or features, at a time, with the centre subtracted before squaring."""
    for part, block in summaries.blocks(table, side, BLOCK):
        yield part, block - (centre if side == ITEMS else centre[part, None])


def _scatter(table: Table, side: str, centre: Floats, course: Course) -> Floats:
    """Return products of all pairs along the other side, summed over this one."""
    n = len(table.axis(other(side)))
    found = np.zeros((n, n))
    for part, block in _moved(table, side, centre):
        found += block.T @ block
        course.report(part.stop / len(table.axis(side)))
    return found


def _leading_of_features(
    table: Table, centre: Floats, n: int, course: Course
) -> tuple[Floats, Floats]:
    """Solve tables with no more features than items."""
    squares, vectors = np.linalg.eigh(_scatter(table, ITEMS, centre, course))
    return squares[::-1][:n], vectors[:, ::-1][:, :n].T


def _leading_of_items(
    table: Table, centre: Floats, n: int, course: Course
) -> tuple[Floats, Floats]:
    """Solve tables with fewer items than features: their products have the same eigenvalues."""
    squares, vectors = np.linalg.eigh(_scatter(table, FEATURES, centre, course))
    chosen = vectors[:, ::-1][:, :n]
    directions = np.empty((n, table.n_features))
    for part, block in _moved(table, FEATURES, centre):
        directions[:, part] = (block @ chosen).T
    lengths = np.linalg.norm(directions, axis=1, keepdims=True)
    return squares[::-1][:n], directions / np.where(lengths > 0, lengths, 1.0)


def _leading_few(values: Values, centre: Floats, n: int) -> tuple[Floats, Floats]:
    """Solve tables that are large both ways."""
    from scipy.sparse.linalg import LinearOperator, svds

    def along(vectors: Floats) -> Floats:
        return np.asarray(values @ vectors - centre @ vectors, np.float64)

    def back(vectors: Floats) -> Floats:
        mean = np.multiply.outer(centre, vectors.sum(axis=0))
        return np.asarray(values.T @ vectors - mean, np.float64)

    moved = LinearOperator(
        shape=values.shape,
        dtype=np.float64,
        matvec=along,
        rmatvec=back,
        matmat=along,
        rmatmat=back,
    )
    # Seeded, so that results repeat bit by bit.
    begin = np.random.default_rng(0).normal(size=min(values.shape))
    _, lengths, vectors = svds(moved, k=n, v0=begin, tol=1e-8)
    order = np.argsort(-lengths)
    return np.asarray(lengths[order] ** 2), np.array(vectors[order])


def _apply(table: Table, params: PcaStepParams, learnt: Remembered, course: Course) -> StepResult:  # noqa: ARG001
    _refuse_holes(table)
    centre, directions = learnt["centre"], learnt["directions"]
    with one_thread():
        if isinstance(table.values, np.ndarray):
            positions = (table.values - centre) @ directions.T
        else:
            positions = np.asarray(table.values @ directions.T) - centre @ directions.T
    shares = learnt["shares"]
    features = Axis(
        names=tuple(f"PC {number}" for number in range(1, len(directions) + 1)),
        labels={"share of variance": tuple(f"{share:.4g}" for share in shares)},
        side=table.features.side,
        kind="component",
    )
    message = note(
        "components",
        f"{counted(table.n_features, 'feature')} became {counted(len(directions), 'component')},"
        f" with {float(shares.sum()):.1%} of the variance.",
        table.source,
    )
    return StepResult(
        table=replace(table, values=positions, features=features),
        notes=(replace(message, severity=Severity.NOTE),),
    )


def _components(n: int) -> str:
    return plural(n, "principal component", f"{grouped(n)} principal components")


PCA = Step(
    key="pca",
    name="Principal components",
    group=StepGroup.WEIGHTS,
    about="Replaces the features by the directions along which the items differ most."
    " Needs complete data.",
    params=PcaStepParams,
    sentence=lambda p, _: f"Replace the features by the first {_components(p.n)}.",
    learn=_learn,
    apply=_apply,
    values="score",
)
