"""Groups and data sets of an HDF5 file; every size is checked before use.

Such a file can name other files, declare data that it does not hold, and pack data into next to
nothing. What goes outside the file is refused, and so is what is far larger than the file.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ximstudio.load.reading import Report, silent
from ximstudio.load.source import (
    HARMLESS,
    MOST_GROWTH,
    PIECE,
    Source,
    memory_to_give,
    refuse_too_large,
)
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import UserError

SIGNATURE = b"\x89HDF\r\n\x1a\n"
SIGNATURE_PLACES = (0, 512, 1024, 2048, 4096)
"""Offsets at which the signature may stand: programs may write a block of their own before it."""

UNPACKING = 0.3
"""Share of the work that unpacking a compressed file takes."""

CACHE = 64 * 1024 * 1024
"""Bytes of unpacked chunks kept: a chunk that spans two pieces is not unpacked twice."""

FEWEST_TEXTS, MOST_TEXTS = 256, 65536
"""Limits on the texts read at once: each text may be as long as the file."""

HARMLESS_CHUNKS = 10_000
BYTES_PER_CHUNK = 8
"""Bytes of a chunk's address."""

SMALL = 64 * 1024
"""Size of packed data in bytes below which it is not checked."""

NOT_COMPRESSING = {2, 3}
"""Filters that only shuffle bytes or add a checksum."""


def is_hdf5(source: Source, *words: bytes) -> bool:
    """Return whether a file has the signature of HDF5, and begins with all these words."""
    head = source.head
    signed = any(head[at : at + len(SIGNATURE)] == SIGNATURE for at in SIGNATURE_PLACES)
    return signed and all(word in head for word in words)


@contextmanager
def opened(source: Source, report: Report) -> Iterator[Branch]:
    """Open an HDF5 file and yield its root."""
    import h5py

    content: Any = source.path
    size = source.size
    if source.path is None or source.is_packed:
        unpacked = source.read(report, part=UNPACKING)
        content, size = io.BytesIO(unpacked), len(unpacked)
    with _guarded(source.name, "", source.size):
        file = h5py.File(content, "r", rdcc_nbytes=CACHE)
    try:
        yield Branch(file=source.name, path="", node=file, size=size)
    finally:
        with _guarded(source.name, "", source.size):
            file.close()


@dataclass(frozen=True, kw_only=True)
class Hdf5Entry:
    """An object with a path inside a file; `size` is the size of the whole file."""

    file: str
    path: str
    node: Any
    size: int

    @property
    def address(self) -> str:
        return f"{self.file}, '{self.path or '/'}' inside it"

    def attribute(self, name: str) -> Any:
        """Return an attribute: a number, a text, or an array of these; None if there is none."""
        with _guarded(self.file, f"{self.path}, attribute {name}", self.size):
            return decoded(self.node.attrs.get(name))

    def text(self, name: str) -> str:
        """Return an attribute that is a text; "" if it is not."""
        value = self.attribute(name)
        return value if isinstance(value, str) else ""

    def texts(self, name: str) -> tuple[str, ...]:
        """Return an attribute that is a list of texts; empty if it is not."""
        value = self.attribute(name)
        is_list = isinstance(value, np.ndarray) and value.ndim == 1
        return tuple(str(decoded(cell)) for cell in value) if is_list else ()

    def damaged(self, what: str) -> UserError:
        """Return the error for a file that does not follow its format."""
        return _damaged(what, self.address)


