"""Choices that the paper leaves open or states twice, and their effects on regret.

Each choice is an option of the learners concerned. All combinations of a learner's readings play the same simulations
as our own choices; the cost of each is measured, and whether it gives the printed curve. Nothing is tuned: a curve that
no reading gives is reported as such.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from typing import Final

from mbrl.experiments.dataset import Saved
from mbrl.experiments.summary import AgentSummary, summarise
from mbrl.paper.comparison import Comparison, compare
from mbrl.paper.printed import PrintedCurve, printed_curves
from theory import BanditError

BESIDE: Final = ("random", "gittins-q")
"""Learners that are shown beside those of each scenario, without readings."""

METHODS: Final[MappingProxyType[str, str]] = MappingProxyType(
    {"random-walk": "expected", "task-scheduling": "monte-carlo", "random-models": "expected"}
)
"""How the paper computes regret in each scenario."""


@dataclass(frozen=True)
class Reading:
    """A choice other than ours, where the paper leaves one.

    Attributes
    ----------
    option : str
        Option of the learner, as ``name=value``.
    what : str
        The reading in words, and its source.
    """

    option: str
    what: str


_NEXT_STATE: Final = Reading(
    "next_state=restarted", "X_{t+1} as the appendix's formula has it: at an episode's end, where the next one starts"
)
_RADII: Final = Reading("radii=appendix", "radii of Lemma concentration, with tau_k, in place of the main text's")
_UNSEEN_HALF: Final = Reading("unseen_reward=0.5", "mean reward 1/2 of a state never played, in place of 0")
_UNSEEN_ONE: Final = Reading("unseen_reward=1", "mean reward 1 of a state never played, in place of 0")
_CUT: Final = Reading(
    "largest_reward=1", "optimistic mean rewards cut off at 1: plausible models have rewards in [0, 1]"
)
_STAY: Final = Reading("unseen_rows=stay", "a state never played is left for itself, in place of the uniform row")
_ZERO: Final = Reading("unseen_rows=zero", "0/0 := 0: a state never played has a row without mass")
_LAST: Final = Reading("ties=last", "of equal indices, the last arm's is played")
_SCALE: Final = Reading("gamma=scale", "the second parameter of the printed Gamma laws is a scale, as in NumPy")

READINGS: Final[MappingProxyType[str, tuple[tuple[Reading, ...], ...]]] = MappingProxyType(
    {
        "mb-psrl": ((_NEXT_STATE,),),
        "mb-psrl-gaussian": ((_NEXT_STATE,), (_SCALE,)),
        "psrl": ((_NEXT_STATE,),),
        "psrl-gaussian": ((_NEXT_STATE,), (_SCALE,)),
        "mb-ucrl2": ((_RADII,), (_CUT,), (_UNSEEN_HALF, _UNSEEN_ONE), (_NEXT_STATE,)),
        "mb-ucbvi": ((_RADII,), (_STAY, _ZERO), (_UNSEEN_HALF, _UNSEEN_ONE), (_LAST,), (_NEXT_STATE,)),
    }
)
"""By learner: the open questions, each with the choices other than ours."""

AGENTS: Final[MappingProxyType[str, tuple[str, ...]]] = MappingProxyType(
    {
        "random-walk": ("mb-psrl", "mb-ucrl2", "mb-ucbvi"),
        "task-scheduling": ("mb-psrl", "mb-ucbvi"),
        "random-models": ("mb-psrl", "mb-psrl-gaussian", "psrl", "psrl-gaussian"),
    }
)
"""The learners of the paper's figures, by scenario."""


def readings_of(agent: str) -> Iterator[tuple[str, tuple[Reading, ...]]]:
    """Yield every combination of readings of a learner: the learner's name with options, and the readings; ours first.

    Examples
    --------
    >>> [name for name, _ in readings_of("mb-psrl-gaussian")]
    ['mb-psrl-gaussian', 'mb-psrl-gaussian/gamma=scale', 'mb-psrl-gaussian/next_state=restarted', \
'mb-psrl-gaussian/next_state=restarted/gamma=scale']
    """
    for choice in product(*((None, *choices) for choices in READINGS[agent])):
        chosen = tuple(reading for reading in choice if reading is not None)
        yield "/".join([agent, *(reading.option for reading in chosen)]), chosen


