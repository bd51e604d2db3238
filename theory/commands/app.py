"""``python -m theory example | indices | value | bounds | ...``: the exact core's command line."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from theory.certificates import index_certificate, value_certificate
from theory.commands import enclosed, report
from theory.commands.bounds import show_bounds, sizes_of
from theory.commands.parametric import parametric_content, print_parametric
from theory.domain import exact_discount, named_rational
from theory.enclosures import LARGEST_DIGITS, EnclosedBandit, parse_enclosed_model, read_enclosed_model
from theory.errors import ModelError, NumberError
from theory.export import prism_model
from theory.gittins import METHODS, gittins_indices, gittins_priority
from theory.model import Bandit, GlobalState, Priority
from theory.model_file import model_content, model_text, read_stream
from theory.model_table import bandit_from_table
from theory.optimism import optimistic_value, with_rewards_at_most
from theory.paper.models import PAPER_MODELS, paper_model
from theory.parametric import LARGEST_ARM, certify, parametric_bandit
from theory.rationals import decimal_text, rational
from theory.state_table import read_priority
from theory.terminal.console import Commands, OutputFile, WholeIn, print_json, version_option
from theory.values import LARGEST_PRODUCT, policy_value, priority_policy, priority_value

_VALUE_METHODS = ("conservation", "linear-system")

Decorator = Callable[[Callable[..., None]], Callable[..., None]]

model_argument: Decorator = click.argument("model", metavar="MODEL")
json_option: Decorator = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
csv_option: Decorator = click.option(
    "--csv",
    "as_csv",
    is_flag=True,
    help="Print CSV: fractions (spreadsheets read 4/5 as a date), and their decimals in columns of their own.",
)
initial_option: Decorator = click.option(
    "--initial", metavar="STATES", help="Initial state, one name or index per arm: A1,B3. [default: the model's]"
)
priority_option: Decorator = click.option(
    "--priority",
    metavar="STATES",
    help='A strict order over all states, the most urgent first: A2,A1,B1,...; or a CSV file, as from "indices --csv", '
    "which orders the states by its column priority, else by its column index, else by its rows; if rows stand in "
    "neither the column's order nor the model's, it is refused.",
)
discount_option: Decorator = click.option(
    "--discount", metavar="NUMBER", help='In place of the model\'s: "9/10", "exp(-1/100)", "0.95 +/- 0.01".'
)
digits_option: Decorator = click.option(
    "--digits",
    type=WholeIn(min=1, max=LARGEST_DIGITS),
    metavar="N",
    help="Significant digits: of enclosures [default: 15], or of the decimals beside exact numbers [default: 10].",
)

certificate_option: Decorator = click.option(
    "--certificate",
    metavar="FILE",
    type=OutputFile(),
    help="Also write a certificate, for python -m proofs_checks kernel --certificate FILE. "
    f"[of a value: at most {LARGEST_PRODUCT} global states, all arms filled up to the largest; of indices: any number]",
)

_DIGITS = 15
_DECIMALS = 10
_FEW = 5  # times that a state was left, below which import counts it as little known


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@version_option
def theory() -> None:
    """Exact computation for discounted Markovian bandits.

    MODEL is a model file, "-" for standard input, or the name of a model of the paper (see "example"). Its numbers may
    be expressions such as "exp(-1/100)", "sqrt(log(20)/2)" or "0.318 +/- 0.001": results are then enclosed between
    two ends, as closely as --digits asks for. A row of "transitions" may name its next states:
    {"idle": "1/2", "busy": "1/2"}.

    "parametric" prints the indices without a discount, as limits at 1; theory.finite_horizon_value (Python) sums
    rewards over a number of steps. Only the arm that is played moves: restless arms are out of scope. One arm is played
    at a time: playing the arms of the m largest indices at once is a heuristic without a guarantee.
    """


@theory.command()
@click.argument("name", type=click.Choice(list(PAPER_MODELS)), metavar="NAME")
@json_option
def example(name: str, as_json: bool) -> None:
    """Print a model of the paper as a model file.

    NAME is counterexample, counterexample-m1, counterexample-m2, random-walk, task-scheduling or lower-bound (ours).
    """
    bandit = paper_model(name)
    if as_json:
        print_json(model_content(bandit))
    else:
        click.echo(model_text(bandit), nl=False)


@theory.command(name="import")
@click.argument("tables", metavar="TABLE...", nargs=-1, required=True)
@click.option("--discount", metavar="NUMBER", required=True, help='Such as "9/10" or 0.95.')
@click.option("--rewards", metavar="FILE", help="A table with the columns arm (or kind), state, reward.")
@click.option(
    "--initial", metavar="STATES", help='One name or index per arm, or "last": where each arm is after its last row.'
)
@click.option(
    "--normalise", metavar="NUMBER", default="0", help="Divide a row by its sum if the sum misses 1 by at most this."
)
@click.option("--ignore", metavar="COLUMN", multiple=True, help="Leave a column out; may be given again.")
@click.option(
    "--columns", metavar="OURS=YOURS,...", help="What your columns are called: arm=machine,from=before,to=after."
)
@click.option(
    "--gaps",
    metavar="MODE",
    help="What a missing time means: break (no transition), or join (the arm stood still). [default: refuse]",
)
@click.option(
    "--skip-missing-rewards",
    is_flag=True,
    help="In a log, average a state's rewards over the rows that have one. [default: refuse missing rewards]",
)
def import_tables(
    tables: tuple[str, ...], discount: str, initial: str | None, columns: str | None, **options: Any
) -> None:
    """Print the model file of a bandit that CSV tables describe.

    TABLE is a list of transitions, with the columns arm, from, to, and probability or count; with neither it is a log
    with one row per observed transition, oldest first unless a column time says when. A column reward holds the reward
    of "from"; rewards of a log are averaged. Rewards are maximised: negate costs.

    Or TABLE is a log of states, with one row per arm and time and the columns arm, time, state and optionally reward:
    each row leads to the arm's next in time. Times are numbers or ISO dates at equal distances (see --gaps):

    \b
        import log.csv --discount 0.95 --columns arm=machine,time=week,reward=profit

    With a column kind (--columns kind=type) the arms of one kind share the rows and rewards that all their rows
    together give: for machines that were each seen for a short time. Each keeps its name and its last state.

    Or each arm has a TABLE of its own: a matrix with a row and a column per state, and optionally a column reward.
    """  # noqa: D301 - \b is the character by which click keeps lines as they are
    sources = tables[0] if len(tables) == 1 else list(tables)
    last = initial if initial == "last" else None
    called = {} if columns is None else _named_columns(columns)
    try:
        rational(discount)
    except NumberError as error:
        raise NumberError(f"discount: {error}; indices --discount and value --discount take expressions too") from None
    made = bandit_from_table(sources, discount, initial=last, columns=called, **options)
    bandit = made.bandit
    if initial is not None and last is None:
        bandit = Bandit(bandit.arms, bandit.discount, _start(bandit, initial))
    click.echo(model_text(bandit), nl=False)
    if made.divided:
        furthest = max(made.divided, key=lambda name: abs(made.divided[name]))
        by = decimal_text(made.divided[furthest], 6)
        rows = "1 row was" if len(made.divided) == 1 else f"{len(made.divided)} rows were"
        click.echo(f"{rows} divided by their sum, which missed 1 by up to {by} ({furthest})", err=True)
    if made.observations:
        least = min(made.observations, key=made.observations.__getitem__)
        few = sum(times < _FEW for times in made.observations.values())
        click.echo(
            f"rows are frequencies of {sum(made.observations.values())} transitions; the state left least often is "
            f"{least}, {made.observations[least]} time{'s' * (made.observations[least] != 1)}"
            + f"; {few} of {len(made.observations)} states were left fewer than {_FEW} times"
            * (few > 0),
            err=True,
        )
    for note in made.notes:
        click.echo(f"note: {note}", err=True)


@theory.command()
@model_argument
@click.option(
    "--method", default="elimination", show_default=True, metavar="METHOD", help=f"One of {', '.join(METHODS)}."
)
@click.option(
    "--now",
    is_flag=True,
    help="Print the model's initial states alone, the largest index first; of enclosed ones, say which may be the "
    "largest (states of arms with the same numbers are level).",
)
@discount_option
@digits_option
@certificate_option
@csv_option
@json_option
def indices(
    model: str,
    method: str,
    now: bool,
    discount: str | None,
    digits: int | None,
    certificate: Path | None,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Print the Gittins index of every state of every arm.

    With numbers such as "0.57 +/- 0.03" indices are enclosed, and --csv has two columns, index_low and index_high. The
    order of two states is undecided where enclosures overlap. Two states of one arm share its numbers, so the bounds
    are cut into parts that may each decide: their order can be certain though enclosures overlap.
    """
    _check_outputs(model, certificate, as_csv and as_json)
    bandit = _any_model(model, discount)
    if now and (as_json or (bandit.names if isinstance(bandit, EnclosedBandit) else bandit).initial is None):
        raise ModelError("--now needs 'initial' in the model, one state per arm, and no --json; else leave it out")
    if isinstance(bandit, EnclosedBandit):
        _refuse_what_needs_exact_numbers(method if method != "elimination" else None, certificate, False)
        enclosed.show_indices(bandit, digits or _DIGITS, as_json=as_json, as_csv=as_csv, now=now)
        return
    found = [gittins_indices(arm, bandit.discount, method) for arm in bandit.arms]
    states = list(bandit.arm_states)
    if now:
        states = sorted(enumerate(_start(bandit, None)), key=lambda state: -found[state[0]][state[1]])
    report.show_indices(bandit, states, found, method, digits or _DECIMALS, as_json=as_json, as_csv=as_csv)
    if certificate is not None:
        _write_certificate(certificate, index_certificate(bandit))


