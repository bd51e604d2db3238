"""Empirical statements, from recorded runs of the full experiments (`proofs_checks.recorded`).

Each is decided by a 95% confidence interval over simulations, and is statistics: `tested`, with their number.
Where the interval leaves a statement open, it is undecided.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from mbrl.experiments.intervals import Floats, Interval, bootstrap_interval, mean_interval, per_unit
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds
from proofs_checks.recorded import Run, recorded_run
from proofs_checks.recorded.scaling import recorded_times

SECTION = "Numerical experiments"
SCENARIO_1 = "scenario 1, 80 simulations of 3000 episodes, beta = 0.99, as recorded"
SCENARIO_2 = "scenario 2, 240 simulations of 3000 episodes, beta = 0.99, as recorded"
SCENARIO_3 = "scenario 3, 16 random models with 5 simulations each, 3000 episodes, beta = 0.99, as recorded"


def final_regret(run: Run, agent: str) -> Floats:
    """Return the cumulative regret of all episodes, one number per unit of replication."""
    return per_unit([row[-1] for row in run.agents[agent].regret], run.models)


def _above(interval: Interval, bound: float, run: Run, what: str) -> Finding:
    """Decide whether the estimated number exceeds `bound`, as far as its interval allows."""
    simulations = len(run.models)
    reason = f"Statistics over simulations, made by: {run.command}"
    if interval.low > bound:
        return holds(Evidence.TESTED, instances=simulations, reason=reason, **{what: str(interval)})
    if interval.high < bound:
        witness = {what: str(interval), "bound": f"{bound:g}"}
        return fails(witness, evidence=Evidence.TESTED, instances=simulations, reason=reason)
    open_ = f"The interval of {what} holds {bound:g}: {interval}. {reason}"
    return Finding(Verdict.UNDECIDED, Evidence.TESTED, {what: str(interval)}, reason=open_, instances=simulations)


def _worse(book: Book, scenario: str, worse: str, better: str) -> Finding:
    run = recorded_run(scenario)
    gap = mean_interval(final_regret(run, worse) - final_regret(run, better))
    return _above(gap, 0.0, run, f"regret of {worse} minus that of {better}, same horizons")


@claim(
    "sec:numerical/ucbvi-worst",
    section=SECTION,
    statement="In scenario 1 the average regret of MB-UCBVI is larger than those of MB-PSRL and MB-UCRL2.",
    domain=SCENARIO_1,
    evidence=Evidence.TESTED,
    mutants={"MB-UCRL2 has the largest": {"worse": "mb-ucrl2", "others": ("mb-psrl", "mb-ucbvi")}},
)
def ucbvi_worst(book: Book, worse: str = "mb-ucbvi", others: tuple[str, ...] = ("mb-psrl", "mb-ucrl2")) -> Finding:
    """Find the comparison that is least clear; all must hold."""
    findings = [_worse(book, "random-walk", worse, other) for other in others]
    return min(findings, key=lambda finding: finding.stands)


@claim(
    "sec:numerical/psrl-best",
    section=SECTION,
    statement="In scenario 1 the average regret of MB-PSRL is smaller than that of MB-UCRL2.",
    domain=SCENARIO_1,
    evidence=Evidence.TESTED,
    mutants={"the other way round": {"worse": "mb-psrl", "better": "mb-ucrl2"}},
)
def psrl_best(book: Book, worse: str = "mb-ucrl2", better: str = "mb-psrl") -> Finding:
    return _worse(book, "random-walk", worse, better)


@claim(
    "sec:numerical/psrl-growth",
    section=SECTION,
    statement="""In scenario 1 the average regret of MB-PSRL grows more slowly than sqrt(K): the exponent between a
    quarter of the episodes and all of them is below 1/2.""",
    domain=SCENARIO_1,
    evidence=Evidence.TESTED,
    mutants={"MB-UCBVI in place of MB-PSRL": {"agent": "mb-ucbvi"}},
)
def psrl_growth(book: Book, agent: str = "mb-psrl", exponent: float = 0.5) -> Finding:
    run = recorded_run("random-walk")
    paths = np.array(run.agents[agent].regret)

    def growth(chosen: Floats) -> float:
        means = chosen.mean(axis=0)
        return float(np.log(means[-1] / means[0]) / np.log(paths.shape[1]))

    found = bootstrap_interval(paths, growth, book.generator("sec:numerical/psrl-growth"))
    slower = Interval(exponent - found.estimate, exponent - found.high, exponent - found.low, found.units)
    return _above(slower, 0.0, run, f"{exponent:g} minus the exponent of {agent}")


@claim(
    "sssec:task_scheduling/order",
    section=SECTION,
    statement="In scenario 2 the average regret of MB-PSRL is smaller than that of MB-UCBVI.",
    domain=SCENARIO_2,
    evidence=Evidence.TESTED,
    mutants={"the other way round": {"worse": "mb-psrl", "better": "mb-ucbvi"}},
)
def scenario_2_order(book: Book, worse: str = "mb-ucbvi", better: str = "mb-psrl") -> Finding:
    return _worse(book, "task-scheduling", worse, better)


def _quotient(book: Book, numerator: str, denominator: str, purpose: str) -> tuple[Run, Interval]:
    run = recorded_run("random-models")
    pairs = np.stack([final_regret(run, numerator), final_regret(run, denominator)], axis=1)
    found = bootstrap_interval(
        pairs, lambda chosen: float(chosen[:, 0].mean() / chosen[:, 1].mean()), book.generator(purpose)
    )
    return run, found


@claim(
    "ssec:prior/psrl",
    section=SECTION,
    statement="In scenario 3 the wrong prior of the rewards makes the average regret of PSRL larger.",
    domain=SCENARIO_3,
    evidence=Evidence.TESTED,
    mutants={"it makes it more than four times as large": {"factor": 4.0}},
)
def wrong_prior_psrl(book: Book, factor: float = 1.0) -> Finding:
    run, found = _quotient(book, "psrl-gaussian", "psrl", "ssec:prior/psrl")
    return _above(found, factor, run, "regret of PSRL with the wrong prior, over that with the right one")


@claim(
    "ssec:prior/mb-psrl",
    section=SECTION,
    statement="In scenario 3 MB-PSRL performs better, in average regret, when its prior is the right one.",
    domain=SCENARIO_3,
    evidence=Evidence.TESTED,
    verdict=Verdict.UNDECIDED,
    mutants={"by a factor of more than four": {"factor": 4.0}},
    controls={"by a factor of more than 1/100": {"factor": 0.01}},
)
def wrong_prior_mb_psrl(book: Book, factor: float = 1.0) -> Finding:
    run, found = _quotient(book, "mb-psrl-gaussian", "mb-psrl", "ssec:prior/mb-psrl")
    return _above(found, factor, run, "regret of MB-PSRL with the wrong prior, over that with the right one")


@claim(
    "ssec:prior/structure",
    section=SECTION,
    statement="""In scenario 3 MB-PSRL with the wrong prior has a smaller average regret than PSRL with the right one:
    the arms' structure outweighs the prior.""",
    domain=SCENARIO_3,
    evidence=Evidence.TESTED,
    printed=False,
    mutants={"the other way round": {"worse": "mb-psrl-gaussian", "better": "psrl"}},
)
def structure_outweighs_prior(book: Book, worse: str = "psrl", better: str = "mb-psrl-gaussian") -> Finding:
    return _worse(book, "random-models", worse, better)


