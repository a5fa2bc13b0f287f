"""The Data step: the table, how it was read, and the doctor's findings."""
