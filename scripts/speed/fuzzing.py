"""What libFuzzer does with the target `differential` in a second of its own time."""

import re
import shlex
import subprocess
import tempfile

from run import Failed, Missing, used
from table import number, wanted

LABEL = "fuzz target differential, executions a CPU second"

# As cargo and libFuzzer say it.
RAN = re.compile(r"^\s*Running `(?P<command>\S*/differential [^`]*)`", re.MULTILINE)
DONE = re.compile(r"^Done (\d+) runs in", re.MULTILINE)


def part(table, tools, words, quick):
    if not wanted(words, LABEL):
        return
    if not tools.fuzzer:
        raise Missing("cargo-fuzz is not here (cargo install cargo-fuzz): no figure of libFuzzer")
    # Builds it, and makes its seeds.
    first = subprocess.run(
        ["scripts/fuzz", "--time", "1", "differential"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    ran = RAN.search(first.stdout)
    if first.returncode != 0 or not ran:
        raise Failed(f"scripts/fuzz --time 1 differential failed:\n{first.stdout[-2000:]}")
    seconds = 3 if quick else 10
    rate = executions(shlex.split(ran["command"]), seconds)
    table.title(f"libFuzzer, {seconds} seconds")
    table.row(LABEL, number(rate))


def executions(command, seconds):
    """Those in a second of CPU time, of the target that `command` runs."""
    with tempfile.TemporaryDirectory() as new:
        options = [word for word in command[1:] if word.startswith("-")]
        corpora = [word for word in command[1:] if not word.startswith("-")]
        # The last of an option counts; what is found goes to the first folder.
        said, usage = used([command[0], *options, f"-max_total_time={seconds}", new, *corpora])
    done = DONE.search(said)
    if not done:
        raise Failed(f"{command[0]} does not say how many runs it did")
    return int(done[1]) / (usage.ru_utime + usage.ru_stime)
