"""Selectors, clause by clause: what each part says of the devices, what fails, and how else it could be written."""
