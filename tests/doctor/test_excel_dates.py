"""Genes that a spreadsheet took for dates."""

from __future__ import annotations

import numpy as np
import pytest

from tests.doctor.tables import GENES, SAMPLES, found, keys, logs, named, table
from ximstudio.doctor import examine
from ximstudio.doctor.excel_symbols import dated, symbols
from ximstudio.model.table import FEATURES, ITEMS, Table

SYMBOLS = ("TP53", "BRCA1", "EGFR", "MYC", "KRAS", "PTEN", "RB1", "VHL", "APC", "ATM", "CDK4")
MOUSE = tuple(name.capitalize() for name in SYMBOLS)
DATES = "excel_dates"


def renamed(start: Table, side: str = ITEMS, *, repair: int = 0) -> tuple[str, ...]:
    return found(start, DATES, side).repairs[repair].recipe.prepare(start).table.axis(side).names


def among(*names: str, others: tuple[str, ...] = SYMBOLS) -> Table:
    every = (*others, *names)
    return table(logs(len(every)), items=every)


def symbols_of(*names: str, others: tuple[str, ...] = SYMBOLS, repair: int = 0) -> tuple[str, ...]:
    return renamed(among(*names, others=others), repair=repair)[len(others) :]


@pytest.mark.parametrize(
    ("name", "today", "old"),
    [
        ("1-Mar", "MARCHF1", "MARCH1"),
        ("Mar-01", "MARCHF1", "MARCH1"),
        ("3-Mar", "MARCHF3", "MARCH3"),
        ("11-Mar", "MARCHF11", "MARCH11"),
        ("2-Sep", "SEPTIN2", "SEPT2"),
        ("Sep-02", "SEPTIN2", "SEPT2"),
        ("2-Sept", "SEPTIN2", "SEPT2"),
        ("sept-02", "SEPTIN2", "SEPT2"),
        ("02-Sep-20", "SEPTIN2", "SEPT2"),
        ("2001-03-01", "MARCHF1", "MARCH1"),
        ("2020-09-07 00:00:00", "SEPTIN7", "SEPT7"),
        ("2020-09-07T00:00:00", "SEPTIN7", "SEPT7"),
        ("01/03/2020", "MARCHF1", "MARCH1"),
        ("9/7/2020", "SEPTIN7", "SEPT7"),
        ("07.09.2020", "SEPTIN7", "SEPT7"),
        ("44256", "MARCHF1", "MARCH1"),
        ("2024/03/01", "MARCHF1", "MARCH1"),
        ("2024.9.7", "SEPTIN7", "SEPT7"),
        ("9/7/2024 0:00", "SEPTIN7", "SEPT7"),
        ("9/7/2024 12:00:00 AM", "SEPTIN7", "SEPT7"),
        ("9/7", "SEPTIN7", "SEPT7"),
        ("20240907", "SEPTIN7", "SEPT7"),
        ("1.Mrz", "MARCHF1", "MARCH1"),
        ("01. Mrz", "MARCHF1", "MARCH1"),
        ("3. März", "MARCHF3", "MARCH3"),
        ("Mrz 03", "MARCHF3", "MARCH3"),
        ("03-mars", "MARCHF3", "MARCH3"),
        ("01-déc", "DELEC1", "DEC1"),
        ("1. Dez", "DELEC1", "DEC1"),
        ("dic-01", "DELEC1", "DEC1"),
        ("DEC-1", "DELEC1", "DEC1"),
        ("1-Dec", "DELEC1", "DEC1"),
        ("Oct-4", "POU5F1", "OCT4"),
        ("4. Okt", "POU5F1", "OCT4"),
        ("15-Sep", "SELENOF", "SEP15"),
    ],
)
def test_that_a_date_among_genes_is_told_with_its_gene(name: str, today: str, old: str) -> None:
    finding = found(among(name), DATES, ITEMS)
    assert [address.item for address in finding.addresses] == [len(SYMBOLS)]
    assert symbols_of(name) == (today,)
    assert symbols_of(name, repair=1) == (old,)


@pytest.mark.parametrize(
    "name",
    [
        "MARCH1",
        "SEPT2",
        "DEC1",
        "MARC1",
        "OCT4",
        "SEP15",
        "NOV",
        "JUN",
        "1-Abc",
        "Marchf1",
        "AUG-X",
        "13/32",
        "20241399",
        "9/7/2024 17:45",
    ],
)
def test_that_genes_that_were_left_alone_are_left_alone(name: str) -> None:
    assert (DATES, ITEMS) not in keys(among(name))


def test_that_what_could_be_two_genes_is_not_sure() -> None:
    assert not found(among("1-Mar"), DATES, ITEMS).sure
    assert found(among("3-Mar"), DATES, ITEMS).sure


@pytest.mark.parametrize("other", ["MTARC2", "MARC2", "Mtarc2"])
def test_that_a_date_is_settled_by_the_other_gene_alone(other: str) -> None:
    alone = found(among("2-Mar"), DATES, ITEMS)
    assert not alone.sure
    assert "MARCHF2" in alone.where
    assert "MTARC2" in alone.where
    assert "2-Mar" in alone.repairs[0].label
    settled = found(among("2-Mar", other), DATES, ITEMS)
    assert settled.sure
    assert "MTARC2" not in settled.where
    assert symbols_of("2-Mar", other)[0] == "MARCHF2"
    assert symbols_of("2-Mar", other, repair=1)[0] == "MARCH2"


