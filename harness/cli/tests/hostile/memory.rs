//! Input that would take all memory: rejected, in clear words, under a limit of
//! the system that any careless allocation would run into.

use std::{
    ffi::OsStr,
    fs::{self, File},
    io::{BufWriter, Write},
    path::Path,
    process::Command,
};

use ptodiff_record::{Header, Writer};

use crate::{
    common::{Done, scatter, suites},
    shell,
};

/// Address space that the command may have, in KiB: programs and threads have
/// their part of it, too.
const ROOM: &str = "786432";

/// Runs `ptodiff ARGS` in `folder`, in little room.
fn tight(folder: &Path, args: &[&str]) -> Done {
    within(ROOM, folder, args)
}

/// As [`tight`], in so many KiB.
pub(crate) fn within(room: &str, folder: &Path, args: &[&str]) -> Done {
    let script = "ulimit -v \"$1\" && cd \"$2\" && shift 2 && exec \"$@\"";
    let mut words = vec![
        OsStr::new(room),
        folder.as_os_str(),
        OsStr::new(env!("CARGO_BIN_EXE_ptodiff")),
    ];
    words.extend(args.iter().map(OsStr::new));
    let output = shell(script, &words);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.code().is_some(),
        "{args:?}: {:?}: {said}",
        output.status
    );
    assert!(
        !said.contains("panicked") && !said.contains("allocation"),
        "{said}"
    );
    output.into()
}

#[track_caller]
fn rejected(folder: &Path, args: &[&str], says: &str) {
    let done = tight(folder, args);
    assert_eq!(
        done.code,
        2,
        "{args:?}: {}",
        &done.err[..done.err.len().min(2000)]
    );
    assert!(
        done.err.contains(says),
        "`{says}`: {}",
        &done.err[..done.err.len().min(2000)]
    );
    assert!(
        done.err.len() < 1 << 16,
        "{} bytes are said",
        done.err.len()
    );
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// A file of so many bytes that takes no room on the disk.
fn sparse(path: &Path, bytes: u64) {
    let file = File::create(path).expect("a file");
    file.set_len(bytes).expect("a length");
}

/// A case that is legal and takes more than the machine has: a sentence, and
/// the exit code of a fault of the machine.
#[test]
fn who_gets_no_memory_says_so() {
    let folder = folder();
    let large = scatter("a", "").replace("[1, 1, 1, 4, 8]", "[1, 1, 1, 6400, 8192]");
    fs::write(folder.path().join("a.yaml"), large).expect("a file");
    let script = "ulimit -v 786432 && cd \"$1\" && exec \"$2\" run a.yaml --out out";
    let command = OsStr::new(env!("CARGO_BIN_EXE_ptodiff"));
    let done = shell(script, &[folder.path().as_os_str(), command]);
    let err = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(70), "{err}");
    assert!(err.contains("memory allocation of"), "{err}");
    assert!(!err.contains("panicked"), "{err}");
}

/// Of a word that is very long a message quotes as much as says which.
#[test]
fn a_message_quotes_the_beginning_of_a_long_word() {
    let folder = folder();
    let word = "x".repeat(100_000);
    let short = format!("`{}\u{2026}`", "x".repeat(80));
    let path = folder.path().join("a.yaml");
    for (from, to) in [
        ("dtype: int32_t", format!("dtype: {word}")),
        ("mode: Elem", format!("mode: {word}")),
        ("data: permutation", format!("data: {word}")),
        ("    dtype", format!("    {}: 1\n    dtype", &word[..1000])),
    ] {
        fs::write(&path, scatter("a", "").replace(from, &to)).expect("a file");
        let done = tight(folder.path(), &["check", "a.yaml"]);
        assert_eq!(done.code, 2);
        assert!(done.err.contains(&short), "{} bytes", done.err.len());
        assert!(done.err.len() < 2000, "{} bytes", done.err.len());
    }
    fs::write(&path, scatter("one", "")).expect("a file");
    let asm = folder.path().join("x.pto");
    fs::write(&asm, format!("pto.{word} ins() outs()\n")).expect("a file");
    fs::write(
        folder.path().join("ptodiff.toml"),
        format!("[run]\n{word} = 1\n"),
    )
    .expect("a file");
    fs::write(
        folder.path().join("w.yaml"),
        format!("waivers: [{{{word}: 1}}]\n"),
    )
    .expect("a file");
    let known = format!("{{\"{word}\": 1}}");
    fs::write(folder.path().join("x.json"), &known).expect("a file");
    for args in [
        &["asm", "--read", "x.pto"][..],
        &["run", "a.yaml"],
        &["run", "a.yaml", "--no-config", "-E", &word],
        &[
            "run",
            "a.yaml",
            "--no-config",
            "--reading",
            &format!("{word}=x"),
        ],
        &[
            "gate",
            "--cases",
            "a.yaml",
            "--no-config",
            "--baseline",
            "w.yaml",
        ],
        &["hunt", "--lattice", "x.json"],
        &["report", "--from", "x.json"],
        &["explain", &word],
        &["list", &word],
        &[&word],
    ] {
        let done = tight(folder.path(), args);
        assert!([2, 3].contains(&done.code), "{:?}: {}", args[0], done.code);
        assert!(
            !done.err.contains(&"x".repeat(600)),
            "{:?}: {}",
            args[0],
            done.err
        );
        assert!(
            done.err.len() < 3000,
            "{:?}: {} bytes",
            args[0],
            done.err.len()
        );
    }
}

