//! The arguments of a command, for who runs it again.

use clap::{ArgMatches, Command, parser::ValueSource};

/// Of one part or one machine: who runs the next part has others.
const OWN: [&str; 4] = ["partition", "out", "jobs", "color"];

/// The arguments that were typed to `command`, as it read them; without commands of
/// implementations, which belong to one machine.
pub(crate) fn typed(command: &Command, read: &ArgMatches) -> Vec<String> {
    let mut all = Vec::new();
    for arg in command.get_arguments() {
        let id = arg.get_id().as_str();
        // What is not there at all has no source.
        if OWN.contains(&id) || read.value_source(id) != Some(ValueSource::CommandLine) {
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
                Some((name, _)) if id == "implementation" => format!("{name}=..."),
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

    fn of(line: &str) -> String {
        let words = ptodiff_impl::split(line).expect("words");
        let command = crate::command::command();
        let read = command.clone().try_get_matches_from(words).expect(line);
        let (name, read) = read.subcommand().expect("a command");
        let own = command.find_subcommand(name).expect("it is there");
        typed(own, read).join(" ")
    }

    #[test]
    fn what_all_parts_share_is_typed_again() {
        for (line, again) in [
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
            assert_eq!(of(line), again, "{line}");
        }
    }
}
