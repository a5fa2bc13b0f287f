"""The compute lane."""

from ximstudio.jobs.lane import Lane, Stopped, Task

__all__ = ["Lane", "Stopped", "Task"]
