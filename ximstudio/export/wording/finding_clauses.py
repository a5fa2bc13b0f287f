"""Sentences about results: measures, clusters and repetitions, and the software."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isnan

import numpy as np

from ximstudio.export.wording.described import Described
from ximstudio.maps.clusters import ClusteredUnit, Clustering, clustering_named
from ximstudio.measure.catalogue import MEASURES, Measure
from ximstudio.measure.chance import neighbours_of
from ximstudio.measure.comparison import Comparison
from ximstudio.measure.estimate import Estimate
from ximstudio.model.citations import REPORT, Citations
from ximstudio.model.clauses import any_value, listed, percent, quoted, worded
from ximstudio.model.words import MINUS, counted, number, plural
from ximstudio.train.record import made_here

GOWER = "J. C. Gower, Generalized Procrustes analysis, Psychometrika 40:33–51 (1975)."


def measure_sentences(many: Sequence[Described], citations: Citations) -> Iterator[str]:
    """Describe the measures, and their values for every map that has some."""
    described = [
        measure for measure in text_measures() if any(measure.key in m.measures for m in many)
    ]
    if not described:
        return
    measured = [one for one in many if any(each.key in one.measures for each in described)]
    # As in `Evidence.ranks`.
    sizes = sorted({neighbours_of(one.matrix.n_items) for one in measured})
    most = f"{sizes[-1]}" if len(sizes) == 1 else f"{sizes[0]} or {sizes[-1]}, by their number,"
    over = f"the mean over neighbourhoods of k = 1 to {most} items"
    if sizes == [1]:
        over = "for the nearest neighbour"
    parts = []
    over_k = [measure for measure in described if measure.over_k]
    if over_k:
        cited = citations.of(*dict.fromkeys(work for each in over_k for work in each.works))
        each = "each " if len(over_k) > 1 else ""
        parts.append(f"{listed([one.in_text for one in over_k])}{cited}, {each}{over}")
    parts += [
        measure.in_text.format(citations.of(*measure.works)) for measure in described[len(over_k) :]
    ]
    *first, last = parts
    said = f"{', by '.join(first)}, and by {last}" if first else last
    yield f"The quality of the mapping was measured by {said}."
    names = names_of(many)
    if len(measured) == 1 and len(many) == 1:
        yield f"The map had {_values(measured[0].measures)}."
    else:
        values = [f"{names[id(one)]} had {_values(one.measures)}" for one in measured]
        yield f"{'; '.join(values)}."
    found = (one.measures.get(each.key) for one in measured for each in described)
    if any(estimate is not None and estimate.error for estimate in found):
        yield "Values with ± are estimates from a sample of all pairs, with their standard error."


def names_of(many: Sequence[Described]) -> dict[int, str]:
    """Name of every map in a text with several: its method, and its own name if needed."""
    methods = [one.method.name for one in many]
    names = {}
    for one in many:
        name = one.method.name
        if methods.count(name) > 1:
            name += f" ({quoted(one.name)})" if one.name else f" (seed {one.result.seed})"
        names[id(one)] = name
    return names


def text_measures() -> list[Measure]:
    """Return the measures of the text, those over neighbourhoods first."""
    return sorted((each for each in MEASURES if each.in_text), key=lambda each: not each.over_k)


def _values(measures: Mapping[str, Estimate]) -> str:
    values = []
    for measure in text_measures():
        estimate = measures.get(measure.key)
        if estimate is not None and not isnan(estimate.value):
            error = f" ± {number(estimate.error, 1)}" if estimate.error else ""
            symbol = measure.symbol or measure.name.lower()
            # With the same number of decimals for every map, so that they compare.
            value = f"{estimate.value:.3f}".replace("-", MINUS)
            values.append(f"{symbol} = {value}{error}")
    return listed(values)


def cluster_sentences(many: Sequence[Described], citations: Citations) -> Iterator[str]:
    """Describe how clusters were found, and their number."""
    names = names_of(many)
    for one in many:
        if one.clustering is None:
            continue
        the_map = f"the map of {names[id(one)]}" if len(many) > 1 else "the map"
        yield _clusters(one.clustering, the_map, citations)


def _clusters(clustering: Clustering, the_map: str, citations: Citations) -> str:
    way = clustering_named(clustering.method)
    n_found = len(clustering)
    found = f"{worded(n_found)} {plural(n_found, 'cluster')}"
    what = f"The nodes of {the_map} were grouped"
    if clustering.over is ClusteredUnit.ITEMS:
        what = f"Items were grouped by their positions on {the_map}"
    text = f"{what} into {found} by {way.in_text}{citations.of(*way.works)}"
    params = clustering.params
    if way.number_text is not None:
        return f"{text}{way.number_text(params, citations)}."
    settings = [
        f"{spec.label[:1].lower()}{spec.label[1:]} {any_value(spec, getattr(params, key))}"
        for key, spec in params.specs().items()
        if getattr(params, key) is not None
    ]
    return f"{text} ({'; '.join(settings)})." if settings else f"{text}."


def stability_sentences(many: Sequence[Described], citations: Citations) -> Iterator[str]:
    """Describe how far items moved when a map was retrained."""
    names = names_of(many)
    for one in many:
        found = one.stability
        if found is None:
            continue
        of = f" of {names[id(one)]}" if len(many) > 1 else ""
        how = "with other seeds"
        if found.share < 1.0:
            how += f" and on random {percent(found.share)} of the items"
        wander = float(np.nanmean(found.wander))
        times = "once" if found.n_made == 1 else f"{worded(found.n_made)} times"
        yield (
            f"To test its stability, the map{of} was retrained {times} {how}; once the"
            f" maps were aligned{citations.of(GOWER)}, an item moved by {number(wander, 2)} on"
            " average, on a scale from 0 (same position) to 1 (the distance of two random"
            " items)."
        )


def protocol_sentences(comparison: Comparison, citations: Citations) -> Iterator[str]:
    """Describe the results of repeating all methods on random shares of the items."""
    n_runs, n_drawn = comparison.n_runs, comparison.items.shape[1]
    last = comparison.seed + n_runs - 1
    seeds = f"seed {comparison.seed}" if n_runs == 1 else f"seeds {comparison.seed} to {last}"
    times = "once" if n_runs == 1 else f"{worded(n_runs)} times"
    yield (
        f"Following the protocol of the report{citations.of(REPORT)}, every method was trained"
        f" {times} on random {percent(comparison.share)} of the items"
        f" ({counted(n_drawn, 'item')}; {seeds})."
    )
    summaries = {each.definition.key: each for each in comparison.summaries}
    values_of = []
    for position, method in enumerate(comparison.methods):
        values = [
            f"{summaries[key].definition.symbol} = {summaries[key].text(position)}"
            for key in (measure.key for measure in text_measures())
            if key in summaries
        ]
        made = comparison.n_made[position]
        fewer = "" if made == n_runs else f" in the {counted(made, 'run')} that succeeded"
        values_of.append(f"{method.name} had {listed(values)}{fewer}")
    spread = "Means, with standard deviations in brackets" if n_runs > 1 else "The values"
    yield f"{spread}, were: {'; '.join(values_of)}."


SOFTWARE = {
    "numpy": (
        "NumPy",
        "C. R. Harris et al., Array programming with NumPy, Nature 585:357–362 (2020).",
    ),
    "numba": (
        "Numba",
        "S. K. Lam, A. Pitrou and S. Seibert, Numba: a LLVM-based Python JIT compiler,"
        " Proceedings of the Second Workshop on the LLVM Compiler Infrastructure in HPC, 1–6"
        " (2015).",
    ),
}
"""Libraries by distribution: name and work."""


def software_sentences(many: Sequence[Described], citations: Citations) -> Iterator[str]:
    """Describe the software: one sentence for all maps that share it."""
    named = names_of(many)
    groups: dict[tuple[str, ...], list[Described]] = {}
    for one in many:
        made = one.made_with or made_here(one.method.key)
        shared = (made.program, *(made.versions.get(key, "") for key in ("python", *SOFTWARE)))
        groups.setdefault(shared, []).append(one)
    for alike in groups.values():
        names = dict.fromkeys(named[id(one)] for one in alike)
        what = "Computations" if len(groups) == 1 else f"Computations for {listed(list(names))}"
        yield f"{what} were carried out with {_software(alike, citations)}."


def _software(alike: Sequence[Described], citations: Citations) -> str:
    """Program and libraries, as far as known; old sessions do not record them."""
    made = [one.made_with or made_here(one.method.key) for one in alike]
    versions = {name: text for each in made for name, text in each.versions.items()}
    program = f"XIM Studio {made[0].program}"
    if not versions:
        return program
    used = [
        f"{name} {versions[key]}{citations.of(work)}"
        for key, (name, work) in SOFTWARE.items()
        if key in versions
    ]
    packages = dict.fromkeys(one.method.package for one in alike)
    used += [
        f"{package.distribution} {versions[package.distribution]}"
        for package in packages
        if package is not None and package.distribution in versions
    ]
    under = f" under Python {versions['python']}" if "python" in versions else ""
    return f"{program}{under} with {listed(used)}" if used else f"{program}{under}"
