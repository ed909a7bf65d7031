"""Programs that are run, and what is wrong when they can't be."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

# What is built: the packages of the benchmarks, those, and that of the command.
PACKAGES = ["ptodiff-runner", "ptodiff-hunt"]
BENCHES = ["speed", "pipeline"]
COMMAND = "ptodiff"


class Missing(Exception):
    """A tool that is not here: there is a figure less, and nothing is wrong."""


class Unbuilt(Exception):
    """The project does not compile: there is nothing to measure."""


class Failed(Exception):
    """Something that should work and does not."""


def output(command, cpus=None):
    """What `command` prints, on those `cpus` where they are given."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, preexec_fn=on(cpus))
    checked(command, done.returncode)
    return done.stdout


def used(command):
    """What `command` says, and what it took of time and memory."""
    with tempfile.TemporaryFile("w+") as said:
        child = subprocess.Popen(command, stdout=said, stderr=said)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        checked(command, child.returncode)
        said.seek(0)
        return said.read(), usage


def checked(command, code):
    if code != 0:
        first = " ".join([Path(command[0]).name, *map(str, command[1:4])])
        raise Failed(f"`{first}` ended with {code}")


def on(cpus):
    """For `preexec_fn`: keeps a child to `cpus`."""
    return None if cpus is None else lambda: os.sched_setaffinity(0, cpus)


def one_core():
    """One of the cores that are ours."""
    return {max(os.sched_getaffinity(0))}


def benches():
    """Builds the benchmarks; where each is, by name."""
    words = ["bench", "--no-run"]
    words += [word for package in PACKAGES for word in ("-p", package)]
    return built([*words, *(word for name in BENCHES for word in ("--bench", name))], "bench")


def ptodiff():
    """Builds the command; where it is."""
    return built(["build", "--release", "-p", COMMAND, "--bin", "ptodiff"], "bin")["ptodiff"]


def built(words, kind):
    """Has cargo build; the executables of the targets of `kind`, by name."""
    try:
        said = output(["cargo", *words, "-q", "--locked", "--message-format=json"])
    except Failed as why:
        raise Unbuilt(str(why)) from why
    return executables(said, kind)


def executables(messages, kind):
    """The targets of `kind` that cargo's `messages` say were made, by name."""
    made = {}
    for line in messages.splitlines():
        message = json.loads(line) if line.startswith("{") else {}
        if message.get("executable") and kind in message["target"]["kind"]:
            made[message["target"]["name"]] = message["executable"]
    return made


def version(command):
    """The first line that `command` says of itself, if it is there."""
    try:
        said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except OSError:
        return None
    return said.stdout.splitlines()[0].strip() if said.returncode == 0 and said.stdout else None
