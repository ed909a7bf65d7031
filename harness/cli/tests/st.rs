//! Data folders of the ST suites: written, read back, judged.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use crate::common::{Done, ptodiff, root};
use serde_json::Value;

/// Runs `ptodiff st ARGS` in the project's root.
fn st(args: &[&str]) -> Done {
    ptodiff(&root(), &[&["st"], args].concat())
}

fn export(suite: &str, out: &Path, more: &[&str]) -> Done {
    let out = out.to_str().expect("text");
    st(&[&["export", "--suite", suite, "--out", out], more].concat())
}

/// What `ptodiff st check` comes to, and its record: the line of each case by its id.
fn check(suite: &str, data: &Path, more: &[&str]) -> (Done, BTreeMap<String, Value>) {
    let out = tempfile::tempdir().unwrap();
    let (data, to) = (
        data.to_str().expect("text"),
        out.path().to_str().expect("text"),
    );
    // Here no implementation ran all cases.
    let own = ["check", data, "--suite", suite, "--partial", "--out", to];
    let done = st(&[&own[..], more].concat());
    let record = fs::read_to_string(out.path().join("run.jsonl")).unwrap_or_default();
    let cases = record.lines().skip(1);
    let cases = cases.filter(|line| line.starts_with("{\"id\":"));
    let cases = cases.map(|line| {
        let case: Value = serde_json::from_str(line).expect("JSON");
        (case["id"].as_str().expect("an id").to_owned(), case)
    });
    (done, cases.collect())
}

/// The line of the one case with this name.
fn one<'a>(cases: &'a BTreeMap<String, Value>, name: &str) -> &'a Value {
    let mut named = cases.values().filter(|case| case["name"] == name);
    let found = named.next().expect("the case");
    assert!(named.next().is_none(), "{name} twice");
    found
}

fn verdict<'a>(cases: &'a BTreeMap<String, Value>, name: &str, party: &str) -> &'a str {
    of_party(one(cases, name), party)
}

fn of_party<'a>(case: &'a Value, party: &str) -> &'a str {
    case["targets"][party]["verdict"]
        .as_str()
        .expect("a verdict")
}

fn fixtures(suite: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/st-data")
        .join(suite)
}

fn folders(of: &Path) -> Vec<PathBuf> {
    let mut all: Vec<_> = fs::read_dir(of)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    all.sort();
    all
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for file in folders(from) {
        fs::copy(&file, to.join(file.file_name().unwrap())).unwrap();
    }
}

/// A folder with the fixtures of `suite`, to be spoilt.
fn spoilt(suite: &str) -> tempfile::TempDir {
    let at = tempfile::tempdir().unwrap();
    for folder in folders(&fixtures(suite)) {
        copy(&folder, &at.path().join(folder.file_name().unwrap()));
    }
    at
}

/// The three cases that have no defined result have an index tile that the
/// documents forbid (MGATHER-TILE-03).
#[test]
fn export_then_check_round_trips_for_every_mirrored_case() {
    for (suite, cases, undefined) in [("cpu", 177, 3), ("a2a3", 199, 0), ("a5", 175, 0)] {
        let at = tempfile::tempdir().unwrap();
        let done = export(suite, at.path(), &["--seed", "7"]);
        assert_eq!(done.code, 0, "{}", done.err);
        assert!(
            done.out.starts_with(&format!("{cases} folders written")),
            "{}",
            done.out
        );
        assert_eq!(folders(at.path()).len(), cases);
        // An implementation that comes to the same.
        for folder in folders(at.path()) {
            fs::copy(folder.join("golden.bin"), folder.join("output.bin")).unwrap();
        }
        let (done, record) = check(suite, at.path(), &["--schedules", "1"]);
        assert_eq!(done.code, 0, "{}{}", done.out, done.err);
        assert_eq!(record.len(), cases, "{suite}");
        let mut open = 0;
        for (id, case) in &record {
            let forbidden = id.starts_with("cpu/MGATHERTest.case_row_colidx");
            open += usize::from(forbidden);
            for file in ["golden.bin", "output.bin"] {
                let expected = if forbidden { "undefined" } else { "conforms" };
                assert_eq!(of_party(case, &format!("{suite}:{file}")), expected, "{id}");
            }
        }
        assert_eq!(open, undefined, "{suite}");
        let conform = cases - undefined;
        assert!(
            done.out
                .contains(&format!("golden.bin under {suite}: {conform} conform"))
        );
        assert!(
            done.out
                .contains(&format!("output.bin under {suite}: {conform} conform"))
        );
    }
}

