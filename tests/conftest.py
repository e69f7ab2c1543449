"""Profiles of Hypothesis: a loaded machine is no reason to fail, no process shares a database."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "suite", deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", settings.get_profile("suite"), max_examples=2_000)
settings.load_profile("suite")
