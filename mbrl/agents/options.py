"""Options in a learner's name: ``mb-psrl``, ``mb-psrl/dirichlet=0.5/rewards=gaussian``, ``my_module:Mine/rate=0.1``.

Options are the keyword arguments of the learner's class or function, with the types of its annotations or defaults; an
annotation also says what an option means, and in which unit (`typing.Annotated`, shown by ``list --options``). The
whole name, in one spelling (`mbrl.agents.registry.canonical_name`), is the key of the learner's random draws, rows and
curve. Its options come in the order in which the class declares them: with another order, other draws.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from contextlib import suppress
from difflib import get_close_matches
from typing import Any, Literal, NamedTuple, get_args, get_origin

import click
from click.types import convert_type

from theory import BanditError


def split_name(name: str) -> tuple[str, dict[str, str]]:
    """Return the learner's name without options, and the options as text.

    Raises
    ------
    BanditError
        For an option without a value, or one that comes twice.

    Examples
    --------
    >>> split_name("mb-psrl/dirichlet=0.5/rewards=gaussian")
    ('mb-psrl', {'dirichlet': '0.5', 'rewards': 'gaussian'})
    """
    base, *parts = name.split("/")
    options: dict[str, str] = {}
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals or not key.isidentifier() or not value:
            raise BanditError(f"agent {name!r}: options are written {base}/option=value, not {part!r}")
        if key in options:
            raise BanditError(f"agent {name!r}: the option {key} comes twice")
        options[key] = value
    return base, options


def meant_by(word: str, known: Iterable[str]) -> str:
    """Return a question that suggests the closest of the known words; "" if none is close.

    >>> meant_by("mb-ucvbi", ["mb-psrl", "mb-ucbvi"])
    ', did you mean mb-ucbvi?'
    """
    return "".join(f", did you mean {each}?" for each in get_close_matches(word, list(known), n=1))


class Option(NamedTuple):
    """An option of a learner: its type, its default, and what it means: choices, and the text of its annotation."""

    kind: Any
    default: Any
    meaning: str


def options_of(factory: Callable[..., Any]) -> dict[str, Option]:
    """Return the options of a class or function that makes learners.

    Examples
    --------
    >>> from mbrl.agents.gittins_q import GittinsQ
    >>> options_of(GittinsQ)["cooling"][:2]
    (<class 'float'>, 0.99)
    >>> options_of(GittinsQ)["cooling"].meaning
    'factor per episode of the distance to last_temperature, above 0, up to 1'
    """
    for evaluated in (True, False):  # a user's annotations may not resolve; the types of defaults then serve
        with suppress(Exception):
            _, *parameters = inspect.signature(factory, eval_str=evaluated).parameters.values()
            kept = (each for each in parameters if each.kind in (each.KEYWORD_ONLY, each.POSITIONAL_OR_KEYWORD))
            return {each.name: _option(each, evaluated) for each in kept}
    return {}


def _option(parameter: inspect.Parameter, evaluated: bool) -> Option:
    kind, default = parameter.annotation, parameter.default
    if not evaluated or kind is parameter.empty:
        kind = type(default)
    told = getattr(kind, "__metadata__", ())
    kind = get_args(kind)[0] if told else kind
    choices = " or ".join(map(str, get_args(kind))) if get_origin(kind) is Literal else ""
    return Option(kind, default, ": ".join(filter(None, (choices, *map(str, told)))))


def read_options(name: str, factory: Callable[..., Any]) -> dict[str, Any]:
    """Return the options in `name` as keyword arguments of `factory`.

    Raises
    ------
    BanditError
        For an unknown option, or a value that does not have its type.

    Examples
    --------
    >>> from mbrl.agents.gittins_q import GittinsQ
    >>> read_options("gittins-q/cooling=0.9", GittinsQ)
    {'cooling': 0.9}
    >>> def toy(problem, bold: bool, steps: int): pass
    >>> [read_options(f"toy/bold={said}/steps=2", toy) for said in ("yes", "False")]
    [{'bold': True, 'steps': 2}, {'bold': False, 'steps': 2}]
    """
    base, written = split_name(name)
    known = options_of(factory)
    for key in written:
        if key not in known:
            there_are = f"its options are {', '.join(known)}" if known else "it has none"
            raise BanditError(f"agent {base}: no option is called {key!r}{meant_by(key, known)}; {there_are}")
    return {key: _value(base, key, text, known[key].kind) for key, text in written.items()}


def option_text(value: Any) -> str:
    """Return the one text of an option's value.

    >>> [option_text(value) for value in (1.0, 1, 0.5, 1e-7, -0.0, True, "gaussian")]
    ['1', '1', '0.5', '1e-07', '0', 'yes', 'gaussian']
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(value + 0.0).removesuffix(".0") if isinstance(value, float) else str(value)


def _value(base: str, key: str, text: str, kind: Any) -> Any:
    wanted = click.Choice(get_args(kind)) if get_origin(kind) is Literal else kind
    if not (isinstance(wanted, click.Choice) or kind in (bool, int, float)):
        return text
    try:
        return convert_type(wanted)(text)
    except click.BadParameter as error:
        raise BanditError(f"agent {base}: {key}: {error.message}") from None
