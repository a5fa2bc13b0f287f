"""Write a receipt as a readable Python script that retrains its maps."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ximstudio.load import Choices
from ximstudio.load.samples import called
from ximstudio.model.params import Params
from ximstudio.model.parent import CONTINUED_AGAIN, CONTINUED_ALONE, PART
from ximstudio.model.words import counted, plural
from ximstudio.prepare.input import Input
from ximstudio.prepare.memory import write_atomically
from ximstudio.prepare.planned import Planned
from ximstudio.reproduce.receipt import Receipt, receipt_of, records_in
from ximstudio.session.run import Run
from ximstudio.train.record import MapRecord
from ximstudio.train.wording.training import unit_of

WIDTH = 96
EXPECTED = "EXPECTED"
"""Name of the receipt in a script."""
ENDING = ".py"


def write_script(path: Path, runs: Sequence[Run], chosen: Sequence[str] = ()) -> None:
    """Write a script for the chosen runs, by their keys, atomically."""
    text = script_text(receipt_of(runs, chosen), path.name)
    write_atomically(path, text.encode("utf-8"))


def script_text(receipt: Receipt, name: str = f"maps{ENDING}") -> str:
    """Return the script of a receipt; equal receipts and names give equal texts."""
    records = records_in(receipt, name)
    files = Files.of(records)
    body = [_head(records, name), _imports(records), _constants(files)]
    defined: set[str] = set()
    for key, record in records.items():
        table = files.table_of(record.input) if _needs_table(record) else ""
        if table and table not in defined:
            defined.add(table)
            body.append(_table(table, record.input, files))
        body.append(_run(key, record, receipt["runs"][key], table))
    made = ", ".join(f"{key}={key}" for key in records)
    body += [
        "# The receipt: what came out when this was written. 'ximstudio verify' reads it, and\n"
        f"# nothing else in this file is run then.\n{EXPECTED} = {literal(receipt)}",
        f"check({EXPECTED}, {made})",
    ]
    return "\n\n".join(body) + "\n"


@dataclass(frozen=True, kw_only=True)
class Files:
    """The files of a script under the names of its constants, and its tables."""

    constants: Mapping[str, str]
    tables: Sequence[Input]

    @classmethod
    def of(cls, records: Mapping[str, MapRecord]) -> Files:
        """Return all files of these runs, each once; identical tables are merged."""
        tables: list[Input] = []
        constants: dict[str, str] = {}
        for record in records.values():
            if record.input in tables or not _needs_table(record):
                continue
            tables.append(record.input)
            given = record.input
            others = [("LABELS", joining.name) for joining in given.joinings]
            others += [] if given.frozen is None else [("STEPS", given.frozen)]
            for kind, name in [("TABLE", given.name), *others]:
                if name not in constants.values():
                    number = 1 + sum(each.startswith(kind) for each in constants)
                    constants[f"{kind}_{number}"] = name
        return cls(constants=constants, tables=tuple(tables))

    def constant_of(self, name: str) -> str:
        """Return the name of a file in the script."""
        return next(key for key, each in self.constants.items() if each == name)

    def table_of(self, given: Input) -> str:
        """Return the name of a table in the script; nothing for one that is not read."""
        return f"table_{self.tables.index(given) + 1}" if given in self.tables else ""


def _needs_table(record: MapRecord) -> bool:
    """Return whether a run reads a table of its own: parts use that of their parent."""
    return record.parent is None or record.parent.kind not in (PART, CONTINUED_AGAIN)


def _head(records: Mapping[str, MapRecord], name: str) -> str:
    tables = dict.fromkeys(called(record.input.name) for record in records.values())
    versions = dict.fromkeys(record.made_with.program for record in records.values())
    title = (
        f"{counted(len(records), 'map')} of {', '.join(tables)}, made with XIM Studio"
        f" {', '.join(versions)}."
    )
    title, name = (_quotable(text) for text in (title, name))
    return (
        f'"""{title}\n\n'
        f"python {name}            makes {plural(len(records), 'it', 'them')} again and compares\n"
        f"ximstudio verify {name}  does so without running this file\n"
        '"""'
    )


def _quotable(text: str) -> str:
    """Make a text safe inside a docstring."""
    return _one_line(text).replace("\\", "/").replace('"', "'")


def _imports(records: Mapping[str, MapRecord]) -> str:
    names = {"check", "prepare", "read", "train"}
    for record in records.values():
        names |= {"step"} if record.input.recipe.steps else set()
        names |= {"join"} if record.input.joinings else set()
        if record.parent is not None:
            names.add("part" if record.parent.kind == PART else "continued")
    return f"from ximstudio.reproduce import {', '.join(sorted(names))}"


def _constants(files: Files) -> str:
    lines = [f"{key} = {literal(name)}" for key, name in files.constants.items()]
    return "\n".join(["# Where the files are. If one has moved, change it here.", *lines])


