"""Parquet and Feather files: tables with typed columns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ximstudio.load.arrow.columns import (
    NUMBER,
    TEXT,
    is_string,
    is_whole,
    kind_of,
    numbers_of,
    texts_of,
)
from ximstudio.load.arrow.long import reading_of
from ximstudio.load.arrow.roles import Typed
from ximstudio.load.format import Format
from ximstudio.load.reading import Choices, Reading, Report
from ximstudio.load.source import Source, memory_to_give, refuse_too_large
from ximstudio.load.text.roles import names_codes
from ximstudio.model.problem import UserError

PARQUET_MARK, ENCRYPTED_MARK = b"PAR1", b"PARE"
FEATHER_MARK, OLD_FEATHER_MARK = b"ARROW1", b"FEA1"

CELLS_PER_BATCH = 2_000_000
"""Cells read between two reports."""

LOOKED_AT = 64

LOADED = 0.2
"""Share of the work that is done when the bytes are in memory."""


@dataclass(frozen=True, kw_only=True)
class _Opened:
    """A file whose size was checked: its schema, and its rows in batches."""

    schema: Any
    n_rows: int
    batches: Iterator[Any]


def read_parquet(source: Source, choices: Choices, report: Report) -> Reading:
    """Read the table in a Parquet file."""
    _require(source.name)
    data = source.read(report, part=LOADED)
    if data.startswith(ENCRYPTED_MARK):
        raise UserError(
            key="load.encrypted",
            what="The Parquet file is encrypted.",
            where=source.name,
            way_out="Write it again without encryption.",
        )
    with _refusing(source.name, "Parquet"):
        opened = _open_parquet(data, source.name)
    return _read(opened, source.name, choices, report, key="parquet", kind="Parquet")


def read_feather(source: Source, choices: Choices, report: Report) -> Reading:
    """Read the table in a Feather (Arrow) file."""
    _require(source.name)
    data = source.read(report, part=LOADED)
    if data.startswith(OLD_FEATHER_MARK):
        raise UserError(
            key="load.old_feather",
            what="This is a Feather file of the first version, which is no longer read.",
            where=source.name,
            way_out="Read it where it was written, and write it again as Feather 2 or Parquet.",
        )
    with _refusing(source.name, "Feather"):
        opened = _open_feather(data, source.name)
    return _read(opened, source.name, choices, report, key="feather", kind="Feather")


def _read(
    opened: _Opened, name: str, choices: Choices, report: Report, *, key: str, kind: str
) -> Reading:
    columns = _columns(opened, name, choices, lambda done: report(LOADED + 0.75 * done), kind)
    reading = reading_of(columns, choices, name=name, format=key, report=report)
    report(1.0)
    return reading


def _require(name: str) -> None:
    """Refuse to continue if the library is not installed; it is large and optional."""
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise UserError(
            key="load.extra_missing",
            what="Parquet and Feather files are read with pyarrow, which is not installed.",
            where=name,
            way_out="Install it: pip install 'ximstudio[parquet]'",
        ) from None


@contextmanager
def _refusing(name: str, kind: str) -> Iterator[None]:
    """Convert the library's errors about a damaged file to messages."""
    import pyarrow as pa

    try:
        yield
    except UserError:
        raise
    except MemoryError:
        # The parent process reports it (`load.isolation`).
        raise MemoryError from None
    except (pa.ArrowException, OSError, ValueError, LookupError, TypeError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0][:200]
        raise UserError(
            key="load.broken_file",
            what=f"The {kind} file is damaged: {reason.rstrip('.')}.",
            where=name,
            way_out="Fetch or write it again.",
        ) from None


