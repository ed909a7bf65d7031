//! TSCATTER by index: scalar stores into a tile, one an element.

use ptodiff_isa::{
    Event, Fault, Memory, NegativeIndex, Readings, Role, ScatterExtent, Space, Tile, TscatterIndex,
    Unaddressed,
};

use crate::{
    extent::tile_bytes,
    flat::{self, Flat},
    groups::pairs,
    operands::regions,
    port::{Port, View, slot_offset},
    scribe::Scribe,
};

/// Runs one TSCATTER by index in place on `memory` (002, A2/A3).
///
/// # Errors
/// If the memory lacks an operand or no kernel exists for the dtypes.
#[inline(never)]
pub(crate) fn run<L: Scribe>(
    call: &TscatterIndex,
    memory: &mut Memory,
    readings: &Readings,
    log: &mut L,
) -> Result<(), Fault> {
    let [dst, src, idx] = regions(memory, [Role::Destination, Role::Source, Role::Index])?;
    let mut task = Task {
        call,
        readings,
        dst: Port::new(dst),
        src: View::new(src),
        idx: View::new(idx),
    };
    match call.dst.dtype.size() {
        1 => task.sized::<1, L>(log),
        2 => task.sized::<2, L>(log),
        4 => task.sized::<4, L>(log),
        _ => task.sized::<8, L>(log),
    }
}

/// Notes that the first `bytes` of the destination become zero, and zeroes them.
pub(crate) fn clear(dst: &mut Port<'_>, bytes: usize, log: &mut impl Scribe) {
    log.note(|| Event::Fill {
        name: None,
        space: Space::Ub,
        role: Role::Destination,
        offset: 0,
        len: bytes as u64,
    });
    dst.clear(bytes, log);
}

struct Task<'t> {
    call: &'t TscatterIndex,
    readings: &'t Readings,
    dst: Port<'t>,
    src: View<'t>,
    idx: View<'t>,
}

impl Task<'_> {
    fn sized<const W: usize, L: Scribe>(&mut self, log: &mut L) -> Result<(), Fault> {
        let dtype = self.call.idx.dtype;
        if !dtype.is_integer() {
            return Err(Fault(format!("no kernel reads indices of {dtype}")));
        }
        match dtype.size() {
            2 => self.body::<W, 2, L>(log),
            4 => self.body::<W, 4, L>(log),
            _ => return Err(Fault(format!("no kernel reads indices of {dtype}"))),
        }
        Ok(())
    }

    /// One order of the hardware's: increasing (r, c) (TSCATTER-CONF-02). No
    /// index is checked (TSCATTER-OOB-01).
    fn body<const W: usize, const I: usize, L: Scribe>(&mut self, log: &mut L) {
        let TscatterIndex { dst, src, idx } = self.call;
        // Undefined lets such slots hold anything: what they held.
        if self.readings.tscatter_unaddressed == Unaddressed::Zero {
            clear(&mut self.dst, tile_bytes::<W>(dst), log);
        }
        let extent: &Tile = match self.readings.tscatter_extent {
            ScatterExtent::Source => src,
            ScatterExtent::Index => idx,
        };
        let sign = self.sign::<I>();
        let (values, indices) = (Flat::new(src, W), Flat::new(idx, I));
        let (rows, cols) = (extent.valid_row.get(), extent.valid_col.get());
        let (rows, cols) = flat::extents(rows, cols, [&values, &indices]);
        let mut dst = self.dst.again();
        for row in 0..rows {
            // Tiles are seldom left; their bounds are checked once a row then.
            let index_line = indices.line(&self.idx, row, cols);
            let value_line = values.line(&self.src, row, cols);
            if let (Some(index_line), Some(value_line)) = (index_line, value_line) {
                let (index_line, _) = index_line.as_chunks::<I>();
                let (value_line, _) = value_line.as_chunks::<W>();
                let done = if L::TRACES || sign != 0 {
                    0
                } else {
                    let (cells, _) = dst.body().as_chunks_mut::<W>();
                    pairs(index_line, value_line, |bits, value| {
                        *cells.get_mut(decode(bits, 0) as usize)? = value;
                        Some(())
                    })
                };
                let elements = (0..).zip(index_line.iter().zip(value_line));
                for (col, (&bits, &value)) in elements.skip(done) {
                    log.load(Space::Ub, Role::Index, indices.at(row, col), I);
                    log.load(Space::Ub, Role::Source, values.at(row, col), W);
                    put(&mut dst, decode(bits, sign), value, log);
                }
            } else {
                for col in 0..cols {
                    let at = indices.at(row, col);
                    log.load(Space::Ub, Role::Index, at, I);
                    let index = decode::<I>(self.idx.load(at, log), sign);
                    let at = values.at(row, col);
                    log.load(Space::Ub, Role::Source, at, W);
                    put::<W>(&mut dst, index, self.src.load(at, log), log);
                }
            }
        }
    }

    /// Sign bit to be extended, or none (reading of TSCATTER-GAP-06).
    fn sign<const I: usize>(&self) -> i64 {
        let literal = self.readings.negative_index == NegativeIndex::Unsigned;
        if literal || !self.call.idx.dtype.is_signed_integer() {
            0
        } else {
            1 << (8 * I - 1)
        }
    }
}

/// Stores an element in the slot that `index` counts to.
#[inline(always)]
fn put<const W: usize>(dst: &mut Port<'_>, index: i64, value: [u8; W], log: &mut impl Scribe) {
    log.store(Space::Ub, Role::Destination, slot_offset::<W>(index), W);
    dst.store_slot(index, value, log);
}

/// The index in at most four bytes, negative only if `sign` is a bit of it.
#[inline(always)]
fn decode<const I: usize>(bytes: [u8; I], sign: i64) -> i64 {
    let mut wide = [0; 8];
    wide[..I].copy_from_slice(&bytes);
    (i64::from_le_bytes(wide) ^ sign) - sign
}
