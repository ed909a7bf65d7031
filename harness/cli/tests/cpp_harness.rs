//! `ptodiff cpp --harness`, as a user runs it.

use std::{collections::BTreeSet, fs, path::Path};

use crate::common::{Done, ptodiff, root, scatter};

fn on(folder: &Path, args: &[&str]) -> Done {
    ptodiff(folder, &[&["cpp", "--harness", "out"], args].concat())
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect()
}

fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join("out").join(name)).expect(name)
}

/// All cases of the corpus: none is lost without a reason.
#[test]
fn every_case_is_instantiated_or_left_out() {
    let cases = ptodiff_case::load(&[root().join("cases")]).expect("good cases");
    let all = cases.cases.len();
    for (target, more) in [("cpu", None), ("cpu", Some("--suite-forms")), ("a5", None)] {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("out");
        let mut args = vec![
            "cpp",
            "--harness",
            out.to_str().expect("text"),
            "--target",
            target,
        ];
        args.extend(more);
        let done = ptodiff(&root(), &args);
        assert_eq!(done.code, 0, "{}", done.err);
        let counted = done.out.lines().filter_map(|line| {
            let after = line.split_once(": ")?.1;
            let number = after.split([' ', ':']).next()?;
            number.replace(',', "").parse::<usize>().ok()
        });
        assert_eq!(counted.sum::<usize>(), all, "{}", done.out);
        for name in [
            "main.cpp",
            "kernels_00.cpp",
            "CMakeLists.txt",
            "CMakePresets.json",
            "README.md",
            "probe.sh",
        ] {
            assert!(names(&out).contains(name), "{name}");
        }
        let main = fs::read_to_string(out.join("main.cpp")).expect("a source");
        let policies = target != "cpu" || more.is_some();
        assert!(
            main.contains(&format!("\"{target}\", {policies}, ")),
            "{main}"
        );
    }
}

#[test]
fn cases_by_name_file_and_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    fs::create_dir_all(here.join("cases/more")).expect("folders");
    fs::write(here.join("cases/one.yaml"), scatter("first", "")).expect("a file");
    fs::write(here.join("cases/more/two.yaml"), scatter("second", "")).expect("a file");
    for (what, calls) in [
        (vec!["first"], 1),
        (vec!["one/first", "cases/more"], 2),
        (vec!["cases/one.yaml"], 1),
        (vec![], 2),
    ] {
        let done = on(here, &what);
        assert_eq!(done.code, 0, "{}", done.err);
        // The two are one call: its comment names both cases.
        assert!(
            done.out
                .contains(&format!("{calls} calls, 1 instantiations")),
            "{}",
            done.out
        );
        let kernels = text(here, "kernels_00.cpp");
        assert_eq!(kernels.matches("PTODIFF_KERNEL(").count(), 1);
        assert_eq!(kernels.contains("two/second"), calls == 2, "{kernels}");
    }
    let done = on(here, &["third"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("third"), "{}", done.err);
    let done = ptodiff(here, &["cpp", "first", "second"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("one case at a time"), "{}", done.err);
}

/// The README begins with three commands that hold as they stand, from anywhere.
#[test]
fn what_to_type_comes_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder
        .path()
        .canonicalize()
        .expect("a path")
        .join("with a space");
    fs::create_dir_all(here.join("cases")).expect("folders");
    fs::write(here.join("cases/one.yaml"), scatter("first", "")).expect("a file");
    let said = |args: &[&str]| {
        let done = on(&here, args);
        assert_eq!(done.code, 0, "{}", done.err);
        let text = text(&here, "README.md");
        let commands = text.lines().filter_map(|line| line.strip_prefix("    "));
        commands.take(3).map(str::to_owned).collect::<Vec<_>>()
    };
    let quoted = |path: &str| format!("'{}'", here.join(path).display());
    let of_suites = said(&["cases", "--suite-forms"]);
    let (out, cases) = (quoted("out"), quoted("cases"));
    let configure = format!("cd {out} && cmake --preset cpu -DPTO_INCLUDE=/path/to/pto/include");
    assert!(of_suites[0].starts_with(&configure), "{of_suites:?}");
    assert!(of_suites[1].starts_with(&format!("cmake --build {out}/build ")));
    assert_eq!(
        of_suites[2],
        format!(
            "ptodiff run {cases} --target cpu --impl mine={out}/build/ptodiff_impl --as cpu \
             --reading cpu-form=templated --reading scope=as-the-suite"
        )
    );
    // A case by its name is found among all; a lattice has no cases.
    let named = said(&["first", "--target", "a5"]);
    assert!(named[0].contains("--preset a5 "), "{named:?}");
    assert!(named[2].starts_with(&format!("ptodiff run {cases} --target a5 ")));
    assert!(!named[2].contains("--reading"), "{named:?}");
    let lattice = said(&["--lattice", "--instructions", "mgather"]);
    let hunt = format!("ptodiff hunt --lattice {out}/lattice.json --impl mine=");
    assert!(lattice[2].starts_with(&hunt), "{lattice:?}");
}

