"""What the tests of an existing suite execute, recorded while they run."""
