//! The grammar of the names of MSCATTER's and MGATHER's tests.
//!
//! ```text
//! name   = "case_" mode { "_" word } "_" sizes
//! mode   = "row" | "elem" | "elem2d"
//! word   = dtype | flag | policy | pattern | atomic          each at most once
//! dtype  = "float" | "half" | "bfloat16" | "int8" ... "uint32" ...
//! flag   = "simt" | "nz" | "colidx" | "dyn" [ "_user" ] | "scalar" | "unaligned" | "partial" | "small"
//! policy = "clamp" | "wrap" | "skip" | "zero" | "last" | "default"
//! pattern = "random" | "same" | "seq" | "no_dup"
//! atomic = "atomic_add" | "atomicadd" | "atomicmax" | "atomicmin"
//! sizes  = valid [ "_in_" R "x" C ] [ "_" table ]            words may stand among them
//! valid  = R "x" C | N
//! table  = N "rows" | N "size" | N "blk" | R "x" C
//! ```
//!
//! `case_elem2d_dyn_user_float_1x9_in_1x16_3x10`: Elem mode on a
//! two-dimensional tile of run-time extents, float, 1 x 9 valid elements in a
//! padded tile of 1 x 16, a table of 3 x 10.

use ptodiff_isa::{DType, ScatterAtomicOp, ScatterConflict};

use super::{Extents, NotAnStName, dtype, extents, number};

/// What such a name says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableName {
    /// The mode.
    pub mode: StMode,
    /// The element type.
    pub dtype: DType,
    /// `simt`: a SIMT kernel collects the elements.
    pub simt: bool,
    /// `nz`: tile and table are in fractal layout.
    pub nz: bool,
    /// `colidx`: the index tile is a column.
    pub colidx: bool,
    /// `dyn`, `dyn_user`: something is known at run time only.
    pub dynamic: bool,
    /// `scalar`: one element.
    pub scalar: bool,
    /// `unaligned`, `partial`, `small` or `user`: about the sizes' purpose; they state no value.
    pub remarks: Vec<&'static str>,
    /// The out-of-bounds policy, spelt as the ISA spells it.
    pub oob: Option<&'static str>,
    /// The conflict policy.
    pub conflict: Option<ScatterConflict>,
    /// The atomic.
    pub atomic: Option<ScatterAtomicOp>,
    /// How the indices are drawn.
    pub pattern: Option<StPattern>,
    /// Valid rows and columns of the data tile over all chunks; rows 1 in a flat name.
    pub valid: Extents,
    /// Padded rows and columns of the data tile, where they differ.
    pub padded: Option<Extents>,
    /// The table's size.
    pub table: Option<StTable>,
}

/// The mode that a name states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StMode {
    /// `row`.
    Row,
    /// `elem`: one row of elements.
    Elem,
    /// `elem2d`.
    Elem2d,
}

/// The index pattern that a name states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StPattern {
    /// `random`.
    Random,
    /// `same`.
    Same,
    /// `seq`.
    Seq,
    /// `no_dup`.
    NoDup,
}

/// The table size that a name states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StTable {
    /// `64rows`.
    Rows(u64),
    /// `256size`: elements.
    Size(u64),
    /// `2blk`: fractal blocks.
    Blocks(u64),
    /// `3x10`: rows and columns.
    Grid(Extents),
}

