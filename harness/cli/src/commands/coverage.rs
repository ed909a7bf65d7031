//! `ptodiff coverage`

use std::{
    collections::BTreeMap,
    io::{BufWriter, Write, sink},
};

use ptodiff_report::coverage::{Coverage, combinations, write_axes, write_coverage};
use ptodiff_runner::Options;
use serde::Serialize;

use crate::{
    args::{self, Format},
    exit::{Error, Exit},
    out::stdout,
    plain, select,
    sources::TESTS,
};

/// Runs the selected cases and says which statements of the documents they
/// cover. A statement that could be covered and is not is a violation.
///
/// # Errors
/// Bad cases, nothing selected, or standard output fails.
pub(crate) fn coverage(args: &args::Coverage) -> Result<Exit, Error> {
    let corpus = select::load(&args.selection)?;
    let records = ptodiff_runner::run(&corpus.cases, &Options::default(), sink(), |_| {})
        .map_err(|e| Error::fault(format!("cannot run the cases: {e}")))?;
    let coverage = Coverage::of(&records, TESTS);
    let mut out = BufWriter::new(stdout());
    match args.format {
        Format::Text => {
            write_coverage(&mut out, &coverage, args.all)?;
            if args.axes {
                write_axes(&mut out, &combinations(&records))?;
            }
        }
        Format::Json => {
            for clause in &coverage.clauses {
                write_json(&mut out, "clause", clause)?;
            }
            for gap in &coverage.gaps {
                write_json(&mut out, "gap", gap)?;
            }
            for combination in combinations(&records).iter().filter(|_| args.axes) {
                write_json(&mut out, "combination", combination)?;
            }
        }
    }
    out.flush()?;
    Ok(if coverage.fails() {
        Exit::Violation
    } else {
        Exit::Conforms
    })
}

/// One line: an object with one key, what it is.
fn write_json(out: &mut impl Write, kind: &str, of: &impl Serialize) -> std::io::Result<()> {
    plain::json(out, &BTreeMap::from([(kind, of)]))
}
