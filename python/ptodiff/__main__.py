"""`python -m ptodiff`: the command, or with `MODULE:CLASS` an implementation for it."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys

from .binary import Error, find
from .implementation import Implementation


def implementation(named: str) -> type[Implementation]:
    """The class that `MODULE:CLASS` names; raises Error where there is none."""
    module, _, name = named.partition(":")
    sys.path[:0] = [os.getcwd()] if os.getcwd() not in sys.path else []
    try:
        found = getattr(importlib.import_module(module), name)
    except ModuleNotFoundError as error:
        if error.name is None or not (module + ".").startswith(error.name + "."):
            raise
        raise Error(f"there is no module `{error.name}` here") from None
    except AttributeError:
        raise Error(f"the module `{module}` has no class `{name}`") from None
    if not (isinstance(found, type) and issubclass(found, Implementation)):
        raise Error(f"`{named}` is no subclass of ptodiff.Implementation")
    return found


def main() -> None:
    arguments = sys.argv[1:]
    try:
        if len(arguments) == 1 and re.fullmatch(r"[\w.]+:\w+", arguments[0]):
            # What is printed before `run` must not go to the protocol either.
            protocol = os.dup(1)
            os.dup2(2, 1)
            own = implementation(arguments[0])()
            sys.stdout.flush()
            os.dup2(protocol, 1)
            own.run()
            return
        command = [find(), *arguments]
    except Error as error:
        sys.exit(str(error))
    if os.name == "nt":
        sys.exit(subprocess.run(command).returncode)
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
