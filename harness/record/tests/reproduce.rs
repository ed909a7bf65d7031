//! The command that runs a case again repeats what its run was told.

use ptodiff_isa::Target;
use ptodiff_record::{FORMAT, Header, StData, reproduce::reproduce_case};
use serde_json::json;

#[test]
fn a_command_says_what_the_run_was_told_and_a_shell_takes_names_as_they_are() {
    let command = |change: &dyn Fn(&mut Header), file: &str, id: &str| {
        let header = json!({
            "ptodiff_record": FORMAT, "version": "0", "seed": 7, "schedules": 4, "targets": [],
            "cases": 0,
        });
        let mut header: Header = serde_json::from_value(header).unwrap();
        change(&mut header);
        reproduce_case(&header, file, id)
    };
    let told = |h: &mut Header| {
        h.schedules = 9;
        h.readings = vec![("cpu-form".into(), "templated".into())];
    };
    let data = |folder: &str, held_to| {
        let st_data = StData {
            folder: folder.into(),
            suite: Target::A2a3,
            held_to,
        };
        move |h: &mut Header| {
            told(h);
            h.st_data = Some(st_data.clone());
        }
    };
    let given = |h: &mut Header| {
        h.beside = vec![
            ("--set".into(), "rows=3".into()),
            ("--data".into(), "my data.yaml".into()),
        ];
    };
    let rest = "--cases a.yaml --filter '=c' --schedules 9 --reading cpu-form=templated";
    for (command, expected) in [
        (
            command(&told, "a.yaml", "c"),
            "ptodiff run a.yaml --filter '=c' --seed 7 --schedules 9 --reading cpu-form=templated",
        ),
        // Data that was read is read again.
        (
            command(&data("out/data", Target::A2a3), "a.yaml", "c"),
            &format!("ptodiff st check out/data --suite a2a3 {rest}"),
        ),
        (
            command(&data("-a b", Target::A5), "a.yaml", "c"),
            &format!("ptodiff st check ./'-a b' --suite a2a3 --as a5 {rest}"),
        ),
        (
            command(&given, "a.yaml", "c"),
            "ptodiff run a.yaml --filter '=c' --seed 7 --set rows=3 --data 'my data.yaml'",
        ),
        (
            command(
                &|h| h.readings = vec![("gap".into(), "$(x)".into())],
                "a b",
                "a/it's",
            ),
            r"ptodiff run 'a b' --filter '=a/it'\''s' --seed 7 --reading 'gap=$(x)'",
        ),
    ] {
        assert_eq!(command, expected);
    }
}