/// What the limit is taken from holds: a case runs in the memory that is counted
/// for it, and what a small one takes.
#[test]
fn a_case_takes_what_is_counted_for_it() {
    let folder = folder();
    let table = |rows: u64| {
        scatter("a", "").replace("[1, 1, 1, 4, 8]", &format!("[1, 1, 1, {rows}, 8192]"))
    };
    let random = |side: u64| {
        let text = scatter("a", "").replace("[2, 8]", &format!("[{side}, {side}]"));
        let text = text
            .replace("int32_t", "int8_t")
            .replace("permutation", "random");
        text.replace("[1, 1, 1, 4, 8]", &format!("[1, 1, 1, {side}, {side}]"))
    };
    // Bytes of operands, and elements of an index.
    let [large, many] = [(32 << 20, 16), (6 << 18, 1 << 18)];
    for (text, (bytes, lanes)) in [(table(1024), large), (random(512), many)] {
        fs::write(folder.path().join("a.yaml"), text).expect("a file");
        let own = ptodiff_case::limits::COPIES * bytes + ptodiff_case::limits::LANE_BYTES * lanes;
        let script = "ulimit -v \"$1\" && cd \"$2\" && exec \"$3\" run a.yaml --jobs 1 --out out";
        let room = (((96 << 20) + own) >> 10).to_string();
        let command = OsStr::new(env!("CARGO_BIN_EXE_ptodiff"));
        let done = shell(
            script,
            &[OsStr::new(&room), folder.path().as_os_str(), command],
        );
        let err = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(0), "{room} KiB: {err}");
    }
}

