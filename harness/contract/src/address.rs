//! Where the numbers that indices lead to stand in the table.

use std::array;

use ptodiff_isa::{
    BurstTail, Clause, GlobalTensor, Layout, OuterStrides, PaddedElem, Readings, RowPitch, Target,
    Tile,
};

use crate::{
    coord::{NzTable, block_cols, saturated},
    strides::{contiguous, outer_packed, rows_packed},
};

/// A number split over dimensions, the last one fastest, whose strides count.
///
/// Divisions truncate, so a negative number leads before the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split<const N: usize> {
    extent: [i64; N],
    stride: [i64; N],
}

impl<const N: usize> Split<N> {
    /// Over the first `N` dimensions of `table`.
    fn of(table: &GlobalTensor) -> Self {
        Self {
            extent: array::from_fn(|d| saturated(table.shape[d].get()).max(1)),
            stride: array::from_fn(|d| saturated(table.stride[d].get())),
        }
    }

    fn at(&self, number: i64) -> i64 {
        let mut rest = number;
        let mut at = 0_i64;
        for d in (0..N).rev() {
            // The outermost dimension takes all that is left.
            let digit = if d == 0 { rest } else { rest % self.extent[d] };
            at = at.saturating_add(digit.saturating_mul(self.stride[d]));
            rest /= self.extent[d];
        }
        at
    }
}

/// Where the elements of a table stand in Elem mode.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Elements {
    /// The slot is the number (MSCATTER-INDEX-03, MGATHER-INDEX-02).
    Flat,
    /// In blocks.
    Nz(NzTable),
    /// By the strides (MSCATTER-GAP-18, MGATHER-GAP-07).
    Split(Split<5>),
}

impl Elements {
    /// Those of `table` on `target`.
    pub(crate) fn of(table: &GlobalTensor, target: Target, readings: &Readings) -> Self {
        match NzTable::of(table) {
            Some(nz) => Self::Nz(nz),
            None if target == Target::A2a3 && strided(table, readings) => {
                Self::Split(Split::of(table))
            }
            None => Self::Flat,
        }
    }

    /// Element offset of element `number`.
    pub(crate) fn at(&self, number: i64) -> i64 {
        match self {
            Self::Flat => number,
            Self::Nz(nz) => nz.linear(number),
            Self::Split(split) => split.at(number),
        }
    }
}

/// Whether the strides of `table` count on A2/A3 in Elem mode, and there alone.
pub(crate) fn strided(table: &GlobalTensor, readings: &Readings) -> bool {
    let padded = table.layout == Layout::ND && !contiguous(table);
    padded && readings.padded_elem == PaddedElem::Strided
}

/// Whether A5 accepts `table` in Row mode and takes its rows for `data`'s
/// ValidCol apart, though shape or strides say otherwise (MSCATTER-GAP-13, -14,
/// MGATHER-GAP-09).
pub(crate) fn repitched(table: &GlobalTensor, data: &Tile, readings: &Readings) -> bool {
    let valid = data.valid_col.get();
    let as_told = table.shape[4].get() == valid && rows_packed(table, valid);
    let nd = table.layout == Layout::ND;
    readings.row_pitch == RowPitch::ValidCols && nd && !seen_apart(table, data) && !as_told
}

/// Whether a check of A5 sees a width of `table` other than that of `data`.
pub(crate) fn seen_apart(table: &GlobalTensor, data: &Tile) -> bool {
    let (width, valid) = (table.shape[4].known(), data.valid_col.known());
    width.zip(valid).is_some_and(|(w, v)| w != v)
}

#[derive(Clone, Copy, Debug)]
enum Start {
    Pitch(i64),
    Split(Split<4>),
}

/// Where the row that an index leads to stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RowPlace {
    /// All that is moved lies in the table, from this element on.
    Inside(i64),
    /// It does not, by the reading of negative indices alone.
    Outside,
    /// Some of it does, by that reading: the rows are fewer elements apart than they have.
    Astride,
    /// It does not, which breaks the precondition.
    Beyond(Clause),
}

/// The rows of an ND table, as Row mode moves them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    start: Start,
    cols: i64,
    /// Columns that one transfer writes, those of the tile's padding included.
    burst: i64,
    /// The precondition of a row past the table's end, where the call may have such rows.
    pub(crate) beyond: Option<Clause>,
}

impl Rows {
    /// Rows of `cols` columns, `pitch` apart.
    pub(crate) fn apart(pitch: u64, cols: u64) -> Self {
        let cols = saturated(cols);
        Self {
            start: Start::Pitch(saturated(pitch)),
            cols,
            burst: cols,
            beyond: None,
        }
    }

    /// On A2/A3 `GetStride(DIM_3)` apart, unless the outer strides count too;
    /// `beyond` is the gap that they are (MSCATTER-GAP-16, MGATHER-GAP-06).
    pub(crate) fn a2a3(
        table: &GlobalTensor,
        cols: u64,
        readings: &Readings,
        beyond: Clause,
    ) -> Self {
        let mut rows = Self::apart(table.stride[3].get(), cols);
        if readings.outer_strides == OuterStrides::Split && !outer_packed(table) {
            rows.start = Start::Split(Split::of(table));
        }
        rows.beyond = (readings.outer_strides != OuterStrides::Precondition).then_some(beyond);
        rows
    }