#[test]
fn a_lattice_by_its_options() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let narrow = [
        "--lattice",
        "--target",
        "a5",
        "--instructions",
        "MSCATTER,mgather",
        "--shapes",
        "8x32",
        "--dtypes",
        "float,half",
        "--index-dtypes",
        "uint32_t",
        "--modes",
        "Elem",
        "--atomics",
        "Add",
        "--oob",
        "Skip,Zero,Wrap",
        "--conflicts",
        "Last",
        "--patterns",
        "P0001",
    ];
    let done = on(here, &narrow);
    assert_eq!(done.code, 0, "{}", done.err);
    // Two dtypes; MSCATTER and its first revision with Skip and Wrap, MGATHER with Zero and Wrap.
    assert!(
        done.out.contains("a5: 12 calls, 12 instantiations"),
        "{}",
        done.out
    );
    let description: serde_json::Value =
        serde_json::from_str(&text(here, "lattice.json")).expect("JSON");
    assert_eq!(description["keys"].as_array().expect("a list").len(), 12);
    assert_eq!(description["index_dtypes"][0], "uint32_t");

    let all = [
        "--lattice",
        "--target",
        "a5",
        "--dtypes",
        "int8_t,uint8_t,int16_t,uint16_t,int32_t,uint32_t,half,float",
        "--atomics",
        "None,Add,Max,Min",
        "--shapes",
        "16x32,16x64,32x32,32x64",
    ];
    let done = on(here, &all);
    assert_eq!(done.code, 2);
    assert!(
        done.err.contains("at most 3000") && done.err.contains("fewer --shapes"),
        "{}",
        done.err
    );

    for (option, value, says) in [
        ("--shapes", "8", "as in 8x32"),
        ("--shapes", "0x8", "from 1 to 65536"),
        ("--dtypes", "double", "float8_e4m3_t"),
        ("--instructions", "MSHUFFLE", "mscatter-first"),
        ("--oob", "Drop", "Undefined, Skip, Zero, Clamp or Wrap"),
        ("--modes", "Column", "Row, Elem"),
    ] {
        let done = on(here, &["--lattice", option, value]);
        assert_eq!(done.code, 2, "{option} {value}");
        assert!(done.err.contains(says), "{}", done.err);
    }
    // Options of a lattice without one, and one beside cases.
    assert_eq!(on(here, &["--modes", "Row"]).code, 2);
    assert_eq!(on(here, &["--lattice", "first"]).code, 2);
    assert_eq!(ptodiff(here, &["cpp", "first", "--force"]).code, 2);
    // No form of CPU goes to L1.
    let done = on(here, &["--lattice", "--instructions", "mgather-l1"]);
    assert_eq!(done.code, 3);
    assert!(done.out.contains("MGATHERL1-GAP-14"), "{}", done.out);
}

#[test]
fn files_of_others_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    fs::write(here.join("one.yaml"), scatter("first", "")).expect("a file");
    let out = here.join("out");
    fs::create_dir(&out).expect("a folder");
    fs::write(out.join("README.md"), "mine").expect("a file");
    fs::write(out.join("kernels_mine.cpp"), "mine").expect("a file");
    let before = names(&out);
    let done = on(here, &["one.yaml"]);
    assert_eq!(done.code, 2);
    assert!(
        done.err.contains("README.md") && done.err.contains("--force"),
        "{}",
        done.err
    );
    assert_eq!(names(&out), before, "nothing is written");
    assert_eq!(text(here, "README.md"), "mine");
    assert_eq!(on(here, &["one.yaml", "--force"]).code, 0);
    assert_ne!(text(here, "README.md"), "mine");
    assert_eq!(text(here, "kernels_mine.cpp"), "mine");
    // A folder is no file of ours.
    fs::remove_file(out.join("main.cpp")).expect("removed");
    fs::create_dir(out.join("main.cpp")).expect("a folder in the way");
    assert_eq!(on(here, &["one.yaml"]).code, 2);
}
