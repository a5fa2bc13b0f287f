"""Result + look → a figure for paper, drawn without a screen."""

from ximstudio.figures.files import save_figure
from ximstudio.figures.look import Look
from ximstudio.figures.map_figure import map_figure

__all__ = ["Look", "map_figure", "save_figure"]