def test_that_dates_that_could_be_two_genes_are_shown_first() -> None:
    many = [f"{number}-Sep" for number in range(1, 10)]
    finding = found(among(*many, "2-Mar"), DATES, ITEMS)
    assert "MTARC2" in finding.where


def test_that_of_two_genes_the_one_that_is_there_already_is_not_meant() -> None:
    assert symbols_of("MARCHF1", "1-Mar") == ("MARCHF1", "MTARC1")
    assert symbols_of("MTARC1", "1-Mar") == ("MTARC1", "MARCHF1")


def test_that_two_rows_of_one_date_that_could_be_two_genes_stay_open() -> None:
    first, second = symbols_of("1-Mar", "1-Mar")
    assert first != second
    assert all("MARCHF1" in name and "MTARC1" in name for name in (first, second))


def test_that_symbols_are_spelled_as_the_others_are() -> None:
    assert symbols_of("3-Mar", "2-Sep", others=MOUSE) == ("Marchf3", "Septin2")


def test_that_years_that_count_genes_are_told_from_years() -> None:
    assert symbols_of("2003-03-01", "2004-03-01", "2009-09-01") == (
        "MARCHF3",
        "MARCHF4",
        "SEPTIN9",
    )
    assert symbols_of("2020-03-03", "2020-03-04", "2020-09-09") == (
        "MARCHF3",
        "MARCHF4",
        "SEPTIN9",
    )


def test_that_the_order_of_day_and_month_is_learnt_from_all_dates() -> None:
    assert symbols_of("09/03/2020", "12/09/2020") == ("MARCHF9", "SEPTIN12")
    assert symbols_of("09/03/2020", "3/11/2020") == ("SEPTIN3", "MARCHF11")


def test_that_days_of_sampling_are_no_genes() -> None:
    days = [f"{number}-Mar" for number in range(1, 13)]
    assert keys(table(features=days)) == []
    assert keys(table(features=[f"2020-03-{number:02}" for number in range(1, 13)])) == []


def test_that_most_of_a_small_table_may_be_dates_but_not_of_its_samples() -> None:
    genes = ("2023-09-02", "2023-03-01", "TP53")
    assert renamed(table(logs(3, 2), items=genes)) == ("SEPTIN2", "MARCHF1", "TP53")
    days = ("1-Mar", "2-Mar", "BASAL")
    assert (DATES, FEATURES) not in keys(table(logs(60, 3), features=days))


def test_that_numbers_among_entrez_ids_are_genes_of_their_own() -> None:
    ids = tuple(str(43000 + 37 * number) for number in range(60))
    assert {key for key, _ in keys(table(items=ids))}.isdisjoint({DATES, "lost_names"})


def test_that_the_worms_genes_are_its_own() -> None:
    worm = tuple(f"{stem}-{number}" for stem in ("unc", "lin", "daf") for number in range(1, 9))
    assert (DATES, ITEMS) not in keys(among("sep-1", "dec-1", "mar-1", others=worm))
    assert (DATES, ITEMS) in keys(among("1-Sep", others=worm))


def test_that_dates_are_found_on_the_side_of_the_genes() -> None:
    start = named(ITEMS, {4: "4-Sep"}).transposed
    assert renamed(start, FEATURES)[4] == "SEPTIN4"
    assert (DATES, ITEMS) not in keys(start)


def test_that_clones_that_became_numbers_are_lost() -> None:
    start = named(ITEMS, {3: "2.31E+13", 7: "1.00E+04"})
    finding = found(start, "lost_names", ITEMS)
    assert [address.item for address in finding.addresses] == [3, 7]
    assert not finding.sure
    by_place = finding.repairs[0].recipe.prepare(start).table
    assert by_place.items.names[3:8:4] == ("2.31E+13 (number 4)", "1.00E+04 (number 8)")
    np.testing.assert_array_equal(by_place.dense, start.dense)
    left = finding.repairs[1].recipe.prepare(start).table
    assert left.items.names == tuple(GENES[n] for n in range(60) if n not in {3, 7})


def test_that_numbered_samples_are_not_lost() -> None:
    assert keys(table(features=[str(number) for number in range(1, 13)])) == []
    assert keys(table(features=[*SAMPLES[:-1], "1e5"])) == []


def test_that_every_known_day_gives_symbols_that_differ() -> None:
    for month, last in ((3, 11), (9, 12)):
        for number in range(1, last + 1):
            for symbol in symbols(month, number):
                assert symbol.today != symbol.old
                assert str(number) in symbol.today
    assert symbols(1, 1) == ()


def test_that_impossible_days_are_no_dates() -> None:
    assert dated(["2020-13-40", "99/99/2020", "2020-02-31"]) == {}


def test_that_a_list_of_nothing_but_dates_is_left_alone() -> None:
    start = table(logs(5), items=["1-Mar", "2-Mar", "3-Sep", "Dec-01", "5-Jan"])
    assert not [finding for finding in examine(start) if finding.key in {DATES, "lost_names"}]