@dataclass(frozen=True, kw_only=True)
class Branch(Hdf5Entry):
    """A group."""

    def names(self) -> tuple[str, ...]:
        """Names of the objects in the group."""
        with _guarded(self.file, self.path, self.size):
            # h5py returns names that are not UTF-8 as bytes; a sound file has none.
            return tuple(map(decoded, self.node))

    def __contains__(self, name: str) -> bool:
        """Return whether there is an object of a name; slashes lead to subgroups."""
        above, _, last = name.rpartition("/")
        try:
            group = self.branch(above) if above else self
        except UserError:
            return False
        # Not h5py's own test: it follows links, and would open other files.
        with _guarded(self.file, group.path, self.size):
            return bool(group.node.id.links.exists(_coded(last)))

    def get(self, name: str) -> Branch | Leaf:
        """Return the object of a name in the group; slashes lead to subgroups.

        Links are refused that are more than the name of something in the group: they may lead to
        other files, and in circles.
        """
        found: Branch | Leaf = self
        for step in name.split("/"):
            if not isinstance(found, Branch):
                raise found.damaged("There is nothing below this data set.")
            found = found._child(step)
        return found

    def branch(self, name: str) -> Branch:
        """Return the group of that name."""
        found = self.get(name)
        if not isinstance(found, Branch):
            raise found.damaged("This is a data set where a group is expected.")
        return found

    def leaf(self, name: str) -> Leaf:
        """Return the data set of that name."""
        found = self.get(name)
        if not isinstance(found, Leaf):
            raise found.damaged("This is a group where a data set is expected.")
        return found

    def _child(self, name: str) -> Branch | Leaf:
        import h5py

        path = f"{self.path}/{name}" if self.path else name
        where = f"{self.file}, '{path}' inside it"
        if name in {"", ".", ".."} or name not in self:
            raise _damaged("The file does not hold this.", where)
        with _guarded(self.file, path, self.size):
            plain = self.node.id.links.get_info(_coded(name)).type == h5py.h5l.TYPE_HARD
            child = self.node[_coded(name)] if plain else None
        if not plain:
            raise _outside(where, "a link to another place or file")
        if not isinstance(child, h5py.Group | h5py.Dataset):
            raise _damaged("This is neither a group nor a data set.", where)
        kind = Branch if isinstance(child, h5py.Group) else Leaf
        return kind(file=self.file, path=path, node=child, size=self.size)


