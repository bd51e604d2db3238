"""The source of claims: the paper's outline, the conventions it leaves open, and the theorems about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from proofs_checks.claimcheck.evidence import Leaf
from proofs_checks.claimcheck.statements import Conventions, Outline


@dataclass(frozen=True)
class Source:
    """The data about the paper that a chapter needs; any of them may be left out.

    Attributes
    ----------
    outline
        The outline, from which a line of the source gives its place.
    conventions
        The conventions that the paper leaves open, with their choices; entries may name no others.
    theorem
        ``theorem(*names, **parameters)`` returns the evidence by theorems that a proof assistant has checked.
    """

    outline: Outline | None = None
    conventions: Conventions = field(default_factory=dict)
    theorem: Callable[..., Leaf] | None = None
