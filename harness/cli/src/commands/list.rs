//! `ptodiff list`

use std::io::Write;

use ptodiff_case::Case;
use serde::Serialize;

use crate::{
    args::{Format, List},
    exit::{Error, Exit},
    out::stdout,
    plain, select,
};

#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    name: &'a str,
    suite: Option<ptodiff_isa::Target>,
    instruction: ptodiff_isa::Instruction,
    file: String,
    line: u32,
}

impl<'a> Line<'a> {
    fn new(case: &'a Case) -> Self {
        Self {
            id: &case.id,
            name: &case.name,
            suite: case.suite,
            instruction: case.call.instruction(),
            file: case.place.file.display().to_string(),
            line: case.place.line,
        }
    }
}

/// Lists the selected cases.
///
/// # Errors
/// Bad cases, nothing selected, or standard output fails.
pub(crate) fn list(args: &List) -> Result<Exit, Error> {
    let corpus = select::load(&args.selection)?;
    let mut out = std::io::BufWriter::new(stdout());
    for case in &corpus.cases {
        let line = Line::new(case);
        match args.format {
            Format::Json => {
                plain::json(&mut out, &line)?;
            }
            Format::Text => {
                writeln!(
                    out,
                    "{:<9} {:<70} {}:{}",
                    line.instruction, line.id, line.file, line.line
                )?;
            }
        }
    }
    out.flush()?;
    Ok(Exit::Conforms)
}
