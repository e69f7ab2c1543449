"""The Subject: loading, introspection, type hints and their absence, value pools."""
