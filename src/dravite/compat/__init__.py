"""The model classes of two Python clients, made from `dravite.api`: code written against either runs without them.

`dravite.compat.kubernetes` has the classes of the official client, `dravite.compat.lightkube.models` those of
lightkube-models, both as of Kubernetes 1.37, for resource.k8s.io, scheduling.k8s.io and what these hold.
"""
