"""One module per group and version, as in lightkube-models."""
