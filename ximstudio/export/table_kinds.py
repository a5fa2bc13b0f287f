"""`TABLES` lists every table of a session, with its contents and requirements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ximstudio.export import item_sheet, map_sheets, measure_sheets
from ximstudio.export.sheet import Sheet
from ximstudio.export.wanted import ALL, Need, TableOptions, lacking, missing
from ximstudio.model.registry import named
from ximstudio.session import Session


@dataclass(frozen=True, kw_only=True)
class TableKind:
    """A kind of table: a key for programs, a name for display, and its contents in a sentence.

    `of` builds it, once all `needs` are met in their order, and is also given `TableOptions` if the
    kind has `options`.
    """

    key: str
    name: str
    about: str
    needs: tuple[Need, ...]
    of: Callable[..., Sheet]
    options: bool = False

    def lacking(self, session: Session) -> Need | None:
        """The first missing requirement; None if there is none."""
        return lacking(self.needs, session)

    def why_not(self, session: Session) -> str:
        """Reason why it is not available, and what to do, in one line; '' if it is."""
        need = self.lacking(session)
        return "" if need is None else " ".join(need.value)

    def sheet(self, session: Session, wanted: TableOptions = ALL) -> Sheet:
        """Build the table; refuse if a requirement is missing."""
        need = self.lacking(session)
        if need is not None:
            raise missing(need, f"table '{self.name}'")
        return self.of(session, wanted) if self.options else self.of(session)


TABLES: tuple[TableKind, ...] = (
    TableKind(
        key="items",
        name="Items",
        about="One row per item: labels, position, node, cluster, measures, sets, optional values.",
        needs=(Need.TABLE,),
        of=item_sheet.item_sheet,
        options=True,
    ),
    TableKind(
        key="selection",
        name="Selection",
        about="The selection in a few numbers.",
        needs=(Need.TABLE, Need.SELECTION),
        of=item_sheet.summary_sheet,
    ),
    TableKind(
        key="differences",
        name="Features of the selection",
        about="Difference between the selection and the rest, for every feature.",
        needs=(Need.TABLE, Need.SELECTION),
        of=item_sheet.difference_sheet,
    ),
    TableKind(
        key="enrichment",
        name="Labels of the selection",
        about="Labels that are more frequent in the selection than by chance.",
        needs=(Need.TABLE, Need.SELECTION, Need.LABELS),
        of=item_sheet.enrichment_sheet,
    ),
    TableKind(
        key="prototypes",
        name="Prototypes",
        about="One row per node: position, items, cluster, and the values of its prototype.",
        needs=(Need.RUN, Need.NODES),
        of=map_sheets.prototype_sheet,
    ),
    TableKind(
        key="components",
        name="Components",
        about="Centre and components of a projection.",
        needs=(Need.RUN, Need.COMPONENTS),
        of=map_sheets.component_sheet,
    ),
    TableKind(
        key="clusters",
        name="Clusters",
        about="One row per cluster: number, name, size and members.",
        needs=(Need.RUN, Need.CLUSTERS),
        of=map_sheets.cluster_sheet,
    ),
    TableKind(
        key="measures",
        name="Measures",
        about="Every measure of the map with its error, range and reference.",
        needs=(Need.RUN, Need.MEASURES),
        of=measure_sheets.measure_sheet,
    ),
    TableKind(
        key="neighbourhoods",
        name="Neighbourhoods",
        about="Measures of neighbourhoods for 1, 2, … neighbours.",
        needs=(Need.RUN, Need.EVIDENCE),
        of=measure_sheets.neighbourhood_sheet,
    ),
    TableKind(
        key="runs",
        name="Runs",
        about="All maps: method, parameters, seed, time, and their measures side by side.",
        needs=(Need.RUN,),
        of=measure_sheets.run_sheet,
    ),
    TableKind(
        key="repeated",
        name="Repeated runs",
        about="Mean and standard deviation of every measure over repeated runs.",
        needs=(Need.JUDGED,),
        of=measure_sheets.judged_sheet,
    ),
    TableKind(
        key="repetitions",
        name="Repetitions",
        about="One row per repetition, with its measures.",
        needs=(Need.JUDGED,),
        of=measure_sheets.repetition_sheet,
    ),
    TableKind(
        key="training",
        name="Training",
        about="History of training.",
        needs=(Need.RUN, Need.HISTORY),
        of=map_sheets.history_sheet,
    ),
    TableKind(
        key="curves",
        name="Live curves",
        about="Trustworthiness and continuity during training.",
        needs=(Need.RUN, Need.CURVES),
        of=map_sheets.curve_sheet,
    ),
    TableKind(
        key="newcomers",
        name="New items",
        about="Items of other tables that were placed on the map, and their novelty.",
        needs=(Need.RUN, Need.PROJECTED),
        of=map_sheets.projection_sheet,
    ),
    TableKind(
        key="sets",
        name="Sets",
        about="Every member of every set.",
        needs=(Need.SETS,),
        of=item_sheet.set_sheet,
    ),
)


def table_named(key: str) -> TableKind:
    """Return the table with this key; refuse unknown keys with a proposal."""
    return named("table", key, TABLES)


def tables_of(session: Session) -> tuple[TableKind, ...]:
    """The tables that are available now."""
    return tuple(table for table in TABLES if table.lacking(session) is None)
