"""Forms made from declared parameters."""
