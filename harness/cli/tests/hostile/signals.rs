//! Ctrl-C and `kill`: a command stops, says what was done, and leaves nothing.

use std::{
    fs,
    io::Read,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::common::{command, ptodiff, scatter, suites};

/// Cases enough for a run to be interrupted.
fn many() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let one = scatter("x", "");
    let (_, entry) = one.split_once("cases:\n").expect("a list");
    let all: String = (0..2000)
        .map(|n| entry.replacen("name: x", &format!("name: x{n}"), 1))
        .collect();
    fs::write(folder.path().join("a.yaml"), format!("cases:\n{all}")).expect("a file");
    folder
}

/// A run of them that takes long.
const RUN: [&str; 10] = [
    "run",
    "a.yaml",
    "--out",
    "out",
    "--schedules",
    "1000",
    "--jobs",
    "1",
    "--status-level",
    "all",
];

/// What an older run left in `out`.
const OLDER: &str = "the older record\n";

/// A folder for reports with an older record in it.
fn older(folder: &Path) -> PathBuf {
    let out = folder.join("out");
    fs::create_dir(&out).expect("a folder");
    fs::write(out.join("run.jsonl"), OLDER).expect("a file");
    out
}

fn start(folder: &Path, args: &[&str]) -> Child {
    let mut command = command(folder);
    command
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().expect("it starts")
}

fn tell(child: &Child, signal: &str) {
    let told = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(told.expect("kill runs").success());
}

