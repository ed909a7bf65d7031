#!/usr/bin/env python3
"""An implementation for ptodiff in NumPy: every form, every dtype, as cpu, a2a3 or a5.

It follows all readings that `ptodiff gaps` lists, with every choice they have
(ptoimpl/readings.py), and says `unsupported` to any other. It notices no
broken precondition: reads beyond a region deliver 0xEE, writes beyond it are dropped.

    ptodiff run --impl numpy='target/impl-venv/bin/python scripts/implementations/numpy_impl.py' --as a5
"""

import os
import sys
from pathlib import Path

# Compiled modules go where builds go, not beside the sources.
sys.pycache_prefix = str(Path(__file__).resolve().parents[2] / "target" / "implementations-pycache")

import ptodiff  # noqa: E402

from ptoimpl import implementation  # noqa: E402


class Numpy(ptodiff.Implementation):
    """The package speaks the protocol; a call is read and run without it."""

    name = "numpy"
    # Each thread of ptodiff may have two: one of them for calls of which nothing is promised.
    jobs = 2 * (os.cpu_count() or 1)

    def answer(self, frame, payload):
        return implementation.answer(self.target, frame, payload)


if __name__ == "__main__":
    Numpy().run()
