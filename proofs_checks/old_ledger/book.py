"""What a check is handed: findings of other claims, and random generators; it notes what the check rested on.

So dependencies are computed, never typed: a claim depends on the claims whose findings its check asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from zlib import crc32

from proofs_checks.ledger.finding import Finding
from proofs_checks.ledger.registry import CLAIMS, Registry

if TYPE_CHECKING:
    import numpy as np

SEED = 20231101


class Book:
    """Findings so far, each computed once, with the claims each rests on."""

    def __init__(self, registry: Registry = CLAIMS, seed: int = SEED) -> None:
        self.registry = registry
        self._seed = seed
        self._findings: dict[str, Finding] = {}
        self._rests_on: dict[str, tuple[str, ...]] = {}
        self._open: list[tuple[str, list[str]]] = []

    def finding(self, claim_id: str) -> Finding:
        """Return what the check of `claim_id` finds; a check that calls this comes to depend on that claim.

        Raises
        ------
        UnknownClaimError
            If there is no such claim.
        RuntimeError
            If claims rest on each other in a circle.
        """
        entry = self.registry[claim_id]
        if self._open and claim_id not in self._open[-1][1]:
            self._open[-1][1].append(claim_id)
        if claim_id not in self._findings:
            if any(claim_id == under_way for under_way, _ in self._open):
                circle = " -> ".join([*(name for name, _ in self._open), claim_id])
                raise RuntimeError(f"claims rest on each other in a circle: {circle}")
            with self._noting(claim_id):
                self._findings[claim_id] = entry.find(self)
        return self._findings[claim_id]

    def variant(self, claim_id: str, **parameters: object) -> Finding:
        """Return what the check of `claim_id` finds on a variant; nothing is remembered of it."""
        with self._noting(claim_id, keep=False):
            return self.registry[claim_id].find(self, **parameters)

    def stands(self, *claim_ids: str) -> bool:
        """Return whether all of these claims stand (on the domains their findings name)."""
        findings = [self.finding(claim_id) for claim_id in claim_ids]  # each is asked for: a dependency is noted
        return all(finding.stands for finding in findings)

    def depends_on(self, claim_id: str) -> tuple[str, ...]:
        """Return the claims that the check of `claim_id` asked for."""
        self.finding(claim_id)
        return self._rests_on[claim_id]

    def foundations(self, claim_id: str) -> tuple[str, ...]:
        """Return all claims that `claim_id` rests on, directly or not."""
        found: dict[str, None] = {}
        waiting = list(self.depends_on(claim_id))
        while waiting:
            current = waiting.pop(0)
            if current not in found:
                found[current] = None
                waiting.extend(self.depends_on(current))
        return tuple(found)

    def stands_with_everything_below(self, claim_id: str) -> bool:
        """Return whether the claim stands, and everything it rests on does too."""
        return all(self.finding(each).stands for each in (claim_id, *self.foundations(claim_id)))

    def generator(self, purpose: str) -> np.random.Generator:
        """Return a random generator of its own for `purpose`, spawned by that key from one seed."""
        import numpy as np  # noqa: PLC0415  (only checks that sample need it)

        return np.random.default_rng(np.random.SeedSequence(self._seed, spawn_key=(crc32(purpose.encode()),)))

    @contextmanager
    def _noting(self, claim_id: str, *, keep: bool = True) -> Iterator[None]:
        asked: list[str] = []
        self._open.append((claim_id, asked))
        try:
            yield
        finally:
            self._open.pop()
        if keep:
            self._rests_on[claim_id] = tuple(asked)