def _table(name: str, given: Input, files: Files) -> str:
    """Return the lines that read and prepare a table."""
    arguments = [files.constant_of(given.name)]
    for joining in given.joinings:
        more = [
            f"{key}={literal(value)}"
            for key, value in (("on", joining.on), ("side", joining.side), ("part", joining.part))
            if value is not None
        ]
        arguments.append(f"join({', '.join([files.constant_of(joining.name), *more])})")
    defaults = Choices.defaults()
    arguments += [
        f"{key}={literal(value)}"
        for key, value in given.choices.as_values().items()
        if value != defaults[key]
    ]
    reading = f"read({', '.join(arguments)})"
    if given.frozen is not None:
        steps = [
            (f"frozen={files.constant_of(given.frozen)}", "steps as an earlier run learnt them")
        ]
    else:
        steps = [_step(each) for each in given.recipe.steps if each.on]
    title = f"# The table: how it is read, and what is done to it.\n{name} = "
    if not steps:
        return f"{title}prepare({reading})"
    lines = [f"    {text},  # {about}" for text, about in steps]
    return "\n".join([f"{title}prepare(", f"    {reading},", *lines, ")"])


def _step(each: Planned) -> tuple[str, str]:
    given = each.params.as_values().items()
    arguments = [literal(each.step.key), *(f"{key}={literal(value)}" for key, value in given)]
    return f"step({', '.join(arguments)})", _one_line(each.sentence)


def _run(key: str, record: MapRecord, values: Mapping[str, Any], table: str) -> str:
    """Return the lines that train one map."""
    method, parent = record.method, record.parent
    earlier = "" if parent is None else values["parent"]["run"]
    title = key.replace("_", " ").capitalize()
    name = _one_line(str(values.get("name", "")))
    about = f"# {title}: {method.name}" + (f", '{name}'" if name not in ("", title) else "")
    if parent is None:
        lines = ["train(", f"    {table},", f"    {literal(method.key)},  # {method.name}"]
    elif parent.kind == PART:
        lines = ["part(", f"    {earlier},", f"    {literal(list(parent.item_ids), 4)},"]
        lines.append(f"    {literal(method.key)},  # {method.name}")
    else:
        lines = ["continued(", f"    {earlier},", *([f"    {table},"] if table else [])]
        lines += ["    alone=True,  # without the items it had"] * (parent.kind == CONTINUED_ALONE)
    if parent is not None and parent.folder is not None:
        lines.append(f"    folder={literal(parent.folder)},  # which the earlier map was read from")
    lines.append(f"    seed={record.seed},  # of all random choices")
    if record.stop_after is not None:
        lines.append(f"    stop_after={record.stop_after},  # training was stopped here")
    lines += _parameters(record.params, set(values.get("automatic", ())))
    return "\n".join([f"{about}", f"{key} = {lines[0]}", *lines[1:], ")"])


def _parameters(params: Params, automatic: set[str]) -> Iterator[str]:
    """Return the main parameters, and those that differ from defaults; the receipt has the rest."""
    usual, silent = params.defaults(), params.unused()
    for key, spec in params.specs().items():
        value = getattr(params, key)
        chosen = key in automatic
        if key in silent or (spec.advanced and (chosen or value == usual[key])):
            continue
        about = _about(params, key) + (" (chosen by the program)" if chosen else "")
        yield f"    {key}={literal(value)},  # {about}"


def _about(params: Params, key: str) -> str:
    """Describe a value: label, symbol and unit of its declaration."""
    spec = params.specs()[key]
    symbol = f" {spec.symbol}" if spec.symbol else ""
    unit = unit_of(params, key)
    unit = f", {unit}" if unit else ""
    return _one_line(f"{spec.label}{symbol}{unit}")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def literal(value: Any, indent: int = 0) -> str:
    """Format plain values as Python, in readable lines."""
    short = _short(value)
    if len(short) + indent <= WIDTH - 20 or not isinstance(value, dict | list | tuple) or not value:
        return short
    pad = " " * (indent + 4)
    if isinstance(value, dict):
        opening, closing = "{}"
        parts = [f"{_short(key)}: {literal(each, indent + 4)}," for key, each in value.items()]
    else:
        opening, closing = "[]" if isinstance(value, list) else "()"
        parts = [f"{literal(each, indent + 4)}," for each in value]
    lines, line = [], pad
    for part in parts:
        if "\n" not in part and len(line) + len(part) < WIDTH and "\n" not in line:
            line += part + " "
        else:
            lines += [line.rstrip()] if line.strip() else []
            line = pad + part + " "
    return "\n".join([opening, *lines, line.rstrip(), " " * indent + closing])


def _short(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{_short(key)}: {_short(each)}" for key, each in value.items()) + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(_short, value)) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(_short, value)) + ("," if len(value) == 1 else "") + ")"
    return repr(value)
