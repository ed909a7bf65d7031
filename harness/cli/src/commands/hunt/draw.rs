//! One case of a hunt, and the command that shows it.

use std::io::Write;

use ptodiff_edge::text;
use ptodiff_generate::literal;
use ptodiff_hunt::{Draw, Drawer, Plan};
use ptodiff_record::reproduce::word;

use super::Hunt;
use crate::{
    exit::{Error, Exit},
    out::stdout,
    text::joined,
};

/// Prints case `number` as YAML, with what the hunt asks of it.
pub(super) fn show(plan: &Plan, number: u64) -> Result<Exit, Error> {
    let draw = Drawer::new(plan).number(number);
    let mut case = literal(&draw.case, plan.seed);
    case.name = format!("{}-{number}", plan.seed);
    let yaml = ptodiff_case::case_yaml(&case);
    // The first line is for editors.
    let (first, rest) = yaml.split_once('\n').unwrap_or_default();
    let mut out = stdout();
    write!(out, "{first}\n# {}\n{rest}", asked(&draw))?;
    Ok(Exit::Conforms)
}

fn asked(draw: &Draw) -> String {
    let mut asked = format!("In the hunt: lanes {}", draw.schedule);
    if let Some(relation) = draw.relation {
        asked.push_str(&format!(", relation {relation}"));
    }
    if draw.readings {
        asked.push_str(", every reading that may matter");
    }
    asked
}

/// The command that shows case `number` of the hunt with these arguments: all
/// that choose what is drawn are there.
pub(super) fn command(args: &Hunt, number: u64) -> String {
    let mut all = format!("ptodiff hunt --show {number} --seed {}", args.seed);
    if let Some(path) = &args.lattice {
        all.push_str(&format!(" --lattice {}", word(&path.to_string_lossy())));
    }
    all + &typed(&options(args))
}

/// The command that finds again what a hunt of `count` cases with these arguments found: what
/// chooses its cases, and what is known.
pub(super) fn again(args: &Hunt, drawn: &Hunt, count: u64) -> String {
    let mut all = format!("ptodiff hunt --count {count} --seed {}", drawn.seed);
    let mut add = |option: &str, value: &str| all.push_str(&format!(" {option} {}", word(value)));
    let files = [("--lattice", &args.lattice), ("--known", &args.known)];
    for (option, path) in files {
        if let Some(path) = path {
            add(option, &path.to_string_lossy());
        }
    }
    for path in &args.also {
        add("--also", &path.to_string_lossy());
    }
    for own in &args.implementations.implementation {
        match own.is_in_file {
            true => add("--impl", &own.name),
            false => add("--impl", &format!("{}={}", own.name, own.command)),
        }
    }
    for target in &args.implementations.claims {
        add("--as", &target.to_string());
    }
    if args.implementations.no_config {
        all.push_str(" --no-config");
    }
    text::line(&(all + &typed(&options(drawn)))).into_owned()
}

/// Options and their values as a shell takes them, each after a blank.
pub(crate) fn typed(options: &[(String, String)]) -> String {
    let one = |(option, value): &(String, String)| match &value[..] {
        "" => format!(" {}", word(option)),
        value => format!(" {} {}", word(option), word(value)),
    };
    options.iter().map(one).collect()
}

/// What chooses the cases beside their seed, their number and a lattice.
pub(super) fn options(args: &Hunt) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut add = |option: &str, value: &str| all.push((option.to_owned(), value.to_owned()));
    if !args.form.is_empty() {
        add("--form", &joined(&args.form, ","));
    }
    if !args.target.is_empty() {
        add("--target", &joined(&args.target, ","));
    }
    if let Some(rules) = &args.rules {
        add("--rules", rules);
    }
    if let Some(most) = args.max_lanes {
        add("--max-lanes", &most.to_string());
    }
    if let Some(edition) = args.chosen.edition {
        add("--edition", edition.name);
    }
    for (gap, choice) in &args.chosen.reading {
        add("--reading", &format!("{gap}={choice}"));
    }
    if args.quick {
        add("--quick", "");
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::hunt::parsed;

    #[test]
    fn the_command_names_the_lattice_and_the_readings() {
        let words = [
            "hunt",
            "--lattice",
            "a b.json",
            "--reading",
            "scope=as-the-suite",
        ];
        let args = parsed(words.map(str::to_owned)).expect("it reads");
        assert_eq!(
            command(&args, 3),
            "ptodiff hunt --show 3 --seed 0 --lattice 'a b.json' --reading scope=as-the-suite"
        );
    }
}
