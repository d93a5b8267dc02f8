"""What the controllers around claims do, as pure functions of a snapshot."""
