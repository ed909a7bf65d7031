//! `ptodiff list`

use std::io::{IsTerminal as _, Write, stdout as standard};

use clap::Args;
use ptodiff_case::{Case, Form};
use ptodiff_isa::{Coalesce, DType, Instruction, Target};
use ptodiff_report::style::{BOLD, DIM};
use serde::Serialize;

use crate::{
    args::{Format, Selection},
    exit::{Error, Exit},
    out::stdout,
    plain, select,
    text::joined,
};

/// `ptodiff list`
#[derive(Args, Debug)]
pub(crate) struct List {
    /// Which cases.
    #[command(flatten)]
    pub(crate) selection: Selection,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    name: &'a str,
    suite: Option<Target>,
    instruction: Instruction,
    form: &'static str,
    targets: &'a [Target],
    dtype: DType,
    mode: Option<Coalesce>,
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
            form: Form::of(&case.call).into(),
            targets: &case.targets,
            dtype: case.call.data_tile().dtype,
            mode: case.call.mode(),
            file: case.place.file.display().to_string(),
            line: case.place.span.line,
        }
    }

    fn columns(&self) -> [String; COLUMNS] {
        [
            plain::text(self.id),
            self.form.to_owned(),
            joined(self.targets, ","),
            self.dtype.to_string(),
            self.mode
                .map_or_else(|| "-".to_owned(), |mode| mode.to_string()),
            plain::text(&format!("{}:{}", self.file, self.line)),
        ]
    }
}

const COLUMNS: usize = 6;
const TITLES: [&str; COLUMNS] = ["id", "form", "targets", "dtype", "mode", "file"];

/// Lists the selected cases: in columns, with their titles on a terminal.
///
/// # Errors
/// Bad cases, nothing selected, or standard output fails.
pub(crate) fn list(args: &List) -> Result<Exit, Error> {
    let corpus = select::load(&args.selection, false)?;
    let lines: Vec<Line<'_>> = corpus.cases.iter().map(Line::new).collect();
    let mut out = stdout();
    match args.format {
        Format::Json => {
            for line in &lines {
                plain::json(&mut out, line)?;
            }
        }
        Format::Text => write_columns(&mut out, &lines, standard().is_terminal())?,
    }
    Ok(Exit::Conforms)
}

fn write_columns(out: &mut impl Write, lines: &[Line<'_>], titled: bool) -> std::io::Result<()> {
    let rows: Vec<_> = lines.iter().map(Line::columns).collect();
    let titles = TITLES.map(str::to_owned);
    let head = titled.then_some(&titles);
    let wide: [usize; COLUMNS] = std::array::from_fn(|at| {
        let cells = rows.iter().chain(head).map(|row| row[at].chars().count());
        cells.max().unwrap_or(0)
    });
    for row in head.into_iter().chain(&rows) {
        let title = head.is_some_and(|head| std::ptr::eq(head, row));
        for (at, cell) in row.iter().enumerate() {
            match at {
                _ if title => write!(out, "{BOLD}{cell}{BOLD:#}")?,
                _ if at + 1 == COLUMNS => write!(out, "{DIM}{cell}{DIM:#}")?,
                _ => write!(out, "{cell}")?,
            }
            if at + 1 < COLUMNS {
                write!(out, "{:1$}", "", wide[at] - cell.chars().count() + 2)?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}
