"""Print a replayed run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from proofs_checks.trials.replays.history import Confidence, Learner
from proofs_checks.trials.replays.replaying import Replay
from theory import PAPER_MODELS, Bandit, paper_model, read_model
from theory.certified import Truth
from theory.enclosures import Enclosure
from theory.terminal.console import console, table

_DIGITS = 6
_SAID = {True: "yes", False: "no", None: ""}


def model_to_replay(source: str) -> Bandit:
    """Return the model of a file, or a model of the paper by name.

    Raises
    ------
    ModelError, NumberError
        If there is no such file, or it does not describe a bandit.
    """
    return paper_model(source) if source in PAPER_MODELS and not Path(source).exists() else read_model(source)


def replay_content(learner: Learner, confidence: Confidence, found: Replay) -> dict[str, Any]:
    """Return a replay as a JSON object."""
    return {
        "learner": learner,
        "radii": confidence.radii,
        "share": str(confidence.share),
        "episodes": len(found.episodes),
        "defined": found.defined,
        "event": found.with_event,
        "optimistic": found.optimistic,
        "optimistic_with_event": found.optimistic_with_event,
        "recursion": found.with_recursion,
        "stands": found.stands,
        "rows": [{name: _plain(value) for name, value in vars(each).items()} for each in found.episodes],
    }


def print_replay(learner: Learner, confidence: Confidence, found: Replay) -> None:
    """Print a replay as a table, one line per episode, and its sums.

    Examples
    --------
    >>> from flint import fmpq
    >>> from proofs_checks.trials.replays.replaying import ReplayedEpisode
    >>> slack = Enclosure(fmpq(1, 3), fmpq(1, 3) + fmpq(1, 10**9))
    >>> undefined = ReplayedEpisode(1, 1, None, None, None, None)
    >>> defined = ReplayedEpisode(2, 9, Truth.YES, Truth.NO, slack, False, Truth.UNDECIDED, True)
    >>> print_replay("mb-ucbvi", Confidence("appendix", 2, fmpq(1, 2)), Replay((undefined, defined)))
    mb-ucbvi, radii of the appendix, 1/2 of them
    <BLANKLINE>
    episode  first step  event     optimistic  smallest slack, at least  learner agrees  few moves  recursion
    1        1           no radii
    2        9           yes       no          0.33333333                no              undecided  yes
    <BLANKLINE>
    2 episodes, radii defined in 1; the event held in 1, 0 of them optimistic; in all 0 were; the recursion held in 1
    >>> print_replay("mb-ucrl2", Confidence("text", 2), Replay((undefined,)))
    mb-ucrl2, radii of the main text
    <BLANKLINE>
    episode  first step  event     optimistic  smallest slack, at least  learner agrees
    1        1           no radii
    <BLANKLINE>
    1 episodes, radii defined in 0; the event held in 0, 0 of them optimistic; in all 0 were
    >>> content = replay_content("mb-ucbvi", Confidence("appendix", 2), Replay((undefined, defined)))
    >>> [content[each] for each in ("share", "episodes", "defined", "event", "optimistic", "recursion", "stands")]
    ['1', 2, 1, 1, 0, 1, False]
    >>> (empty, row) = content["rows"]
    >>> set(empty.values()), row["slack"]["enclosure"][0], row["few_moves"], row["recursion"]
    ({1, None}, '0.33333333', 'undecided', True)
    """
    out = console()
    share = "" if confidence.share == 1 else f", {confidence.share} of them"
    out.print(f"{learner}, radii of the {'main text' if confidence.radii == 'text' else 'appendix'}{share}\n")
    by_bonus = any(each.recursion is not None for each in found.episodes)
    heads = ["episode", "first step", "event", "optimistic", "smallest slack, at least", "learner agrees"]
    rows = table(*heads, *(["few moves", "recursion"] if by_bonus else []))
    for each in found.episodes:
        rows.add_row(
            str(each.episode),
            str(each.step),
            _plain(each.event) or "no radii",
            _plain(each.optimistic) or "",
            "" if each.slack is None else each.slack.decimals(_DIGITS)[0],
            _SAID[each.learner_agrees],
            *([_plain(each.few_moves) or "", _SAID[each.recursion]] if by_bonus else []),
        )
    out.print(rows)
    out.print(
        f"\n{len(found.episodes)} episodes, radii defined in {found.defined}; the event held in {found.with_event}, "
        f"{found.optimistic_with_event} of them optimistic; in all {found.optimistic} were"
        + (f"; the recursion held in {found.with_recursion}" if by_bonus else "")
    )


def _plain(found: Any) -> Any:
    if isinstance(found, Enclosure):
        return {"enclosure": list(found.decimals(_DIGITS))}
    return found.value if isinstance(found, Truth) else found
