"""The clusters of the drawn runs, with their members."""

from __future__ import annotations

from ximstudio.model.named_set import NamedSet
from ximstudio.model.words import counted, grouped
from ximstudio.report.context import ReportContext, absent
from ximstudio.report.html import Content, Html, first_of, folded, joined, paragraph, table, tag
from ximstudio.session.run import Run
from ximstudio.views.positions.picture import CLUSTERS
from ximstudio.views.positions.state import PositionsState

MOST_CLUSTERS, MOST_MEMBERS = 60, 1000
"""Most clusters and members that are printed per run; the rest is counted."""
WIDTH_MM = 114.0


def write_clusters(context: ReportContext) -> Html:
    """Write the clusters of the drawn runs: method, sizes, and members."""
    parts = [_clusters(run, context) for run in context.drawn if run.clustering is not None]
    return joined(parts) if parts else absent("No clusters were computed.")


def _clusters(run: Run, context: ReportContext) -> Html:
    from ximstudio.maps.clusters import as_sets, clustering_named

    clustering = run.clustering
    assert clustering is not None
    sets = as_sets(clustering, run.matrix.item_ids, run.result.winners)
    way = clustering_named(clustering.method)
    params = clustering.params
    settings = ", ".join(
        f"{spec.label.lower()} {spec.show(getattr(params, name))}"
        for name, spec in params.specs().items()
    )
    inside, n_items = sum(map(len, sets)), run.matrix.n_items
    whom = f"{counted(inside, 'item')} of {grouped(n_items)}"
    if inside == n_items:
        whom = f"all {counted(n_items, 'item')}"
    about = f"{counted(len(sets), 'cluster')} by {way.name}"
    about += f" ({settings}), containing {whom}." if settings else f", containing {whom}."
    rows = [
        [one.name, grouped(len(one)), f"{100.0 * len(one) / n_items:.1f}\u202f%"]
        for one in sets[:MOST_CLUSTERS]
    ]
    heads = ["Cluster", context.words.items.capitalize(), "Share"]
    more = len(sets) - MOST_CLUSTERS
    parts: list[Content] = [
        tag("h3", run.name),
        paragraph(context.words.said(about)),
        context.figure(run, PositionsState(by=CLUSTERS), width_mm=WIDTH_MM),
        table(heads, rows, numbers=(1, 2)),
        paragraph(f"{counted(more, 'cluster')} more are not listed.") if more > 0 else None,
        *(members(one, context) for one in sets[:MOST_CLUSTERS]),
    ]
    return joined(parts)


def members(one: NamedSet, context: ReportContext) -> Html:
    """List the members of a set, folded."""
    word = context.words.item if one.side == "items" else context.words.feature
    listed = paragraph(first_of(one.members, MOST_MEMBERS), kind="members")
    return folded(f"{one.name}: {counted(len(one), word)}", listed)
