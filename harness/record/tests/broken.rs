//! What lines break of a JSON Schema, by another reader of schemas.

use std::{
    fmt::Display,
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

use serde_json::Value;

const SCRIPT: &str = r#"
import json, jsonschema, sys
schema, *lines = map(json.loads, sys.stdin)
jsonschema.Draft7Validator.check_schema(schema)
for line in lines:
    print(*(repr(e.message) for e in jsonschema.Draft7Validator(schema).iter_errors(line)))
"#;

/// For each of `lines` what it breaks of `schema`, empty where it fits.
pub(crate) fn broken(schema: &Value, lines: impl IntoIterator<Item = impl Display>) -> Vec<String> {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/impl-venv/bin/python");
    let mut command = Command::new(python);
    command.args(["-c", SCRIPT]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut asked = command
        .spawn()
        .expect("a Python: scripts/implementations/setup makes it");
    let mut to = asked.stdin.take().expect("a pipe");
    writeln!(to, "{schema}").expect("it listens");
    for line in lines {
        writeln!(to, "{line}").expect("it listens");
    }
    drop(to);
    let done = asked.wait_with_output().expect("it ends");
    assert!(done.status.success(), "it says why");
    let said = String::from_utf8(done.stdout).expect("text");
    said.lines().map(str::to_owned).collect()
}