/// The limit is one: what is within all others still runs in it.
#[test]
fn there_is_room_for_what_is_sensible() {
    let folder = folder();
    fs::write(folder.path().join("a.yaml"), scatter("one", "")).expect("a file");
    let done = tight(folder.path(), &["run", "a.yaml", "--out", "out"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
}

#[test]
fn case_files_that_are_too_large_or_too_deep_are_rejected() {
    let folder = folder();
    let path = folder.path().join("a.yaml");
    let check = ["check", "a.yaml"];
    sparse(&path, 1 << 40);
    rejected(folder.path(), &check, "16 MiB");
    rejected(
        folder.path(),
        &["check", "/dev/zero"],
        "neither a file nor a folder",
    );
    let most = 1 << 20;
    for (text, says) in [
        (format!("cases: [{}]", "[],".repeat(most / 2)), "PTO-C"),
        (format!("cases: {}", "[".repeat(most)), "PTO-C"),
        (format!("cases: {}", "{a: ".repeat(most / 4)), "PTO-C"),
        (format!("{}a: 1", " ".repeat(most)), "PTO-C"),
        (format!("cases: {}", "- ".repeat(most / 2)), "PTO-C"),
        (scatter(&"x".repeat(most), ""), "200 characters"),
        (
            scatter(
                "a",
                &format!("    about: {}\n    b: 1\n", "x ".repeat(most / 2)),
            ),
            "PTO-C",
        ),
        (
            format!(
                "a: &a [{}]\ncases: [{}]",
                "x,".repeat(1000),
                "*a,".repeat(1 << 15)
            ),
            "PTO-C",
        ),
        ("&a a: *a\n".repeat(most / 9), "PTO-C"),
    ] {
        fs::write(&path, text).expect("a file");
        rejected(folder.path(), &check, says);
    }
}

#[test]
fn sizes_are_rejected_before_memory_is_asked_for() {
    let folder = folder();
    let path = folder.path().join("a.yaml");
    let table = "shape: [1, 1, 1, 4, 8]";
    for (with, says) in [
        ("shape: [1, 1, 1, 1048576, 1048576]", "256 GiB is the most"),
        ("shape: [1, 1, 1, 1099511627776, 1]", "256 GiB is the most"),
        ("shape: [1, 1, 1, 1048576, 1024], data: ramp", "2048 MiB"),
        (
            "shape: [18446744073709551615, 18446744073709551615, 1, 1, 1]",
            "PTO-C",
        ),
        (
            "shape: [2, 1, 1, 4, 8], stride: [1125899906842624, 32, 32, 8, 1]",
            "PTO-C",
        ),
        (
            "shape: [2, 1, 1, 4, 8], stride: [1099511627776, 32, 32, 8, 1]",
            "256 GiB is the most",
        ),
        (
            "shape: [9223372036854775807, 1, 1, 4, 8], stride: [1099511627776, 32, 32, 8, 1]",
            "PTO-C",
        ),
    ] {
        fs::write(&path, scatter("a", "").replace(table, with)).expect("a file");
        rejected(folder.path(), &["check", "a.yaml"], says);
    }
    for (text, says) in [
        (
            scatter("a", "").replace("[2, 8]}", "[1048576, 1048576]}"),
            "2048 MiB",
        ),
        (scatter("a", "    chunks: 99999999999\n"), "4096"),
    ] {
        fs::write(&path, text).expect("a file");
        rejected(folder.path(), &["check", "a.yaml"], says);
    }
}

/// An array's header with this entry, padded to `len`.
fn header(text: &str, len: u16) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(len.to_le_bytes());
    bytes.extend(text.bytes());
    bytes.resize(10 + usize::from(len) - 1, b' ');
    bytes.push(b'\n');
    bytes
}

#[test]
fn arrays_that_lie_about_their_size_are_rejected() {
    let folder = folder();
    let text = scatter("a", "").replace("data: permutation", "data: {npy: x.npy}");
    fs::write(folder.path().join("a.yaml"), text).expect("a file");
    let (path, check) = (folder.path().join("x.npy"), ["check", "a.yaml"]);
    let entries =
        |shape: &str| format!("{{'descr': '<i4', 'fortran_order': False, 'shape': {shape}, }}");
    let good = header(&entries("(2, 8)"), 118);
    for (bytes, says) in [
        (header(&entries("(2, 8)"), 60_000), "too long"),
        (
            header(&entries("(4294967296, 4294967296, 4294967296)"), 118),
            "shape",
        ),
        (header(&entries("(18446744073709551616,)"), 118), "2^64"),
        (
            header(&entries(&format!("({})", "1,".repeat(2000))), 4090),
            "dimensions",
        ),
        (
            header(&entries("(2, 8)").replace("<i4", "O"), 118),
            "Python objects",
        ),
        (
            header(&entries("(2, 8)").replace("<i4", "<i9999999999"), 118),
            "elements are",
        ),
        (good[..60].to_vec(), "cut off"),
        (good.clone(), "0 bytes of data"),
        (vec![0x93; 5], "not an NPY file"),
    ] {
        fs::write(&path, bytes).expect("a file");
        rejected(folder.path(), &check, says);
    }
    // Far more than the header says, on a disk that has none of it.
    fs::write(&path, good).expect("a file");
    let file = File::options().write(true).open(&path).expect("a file");
    file.set_len(1 << 40).expect("a length");
    rejected(folder.path(), &check, "65 bytes of data");
    fs::remove_file(&path).expect("removed");
    let made = Command::new("mkfifo").arg(&path).status();
    assert!(made.expect("it runs").success());
    rejected(folder.path(), &check, "not a plain file");
}

#[test]
fn records_without_an_end_are_rejected() {
    let folder = folder();
    let path = folder.path().join("run.jsonl");
    let report = ["report", "--from", "run.jsonl"];
    fs::write(folder.path().join("waivers.yaml"), "waivers: []\n").expect("a file");
    sparse(&path, 1 << 30);
    rejected(
        folder.path(),
        &report,
        "line 1 of the record has more than 16 MiB",
    );
    rejected(folder.path(), &["report", "--from", "/dev/zero"], "16 MiB");
    rejected(
        folder.path(),
        &["merge", "/dev/zero", "--out", "x"],
        "16 MiB",
    );
    rejected(folder.path(), &["diff", "/dev/zero", "/dev/zero"], "16 MiB");
    rejected(
        folder.path(),
        &[
            "gate",
            "--from",
            "/dev/zero",
            "--bless",
            "--baseline",
            "waivers.yaml",
        ],
        "16 MiB",
    );
    let header = |cases: u64| {
        // Of the last format without checksums.
        format!(
            "{{\"ptodiff_record\":5,\"version\":\"\",\"seed\":0,\"schedules\":1,\"targets\":[],\"cases\":{cases}}}\n"
        )
    };
    for (first, line, says) in [
        (header(3), "{}\n", "line 2"),
        (header(0), "{}\n", "more follow"),
        (header(u64::MAX), "{}\n", "line 2"),
    ] {
        let mut to = BufWriter::new(File::create(&path).expect("a file"));
        to.write_all(first.as_bytes()).expect("written");
        to.write_all(line.repeat(1_000_000).as_bytes())
            .expect("written");
        to.flush().expect("written");
        rejected(folder.path(), &report, says);
    }
    let deep = format!("{}{}\n", header(1), "{\"call\":".repeat(1 << 20));
    fs::write(&path, deep).expect("a file");
    rejected(folder.path(), &report, "line 2");
    fs::write(&path, header(u64::MAX)).expect("a file");
    rejected(
        folder.path(),
        &report,
        "18446744073709551615 cases, 0 follow",
    );
}

/// A record of 69 MiB, in less than it takes beside the command: it is read case by case.
#[test]
fn a_record_may_be_larger_than_memory() {
    const CASES: usize = 700;
    const ROOM: &str = "102400";
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("a.yaml"), scatter("one", "")).expect("a file");
    let done = tight(at, &["run", "a.yaml", "--out", "small"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let small = fs::read(at.join("small/run.jsonl")).expect("a record");
    let (header, cases) = ptodiff_record::read(&small[..]).expect("a record");
    let header = Header {
        cases: CASES,
        ..header
    };
    let to = File::create(at.join("run.jsonl")).expect("a file");
    let mut to = Writer::new(BufWriter::new(to), &header).expect("written");
    let mut case = cases[0].clone();
    let detail = case.detail.as_mut().expect("a text");
    detail
        .yaml
        .push_str(&format!("# {}\n", "x".repeat(100 << 10)));
    for n in 0..CASES {
        case.id = format!("many/case{n}");
        to.case(&case).expect("written");
    }
    to.finish().expect("written");
    let run = |args: &[&str]| {
        let done = within(ROOM, at, args);
        assert_eq!(done.code, 0, "{args:?}: {}{}", done.out, done.err);
        done.out
    };
    let report = [
        "report",
        "--from",
        "run.jsonl",
        "--text",
        "--html",
        "--md",
        "--junit",
    ];
    assert!(run(&report).contains("700 cases: 700"));
    let page = fs::metadata(at.join("report.html")).expect("a page").len();
    assert!(page < 8 << 20, "{page} bytes");
    assert!(run(&["diff", "run.jsonl", "run.jsonl"]).contains("700 the same"));
    assert!(run(&["merge", "run.jsonl", "--out", "whole.jsonl"]).contains("700 cases"));
    let whole = fs::metadata(at.join("whole.jsonl"))
        .expect("a record")
        .len();
    let own = fs::metadata(at.join("run.jsonl")).expect("a record").len();
    assert_eq!(whole, own);
    fs::write(at.join("waivers.yaml"), "waivers: []\n").expect("a file");
    let gate = ["gate", "--from", "run.jsonl", "--baseline", "waivers.yaml"];
    run(&[&gate[..], &["--bless", "--write"]].concat());
    assert!(run(&gate).contains("passed"));
}

#[test]
fn other_files_without_an_end_are_rejected() {
    let folder = folder();
    fs::write(folder.path().join("a.yaml"), scatter("one", "")).expect("a file");
    rejected(
        folder.path(),
        &["asm", "--read", "/dev/zero"],
        "longer than",
    );
    fs::create_dir(folder.path().join("base")).expect("a folder");
    sparse(&folder.path().join("base/baseline.json"), 1 << 40);
    fs::write(folder.path().join("base/waivers.yaml"), "waivers: []\n").expect("a file");
    rejected(
        folder.path(),
        &[
            "gate",
            "--cases",
            "a.yaml",
            "--baseline",
            "base/waivers.yaml",
        ],
        "64 MiB",
    );
    sparse(&folder.path().join("base/waivers.yaml"), 1 << 40);
    rejected(
        folder.path(),
        &[
            "gate",
            "--cases",
            "a.yaml",
            "--baseline",
            "base/waivers.yaml",
        ],
        "16 MiB",
    );
}

/// A description of a million policies stands for as many calls, cubed.
#[test]
fn lattices_that_are_larger_than_any_program_are_rejected() {
    let folder = folder();
    let cpp = ["cpp", "--harness", "out", "--lattice", "--target", "a5"];
    let done = tight(folder.path(), &cpp);
    assert_eq!(done.code, 0, "{}", done.err);
    let path = folder.path().join("out/lattice.json");
    let text = fs::read_to_string(&path).expect("a description");
    let hunt = ["hunt", "--lattice", "out/lattice.json", "--count", "10"];
    let around = |axis: &str| {
        let (before, after) = text.split_once(&format!("\"{axis}\": [")).expect(axis);
        (before.to_owned(), after.trim_start().to_owned())
    };
    for (axis, value, says) in [
        ("conflicts", "\"Last\",", "conflict policies twice"),
        ("atomics", "\"Add\",", "atomics twice"),
        ("shapes", "[8,32],", "at most 64 shapes"),
        ("keys", "\"x\",", "no call with the key `x`"),
    ] {
        let (before, after) = around(axis);
        let many = value.repeat(1_000_000);
        fs::write(&path, format!("{before}\"{axis}\": [{many}{after}")).expect("a file");
        rejected(folder.path(), &hunt, says);
    }
    fs::write(&path, "[".repeat(1 << 20)).expect("a file");
    rejected(folder.path(), &hunt, "describes no lattice");
    sparse(&path, 1 << 40);
    rejected(folder.path(), &hunt, "no lattice takes so many bytes");
}

/// One good folder, in which one file after the other is not what it should be,
/// among very many names that are no case's.
#[test]
fn data_folders_are_rejected_for_what_they_hold() {
    let folder = folder();
    let cases = suites();
    let cases = cases.to_str().expect("text");
    let id = "MSCATTERTest.case_row_float_random_8x32_64rows";
    let mirrored = ["--suite", "a5", "--cases", cases];
    let export = [
        &["st", "export"],
        &mirrored[..],
        &["--filter", id, "--out", "data"],
    ]
    .concat();
    let done = tight(folder.path(), &export);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let data = folder.path().join("data");
    let made = fs::read_dir(&data).expect("a folder").next().expect("one");
    let golden = made.expect("one").path().join("golden.bin");
    let check = [&["st", "check", "data"], &mirrored[..], &["--out", "out"]].concat();
    let said = |says: &str| {
        let done = tight(folder.path(), &check);
        assert_eq!(done.code, 2, "{}{}", done.out, done.err);
        assert!(done.out.contains(says), "`{says}`: {}", done.out);
        done.out
    };
    sparse(&golden, 1 << 40);
    said("1099511627776 bytes");
    fs::remove_file(&golden).expect("removed");
    let made = Command::new("mkfifo").arg(&golden).status();
    assert!(made.expect("it runs").success());
    said("not a plain file");
    for n in 0..1000 {
        File::create(data.join(format!("file{n}"))).expect("a file");
    }
    for n in 0..300 {
        fs::create_dir(data.join(format!("folder{n}"))).expect("a folder");
    }
    let out = said("200 more like these");
    assert!(out.contains("1000 of the files there"), "{out}");
}
