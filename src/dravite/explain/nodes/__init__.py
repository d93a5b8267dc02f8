"""Nodes: which part of a selection keeps them out, which publish nothing, and where a pod would not stay."""
