"""The way back and forth: states come back as they were, whatever was done."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.ui.maps_to_show import run_of
from ximstudio.model.named_set import NamedSet
from ximstudio.model.selection import Selection
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Recipe, planned
from ximstudio.session import Session, open_data, with_recipe
from ximstudio.session.session import MOST_STEPS, MOST_TABLES, UndoHistory


def test_that_the_parent_of_a_run_is_found_until_it_is_deleted() -> None:
    parent = replace(run_of("pca", state="finished"), key="run-1")
    child = replace(parent, key="run-2", parent="run-1")
    session = Session().with_run(parent).with_run(child)
    assert session.parent_of(child) is parent
    assert session.parent_of(parent) is None
    assert session.without("run-1").parent_of(child) is None


ACTIONS = {
    "select": lambda session, n: session.with_selection(Selection.of([f"gene {n}"])),
    "save": lambda session, n: replace(
        session, sets=(*session.sets, NamedSet.of(f"set {n}", [f"gene {n}"]))
    ),
    "remove": lambda session, n: session.without_set(f"set {n}"),
    "seed": lambda session, n: replace(session, plan=replace(session.plan, seed=n)),
}
steps = st.lists(st.tuples(st.sampled_from(sorted(ACTIONS)), st.integers(0, 3)), max_size=12)


def after(history: UndoHistory, action: str, number: int) -> UndoHistory:
    changed = ACTIONS[action](history.present, number)
    return history.committed(changed, f"{action} {number}")


@given(steps)
def test_that_taking_everything_back_leads_to_where_it_began(
    actions: list[tuple[str, int]],
) -> None:
    history = first = UndoHistory()
    states = [history.present]
    for action, number in actions:
        history = after(history, action, number)
        states.append(history.present)
    for state in reversed(states):
        assert history.present is state
        history = history.undone()
    assert history.present is first.present
    assert history.undoes == ""
    for state in states:
        assert history.present is state
        history = history.redone()
    assert history.redoes == ""


@given(steps, st.lists(st.booleans(), max_size=20))
def test_that_going_back_and_forth_keeps_every_state(
    actions: list[tuple[str, int]], ways: list[bool]
) -> None:
    history = UndoHistory()
    for action, number in actions:
        history = after(history, action, number)
    last, n_steps = history.present, len(history.past)
    for back in ways:
        history = history.undone() if back else history.redone()
        assert len(history.past) + len(history.future) == n_steps
    while history.redoes:
        history = history.redone()
    assert history.present is last


def test_that_a_new_step_forgets_what_was_taken_back() -> None:
    history = after(after(UndoHistory(), "select", 1), "select", 2).undone()
    assert (history.undoes, history.redoes) == ("select 1", "select 2")
    history = after(history, "seed", 3)
    assert (history.undoes, history.redoes) == ("seed 3", "")


def test_that_typing_is_one_step() -> None:
    history = UndoHistory()
    for number in (1, 12, 123):
        changed = ACTIONS["seed"](history.present, number)
        history = history.committed(changed, "Change seed", merge=True)
    assert history.present.plan.seed == 123
    assert history.undone().present.plan.seed == 0
    # After a step back the same thing is another step: nothing that could be had again is lost.
    again = after(history, "select", 1).undone()
    again = again.committed(again.present, "Change seed", merge=True)
    assert len(again.past) == 2


def test_that_what_nobody_did_is_in_every_state() -> None:
    history = after(after(UndoHistory(), "select", 1), "select", 2).undone()
    noted = history.amended(lambda session: replace(session, n_made=7))
    assert noted.present.n_made == noted.undone().present.n_made == 7
    assert noted.redone().present.n_made == 7
    assert (noted.undoes, noted.redoes) == ("select 1", "select 2")


def test_that_memory_is_bounded() -> None:
    history = UndoHistory()
    for number in range(MOST_STEPS + 50):
        history = history.committed(Session(data=history.present.data, n_made=number), "step")
    assert len(history.past) == MOST_STEPS
    for _ in range(MOST_TABLES + 3):
        data = open_data(Input(name="sample:yeast"))
        assert len(data.memory) == 1
        history = history.committed(Session(data=data), "open")
    assert len(history.past) == MOST_TABLES - 1


def test_that_what_shares_its_memory_counts_once() -> None:
    data = open_data(Input(name="sample:yeast"))
    history = UndoHistory(present=Session(data=data))
    for _ in range(MOST_TABLES + 3):
        again = open_data(data.input, reading=data.labelled.reading)
        assert again.memory == data.memory
        history = history.committed(Session(data=again), "join labels")
    assert len(history.past) == MOST_TABLES + 3
    # As read once, and each as prepared and as training sees it.
    for _ in range(MOST_TABLES):
        scaled = with_recipe(data, Recipe.of(planned("scale", axis="features")))
        assert len(scaled.memory) == 3
        history = history.committed(Session(data=scaled), "scale")
    assert len(history.past) == (MOST_TABLES - 1) // 2 - 1


def test_that_the_number_of_a_run_is_never_used_again() -> None:
    history = UndoHistory()
    for number in (1, 2):
        history = history.committed(replace(history.present, n_made=number), "Train")
    assert history.undone().undone().n_made == 2
    again = history.undone().undone()
    again = again.committed(replace(again.present, n_made=again.n_made + 1), "Train")
    assert (again.n_made, again.undone().n_made) == (3, 3)
