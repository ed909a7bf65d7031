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

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str, again: Again) -> String {
        let words = ptodiff_impl::split(line).expect("words");
        let command = crate::command::command();
        let read = command.clone().try_get_matches_from(words).expect(line);
        let (name, read) = read.subcommand().expect("a command");
        let own = command.find_subcommand(name).expect("it is there");
        typed(own, read, again).join(" ")
    }

    #[test]
    fn what_all_parts_share_is_typed_again() {
        for (line, shown) in [
            ("ptodiff run", ""),
            (
                "ptodiff run a b.yaml -t a5,cpu -s 7 --no-details -qo part-1 --partition 1/2 -j 3",
                "a b.yaml --target a5 --target cpu --seed 7 --no-details --quiet",
            ),
            (
                "ptodiff run --impl 'mine=./x --key=secret' --as a5 --impl board --readings all",
                "--readings all --impl mine=... --impl board --as a5",
            ),
        ] {
            assert_eq!(of(line, Again::OtherParts), shown, "{line}");
        }
    }

    #[test]
    fn a_case_is_run_again_as_its_implementation_was_run() {
        let line = "ptodiff run a -t a5 -s 7 --impl mine=./x --impl-time 2m --impl-memory 64 \
                    --impl-jobs 3 --retries 5 --no-config --edition documents -q";
        let shown = "--target a5 --edition documents --impl-time 2m --impl-memory 64 \
                     --impl-jobs 3 --retries 5 --no-config";
        assert_eq!(of(line, Again::SameCase), shown);
    }

    #[test]
    fn a_gate_has_all_that_it_was_called_with_but_what_it_does_then() {
        for (line, shown) in [
            ("ptodiff gate --bless --write", ""),
            (
                "ptodiff gate --from reports/waivers.yaml --today 2026-03-01",
                "--from reports/waivers.yaml",
            ),
            (
                "ptodiff gate --cases mine --dry-run --baseline known/w.yaml -q --color never",
                "--cases mine --baseline known/w.yaml",
            ),
            (
                "ptodiff gate --impl 'x=a|b' --as a5 --impl-time 2m --impl-memory 64 --impl-jobs 3 \
                 --retries 5 --no-config",
                "--impl x=a|b --as a5 --impl-time 2m --impl-memory 64 --impl-jobs 3 --retries 5 \
                 --no-config",
            ),
        ] {
            assert_eq!(of(line, Again::SameGate), shown, "{line}");
        }
    }
}
