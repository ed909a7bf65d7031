//! Whether a mirrored case's name and the case say the same.

use std::fmt::{self, Display};

use ptodiff_isa::{
    BLayout, Call, Coalesce, Dim, GatherOob, Layout, SLayout, ScatterAtomicOp, ScatterOob, Tile,
};

use crate::case::{Case, Place};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::load::Corpus;
use crate::plan::IndexPattern;
use crate::st_name::{NotAnStName, StMode, StName, StPattern, StTable, parse};
use crate::write;
use crate::yaml::Span;

/// One thing that a name and its case state differently.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// What it is about: `dtype`, `table rows`.
    pub aspect: &'static str,
    /// What the name says.
    pub name_says: String,
    /// What the case says.
    pub case_says: String,
}

impl Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            aspect,
            name_says,
            case_says,
        } = self;
        write!(
            f,
            "{aspect}: the name says {name_says}, the case {case_says}"
        )
    }
}

/// Where the name of `case` and `case` say different things. Compared are:
///
/// - mode; dtype of tile and of table;
/// - valid rows (over all chunks) and columns of the data tile, its padded
///   rows and columns (the valid ones where the name has no `in`, columns only
///   where it has no `unaligned` and no `scalar` either);
/// - the table: `rows` against `Shape[3]`, `size` against the number of
///   elements, `RxC` against `Shape[3]` and `Shape[4]`, `blk` against the number of
///   blocks `Shape[0] * Shape[1] * Shape[2]`;
/// - `nz` against the table's layout and the tile's SLayout; `colidx` against
///   the index tile's BLayout; `dyn` against whether any extent or stride is
///   dynamic; `scalar` against 1 x 1;
/// - out-of-bounds policy and atomic, where a name that states none means
///   Undefined and None; conflict policy where the name states one;
/// - index pattern where the name states one (`no_dup` is either of the
///   patterns without repeats).
///
/// # Errors
/// If the name is no ST name.
pub fn name_check(case: &Case) -> Result<Vec<Mismatch>, NotAnStName> {
    let name = parse(&case.name)?;
    let mut check = Check(Vec::new());
    operands(&mut check, &name, case);
    table(&mut check, &name, case);
    policies(&mut check, &name, case);
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
            (Ok(mismatches), None) => all.extend(mismatches.iter().map(|mismatch| {
                let mut mistake = about(corpus, case, Code::NameDiffers, mismatch.to_string());
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
    let Place { file, line, column } = &case.place;
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

struct Check(Vec<Mismatch>);

impl Check {
    fn same<T: PartialEq + Display>(&mut self, aspect: &'static str, name: T, case: T) {
        if name != case {
            self.0.push(Mismatch {
                aspect,
                name_says: name.to_string(),
                case_says: case.to_string(),
            });
        }
    }
}

fn operands(check: &mut Check, name: &StName, case: &Case) {
    let tile = case.call.data_tile();
    let mode = match &case.call {
        Call::Mscatter(call) => call.mode,
        Call::Mgather(call) => call.mode,
    };
    let stated = match name.mode {
        StMode::Row => Coalesce::Row,
        StMode::Elem | StMode::Elem2d => Coalesce::Elem,
    };
    check.same("mode", stated, mode);
    check.same("tile dtype", name.dtype, tile.dtype);
    check.same("table dtype", name.dtype, case.call.table().dtype);

    let rows = tile.valid_row.get().saturating_mul(u64::from(case.chunks));
    let cols = tile.valid_col.get();
    check.same("valid size", size(name.valid), size((rows, cols)));
    if name.scalar {
        check.same("scalar", size((1, 1)), size((rows, cols)));
    }
    if let Some(padded) = name.padded {
        check.same("padded size", size(padded), size((tile.rows, tile.cols)));
    } else if name.remarks.is_empty() && !name.scalar {
        check.same("padded columns", name.valid.1, tile.cols);
    }

    let boxed = |nz| if nz { "boxes" } else { "no boxes" };
    check.same(
        "tile",
        boxed(name.nz),
        boxed(tile.slayout != SLayout::NoneBox),
    );
    let index = case.call.index_tile();
    let order = if name.colidx {
        BLayout::ColMajor
    } else {
        BLayout::RowMajor
    };
    check.same("index BLayout", order, index.blayout);
    let known = |dynamic| if dynamic { "dynamic" } else { "static" };
    check.same("sizes", known(name.dynamic), known(any_dynamic(case)));
    if let Some(pattern) = name.pattern {
        check.same(
            "index pattern",
            stated_pattern(pattern),
            used_pattern(pattern, case),
        );
    }
}

fn table(check: &mut Check, name: &StName, case: &Case) {
    let table = case.call.table();
    let extent = |at: usize| table.shape[at].get();
    let product = |range: std::ops::Range<usize>| {
        range.fold(1_u64, |product, at| product.saturating_mul(extent(at)))
    };
    let fractal = |nz| if nz { "NZ" } else { "not NZ" };
    check.same(
        "table layout",
        fractal(name.nz),
        fractal(table.layout == Layout::NZ),
    );
    match name.table {
        Some(StTable::Rows(rows)) => check.same("table rows", rows, extent(3)),
        Some(StTable::Size(elements)) => check.same("table elements", elements, product(0..5)),
        Some(StTable::Blocks(blocks)) => check.same("table blocks", blocks, product(0..3)),
        Some(StTable::Grid(grid)) => {
            check.same("table size", size(grid), size((extent(3), extent(4))));
        }
        None => {}
    }
}

fn policies(check: &mut Check, name: &StName, case: &Case) {
    let (atomic, oob, conflict) = match &case.call {
        Call::Mscatter(call) => (call.atomic, policy(call.oob), Some(call.conflict)),
        Call::Mgather(call) => (ScatterAtomicOp::None, gather_policy(call.oob), None),
    };
    if name.oob.unwrap_or("Undefined") != oob {
        check.same("out of bounds", name.oob.unwrap_or("nothing"), oob);
    }
    if name.atomic.unwrap_or_default() != atomic {
        let stated = name.atomic.map_or("nothing", Into::into);
        check.same("atomic", stated, atomic.into());
    }
    if let Some(stated) = name.conflict {
        let used = conflict.map_or_else(|| "none".to_owned(), |c| c.to_string());
        check.same("conflict", stated.to_string(), used);
    }
}

fn policy(oob: ScatterOob) -> &'static str {
    oob.into()
}

fn gather_policy(oob: GatherOob) -> &'static str {
    oob.into()
}

fn any_dynamic(case: &Case) -> bool {
    let dynamic = |dim: &Dim| matches!(dim, Dim::Dynamic(_));
    let tile = |tile: &Tile| dynamic(&tile.valid_row) || dynamic(&tile.valid_col);
    let table = case.call.table();
    tile(case.call.data_tile())
        || tile(case.call.index_tile())
        || table.shape.iter().any(dynamic)
        || table.stride.iter().any(dynamic)
}

fn stated_pattern(pattern: StPattern) -> &'static str {
    match pattern {
        StPattern::Random => "random",
        StPattern::Same => "same",
        StPattern::Seq => "seq",
        StPattern::NoDup => "no repeats",
    }
}

/// The case's pattern in the words of the name where it is what the name states.
fn used_pattern(stated: StPattern, case: &Case) -> &'static str {
    match (&case.data.index, stated) {
        (IndexPattern::Permutation | IndexPattern::OutOfBoundsNoDup, StPattern::NoDup) => {
            stated_pattern(stated)
        }
        (pattern, _) => write::pattern_name(pattern),
    }
}

fn size((rows, cols): (u64, u64)) -> String {
    format!("{rows}x{cols}")
}