/// The same case and seed give the same bytes, and they conform.
#[test]
fn the_fixtures_are_what_is_exported_and_are_accepted() {
    let mut seen = 0;
    for suite in ["cpu", "a2a3", "a5"] {
        let at = tempfile::tempdir().unwrap();
        for folder in folders(&fixtures(suite)) {
            let name = folder.file_name().unwrap();
            let id = format!("={suite}/{}", name.to_str().expect("text"));
            assert_eq!(export(suite, at.path(), &["--filter", &id]).code, 0);
            let files = |of: &Path| -> Vec<(PathBuf, Vec<u8>)> {
                let name = |path: PathBuf| PathBuf::from(path.file_name().unwrap());
                let all = folders(of).into_iter();
                all.map(|path| (name(path.clone()), fs::read(path).unwrap()))
                    .collect()
            };
            assert_eq!(files(&folder), files(&at.path().join(name)), "{name:?}");
            seen += 1;
        }
        let (done, record) = check(suite, &fixtures(suite), &[]);
        assert_eq!(done.code, 0, "{}{}", done.out, done.err);
        let party = format!("{suite}:golden.bin");
        assert_eq!(record.len(), folders(&fixtures(suite)).len());
        for (id, case) in &record {
            assert_eq!(of_party(case, &party), "conforms", "{id}");
        }
        assert!(
            done.out.contains("cases have no folder here"),
            "{}",
            done.out
        );
    }
    assert_eq!(seen, 9);
}

