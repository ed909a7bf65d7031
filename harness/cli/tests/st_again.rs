//! An export over folders in which an implementation has left its results, and a check of
//! some of them.

use std::{fs, path::Path};

use crate::common::{Done, ptodiff, root};

const ONE: &str = "MSCATTERTest.case_elem2d_dyn_float_3x3_in_3x8_64size";
/// The suite that has them: no other file has to be read.
const CASES: [&str; 2] = ["--cases", "cases/st/mscatter-a5.yaml"];
const OTHER: &str = "MSCATTERTest.case_elem2d_dyn_int32_4x8_in_4x8_64size";

fn export(to: &Path, names: &[&str], seed: &str) -> Done {
    let mut args = vec!["st", "export", "--suite", "a5", "--seed", seed, "--out"];
    args.push(to.to_str().unwrap());
    let exact: Vec<String> = names.iter().map(|name| format!("=a5/{name}")).collect();
    args.extend(exact.iter().flat_map(|name| ["--filter", name]));
    args.extend(CASES);
    ptodiff(&root(), &args)
}

/// All files below `folder`, with their bytes.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(files(&path));
        } else {
            all.push((path.display().to_string(), fs::read(&path).unwrap()));
        }
    }
    all.sort();
    all
}

#[test]
fn results_are_not_left_beside_inputs_that_they_are_not_of() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let done = export(at, &[ONE, OTHER], "1");
    assert_eq!(done.code, 0, "{}", done.err);
    fs::copy(
        at.join(ONE).join("golden.bin"),
        at.join(ONE).join("output.bin"),
    )
    .unwrap();
    let before = files(at);
    // Neither is the folder without a result written: all or none.
    let done = export(at, &[OTHER, ONE], "2");
    assert_eq!(done.code, 2, "{}", done.out);
    let place = at.join(ONE).join("output.bin");
    let said = format!(
        "error: {} was made from other inputs than these: remove it, or export to another folder\n",
        place.display()
    );
    assert_eq!(done.err, said);
    assert!(files(at) == before, "something was written");
    // The same inputs again harm nothing.
    let done = export(at, &[ONE, OTHER], "1");
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(files(at) == before, "something else was written");
    // The other folder alone has no result.
    assert_eq!(export(at, &[OTHER], "2").code, 0);
    fs::remove_file(place).unwrap();
    assert_eq!(export(at, &[ONE], "2").code, 0);
}

#[test]
fn several_results_are_counted_and_the_first_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    export(at, &[ONE, OTHER], "1");
    for name in [ONE, OTHER] {
        fs::write(at.join(name).join("output.bin"), "mine").unwrap();
    }
    let done = export(at, &[ONE, OTHER], "2");
    assert_eq!(done.code, 2, "{}", done.out);
    assert!(
        done.err.contains(
            "/output.bin and 1 more were made from other inputs than these: remove them, or"
        ),
        "{}",
        done.err
    );
}

fn check(data: &Path, more: &[&str]) -> Done {
    let (out, data) = (data.with_extension("out"), data.to_str().unwrap());
    let out = out.to_str().unwrap();
    let two = [ONE, OTHER].map(|name| format!("=a5/{name}"));
    let own = ["st", "check", data, "--suite", "a5", "--out", out];
    let filter = ["--filter", &two[0], "--filter", &two[1]];
    let filter = [&filter[..], &["--diagnosis", "0"]].concat();
    ptodiff(&root(), &[&own[..], &CASES, &filter, more].concat())
}