@claim(
    "sec:numerical/time-constant",
    section=SECTION,
    statement="""In scenario 1 the time that MB-PSRL and MB-UCBVI take per episode does not depend on the episode: over
    the last sixth of the episodes its median is within 15% of that over the first.""",
    domain=SCENARIO_1,
    evidence=Evidence.TESTED,
    mutants={"within 0.01%": {"share": 0.0001}},
)
def time_constant(book: Book, share: float = 0.15) -> Finding:
    run = recorded_run("random-walk")
    found = {agent: _time_ratio(run, agent) for agent in ("mb-psrl", "mb-ucbvi")}
    shown = {f"{agent}, last over first": str(ratio) for agent, ratio in found.items()}
    reason = f"Times of one machine. Statistics over simulations, made by: {run.command}"
    if all(1 - share < ratio.low and ratio.high < 1 + share for ratio in found.values()):
        return holds(Evidence.TESTED, instances=len(run.models), reason=reason, **shown)
    return fails(shown, evidence=Evidence.TESTED, instances=len(run.models), reason=reason)


def _time_ratio(run: Run, agent: str) -> Interval:
    record = run.agents[agent]
    return mean_interval(np.array(record.last_milliseconds) / np.array(record.first_milliseconds))


@claim(
    "sec:numerical/time-order",
    section=SECTION,
    statement="""In scenario 1 MB-PSRL and MB-UCBVI take far less time per episode than MB-UCRL2: less than a tenth.""",
    domain=SCENARIO_1 + "; extended value iteration by policy iteration, started from the episode before",
    verdict=Verdict.FAILS,
    evidence=Evidence.TESTED,
    mutants={"less than a hundredth": {"share": 0.01}},
    controls={"less than ten times": {"share": 10.0}},
)
def time_order(book: Book, share: float = 0.1) -> Finding:
    """Compare medians; the printed figure is of another implementation, which this cannot speak of."""
    run = recorded_run("random-walk")
    slow = np.array(run.agents["mb-ucrl2"].last_milliseconds)
    found = {
        agent: mean_interval(np.array(run.agents[agent].last_milliseconds) / slow) for agent in ("mb-psrl", "mb-ucbvi")
    }
    shown = {f"{agent} over mb-ucrl2": str(ratio) for agent, ratio in found.items()}
    reason = f"On 64 global states policy iteration with a warm start is as fast. Times of one machine, {run.command}"
    if all(ratio.high < share for ratio in found.values()):
        return holds(Evidence.TESTED, instances=len(run.models), reason=reason, **shown)
    return fails(shown, evidence=Evidence.TESTED, instances=len(run.models), reason=reason)


