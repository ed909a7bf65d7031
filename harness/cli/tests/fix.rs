//! `ptodiff fix`, and what is said of the words of the version before where
//! they are read.

use std::fs;

use crate::common::{ptodiff, root, scatter};

const OLD: &str = "# Kept as it is: refused.
cases:
  - name: a   # a name
    instruction: MSCATTER
    mode: Elem
    atomic: Add
    dtype: int64_t
    tile: {shape: [1, 8]}
    index: {shape: [1, 8]}
    table: {shape: [1, 1, 1, 1, 8]}
    targets: [a2a3, a5]
    refused: {a2a3: MSCATTER-DTYPE-07, a5: MSCATTER-DTYPE-09} # by type
    witnesses: [MSCATTER-DTYPE-07, MSCATTER-DTYPE-09]
";

fn renewed() -> String {
    let new = OLD.replace("    refused:", "    rejected:");
    new.replace("    witnesses:", "    covers:")
}

#[test]
fn a_case_with_old_words_runs_and_is_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.yaml"), OLD).unwrap();
    let old = ptodiff(folder.path(), &["run", "a.yaml", "--out", "old"]);
    assert_eq!(old.code, 0, "{}{}", old.out, old.err);
    for part in [
        "warning[PTO-C037]: `refused` is now called `rejected`",
        "--> a.yaml:12:5",
        "`witnesses` is now called `covers`",
        "--> a.yaml:13:5",
        "`ptodiff fix` rewrites the files",
    ] {
        assert!(old.err.contains(part), "`{part}` is not in\n{}", old.err);
    }
    fs::write(folder.path().join("a.yaml"), renewed()).unwrap();
    let new = ptodiff(folder.path(), &["run", "a.yaml", "--out", "new"]);
    assert_eq!((new.code, &new.err[..]), (0, ""), "{}", new.out);
    let record = |name: &str| fs::read(folder.path().join(name).join("run.jsonl")).unwrap();
    assert_eq!(record("old"), record("new"));
}

