"""A control plane inside this process: the API server on a loopback port, in a thread or until Ctrl-C.

Needs the packages of `dravite[server]`.
"""

from dravite.embedded.control_plane import ControlPlane, Place, Running, start

__all__ = ["ControlPlane", "Place", "Running", "start"]
