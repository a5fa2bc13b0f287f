"""Features replaced by their principal components."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.kernels.parallel import one_thread
from ximstudio.model.arrays import Floats
from ximstudio.model.params import Params
from ximstudio.model.problem import Severity, UserError
from ximstudio.model.spec import Number, param
from ximstudio.model.table import FEATURES, ITEMS, Axis, Table
from ximstudio.prepare import summaries
from ximstudio.prepare.cells import refuse_blanks, refuse_infinite
from ximstudio.prepare.removal import note
from ximstudio.prepare.step import Applied, Course, Group, Remembered, Step

if TYPE_CHECKING:
    from ximstudio.model.table import Values

SMALL = 3000
"""Up to this many items or features all eigenvectors are cheap; beyond, only those wanted."""


@dataclass(frozen=True, kw_only=True)
class PcaParams(Params):
    """How many components."""

    n: int = param(
        10,
        Number(
            label="Components",
            help="How many features there are afterwards.",
            low=1,
            high=10_000,
            whole=True,
        ),
    )


def _refuse_holes(table: Table) -> None:
    refuse_infinite(table)
    refuse_blanks(table, "Put the step 'impute' before this one, or remove what has blanks.")


def _learn(table: Table, params: PcaParams, course: Course) -> Remembered:
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
            what=f"{table.n_items} items and {table.n_features} features have no {params.n}"
            " components.",
            where=f"{table.source}, parameter 'n'",
            way_out=f"Ask for {most} at the most." if most else "Take this step out.",
        )
    centre = summaries.means(table, FEATURES)
    with one_thread():
        squares, directions = _leading(table.values, centre, params.n)
    total = float(summaries.variances(table, FEATURES).sum()) * (table.n_items - 1)
    # Directions of no variance are rounding, and mean nothing.
    real = squares > 1e-12 * max(total, np.finfo(float).tiny)
    directions = np.where(real[:, None], directions, 0.0)
    largest = directions[np.arange(len(directions)), np.argmax(np.abs(directions), axis=1)]
    directions *= np.where(largest < 0, -1.0, 1.0)[:, None]
    shares = np.where(real, squares / total, 0.0) if total > 0 else np.zeros(params.n)
    return {"centre": centre, "directions": directions, "shares": shares}


def _leading(values: Values, centre: Floats, n: int) -> tuple[Floats, Floats]:
    """The largest eigenvalues of the scatter matrix in falling order, and unit eigenvectors."""
    n_items, n_features = values.shape
    if min(n_items, n_features) > SMALL:
        return _leading_few(values, centre, n)
    moved = values - centre if isinstance(values, np.ndarray) else None
    if n_features <= n_items:
        scatter = moved.T @ moved if moved is not None else _sparse_scatter(values, centre)
        squares, vectors = np.linalg.eigh(scatter)
        directions = vectors[:, ::-1][:, :n].T
    else:
        scatter = moved @ moved.T if moved is not None else _sparse_products(values, centre)
        squares, vectors = np.linalg.eigh(scatter)
        chosen = vectors[:, ::-1][:, :n]
        if moved is not None:
            directions = (moved.T @ chosen).T
        else:
            directions = np.asarray(values.T @ chosen - np.outer(centre, chosen.sum(axis=0))).T
        lengths = np.linalg.norm(directions, axis=1, keepdims=True)
        directions = directions / np.where(lengths > 0, lengths, 1.0)
    return np.maximum(squares[::-1][:n], 0.0), np.array(directions)


def _sparse_scatter(values: Values, centre: Floats) -> Floats:
    """(X − c)ᵀ(X − c), without writing X − c out."""
    product = (values.T @ values).toarray()  # type: ignore[union-attr]
    found: Floats = product - values.shape[0] * np.outer(centre, centre)
    return found


def _sparse_products(values: Values, centre: Floats) -> Floats:
    """(X − c)(X − c)ᵀ, without writing X − c out."""
    product = (values @ values.T).toarray()  # type: ignore[union-attr]
    along = np.asarray(values @ centre)
    found: Floats = product - along[:, None] - along[None, :] + centre @ centre
    return found


def _leading_few(values: Values, centre: Floats, n: int) -> tuple[Floats, Floats]:
    """The same for tables that are large both ways."""
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
    # Seeded, so that bits repeat.
    begin = np.random.default_rng(0).normal(size=min(values.shape))
    _, lengths, vectors = svds(moved, k=n, v0=begin, tol=1e-8)
    order = np.argsort(-lengths)
    return np.asarray(lengths[order] ** 2), np.array(vectors[order])


def _apply(table: Table, params: PcaParams, learnt: Remembered, course: Course) -> Applied:  # noqa: ARG001
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
    )
    told = note(
        "components",
        f"{table.n_features} features became {len(directions)} components, with"
        f" {float(shares.sum()):.1%} of the variance.",
        table.source,
    )
    return Applied(
        table=replace(table, values=positions, features=features),
        notes=(replace(told, severity=Severity.NOTE),),
    )


PCA = Step(
    key="pca",
    name="Principal components",
    group=Group.WEIGHTS,
    about="Replaces the features by the directions along which the items differ most."
    " Needs complete data.",
    params=PcaParams,
    sentence=lambda p: f"Replace the features by the first {p.n} principal components.",
    learn=_learn,
    apply=_apply,
)
