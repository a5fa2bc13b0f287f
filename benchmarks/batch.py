"""One epoch of batch c-XIM | batch SOM epochs of somoclu, MiniSom, XPySom, IntraSOM; whole maps.

Peers are called the way their users call them, for as few epochs as they allow, on the same table
in float64. The limits are float32 matrix products of the same size, by the same blocks on the same
threads. Contestants whose package is not installed are left out.
"""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec

import numpy as np

from benchmarks.memory import taken_by
from benchmarks.processes import fresh_processes
from benchmarks.timing import Contestant, Row, duration, interleaved, show, show_table
from benchmarks.trainings import SEED, groups
from ximstudio.kernels.layout import aligned
from ximstudio.kernels.parallel import one_thread, over_blocks
from ximstudio.measure.neighbourhoods import trustworthiness
from ximstudio.measure.ranks import neighbour_ranks
from ximstudio.model.arrays import Floats, Floats32
from ximstudio.model.matrix import Matrix
from ximstudio.train import TrainingJob, method_named, train
from ximstudio.train.batch import Epochs
from ximstudio.train.batch_items import ITEMS_AT_ONCE
from ximstudio.train.batch_params import BatchParams
from ximstudio.train.online import Learning
from ximstudio.train.space import training_space
from ximstudio.train.start import start_prototypes
from ximstudio.train.xim_family import XimParams, learning

ROUNDS = 5
SHAPE = (30, 30)
N_FEATURES = 50
MIDDLE = 25
"""The epoch that is timed, of 50: neither the widest nor the narrowest."""
EPOCHS, PEER_EPOCHS = 4, 2
"""In a row, as they are trained: the first after other work finds its tables in no cache."""
MAP_SHAPE, MAP_EPOCHS = (40, 40), 30
NEIGHBOURS = 15


def epoch_of(key: str, matrix: Matrix, **settings: float) -> tuple[Contestant, Epochs, Floats32]:
    """One epoch as the driver runs it, presenting all items; and what it is made of."""
    method = method_named(key)
    shared = {"shape": SHAPE, "algorithm": "batch", "first_share": 1.0, "n_epochs": 2 * MIDDLE}
    params = method.params.from_values(shared | settings)
    assert isinstance(params, BatchParams)
    space = training_space(matrix, steps=0.0, turn=False)
    learnt = Learning(map_kernel="gaussian")
    if isinstance(params, XimParams):
        learnt = learning(space, params, map_kernel="cauchy")
    epochs = Epochs(TrainingJob(matrix=matrix, method=key, params=params), space, learnt)
    start = start_prototypes(matrix, params.grid, start="pca", seed=SEED)
    prototypes = space.enter(start).coordinates.astype(np.float32)

    def run() -> None:
        for _ in range(EPOCHS):
            with one_thread():
                epochs.after(MIDDLE, prototypes)

    return Contestant(name=f"{method.name} epoch", run=run, amount=EPOCHS), epochs, prototypes


