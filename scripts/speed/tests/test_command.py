"""Programs that are measured from outside, with small ones in their place."""

import io
import os
import stat
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import command
import fuzzing
from run import Failed
from table import Table


class Programs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def program(self, text):
        file = self.folder / "program"
        file.write_text("#!/bin/sh\n" + text)
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
        return str(file)

    def test_a_run_is_timed_up_to_its_record(self):
        # `--out FOLDER` are its words; after the record it waits to be let go.
        gate, ended = self.folder / "gate", self.folder / "ended"
        os.mkfifo(gate)
        record = 'echo x >"$2/part"; mv "$2/part" "$2/run.jsonl"\n'
        program = self.program(f"{record}read x <{gate}; echo >{ended}\n")
        seen = []

        def clock():
            seen.append(ended.exists())
            if len(seen) == 2:
                gate.write_text("go\n")
            return len(seen) * 0.25

        with mock.patch.object(command.time, "perf_counter", clock):
            self.assertEqual(command.record_ms([program], None), 250)
        self.assertEqual(seen, [False, False])
        self.assertTrue(ended.exists())

    def test_another_file_is_no_record(self):
        arrival = command.Arrival(self.folder, "run.jsonl")
        self.addCleanup(arrival.close)
        (self.folder / "run.jsonl.part").write_text("x")
        self.assertFalse(arrival.wait(0.05))
        (self.folder / "run.jsonl").write_text("x")
        self.assertTrue(arrival.wait(10))

    def test_a_run_without_a_record_has_no_time(self):
        program = self.program("exit 0\n")
        with mock.patch.object(command.Arrival, "wait", lambda self, seconds: False):
            with self.assertRaises(Failed):
                command.record_ms([program], None)

    def test_one_core_is_one(self):
        record = f'taskset -cp $$ >{self.folder}/cores; echo >"$2/run.jsonl"\n'
        command.record_ms([self.program(record)], command.one_core())
        said = (self.folder / "cores").read_text().strip()
        self.assertTrue(said.endswith(f": {max(os.sched_getaffinity(0))}"), said)

    def test_memory_is_that_of_the_process(self):
        to = io.StringIO()
        tools = SimpleNamespace(ptodiff=lambda: self.program("exit 0\n"))
        command.memory(Table(to), tools, [], quick=False)
        row = to.getvalue().splitlines()[-1].split()
        self.assertEqual(row[:6], ["memory", "of", "a", "hunt", "of", "1,000,000"])
        self.assertLess(float(row[7]), 100)
        self.assertEqual(row[-3:], ["<", "200", "met"])
        for code in (1, 70):
            tools = SimpleNamespace(ptodiff=lambda: self.program(f"exit {code}\n"))
            with self.assertRaises(Failed):
                command.memory(Table(to), tools, [], quick=False)

    def test_executions_are_those_of_a_second_of_its_own_time(self):
        program = self.program('echo "$@"; echo "Done 700 runs in 1 second(s)" >&2\n')
        wait4 = os.wait4

        def took(pid, options):
            return *wait4(pid, options)[:2], SimpleNamespace(ru_utime=0.4, ru_stime=0.1)

        with mock.patch.object(os, "wait4", took):
            self.assertEqual(fuzzing.executions([program, "-x=1", "/c"], 1), 1400)

    def test_a_fuzz_target_that_ends_badly_has_no_figure(self):
        program = self.program('echo "Done 700 runs in 1 second(s)"; exit 77\n')
        with self.assertRaises(Failed):
            fuzzing.executions([program], 1)


if __name__ == "__main__":
    unittest.main()
