"""Tools of every command line of the project: start, exit codes, errors, JSON and tables.

An error is one line on stderr; with ``--json`` it is also the object ``{"error": ...}`` on stdout, unless an answer is
there already. The exit code is 2 for bad input or a part that is not installed, 1 for output that cannot be written,
and 130 for an interruption.
"""

from __future__ import annotations

import json
import math
import os
import re
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from types import MappingProxyType
from typing import Any, Final, NoReturn, TextIO, cast

import click
from click.shell_completion import shell_complete
from click.types import IntParamType
from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text

from theory.errors import BanditError, ModelError, OutputError
from theory.terminal.outputs import check_file, check_folder, check_picture

_SHOW_CURSOR = "\r\x1b[2K\x1b[?25h"
"""Erases the progress line and shows the cursor again."""

_UNBREAKABLE = "\N{NON-BREAKING HYPHEN}"

PROJECT: Final = "markovian-bandits-companion"

EXTRAS: Final = MappingProxyType(
    {
        **dict.fromkeys(("numba", "llvmlite", "xarray", "netCDF4", "filelock", "cloudpickle", "gymnasium"), "learn"),
        **dict.fromkeys(("jinja2", "latex2mathml"), "page"),
        "matplotlib": "figures",
        "pdoc": "docs",
        "hypothesis": "suites",
        "distributed": "cluster",
    }
)
"""The extra that installs each module."""

WIDTH_OF_A_PIPE = 120
_plain_console = partial(Console, highlight=False, markup=False, emoji=False)
_LONG = 100  # rows of a long table
WIDTH_OF_TABLES = 80
"""Width of a terminal from which a table is always drawn as a table."""


