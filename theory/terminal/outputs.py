"""Checks, before anything is computed, that files and folders of results can be written.

The checks change nothing on the disk. If writing fails later, as on a full disk, the error is an `OutputError`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISDIR
from typing import Final

from theory.errors import ModelError, OutputError

PICTURE_FORMATS: Final = ("png", "pdf", "svg")


def check_file(path: str | Path) -> None:
    """Raise `ModelError` for a file that could not be written."""
    mode = _mode(Path(path))
    if mode is None:
        _check_open(Path(path), Path(path).parent)
    elif S_ISDIR(mode):
        raise ModelError(f"{path} is a folder; give the name of a file")
    elif not os.access(path, os.W_OK):
        raise ModelError(f"{path}: cannot be written (it is read-only)")


def check_folder(path: str | Path, *, new: bool = False, own: str = "") -> None:
    """Raise `ModelError` for a folder that could not be written into, or could not be made.

    A `new` folder must be empty if it exists, or hold the file `own` by which the same program marks its results.
    """
    folder = Path(path)
    mode = _mode(folder)
    if mode is None:
        if folder.suffix.removeprefix(".").lower() in PICTURE_FORMATS:
            raise ModelError(f"{path}: a folder is wanted, not a picture; leave out the ending")
        above = next(each for each in folder.parents if _mode(each) is not None or each == each.parent)
        _check_open(folder, above)
    elif not S_ISDIR(mode):
        raise ModelError(f"{path} is a file; give a folder")
    elif not os.access(folder, os.W_OK | os.X_OK):
        raise ModelError(f"{path}: cannot be written (the folder is read-only)")
    elif new and not (own and (folder / own).is_file()) and any(folder.iterdir()):
        raise ModelError(f"{path}: exists already; give a new or empty folder")


def check_picture(path: str | Path) -> None:
    """Raise `ModelError` for a picture of an unknown format, or one that could not be written."""
    if Path(path).suffix.removeprefix(".").lower() not in PICTURE_FORMATS:
        *others, last = (f".{form}" for form in PICTURE_FORMATS)
        raise ModelError(f"{path}: the ending says the format, and is {', '.join(others)} or {last}")
    check_file(path)


@contextmanager
def writing(what: object, remedy: str = "") -> Iterator[None]:
    """Catch an `OSError` met while writing `what`, and raise an `OutputError` that says what to do."""
    try:
        yield
    except OSError as error:
        why = f"{what}: cannot be written ({error.strerror or error})"
        raise OutputError(f"{why}; {remedy}" if remedy else why) from None


def _check_open(path: Path, folder: Path) -> None:
    mode = _mode(folder)
    if mode is None:
        file = next((each for each in folder.parents if _is_file(each)), None)
        why = f"there is no folder {folder}" if file is None else f"{file} is a file, not a folder"
    elif not S_ISDIR(mode):
        why = f"{folder} is a file, not a folder"
    elif not os.access(folder, os.W_OK | os.X_OK):
        why = f"the folder {folder} is read-only"
    else:
        return
    raise ModelError(f"{path}: cannot be written ({why})")


def _is_file(path: Path) -> bool:
    mode = _mode(path)
    return mode is not None and not S_ISDIR(mode)


def _mode(path: Path) -> int | None:
    """Return the mode of the file or folder at a path; None if there is none."""
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ModelError(f"{path}: cannot be written ({error.strerror})") from None
