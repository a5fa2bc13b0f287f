"""Problems, and the error that carries them."""

from __future__ import annotations

import copy
import pickle

import pytest

from ximstudio.model import Problem, Severity, UserError
from ximstudio.model.problem import refuse


def problem(key: str, severity: Severity = Severity.ERROR) -> Problem:
    return Problem(key=key, what=f"what {key}", where="there", way_out="out", severity=severity)


def test_that_an_error_with_one_problem_carries_it() -> None:
    error = UserError(key="a.b", what="w", where="x", way_out="y")
    assert error.problems == (Problem(key="a.b", what="w", where="x", way_out="y"),)
    assert error.keys == ("a.b",)
    assert isinstance(error, ValueError)


def test_that_an_error_carries_all_of_many_problems_in_order() -> None:
    found = [problem("c"), problem("a"), problem("b")]
    error = UserError.of(iter(found))
    assert error.keys == ("c", "a", "b")
    assert error.problems == tuple(found)
    for each in found:
        assert str(each) in str(error)


def test_that_an_error_without_a_problem_cannot_be_made() -> None:
    with pytest.raises(AssertionError):
        UserError.of([])


def test_that_a_problem_shows_all_three_sentences() -> None:
    text = str(Problem(key="k", what="WHAT", where="WHERE", way_out="OUT"))
    assert [part in text for part in ("WHAT", "WHERE", "OUT")] == [True] * 3
    assert problem("k").severity is Severity.ERROR


def test_that_refusing_raises_errors_together_and_lets_warnings_pass() -> None:
    refuse([])
    refuse([problem("w", Severity.WARNING)])
    with pytest.raises(UserError) as error:
        refuse([problem("a"), problem("w", Severity.WARNING), problem("b")])
    assert error.value.keys == ("a", "b")


def test_that_refusing_takes_any_iterable_once() -> None:
    with pytest.raises(UserError) as error:
        refuse(problem(key) for key in ("a", "b"))
    assert error.value.keys == ("a", "b")


@pytest.mark.parametrize("n_problems", [1, 2])
def test_that_an_error_travels_to_another_process(n_problems: int) -> None:
    """joblib and multiprocessing hand errors over by pickling them."""
    error = UserError.of([problem(str(number)) for number in range(n_problems)])
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert isinstance(other, UserError)
        assert other.problems == error.problems
        assert str(other) == str(error)


def test_that_a_problem_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        problem("a").key = "b"  # type: ignore[misc]