def products(epochs: Epochs, prototypes: Floats32, times: int) -> Contestant:
    """Float32 products N·M·D, as many as the epoch cannot do without."""
    rows, factor = epochs.items.rows, epochs.items.measuring(prototypes)
    rooms = [(aligned(len(factor), ITEMS_AT_ONCE), aligned(*factor.shape)) for _ in range(16)]

    def multiply(begin: int, end: int) -> None:
        # Whoever comes takes what was put back last, and is still in the cache.
        room, back = rooms.pop()
        for first in range(begin, end, ITEMS_AT_ONCE):
            block = rows[first : min(first + ITEMS_AT_ONCE, end)]
            scores = room.ravel()[: len(factor) * len(block)].reshape(len(factor), len(block))
            np.matmul(factor, block.T, out=scores)
            if times == 2:
                np.matmul(scores, block, out=back)
        rooms.append((room, back))

    def run() -> None:
        for _ in range(EPOCHS):
            over_blocks(len(rows), -(-len(rows) // 16), multiply)

    name = f"{times} product{'s' if times > 1 else ''} N·M·D"
    return Contestant(name=name, run=run, amount=EPOCHS)


# Peers --------------------------------------------------------------------------------------------


def peers(values: Floats) -> Iterator[tuple[Contestant, float]]:
    """Batch SOM epochs of others that are installed, and how many times faster we must be."""
    makers: tuple[tuple[str, Callable[[Floats], Contestant], float], ...] = (
        ("_somoclu_wrap", somoclu, 10.0),
        ("minisom", minisom, 12.0),
        ("xpysom", xpysom, 4.0),
        ("intrasom", intrasom, 4.0),
        ("torchsom", torchsom, 1.0),
    )
    for module, make, at_least in makers:
        if find_spec(module) is None:
            print(f"{make.__name__} is left out: it is not installed, or was not compiled.")
        else:
            yield make(values), at_least


def somoclu(values: Floats) -> Contestant:
    """`Somoclu.train`, compiled natively, on as many threads as OpenMP takes; float32 only."""
    from somoclu import Somoclu

    single = np.ascontiguousarray(values, dtype=np.float32)

    som = Somoclu(SHAPE[1], SHAPE[0], compactsupport=False)

    def run() -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            som.train(single, epochs=PEER_EPOCHS)

    return Contestant(name="somoclu epoch", run=run, amount=PEER_EPOCHS)


def minisom(values: Floats) -> Contestant:
    """`MiniSom.train_batch_offline`, one iteration."""
    from minisom import MiniSom

    som = MiniSom(*SHAPE, values.shape[1], sigma=0.1 * max(SHAPE), random_seed=SEED)
    return Contestant(name="MiniSom epoch", run=lambda: som.train_batch_offline(values, 1))


def xpysom(values: Floats) -> Contestant:
    """`XPySom.train` with numpy."""
    from xpysom import XPySom

    som = XPySom(*SHAPE, values.shape[1], random_seed=SEED, xp=np)
    return Contestant(
        name="XPySom epoch", run=lambda: som.train(values, PEER_EPOCHS), amount=PEER_EPOCHS
    )


def intrasom(values: Floats) -> Contestant:
    """IntraSOM's training of a flat map, its fine-tuning epochs only."""
    import intrasom as package

    # It writes what it was told into the folder it is called from.
    place = tempfile.mkdtemp()
    with contextlib.chdir(place), contextlib.redirect_stdout(io.StringIO()):
        som = package.SOMFactory.build(values, mapsize=SHAPE, mapshape="planar", lattice="rect")

    def run() -> None:
        quiet = io.StringIO()
        with (
            contextlib.chdir(place),
            contextlib.redirect_stdout(quiet),
            contextlib.redirect_stderr(quiet),
        ):
            som.train(
                save=False,
                summary=False,
                train_rough_len=1,
                train_rough_radiusin=3,
                train_rough_radiusfin=3,
                train_finetune_len=1,
                train_finetune_radiusin=3,
                train_finetune_radiusfin=3,
            )

    return Contestant(name="IntraSOM epoch", run=run, amount=2)


def torchsom(values: Floats) -> Contestant:
    """`torchsom.SOM.fit` on the processor, a thousand items at a time; float32 only."""
    import torch
    from torchsom import SOM

    data = torch.from_numpy(np.ascontiguousarray(values, dtype=np.float32))
    som = SOM(
        *SHAPE,
        values.shape[1],
        epochs=PEER_EPOCHS,
        batch_size=1000,
        sigma=0.1 * max(SHAPE),
        random_seed=SEED,
    )
    return Contestant(
        name="torchsom epoch", run=lambda: som.fit(data, verbose=False), amount=PEER_EPOCHS
    )


# Tables -------------------------------------------------------------------------------------------


def epoch_rows(n_items: int) -> list[Row]:
    """One size of table against peers and limits.

    Twice: with items that take turns to repel, as they do unless somebody requests otherwise, and
    with all of them in every epoch, which needs two products N·M·D.
    """
    matrix = groups(n_items, N_FEATURES)
    xim, _, _ = epoch_of("c-xim", matrix)
    exact, epochs, prototypes = epoch_of("c-xim", matrix, repelling_share=1.0)
    som, _, _ = epoch_of("som", matrix)
    others = list(peers(matrix.values))
    one, two = (products(epochs, prototypes, times) for times in (1, 2))
    ours, by_all, classic, single, double, *theirs = interleaved(
        xim, exact, som, one, two, *(contestant for contestant, _ in others), rounds=ROUNDS
    )
    work = f"{n_items} × {N_FEATURES}, {SHAPE[0]}×{SHAPE[1]}"
    return [
        Row(work=f"c-XIM epoch, {work}", ours=ours, theirs=double, at_most=2),
        Row(work=f"〃, all repel, {work}", ours=by_all, theirs=double, at_most=2),
        Row(work=f"SOM epoch, {work}", ours=classic, theirs=single, at_most=2),
        *(
            Row(work=f"c-XIM epoch, {work}", ours=ours, theirs=peer, at_least=at_least)
            for peer, (_, at_least) in zip(theirs, others, strict=True)
        ),
        *(
            Row(work=f"〃, all repel, {work}", ours=by_all, theirs=peer, at_least=at_least)
            for peer, (_, at_least) in zip(theirs, others, strict=True)
        ),
    ]


def growth_rows() -> list[tuple[str, ...]]:
    """How the cost of an epoch grows with the number of items."""
    sizes, seconds = (10_000, 100_000, 1_000_000), []
    for n_items in sizes:
        epoch, _, _ = epoch_of("c-xim", groups(n_items, N_FEATURES))
        (timed,) = interleaved(epoch, rounds=3)
        seconds.append(float(timed.seconds.min()))
    exponent = float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
    cells = [duration(second) for second in seconds]
    return [(*cells, f"{exponent:.2f}", "≤ 1.05", "holds" if exponent <= 1.05 else "MISSED")]


def whole_training(n_items: int) -> None:
    """Train a map of so many items in two epochs, place them, and print what memory it took."""
    method = method_named("c-xim")
    wanted = {"algorithm": "batch", "shape": SHAPE, "n_epochs": 2, "first_share": 1.0}
    params = method.params.from_values(wanted)
    train(groups(1000, N_FEATURES), method, params)
    matrix = groups(n_items, N_FEATURES)
    print(taken_by(lambda: train(matrix, method, params)))


def memory_rows() -> list[tuple[str, ...]]:
    """What a whole training takes beyond its table, in tables."""
    rows = []
    with fresh_processes() as processes:
        for n_items in (100_000, 300_000, 1_000_000):
            output = processes.run("-m", "benchmarks.batch", str(n_items)).stdout
            table = 8 * n_items * N_FEATURES
            more = int(output.splitlines()[-1])
            every_pair = 4 * n_items * SHAPE[0] * SHAPE[1]
            cells = (f"{size / 2**20:.0f} MB" for size in (table, more))
            rows.append((str(n_items), *cells, f"{more / table:.2f}", f"{more / every_pair:.3f}"))
    return rows


def bent_groups(n_items: int) -> Matrix:
    """Groups whose items lie on bent sheets, as cell types and cycles do, with a little noise."""
    rng = np.random.default_rng([SEED, n_items])
    centres = 3.0 * rng.normal(size=(12, N_FEATURES))
    sheets = rng.normal(size=(12, 4, N_FEATURES))
    which, place = rng.integers(12, size=n_items), rng.uniform(-1.5, 1.5, (n_items, 2))
    bent = np.column_stack([place, place[:, :1] ** 2, np.sin(2.0 * place[:, 1])])
    values = centres[which] + np.einsum("if,ifd->id", bent, sheets[which])
    return Matrix.from_array(values + 0.1 * rng.normal(size=values.shape), source="benchmark")


def map_rows(n_items: int) -> list[tuple[str, ...]]:
    """Whole maps, from the table to positions, each made once; T at k = 15."""
    matrix = bent_groups(n_items)
    method = method_named("c-xim")
    params = method.params.from_values(
        {"algorithm": "batch", "shape": MAP_SHAPE, "n_epochs": MAP_EPOCHS}
    )

    def ours() -> Floats:
        # A matrix keeps what was once computed of it: every run gets one of its own.
        return train(matrix.with_values(matrix.values.copy()), method, params).positions

    def umap() -> Floats:
        from umap import UMAP

        return np.asarray(UMAP(n_jobs=2).fit_transform(matrix.values))

    def open_tsne() -> Floats:
        from openTSNE import TSNE

        return np.asarray(TSNE(n_jobs=2).fit(matrix.values))

    makers = [
        ("c-XIM", "ximstudio", ours),
        ("UMAP", "umap", umap),
        ("openTSNE", "openTSNE", open_tsne),
    ]
    ours()
    rows: list[tuple[str, ...]] = []
    first = 0.0
    for name, module, make in makers:
        if find_spec(module) is None:
            continue
        began = time.perf_counter()
        positions = make()
        spent = time.perf_counter() - began
        first = first or spent
        ranks = neighbour_ranks(matrix.values, positions, (np.inf, np.inf), NEIGHBOURS)
        trust = f"{trustworthiness(ranks)[-1]:.4f}"
        rows.append((str(n_items), name, duration(spent), f"{spent / first:.3g}", trust))
    return rows


def main() -> None:
    """Print the tables."""
    show("One epoch", [*epoch_rows(20_000), *epoch_rows(100_000)])
    growing = ("10⁴ items", "10⁵ items", "10⁶ items", "exponent", "target", "")
    show_table("Epochs of more items", growing, growth_rows())
    held = ("items", "table", "training, more", "in tables", "of all pairs of node and item")
    show_table("Memory of a whole training", held, memory_rows())
    compared = ("items", "method", "time", "times ours", "T at k = 15")
    show_table("Whole maps", compared, [*map_rows(20_000), *map_rows(50_000)])


if __name__ == "__main__":
    if len(sys.argv) > 1:
        whole_training(int(sys.argv[1]))
    else:
        main()
