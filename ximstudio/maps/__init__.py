"""Result → layers to draw."""

from ximstudio.maps.heights import hits, u_matrix

__all__ = ["hits", "u_matrix"]
