//! Readings that the user chooses for a whole run.

use clap::Args;
use ptodiff_isa::{Readings, reading::GAPS};
use ptodiff_register::{EDITIONS, Edition};

use crate::{
    exit::Error,
    values::{near, reading_choice},
};

/// How the gaps of the documents are read.
#[derive(Args, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ReadingArgs {
    /// Read the gaps as this edition does
    #[arg(long, value_name = "NAME", value_parser = edition)]
    pub(crate) edition: Option<&'static Edition>,
    /// Set how a gap is read; cpu:GAP is of one target
    #[arg(long, value_name = "GAP=CHOICE", value_parser = reading_choice)]
    pub(crate) reading: Vec<(String, String)>,
}

/// How they are read by a command that a `ptodiff.toml` tells nothing else.
#[derive(Args, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ReadAs {
    /// What is chosen.
    #[command(flatten)]
    pub(crate) chosen: ReadingArgs,
    /// Read no ptodiff.toml
    #[arg(long)]
    pub(crate) no_config: bool,
}

impl ReadingArgs {
    /// The choices, each gap and target once: those of `--reading`, then what the
    /// edition says of the others.
    pub(crate) fn all(&self) -> Result<Vec<(String, String)>, Error> {
        let mut chosen: Vec<(String, String)> = Vec::with_capacity(self.reading.len());
        for (gap, choice) in &self.reading {
            match chosen.iter().find(|(known, _)| known == gap) {
                None => chosen.push((gap.clone(), choice.clone())),
                Some((_, before)) if before == choice => {}
                Some((_, before)) => {
                    return Err(Error::usage(format!(
                        "--reading gives {gap} twice, as {before} and as {choice}: one is right"
                    )));
                }
            }
        }
        let given = chosen.len();
        for (gap, choice) in self.edition.map_or_else(Vec::new, of) {
            let of_all = gap.split_once(':').map_or(&*gap, |(_, of_all)| of_all);
            let open = |(known, _): &(String, String)| *known != gap && known != of_all;
            if chosen[..given].iter().all(open) {
                chosen.push((gap, choice));
            }
        }
        Ok(chosen)
    }
}

/// The readings of an edition, as (gap, choice): every default where it has none of its own.
pub(crate) fn of(edition: &Edition) -> Vec<(String, String)> {
    let owned = |(gap, choice): (&str, &str)| (gap.to_owned(), choice.to_owned());
    let defaults = GAPS.iter().filter(|_| edition.readings.is_empty());
    let defaults = defaults.map(|gap| (gap.name, gap.choice(&Readings::default())));
    let own = edition.readings.iter().copied();
    own.chain(defaults).map(owned).collect()
}

/// The edition called `text`.
///
/// # Errors
/// There is none; says which there are.
pub(crate) fn edition(text: &str) -> Result<&'static Edition, String> {
    let found = EDITIONS.iter().find(|edition| edition.name == text);
    found.ok_or_else(|| {
        let names: Vec<&str> = EDITIONS.iter().map(|edition| edition.name).collect();
        format!(
            "the editions are {}{}",
            names.join(", "),
            near(text, &names)
        )
    })
}

/// Two editions, as `A,B`.
///
/// # Errors
/// They are not two, or one does not exist.
pub(crate) fn editions(text: &str) -> Result<[&'static Edition; 2], String> {
    let Some((before, after)) = text.split_once(',') else {
        return Err("expected two editions, as in documents,library-2026-08".to_owned());
    };
    Ok([edition(before)?, edition(after)?])
}
