"""Objects that are named: what is there in place of a missing one, where pods come from, and edits by field path."""
