"""A running cluster as a source: reads what `sources` reads from files, over a kubeconfig, and writes nothing.

It knows where a cluster is and how to ask it; what the answers mean is decided where files are decided. lightkube is
its transport; the objects are dravite's own. Install it with the extra `live`.
"""
