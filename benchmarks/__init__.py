"""XIM Studio timed beside its peers and beside what the machine could do at best.

Each comparison runs in one process, its contestants in turn. Never part of the tests.
"""
