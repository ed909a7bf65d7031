//! Whether a mirrored case's name and the case say the same.

mod on_chip;
mod table;

use std::fmt::Display;

use crate::case::{Case, Place};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::load::Corpus;
use crate::st_name::{NotAnStName, StName, parse};
use crate::yaml::Span;

/// Where the name of `case` and `case` say different things.
///
/// Of MSCATTER and MGATHER are compared:
///
/// - mode; who executes a gather to L1 (`simt`); dtype of tile and of table;
/// - valid rows (over all chunks) and columns of the data tile, its padded
///   rows and columns (the valid ones where the name has no `in`, columns only
///   where it has no `unaligned` and no `scalar` either);
/// - the table: `rows` against `Shape[3]`, `size` against the number of
///   elements, `RxC` against `Shape[3]` and `Shape[4]`, `blk` against the number of
///   blocks `Shape[0] * Shape[1] * Shape[2]`;
/// - `nz` against the table's layout and the SLayout of a tile in UB; `colidx`
///   against the index tile's BLayout; `dyn` against whether any extent or stride is
///   dynamic; `scalar` against 1 x 1;
/// - out-of-bounds policy and atomic, where a name that states none means
///   Undefined and None; conflict policy where the name states one;
/// - index pattern where the name states one (`no_dup` is either of the
///   patterns without repeats).
///
/// Of TSCATTER and TGATHERB: form, dtypes, mask and axis, and the sizes that
/// the name gives, against the valid region and the padded tile, which are one.
fn name_check(case: &Case) -> Result<Vec<String>, NotAnStName> {
    let name = parse(case.call.instruction(), &case.name)?;
    let mut check = Check(Vec::new());
    match &name {
        StName::Table(name) => table::compare(&mut check, name, case),
        StName::Tscatter(name) => on_chip::tscatter(&mut check, name, &case.call),
        StName::Tgatherb(name) => on_chip::tgatherb(&mut check, name, &case.call),
    }
    Ok(check.0)
}

/// Checks the names of every mirrored case of a corpus: those that are no ST
/// names, those that differ without a reason, and reasons without a difference.
#[must_use]
pub fn check_names(corpus: &Corpus) -> Vec<Diagnostic> {
    let mut all = Vec::new();
    for case in corpus.cases.iter().filter(|case| case.suite.is_some()) {
        match (name_check(case), &case.name_differs) {
            (Err(why), _) => {
                let message = format!("`{}` is no ST name: {why}", case.name);
                all.push(about(corpus, case, Code::NameUnparsed, message));
            }
            (Ok(mismatches), None) => all.extend(mismatches.into_iter().map(|mismatch| {
                let mut mistake = about(corpus, case, Code::NameDiffers, mismatch);
                mistake.help = Some(
                    "if the suite itself differs here, give the reason in `name_differs`".into(),
                );
                mistake
            })),
            (Ok(mismatches), Some(_)) if mismatches.is_empty() => {
                let message = format!("`name_differs` is given, but `{}` agrees", case.name);
                all.push(about(corpus, case, Code::NameAgrees, message));
            }
            (Ok(_), Some(_)) => {}
        }
    }
    all
}

fn about(corpus: &Corpus, case: &Case, code: Code, message: String) -> Diagnostic {
    Diagnostic::at(code, &case.place.file, span_of_name(corpus, case), message)
}

/// A case keeps the line and column of its name only.
fn span_of_name(corpus: &Corpus, case: &Case) -> Span {
    let Place {
        file, line, column, ..
    } = &case.place;
    let text = corpus.files.iter().find(|f| f.path == *file);
    let text = text.map_or("", |f| f.text.as_str());
    let before = line.saturating_sub(1) as usize;
    let start: usize = text.split_inclusive('\n').take(before).map(str::len).sum();
    let chars = column.saturating_sub(1) as usize;
    let skipped: usize = text[start..].chars().take(chars).map(char::len_utf8).sum();
    let start = start + skipped;
    let len = text[start..].lines().next().map_or(0, |rest| {
        let quotes = rest.len() - rest.trim_start_matches(['"', '\'']).len();
        rest.len().min(case.name.len() + 2 * quotes)
    });
    Span {
        line: *line,
        column: *column,
        bytes: start..start + len,
    }
}

/// What a name and its case state differently, a line each.
struct Check(Vec<String>);

impl Check {
    fn same<T: PartialEq + Display>(&mut self, aspect: &str, name: T, case: T) {
        if name != case {
            let what = format!("{aspect}: the name says {name}, the case {case}");
            self.0.push(what);
        }
    }
}

fn size((rows, cols): (u64, u64)) -> String {
    format!("{rows}x{cols}")
}
