"""Parameters as they are given with --set."""

from __future__ import annotations

from collections.abc import Iterable

from ximstudio.model.problem import UserError


def given_settings(settings: Iterable[str]) -> dict[str, str]:
    """Names and texts of settings NAME=VALUE; of two with one name the last counts."""
    texts: dict[str, str] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals:
            raise UserError(
                key="cli.setting",
                what=f"'{setting}' is not a setting.",
                where="option --set",
                way_out="Write --set name=value, for instance --set shape=20x30.",
            )
        texts[name.strip()] = text
    return texts
