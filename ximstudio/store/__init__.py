"""Read and write sessions (.xims), and autosave them for recovery after a crash."""

from ximstudio.store.files import StoredSession, find_moved, read_session, write_session
from ximstudio.store.references import File, Missing
from ximstudio.store.save_locations import SUFFIX

__all__ = [
    "SUFFIX",
    "File",
    "Missing",
    "StoredSession",
    "find_moved",
    "read_session",
    "write_session",
]