@claim(
    "sec:OFU/time-in-arms",
    section=SECTION,
    statement="""The time of MB-PSRL and of MB-UCBVI per episode grows at most linearly in the number of arms:
    doubling it never more than doubles the time, up to 40% for noise.""",
    domain="copies of the first random walk of scenario 1, 4 to 128 arms, times of one machine as recorded",
    evidence=Evidence.TESTED,
    mutants={"MB-UCRL2 among them": {"agents": ("mb-psrl", "mb-ucrl2")}},
)
def time_in_arms(book: Book, agents: tuple[str, ...] = ("mb-psrl", "mb-ucbvi"), share: float = 1.4) -> Finding:
    times = {agent: recorded_times()[agent] for agent in agents}
    shown = {agent: _milliseconds(of_agent) for agent, of_agent in times.items()}
    for of_agent in times.values():
        for (n, fewer), (m, more) in pairwise(of_agent.items()):
            if more > share * fewer * m / n:
                return fails(shown, evidence=Evidence.TESTED, instances=len(of_agent))
    return holds(Evidence.TESTED, instances=sum(map(len, times.values())), milliseconds=shown)


@claim(
    "ssec:no-OFU/time-in-arms",
    section=SECTION,
    statement="""The time of MB-UCRL2 per episode grows exponentially in the number of arms: from 3 arms on, one more
    multiplies it by more than the number S = 4 of their states.""",
    domain="copies of the first random walk of scenario 1, 3 to 5 arms, times of one machine as recorded",
    evidence=Evidence.TESTED,
    mutants={"so does that of MB-PSRL": {"agent": "mb-psrl"}},
)
def exponential_time(book: Book, agent: str = "mb-ucrl2", factor: float = 4.0) -> Finding:
    times = {n: time for n, time in recorded_times()[agent].items() if n > 2}
    if all(more > factor * fewer for fewer, more in pairwise(times.values())):
        return holds(Evidence.TESTED, instances=len(times), milliseconds=_milliseconds(times))
    return fails(_milliseconds(times), evidence=Evidence.TESTED, instances=len(times))


def _milliseconds(times: dict[int, float]) -> dict[str, str]:
    return {f"{n} arms": f"{time:.4g} ms" for n, time in times.items()}
