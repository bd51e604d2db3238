"""The list of all claims, filled by the decorator `claim` in the order of the paper."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping

from proofs_checks.ledger.claim import Check, Claim, Variant
from proofs_checks.ledger.finding import Evidence, Verdict
from theory import BanditError


class UnknownClaimError(BanditError):
    """A claim id that the ledger does not hold."""


class Registry:
    """Claims by id, in the order in which they were entered."""

    def __init__(self) -> None:
        self._claims: dict[str, Claim] = {}

    def __iter__(self) -> Iterator[Claim]:
        return iter(self._claims.values())

    def __len__(self) -> int:
        return len(self._claims)

    def __contains__(self, claim_id: str) -> bool:
        return claim_id in self._claims

    def __getitem__(self, claim_id: str) -> Claim:
        """Return the claim with this id.

        Raises
        ------
        UnknownClaimError
            If there is none; the message names the nearest.
        """
        try:
            return self._claims[claim_id]
        except KeyError:
            near = difflib.get_close_matches(claim_id, self._claims, n=3, cutoff=0.4)
            hint = f"; the nearest are {', '.join(near)}" if near else ""
            raise UnknownClaimError(f"no claim is called {claim_id!r}{hint}") from None

    def add(self, claim: Claim) -> None:
        """Enter a claim.

        Raises
        ------
        ValueError
            If its id is taken, or it repairs a claim not entered before it.
        """
        if claim.id in self._claims:
            raise ValueError(f"claim {claim.id} is entered twice")
        self._claims[claim.id] = claim

    def repairs_of(self, claim_id: str) -> list[str]:
        """Return the ids of the entries that repair a claim."""
        return [claim.id for claim in self._claims.values() if claim_id in claim.repairs]


CLAIMS = Registry()


def claim(
    claim_id: str,
    *,
    section: str,
    statement: str,
    domain: str,
    evidence: Evidence,
    mutants: Mapping[str, Variant],
    verdict: Verdict = Verdict.HOLDS,
    controls: Mapping[str, Variant] | None = None,
    repairs: tuple[str, ...] = (),
    printed: bool = True,
    registry: Registry = CLAIMS,
) -> Callable[[Check], Check]:
    """Enter the decorated check under `claim_id`; see `Claim` for the arguments.

    The verdict and evidence given here are what the check is *recorded* to find; a run reports where it finds another.
    """

    def enter(check: Check) -> Check:
        registry.add(
            Claim(
                claim_id,
                section,
                " ".join(statement.split()),
                " ".join(domain.split()),
                verdict,
                evidence,
                check,
                dict(mutants),
                dict(controls or {}),
                repairs,
                printed and not repairs,
            )
        )
        return check

    return enter