    /// On A5 ValidCol apart, whatever the table says; `beyond` is the gap that
    /// this is.
    pub(crate) fn a5(cols: u64, readings: &Readings, beyond: Clause) -> Self {
        Self {
            beyond: (readings.row_pitch == RowPitch::ValidCols).then_some(beyond),
            ..Self::apart(cols, cols)
        }
    }

    /// The same, moved in bursts of elements of `size` bytes, whose last 32
    /// bytes may be filled up (MSCATTER-GAP-28).
    pub(crate) fn in_bursts(self, size: usize, readings: &Readings) -> Self {
        let burst = match readings.burst_tail {
            BurstTail::Rounded => {
                let cols = self.cols.cast_unsigned();
                saturated(cols.next_multiple_of(block_cols(size) as u64))
            }
            BurstTail::Exact | BurstTail::Precondition => self.cols,
        };
        Self { burst, ..self }
    }

    /// Elements from one row to the next, where rows do not share elements.
    pub(crate) fn pitch(&self) -> Option<usize> {
        match self.start {
            Start::Pitch(pitch) if self.burst == self.cols => {
                Some(usize::try_from(pitch).unwrap_or(usize::MAX))
            }
            Start::Pitch(_) | Start::Split(_) => None,
        }
    }

    /// Columns that one transfer writes.
    pub(crate) fn burst(&self) -> usize {
        usize::try_from(self.burst).unwrap_or(usize::MAX)
    }

    /// Whether transfers write more than the valid columns.
    pub(crate) fn has_tail(&self) -> bool {
        self.burst > self.cols
    }

    /// Element offset of row `number`.
    pub(crate) fn at(&self, number: i64) -> i64 {
        match &self.start {
            Start::Pitch(pitch) => number.saturating_mul(*pitch),
            Start::Split(split) => split.at(number),
        }
    }

    /// Where row `number` stands in a table of `span` elements.
    pub(crate) fn place(&self, number: i64, span: i64) -> RowPlace {
        let at = self.at(number);
        match self.beyond {
            _ if number >= 0 && within(at, self.burst, span) => RowPlace::Inside(at),
            Some(clause) if number >= 0 && !within(at, self.cols, span) => RowPlace::Beyond(clause),
            _ if self.has_tail() => RowPlace::Beyond(Clause("MSCATTER-GAP-28")),
            _ if at < span && at.saturating_add(self.burst) > 0 => RowPlace::Astride,
            _ => RowPlace::Outside,
        }
    }
}

/// Whether `len` elements from `at` on are among the first `span`.
const fn within(at: i64, len: i64, span: i64) -> bool {
    at >= 0 && at.saturating_add(len) <= span
}

#[cfg(test)]
mod tests {
    use ptodiff_isa::{DType, Dim};

    use super::*;

    /// Shape<1,1,2,3,8> with rows 10 and matrices 64 apart.
    fn table() -> GlobalTensor {
        GlobalTensor {
            dtype: DType::Float,
            shape: [1, 1, 2, 3, 8].map(Dim::Static),
            stride: [128, 128, 64, 10, 1].map(Dim::Static),
            layout: Layout::ND,
        }
    }

    #[test]
    fn rows_that_leave_the_table_break_the_duty_of_their_gap() {
        let gap = Clause("MSCATTER-GAP-16");
        let ignored = Readings {
            outer_strides: OuterStrides::Ignored,
            ..Readings::default()
        };
        // Rows of five columns 10 apart in 45 elements: row 4 is the last.
        let rows = Rows::a2a3(&table(), 5, &ignored, gap);
        let places = [4, 5, -1].map(|n| rows.place(n, 45));
        let [inside, precondition] = [RowPlace::Inside(40), RowPlace::Beyond(gap)];
        assert_eq!(places, [inside, precondition, RowPlace::Outside]);
        // Of one row nobody asks how far the next would be.
        for (pitch, number, place) in [
            (0, -2, RowPlace::Astride),
            (3, -1, RowPlace::Astride),
            (3, -2, RowPlace::Outside),
            (5, -1, RowPlace::Outside),
        ] {
            assert_eq!(Rows::apart(pitch, 5).place(number, 5), place, "{pitch}");
        }
        // MSCATTER-GAP-28 (b): eight floats a burst, so row 4 leaves too.
        let rounded = Readings {
            burst_tail: BurstTail::Rounded,
            ..ignored
        };
        let rows = rows.in_bursts(4, &rounded);
        let places = [3, 4, 5, -1].map(|n| rows.place(n, 45));
        let tail = RowPlace::Beyond(Clause("MSCATTER-GAP-28"));
        assert_eq!(places, [RowPlace::Inside(30), tail, precondition, tail]);
    }
}