@dataclass(frozen=True, kw_only=True)
class Leaf(Hdf5Entry):
    """A data set."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Declared lengths; () for a single value or none."""
        with _guarded(self.file, self.path, self.size):
            return tuple(int(length) for length in self.node.shape or ())

    @property
    def dtype(self) -> np.dtype[Any]:
        with _guarded(self.file, self.path, self.size):
            kind: np.dtype[Any] = np.dtype(self.node.dtype)
        return kind

    @property
    def is_text(self) -> bool:
        import h5py

        return h5py.check_string_dtype(self.dtype) is not None

    @property
    def is_number(self) -> bool:
        return self.dtype.kind in "biuf"

    def pieces(self, report: Report = silent) -> Iterator[tuple[int, NDArray[Any]]]:
        """Yield the rows in pieces of about `PIECE` values, each with the index of its first."""
        shape = self.shape
        self.refuse_oversize()
        rows = shape[0] if shape else 0
        step = max(1, PIECE // max(1, math.prod(shape[1:])))
        with _guarded(self.file, self.path, self.size):
            chunks = self.node.chunks
        if chunks is not None:
            # Whole chunks: a split one would be unpacked for every piece.
            step = -(-step // chunks[0]) * int(chunks[0])
        for first in range(0, rows, step):
            with _guarded(self.file, self.path, self.size):
                piece = np.asarray(self.node[first : first + step])
            yield first, piece
            report(min(1.0, (first + step) / rows))

    def whole(self) -> NDArray[Any]:
        """Return all values as the file has them."""
        self.refuse_other_than_list()
        found = [piece for _, piece in self.pieces()]
        return np.concatenate(found) if found else np.empty(self.shape, dtype=self.dtype)

    def strings(self) -> list[str]:
        """Return all texts of a list of texts."""
        self.refuse_other_than_list()
        if not self.is_text:
            raise self.damaged(f"Texts are expected here, not values of type {self.dtype}.")
        self.refuse_oversize()
        room = memory_to_give()
        step = max(FEWEST_TEXTS, min(MOST_TEXTS, room // max(self.size, 1)))
        found: list[str] = []
        letters = 0
        for first in range(0, self.shape[0], step):
            with _guarded(self.file, self.path, self.size):
                texts = self.node.asstr()[first : first + step].tolist()
            letters += sum(map(len, texts))
            refuse_too_large(letters, room, self.address)
            found += texts
        return found

    def refuse_oversize(self) -> None:
        """Refuse data outside the file, larger than memory, or too large for so small a file."""
        with _guarded(self.file, self.path, self.size):
            leads_outside = self.node.is_virtual or bool(self.node.external)
            chunks = self.node.chunks
            # A header may declare more than the file holds.
            stored = min(self.node.id.get_storage_size(), self.size)
            filters = _filters(self.node)
        if leads_outside:
            raise _outside(self.address, "kept in another file")
        self._refuse_filters(filters)
        declared = math.prod(self.shape) * self.dtype.itemsize
        if chunks:
            declared = max(declared, math.prod(chunks) * self.dtype.itemsize)
            n_chunks = math.prod(-(-n // c) for n, c in zip(self.shape, chunks, strict=True))
            if n_chunks > HARMLESS_CHUNKS + self.size // BYTES_PER_CHUNK:
                raise self._bomb(f"{n_chunks} pieces")
            # Unpacking does not stop where a chunk should end.
            if stored > 2 * n_chunks * math.prod(chunks) * self.dtype.itemsize + SMALL:
                raise self._bomb("packed pieces that are larger than what is in them")
        if declared > HARMLESS and declared > MOST_GROWTH * stored:
            raise self._bomb(f"{declared / 2**30:.1f} GB")
        refuse_too_large(declared, memory_to_give(), self.address)

    def _bomb(self, amount: str) -> UserError:
        return UserError(
            key="load.bomb",
            what=f"The file declares data that it cannot hold: {amount}.",
            where=self.address,
            way_out="Fetch the file again; if it is intact, write it without compression.",
        )

    def refuse_other_than_list(self) -> None:
        """Refuse data of other than one dimension."""
        if len(self.shape) != 1:
            raise self.damaged(f"A list is expected here, not an array of shape {self.shape}.")

    def _refuse_filters(self, filters: list[tuple[int, str, bool]]) -> None:
        packing = [code for code, _, _ in filters if code not in NOT_COMPRESSING]
        if len(packing) > 1 or len(set(filters)) < len(filters):
            raise self._bomb("repeatedly compressed pieces")
        absent = [name or f"number {code}" for code, name, available in filters if not available]
        if absent:
            raise UserError(
                key="load.unknown_compression",
                what=f"The data are compressed in an unsupported way: {some_of(absent)}.",
                where=self.address,
                way_out="Write the file again with gzip compression, or with none.",
            )


def decoded(value: Any) -> Any:
    """Return a value of the library, bytes as a text."""
    return value.decode("utf-8", errors="replace") if isinstance(value, bytes) else value


def _coded(name: str) -> bytes:
    return name.encode("utf-8", errors="replace")


def _filters(dataset: Any) -> list[tuple[int, str, bool]]:
    """Return code, name and availability of every filter of the data."""
    import h5py

    plan = dataset.id.get_create_plist()
    found = [plan.get_filter(number) for number in range(plan.get_nfilters())]
    return [
        (int(code), name.decode("ascii", errors="replace"), bool(h5py.h5z.filter_avail(code)))
        for code, _, _, name in found
    ]


@contextmanager
def _guarded(file: str, path: str, size: int) -> Iterator[None]:
    """Convert the library's errors about a damaged file to messages."""
    try:
        yield
    except UserError:
        raise
    except MemoryError:
        refuse_too_large(max(size, memory_to_give() + 1), memory_to_give(), file)
        raise
    except Exception as error:
        # On damaged files h5py raises nearly everything: OSError, KeyError, RuntimeError, …
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        where = f"{file}, '{path}' inside it" if path else file
        raise _damaged(f"The HDF5 library cannot read it: {reason}.", where) from None


def _damaged(what: str, where: str) -> UserError:
    return UserError(
        key="load.damaged",
        what=what,
        where=where,
        way_out="The file is damaged, incomplete or of an unknown kind: fetch or write it again.",
    )


def _outside(where: str, what: str) -> UserError:
    return UserError(
        key="load.outside_link",
        what=f"The data are not here: this is {what}, and such links are not followed.",
        where=where,
        way_out="Write the file again with all data in it.",
    )
