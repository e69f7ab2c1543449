"""Profiles of Hypothesis, for a loaded machine and no database; runs of pytest without it."""

import pytest
from hypothesis import HealthCheck, settings

from unitcraft.execute.command import guarded_command

settings.register_profile(
    "suite", deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", settings.get_profile("suite"), max_examples=2_000)
settings.load_profile("suite")


#: Importing Hypothesis takes three times as long as all else that a small run of pytest does.
LEAN = {"PYTEST_ADDOPTS": "-p no:hypothesispytest"}


@pytest.fixture(autouse=True, scope="session")
def runs_of_pytest_without_the_plugin_of_hypothesis():
    """Those that tests start, and those that unitcraft does."""
    plain = guarded_command.host_environment
    with pytest.MonkeyPatch.context() as patch:
        for name, value in LEAN.items():
            patch.setenv(name, value)
        patch.setattr(
            guarded_command, "host_environment", lambda *details: {**plain(*details), **LEAN}
        )
        yield
