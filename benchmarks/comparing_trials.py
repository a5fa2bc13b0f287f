"""Maps trained and measured on all cores | the same maps one after the other.

Both take the same measures. A map that has the machine for itself is measured on all cores, as one
that a person trains; its training is on one core either way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchmarks.timing import Contestant, Row, interleaved, show
from benchmarks.trainings import groups
from ximstudio.measure.catalogue import MEASURES
from ximstudio.measure.evidence import MapEvidence
from ximstudio.measure.sweep import SweepAxis, variants
from ximstudio.measure.trials import Trial, found_all
from ximstudio.session.plan import USUAL
from ximstudio.train import method_named, train

ROUNDS = 3
N_ITEMS, N_FEATURES, N_STEPS = 1000, 50, 20_000


def sweep_trials() -> list[Trial]:
    """Twelve settings of c-XIM."""
    method, matrix = method_named("c-xim"), groups(N_ITEMS, N_FEATURES)
    params = method.params.from_values({"n_steps": N_STEPS})
    axes = (
        SweepAxis("repulsion", (0.1, 0.25, 0.5, 0.75)),
        SweepAxis("shape", ((15, 15), (20, 20), (25, 25))),
    )
    return [Trial(matrix, method, one.params, 0, one.name) for one in variants(params, axes)]


def usual_trials() -> list[Trial]:
    """The usual four."""
    matrix = groups(N_ITEMS, N_FEATURES)
    trials = []
    for key in USUAL:
        method = method_named(key)
        params = method.params()
        if "n_steps" in params.specs():
            params = params.replace(n_steps=N_STEPS)
        trials.append(Trial(matrix, method, params, 0, method.name))
    return trials


def beside(trials: Sequence[Trial]) -> Callable[[], None]:
    """All of them on all cores."""

    def run() -> None:
        for _ in found_all(trials, MEASURES):
            pass

    return run


def in_turn(trials: Sequence[Trial]) -> Callable[[], None]:
    """One after the other."""

    def run() -> None:
        for trial in trials:
            result = train(trial.matrix, trial.method, trial.params, seed=trial.seed)
            evidence = MapEvidence(matrix=trial.matrix, result=result, seed=trial.seed)
            for measure in MEASURES:
                measure.of(evidence)

    return run


def row(what: str, trials: Sequence[Trial]) -> Row:
    """A line of the table."""
    ours, theirs = interleaved(
        Contestant(name="all cores", run=beside(trials)),
        Contestant(name="one after the other", run=in_turn(trials)),
        rounds=ROUNDS,
    )
    return Row(work=what, ours=ours, theirs=theirs, at_least=1.0)


def main() -> None:
    """Print the table."""
    size = f"{N_ITEMS} × {N_FEATURES}"
    rows = [row(f"12 maps of a sweep, {size}", sweep_trials())]
    rows.append(row(f"the usual four, {size}", usual_trials()))
    show("Maps side by side", rows)


if __name__ == "__main__":
    main()
