"""The paper toolkit: sheets in millimetres, fonts, panels, legends, files with metadata."""
