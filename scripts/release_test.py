"""What a user does with the archive of a release, in folders with nothing else in them."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARCHIVE = Path(sys.argv.pop(1)).resolve()
ROOT = Path(__file__).resolve().parent.parent
CI = ROOT / "reports/ci"
VERSION, PLATFORM = re.fullmatch(r"ptodiff-([\d.]+(?:-dev)?)-(.+)\.tar\.gz", ARCHIVE.name).groups()
# What the templates name: that which is to come, where the archive is of none.
RELEASE = VERSION.removesuffix("-dev")
CASE = "=tgatherb/reversed"


class Archive(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.here = Path(temporary.name)
        self.home = self.here / "home"
        self.work = self.here / "work"
        self.home.mkdir()
        self.work.mkdir()

    def sh(self, text, code=0, cwd=None, **env):
        """Runs `text` with nothing of this user's environment: what it prints."""
        # The Python of the tests, which has what the implementation imports.
        path = f"{ROOT}/target/impl-venv/bin:/usr/local/bin:/usr/bin:/bin"
        done = subprocess.run(
            ["bash", "-c", text],
            cwd=cwd or self.work,
            env={"PATH": path, "HOME": str(self.home), "PLATFORM": PLATFORM, **env},
            capture_output=True,
            text=True,
        )
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, code, f"{text}\n{said}")
        return said

    def install(self, code=0, **env):
        env = {"FROM": str(ARCHIVE.parent), "VERSION": VERSION, "INTO": "new/ptodiff", **env}
        return self.sh(f"sh '{CI}/install.sh'", code, **env)

    def test_the_command_runs_where_nothing_else_is(self):
        command = self.install().strip()
        self.assertEqual(command, str(self.work.resolve() / "new/ptodiff/ptodiff"))
        self.assertEqual(self.sh(f"{command} --version"), f"ptodiff {VERSION}\n")
        self.assertIn("PASSED  1 case", self.sh(f"{command} run --filter {CASE}"))
        self.assertTrue((self.work / "reports/out/report.html").is_file())
        self.assertIn("explain", self.sh(f"{command} guide start-here"))
        # It needs no home, and writes nothing there.
        self.assertEqual(list(self.home.iterdir()), [])

    def test_the_archive_has_what_it_says(self):
        folder = Path(self.install().strip()).parent
        for page in [folder / "README.md", *(folder / "harness/cli/guide").glob("*.md")]:
            for link in re.findall(r"\]\((?![a-z]+:|#)([^)#]+)", page.read_text()):
                there = (page.parent / link).exists() or "cases/" in link
                self.assertTrue(there, f"{page.name}: {link}")
        # The cases in the command run there, too.
        self.assertIn("PASSED  1 case", self.sh(f"./ptodiff run --filter {CASE}", cwd=folder))
        pages = {page.name for page in (folder / "man/man1").iterdir()}
        self.assertTrue({"ptodiff.1", "ptodiff-run.1", "ptodiff-export-cases.1"} <= pages, pages)
        for schema in ["case", "record", "hunt", "waivers", "config"]:
            own = self.sh(f"new/ptodiff/ptodiff schema {schema}")
            self.assertEqual((folder / f"schemas/{schema}.schema.json").read_text(), own)
        script = folder / "completions/ptodiff.bash"
        self.sh(f"PATH={folder}:$PATH; source {script}; complete -p ptodiff")
        for shell in ["zsh", "fish", "elvish", "powershell"]:
            self.assertIn("PTODIFF_COMPLETE", (folder / f"completions/ptodiff.{shell}").read_text())

    def test_an_archive_with_another_checksum_is_not_installed(self):
        bad = self.here / "bad"
        shutil.copytree(ARCHIVE.parent, bad)
        archive = bad / ARCHIVE.name
        self.install(FROM=f"file://{ARCHIVE.parent}")
        before = sorted(path.name for path in (self.work / "new/ptodiff").iterdir())
        with archive.open("r+b") as file:
            file.seek(1000)
            byte = file.read(1)
            file.seek(1000)
            file.write(bytes([byte[0] ^ 1]))
        for of in [str(bad), f"file://{bad}"]:
            self.assertIn("does not have the checksum", self.install(70, FROM=of))
        with archive.open("r+b") as file:
            file.truncate(5000)
        self.assertIn("does not have the checksum", self.install(70, FROM=str(bad)))
        self.assertIn("cannot get", self.install(70, VERSION="9.9.9"))
        self.assertIn("give FROM", self.install(2, FROM=""))
        self.assertIn("give FROM", self.install(2, VERSION=""))
        # What was there stays.
        after = sorted(path.name for path in (self.work / "new/ptodiff").iterdir())
        self.assertEqual(after, before)

    def test_no_folder_of_the_user_is_replaced(self):
        (self.work / "tools").mkdir()
        self.install(INTO="tools")
        self.install(INTO="tools")
        (self.work / "own").mkdir()
        (self.work / "own/notes.txt").write_text("mine")
        self.assertIn("own is there and is not of ptodiff", self.install(2, INTO="own"))
        self.assertEqual((self.work / "own/notes.txt").read_text(), "mine")
        # Beside a folder of that name, or beside another tool.
        (self.work / "own/ptodiff/.git").mkdir(parents=True)
        self.install(2, INTO="own")
        (self.work / "tools/mytool").write_text("mine")
        self.assertIn("(mytool is not)", self.install(2, INTO="tools"))
        (self.work / "tools/mytool").unlink()
        # What only the archive there has is no reason.
        (self.work / "tools/README.md").rename(self.work / "tools/OLD.md")
        known = self.work / "tools/.installed"
        known.write_text(known.read_text().replace("README.md", "OLD.md"))
        self.install(INTO="tools")
        self.assertFalse((self.work / "tools/OLD.md").exists())
        # A link to a folder stays one, and what is beside it stays.
        (self.work / "link").symlink_to("tools")
        self.install(INTO="link/")
        self.assertTrue((self.work / "link").is_symlink() and (self.work / "tools/ptodiff").is_file())
        self.assertFalse(list(self.work.glob(".ptodiff-*")))
        self.assertIn("no temporary folder", self.install(70, TMPDIR="/none"))
        self.assertIn("no archive is built for musl", self.install(2, PLATFORM="musl"))

    def implementation(self):
        folder = Path(self.install().strip()).parent
        shutil.copy(folder / "scripts/implementations/minimal.py", self.work / "mine.py")
        (self.work / "ci").mkdir()
        for name in ["install.sh", "gate.sh"]:
            shutil.copy(CI / name, self.work / "ci")
        return str(folder / "ptodiff")

    def test_the_action_runs_parts_merges_them_and_decides(self):
        command = self.implementation()
        (self.work / "cases").mkdir()
        self.sh(f"{command} export-cases all && cp all/clauses/tgatherb_values.yaml cases")
        self.sh("mkdir -p reports && printf 'waivers: []\\n' > reports/waivers.yaml")
        step = f"sh '{CI}/action/run.sh'"
        output, summary = self.here / "output", self.here / "summary"
        env = {
            "PTODIFF": command,
            "IMPL": "mine=python3 mine.py",
            "AS": "a5",
            "NAME": "ptodiff",
            "GITHUB_ACTIONS": "true",
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(summary),
            "FOUND": str(self.here / "found"),
            "PARTS": "1",
        }

        def parts(code):
            output.unlink(missing_ok=True)
            shutil.rmtree(self.here / "found", ignore_errors=True)
            for part in ["1", "2"]:
                out = self.here / f"runner-{part}"
                self.sh(step, PART=f"{part}/2", MERGE="false", OUT=str(out), **env)
                artifact = self.here / f"found/ptodiff-part-{part}"
                artifact.mkdir(parents=True)
                shutil.copy(out / f"part-{part}/run.jsonl", artifact)
            self.assertEqual(output.read_text(), "part=1\npart=2\n")
            out = str(self.here / "gate")
            shutil.rmtree(out, ignore_errors=True)
            return self.sh(step, code, PART="", MERGE="true", OUT=out, **env)

        # The models alone are what is known.
        self.sh(f"{command} run -q -o known && {command} gate --from known/run.jsonl --bless --write")
        self.assertIn("the gate passed: 13 cases", parts(0))
        self.assertIn("passed=true", output.read_text())
        self.assertIn("13 cases", summary.read_text())
        mine = self.work / "mine.py"
        right = mine.read_text()
        mine.write_text(right.replace("call.dst.valid =", "call.dst.body[: rows * cols].reshape(rows, cols)[:] ="))
        self.assertNotEqual(mine.read_text(), right)
        said = parts(1)
        self.assertIn("::error ", said)
        self.assertIn("violation", said)
        self.assertNotIn("passed=true", output.read_text())
        self.assertTrue((self.here / "gate/report.html").is_file())
        # A part that never came.
        shutil.rmtree(self.here / "found/ptodiff-part-2")
        shutil.rmtree(self.here / "gate")
        out = str(self.here / "gate")
        said = self.sh(step, 2, PART="", MERGE="true", OUT=out, **env)
        self.assertIn("2/2", said)
        shutil.rmtree(self.here / "found")
        self.sh(step, 2, PART="", MERGE="true", OUT=out, **env)
        # All in one job, with the cases in the command.
        shutil.rmtree(self.work / "cases")
        mine.write_text(right)
        all_in_one = {**env, "CASES": "clauses/tgatherb_values.yaml", "WAIVERS": "reports/waivers.yaml"}
        self.sh(step, PART="", MERGE="false", OUT=str(self.here / "one"), **all_in_one)

    def templates(self, commands, **env):
        """What a template types in its jobs, in one folder."""
        self.implementation()
        (self.work / "cases").mkdir()
        self.sh("new/ptodiff/ptodiff export-cases all && cp all/clauses/tgatherb_values.yaml cases")
        self.sh("mkdir -p reports && printf 'waivers: []\\n' > reports/waivers.yaml")
        self.sh("new/ptodiff/ptodiff run -q -o known")
        self.sh("new/ptodiff/ptodiff gate --from known/run.jsonl --bless --write")
        said = ""
        for command, own in commands:
            said = self.sh(f"set -e\n{command}", **env, **own)
        self.assertIn("the gate passed: 13 cases", said)
        for name in ["report.html", "run.jsonl", "junit.xml"]:
            self.assertTrue((self.work / "ptodiff-out" / name).is_file(), name)

    def test_what_the_jenkinsfile_types(self):
        text = (CI / "Jenkinsfile").read_text()
        env = dict(re.findall(r"^ {8}([A-Z]+) = '(.*)'$", text, re.M))
        self.assertEqual(env["VERSION"], RELEASE)
        env["VERSION"] = VERSION
        env["FROM"] = str(ARCHIVE.parent)
        run, clean, gate = re.findall(r"^ *sh '(.*)'$", text, re.M)
        self.assertEqual(clean, "rm -rf ptodiff-out")
        parts = re.search(r"values (.*)", text)[1].replace("'", "").split(", ")
        stashes = re.search(r"part in \[(.*)\]", text)[1].replace("'", "").split(", ")
        self.assertEqual([part.replace("/", "-") for part in parts], stashes)
        self.assertEqual(text.count("{"), text.count("}"))
        self.templates([(run, {"PART": part}) for part in parts] + [(gate, {})], **env)
        # What is not installed is not looked for elsewhere.
        env["FROM"] = "/none"
        for command in [run, gate]:
            self.assertIn("cannot get /none", self.sh(f"set -xe\n{command}", 70, PART="1/4", **env))

    def test_what_the_gitlab_template_types(self):
        try:
            from ruamel.yaml import YAML
        except ImportError:
            self.skipTest("no YAML here")
        text = YAML(typ="safe").load(CI / "gitlab-ci.yml")
        env = {name: str(value) for name, value in text["variables"].items()}
        self.assertEqual(env["PTODIFF_VERSION"], RELEASE)
        env["PTODIFF_VERSION"] = VERSION
        env["PTODIFF_FROM"] = f"file://{ARCHIVE.parent}"
        env["TMPDIR"] = str(self.here)

        def typed(job):
            lines = text[text[job]["extends"]]["before_script"] + text[job]["script"]
            return "\n".join(lines).replace("/tmp/ptodiff", str(self.here / "installed"))

        total = str(text["conformance"]["parallel"])
        numbers = [{"CI_NODE_INDEX": str(k + 1), "CI_NODE_TOTAL": total} for k in range(int(total))]
        jobs = [(typed("conformance"), own) for own in numbers]
        self.templates(jobs + [(typed("gate"), {})], **env)

    def test_a_part_that_fails_does_not_skip_the_gate_on_github(self):
        text = (CI / "github.yml").read_text()
        gate = text[text.index("\n  gate:") :]
        self.assertIn("\n    if: always()\n", gate)
        self.assertTrue(gate.endswith("- if: needs.run.result != 'success'\n        run: exit 1\n"), gate)

    def test_the_templates_name_this_release(self):
        for name in ["github.yml", "gitlab-ci.yml", "Jenkinsfile", "action/action.yml"]:
            named = set(re.findall(r"@v(\d+\.\d+\.\d+)|download/v(\d+\.\d+\.\d+)", (CI / name).read_text()))
            self.assertEqual({a or b for a, b in named}, {RELEASE}, name)


if __name__ == "__main__":
    unittest.main()