/// What nobody ran does not pass: a result or a folder that is not there.
#[test]
fn what_is_missing_does_not_pass() {
    let folder = tempfile::tempdir().unwrap();
    let at = &folder.path().join("data");
    assert_eq!(export(at, &[ONE, OTHER], "1").code, 0);
    let both = |more: &[&str], code: i32, says: &[&str]| {
        let done = check(at, more);
        assert_eq!(done.code, code, "{more:?}: {}{}", done.out, done.err);
        for says in says {
            assert!(done.out.contains(says), "`{says}`: {}", done.out);
        }
        done.out
    };
    let missing = "not all was judged: --partial says that this is wanted";
    let none = format!("2 of 2 cases have no output.bin here, first a5/{ONE}");
    both(&[], 3, &[&none, missing]);
    let out = both(&["--partial"], 0, &[&none]);
    assert!(!out.contains(missing), "{out}");
    let result = |name: &str| at.join(name).join("output.bin");
    fs::copy(at.join(OTHER).join("golden.bin"), result(OTHER)).unwrap();
    let one = format!("1 of 2 cases has no output.bin here, first a5/{ONE}");
    both(&[], 3, &[&one, missing]);
    fs::copy(at.join(ONE).join("golden.bin"), result(ONE)).unwrap();
    let out = both(&[], 0, &[]);
    assert!(!out.contains("no output.bin"), "{out}");
    fs::rename(at.join(ONE), folder.path().join("elsewhere")).unwrap();
    let gone = format!("1 of 2 cases has no folder here, first {ONE}");
    both(&[], 3, &[&gone, missing]);
    both(&["--partial"], 0, &[&gone]);
    // A wrong result is worse than a missing one.
    let mut bytes = fs::read(result(OTHER)).unwrap();
    bytes.iter_mut().for_each(|byte| *byte ^= 0x5a);
    fs::write(result(OTHER), bytes).unwrap();
    both(&[], 1, &[&gone, missing]);
}

#[test]
fn a_check_of_data_takes_the_options_of_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let data = &folder.path().join("data");
    assert_eq!(export(data, &[ONE, OTHER], "1").code, 0);
    let left = |change: u8| {
        for name in [ONE, OTHER] {
            let at = data.join(name);
            let mut golden = fs::read(at.join("golden.bin")).unwrap();
            golden[0] ^= change;
            fs::write(at.join("output.bin"), golden).unwrap();
        }
    };
    let said = |more: &[&str], parts: &[&str]| {
        let done = check(data, more);
        for part in parts {
            assert!(done.out.contains(part), "`{part}`: {}", done.out);
        }
        done
    };
    left(0);
    let green = said(&[], &[]);
    assert_eq!(green.code, 0, "{}{}", green.out, green.err);
    assert!(!green.out.contains(ONE), "no line of a case: {}", green.out);
    said(&["--status-level", "pass"], &[ONE, OTHER]);
    said(&["--show", "readings"], &["PASSED"]);
    left(1);
    let both = said(&[], &["FAILED  2 of 2 cases"]);
    assert!(!both.out.contains("diagnosis"), "{}", both.out);
    let one = ["FAILED  1 of 1 case in ", ", 1 not run"];
    assert_eq!(said(&["--fail-fast"], &one).code, 1);
    let quiet = said(&["--max-fails", "2", "--quiet"], &["FAILED  2 of 2 cases"]);
    assert!(!quiet.out.contains("data    that of"), "{}", quiet.out);
}

/// An older account of what else may stand there stays until all that replaces
/// it is there.
#[test]
fn an_export_that_fails_takes_nothing_away() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    assert_eq!(export(at, &[ONE], "1").code, 0);
    let permits = at.join(ONE).join("golden.permits.json");
    fs::write(&permits, "older\n").unwrap();
    let golden = at.join(ONE).join("golden.bin");
    let mut may = fs::metadata(&golden).unwrap().permissions();
    may.set_readonly(true);
    fs::set_permissions(&golden, may).unwrap();
    let done = export(at, &[ONE], "2");
    assert_eq!(done.code, 70, "{}{}", done.out, done.err);
    assert_eq!(fs::read_to_string(&permits).unwrap(), "older\n");
    fs::remove_file(&golden).unwrap();
    assert_eq!(export(at, &[ONE], "2").code, 0);
    assert!(
        !permits.exists(),
        "nothing but the golden bytes is permitted"
    );
}