def learners_of(scenario: str, chosen: Sequence[str] | None = None) -> tuple[str, ...]:
    """Return the learners of a scenario's figures, or the chosen ones among them.

    Raises
    ------
    BanditError
        If the paper has no figure of the scenario, or of a learner in it.

    Examples
    --------
    >>> learners_of("random-models", ["mb-psrl", "mb-psrl-gaussian"])
    ('mb-psrl', 'mb-psrl-gaussian')
    """
    if scenario not in AGENTS:
        raise BanditError(f"the paper has no figure of {scenario!r}; it has some of {', '.join(AGENTS)}")
    if chosen is None:
        return AGENTS[scenario]
    names = tuple(dict.fromkeys(name.strip() for name in chosen))
    for name in names:
        if name not in AGENTS[scenario]:
            there_are = ", ".join(AGENTS[scenario])
            raise BanditError(f"the paper has no curve of {name!r} in {scenario}; it has those of {there_are}")
    return names


def agents_to_run(scenario: str, learners: Sequence[str]) -> tuple[str, ...]:
    """Return the names of all learners that the tables for `learners` need.

    Examples
    --------
    >>> agents_to_run("random-walk", ["mb-psrl"]), agents_to_run("random-models", ["mb-psrl"])[2:]
    (('mb-psrl', 'mb-psrl/next_state=restarted', 'random', 'gittins-q'), ())
    """
    names = [name for agent in learners for name, _ in readings_of(agent)]
    return (*names, *(BESIDE if scenario != "random-models" else ()))


@dataclass(frozen=True)
class Effect:
    """The effect of one combination of readings.

    Attributes
    ----------
    agent : str
        The learner with these readings, as it was run.
    readings : tuple of Reading
        The readings; None for each question with our choice.
    summary : AgentSummary
        Its final regret; `ratio` is the ratio to our choice.
    comparisons : tuple of Comparison
        Comparisons with the printed curves of the learner.

    Examples
    --------
    >>> from mbrl.paper.comparison import Comparison
    >>> kinds = {"agrees": 0.5, "differs": 0.25, "not comparable": 0.125}
    >>> some = [Comparison("fig:x", "toy", kind, "", share, (0.0, 0.0), ()) for kind, share in kinds.items()]
    >>> shown = [Effect("toy", (), None, tuple(chosen)) for chosen in (some, some[::2], some[2:])]
    >>> [each.gives_the_printed_curves for each in shown], [each.share for each in shown]
    ([False, True, False], [0.25, 0.5, 0.0])
    """

    agent: str
    readings: tuple[Reading, ...]
    summary: AgentSummary
    comparisons: tuple[Comparison, ...]

    @property
    def gives_the_printed_curves(self) -> bool:
        """Whether it agrees with all comparable printed curves, of which there is at least one."""
        judged = [comparison for comparison in self.comparisons if comparison.verdict != "not comparable"]
        return bool(judged) and all(comparison.verdict == "agrees" for comparison in judged)

    @property
    def share(self) -> float:
        """The smallest p-value of the comparisons; 0 if none is comparable."""
        shares = [comparison.p_value for comparison in self.comparisons if comparison.verdict != "not comparable"]
        return min(shares, default=0.0)


def effects(regret: Saved, timing: Saved, agent: str) -> list[Effect]:
    """Return the effects of all combinations of a learner's readings that were run, ours first.

    Raises
    ------
    BanditError
        If the learner was not run with our own choices.
    """
    wanted = {name: chosen for name, chosen in readings_of(agent) if name in regret.agents}
    summaries = {line.agent: line for line in summarise(regret.select(wanted), timing.select(wanted), versus=agent)}
    curves = _curves_of(str(regret.attributes["scenario"]), agent)
    return [
        Effect(name, chosen, summaries[name], tuple(compare(curve, regret, name) for curve in curves))
        for name, chosen in wanted.items()
    ]


def _curves_of(scenario: str, agent: str) -> Sequence[PrintedCurve]:
    """Return the printed curves of a learner.

    >>> {(curve.scenario, curve.agent) for curve in _curves_of("random-walk", "mb-psrl")}
    {('random-walk', 'mb-psrl')}
    """
    return [curve for curve in printed_curves() if curve.scenario == scenario and curve.agent == agent]
