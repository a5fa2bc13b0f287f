"""Dialogs: help, importing, exporting, exploring."""
