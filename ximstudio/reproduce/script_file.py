"""A script of ours → its receipt. A script is code, and may come from anywhere: none of it is run.

Only two things are read, as texts: the constants that name files, and the block of the receipt. The
block must be made of nothing but strings, numbers and brackets before it is taken for values.
"""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ximstudio.model.problem import UserError
from ximstudio.reproduce.receipt import Receipt, understood
from ximstudio.reproduce.records import Record, damaged
from ximstudio.reproduce.script import ENDING, EXPECTED, Files, script_text

LARGEST = 64 * 1024 * 1024
"""Bytes beyond which a file is no script of ours."""
DEEPEST = 24
"""Brackets within brackets that a receipt may have."""

_STRING = r'"(?:[^"\\\n]|\\.)*"'
_TOKEN = re.compile(
    rf"(?P<space>\s+)|(?P<string>{_STRING})|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"
    r"|(?P<name>None|True|False)|(?P<open>[\[{(])|(?P<close>[\]})])|(?P<mark>[,:])"
)
_CONSTANT = re.compile(rf"^([A-Z]+_\d+) = ({_STRING})$", re.MULTILINE)
_HEAD = re.compile(r'\A"""[^"]*"""\n')
_BLOCK = re.compile(rf"^{EXPECTED} = (\{{\n.*?^\}})$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class ScriptFile:
    """What a script says is expected; `edited` if its code is not what the receipt gives."""

    receipt: Receipt
    edited: bool


def read_script(path: Path) -> ScriptFile:
    """The receipt of a script; a file that is none of ours is refused, and never run."""
    text = _text(path)
    found = _BLOCK.search(text)
    if found is None:
        raise no_receipt(path, "it has no receipt")
    receipt = understood(values_of(found[1], str(path)), str(path))
    constants = {key: json.loads(name) for key, name in _constants(text, path)}
    try:
        receipt = _with_files(receipt, constants, path)
        ours = script_text(receipt, path.name)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, UserError):
            raise
        raise damaged(str(path), "an entry is missing or of another kind") from None
    return ScriptFile(receipt=receipt, edited=_code(ours) != _code(text))


def _code(text: str) -> str:
    """A script without its head, which has its name, and without its receipt, however laid out."""
    return _BLOCK.sub("", _HEAD.sub("", text, count=1), count=1)


def values_of(block: str, where: str) -> Any:
    """Plain values written as Python writes them; anything but values is refused."""
    depth, position = 0, 0
    while position < len(block):
        token = _TOKEN.match(block, position)
        if token is None:
            raise damaged(where, "its receipt holds more than values")
        depth += {"open": 1, "close": -1}.get(token.lastgroup or "", 0)
        if not 0 <= depth <= DEEPEST:
            raise damaged(where, "the brackets of its receipt do not fit")
        position = token.end()
    try:
        return ast.literal_eval(block)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise damaged(where, "its receipt is not written as values are") from None


def no_receipt(path: Path, why: str) -> UserError:
    """Refuse what nobody can verify."""
    return UserError(
        key="verify.no_receipt",
        what=f"This is nothing that can be verified: {why}.",
        where=str(path),
        way_out=f"Give a script ({ENDING}), figure or report that XIM Studio wrote, or the folder"
        " of a run.",
    )


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST:
            raise no_receipt(path, "it is too large")
        return path.read_text(encoding="utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise no_receipt(path, "it is not text in UTF-8") from None
    except OSError as error:
        raise UserError(
            key="verify.unreadable",
            what=f"The file cannot be read: {error.strerror}.",
            where=str(path),
            way_out="Check its name and permissions.",
        ) from None


def _constants(text: str, path: Path) -> list[tuple[str, str]]:
    found = _CONSTANT.findall(text)
    for _, name in found:
        try:
            json.loads(name)
        except ValueError:
            raise no_receipt(path, "the name of a file is not written as we write it") from None
    return found


def _with_files(receipt: Receipt, constants: dict[str, str], path: Path) -> Receipt:
    """The receipt with files where the script's constants say they are: people may change those."""
    records = {
        key: Record.from_values(values, where=str(path), common=receipt)
        for key, values in receipt["runs"].items()
    }
    was = Files.of(records).constants
    moved = {name: constants[key] for key, name in was.items() if key in constants}

    def placed(values: dict[str, Any]) -> dict[str, Any]:
        given = values["data"]["input"]
        joinings = [
            {**each, "name": moved.get(each["name"], each["name"])} for each in given["joinings"]
        ]
        frozen = given["frozen"]
        source = moved.get(given["source"], given["source"])
        frozen = None if frozen is None else moved.get(frozen, frozen)
        now = {**given, "source": source, "joinings": joinings, "frozen": frozen}
        return {**values, "data": {**values["data"], "input": now}}

    return {**receipt, "runs": {key: placed(values) for key, values in receipt["runs"].items()}}