/// Reads the name of a test of MSCATTER or MGATHER.
///
/// # Errors
/// Says which part does not fit the grammar.
pub fn parse(name: &str) -> Result<TableName, NotAnStName> {
    let fail = |why: String| Err(NotAnStName(why));
    let Some(rest) = name.strip_prefix("case_") else {
        return fail("it does not start with `case_`".to_owned());
    };
    let mut words = rest.split('_').peekable();
    let mode = match words.next() {
        Some("row") => StMode::Row,
        Some("elem") => StMode::Elem,
        Some("elem2d") => StMode::Elem2d,
        other => return fail(format!("`{}` is no mode", other.unwrap_or_default())),
    };
    let mut found = Found::default();
    while let Some(word) = words.next() {
        let next = words.peek().copied();
        let fits = match (word, next) {
            ("atomic", Some("add")) => {
                words.next();
                once(&mut found.atomic, ScatterAtomicOp::Add)
            }
            ("no", Some("dup")) => {
                words.next();
                once(&mut found.pattern, StPattern::NoDup)
            }
            ("dyn", Some("user")) => {
                words.next();
                found.remarks.push("user");
                once(&mut found.dynamic, ())
            }
            ("in", Some(size)) => {
                words.next();
                match extents(size) {
                    Some(padded) => found.valid.is_some() && once(&mut found.padded, padded),
                    None => return fail(format!("`in_{size}` is no padded size")),
                }
            }
            _ => found.word(word),
        };
        if !fits {
            return fail(format!("`{word}` is unknown, or given twice"));
        }
    }
    let Some(dtype) = found.dtype else {
        return fail("it has no dtype".to_owned());
    };
    let Some(valid) = found.valid else {
        return fail("it has no size".to_owned());
    };
    Ok(TableName {
        mode,
        dtype,
        simt: found.simt.is_some(),
        nz: found.nz.is_some(),
        colidx: found.colidx.is_some(),
        dynamic: found.dynamic.is_some(),
        scalar: found.scalar.is_some(),
        remarks: found.remarks,
        oob: found.oob,
        conflict: found.conflict,
        atomic: found.atomic,
        pattern: found.pattern,
        valid,
        padded: found.padded,
        table: found.table,
    })
}

/// What was found so far; nothing may be found twice.
#[derive(Default)]
struct Found {
    dtype: Option<DType>,
    simt: Option<()>,
    nz: Option<()>,
    colidx: Option<()>,
    dynamic: Option<()>,
    scalar: Option<()>,
    remarks: Vec<&'static str>,
    oob: Option<&'static str>,
    conflict: Option<ScatterConflict>,
    atomic: Option<ScatterAtomicOp>,
    pattern: Option<StPattern>,
    valid: Option<Extents>,
    padded: Option<Extents>,
    table: Option<StTable>,
}

impl Found {
    /// Takes a word that stands alone; whether it is known and new.
    fn word(&mut self, word: &str) -> bool {
        match word {
            "simt" => once(&mut self.simt, ()),
            "nz" => once(&mut self.nz, ()),
            "colidx" => once(&mut self.colidx, ()),
            "dyn" => once(&mut self.dynamic, ()),
            "scalar" => once(&mut self.scalar, ()),
            "unaligned" => self.remark("unaligned"),
            "partial" => self.remark("partial"),
            "small" => self.remark("small"),
            "clamp" => once(&mut self.oob, "Clamp"),
            "wrap" => once(&mut self.oob, "Wrap"),
            "skip" => once(&mut self.oob, "Skip"),
            "zero" => once(&mut self.oob, "Zero"),
            "last" => once(&mut self.conflict, ScatterConflict::Last),
            "default" => once(&mut self.conflict, ScatterConflict::Default),
            "atomicadd" => once(&mut self.atomic, ScatterAtomicOp::Add),
            "atomicmax" => once(&mut self.atomic, ScatterAtomicOp::Max),
            "atomicmin" => once(&mut self.atomic, ScatterAtomicOp::Min),
            "random" => once(&mut self.pattern, StPattern::Random),
            "same" => once(&mut self.pattern, StPattern::Same),
            "seq" => once(&mut self.pattern, StPattern::Seq),
            _ => match dtype(word) {
                Some(dtype) => once(&mut self.dtype, dtype),
                None => self.size(word),
            },
        }
    }

    fn remark(&mut self, remark: &'static str) -> bool {
        let new = !self.remarks.contains(&remark);
        self.remarks.push(remark);
        new
    }

    /// The first size is the tile's, the second the table's.
    fn size(&mut self, word: &str) -> bool {
        if self.valid.is_none() {
            let size = extents(word).or_else(|| number(word).map(|n| (1, n)));
            return size.is_some_and(|size| once(&mut self.valid, size));
        }
        let end = word
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(word.len());
        let table = match (number(&word[..end]), &word[end..]) {
            (Some(n), "rows") => StTable::Rows(n),
            (Some(n), "size") => StTable::Size(n),
            (Some(n), "blk") => StTable::Blocks(n),
            _ => match extents(word) {
                Some(grid) => StTable::Grid(grid),
                None => return false,
            },
        };
        once(&mut self.table, table)
    }
}

/// Fills `slot`; whether it was empty.
fn once<T>(slot: &mut Option<T>, value: T) -> bool {
    slot.replace(value).is_none()
}
