"""A control plane inside this process: the API server on a loopback port, with its controllers beside it.

Needs the packages of `dravite[server]`.
"""

from dravite.controllers.kubelets import Habits
from dravite.embedded.control_loop import Work
from dravite.embedded.control_plane import ControlPlane, Place, Running, start

__all__ = ["ControlPlane", "Habits", "Place", "Running", "Work", "start"]
