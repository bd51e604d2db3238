"""MB-PSRL: the last display of its analysis, the bound of Theorem 1 (Section A.3)."""

from __future__ import annotations

from flint import arb, fmpq

from proofs_checks.claims.appendix_a_upper_bounds.mb_psrl.regret import ON_THE_EVENT
from proofs_checks.claims.section_5_theorems.theorem_1 import FOR_PRODUCTS, TOO_SMALL, part
from proofs_checks.computations.regret_table import ROWS
from proofs_checks.computations.small_regrets import SmallRegret, small_regrets
from proofs_checks.evidence import Argument, ByHand, Step, Uses
from proofs_checks.ledger import Chapter, Severity
from proofs_checks.statements import Answer, Family, Property, answer
from proofs_checks.statements.symbols import k
from theory import ZERO, rational
from theory.certified import Truth
from theory.paper.regret import PSRL, theorem_side

chapter = Chapter(under="thm:regret_upper_bound")

chapter.printed(
    part("psrl:last-display", PSRL, 1, "31.616", "", {"prior": "any"}),
    Argument(
        Step("", Uses("thm:regret_upper_bound/psrl", where=FOR_PRODUCTS.says, same={"C": "C", "first": "first"})),
        conclusion=ByHand("This is the theorem's first part, word for word."),
    ),
    line=944,
    survives=FOR_PRODUCTS,
    severity=Severity.GAP,
    cause="dependent-arms",
    mutants=[{"C": TOO_SMALL[PSRL]}],
)

ROW = ROWS["thm:regret_upper_bound/constant-psrl/repaired-moments"]


def between(case: SmallRegret, C: object) -> Answer:
    """Hold an exact regret to the proof's bound, and that to C times the theorem's side."""
    bound = ROW.bound(**ROW.parameters).at(case.S, case.n, case.K, case.beta)
    right = theorem_side(case.S, case.n, case.K, case.beta, 1) * rational(C)
    sound = Truth.YES if bound <= right else Truth.NO if bound > right else Truth.UNDECIDED
    below = Truth.YES if arb(case.regret) <= bound else Truth.NO
    told = {"prior": case.says, "S": case.S, "n": case.n, "K": case.K, "beta": case.beta, "regret": case.regret}
    return answer(sound.both(below), **told, bound=bound, right_side=right)


ONE_ARM = SmallRegret(PSRL, 1, 1, 2, ZERO, fmpq(0), "one arm: nothing can be regretted")

chapter.ours(
    Property(
        "psrl:last-display/repair",
        between,
        over=Family(
            "small cases of which the regret is known",
            lambda: iter([ONE_ARM, *(case for case in small_regrets(PSRL) if case.K >= 2)]),
        ),
        domain=r"""$S, n \ge 1$, $K \ge 2$, $0 \le \beta < 1$, every prior on finitely many models with rewards in
        $[0, 1]$ under which the arms are independent""",
        says=r"""$\mathrm{BayReg}(K, \text{MB-PSRL}, \phi) \le \frac{9}{1-\beta} + 3(L_K + \sqrt S)(Sn\,m_2 +
        2\sqrt{SnK}\,m_{3/2})$ with $m_\alpha = \big(\frac{\log K +
        \Gamma(1+\alpha)^{1/\alpha}}{1-\beta}\big)^\alpha$, and this is at most $[[C]]$ times the last display without
        its $C$.""",
        reading={"prior": "finite"},
        C="71.3",
    ),
    Argument(
        Step("Episodes in which the event fails:", Uses("eq:gap_overview")),
        Step("Over all episodes these sum to at most $9/(1-\\beta)$.", Uses("eq:proof_PSRL_regret")),
        Step("What is sampled arm by arm:", Uses("def:sampling/product")),
        Step("The model gap:", Uses("psrl:model-gap/repair")),
        Step("The concentration gap:", Uses("eq:proof2")),
        Step("What a step costs on the event:", Uses("eq:PSRL_R_k", over=ON_THE_EVENT.where(k >= 2))),
        Step("In the first episode no event is needed.", Uses("eq:PSRL_R_k/repair")),
        Step("The sum over all steps:", Uses("psrl:double-sum")),
        Step(r"The moments are at most $m_2$ and $m_{3/2}$:", Uses("lem:moment/repair")),
        Step(
            "Its largest quotient by the display:",
            Uses("thm:regret_upper_bound/constant-psrl/repaired-moments", same={"C": "C"}),
        ),
        conclusion=ByHand(
            r"""Add up over the episodes: the first summand is what the episodes cost in which the event fails, the
            model gap is $0$ in the mean, and expectations of the double sum's bound give the second, with the bounds
            $m_\alpha$ of the moments."""
        ),
    ),
    line=944,
    repairs="psrl:last-display",
    nearest={"C": "down"},
)
