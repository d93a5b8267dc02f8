"""What controllers do about claims, groups, taints, workloads and garbage, as pure functions of what there is."""
