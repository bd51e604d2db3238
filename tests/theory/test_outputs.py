"""Checks of output paths: refused beforehand, in one line; the checks create and change nothing."""

from __future__ import annotations

import os

import pytest

from tests.refusals import refusal
from theory.errors import OutputError
from theory.terminal.outputs import PICTURE_FORMATS, check_file, check_folder, check_picture, writing


@pytest.fixture
def folder_tree(tmp_path, monkeypatch):
    """A folder with a file, an empty folder, a non-empty folder and a dangling link."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    (tmp_path / "empty").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("mine")
    (tmp_path / "link").symlink_to("later")
    return tmp_path


def content(folder):
    return {path.relative_to(folder): path.read_text() if path.is_file() else None for path in folder.rglob("*")}


@pytest.mark.parametrize(
    ("check", "path", "options", "line"),
    [
        (check_file, "empty", {}, "empty is a folder; give the name of a file"),
        (check_file, "file/x", {}, "file/x: cannot be written (file is a file, not a folder)"),
        (check_file, "file/x/y", {}, "file/x/y: cannot be written (file is a file, not a folder)"),
        (check_file, "nowhere/x", {}, "nowhere/x: cannot be written (there is no folder nowhere)"),
        (check_file, "nowhere/deep/x", {}, "nowhere/deep/x: cannot be written (there is no folder nowhere/deep)"),
        (check_folder, "file", {}, "file is a file; give a folder"),
        (check_folder, "file/x/y", {}, "file/x/y: cannot be written (file is a file, not a folder)"),
        (check_folder, "fig.pdf", {}, "fig.pdf: a folder is wanted, not a picture; leave out the ending"),
        (check_folder, "full", {"new": True}, "full: exists already; give a new or empty folder"),
        (check_picture, "x.gif", {}, "x.gif: the ending says the format, and is .png, .pdf or .svg"),
        (check_picture, "png", {}, "png: the ending says the format, and is .png, .pdf or .svg"),
        (check_picture, "file/x.png", {}, "file/x.png: cannot be written (file is a file, not a folder)"),
    ],
)
def test_unwritable_outputs_are_refused_in_one_line(folder_tree, check, path, options, line):
    before = content(folder_tree)
    assert refusal(check, path, **options) == line
    assert "File name too long" in refusal(check, f"{'x' * 10_000}.png")
    assert content(folder_tree) == before


def test_output_checks_create_and_change_nothing(folder_tree):
    before = content(folder_tree)
    for path in ("new", "file", "empty/new", "link", folder_tree / "new", "/dev/null"):
        check_file(path)
    for path in ("new", "new/deep/deeper", "empty", "full", ".", folder_tree):
        check_folder(path)
    check_folder("empty", new=True)
    for form in PICTURE_FORMATS:
        check_picture(f"new.{form}")
    check_picture("new.PNG")
    assert content(folder_tree) == before


@pytest.mark.parametrize(
    ("check", "path", "why"),
    [
        (check_file, "full/file", "it is read-only"),
        (check_file, "full/new", "the folder full is read-only"),
        (check_folder, "full", "the folder is read-only"),
        (check_folder, "full/new/deep", "the folder full is read-only"),
    ],
)
def test_read_only_outputs_are_refused(folder_tree, monkeypatch, check, path, why):
    # patched, because whoever runs the tests may have all rights
    read_only = {"full", os.path.join("full", "file")}
    monkeypatch.setattr(os, "access", lambda place, mode: not (mode & os.W_OK and os.fspath(place) in read_only))
    assert refusal(check, path) == f"{path}: cannot be written ({why})"


def test_writing_names_the_output_that_fails():
    for error, why in ((OSError(28, "No space left on device"), "No space left on device"), (OSError("none"), "none")):
        with pytest.raises(OutputError, match=rf"^file x: cannot be written \({why}\)$"), writing("file x"):
            raise error
