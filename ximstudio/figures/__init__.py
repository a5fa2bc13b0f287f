"""Result + look → a figure for paper, drawn without a screen."""

from ximstudio.figures.look import Look, save_figure
from ximstudio.figures.map_figure import map_figure

__all__ = ["Look", "map_figure", "save_figure"]
