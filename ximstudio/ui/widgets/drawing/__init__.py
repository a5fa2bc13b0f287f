"""Drawing items of the views: map, positions, curves, legends.

Arrays in, pixels out. Nothing here knows of runs or results; everything follows the theme.
"""
