"""Recorded runs of the full experiments beside the reports of the paper: intervals over simulations, and verdicts.

A 95% confidence interval decides a range or a bound; if it does not, the verdict is "not comparable", and more
simulations would be needed. A printed curve is compared as in `mbrl.paper.comparison`, with equal tails of 0.5%. All of
this is statistics.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import inf
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from mbrl.arrays import Floats
from mbrl.experiments.intervals import Interval, interval, of_logarithm, per_unit, shown_share
from mbrl.paper.comparison import SIGNIFICANCE, p_value_and_power, resampled_means
from mbrl.paper.printed import PrintedCurve, printed_curves
from proofs_checks.claimcheck.ledger import Verdict
from proofs_checks.claimcheck.ledger.chapter import EntryBuilder
from proofs_checks.claimcheck.statements import Answer, Compared, answer
from proofs_checks.paper.recorded import VARIANCES, Run, recorded_run
from proofs_checks.paper.recorded.runs import RECORD
from proofs_checks.paper.recorded.scaling import recorded_times
from proofs_checks.paper.shared.monte_carlo_noise import standard_deviation
from theory import fraction, nearest_float, rational
from theory.certified import Truth

_SEED = 20231101
LEARNERS = {
    "MB-PSRL": "mb-psrl",
    "MB-UCRL2": "mb-ucrl2",
    "MB-UCBVI": "mb-ucbvi",
    "MB-PSRL with the correct prior": "mb-psrl",
    "MB-PSRL with the incorrect prior": "mb-psrl-gaussian",
    "PSRL with the correct prior": "psrl",
    "PSRL with the incorrect prior": "psrl-gaussian",
}
"""Learners: the paper's names, and the names with which they are run."""


def generator(purpose: str) -> np.random.Generator:
    """Return a random generator for `purpose`, independent of those for other purposes."""
    return np.random.default_rng(np.random.SeedSequence(_SEED, spawn_key=(crc32(purpose.encode()),)))


def final_regret(run: Run, agent: str) -> Floats:
    """Return the cumulative regret over all episodes, one number per unit of replication."""
    return per_unit([row[-1] for row in run.agents[agent].regret], run.models)


@cache
def difference(scenario: str, worse: str, better: str) -> Interval:
    """Return the difference of the final regrets of two learners, with the same horizons."""
    run = recorded_run(scenario)
    apart = final_regret(run, worse) - final_regret(run, better)
    return interval(apart, generator(f"{scenario} {worse} minus {better}"))


@cache
def quotient(scenario: str, *factors: tuple[str, str], path: Path = RECORD) -> Interval:
    """Return the product of quotients of mean final regrets, each of a pair's first learner over its second."""
    run = recorded_run(scenario, path)
    units = np.array([[final_regret(run, agent) for agent in factor] for factor in factors]).transpose(2, 0, 1)
    rng = generator(f"{scenario} {factors}")
    return of_logarithm(interval(units, rng, lambda means: np.log(means[..., 0] / means[..., 1]).sum(axis=-1)))


@cache
def typical_quotient(scenario: str, worse: str, better: str) -> Interval:
    """Return the geometric mean, over the units of replication, of the quotient of two learners' final regrets."""
    run = recorded_run(scenario)
    logarithms = np.log(final_regret(run, worse) / final_regret(run, better))
    return of_logarithm(interval(logarithms, generator(f"{scenario} {worse} by {better}")))


@cache
def typical_quotient_of_deviations(scenario: str, worse: str, better: str) -> Interval:
    """Return the geometric mean over models of the quotient of two learners' standard deviations of final regret."""
    run = recorded_run(scenario)
    finals = [[row[-1] for row in run.agents[agent].regret] for agent in (worse, better)]
    first, second = ([per_unit([x**power for x in final], run.models) for final in finals] for power in (1, 2))
    above, below = np.log(np.array(second) - np.array(first) ** 2) / 2
    return of_logarithm(interval(above - below, generator(f"deviations {scenario} {worse} by {better}")))


@cache
def growth(scenario: str, agent: str) -> Interval:
    """Return the exponent with which mean regret grows from a quarter of the episodes to all of them."""
    paths = np.array(recorded_run(scenario).agents[agent].regret)
    parts, rng = np.log(paths.shape[1]), generator(f"{scenario} {agent}")
    return interval(paths[:, [0, -1]], rng, lambda means: np.log(means[..., 1] / means[..., 0]) / parts)


@cache
def ratio_of_times(scenario: str, agent: str, other: str = "") -> Interval:
    """Return the quotient of the median times of the last and first episodes, or of two learners' last episodes."""
    run = recorded_run(scenario)
    record = run.agents[agent]
    below = run.agents[other].last_milliseconds if other else record.first_milliseconds
    of_times = np.array(record.last_milliseconds) / np.array(below)
    return interval(of_times, generator(f"times {scenario} {agent} {other}"))


def growth_of_times(agent: str) -> float:
    """Return the exponent e if the time of an episode with n arms is c + d n^e.

    It is computed from the three largest numbers of arms, each twice the one before, so that c cancels.
    """
    *_, first, second, third = recorded_times()[agent].values()
    return float(np.log2((third - second) / (second - first)))


