"""Print a replayed run."""

from __future__ import annotations

from typing import Any

from proofs_checks.trials.replays.confidence import Confidence, Learner
from proofs_checks.trials.replays.replaying import ReplayedEpisode, counts
from theory.certified import Truth
from theory.enclosures import Enclosure
from theory.terminal.console import console, table

_DIGITS = 6
_SAID = {True: "yes", False: "no", None: ""}


def replay_content(learner: Learner, confidence: Confidence, found: tuple[ReplayedEpisode, ...]) -> dict[str, Any]:
    """Return a replay as a JSON object."""
    return {
        "learner": learner,
        "radii": confidence.radii,
        "share": str(confidence.share),
        **counts(found),
        "stands": all(each.stands for each in found),
        "rows": [{name: _plain(value) for name, value in vars(each).items()} for each in found],
    }


def print_replay(learner: Learner, confidence: Confidence, found: tuple[ReplayedEpisode, ...]) -> None:
    """Print a replay as a table, one line per episode, and its sums."""
    out = console()
    share = "" if confidence.share == 1 else f", {confidence.share} of them"
    out.print(f"{learner}, radii of the {'main text' if confidence.radii == 'text' else 'appendix'}{share}\n")
    by_bonus = any(each.recursion is not None for each in found)
    heads = ["episode", "first step", "event", "optimistic", "smallest slack, at least", "learner agrees"]
    rows = table(*heads, *(["few moves", "recursion"] if by_bonus else []))
    for each in found:
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
    sums = counts(found)
    out.print(
        f"\n{sums['episodes']} episodes, radii defined in {sums['defined']}; the event held in {sums['event']}, "
        f"{sums['optimistic_with_event']} of them optimistic; in all {sums['optimistic']} were"
        + (f"; the recursion held in {sums['recursion']}" if by_bonus else "")
    )


def _plain(found: Any) -> Any:
    if isinstance(found, Enclosure):
        return {"enclosure": list(found.decimals(_DIGITS))}
    return found.value if isinstance(found, Truth) else found
