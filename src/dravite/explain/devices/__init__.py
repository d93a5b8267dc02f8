"""Devices: what each says to a request, what cannot be had together, who holds what, and what a placed pod got."""
