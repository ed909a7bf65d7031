//! The command of a gate, to be called again.

use std::path::Path;

use ptodiff_record::reproduce::word;

use super::Gate;
use crate::{corpus, plain};

/// The command that looks at the same files and runs the same implementations as
/// `args` ask for; whether it judges or blesses is the caller's to add.
pub(super) fn command(args: &Gate) -> String {
    let mut all = "ptodiff gate".to_owned();
    let mut add = |option: &str, value: &str| all.push_str(&format!(" {option} {}", word(value)));
    let name = |path: &Path| path.to_string_lossy().into_owned();
    if let Some(record) = &args.from {
        add("--from", &name(record));
    } else if args.cases != Path::new(corpus::USUAL) {
        add("--cases", &name(&args.cases));
    }
    if args.baseline != Path::new(Gate::WAIVERS) {
        add("--baseline", &name(&args.baseline));
    }
    for (implementation, command) in &args.implementations.implementation {
        match command.is_empty() {
            true => add("--impl", implementation),
            false => add("--impl", &format!("{implementation}={command}")),
        }
    }
    for target in &args.implementations.claims {
        add("--as", &target.to_string());
    }
    if let Some(time) = args.implementations.implementation_time {
        add("--impl-time", &format!("{}s", time.as_secs()));
    }
    if let Some(mib) = args.implementations.implementation_memory {
        add("--impl-memory", &mib.to_string());
    }
    plain::text(&all)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::command::{Action, Args};

    fn gate(line: &[&str]) -> Gate {
        match Args::try_parse_from(line).expect("it reads").command {
            Action::Gate(gate) => gate,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_command_has_what_it_was_called_with_and_nothing_else() {
        for (own, shown) in [
            ("", ""),
            (
                "--from reports/waivers.yaml",
                " --from reports/waivers.yaml",
            ),
            ("--cases mine --bless --write", " --cases mine"),
            (
                "--dry-run --baseline known/w.yaml",
                " --baseline known/w.yaml",
            ),
            (
                "--impl x=a|b --as a5 --impl-time 2m --impl-memory 64",
                " --impl 'x=a|b' --as a5 --impl-time 120s --impl-memory 64",
            ),
        ] {
            let words: Vec<&str> = own.split_whitespace().collect();
            let args = gate(&[&["ptodiff", "gate"], &words[..]].concat());
            assert_eq!(command(&args), format!("ptodiff gate{shown}"));
        }
    }
}
