//! What options take, read from their text.

use std::time::Duration;

use ptodiff_case::{Form, did_you_mean};
use ptodiff_isa::{Target, reading};
use ptodiff_register::find;
use strum::VariantNames as _;

use crate::text::joined;

/// A target by its name.
pub(crate) fn target(text: &str) -> Result<Target, String> {
    text.to_lowercase()
        .parse()
        .map_err(|_| format!("expected cpu, a2a3 or a5{}", near(text, Target::VARIANTS)))
}

/// A form by its name.
pub(crate) fn form(text: &str) -> Result<Form, String> {
    text.parse().map_err(|_| {
        let names: Vec<&str> = Form::ALL.iter().map(|form| (*form).into()).collect();
        format!("the forms are {}{}", names.join(", "), near(text, &names))
    })
}

/// The parameter, after its target if it is of one, and its choice.
pub(crate) fn reading_choice(text: &str) -> Result<(String, String), String> {
    let (gap, choice) = text.split_once('=').ok_or("expected GAP=CHOICE")?;
    match ptodiff_isa::TargetReadings::default().set(gap, choice) {
        Ok(()) => Ok((gap.to_owned(), choice.to_owned())),
        Err(reading::UnknownReading::Target(gap, target)) => Err(format!(
            "{} changes nothing on {target}: it is about {}",
            gap.name,
            joined(gap.targets, ", ")
        )),
        Err(reading::UnknownReading::Gap) if gap.contains(':') => {
            let (of, bare) = gap.split_once(':').expect("a target before the gap");
            target(of).map_err(|why| format!("`{of}` is no target: {why}"))?;
            reading_choice(&format!("{bare}={choice}"))
        }
        Err(reading::UnknownReading::Gap) if find(gap).is_some_and(|one| one.gap.is_some()) => {
            Err(format!(
                "no reading of {gap} can be chosen: its answer is fixed, see ptodiff explain {gap}"
            ))
        }
        Err(reading::UnknownReading::Gap) => {
            let names: Vec<&str> = reading::GAPS.iter().map(|g| g.name).collect();
            Err(match near(gap, &names) {
                none if none.is_empty() => {
                    format!("no gap is called {gap}; there are {}", names.join(", "))
                }
                near => format!("no gap is called {gap}{near}"),
            })
        }
        Err(reading::UnknownReading::Choice(gap)) => {
            let near = near(choice, gap.choices);
            Err(format!(
                "{} is one of {}{near}",
                gap.name,
                gap.choices.join(", ")
            ))
        }
    }
}

/// Which of `known` was meant, to stand at the end of a message.
pub(crate) fn near(word: &str, known: &[&str]) -> String {
    let meant = did_you_mean(word, known.iter().copied());
    meant.map_or_else(String::new, |meant| format!("; {meant}"))
}

/// `90`, `90s`, `10m`, `2h`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let (digits, unit) = match text.find(|c: char| !c.is_ascii_digit()) {
        Some(at) => text.split_at(at),
        None => (text, "s"),
    };
    let factor = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        _ => 0,
    };
    let seconds = digits
        .parse::<u64>()
        .ok()
        .and_then(|n| n.checked_mul(factor));
    match seconds {
        Some(seconds @ 1..=604_800) => Ok(Duration::from_secs(seconds)),
        _ => Err("expected a time of at most a week: 90s, 10m, 2h".to_owned()),
    }
}

/// As [`duration`], or no time at all: `0`.
pub(crate) fn time_or_none(text: &str) -> Result<Duration, String> {
    match text {
        "0" | "0s" | "0m" | "0h" => Ok(Duration::ZERO),
        text => duration(text),
    }
}
