//! How memory grows with what is read, run and found.

use std::{fs, path::Path, process::Stdio, thread, time::Duration};

use crate::common::{command, scatter};

/// Runs `ptodiff ARGS` and returns how many KiB it had at most: what Linux says last
/// before it ends. Threads that are not asked for would hold more at some moments.
pub(crate) fn peak(folder: &Path, args: &[&str]) -> u64 {
    let mut child = command(folder)
        .args(args)
        .env("RAYON_NUM_THREADS", "1")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().expect("a child").is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
        peak = peak.max(kib.unwrap_or(0));
        thread::sleep(Duration::from_millis(5));
    }
    let code = child.wait().expect("a child").code();
    assert!(matches!(code, Some(0 | 1)), "{args:?}: {code:?}");
    assert!(peak > 0, "{args:?}");
    peak
}

/// A folder of so many cases in files of 50, which all fail.
fn red(at: &Path, name: &str, count: usize) {
    fs::create_dir(at.join(name)).expect("a folder");
    for file in 0..count / 50 {
        let case = |n: usize| {
            let own = scatter(&format!("c{n}"), "    rejected: {a5: MSCATTER-TILE-01}\n");
            own.replace("cases:\n", "")
        };
        let all: String = (0..50).map(case).collect();
        let path = at.join(name).join(format!("part_{file:04}.yaml"));
        fs::write(path, format!("cases:\n{all}")).expect("a file");
    }
}

/// What a million cases need, 1.7 GB, follows from a few thousand. Bytes a case: 1,800 where
/// they are read; 4,500 where they are run, till the buffers of the page and of JUnit are
/// full; next to nothing where records are merged. The page is full at 4 MiB, and a hunt grows with what it finds alone.
#[test]
fn memory_grows_with_cases_as_the_guide_says() {
    const FEW: usize = 1000;
    const MANY: usize = 5000;
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let mut peaks = Vec::new();
    for (name, count) in [("few", FEW), ("many", MANY)] {
        red(at, name, count);
        let record = format!("{name}-out/run.jsonl");
        let out = format!("{name}-out");
        let run = [
            "run",
            name,
            "--quiet",
            "--no-details",
            "-j",
            "2",
            "--out",
            &out,
        ];
        let merge = ["merge", &record, "--out", "merged.jsonl"];
        let page = ["report", "--from", &record, "--html", "page.html"];
        let list = ["list", name];
        peaks.push([&list[..], &run, &merge, &page].map(|args| peak(at, args)));
        let page = fs::metadata(at.join("page.html")).expect("a page").len();
        assert!(page < 5 << 20, "a page of {page} bytes");
    }
    let most = [2100, 5000, 100, 500];
    for ((few, many), most) in peaks[0].iter().zip(&peaks[1]).zip(most) {
        // What a process has beside its cases differs from run to run by up to 2 MiB.
        let a_case = many.saturating_sub(*few + 2048) * 1024 / (MANY - FEW) as u64;
        assert!(a_case < most, "{a_case} bytes a case: {peaks:?}");
    }
    let hunt = |count: &str| {
        peak(
            at,
            &[
                "hunt", "--count", count, "--known", "none", "--quick", "-j", "1",
            ],
        )
    };
    let (few, many) = (hunt("3000"), hunt("30000"));
    assert!(
        many < few + 3072,
        "{few} KiB, and {many} of ten times as many"
    );
}
