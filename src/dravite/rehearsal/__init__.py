"""A cluster played in virtual time: what its controllers, scheduler and kubelets bring about, step by step."""
