"""Files of the Gene Expression Omnibus: series matrix and SOFT."""
