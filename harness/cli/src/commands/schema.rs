//! `ptodiff schema`

use std::io::Write as _;

use clap::{Args, ValueEnum};

use crate::{
    exit::{Error, Exit},
    out::stdout,
};

/// `ptodiff schema`
#[derive(Args, Debug)]
pub(crate) struct Schema {
    /// Of what
    #[arg(value_enum)]
    of: Of,
}

/// What has a JSON Schema.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Of {
    /// A case file
    Case,
    /// A line of a record, `run.jsonl`
    Record,
    /// A line of the record of a hunt
    Hunt,
    /// A file of waivers
    Waivers,
    /// A `ptodiff.toml`
    Config,
}

/// Prints a JSON Schema.
pub(crate) fn schema(args: &Schema) -> Result<Exit, Error> {
    let schema = match args.of {
        Of::Case => ptodiff_case::schema(),
        Of::Record => ptodiff_record::schema(),
        Of::Hunt => ptodiff_hunt::schema(),
        Of::Waivers => ptodiff_case::waiver::schema(),
        Of::Config => crate::config::schema(),
    };
    writeln!(stdout(), "{schema:#}")?;
    Ok(Exit::Conforms)
}
