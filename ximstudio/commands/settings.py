"""Parse settings NAME=VALUE of the command line."""

from __future__ import annotations

from collections.abc import Iterable

from ximstudio.model.problem import UserError

EXAMPLES = {
    "--set": "--set name=value, for instance --set shape=20x30",
    "--read": "--read name=value, for instance --read delimiter=';'",
    "--annotate": "--annotate FILE, or --annotate 'FILE on=COLUMN side=samples'",
    "--step": "--step 'KEY name=value …', for instance --step 'log2 offset=1'",
}


def given_settings(settings: Iterable[str], *, option: str = "--set") -> dict[str, str]:
    """Return name → text of settings NAME=VALUE; the last one of a name counts."""
    texts: dict[str, str] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals:
            raise UserError(
                key="cli.setting",
                what=f"'{setting}' is not a setting.",
                where=f"option {option}",
                way_out=f"Write {EXAMPLES[option]}.",
            )
        texts[name.strip()] = text
    return texts
