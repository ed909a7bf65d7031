"""Programs that are run, and what is wrong when they can't be."""

import json
import os
import subprocess
from pathlib import Path

# What is built: the packages of the benchmarks, those, and that of the command.
PACKAGES = ["ptodiff-runner", "ptodiff-contract", "ptodiff-hunt"]
BENCHES = ["speed", "contract", "pipeline", "counts"]
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
    if done.returncode != 0:
        raise Failed(f"`{told(command)}` ended with {done.returncode}")
    return done.stdout


def told(command):
    """A command's first words, for people."""
    return " ".join([Path(command[0]).name, *map(str, command[1:3])])


def on(cpus):
    """For `preexec_fn`: keeps a child to `cpus`."""
    return None if cpus is None else lambda: os.sched_setaffinity(0, cpus)


def one_core():
    """One of the cores that are ours."""
    return {max(os.sched_getaffinity(0))}


def benches():
    """Builds the benchmarks; where each is, by package and name."""
    command = ["cargo", "bench", "-q", "--locked", "--no-run", "--message-format=json"]
    for package in PACKAGES:
        command += ["-p", package]
    for name in BENCHES:
        command += ["--bench", name]
    return executables(built(command), "bench")


def ptodiff():
    """Builds the command; where it is."""
    command = ["cargo", "build", "-q", "--locked", "--release", "--message-format=json"]
    command += ["-p", COMMAND, "--bin", "ptodiff"]
    return executables(built(command), "bin")["ptodiff"]


def built(command):
    """What cargo says of a build."""
    try:
        return output(command)
    except Failed as why:
        raise Unbuilt(str(why)) from why


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
