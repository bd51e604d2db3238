"""Choices that the paper leaves open or states twice; each is an option of the learners concerned.

``run --readings`` plays all combinations of a learner's readings in the same simulations, ``paper`` says which of them
give the printed curves, and ``table --versus`` what each costs. Nothing is tuned: a curve that no reading gives is
reported as such.
"""

from __future__ import annotations

from itertools import product
from types import MappingProxyType
from typing import Final

READINGS: Final = MappingProxyType(
    {
        "next_state=restarted": "X_{t+1} as in the appendix's formula: at an episode's end, where the next one starts",
        "radii=appendix": "radii of Lemma concentration, with tau_k, in place of the main text's",
        "unseen_reward=0.5": "mean reward 1/2 of a state never played, in place of 0",
        "unseen_reward=1": "mean reward 1 of a state never played, in place of 0",
        "largest_reward=1": "optimistic mean rewards cut off at 1: plausible models have rewards in [0, 1]",
        "unseen_rows=stay": "a state never played is left for itself, in place of the uniform row",
        "unseen_rows=zero": "0/0 := 0: a state never played has a row without mass",
        "ties=last": "of equal indices, the last arm's is played",
        "gamma=scale": "the second parameter of the printed Gamma laws is a scale, as in NumPy",
    }
)
"""Options other than ours, and the reading in words, with its source."""

QUESTIONS: Final = MappingProxyType(
    {
        "mb-psrl": "next_state=restarted",
        "mb-psrl-gaussian": "next_state=restarted gamma=scale",
        "psrl": "next_state=restarted",
        "psrl-gaussian": "next_state=restarted gamma=scale",
        "mb-ucrl2": "radii=appendix largest_reward=1 unseen_reward=0.5|unseen_reward=1 next_state=restarted",
        "mb-ucbvi": "radii=appendix unseen_rows=stay|unseen_rows=zero unseen_reward=0.5|unseen_reward=1 ties=last "
        "next_state=restarted",
    }
)
"""By learner: the open questions, each with the choices other than ours."""


def readings_of(agent: str) -> list[str]:
    """Return every combination of readings of a learner, as the learner's name with options; ours first.

    Examples
    --------
    >>> for name in readings_of("mb-psrl-gaussian"):
    ...     print(name)
    mb-psrl-gaussian
    mb-psrl-gaussian/gamma=scale
    mb-psrl-gaussian/next_state=restarted
    mb-psrl-gaussian/next_state=restarted/gamma=scale
    >>> readings_of("random")
    ['random']
    """
    choices = product(*(("", *question.split("|")) for question in QUESTIONS.get(agent, "").split()))
    return ["/".join([agent, *filter(None, chosen)]) for chosen in choices]