@theory.command()
@model_argument
@click.option("--policy", metavar="POLICY", help="gittins: the optimal policy. [default]")
@priority_option
@initial_option
@click.option(
    "--method", default="conservation", show_default=True, metavar="METHOD", help=f"One of {', '.join(_VALUE_METHODS)}."
)
@discount_option
@digits_option
@certificate_option
@csv_option
@json_option
def value(
    model: str,
    policy: str | None,
    priority: str | None,
    initial: str | None,
    method: str,
    discount: str | None,
    digits: int | None,
    certificate: Path | None,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Print the value of the Gittins policy, or of any other priority policy, and how often it plays each state.

    For numbers such as "0.57 +/- 0.03" the enclosure of the value is valid, and may be wide. Estimates alone, without
    +/-, give a value with all its digits.
    """
    if policy not in (None, "gittins"):
        raise ModelError(f"no policy is called {policy!r}; give --policy gittins, or --priority with an order")
    if policy is not None and priority is not None:
        raise ModelError("give --policy or --priority, not both")
    if priority is not None and certificate is not None:
        raise ModelError("a certificate is of the optimal values: leave out --priority")
    if method not in _VALUE_METHODS:
        raise ModelError(f"no value method is called {method!r}; the methods are {', '.join(_VALUE_METHODS)}")
    _check_outputs(model, certificate, as_csv and as_json)
    bandit = _any_model(model, discount)
    if isinstance(bandit, EnclosedBandit):
        _refuse_what_needs_exact_numbers(method if method != "conservation" else None, certificate, as_csv)
        start, given = _start(bandit.names, initial), _priority(bandit.names, priority)
        enclosed.show_value(bandit, given, start, digits or _DIGITS, as_json=as_json)
        return
    proof = None if certificate is None else value_certificate(bandit)
    start = _start(bandit, initial)
    order = _priority(bandit, priority) or gittins_priority(bandit)
    found = priority_value(bandit, order, start)
    indices = [gittins_indices(arm, bandit.discount) for arm in bandit.arms]
    if method == "linear-system":
        # --method linear-system asks for a second opinion: both are computed, and a difference is a defect
        other = policy_value(bandit, priority_policy(bandit, order))[start]
        if other != found.value:
            raise AssertionError(f"the linear system gives {other}, the conservation laws {found.value}")
    show = partial(report.show_value, method=method, is_optimal=priority is None, as_json=as_json, as_csv=as_csv)
    show(bandit, order, start, found, indices, digits or _DECIMALS)
    if certificate is not None and proof is not None:
        _write_certificate(certificate, proof)


@theory.command()
@model_argument
@priority_option
@initial_option
@click.option(
    "--largest-reward", metavar="NUMBER", help="Limit of the rewards of plausible models, such as 1. [default: none]"
)
@discount_option
@digits_option
@json_option
def optimism(
    model: str,
    priority: str | None,
    initial: str | None,
    largest_reward: str | None,
    discount: str | None,
    digits: int | None,
    as_json: bool,
) -> None:
    """Print the largest value over the model's radii, by extended value iteration.

    An arm of the model file may have "reward_radius" and "transition_radius", one number per state (0 if left out): a
    plausible reward exceeds the arm's by at most the radius, a plausible row is within this L1 distance of the arm's,
    and may move mass to any state of the arm, seen or not. +/- is no radius: it encloses a number, and so the result.

    With --priority, for that policy only. "Attained" says whether each arm state has one maximising row in all global
    states that play can reach; the value is then the supremum over the set of Markovian bandits.
    """
    bandit = _any_model(model, discount)
    if isinstance(bandit, EnclosedBandit):
        start, given = _start(bandit.names, initial), _priority(bandit.names, priority)
        enclosed.show_optimism(bandit, given, start, digits or _DIGITS, largest_reward, as_json=as_json)
        return
    start, order = _start(bandit, initial), _priority(bandit, priority)
    if largest_reward is not None:
        bandit = with_rewards_at_most(bandit, largest_reward)
    found = optimistic_value(bandit, order, start)
    report.show_optimism(bandit, order, start, found, digits or _DECIMALS, as_json=as_json)


@theory.command()
@click.argument("model", metavar="[MODEL]", required=False)
@click.option("--sizes", metavar="S,N", help="In place of MODEL: states per arm and arms, such as 10,50.")
@discount_option
@click.option("--episodes", metavar="K", type=WholeIn(min=2), required=True, help="Number of episodes.")
@digits_option
@json_option
def bounds(
    model: str | None, sizes: str | None, discount: str | None, episodes: int, digits: int | None, as_json: bool
) -> None:
    """Print the bounds on the regret of K episodes for a model's sizes: the paper's, and sharper ones.

    They depend on the numbers of arms and states, on the discount and on K, and hold for rewards from 0 to 1; MB-PSRL's
    is for the mean over its prior. No learner loses more than K/(1-beta): beside each other upper bound stands a
    number of episodes at which it is below that, but not one episode before. "python -m mbrl table DIR" has the regret
    of a run to compare them with.
    """
    if model is not None and sizes is None:
        size = sizes_of(_model(model, discount))
    elif model is None and sizes is not None and discount is not None:
        size = (*_sizes(sizes), exact_discount(discount))
    else:
        raise ModelError("give MODEL, or --sizes and --discount")
    sys.set_int_max_str_digits(0)  # of sizes and episodes
    show_bounds(*size, episodes, digits or _DECIMALS, as_json=as_json)


@theory.command()
@model_argument
@click.option(
    "--largest",
    type=WholeIn(min=1),
    default=LARGEST_ARM,
    show_default=True,
    metavar="N",
    help="Refuse arms of more states.",
)
@json_option
def parametric(model: str, largest: int, as_json: bool) -> None:
    """Print the Gittins indices and their order as functions of the discount b, exactly, for all b in (0, 1).

    The order changes at finitely many algebraic numbers, each given by an isolating interval and a minimal polynomial.
    Between two of them every index is one rational function of b. A second computation, at a rational discount on both
    sides of each, checks indices and order. The model's own discount plays no part. The limit at 1 is the
    index without a discount: the largest mean reward per step until a stopping time.

    Rewards may be real numbers ("sqrt(2)"), rows are rational; coefficients and breakpoints are then enclosed. A
    breakpoint is undecided where no precision tells whether two indices cross or touch.
    """
    found = parametric_bandit(_any_model(model), largest)
    checked = certify(found)
    sys.set_int_max_str_digits(0)  # coefficients may be longer than Python prints by itself
    if as_json:
        print_json(parametric_content(found, checked))
    else:
        print_parametric(found, checked)


@theory.command()
@model_argument
@click.option(
    "--format", "to", default="prism", show_default=True, metavar="FORMAT", help="prism: for Storm and PRISM."
)
@priority_option
@initial_option
@json_option
def export(model: str, to: str, priority: str | None, initial: str | None, as_json: bool) -> None:
    """Print the model in another program's format; with --priority, with that policy built in."""
    if to != "prism":
        raise ModelError(f"no format is called {to!r}; the formats are prism")
    bandit = _model(model)
    text = prism_model(bandit, _priority(bandit, priority), _start(bandit, initial))
    if as_json:
        print_json({"format": to, "model": text, "property": 'Rmax=? [ F "over" ]'})
    else:
        click.echo(text, nl=False)


def _named_columns(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in text.split(","):
        ours, equals, yours = map(str.strip, part.partition("="))
        if not (ours and equals and yours):
            raise ModelError(f"--columns: {part.strip()!r} is not of the form arm=machine")
        if ours in found:
            raise ModelError(f"--columns: {ours} is given twice")
        found[ours] = yours
    return found


def _sizes(text: str) -> tuple[int, int]:
    try:
        sizes = [named_rational(each, "--sizes") for each in text.split(",")]
    except NumberError:
        sizes = []
    if len(sizes) != 2 or any(each.q != 1 for each in sizes):
        raise ModelError(f"--sizes: {text!r} is not of the form 10,50, states per arm and arms")
    return int(sizes[0].p), int(sizes[1].p)


def _any_model(source: str, discount: str | None = None) -> Bandit | EnclosedBandit:
    bandit: Bandit | EnclosedBandit
    if source == "-":
        if sys.stdin is None:
            raise ModelError("standard input is closed; give the name of a model file")
        bandit = parse_enclosed_model(read_stream(sys.stdin.buffer))
    elif source in PAPER_MODELS and not Path(source).exists():
        bandit = paper_model(source)
    else:
        bandit = read_enclosed_model(source)
    if discount is not None:
        initial = (bandit if isinstance(bandit, Bandit) else bandit.names).initial
        changed = EnclosedBandit(bandit.arms, discount, initial)
        bandit = changed.exact() or changed
    return bandit


def _model(source: str, discount: str | None = None) -> Bandit:
    bandit = _any_model(source, discount)
    if isinstance(bandit, EnclosedBandit):
        raise ModelError(
            "the model has numbers that are not rational, and this command needs exact ones; indices, value and "
            "optimism take them as they are"
        )
    return bandit


def _check_outputs(source: str, certificate: Path | None, both: bool) -> None:
    if both:
        raise ModelError("give --csv or --json, not both")
    if certificate is not None and certificate.exists() and Path(source).exists() and certificate.samefile(source):
        raise ModelError(f"{certificate}: is the model file itself; give another file for the certificate")


def _refuse_what_needs_exact_numbers(method: str | None, certificate: Path | None, as_csv: bool) -> None:
    if method is not None:
        raise ModelError(f"the method {method} needs exact numbers; leave --method out for others")
    if certificate is not None:
        raise ModelError("a certificate is of exact numbers: this model's are enclosed")
    if as_csv:
        raise ModelError("value --csv prints exact numbers, not enclosures: give --json, or indices --csv")


def _write_certificate(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _priority(bandit: Bandit, text: str | None) -> Priority | None:
    if text is None:
        return None
    if text not in bandit.state_names:
        if text == "-":
            raise ModelError("--priority: give states or the name of a CSV file; it is not read from standard input")
        if text.endswith(".csv") or os.path.exists(text):  # Path.exists refuses long lists of states
            return read_priority(bandit, Path(text))
    return bandit.priority(list(map(str.strip, text.split(","))))


def _start(bandit: Bandit, text: str | None) -> GlobalState:
    if text is None:
        if bandit.initial is None:
            first = ",".join(arm.states[0] for arm in bandit.arms[:3]) + (",..." if len(bandit.arms) > 3 else "")
            raise ModelError(
                f"the model does not say where play starts: give one state per arm, as in --initial {first}"
            )
        return bandit.initial
    known = {name for arm in bandit.arms for name in arm.states}  # a name wins over an index: a state may be called 0
    names = map(str.strip, text.split(","))
    return bandit.start([int(x) if x.isdecimal() and len(x) < 10 and x not in known else x for x in names])
