"""What a server of 1.31 asks of resource.k8s.io/v1alpha3: its only version, and rules that later releases changed.

Lists that are too long are looked at nevertheless, nothing limits expressions and parameters, names have errors of
their own kinds, and drivers with a controller in the control plane have fields of theirs.
"""
