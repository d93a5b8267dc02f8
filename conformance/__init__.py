"""Comparing dravite with what Kubernetes was seen to do. Not part of the package."""
