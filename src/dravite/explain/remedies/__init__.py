"""What could be done: advice as values, proposals kind by kind, and the plan that shows which of them work."""
