"""Read the receipt of a script. A script is code that may come from anywhere: none of it is run.

Only two things are read, as texts: the constants that name files, and the block of the receipt. The
block must be made of nothing but strings, numbers and brackets before it is taken for values.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ximstudio.files.bounded import UnsuitableFileError, parse_json, read_bounded
from ximstudio.model.problem import UserError
from ximstudio.reproduce.receipt import Receipt, damaged, records_in, understood
from ximstudio.reproduce.script import ENDING, EXPECTED, Files, script_text

LARGEST = 16 * 1024 * 1024
"""Largest size of a script, in bytes."""
DEEPEST = 24
"""Deepest nesting of a receipt."""

_STRING = r'"(?:[^"\\\n]|\\.)*"'
_TOKEN = re.compile(
    rf"(?P<space>\s+)|(?P<string>{_STRING})|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"
    r"|(?P<name>None|True|False)|(?P<open>[\[{(])|(?P<close>[\]})])|(?P<mark>[,:])"
)
_IN_JSON = {"None": "null", "True": "true", "False": "false", "(": "[", ")": "]"}
"""Names that JSON spells differently; strings are the same."""
_CONSTANT = re.compile(rf"^([A-Z]+_\d+) = ({_STRING})$", re.MULTILINE)
_HEAD = re.compile(r'\A"""[^"]*"""\n')
_OPENING, _CLOSING = f"\n{EXPECTED} = ", "\n}\n"
"""Text before and after the receipt, which begins and ends with a bracket."""


@dataclass(frozen=True, kw_only=True)
class ScriptFile:
    """The expectations of a script; `edited` if its code differs from what the receipt gives."""

    receipt: Receipt
    edited: bool


def read_script(path: Path) -> ScriptFile:
    """Read the receipt of a script, without running it; other files are refused."""
    text = _text(path)
    code, block = _parts(text)
    if not block:
        raise no_receipt(path, "it has no receipt")
    receipt = understood(values_of(block, str(path)), str(path))
    constants = _constants(code, path)
    try:
        receipt = _with_files(receipt, constants, path)
        ours = script_text(receipt, path.name)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, UserError):
            raise
        raise damaged(str(path), "an entry is missing or of another kind") from None
    return ScriptFile(receipt=receipt, edited=_code(ours) != _code(text))


def _code(text: str) -> str:
    """Return a script without its head, which has its name, and without its receipt."""
    return _HEAD.sub("", _parts(text)[0], count=1)


def _parts(text: str) -> tuple[str, str]:
    """Return a script without its receipt, and the receipt; '' if it has none.

    Plain search takes time linear in the length of the text.
    """
    before, _, rest = f"\n{text}".partition(_OPENING)
    block, found, after = rest.partition(_CLOSING)
    if not found or not block.startswith("{\n"):
        return text, ""
    return f"{before[1:]}\n\n{after}", block + _CLOSING.rstrip("\n")


def values_of(block: str, where: str) -> Any:
    """Read plain values in Python syntax; anything but values is refused."""
    depth, position = 0, 0
    pieces: list[str] = []
    for token in _TOKEN.finditer(block):
        if token.start() != position:
            break
        position, kind = token.end(), token.lastgroup
        depth += 1 if kind == "open" else -1 if kind == "close" else 0
        if not 0 <= depth <= DEEPEST:
            raise damaged(where, "the brackets of its receipt do not fit")
        if kind == "close" and pieces[-1] == ",":
            # Python's lists may end with a comma, and JSON's may not.
            pieces.pop()
        if kind != "space":
            pieces.append(_IN_JSON.get(token[0], token[0]))
    if position != len(block):
        raise damaged(where, "its receipt holds more than values")
    try:
        return parse_json("".join(pieces))
    except ValueError:
        raise damaged(where, "its receipt is not written as values are") from None


def no_receipt(path: Path, why: str) -> UserError:
    """Raise the error for files that cannot be verified."""
    return UserError(
        key="verify.no_receipt",
        what=f"This file cannot be verified: {why}.",
        where=str(path),
        way_out=f"Give a script ({ENDING}), figure or report that XIM Studio wrote, or the folder"
        " of a run.",
    )


def _text(path: Path) -> str:
    try:
        content = read_bounded(path, LARGEST)
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise no_receipt(path, "it is not text in UTF-8") from None
    except UnsuitableFileError as error:
        raise no_receipt(path, error.reason) from None
    except OSError as error:
        raise UserError(
            key="verify.unreadable",
            what=f"The file cannot be read: {error.strerror}.",
            where=str(path),
            way_out="Check its name and permissions.",
        ) from None


def _constants(text: str, path: Path) -> dict[str, str]:
    try:
        return {key: parse_json(name) for key, name in _CONSTANT.findall(text)}
    except ValueError:
        raise no_receipt(path, "the name of a file is not written as we write it") from None


def _with_files(receipt: Receipt, constants: dict[str, str], path: Path) -> Receipt:
    """Update the files of a receipt from the script's constants, which users may change."""
    was = Files.of(records_in(receipt, str(path))).constants
    moved = {name: constants[key] for key, name in was.items() if key in constants}

    def place(name: Any) -> Any:
        return moved.get(name, name)

    def placed(values: dict[str, Any]) -> dict[str, Any]:
        given = values["data"]["input"]
        joinings = [{**each, "name": place(each["name"])} for each in given["joinings"]]
        files = {name: place(given[name]) for name in ("source", "frozen")}
        now = {**given, **files, "joinings": joinings}
        return {**values, "data": {**values["data"], "input": now}}

    return {**receipt, "runs": {key: placed(values) for key, values in receipt["runs"].items()}}
