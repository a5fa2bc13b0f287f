"""Table → Table: recipes of steps, with what they learn and what they remove."""
