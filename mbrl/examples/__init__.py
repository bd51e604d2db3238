"""Examples to start from, which run as they are; ``python -m mbrl example NAME`` prints them.

* ``bandit``, a model file with Gaussian rewards: ``python -m mbrl example bandit > bandit.json``
* ``learner``, in fifteen lines: ``python -m mbrl run bandit.json --out DIR --agents mbrl.examples.learner:Myopic``
* ``scenario``, of several models: ``python -m mbrl run mbrl.examples.scenario:random_machines --out DIR``
* ``notebook``, from a log to indices, their proof, and learners: ``python -m mbrl example notebook > first.ipynb``
* ``other-library``: ``python -m mbrl.examples.other_library`` (extra ``rl``)
"""
