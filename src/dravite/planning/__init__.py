"""The whole question: where would everything that waits run."""
