"""XIM Studio: explore gene-expression tables with the Exploratory Inspection Machine."""

__version__ = "0.1.0"
