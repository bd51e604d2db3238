"""What claims are about: the paper's outline, its open conventions, and who checks theorems about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from proofs_checks.claimcheck.evidence import Leaf
from proofs_checks.claimcheck.statements import Conventions, Outline


@dataclass(frozen=True)
class Source:
    """What a chapter needs to know of the paper; all of it may be left out.

    Attributes
    ----------
    outline
        Gives the place of a line of the source.
    conventions
        The conventions that the paper leaves open, with their choices; no other is accepted.
    theorem
        ``theorem(*names, **parameters)``: the evidence of theorems that a proof assistant has checked for these values.
    """

    outline: Outline | None = None
    conventions: Conventions = field(default_factory=dict)
    theorem: Callable[..., Leaf] | None = None