/// How it ended. It has to end soon, whatever "soon" is on a machine that does something
/// else, too.
fn died(child: &mut Child) -> ExitStatus {
    let since = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            return status;
        }
        if since.elapsed() > Duration::from_secs(120) {
            let _ = child.kill();
            panic!("it did not end");
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// What it came to: its code and all that it said.
fn ended(mut child: Child) -> (Option<i32>, String, String) {
    let status = died(&mut child);
    let [mut out, mut err] = [String::new(), String::new()];
    let mut stdout = child.stdout.take().expect("piped");
    stdout.read_to_string(&mut out).expect("text");
    let mut stderr = child.stderr.take().expect("piped");
    stderr.read_to_string(&mut err).expect("text");
    (status.code(), out, err)
}

/// Waits until its first line is there: from then on it is at work. What it
/// says later is read by a thread, so that it never waits for its reader.
fn at_work(child: &mut Child) -> thread::JoinHandle<String> {
    let mut out = child.stdout.take().expect("piped");
    let mut first = [0; 1];
    out.read_exact(&mut first).expect("a line");
    child.stdout = Some(out);
    let mut out = child.stdout.take().expect("piped");
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(writer);
    let empty: std::os::fd::OwnedFd = reader.into();
    child.stdout = Some(empty.into());
    thread::spawn(move || {
        let mut text = String::from_utf8_lossy(&first).into_owned();
        out.read_to_string(&mut text).expect("text");
        text
    })
}

/// Waits until it has worked for so many hundredths of a second.
fn busy(child: &Child, ticks: u64) {
    let path = format!("/proc/{}/stat", child.id());
    let worked = || {
        let text = fs::read_to_string(&path).expect("it runs");
        let (_, rest) = text.rsplit_once(')').expect("a name");
        let ticks = rest.split_whitespace().nth(11).map(str::parse::<u64>);
        ticks.expect("a field").expect("a number")
    };
    for _ in 0..12_000 {
        if worked() >= ticks {
            return;
        }
        thread::sleep(Duration::from_millis(5));
    }
    panic!("it does not work");
}

/// Names that begin as those of files do that are not complete.
fn leftovers(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let names = entries.map(|e| {
        e.expect("an entry")
            .file_name()
            .to_string_lossy()
            .into_owned()
    });
    names
        .filter(|n| n.starts_with(ptodiff_edge::whole::PREFIX))
        .collect()
}

#[test]
fn an_interrupted_run_says_how_far_it_came_and_leaves_the_older_record() {
    for signal in ["-INT", "-TERM"] {
        let folder = many();
        let out = older(folder.path());
        let mut run = start(folder.path(), &RUN);
        let lines = at_work(&mut run);
        tell(&run, signal);
        let (code, _, err) = ended(run);
        assert_eq!(code, Some(130), "{err}");
        assert!(
            err.contains("interrupted after ") && err.contains(" of 2000 cases ("),
            "{err}"
        );
        assert!(err.contains("agree); nothing was written"), "{err}");
        assert!(lines.join().expect("text").contains("a/x0"));
        let record = fs::read_to_string(out.join("run.jsonl")).expect("a record");
        assert_eq!(record, OLDER);
        assert_eq!(fs::read_dir(&out).expect("a folder").count(), 1);
    }
}

/// Nobody reads what it prints, so that it waits in the middle of a line.
#[test]
fn a_second_interrupt_ends_it_at_once() {
    let folder = many();
    let run = start(folder.path(), &RUN);
    let out = folder.path().join("out");
    while !out.exists() || leftovers(&out).is_empty() {
        thread::sleep(Duration::from_millis(5));
    }
    tell(&run, "-INT");
    tell(&run, "-INT");
    let (code, _, _) = ended(run);
    assert_eq!(code, Some(130));
    assert_eq!(leftovers(&out), [""; 0]);
    assert_eq!(fs::read_dir(&out).expect("a folder").count(), 0);
}

/// Killed without a word it can clean up nothing, and yet nothing is half there.
#[test]
fn a_killed_run_leaves_the_older_record() {
    let folder = many();
    let out = older(folder.path());
    let mut run = start(folder.path(), &RUN);
    let _lines = at_work(&mut run);
    tell(&run, "-KILL");
    let (code, _, _) = ended(run);
    assert_eq!(code, None);
    let record = fs::read_to_string(out.join("run.jsonl")).expect("a record");
    assert_eq!(record, OLDER);
}

/// Whether this process, and so what it starts, ignores a signal.
fn is_ignored(number: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").expect("a status");
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = u64::from_str_radix(mask.expect("a mask").trim(), 16).expect("digits");
    mask & (1 << (number - 1)) != 0
}

/// What ends a process and can be heard ends it as it would, and leaves nothing.
#[test]
fn other_signals_leave_no_incomplete_file() {
    for (signal, number) in [
        ("QUIT", 3),
        ("USR1", 10),
        ("USR2", 12),
        ("ALRM", 14),
        ("XCPU", 24),
    ] {
        // A shell that starts something in the background has it ignore some.
        if is_ignored(number) {
            continue;
        }
        let folder = many();
        let out = older(folder.path());
        let mut run = start(folder.path(), &RUN);
        let _lines = at_work(&mut run);
        assert_eq!(leftovers(&out).len(), 1);
        tell(&run, &format!("-{signal}"));
        assert_eq!(died(&mut run).signal(), Some(number), "{signal}");
        assert_eq!(leftovers(&out), [""; 0], "{signal}");
        let record = fs::read_to_string(out.join("run.jsonl")).expect("a record");
        assert_eq!(record, OLDER);
    }
}

/// A file may have no more than so many bytes: the write fails, not the process.
#[test]
fn a_file_that_may_not_grow_is_an_error() {
    let folder = many();
    let out = older(folder.path());
    let script = "ulimit -f 1; cd \"$1\"; shift; exec \"$@\"";
    let done = Command::new("sh")
        .args(["-c", script, "sh"])
        .arg(folder.path())
        .arg(env!("CARGO_BIN_EXE_ptodiff"))
        .args(&RUN[..4])
        .output()
        .expect("a shell");
    let err = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(70), "{err}");
    assert!(err.contains("File too large"), "{err}");
    assert_eq!(leftovers(&out), [""; 0]);
}

/// What `kill -9` leaves goes when something is written there again, and what
/// another one writes at that time stays.
#[test]
fn what_a_killed_run_left_goes_and_what_a_live_one_writes_stays() {
    let folder = many();
    let out = older(folder.path());
    let mut live = start(folder.path(), &RUN);
    let _lines = at_work(&mut live);
    let own = leftovers(&out);
    let mut killed = start(folder.path(), &RUN);
    let _more = at_work(&mut killed);
    tell(&killed, "-KILL");
    assert_eq!(died(&mut killed).signal(), Some(9));
    let both = leftovers(&out);
    assert_eq!((own.len(), both.len()), (1, 2));
    let left = both.iter().find(|name| **name != own[0]).expect("a file");
    // Names that are like these and not ptodiff's.
    for name in [".ptodiff-notes", ".ptodiff-abc12", ".ptodiff-abc.12"] {
        fs::write(out.join(name), "mine").expect("a file");
    }
    let short = ["run", "a.yaml", "--out", "out", "--filter", "=a/x1"];
    let done = ptodiff(folder.path(), &short);
    assert_eq!(done.code, 0, "{}", done.err);
    let told = format!("removed out/{left}, left incomplete by a ptodiff that was killed\n");
    assert_eq!(done.err, told);
    let mut now = leftovers(&out);
    now.retain(|name| name != &own[0]);
    now.sort();
    assert_eq!(now, [".ptodiff-abc.12", ".ptodiff-abc12", ".ptodiff-notes"]);
    assert!(out.join(&own[0]).exists());
    tell(&live, "-INT");
    assert_eq!(died(&mut live).code(), Some(130));
}