/// Worked out from the documents: 32 lanes with 2, 3, ..., 33 all go to slot 4
/// of 8, and the last one stays (000, Conflict Resolution).
#[test]
fn a_folder_made_by_hand_is_accepted_and_one_wrong_value_is_found() {
    let at = tempfile::tempdir().unwrap();
    let folder = at
        .path()
        .join("MSCATTERTest.case_elem_float_last_same_32_8size");
    fs::create_dir(&folder).unwrap();
    let floats =
        |values: &[f32]| -> Vec<u8> { values.iter().flat_map(|v| v.to_le_bytes()).collect() };
    let source: Vec<f32> = (0..32_u8).map(|k| f32::from(k + 2)).collect();
    fs::write(folder.join("src.bin"), floats(&source)).unwrap();
    fs::write(folder.join("indices.bin"), [4, 0, 0, 0].repeat(32)).unwrap();
    let golden = [0.0, 0.0, 0.0, 0.0, 33.0, 0.0, 0.0, 0.0];
    fs::write(folder.join("golden.bin"), floats(&golden)).unwrap();
    let (done, record) = check("cpu", at.path(), &[]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(
        done.out.contains("golden.bin under cpu: 1 conform"),
        "{}",
        done.out
    );
    assert_eq!(record.len(), 1);

    fs::write(
        folder.join("output.bin"),
        floats(&golden.map(|v| v.min(32.0))),
    )
    .unwrap();
    let (done, record) = check("cpu", at.path(), &[]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    let name = "case_elem_float_last_same_32_8size";
    assert_eq!(verdict(&record, name, "cpu:golden.bin"), "conforms");
    assert_eq!(verdict(&record, name, "cpu:output.bin"), "violates");
    let finding = &one(&record, name)["targets"]["cpu:output.bin"]["findings"][0]["slot"];
    assert_eq!(
        (&finding["element"], &finding["at"]),
        (&4.into(), &"[0, 0, 0, 0, 4]".into())
    );
    // The case with this very data stands in the record.
    let text = one(&record, name)["detail"]["yaml"]
        .as_str()
        .expect("the case");
    assert!(text.contains("values: [4, 4, 4, 4,"), "{text}");
    for said in [
        "  got        32.0 (0x42000000) from cpu:output.bin",
        "  expected   33.0 (0x42040000)",
        "output.bin under cpu: 1 violate",
    ] {
        assert!(done.out.contains(said), "{said}: {}", done.out);
    }
    // A mistake that is known, found with the data of the folder.
    fs::write(folder.join("output.bin"), floats(&[0.0; 8])).unwrap();
    let (done, _) = check("cpu", at.path(), &[]);
    let explained = done
        .out
        .lines()
        .find(|line| line.starts_with("  diagnosis  "));
    let explained = explained.unwrap_or_else(|| panic!("{}", done.out));
    assert!(
        explained.contains(": explains 1 of 1 failure"),
        "{explained}"
    );
}

/// Two block columns of 8 floats: rows 0 to 31 of the first, then those of the second.
#[test]
fn nz_folders_are_in_the_order_of_the_device() {
    let at = tempfile::tempdir().unwrap();
    let name = "case_row_nz_float_16x16_2blk";
    let folder = at.path().join(format!("MGATHERTest.{name}"));
    fs::create_dir(&folder).unwrap();
    // What row and column hold, and the row that each row of the tile asks for.
    let value = |row: u16, col: u16| f32::from(row * 16 + col);
    let index = |row: u16| (row * 5 + 3) % 32;
    let nz = |rows: u16, row_of: &dyn Fn(u16) -> u16| -> Vec<u8> {
        let halves = [0..8, 8..16].into_iter();
        let places = halves.flat_map(|cols| {
            (0..rows).flat_map(move |row| cols.clone().map(move |col| (row, col)))
        });
        places
            .flat_map(|(row, col)| value(row_of(row), col).to_le_bytes())
            .collect()
    };
    fs::write(folder.join("table.bin"), nz(32, &|row| row)).unwrap();
    let indices: Vec<u8> = (0..16)
        .flat_map(|r| i32::from(index(r)).to_le_bytes())
        .collect();
    fs::write(folder.join("indices.bin"), indices).unwrap();
    fs::write(folder.join("golden.bin"), nz(16, &index)).unwrap();
    let (done, record) = check("a2a3", at.path(), &[]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert_eq!(verdict(&record, name, "a2a3:golden.bin"), "conforms");
    // The 130th value of the file is the second column of the second half, first row.
    let mut golden = nz(16, &index);
    golden[4 * 129] ^= 1;
    fs::write(folder.join("golden.bin"), golden).unwrap();
    let (done, record) = check("a2a3", at.path(), &[]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    let finding = &one(&record, name)["targets"]["a2a3:golden.bin"]["findings"][0]["slot"];
    assert_eq!(finding["at"], "(0, 9)");
}

#[test]
fn whose_contract_and_which_reading_applies_can_be_told() {
    let at = tempfile::tempdir().unwrap();
    let name = "case_elem_float_atomicadd_32_32size";
    assert_eq!(export("cpu", at.path(), &["--filter", name]).code, 0);
    let (done, record) = check("cpu", at.path(), &["--as", "a5"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert_eq!(verdict(&record, name, "a5:golden.bin"), "conforms");
    assert!(one(&record, name)["targets"]["cpu:golden.bin"].is_null());
    // As document 000 has it, this target adds nothing up.
    let documented = ["--reading", "cpu-form=documented"];
    let (done, record) = check("cpu", at.path(), &documented);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    assert_eq!(verdict(&record, name, "cpu:golden.bin"), "violates");
    assert_eq!(verdict(&record, name, "cpu"), "conforms");
    // A target that the case is not for.
    let (done, record) = check("a5", &fixtures("a5"), &["--as", "cpu", "--filter", "GM2L1"]);
    assert_eq!(done.code, 2, "{}{}", done.out, done.err);
    assert!(
        done.out.contains("the case does not run on cpu"),
        "{}",
        done.out
    );
    assert!(record.is_empty());
}

/// Two lanes meet in slot 1: under Default either may stay.
#[test]
fn where_several_results_are_permitted_they_stand_beside_and_are_accepted() {
    let cases = crate::common::folder_with(
        "suite: a5\ncases:\n  - name: meet\n    instruction: MSCATTER\n    mode: Elem\n    \
         conflict: Default\n    dtype: int32_t\n    \
         tile: {shape: [1, 8], valid: [1, 3], data: {values: [5, 6, 7]}}\n    \
         index: {shape: [1, 8], valid: [1, 3], data: {values: [1, 1, 0]}}\n    \
         table: {shape: [1, 1, 1, 1, 4], data: zeros}\n",
    );
    let from = ["--cases", cases.path().to_str().unwrap()];
    let at = tempfile::tempdir().unwrap();
    assert_eq!(export("a5", at.path(), &from).code, 0);
    let folder = at.path().join("MSCATTERTest.meet");
    let permits = fs::read_to_string(folder.join("golden.permits.json")).unwrap();
    let permits: Value = serde_json::from_str(&permits).unwrap();
    assert_eq!(permits["target"], "a5");
    let element = &permits["elements"][0];
    assert_eq!(element["element"], 1);
    let both = serde_json::json!({"one-of": ["0x00000005", "0x00000006"]});
    assert_eq!(element["may_hold"], both);
    assert_eq!(permits["elements"].as_array().unwrap().len(), 1);
    for (value, code, said) in [(5, 0, "conforms"), (6, 0, "conforms"), (7, 1, "violates")] {
        let mut golden = [0; 16];
        (golden[0], golden[4]) = (7, value);
        fs::write(folder.join("golden.bin"), golden).unwrap();
        let (done, record) = check("a5", at.path(), &from);
        assert_eq!(done.code, code, "{value}: {}{}", done.out, done.err);
        assert_eq!(verdict(&record, "meet", "a5:golden.bin"), said);
    }
    // Once there is nothing to permit, nothing is left of it.
    let text = fs::read_to_string(cases.path().join("a.yaml")).unwrap();
    fs::write(
        cases.path().join("a.yaml"),
        text.replace("[1, 1, 0]", "[1, 2, 0]"),
    )
    .unwrap();
    assert_eq!(export("a5", at.path(), &from).code, 0);
    assert!(!folder.join("golden.permits.json").exists());
}

/// Each folder by itself: what is wrong is said, and the rest goes on.
#[test]
fn what_is_wrong_with_a_folder_is_said_and_the_rest_goes_on() {
    let at = spoilt("cpu");
    let here = |name: &str| at.path().join(name);
    let scatter = "MSCATTERTest.case_elem_half_wrap_32_16size";
    fs::remove_file(here(scatter).join("indices.bin")).unwrap();
    let dynamic = "MSCATTERTest.case_elem2d_dyn_user_float_1x9_in_1x16_3x10";
    fs::write(here(dynamic).join("src.bin"), [0; 35]).unwrap();
    let index = "TSCATTERTest.case_float_uint16_2x32_1x32";
    fs::remove_file(here(index).join("golden.bin")).unwrap();
    fs::create_dir(here(index).join("golden.bin")).unwrap();
    let (done, record) = check("cpu", at.path(), &[]);
    assert_eq!(done.code, 2, "{}{}", done.out, done.err);
    assert_eq!(record.len(), 1);
    for said in [
        format!("error: {scatter}: indices.bin: there is no such file"),
        format!("error: {dynamic}: src.bin: 35 bytes, 36 are needed for the source"),
        format!("error: {index}: golden.bin: not a plain file"),
        "golden.bin under cpu: 1 conform".to_owned(),
    ] {
        assert!(done.out.contains(&said), "{said}: {}", done.out);
    }
    let nowhere = check("cpu", &here("nowhere"), &[]).0;
    assert_eq!(nowhere.code, 2, "{}", nowhere.err);
    assert!(nowhere.err.contains("cannot read"), "{}", nowhere.err);
    let empty = tempfile::tempdir().unwrap();
    assert_eq!(
        check("cpu", empty.path(), &[]).0.code,
        3,
        "nothing was judged"
    );
}

/// The vendor's scripts leave an empty folder, and data that no test reads.
#[test]
fn what_is_no_tests_folder_is_told_and_passed_over() {
    let at = spoilt("cpu");
    let here = |name: &str| at.path().join(name);
    let unused = "TGATHERBTest.case_half_1x32768_1x2048_1x32768";
    for name in ["testcases", unused, "build", "MGATHERTest.\u{1b}[31m"] {
        fs::create_dir(here(name)).unwrap();
    }
    for name in [unused, "build"] {
        fs::write(here(name).join("golden.bin"), [0; 4]).unwrap();
    }
    fs::write(here("gen_data.py"), "").unwrap();
    let told = [
        "  passed over: MGATHERTest.\\u{1b}[31m: an empty folder\n".to_owned(),
        format!(
            "  passed over: {unused}: no case of the suite cpu in cases/st has this name\n  \
             passed over: build: no case of the suite cpu in cases/st has this name\n  \
             passed over: testcases: an empty folder\n"
        ),
        "  not looked at, since they are no folders: 1 of the files there\n".to_owned(),
    ];
    let (done, record) = check("cpu", at.path(), &[]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert_eq!(record.len(), folders(&fixtures("cpu")).len());
    for said in &told {
        assert!(done.out.contains(said), "{said}: {}", done.out);
    }
    assert!(!done.out.contains('\u{1b}'), "{:?}", done.out);
    // They do not stand for the folder of a case: with it gone, nothing is judged.
    for folder in folders(&fixtures("cpu")) {
        fs::remove_dir_all(here(folder.file_name().unwrap().to_str().expect("text"))).unwrap();
    }
    let (done, record) = check("cpu", at.path(), &[]);
    assert_eq!(done.code, 3, "{}{}", done.out, done.err);
    assert!(record.is_empty());
    for said in &told {
        assert!(done.out.contains(said), "{said}: {}", done.out);
    }
    assert!(
        done.err.contains("there is nothing to check"),
        "{}",
        done.err
    );
}

#[cfg(unix)]
#[test]
fn where_nothing_can_be_judged_an_earlier_record_stays() {
    let at = tempfile::tempdir().unwrap();
    let (data, out) = (at.path().join("data"), at.path().join("out"));
    fs::create_dir(&data).unwrap();
    let args = [
        "check",
        data.to_str().expect("text"),
        "--suite",
        "cpu",
        "--out",
        out.to_str().expect("text"),
    ];
    let done = st(&args);
    assert_eq!(done.code, 3, "{}{}", done.out, done.err);
    assert!(!out.exists(), "{}", done.out);
    let why = format!(
        "error: there is nothing to check in {}: none of 177 cases of the suite cpu has a folder there\n",
        data.display()
    );
    assert_eq!((&done.out[..], &done.err[..]), ("", &why[..]));
    fs::create_dir(&out).unwrap();
    fs::write(out.join("run.jsonl"), "before").unwrap();
    assert_eq!(st(&args).code, 3);
    assert_eq!(fs::read_to_string(out.join("run.jsonl")).unwrap(), "before");
}

#[test]
fn links_are_neither_read_nor_written_through() {
    use std::os::unix::fs::symlink;
    let at = spoilt("cpu");
    let name = "MSCATTERTest.case_elem_half_wrap_32_16size";
    let golden = at.path().join(name).join("golden.bin");
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret");
    fs::rename(&golden, &secret).unwrap();
    symlink(&secret, &golden).unwrap();
    let whole = "TSCATTERTest.case_float_uint16_2x32_1x32";
    let away = outside.path().join("away");
    fs::rename(at.path().join(whole), &away).unwrap();
    symlink(&away, at.path().join(whole)).unwrap();
    let (done, _) = check("cpu", at.path(), &[]);
    assert_eq!(done.code, 2);
    assert!(
        done.out
            .contains(&format!("{name}: golden.bin: not a plain file")),
        "{}",
        done.out
    );
    assert!(
        done.out.contains(&format!("{whole}: not a plain folder")),
        "{}",
        done.out
    );
    // A file that is a link is replaced; a folder that is one is left alone.
    fs::write(&secret, "mine").unwrap();
    let done = export("cpu", at.path(), &["--filter", name]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(fs::read_to_string(&secret).unwrap(), "mine");
    assert!(fs::symlink_metadata(&golden).unwrap().is_file());
    let before = fs::read(away.join("golden.bin")).unwrap();
    fs::write(away.join("golden.bin"), "mine").unwrap();
    let done = export("cpu", at.path(), &["--filter", whole]);
    assert_eq!(done.code, 70, "{}{}", done.out, done.err);
    assert_ne!(before, b"mine");
    assert_eq!(fs::read(away.join("golden.bin")).unwrap(), b"mine");
}

/// The text between two others, the first of which is the first of its kind.
fn between<'a>(text: &'a str, begin: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(begin).expect(begin);
    rest.split_once(end).expect(end).0
}

/// Every face of a record prints the same command, and a shell that runs it
/// shows the case of that folder and its verdict again, not one with other data.
#[cfg(unix)]
#[test]
fn the_command_that_shows_a_case_again_reads_its_data_again() {
    let at = tempfile::tempdir().unwrap();
    let data = at.path().join("it's $(data)");
    fs::create_dir(&data).unwrap();
    let names = [
        "MSCATTERTest.case_elem_half_wrap_32_16size",
        "TSCATTERTest.case_float_uint16_2x32_1x32",
    ];
    for name in names {
        copy(&fixtures("cpu").join(name), &data.join(name));
    }
    // What no drawn data comes to.
    let mut wrong = fs::read(data.join(names[0]).join("golden.bin")).unwrap();
    wrong[3] ^= 0x40;
    fs::write(data.join(names[0]).join("output.bin"), wrong).unwrap();
    let out = at.path().join("first");
    let told = |data: &Path, out: &Path, more: &[&str]| -> Done {
        let (data, out) = (data.to_str().unwrap(), out.to_str().unwrap());
        let own = ["check", data, "--suite", "cpu", "--as", "a5", "--out", out];
        st(&[&own, more].concat())
    };
    let more = ["--schedules", "2", "--reading", "negative-index=signed"];
    let first = told(&data, &out, &more);
    assert_eq!(first.code, 1, "{}{}", first.out, first.err);
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    let command = between(&first.out, "  reproduce  ", "\n");
    assert!(command.starts_with("ptodiff st check '"), "{command}");
    assert!(!command.contains("--seed"), "{command}");
    let junit = read("junit.xml").replace("&apos;", "'");
    assert_eq!(between(&junit, "  reproduce  ", "\n"), command);
    assert_eq!(between(&read("summary.md"), "```sh\n", "\n```"), command);
    assert_eq!(
        between(&read("summary.txt"), "  reproduce  ", "\n"),
        command,
        "{}",
        read("summary.txt")
    );

    let bin = at.path().join("bin");
    fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_ptodiff"), bin.join("ptodiff")).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let again = at.path().join("again");
    let shell = std::process::Command::new("sh")
        .arg("-c")
        .arg(format!("{command} --out {}", again.display()))
        .env("PATH", path)
        .current_dir(root())
        .output()
        .unwrap();
    let shell = Done::from(shell);
    assert_eq!(shell.code, 1, "{}{}", shell.out, shell.err);
    let case = |out: &Path| -> Vec<String> {
        let record = fs::read_to_string(out.join("run.jsonl")).unwrap();
        let lines = record.lines().filter(|line| line.starts_with("{\"id\":"));
        let lines = lines.filter(|line| line.contains(names[0]));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(case(&out).len(), 1);
    assert_eq!(case(&again), case(&out), "the very same record of the case");
    assert!(
        shell.out.contains("output.bin under a5: 1 violate"),
        "{}",
        shell.out
    );

    // The other commands know such a record.
    let records = [&out, &again].map(|of| of.join("run.jsonl"));
    let [one, two] = records.each_ref().map(|path| path.to_str().unwrap());
    let diff = ptodiff(&root(), &["diff", one, two]);
    assert_eq!(diff.code, 1, "{}{}", diff.out, diff.err);
    assert!(
        diff.out.contains("1 gone") && diff.out.contains("1 the same"),
        "{}",
        diff.out
    );
    let merged = at.path().join("merged.jsonl");
    let merge = ptodiff(&root(), &["merge", one, "--out", merged.to_str().unwrap()]);
    assert_eq!(merge.code, 0, "{}{}", merge.out, merge.err);
    // What was diagnosed is of no whole run, and stays behind.
    let lines = |path: &str| -> Vec<String> {
        let text = fs::read_to_string(path).unwrap();
        let other =
            |line: &&str| line.starts_with("{\"diagnosis\":") || line.starts_with("{\"end\":");
        text.lines()
            .filter(|line| !other(line))
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(lines(merged.to_str().unwrap()), lines(one));
}
