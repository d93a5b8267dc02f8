"""The pods that workloads stand for."""
