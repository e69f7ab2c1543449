"""Goals, tests, selection, shrinking and assertions: from executions to a small Suite."""
