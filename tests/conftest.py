"""One Hypothesis profile: a loaded machine is no reason to fail, and no process shares a database."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "suite", deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("suite")
