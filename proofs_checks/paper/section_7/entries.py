r"""Scenario 1: the reports of the paper's runs, beside recorded runs of ours (Section 7)."""

from __future__ import annotations

from math import inf

from proofs_checks.paper.shared.prelude import *
from proofs_checks.paper.shared.recorded_experiments import (
    LEARNERS, between, drawn, growth, growth_of_times, larger, ratio_of_times,
)
from proofs_checks.paper.recorded.scaling import recorded_times
from theory import fraction

chapter = Chapter()
at = chapter.heading("")
SCENARIO_1 = r"Scenario 1, $\beta = 0.99$, 3000 episodes; the paper's 80 simulations, ours as recorded"

at.printed(500).report("sec:numerical/ucbvi-worst",
    "On average [[worse]] has a larger regret than [[better]][[more=0?, by more than #]].",
    partial(larger, "random-walk"), domain=SCENARIO_1, more=0, worse="MB-UCBVI", better="MB-PSRL and MB-UCRL2",
    verdict=Verdict.AGREES, false={"MB-UCRL2 has the largest": {"worse": "MB-UCRL2", "better": "MB-PSRL and MB-UCBVI"}})

at.printed(501).report("sec:numerical/psrl-best",
    """MB-PSRL performs best. [[ours]] The average regret of [[worse]] is larger than that of [[better]][[more=0?, by
    more than #]]; for MB-UCBVI: `sec:numerical/ucbvi-worst`.""",
    partial(larger, "random-walk"), domain=SCENARIO_1, more=0, worse="MB-UCRL2", better="MB-PSRL",
    verdict=Verdict.AGREES, false={"the other way round": {"worse": "MB-PSRL", "better": "MB-UCRL2"}})

def slower(learner: str, e: str) -> Compared:
    found = {f"exponent of {learner}": growth("random-walk", LEARNERS[learner])}
    return between(found, -inf, float(fraction(e)), "random-walk")

at.printed(501).report("sec:numerical/psrl-growth",
    r"""The average regret of [[learner]] seems to grow more slowly than $O(\sqrt K)$. [[ours]] More slowly than
    $K^{[[e]]}$, between a quarter of the episodes and all of them.""",
    slower, domain=SCENARIO_1, learner="MB-PSRL", e="1/2", verdict=Verdict.AGREES,
    false=[{"learner": "MB-UCBVI"}, {"e": "1/10"}])

drawn(at.printed(1452), "fig:randomwalk_3b4s_errorbar", SCENARIO_1, {
    "MB-PSRL": (Verdict.AGREES, {"false": ("3/4", "2.1")}),
    "MB-UCRL2": (Verdict.DIFFERS, {"false": ("0.98", "1.2")}),
    "MB-UCBVI": (Verdict.AGREES, {"false": ("0.98", "1.02")}),
})

def independent_of_the_episode(learners: str, share: str) -> Compared:
    found = {
        f"{name}, last sixth over first": ratio_of_times("random-walk", LEARNERS[name])
        for name in learners.split(" and ")
    }
    allowed = float(fraction(share))
    return between(found, 1 - allowed, 1 + allowed, "random-walk")

at.printed(504).report("sec:numerical/time-constant",
    r"""How long [[learners]] compute seems not to depend on the number of episodes. [[ours]] Medians over the last and
    the first sixth of the episodes differ by a share of $[[share]]$ at most.""",
    independent_of_the_episode, domain=f"{SCENARIO_1}; times of one machine", learners="MB-PSRL and MB-UCBVI",
    share="0.1", verdict=Verdict.AGREES, false={"with MB-UCRL2 among them": {"learners": "MB-PSRL and MB-UCRL2"}})

def no_slower(learners: str, share: str, other: str = "MB-UCRL2") -> Compared:
    found = {
        f"{name} over {other}": ratio_of_times("random-walk", LEARNERS[name], LEARNERS[other])
        for name in learners.split(" and ")
    }
    return between(found, 0.0, float(fraction(share)), "random-walk")

at.printed(503).report("sec:numerical/time-order",
    r"""By far the fastest are [[learners]], which are based on indices. [[ours]] The median time of an episode, over
    the last sixth of them, is at most $[[share]]$ of that of MB-UCRL2.""",
    no_slower,
    domain=f"{SCENARIO_1}; our compiled loops on one machine, MB-UCRL2 by policy iteration from its last policy",
    learners="MB-PSRL and MB-UCBVI", share="1/3", verdict=Verdict.AGREES, false={"share": "1/6"})

at.printed(505).report("sec:numerical/time-smallest",
    r"""[[learner]] has the smallest computation time of all (so line 496 too). [[ours]] The median time of an episode,
    over the last sixth of them, is at most $[[share]]$ times that of [[other]].""",
    lambda learner, other, share: no_slower(learner, share, other),
    domain=f"{SCENARIO_1}; our compiled loops on one machine", learner="MB-PSRL", other="MB-UCBVI", share=1,
    verdict=Verdict.DIFFERS, false={"share": "3/2"}, true={"share": 3})

def polynomial(learners: str, degree: str) -> Compared:
    names = learners.split(" and ")
    found = {name: growth_of_times(LEARNERS[name]) for name in names}
    times = {name: {n: f"{time:.3g} ms" for n, time in recorded_times()[LEARNERS[name]].items()} for name in names}
    shown = {"exponents": {name: f"{e:.3g}" for name, e in found.items()}, "by number of arms": times}
    if all(abs(e - float(fraction(degree))) < 1 / 2 for e in found.values()):
        return Compared(Verdict.AGREES, shown)
    return Compared(Verdict.DIFFERS, shown)

at.printed(118).report("sec:OFU/time-in-arms",
    r"""The runtime of [[learners]] is linear in the number $n$ of arms. [[ours]] It grows
    like $n^{[[degree]]}$, up to what does not depend on $n$: the exponent of what is added from 32 to 64 and from 64 to
    128 arms is within $1/2$ of [[degree]].""",
    polynomial,
    domain="""copies of the first random walk of Scenario 1, 32, 64 and 128 arms; what the learner computes in an
    episode, median of episodes 2501 to 5000, on one machine""",
    learners="MB-PSRL and MB-UCBVI", degree=1, verdict=Verdict.AGREES,
    false={"quadratic": {"degree": 2}, "the same for any number": {"degree": 0}})

def exponential(learner: str, factor: str) -> Compared:
    times = recorded_times()[LEARNERS[learner]]
    shown = {f"{n} arms": f"{time:.3g} ms" for n, time in times.items()}
    least = float(fraction(factor))
    steeply = all(more > least * fewer for fewer, more in pairwise(times.values()))  # equivalent: never equal
    return Compared(Verdict.AGREES if steeply else Verdict.DIFFERS, shown)

at.printed(118).report("ssec:no-OFU/time-in-arms",
    r"""The runtime of [[learner]] is exponential in the number $n$ of arms. [[ours]] Each arm more multiplies it by
    more than $[[factor]]$, where $S = 4$.""",
    exponential, domain="""copies of the first random walk of Scenario 1, 2 to 6 arms; what
    the learner computes in an episode, by policy iteration, median of episodes 2501 to 5000, on one machine""",
    learner="MB-UCRL2", factor=2, verdict=Verdict.AGREES, false=[{"learner": "MB-PSRL"}, {"factor": 4}])
