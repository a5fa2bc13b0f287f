"""What views and figures draw, as values: the screen and the paper have the same. No Qt."""
