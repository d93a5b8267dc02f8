"""Why a PodGroup gets what it gets: what came of each domain, what cannot hold together, what would help."""
