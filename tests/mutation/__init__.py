"""Mutation testing: how many small changes of the sources does a test notice?

    python -m tests.mutation --sample 400 --seed 1 [--folder theory] [--jobs 2]

A seeded sample of mutants, stratified by folder; each is tried against the tests that execute its lines, the fastest first,
until one fails. The score of a folder is the part of its mutants that was caught, without those explained as equivalent in
`equivalent.toml`.

Why a tool of our own. `mutmut` 3 switches mutants on inside trampolines around each function: it leaves out decorated
functions (every kernel) and what runs at import (models, tables, domains), takes no sample, and chooses tests by function. `cosmic-ray` runs
one test command for all mutants, 5 minutes each here; of the operators wanted (see `mutants`) its own lack `min`/`max`,
`all`/`any`, results, arguments and slices, negate `a or b` as `not a or b`, and replace each arithmetic operator by all eleven
others, most of them type errors that any test notices, which flatters a score. Borrowed are coverage.py, which says which test executes which line, and pytest.

What is kept between runs (copies of the project, records of tests, outcomes) is in the user's cache folder.
"""
