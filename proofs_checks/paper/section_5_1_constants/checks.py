r"""The constants that the printed proof of Theorem 1 yields: largest quotients of last displays by right-hand sides.

Let D = Sn, :math:`z = \log K/(1-\beta)`, :math:`y = \log(DKz)` and :math:`L^2 = 2(y + \log 4K)`, and take the moments
:math:`5 + 5z^\alpha` of Lemma `moment`. The quotient of the last display of MB-PSRL or MB-UCRL2 by
:math:`(\sqrt S + y)(Dz^2 + \sqrt{DK}z^{3/2})` is

.. math:: \frac{a}{\log K(\sqrt S + y)(Dz + \sqrt{DKz})} + 5f\,\frac{L + \sqrt S}{\sqrt S + y}\,
          \frac{D(1 + z^2) + 2\sqrt{DK}(1 + z^{3/2})}{Dz^2 + \sqrt{DK}z^{3/2}},

MB-UCBVI's quotient has :math:`(1 + \sqrt S)L^2/(\sqrt S y)` as the second factor, and at most a/(yDz^2 + ...) as the
first term. For K = 2 every factor is largest at S = 1, the least n and beta = 0. For K >= 3 each factor is at most its
value at the least z and y, with :math:`\log 4K \le y + \log 4`.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, fmpq

from theory.paper import PSRL, UCBVI, UCRL2, last_log_factor, theorem_side


@dataclass(frozen=True)
class LastDisplay:
    """The last display of a learner's proof: its additive constant, the factor in front, and the source's line."""

    learner: str
    additive: int
    front: fmpq
    line: int

    @property
    def order(self) -> int:
        """Order of the right-hand side by which the display is divided: 2 for MB-UCBVI, otherwise 1."""
        return 2 if self.learner == UCBVI else 1

    def quotient(self, S: int, n: int, K: int, beta: fmpq) -> arb:
        """Return the quotient of the display by the right-hand side with constant 1."""
        x, L, states = 1 / arb(1 - beta), last_log_factor(S, n, K, beta), arb(S).sqrt()
        z = arb(K).log() * x
        moments = S * n * (5 + 5 * z**2) + 2 * arb(S * n * K).sqrt() * (5 + 5 * z * z.sqrt())
        front = L + states if self.order == 1 else (1 + states) * L**2 * x
        return (self.additive * x + arb(self.front) * front * moments) / theorem_side(S, n, K, beta, self.order)

    def largest(self, arms: int) -> tuple[arb, arb]:
        """Return the quotient at S = 1, n = `arms`, K = 2, beta = 0, and a bound on it for all K >= 3, n >= `arms`."""
        z = arb(3).log()
        y = (3 * arms * z).log()
        L = (4 * y + 2 * arb(4).log()).sqrt()
        ratio = 2 + 2 / (z * z.sqrt())  # more than 1 + 1/z^2
        front = ((L + 1) / (1 + y)).max(arb(1)) if self.order == 1 else 2 * L**2 / y
        rest = self.additive / theorem_side(1, arms, 3, fmpq(0), self.order)
        return self.quotient(1, arms, 2, fmpq(0)), rest + 5 * arb(self.front) * front * ratio


LAST_DISPLAYS = (
    LastDisplay(PSRL, 9, fmpq(3), 941),
    LastDisplay(UCRL2, 5, fmpq(3, 2), 1011),
    LastDisplay(UCBVI, 7, fmpq(2), 1101),
)