#[test]
fn files_are_rewritten_in_place_and_only_their_old_words() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("cases/deep")).unwrap();
    fs::write(at("cases/deep/a.yaml"), OLD).unwrap();
    fs::write(at("cases/b.yaml"), scatter("b", "")).unwrap();
    let check = ptodiff(folder.path(), &["fix", "--check"]);
    assert_eq!(
        (check.code, &check.out[..]),
        (
            1,
            "cases/deep/a.yaml:12:5: refused -> rejected\n\
             cases/deep/a.yaml:13:5: witnesses -> covers\n1 of 2 files would change\n"
        ),
        "{}",
        check.err
    );
    assert_eq!(fs::read_to_string(at("cases/deep/a.yaml")).unwrap(), OLD);
    let done = ptodiff(folder.path(), &["fix"]);
    assert_eq!(
        (done.code, &done.out[..]),
        (0, "cases/deep/a.yaml  2 words\n1 of 2 files rewritten\n")
    );
    assert_eq!(
        fs::read_to_string(at("cases/deep/a.yaml")).unwrap(),
        renewed()
    );
    for args in [&["fix"][..], &["fix", "--check"]] {
        let again = ptodiff(folder.path(), args);
        assert_eq!(
            (again.code, &again.out[..]),
            (0, "nothing to fix in 2 files\n")
        );
    }
    // Beside the files nothing is left.
    assert_eq!(fs::read_dir(at("cases/deep")).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_permissions_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("real.yaml"), OLD).unwrap();
    fs::set_permissions(at("real.yaml"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real.yaml", at("link.yaml")).unwrap();
    let done = ptodiff(folder.path(), &["fix", "link.yaml"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(at("link.yaml").is_symlink());
    assert_eq!(fs::read_to_string(at("real.yaml")).unwrap(), renewed());
    let mode = fs::metadata(at("real.yaml")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn waivers_and_baselines_are_fixed_too() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("reports")).unwrap();
    let waivers = "# ours\nwaivers:\n  - signature: MSCATTER a5 stray MSCATTER-OOB-02\n    pair: a5\n    \
        cause: a\n    reference: b\n    owner: c\n    expires: 2027-03-31\n";
    fs::write(at("reports/waivers.yaml"), waivers).unwrap();
    let baseline = r#"{"ptodiff_baseline": 2, "targets": ["a5"], "subjects": ["a5:mine"],
        "readings": [["row-pitch", "duty"]], "clauses": {}, "gaps": {},
        "holes": ["MSCATTER unchecked-duty a5 MSCATTER-OOB-02 stray-write"],
        "cases": {}, "expects": {}}"#;
    fs::write(at("reports/baseline.json"), baseline).unwrap();
    let done = ptodiff(folder.path(), &["fix"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let new = waivers.replace("signature:", "failure-group:");
    assert_eq!(
        fs::read_to_string(at("reports/waivers.yaml")).unwrap(),
        new.replace(" stray ", " out-of-bounds ")
    );
    let text = fs::read_to_string(at("reports/baseline.json")).unwrap();
    for part in [
        "\"ptodiff_baseline\": 3",
        "\"implementations\": [\"a5:mine\"]",
        "[[\"row-pitch\",\"precondition\"]]",
        "\"MSCATTER unchecked-precondition a5 MSCATTER-OOB-02 out-of-bounds-write\"",
    ] {
        assert!(text.contains(part), "`{part}` is not in\n{text}");
    }
    let again = ptodiff(folder.path(), &["fix", "--check"]);
    assert_eq!(again.code, 0, "{}", again.out);
}

/// One file that cannot be read keeps all others as they are.
#[test]
fn nothing_is_written_where_a_file_is_no_yaml() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.yaml"), OLD).unwrap();
    fs::write(at("b.yaml"), "cases: [\n").unwrap();
    let done = ptodiff(folder.path(), &["fix", "."]);
    assert_eq!(done.code, 2, "{}", done.out);
    assert!(
        done.err.contains("PTO-C001") && done.err.contains("b.yaml"),
        "{}",
        done.err
    );
    assert_eq!(fs::read_to_string(at("a.yaml")).unwrap(), OLD);
    let none = ptodiff(folder.path(), &["fix", "nowhere"]);
    assert_eq!(none.code, 2, "{}", none.err);
    fs::create_dir(at("empty")).unwrap();
    assert_eq!(ptodiff(&at("empty"), &["fix"]).code, 3);
    assert_eq!(ptodiff(folder.path(), &["fix", "empty"]).code, 3);
}

/// A case that is wrong otherwise gets the new words, too; an escaped word is left.
#[test]
fn what_only_a_person_can_replace_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("a.yaml");
    let text = "cases:\n  - {name: a, \"\\x77itnesses\": x, refused: {}}\n";
    fs::write(&at, text).unwrap();
    let done = ptodiff(folder.path(), &["fix", "a.yaml"]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    assert!(
        done.out
            .contains("left a.yaml:2:15: an escape hides `witnesses`: write `covers` there"),
        "{}",
        done.out
    );
    let now = fs::read_to_string(&at).unwrap();
    assert_eq!(now, text.replace("refused", "rejected"));
}

#[test]
fn our_own_files_have_no_old_words() {
    let done = ptodiff(&root(), &["fix", "--check"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
}

#[test]
fn old_options_work_and_are_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.yaml"), scatter("a", "")).unwrap();
    let old = ptodiff(
        folder.path(),
        &[
            "run",
            "a.yaml",
            "--reading",
            "row-pitch=duty",
            "--subject-time",
            "3s",
            "--subject",
            "x=true",
        ],
    );
    for part in [
        "warning: `duty` is now called `precondition`",
        "warning: `--subject-time` is now called `--impl-time`",
        "warning: `--subject` is now called `--impl`",
        // `true` ends without a greeting: it was started.
        "implementation",
    ] {
        assert!(old.err.contains(part), "`{part}` is not in\n{}", old.err);
    }
    assert_eq!(old.code, 2, "{}", old.err);
    let help = ptodiff(folder.path(), &["run", "--help"]);
    assert!(
        help.out.contains("--impl ") && !help.out.contains("subject"),
        "{}",
        help.out
    );
}

/// A record that the last version with the old words wrote is of use everywhere.
#[test]
fn a_record_of_the_version_before_is_read_by_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let old = root().join("harness/record/tests/older/format-5.jsonl");
    let old = old.to_str().unwrap();
    let text = ptodiff(folder.path(), &["report", "--from", old]);
    assert_eq!(text.code, 0, "{}", text.err);
    for part in [
        "violation TGATHERB a5:m out-of-bounds -, 1 case",
        "  outlier    a5:m\n",
        "  slot       destination (0, 0), byte 0; schedule in order\n",
        "  got        245 (0x000000f5) from a5:m\n",
        "6 cases: 1 agree, 1 single, 1 rejected, 2 undefined, 1 violation",
        "cpu-padded-table: precondition -> strided, 1 case: undefined becomes single",
    ] {
        assert!(text.out.contains(part), "`{part}` is not in\n{}", text.out);
    }
    let page = ptodiff(
        folder.path(),
        &["report", "--from", old, "--html", "p.html"],
    );
    assert_eq!(page.code, 0, "{}", page.err);
    let merged = ptodiff(folder.path(), &["merge", old, "--out", "new.jsonl"]);
    assert_eq!(merged.code, 0, "{}", merged.err);
    let new = fs::read_to_string(folder.path().join("new.jsonl")).unwrap();
    assert!(new.starts_with("{\"ptodiff_record\":6,"), "{new}");
    let diff = ptodiff(folder.path(), &["diff", old, "new.jsonl"]);
    assert_eq!(diff.code, 0, "{}{}", diff.out, diff.err);
    assert!(
        diff.out.contains("0 new, 0 gone, 0 changed, 6 the same"),
        "{}",
        diff.out
    );
    fs::write(folder.path().join("w.yaml"), "waivers: []\n").unwrap();
    let gate = ["gate", "--from", old, "--baseline", "w.yaml", "--bless"];
    let gate = ptodiff(folder.path(), &gate);
    assert!(
        gate.out.contains("violation TGATHERB a5:m out-of-bounds -"),
        "{}{}",
        gate.out,
        gate.err
    );
}
