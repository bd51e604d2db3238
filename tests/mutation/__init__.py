"""Mutation testing: the share of small changes of the sources that a test detects.

    python -m tests.mutation --sample 100 --seed 1 theory/gittins

A seeded sample of mutants; each is tried, in a copy of the project, against the tests that execute its lines, the fastest
first, until one fails. The first run records which tests those are (all tests, once, under coverage.py). A change that no
test can catch is excused by a comment on its line: ``# equivalent: any seed is as good as another``.

Why a tool of our own: `mutmut` leaves out decorated functions (every kernel) and what runs at import, and takes no sample;
`cosmic-ray` runs one test command for all mutants.
"""
