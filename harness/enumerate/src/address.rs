//! What an index may name in a table, counted through in the order of its numbers.

use std::ops::Range;

use ptodiff_isa::{GlobalTensor, Layout, PaddedElem, Readings, Target};

use crate::{ELEMENTS, out::Stop};

/// The rows, or elements, that have a number: element offsets from the table's first.
pub(crate) struct Named {
    /// How many there are.
    count: usize,
    /// Elements of one: the columns of a row, or 1.
    width: usize,
    at: Vec<u64>,
    /// Whether what has a negative number lies before the table.
    precedes: bool,
}

impl Named {
    /// How many there are: the capacity.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The elements of number `n`.
    pub(crate) fn places(&self, n: usize) -> &[u64] {
        &self.at[n * self.width..][..self.width]
    }

    /// Fails where a negative number may lie in the table after all.
    pub(crate) fn precede(&self) -> Result<(), Stop> {
        if self.precedes {
            Ok(())
        } else {
            Err(Stop::NotCovered("where a negative row lies is not told"))
        }
    }

    /// `count` rows of `width` elements, `pitch` apart.
    pub(crate) fn rows_apart(count: usize, pitch: u64, width: usize) -> Result<Self, Stop> {
        let mut starts = Vec::with_capacity(count);
        let mut start = 0_u64;
        for _ in 0..count {
            starts.push(start);
            start = start.saturating_add(pitch);
        }
        let mut rows = Self::rows(&starts, width)?;
        rows.precedes = width as u64 <= pitch;
        Ok(rows)
    }

    /// `count` rows: these, and others that lie nowhere in the table.
    pub(crate) fn padded_to(mut self, count: usize) -> Result<Self, Stop> {
        if count.saturating_mul(self.width) > ELEMENTS {
            return Err(Stop::TooLarge);
        }
        self.at.resize(count * self.width, u64::MAX);
        self.count = count;
        Ok(self)
    }

    /// Rows of `width` elements from these places on.
    pub(crate) fn rows(starts: &[u64], width: usize) -> Result<Self, Stop> {
        if starts.len().saturating_mul(width) > ELEMENTS {
            return Err(Stop::TooLarge);
        }
        let row = |&start: &u64| (0..width as u64).map(move |c| start.saturating_add(c));
        let at = starts.iter().flat_map(row).collect();
        Ok(Self {
            // Rows without columns are rows.
            count: starts.len(),
            width,
            at,
            precedes: false,
        })
    }

    /// `count` elements one after the other.
    pub(crate) fn flat(count: usize) -> Self {
        Self {
            count,
            width: 1,
            at: (0..count as u64).collect(),
            precedes: true,
        }
    }

    /// The elements of `table`, numbered row by row, at these places.
    fn elements(table: &GlobalTensor, at: Vec<u64>) -> Self {
        Self {
            count: at.len(),
            width: 1,
            at,
            // A negative number is split into negative parts.
            precedes: table.stride.iter().all(|stride| stride.get() > 0),
        }
    }

    /// The elements of `table` that an index may name in Elem mode of MSCATTER
    /// and of MGATHER to UB.
    pub(crate) fn elements_of(
        table: &GlobalTensor,
        target: Target,
        readings: &Readings,
    ) -> Result<Self, Stop> {
        let a2a3 = target == Target::A2a3;
        if a2a3 && table.layout == Layout::NZ {
            return Self::nz(table, false);
        }
        if a2a3 && readings.padded_elem == PaddedElem::Strided {
            return Ok(Self::elements(table, strided(table, 0..5)?));
        }
        Ok(Self::flat(count(table, 0..5)?))
    }

    /// The logical rows of an NZ table, or its elements row by row. Batches lie
    /// outside of blocks (MSCATTER-GAP-25, MGATHER-GAP-22).
    pub(crate) fn nz(table: &GlobalTensor, by_row: bool) -> Result<Self, Stop> {
        count(table, 0..5)?;
        let across = strided(table, 0..2)?;
        let cols = table.shape[4].get();
        let mut at = Vec::new();
        let rows = strided(table, 2..4)?;
        for down in &rows {
            for block in &across {
                let start = down.saturating_add(*block);
                at.extend((0..cols).map(|c| start.saturating_add(c)));
            }
        }
        if !by_row {
            return Ok(Self::elements(table, at));
        }
        Ok(Self {
            count: rows.len(),
            width: across.len().saturating_mul(cols as usize),
            at,
            // Its blocks but the first lie after others.
            precedes: false,
        })
    }
}

/// The places of these dimensions of `tensor`, its strides counted in, the
/// last dimension running fastest.
pub(crate) fn strided(tensor: &GlobalTensor, dims: Range<usize>) -> Result<Vec<u64>, Stop> {
    let mut all = vec![0_u64];
    for dim in dims {
        let (extent, stride) = (tensor.shape[dim].get(), tensor.stride[dim].get());
        if extent.saturating_mul(all.len() as u64) > ELEMENTS as u64 {
            return Err(Stop::TooLarge);
        }
        let mut next = Vec::new();
        for mut at in all {
            for _ in 0..extent {
                next.push(at);
                at = at.saturating_add(stride);
            }
        }
        all = next;
    }
    Ok(all)
}

/// How many positions these dimensions of `tensor` have.
pub(crate) fn count(tensor: &GlobalTensor, dims: Range<usize>) -> Result<usize, Stop> {
    let mut all = 1_u64;
    for dim in &tensor.shape[dims] {
        all = all.saturating_mul(dim.get());
        if all > ELEMENTS as u64 {
            return Err(Stop::TooLarge);
        }
    }
    Ok(all as usize)
}
