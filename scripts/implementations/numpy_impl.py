#!/usr/bin/env python3
"""An implementation for ptodiff in NumPy: every form, every dtype, as cpu, a2a3 or a5.

It follows all readings that `ptodiff gaps` lists, with every choice they have
(ptoimpl/readings.py), and says `unsupported` to any other. It notices no
broken precondition: reads beyond a region deliver 0xEE, writes beyond it are dropped.

    ptodiff run --impl numpy='target/impl-venv/bin/python scripts/implementations/numpy_impl.py' --as a5
"""

import sys
from pathlib import Path

# Compiled modules go where builds go, not beside the sources.
sys.pycache_prefix = str(Path(__file__).resolve().parents[2] / "target" / "implementations-pycache")

from ptoimpl import protocol, implementation  # noqa: E402

# What a pipe holds, so that most frames come with one read.
ROOM = 1 << 16

if __name__ == "__main__":
    with open(sys.stdin.fileno(), "rb", ROOM, closefd=False) as incoming:
        sys.exit(protocol.serve("numpy", implementation.answer, incoming, sys.stdout.buffer))
