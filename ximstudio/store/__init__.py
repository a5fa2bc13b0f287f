"""Read and write sessions (.xims), and autosave them for recovery after a crash."""

from ximstudio.store.files import SUFFIX, StoredSession, find_moved, read_session, write_session
from ximstudio.store.references import File, Missing

__all__ = [
    "SUFFIX",
    "File",
    "Missing",
    "StoredSession",
    "find_moved",
    "read_session",
    "write_session",
]
