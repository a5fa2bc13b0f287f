"""Dialogs that explore a trained map: clusters, similar items, projected items."""