class Commands(click.Group):
    """A group whose list of commands shows the first sentence of each command's help.

    An option that takes one value is refused if given twice, since click would silently keep the last value.
    """

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the name of the command, the command and its arguments; refuse repeated options."""
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            context = click.Context(command, ctx, name)
            _, _, given = command.make_parser(context).parse_args(list(rest))
            for option, count in Counter(given).items():
                if count > 1 and isinstance(option, click.Option) and not (option.multiple or option.is_flag):
                    raise click.UsageError(f"{max(option.opts, key=len)} is given {count} times; give it once", context)
        return name, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands; a long entry continues on the next line."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.get_short_help_str(limit=sys.maxsize)) for name, each in commands if each])


class _UnbrokenHelp(click.HelpFormatter):
    """Help that is as narrow as the terminal and never breaks a name at a hyphen."""

    def __init__(self, width: int | None = None, max_width: int | None = None) -> None:
        super().__init__(width=width or min(get_terminal_size().columns, max_width or 80) - 2)

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args.replace("-", _UNBREAKABLE), prefix)

    def write_text(self, text: str) -> None:
        super().write_text(text.replace("-", _UNBREAKABLE))

    def write_dl(self, rows: Iterable[tuple[str, str]], *widths: int, **named_widths: int) -> None:
        told = [(name, text.replace("-", _UNBREAKABLE)) for name, text in rows]
        super().write_dl(told, *widths, **named_widths)

    def getvalue(self) -> str:
        return re.sub(" +$", "", super().getvalue().replace(_UNBREAKABLE, "-"), flags=re.MULTILINE)


class _Written(click.ParamType):  # type: ignore[type-arg]  # it is generic in newer versions only
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and re.fullmatch(r"\s*\d+(\.\d+)?[eE]\+?\d{1,2}\s*", value):
            number = Decimal(value.strip())
            value = int(number) if number == number.to_integral_value() else value
        return super().convert(value, param, ctx)


class Whole(_Written, IntParamType):
    """A whole number, which may be written as 3000, 3_000 or 3e3."""


class WholeIn(_Written, click.IntRange):
    """A whole number in a range, which may be written as 3000, 3_000 or 3e3."""


class _Output(click.ParamType):  # type: ignore[type-arg]  # it is generic in newer versions only
    """A place to write to, checked while the command line is parsed."""

    _check: Callable[[Path], None]

    def convert(self, value: str | Path, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        if not str(value):
            raise ModelError(f"{_called(param)}: an empty name; write that of a {self.name}")
        self._check(Path(value))
        return Path(value)


class OutputFile(_Output):
    """An option or argument that names a file to be written (`check_file`)."""

    name = "file"
    _check = staticmethod(check_file)


class OutputFolder(_Output):
    """An option or argument that names an output folder, which is made if missing (`check_folder`)."""

    name = "folder"

    def __init__(self, *, new: bool = False, own: str = "") -> None:
        self._check = partial(check_folder, new=new, own=own)


class PictureFile(_Output):
    """An option or argument that names a picture to be drawn (`check_picture`)."""

    name = "file"
    _check = staticmethod(check_picture)


def _called(param: click.Parameter | None) -> str:
    if param is None:
        return "output"
    return param.opts[0] if isinstance(param, click.Option) else param.human_readable_name


jobs_option: Callable[[Callable[..., None]], Callable[..., None]] = click.option(
    "--jobs",
    type=WholeIn(min=1),
    metavar="N",
    help="Number of processes; results do not depend on it. [default: all cores]",
)
"""The option ``--jobs``; its default is in `number_of_jobs`."""


def number_of_jobs(jobs: int | None) -> int:
    """Return `jobs`, or the number of cores that this process may use."""
    if jobs is not None:
        return jobs
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _leaving_at_once() -> Iterator[None]:
    """Let Ctrl-C end the process at once, wherever it is.

    An exception would pass through code that imports run, and Python remembers that an import failed; or a library
    that catches everything would swallow it.
    """
    end = os._exit  # a learner's call of this name may be watched

    def leave(*_: object) -> None:
        told = "error: interrupted"  # written without a stream, which may be half way through a line
        os.write(2, f"{_SHOW_CURSOR if sys.stderr.isatty() else ''}{told}\n".encode())
        try:
            _answer(told)
            sys.stdout.flush()
        finally:
            end(130)

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # the caller handles or ignores Ctrl-C
        yield
        return
    signal.signal(signal.SIGINT, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C raise an exception again, for code that answers it with partial results."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@_leaving_at_once()
def run_command_line(group: str, program: str, extras: Mapping[str, str] = EXTRAS) -> NoReturn:
    """Run a group of commands, given as ``module:attribute``, and leave with its exit code.

    The group is imported here, so that interrupting a long import also gives one line. Usage messages name `program`,
    unless a console script called it. `extras` maps modules to the extra that installs them, which errors name.
    """
    global _answered  # noqa: PLW0603  (of this command line)
    _prepare_streams()
    _answered = False
    click.Context.formatter_class = _UnbrokenHelp
    called = Path(sys.argv[0]).name
    try:
        module, _, attribute = group.partition(":")
        commands: click.Group = getattr(import_module(module), attribute)
        variable = f"_{called}_COMPLETE".replace("-", "_").replace(".", "_").upper()
        if variable in os.environ:  # a shell asks for completions
            sys.exit(shell_complete(commands, {}, called, variable, os.environ[variable]))
        with commands.make_context(program if called == "__main__.py" else called, sys.argv[1:]) as context:
            code = commands.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as wanted:
        code = wanted.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        _leave(error.format_message())  # the full help
    except click.UsageError as error:
        message = error.format_message().replace(" integer range.", " integer.").replace(" float range.", " number.")
        where = (
            "" if error.ctx is None else f"{'' if message[-1] in '.?' else '.'} See {error.ctx.command_path} --help."
        )
        _leave(_in_one_line(message + where))
    except click.ClickException as error:
        _leave(_in_one_line(error.format_message()))
    except OutputError as error:
        _leave(_in_one_line(str(error)), code=1)
    except BanditError as error:
        _leave(_in_one_line(str(error)))
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in extras:
            raise
        _leave(f"error: this needs {missing}, which is not installed: pip install '{PROJECT}[{extras[missing]}]'")
    except (KeyboardInterrupt, click.Abort) as error:
        _leave(_in_one_line(str(error) or "interrupted"), code=130)
    except BrokenPipeError:
        _forget_output()  # the reader of the pipe is gone
        sys.exit(1)
    except OSError as error:
        _forget_output()
        where = f"{error.filename}:" if error.filename else "the output cannot be written:"
        _leave(_in_one_line(f"{where} {error.strerror or error}"), code=1)
    except MemoryError:
        _leave("error: out of memory", code=1)
    sys.exit(code if isinstance(code, int) else 0)


def _prepare_streams() -> None:
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # the caller closed it
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # the terminal may lack letters of a state's name


def _forget_output() -> None:
    """Discard unwritten output, so that it does not fail a second time at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _in_one_line(message: str) -> str:
    return f"error: {' '.join(message.split())}"


def _answer(message: str) -> None:
    """Print an error as JSON if JSON is wanted and no answer is printed yet."""
    if "--json" in sys.argv and message.startswith("error: ") and not _answered:
        print_json({"error": message.removeprefix("error: ")})


def _leave(message: str, code: int = 2) -> NoReturn:
    _answer(message)
    try:
        click.echo(message, err=True)
    except OSError:  # stderr is closed too
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    sys.exit(code)


_answered = False
"""Whether a JSON answer was printed; an error then adds none."""


def print_json(content: dict[str, Any]) -> None:
    """Print one JSON object on stdout, with null for infinities and NaN, which JSON lacks."""
    global _answered  # noqa: PLW0603
    _answered = True
    in_unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    click.echo(json.dumps(_finite(content), indent=2, ensure_ascii=not in_unicode, allow_nan=False))


