"""Mutation: small changes of the code under test that a good suite must notice."""
