"""The entries of the ledger, in the paper's own skeleton; nothing is imported before a command asks for it."""

from __future__ import annotations

import traceback
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from proofs_checks.ledger import Registry
from theory import BanditError

CHAPTERS = (
    "literature",
    "section_2",
    "section_3",
    "section_4_algorithms.sampling",
    "section_4_algorithms.estimators",
    "section_4_algorithms.bonuses",
    "section_5_theorems.theorem_1",
    "section_5_theorems.finite_horizon",
    "section_5_theorems.reduction",
    "section_5_theorems.constants",
    "section_5_theorems.informative",
    "section_5_theorems.remarks",
    "section_5_theorems.theorem_2",
    "section_6_scalability.sampling_cost",
    "section_6_scalability.local_indices",
    "section_6_scalability.extended_value_iteration",
    "section_6_scalability.extended_optimism",
    "section_7",
    "appendix_a_upper_bounds.overview",
    "appendix_a_upper_bounds.concentration.lemma",
    "appendix_a_upper_bounds.concentration.observations",
    "appendix_a_upper_bounds.horizons",
    "appendix_a_upper_bounds.first_steps",
    "appendix_a_upper_bounds.concentration.pre_drawn",
    "appendix_a_upper_bounds.concentration.rewards",
    "appendix_a_upper_bounds.concentration.rows",
    "appendix_a_upper_bounds.concentration.printed_route",
    "appendix_a_upper_bounds.concentration.values",
    "appendix_a_upper_bounds.concentration.value_probability",
    "appendix_a_upper_bounds.concentration.value_bounds",
    "appendix_a_upper_bounds.concentration.value_repairs",
    "appendix_a_upper_bounds.decomposition",
    "appendix_a_upper_bounds.double_sum",
    "appendix_a_upper_bounds.moments.lemma",
    "appendix_a_upper_bounds.moments.steps",
    "appendix_a_upper_bounds.moments.blocks",
    "appendix_a_upper_bounds.moments.repair",
    "appendix_a_upper_bounds.mb_psrl.posterior_sampling",
    "appendix_a_upper_bounds.mb_psrl.printed_route",
    "appendix_a_upper_bounds.mb_psrl.event",
    "appendix_a_upper_bounds.mb_psrl.all_samples",
    "appendix_a_upper_bounds.mb_psrl.model_gap",
    "appendix_a_upper_bounds.mb_psrl.regret",
    "appendix_a_upper_bounds.mb_psrl.bound",
    "appendix_a_upper_bounds.mb_ucrl2.event",
    "appendix_a_upper_bounds.mb_ucrl2.plausible_set",
    "appendix_a_upper_bounds.mb_ucrl2.optimism",
    "appendix_a_upper_bounds.mb_ucrl2.regret",
    "appendix_a_upper_bounds.mb_ucbvi.event",
    "appendix_a_upper_bounds.mb_ucbvi.optimism",
    "appendix_a_upper_bounds.mb_ucbvi.regret",
    "appendix_a_upper_bounds.mb_ucbvi.literal_next_state",
    "appendix_b",
    "appendix_c",
    "appendix_d",
    "appendix_e",
    "beyond_the_paper",
)
"""The modules of this package that enter claims, in the order of the paper."""

SOURCE = "proofs_checks.claims:registry"
"""Where worker processes find the entries."""


@cache
def registry() -> Registry:
    """Return all entries and the causes they name, in the order of the paper.

    Raises
    ------
    BanditError
        If a module cannot be imported: with the line at which an entry is at fault.
    """
    modules = [_module(name) for name in CHAPTERS]
    entries = [entry for module in modules for entry in module.chapter]
    causes = [cause for module in modules for cause in getattr(module, "CAUSES", ())]
    return Registry(entries, causes)


def _module(name: str) -> ModuleType:
    try:
        return import_module(f"proofs_checks.claims.{name}")
    except Exception as error:
        here = str(Path(__file__).parent)
        lines = [step for step in traceback.extract_tb(error.__traceback__) if step.filename.startswith(here)]
        place = f"{Path(lines[-1].filename).relative_to(here)}, line {lines[-1].lineno}"
        raise BanditError(f"claims/{place}: {type(error).__name__}: {error}") from error
