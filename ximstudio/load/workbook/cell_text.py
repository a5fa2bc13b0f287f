"""Write typed cells as texts."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any


def cell_text(value: Any) -> str:
    """Return a cell as text; a number in as few digits as give it back exactly."""
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return _duration(value)
    return str(value)


def _duration(value: timedelta) -> str:
    """Return hours, minutes and seconds, as spreadsheets show a span of time."""
    sign = "-" if value < timedelta() else ""
    seconds, rest = divmod(abs(value), timedelta(seconds=1))
    fraction = f".{rest.microseconds:06}".rstrip("0") if rest else ""
    return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}{fraction}"
