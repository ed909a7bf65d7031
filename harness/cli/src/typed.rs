//! The arguments of a command, for who runs it again.

use clap::{ArgMatches, Command, parser::ValueSource};

/// Who calls the command again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Again {
    /// Who runs the other parts of a run, maybe on other machines: those have other
    /// commands of implementations.
    OtherParts,
    /// Who runs a case again with the same implementations: what the record knows is not
    /// repeated.
    SameCase,
    /// Who calls the gate on the same files and implementations; what it then does with
    /// what it finds is said beside the command.
    SameGate,
}

impl Again {
    /// Whether the argument `id` is for them.
    fn takes(self, id: &str) -> bool {
        match self {
            Self::OtherParts => !matches!(id, "partition" | "out" | "jobs"),
            Self::SameCase => matches!(
                id,
                "target"
                    | "edition"
                    | "implementation_time"
                    | "implementation_memory"
                    | "implementation_jobs"
                    | "retries"
                    | "no_config"
            ),
            Self::SameGate => !matches!(
                id,
                "bless" | "write" | "dry_run" | "status_level" | "shown" | "quiet" | "verbose"
            ),
        }
    }
}

/// The arguments that were typed to `command`, as it read them: all that are for `again`,
/// so that none is forgotten that changes what comes of it.
pub(crate) fn typed(command: &Command, read: &ArgMatches, again: Again) -> Vec<String> {
    let mut all = Vec::new();
    for arg in command.get_arguments() {
        let id = arg.get_id().as_str();
        // What is not there at all has no source.
        let is_typed = read.value_source(id) == Some(ValueSource::CommandLine);
        if !is_typed || arg.is_hide_set() || !again.takes(id) {
            continue;
        }
        let option = arg.get_long().map(|long| format!("--{long}"));
        if !arg.get_action().takes_values() {
            all.extend(option);
            continue;
        }
        for value in read.get_raw(id).into_iter().flatten() {
            let value = value.to_string_lossy();
            let value = match value.split_once('=') {
                Some((name, _)) if id == "implementation" && again == Again::OtherParts => {
                    format!("{name}=...")
                }
                _ => value.into_owned(),
            };
            all.extend(option.clone());
            all.push(value);
        }
    }
    all
}
