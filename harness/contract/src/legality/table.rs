//! Constraints on the table in GM.

use ptodiff_isa::{
    Coalesce, CpuPaddedTable, GlobalTensor, Layout, Mscatter, NarrowRow, Readings, Tile,
};

use super::findings::{Cited, Findings};
use crate::strides::{contiguous, extents, outer_packed, reach, rows_apart, rows_packed, strides};

pub(super) mod a2a3;
pub(super) mod a5;

pub(super) fn described(table: &GlobalTensor) -> String {
    let (shape, strides) = (extents(table), strides(table));
    format!(
        "{} table, shape {shape:?}, strides {strides:?}",
        table.layout
    )
}

/// What is wrong with `table`, and what it is.
pub(super) fn wrong(what: &str, table: &GlobalTensor) -> String {
    format!("{what}: {}", described(table))
}

/// What a rule wants of a tensor, and what is wrong where that is not so.
pub(super) type Wanted = (fn(&GlobalTensor) -> bool, &'static str);

pub(super) const ND: Wanted = (|t| t.layout == Layout::ND, "the layout is not ND");
pub(super) const ONE_MATRIX: Wanted = (|t| extents(t)[..3] == [1; 3], "more than one matrix");
pub(super) const SIDE_BY_SIDE: Wanted = (contiguous, "elements do not stand side by side");
pub(super) const OUTER_PACKED: Wanted = (
    outer_packed,
    "outer dimensions do not go on at the pitch of rows",
);
pub(super) const ROWS_PACKED: Wanted = (
    |t| rows_packed(t, extents(t)[4]),
    "rows do not follow each other without a gap",
);

impl Findings {
    /// A precondition on a tensor.
    pub(super) fn tensor(&mut self, t: &GlobalTensor, (is, not): Wanted, clause: impl Cited) {
        self.precondition(is(t), clause, || wrong(not, t));
    }

    /// That the rows of a table are [`rows_apart`].
    pub(super) fn apart(&mut self, table: &GlobalTensor, clause: impl Cited) {
        self.precondition(rows_apart(table), clause, || {
            let [.., width] = extents(table);
            let [.., pitch, step] = strides(table);
            let what = match (width > 1 && step != 1, pitch < width) {
                (false, true) => "rows overlap",
                _ => "elements of a row do not stand side by side",
            };
            wrong(what, table)
        });
    }
}

/// The table has elements, and not more than can be addressed
/// (MSCATTER-GAP-02, -11, MGATHER-GAP-03, -04).
pub(super) fn not_empty(call: &Mscatter, found: &mut Findings) {
    let empty = ["MSCATTER-GAP-02", "MGATHER-GAP-03"];
    let large = ["MSCATTER-GAP-11", "MGATHER-GAP-04"];
    counted(&call.table, empty, large, found);
}

/// `table` has elements, else `empty` is broken, and not more than can be
/// addressed, else `large` is.
pub(super) fn counted<C: Cited>(table: &GlobalTensor, empty: C, large: C, found: &mut Findings) {
    if reach(table).is_some_and(|n| n < 1 << 60) {
        return;
    }
    let none = extents(table).contains(&0);
    let (clause, what) = match none {
        true => (empty, "no elements"),
        false => (large, "more elements than can be addressed"),
    };
    found.precondition(false, clause, || wrong(what, table));
}

/// That the rows of a table are not as wide as those of the tile.
pub(super) fn widths(tile: &Tile, table: &GlobalTensor) -> String {
    let (valid, [.., width]) = (tile.valid_col.get(), extents(table));
    let what = format!("ValidCol is {valid}, rows of the table have {width}");
    wrong(&what, table)
}

/// First revision: packed ND of one matrix, in Row mode with rows as wide as the tile's.
pub(super) fn first(call: &Mscatter, found: &mut Findings) {
    let table = &call.table;
    found.tensor(table, ND, "MSCATTER-TABLE-08");
    if call.mode == Coalesce::Row {
        let cols = call.src.cols;
        let packed = extents(table)[4] == cols && rows_packed(table, cols);
        found.precondition(packed, "MSCATTER0-GAP-08", || {
            wrong(&format!("rows are not {cols} wide and packed"), table)
        });
    } else {
        found.tensor(table, ONE_MATRIX, "MSCATTER0-GAP-04");
    }
}

/// CPU: ND, one matrix.
pub(super) fn cpu(call: &Mscatter, found: &mut Findings) {
    let table = &call.table;
    found.tensor(table, ND, ["MSCATTER-TABLE-02", "MGATHER-TABLE-02"]);
    found.tensor(table, ONE_MATRIX, ["MSCATTER-TABLE-03", "MGATHER-TABLE-03"]);
}

/// MGATHER Row on the CPU: rows that stand where they are looked for and are wide enough.
pub(super) fn cpu_gather_row(call: &Mscatter, readings: &Readings, found: &mut Findings) {
    let table = &call.table;
    if call.mode == Coalesce::Elem {
        return;
    }
    let clause = "MGATHER-GAP-08";
    match readings.cpu_padded_table {
        CpuPaddedTable::Precondition => found.tensor(table, ROWS_PACKED, clause),
        CpuPaddedTable::Strided => found.apart(table, clause),
    }
    let (valid, [.., width]) = (call.src.valid_col.get(), extents(table));
    let fits = valid == width || (valid < width && readings.narrow_row == NarrowRow::Partial);
    found.precondition(fits, "MGATHER-GAP-10", || widths(&call.src, table));
}