def between(found: dict[str, Interval], low: float, high: float, scenario: str, why: str = "") -> Compared:
    """Return whether numbers lie in a range: all do, one does not, or their intervals do not decide."""
    shown = {**{what: str(interval) for what, interval in found.items()}, "made by": recorded_run(scenario).command}
    if all(low <= interval.low and interval.high <= high for interval in found.values()):
        return Compared(Verdict.AGREES, shown)
    if any(interval.high < low or interval.low > high for interval in found.values()):
        return Compared(Verdict.DIFFERS, shown, " ".join(why.split()))
    open_end = "an interval reaches beyond the range, so our simulations leave it open."
    return Compared(Verdict.NOT_COMPARABLE, shown, " ".join(f"{open_end} {why}".split()))


def larger(scenario: str, worse: str, better: str, more: str) -> Compared:
    """Return whether one learner's final regret exceeds that of others, joined by "and", by more than `more`."""
    found = {
        f"regret of {worse} minus that of {other}": difference(scenario, LEARNERS[worse], LEARNERS[other])
        for other in better.split(" and ")
    }
    return between(found, float(fraction(more)), inf, scenario)


def drawn(
    at: EntryBuilder, figure: str, domain: str, learners: Mapping[str, tuple[Verdict, Mapping[str, Any]]]
) -> None:
    """Enter, for each learner of a figure, that its last mean is the one drawn, with a verdict and variants."""
    for name, (verdict, variants) in learners.items():
        at.report(
            f"{figure.removesuffix('_errorbar')}/{LEARNERS[name]}",
            f"After 3000 episodes the average regret of {name} is [[times=1?# times ]]what is drawn. "
            f"[[ours]] Drawn there: {_drawn(figure, LEARNERS[name]).values[-1]:g}.",
            lambda times, agent=LEARNERS[name]: curve(figure, agent, float(fraction(times))),
            domain=domain,
            times=1,
            verdict=verdict,
            **{which: [{"times": each} for each in factors] for which, factors in variants.items()},
        )


def curve(figure: str, agent: str, times: float = 1.0) -> Compared:
    """Return whether the printed average regret after 3000 episodes, times a factor, could come from a run like ours.

    Our simulations are resampled, and from these as many as the paper has are drawn and averaged, so that both
    uncertainties count, however skew the law is. If the paper's regret is by Monte Carlo and ours exact, the standard
    deviation of the noise of equation (42) is added to that of learning, as the two depend on each other.
    """
    printed, run, ours, mean, means = _means(figure, agent)
    value, errors = times * printed.values[-1], printed.errors[-1:]
    shown = {
        "printed, read off the figure": f"{value:g} +- {errors[0]:g}",
        "ours": str(ours),
        "difference, as a share of what is printed": f"{mean[0] / value - 1:+.1%}",
    }
    what = f"p-value, twice the smaller tail of resampled means (below {SIGNIFICANCE:g} it differs)"
    noises = {what: 0.0}
    if run.settings["regret"] != printed.method:  # two readings of equation (42); the first, as printed, decides
        size = (int(printed.episodes[-1]), printed.units)
        noise, apart = standard_deviation(*size), standard_deviation(*size, one_horizon=False)
        noises = {
            f"{what}, with the noise {noise:.3g}": noise,
            f"the same, had oracle and learner a horizon each (noise {apart:.3g})": apart,
        }
    found = {
        name: p_value_and_power(mean + (means - mean) * (1 + noise / means.std()), mean, np.array([value]), errors)
        for name, noise in noises.items()
    }
    share, (below, above) = next(iter(found.values()))
    shown |= {name: shown_share(p) for name, (p, _) in found.items()} | {
        "smallest difference that would be refused": f"{below:.0%} below ours, {above:.0%} above",
        "made by": run.command,
    }
    if share >= SIGNIFICANCE:
        return Compared(Verdict.AGREES, shown)
    return Compared(Verdict.DIFFERS, shown, "the cause is not known: the paper's program is not at hand")


def _drawn(figure: str, agent: str) -> PrintedCurve:
    return next(each for each in printed_curves() if each.figure.startswith(figure) and each.agent == agent)


@cache
def _means(figure: str, agent: str) -> tuple[PrintedCurve, Run, Interval, Floats, Floats]:
    """Return a printed curve, our run, its mean with an interval and alone, and means of as many units as printed."""
    printed = _drawn(figure, agent)
    run = recorded_run(printed.scenario)
    units = final_regret(run, agent)
    ours = interval(units, generator(f"mean of {figure} {agent}"))
    means = resampled_means(units[:, None], printed.units, generator(f"{figure} {agent}"))
    return printed, run, ours, units[None].mean(axis=1), means


def by_local_variances(random_walk: object, task_scheduling: object) -> Answer:
    """Return whether MB-UCBVI-Bernstein's mean regret is at most these multiples of MB-UCBVI's, one per scenario."""
    truth = Truth.YES
    shown: dict[str, str] = {}
    for scenario, factor in (("random-walk", random_walk), ("task-scheduling", task_scheduling)):
        found = quotient(scenario, ("mb-ucbvi-bernstein", "mb-ucbvi"), path=VARIANCES)
        most = nearest_float(rational(factor))
        truth = truth.both(Truth.YES if found.high <= most else Truth.NO if found.low > most else Truth.UNDECIDED)
        shown[f"{scenario}, mb-ucbvi-bernstein over mb-ucbvi"] = str(found)
        shown[f"{scenario}, made by"] = recorded_run(scenario, VARIANCES).command
    return answer(truth, **shown)
