"""Files with an end cut off, bytes changed or pieces missing, and what may come of them."""

from __future__ import annotations

import random
from pathlib import Path

from ximstudio.load.format import Format
from ximstudio.load.reading import Choices, silent
from ximstudio.load.source import Source
from ximstudio.model import UserError


def damaged(data: bytes, chance: random.Random) -> bytes:
    """The bytes with an end cut off, some bytes changed, or a piece left out."""
    kind = chance.randrange(4)
    if kind == 0:
        return data[: chance.randrange(len(data))]
    changed = bytearray(data)
    begin = chance.randrange(len(data))
    if kind == 1:
        for _ in range(chance.choice([1, 3, 30])):
            changed[chance.randrange(len(data))] = chance.randrange(256)
    elif kind == 2:
        changed[begin : begin + 8] = chance.choice([bytes(8), b"\xff" * 8, b"\x7f" * 8])
    else:
        del changed[begin : begin + chance.randrange(1, 64)]
    return bytes(changed)


def gives_table_or_address(data: bytes, format_: Format, path: Path) -> bool:
    """Whether reading ends well; any error but one with an address passes through."""
    path.write_bytes(data)
    source = Source.at(path)
    if not format_.recognises(source):
        return True
    try:
        reading = format_.read(source, Choices(), silent)
    except UserError as error:
        return all(problem.where and problem.way_out for problem in error.problems)
    return reading.table.n_items > 0
