"""The command `ptodiff`: where it is, and how it is asked."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path


class Error(Exception):
    """What `ptodiff` says when it cannot do what it is asked, or that it is not here."""


def find() -> str:
    """The path of the command `ptodiff`.

    The variable PTODIFF wins, then the one that was installed with this package, then PATH.
    Raises Error where there is none.
    """
    named = os.environ.get("PTODIFF")
    if named:
        if not (os.path.isfile(named) and os.access(named, os.X_OK)):
            raise Error(f"PTODIFF names {named}, which is no program")
        return os.path.abspath(named)
    name = "ptodiff.exe" if os.name == "nt" else "ptodiff"
    # Of the environment, of the user, and beside a package installed with --target.
    folders = [sysconfig.get_path("scripts"), str(Path(__file__).parents[1] / "bin")]
    if sys.version_info >= (3, 10):
        folders.insert(1, sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user")))
    for folder in folders:
        path = os.path.join(folder, name)
        if os.access(path, os.X_OK):
            return path
    found = shutil.which(name)
    if found is None:
        raise Error(
            "the command ptodiff is not here: install the wheel of this machine, or set PTODIFF to its path"
        )
    return found


def ask(arguments: Sequence[str], ends: Sequence[int] = (0,)) -> subprocess.CompletedProcess[str]:
    """Runs `ptodiff ARGUMENTS`; raises Error with what it says where it ends with a code not in `ends`."""
    command = find()
    try:
        ran = subprocess.run([command, *arguments], capture_output=True, encoding="utf-8", errors="replace")
    except OSError as why:
        raise Error(f"{command} cannot be started: {why}") from None
    if ran.returncode not in ends:
        raise Error(ran.stderr.strip() or ran.stdout.strip() or f"ptodiff ended with {ran.returncode}")
    return ran
