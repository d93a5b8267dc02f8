"""Plan and explain Kubernetes Dynamic Resource Allocation.

    import dravite

    snapshot = dravite.build_snapshot(dravite.read(["cluster/", "jobs/"]))
    plan = dravite.make_plan(snapshot)

Every name is loaded when it is first used, so that importing the package costs nothing.
"""

__version__ = "0.1.0"
