"""What views draw with: the map, the positions, curves, and what explains them.

Arrays in, pixels out. Nothing here knows of runs or results; everything follows the theme.
"""