/// What a command says that is interrupted once it has worked for so many hundredths of a
/// second: it says nothing before.
fn interrupted(folder: &Path, args: &[&str], ticks: u64, signal: &str) -> (String, String) {
    let child = start(folder, args);
    busy(&child, ticks);
    tell(&child, signal);
    let (code, out, err) = ended(child);
    assert_eq!(code, Some(130), "{out}{err}");
    assert!(err.contains("interrupted"), "{err}");
    (out, err)
}

#[test]
fn an_interrupted_hunt_tells_what_it_found() {
    let folder = tempfile::tempdir().expect("a folder");
    for (keep, kept) in [(&[][..], false), (&["--keep", "kept"], true)] {
        let args = "hunt --time 10m --seed 3 --jobs 2 --form tscatter-mask";
        let args: Vec<&str> = args.split(' ').chain(keep.iter().copied()).collect();
        let (out, err) = interrupted(folder.path(), &args, 40, "-INT");
        assert!(
            err.contains("interrupted: what was found by now follows"),
            "{err}"
        );
        assert!(
            out.contains(" cases of seed 3:") && out.contains(" holes, "),
            "{out}"
        );
        assert_eq!(out.contains("cases kept"), kept, "{out}");
        assert_eq!(folder.path().join("kept").exists(), kept);
    }
    // What it tells is what a hunt of so many cases tells: there is no gap.
    let own = ["--jobs", "1", "--form", "mgather", "--quick"];
    let args = [&["hunt", "--time", "10m"], &own[..]].concat();
    let (out, _) = interrupted(folder.path(), &args, 40, "-TERM");
    let count = out
        .split(" cases")
        .next()
        .expect("a number")
        .replace(',', "");
    let again = [&["hunt", "--count", &count], &own[..]].concat();
    assert_eq!(ptodiff(folder.path(), &again).out, out);
}

#[test]
fn an_interrupted_selftest_says_how_many_models_it_had() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.yaml"), scatter("one", "")).expect("a file");
    let args = ["selftest", "a.yaml", "--hunt-count", "1000000000"];
    let mut selftest = start(folder.path(), &args);
    // Some mistakes no draw shows soon, so that it never ends by itself.
    let _lines = at_work(&mut selftest);
    tell(&selftest, "-INT");
    let (code, _, err) = ended(selftest);
    assert_eq!(code, Some(130), "{err}");
    assert!(
        err.contains("interrupted after ") && err.contains(" wrong models"),
        "{err}"
    );
}

#[test]
fn an_interrupted_gate_judges_nothing() {
    let folder = many();
    let args = [
        "gate",
        "--cases",
        "a.yaml",
        "--baseline",
        "waivers.yaml",
        "--bless",
        "--write",
    ];
    fs::write(folder.path().join("waivers.yaml"), "waivers: []\n").expect("a file");
    interrupted(folder.path(), &args, 15, "-INT");
    assert!(!folder.path().join("baseline.json").exists());
}

#[test]
fn an_interrupted_check_of_data_folders_leaves_the_older_reports() {
    let folder = tempfile::tempdir().expect("a folder");
    let suites = suites().display().to_string();
    let of = ["--suite", "cpu", "--cases", &suites];
    let export = [&["st", "export", "--out", "data"], &of[..]].concat();
    let data = ptodiff(folder.path(), &export);
    assert_eq!(data.code, 0, "{}", data.err);
    let out = older(folder.path());
    let own = ["st", "check", "data", "--out", "out"];
    let args = [&own[..], &of, &["--jobs", "1", "--schedules", "1000"]].concat();
    let (_, err) = interrupted(folder.path(), &args, 30, "-INT");
    assert!(
        err.contains("interrupted after ") && err.contains("; nothing was written"),
        "{err}"
    );
    let record = fs::read_to_string(out.join("run.jsonl")).expect("a record");
    assert_eq!(record, OLDER);
    assert!(leftovers(&out).is_empty());
}