def _open_parquet(data: bytes, name: str) -> _Opened:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pq.ParquetFile(pa.BufferReader(data)).schema_arrow
    # As dictionaries, repeated texts take no more memory than in the file.
    texts = [column.name for column in schema if is_string(column.type)]
    file = pq.ParquetFile(pa.BufferReader(data), read_dictionary=texts, pre_buffer=False)
    n_rows = file.metadata.num_rows
    refuse_too_large(8.0 * n_rows * max(len(schema), 1), memory_to_give(), name)
    size = max(1, CELLS_PER_BATCH // max(len(schema), 1))
    return _Opened(
        schema=file.schema_arrow, n_rows=n_rows, batches=file.iter_batches(batch_size=size)
    )


def _open_feather(data: bytes, name: str) -> _Opened:
    import pyarrow as pa

    file = pa.ipc.open_file(pa.BufferReader(data))
    numbers = range(file.num_record_batches)
    # Counting needs unpacking; doing that twice takes less memory than keeping all batches.
    n_rows = sum(file.get_batch(number).num_rows for number in numbers)
    refuse_too_large(8.0 * n_rows * max(len(file.schema), 1), memory_to_give(), name)
    return _Opened(schema=file.schema, n_rows=n_rows, batches=map(file.get_batch, numbers))


def _columns(opened: _Opened, name: str, choices: Choices, report: Report, kind: str) -> Typed:
    """Read all columns of a file, a few million cells at a time."""
    schema, n_rows = opened.schema, opened.n_rows
    with _refusing(name, kind):
        names = tuple(schema.names)
        types = tuple(schema.types)
        kinds = tuple(kind_of(type_) for type_ in types)
        index = _pandas_index(schema)
    asked = {choices.id, *(choices.labels or ())}
    numeric = tuple(place for place, kind_ in enumerate(kinds) if kind_ == NUMBER)
    as_texts = [
        place
        for place, kind_ in enumerate(kinds)
        if kind_ == TEXT
        or (kind_ == NUMBER and (place in index or _is_asked(names[place], place, asked)))
        or (is_whole(types[place]) and names_codes(names[place].strip().lower()))
    ]
    values = np.empty((n_rows, len(numeric)), dtype=np.float64)
    texts: dict[int, list[str]] = {place: [] for place in as_texts}
    changed: dict[int, list[int]] = {}
    done = 0
    while True:
        with _refusing(name, kind):
            batch = next(opened.batches, None)
            if batch is None:
                break
            batch.validate(full=True)
            end = done + batch.num_rows
            if end > n_rows:
                raise ValueError(f"it has more rows than the {n_rows} that it claims")
            for number, place in enumerate(numeric):
                values[done:end, number], others = numbers_of(batch.column(place))
                if others:
                    changed.setdefault(place, []).extend(others)
            for place, cells in texts.items():
                cells.extend(texts_of(batch.column(place)))
        done = end
        report(done / max(n_rows, 1))
    with _refusing(name, kind):
        if done < n_rows:
            raise ValueError(f"it has {done} rows and claims {n_rows}")
    return Typed(
        names=names,
        kinds=kinds,
        types=tuple(str(type_) for type_ in types),
        index=index,
        numeric=numeric,
        values=values,
        texts=texts,
        changed=changed,
    )


def _is_asked(name: str, place: int, asked: set[str | None]) -> bool:
    """Return whether the user may mean this column; one text can name several."""
    called = {name, name.strip(), f"column {place + 1}"}
    return any(
        text is not None and (text in called or called & {part.strip() for part in text.split(",")})
        for text in asked
    )


def _pandas_index(schema: Any) -> tuple[int, ...]:
    """Return the columns in which pandas stored the index."""
    described = (schema.metadata or {}).get(b"pandas")
    if described is None:
        return ()
    try:
        listed = json.loads(described)["index_columns"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return ()
    names: Sequence[Any] = listed if isinstance(listed, list) else []
    places = (schema.get_all_field_indices(name) for name in names if isinstance(name, str))
    return tuple(found[0] for found in places if len(found) == 1)


def _begins(marks: tuple[bytes, ...], source: Source) -> bool:
    """Return whether a file begins with a mark and is binary: a gene may be called PAR1."""
    head = source.head[:LOOKED_AT]
    is_binary = any(byte < ord("\t") or ord("\r") < byte < ord(" ") for byte in head)
    return is_binary and head.startswith(marks)


PARQUET = Format(
    key="parquet",
    name="Parquet",
    suffixes=(".parquet", ".pq"),
    recognises=partial(_begins, (PARQUET_MARK, ENCRYPTED_MARK)),
    read=read_parquet,
    isolated=True,
)

FEATHER = Format(
    key="feather",
    name="Feather (Arrow)",
    suffixes=(".feather", ".arrow"),
    recognises=partial(_begins, (FEATHER_MARK, OLD_FEATHER_MARK)),
    read=read_feather,
    isolated=True,
)