def _finite(content: Any) -> Any:
    if isinstance(content, dict):
        return {key: _finite(value) for key, value in content.items()}
    if isinstance(content, (list, tuple)):
        return [_finite(value) for value in content]
    return None if isinstance(content, float) and not math.isfinite(content) else content


def console(*, stderr: bool = False) -> Console:
    """Return a console as wide as the terminal, or COLUMNS, or 120 in a pipe; no line ends in blanks.

    Text is printed literally: ``[bold]`` in the name of a state is no style.
    """
    stream = sys.stderr if stderr else sys.stdout
    if stream.isatty():
        return _plain_console(stderr=stderr)
    columns = os.environ.get("COLUMNS", "")
    width = int(columns) if columns.isdigit() and int(columns) else WIDTH_OF_A_PIPE
    return _plain_console(file=cast("TextIO", _Unpadded(stream)), width=width)


def fitted(line: str, width: int) -> Iterator[str]:
    """Yield a line, split if it is too long: at blanks, and within a word that is too long after / and :.

    Examples
    --------
    >>> list(fitted("  forall n : nat, even n -> odd (S n)", 24)), list(fitted("lem:moment/printed", 12))
    (['  forall n : nat, even n', '    -> odd (S n)'], ['lem:moment/', '  printed'])
    """
    start = line[: min(len(line) - len(line.lstrip()), width // 2)]
    shape: dict[str, Any] = {"initial_indent": start, "subsequent_indent": f"{start}  ", "break_long_words": False}
    for part in wrap(line.strip(), width, **shape) or [""]:
        rest = part
        while len(rest) > width and (cut := max(rest.rfind(mark, 0, width) for mark in "/:")) > 0:
            yield rest[: cut + 1]
            rest = f"{start}  {rest[cut + 1 :]}"
        yield rest


class _Unpadded:
    """A stream that removes blanks at the ends of lines."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        return self._stream.write(re.sub(r"[ \t]+(?=\n|\Z)", "", text))


def version_text() -> str:
    """Return the installed version, or a note that this is a checkout."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415  (it loads half of `email`)

    try:
        return version(PROJECT)
    except PackageNotFoundError:
        return "checkout"


def _print_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        click.echo(f"{PROJECT} {version_text()}")
        context.exit()


version_option = click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
"""The option ``--version`` of a group, which looks the version up only when used."""


class _Rows(Table):
    """A table that breaks no word or number; in a narrow terminal it prints one field per line instead."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        plain = self._plain_lines(options.max_width)
        if plain is not None:
            yield from plain
            return
        needed = self.__rich_measure__(console, options)
        if needed.minimum <= options.max_width < needed.maximum:
            kept = options.max_width >= WIDTH_OF_TABLES  # the headers; narrower ones and other columns give way
            for column in self.columns:
                if all(" " not in str(cell) for cell in (*column.cells, *[column.header] * kept)):
                    column.header, column.no_wrap = str(column.header).replace(" ", "\n"), True
        if options.max_width >= min(needed.minimum, WIDTH_OF_TABLES):
            yield from super().__rich_console__(console, options)
        else:
            if self.title:
                yield Text.assemble((str(self.title), "italic"), "\n")
            for row in zip(*(column.cells for column in self.columns), strict=True):
                for column, cell in zip(self.columns, row, strict=True):
                    yield Text.assemble((f"{column.header}: ", "bold"), console.render_str(str(cell)), overflow="fold")
                yield ""

    def _plain_lines(self, width: int) -> list[Segment] | None:
        """Return the lines of a long, plain table that fits, as it would be drawn but faster; None for other tables."""
        columns: list[list[Any]] = [[str(column.header), *column.cells] for column in self.columns]
        if self.title or len(self.rows) < _LONG or not all(isinstance(cell, str) for cell in chain(*columns)):
            return None
        joined = "".join(chain(*columns))
        if not joined.isascii() or not joined.isprintable() or not {"[", ":"}.isdisjoint(joined):
            return None
        widths = [max(map(len, column)) for column in columns]
        if sum(widths) + 2 * (len(widths) - 1) > width:
            return None
        lines = ["  ".join(map(str.ljust, row, widths)) for row in zip(*columns, strict=True)]
        return [Segment(lines[0], Style(bold=True)), Segment("\n" + "\n".join(lines[1:]) + "\n")]


def table(*columns: str, title: str = "") -> Table:
    """Return an empty table in the project's plain style."""
    made = _Rows(
        title=title or None, box=None, title_justify="left", header_style="bold", pad_edge=False, padding=(0, 2, 0, 0)
    )
    for column in columns:
        made.add_column(column, overflow="fold")
    return made
