"""Programs that are measured from outside, with small ones in their place."""

import io
import os
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import command
import fuzzing
from run import Failed, one_core
from table import Table


class Programs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def program(self, text):
        file = self.folder / "program"
        file.write_text("#!/bin/sh\n" + text)
        file.chmod(0o755)
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
        # Nothing of it is left to disturb the next.
        self.assertTrue(ended.exists())

    def test_a_run_without_a_record_has_no_time(self):
        with self.assertRaises(Failed):
            command.record_ms([self.program('echo x >"$2/part"\n')], None)

    def test_one_core_is_one(self):
        record = f'taskset -cp $$ >{self.folder}/cores; echo >"$2/run.jsonl"\n'
        command.record_ms([self.program(record)], one_core())
        said = (self.folder / "cores").read_text().strip()
        self.assertTrue(said.endswith(f": {max(os.sched_getaffinity(0))}"), said)

    def test_memory_is_that_of_the_process(self):
        to = io.StringIO()
        for code in (0, 1, 70):
            tools = SimpleNamespace(ptodiff=self.program(f"exit {code}\n"))
            if code:
                with self.assertRaises(Failed):
                    command.memory(Table(to), tools, [], quick=False)
            else:
                command.memory(Table(to), tools, [], quick=False)
        label, mib = to.getvalue().splitlines()[-1].rsplit(maxsplit=1)
        self.assertEqual(label.strip(), "memory of a hunt of 1,000,000 cases")
        self.assertTrue(0.1 < float(mib) < 100, mib)

    def test_executions_are_those_of_a_second_of_its_own_time(self):
        program = self.program('echo "Done 700 runs in 1 second(s)" >&2\n')
        wait4 = os.wait4

        def took(pid, options):
            return *wait4(pid, options)[:2], SimpleNamespace(ru_utime=0.4, ru_stime=0.1)

        with mock.patch.object(os, "wait4", took):
            self.assertEqual(fuzzing.executions([program, "-x=1", "/c"], 1), 1400)

    def test_a_fuzz_target_that_ends_badly_has_no_figure(self):
        for end in ('echo "Done 700 runs in 1 second(s)"; exit 77\n', "exit 0\n"):
            with self.assertRaises(Failed):
                fuzzing.executions([self.program(end)], 1)

    def test_the_fuzz_target_is_found_in_what_cargo_says(self):
        said = "x\n     Running `target/a/release/differential -artifact_prefix=/p/ /c`\nINFO\n"
        found = fuzzing.RAN.search(said)
        self.assertEqual(found["command"], "target/a/release/differential -artifact_prefix=/p/ /c")


if __name__ == "__main__":
    unittest.main()
