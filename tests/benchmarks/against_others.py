"""This project beside other programs, measured in one run: ``python -m tests.benchmarks.against_others > OTHERS.md``.

Two problems that several programs solve: the Gittins indices of one arm, and the optimal value of a bandit. Each program
gets ever larger instances, each in a process of its own on one thread, until one takes more than `LIMIT` seconds of CPU.
The time is that of one call, after a first one that compiles. Building the product of the arms is part of the call,
because a program for general decision processes needs it. The first table names programs that are not installed.
The extra ``peers`` and, by hand, ``pip install pymdptoolbox`` install them.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import numpy as np
from flint import fmpq

from tests.peers.models import as_arrays, product_chain, product_process, random_arm
from theory import Bandit, enclosed_indices, gittins_indices, gittins_value, nearest_float, prism_model

LIMIT = 5  # seconds of CPU
SHORTEST = 0.2  # seconds; a quick call is repeated for so long
BETA = fmpq(99, 100)
STATES = (10, 100, 400, 1000)
COMPARED = 100  # states up to which the indices are compared with the exact ones
ARMS = (2, 3, 4, 5, 100)
PER_ARM = 8


def ours_exactly(arm):
    return [nearest_float(index) for index in gittins_indices(arm, BETA)]


def ours_enclosed(arm):
    return [float(index.decimals(15)[0]) for index in enclosed_indices(Bandit([arm], BETA)).indices[0]]


def ours_in_floats(arm):
    from mbrl.kernels import gittins_indices as in_floats

    return in_floats(*arm, nearest_float(BETA))


def markovianbandit(arm):
    import markovianbandit

    return markovianbandit.rested_bandit_from_P1_R1(*arm).gittins_indices(discount=nearest_float(BETA))


def our_value(bandit):
    return nearest_float(gittins_value(bandit).value)


def our_value_in_floats(bandit):
    from mbrl.environments import from_bandit

    played = from_bandit(bandit, "chains")
    return float(played.optimal_value(played.starts[0]))


def sparse_process(bandit: Bandit) -> tuple[list[Any], np.ndarray, int]:
    """Return a sparse matrix of transitions for each arm, the rewards (N, n), and the number of the initial state."""
    start = int(np.ravel_multi_index(bandit.initial, bandit.sizes))
    return *product_process([as_arrays(arm) for arm in bandit.arms]), start


def quantecon(bandit):
    from quantecon.markov import DiscreteDP
    from scipy.sparse import vstack

    matrices, rewards, start = sparse_process(bandit)
    states, arms = rewards.shape
    order = np.arange(states * arms).reshape(arms, states).T.ravel()  # by state, then by arm, as DiscreteDP wants it
    rows = vstack(matrices, format="csr")[order]
    pairs = np.repeat(np.arange(states), arms), np.tile(np.arange(arms), states)
    solved = DiscreteDP(rewards.ravel(), rows, nearest_float(BETA), *pairs).solve(method="policy_iteration")
    return solved.v[start]


def pymdptoolbox(bandit):
    from mdptoolbox.mdp import PolicyIteration

    matrices, rewards, start = sparse_process(bandit)
    solver = PolicyIteration(matrices, rewards, nearest_float(BETA))
    solver.run()
    return solver.V[start]


def storm(bandit):
    from proofs_checks.trials.soak.routes.storm import exact_value

    with TemporaryDirectory() as folder:
        path = Path(folder) / "chains.prism"
        path.write_text(prism_model(bandit), encoding="utf-8")
        return nearest_float(exact_value(path))


INDICES: dict[str, Callable[[Any], Any]] = {
    "theory, exact": ours_exactly,
    "theory, enclosed": ours_enclosed,
    "mbrl, floats": ours_in_floats,
    "markovianbandit-pkg": markovianbandit,
}
VALUES: dict[str, Callable[[Any], Any]] = {
    "theory, exact": our_value,
    "mbrl, floats": our_value_in_floats,
    "QuantEcon": quantecon,
    "pymdptoolbox": pymdptoolbox,
    "Storm": storm,
}
WHAT = (  # program, its package, what it computes, in which numbers
    ("this project", "markovian-bandits-companion", "indices, values, extended value iteration; rested arms only", "exact, balls, floats"),
    ("markovianbandit-pkg", "markovianbandit-pkg", "Gittins and Whittle indices; rested and restless arms", "floats"),
    ("QuantEcon", "quantecon", "optimal values and policies of any finite decision process", "floats"),
    ("pymdptoolbox", "pymdptoolbox", "optimal values and policies of any finite decision process", "floats"),
    ("Storm (stormpy)", "stormpy", "values and probabilities in any finite Markov model", "exact or floats"),
)  # fmt: skip


def instance(problem: str, size: int) -> Any:
    return random_arm(size) if problem == "indices" else product_chain(size, PER_ARM)


def measured(problem: str, program: str, size: int) -> dict[str, float]:
    """Return the CPU seconds of a call, and the largest error."""
    call = (INDICES if problem == "indices" else VALUES)[program]
    given = instance(problem, size)
    in_floats = program in ("mbrl, floats", "markovianbandit-pkg") and problem == "indices"
    large, small = ((as_arrays(arm) if in_floats else arm) for arm in (given, instance(problem, 2)))
    call(small)
    begin, calls = process_time(), 0
    found = call(large)  # compiles what larger instances need
    seconds = process_time() - begin
    if seconds < LIMIT:
        begin = process_time()
        while process_time() - begin < SHORTEST:
            found, calls = call(large), calls + 1
        seconds = (process_time() - begin) / calls
    if problem == "indices" and size > COMPARED:
        return {"seconds": seconds, "error": 0.0}
    true = ours_exactly(given) if problem == "indices" else our_value(given)
    return {"seconds": seconds, "error": float(np.abs(np.asarray(found) - true).max())}


def in_a_process(problem: str, program: str, size: int) -> dict[str, float] | str:
    """Return what `measured` returns, or why there is no answer."""

    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (5 * LIMIT, 5 * LIMIT))  # comparison included
        resource.setrlimit(resource.RLIMIT_AS, (4 * 2**30, 4 * 2**30))

    one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.benchmarks.against_others", problem, program, str(size)],
        capture_output=True, text=True, check=False, env=os.environ | one, preexec_fn=limits,
    )  # fmt: skip
    if done.returncode == 0:
        return json.loads(done.stdout.splitlines()[-1])
    last_lines = done.stderr.strip().splitlines()[-1:] or [f"ended by signal {-done.returncode}"]
    return last_lines[0]


def ladder(problem: str, programs: list[str], sizes: tuple[int, ...]) -> dict[str, dict[int, Any]]:
    """Return the results of every program by size; a program gets no larger size after one that is too slow."""
    found: dict[str, dict[int, Any]] = {program: {} for program in programs}
    open_ones = list(programs)
    for size in sizes:
        for program in list(open_ones):
            answer = found[program][size] = in_a_process(problem, program, size)
            print(problem, program, size, answer, file=sys.stderr, flush=True)
            if isinstance(answer, str) or answer["seconds"] > LIMIT:
                open_ones.remove(program)
    return found


def table(found: dict[str, dict[int, Any]], sizes: list[int], unit: str) -> list[str]:
    """Return the lines of a table: seconds at some sizes, the largest size, the largest error."""
    lines = [
        f"| program | {' | '.join(f'{size} {unit}' for size in sizes)} | largest within {LIMIT} s | largest error |"
    ]
    lines.append("|" + "---|" * (len(sizes) + 3))
    for program, of_size in found.items():
        good = {size: a for size, a in of_size.items() if not isinstance(a, str) and a["seconds"] <= LIMIT}
        cells = [f"{good[size]['seconds']:.2g} s" if size in good else "-" for size in sizes]
        error = max((a["error"] for a in good.values()), default=float("nan"))
        lines.append(f"| {program} | {' | '.join(cells)} | {max(good, default='none')} {unit} | {error:.1g} |")
    return lines


def machine() -> str:
    model = next((line.partition(":")[2].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")), platform.processor())  # fmt: skip
    return f"{model}, Python {platform.python_version()}"


def main() -> None:
    versions = {}
    for _, package, _, _ in WHAT:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = None
    there = {package for package, found in versions.items() if found}
    indices = [name for name in INDICES if name != "markovianbandit-pkg" or name in there]
    others = {"QuantEcon": "quantecon", "pymdptoolbox": "pymdptoolbox", "Storm": "stormpy"}
    values = [name for name in VALUES if others.get(name) is None or others[name] in there]
    print("# This project beside other programs\n")
    print("| program | version | computes | numbers |\n|---|---|---|---|")
    for name, package, computes, numbers in WHAT:
        print(f"| {name} | {versions[package] or 'not installed'} | {computes} | {numbers} |")
    print(f"\nSeconds of CPU on one thread of {machine()}; discount {BETA}.\n")
    print("Gittins indices of one arm with rows of random numbers, all positive:\n")
    print("\n".join(table(ladder("indices", indices, STATES), [10, 100, 1000], "states")))
    print(f"\nOptimal value of a bandit, each arm a chain of {PER_ARM} states; n arms are {PER_ARM}^n states to all but this project:\n")  # fmt: skip
    print("\n".join(table(ladder("values", values, ARMS), [2, 3, 4, 100], "arms")))
    states, arms = (f"{', '.join(map(str, sizes[:-1]))} and {sizes[-1]}" for sizes in (STATES, ARMS))
    print(
        f"\nA dash is no answer within {LIMIT} s. Sizes that were tried: {states} states; {arms} arms. Errors are those\n"
        f"against the exact answers, of indices up to {COMPARED} states. Measured by `python -m {__spec__.name}`."
    )


if __name__ == "__main__":
    if sys.argv[1:]:
        problem, program, size = sys.argv[1:]
        print(json.dumps(measured(problem, program, int(size))))
    else:
        main()
