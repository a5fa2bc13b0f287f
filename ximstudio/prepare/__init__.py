"""Table → Table: a recipe of steps, what they learn, and what they leave out."""
