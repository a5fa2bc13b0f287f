"""Write results as figures, tables, images and text."""
