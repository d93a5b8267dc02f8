"""One frozen picture of a cluster, and everything that is asked of it."""
