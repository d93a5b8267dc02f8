"""Controllers that act on a running API server: what happens there comes in, requests go out, and time is handed in.

What is to be done is decided by pure functions of `lifecycle` and `rehearsal`; here is only the way to a server.
"""
