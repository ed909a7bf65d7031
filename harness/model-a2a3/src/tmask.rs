//! TSCATTER by mask: an A5 form that A2/A3 has only where the suites drive it
//! (TSCATTER-GAP-09).

use ptodiff_isa::{
    Fault, MaskAxis, MaskPadding, MaskPattern, Memory, Readings, Role, Scope, Space, TscatterMask,
};

use crate::{
    extent::tile_bytes,
    flat::{self, Flat},
    operands::regions,
    port::{Port, View},
    scribe::Scribe,
    tscatter::clear,
};

/// How wide the groups are and which lane of each is written (TSCATTER-MASK-02 to -09).
pub(crate) const fn lanes(pattern: MaskPattern) -> (u64, u64) {
    match pattern {
        MaskPattern::P1111 => (1, 0),
        MaskPattern::P0101 => (2, 0),
        MaskPattern::P1010 => (2, 1),
        MaskPattern::P0001 => (4, 0),
        MaskPattern::P0010 => (4, 1),
        MaskPattern::P0100 => (4, 2),
        MaskPattern::P1000 => (4, 3),
    }
}

/// Runs one TSCATTER by mask along the columns, in place on `memory` (002,
/// Mask Scatter).
///
/// # Errors
/// If the memory lacks an operand, the reading of TSCATTER-GAP-09 gives A2/A3
/// no mask form, or the axis is that of the rows.
#[inline(never)]
pub(crate) fn run<L: Scribe>(
    call: &TscatterMask,
    memory: &mut Memory,
    readings: &Readings,
    log: &mut L,
) -> Result<(), Fault> {
    if readings.scope == Scope::Documented || call.axis == MaskAxis::Col {
        return Err(Fault(format!("no mask form along {}", call.axis)));
    }
    let [dst, src] = regions(memory, [Role::Destination, Role::Source])?;
    let mut task = Task {
        call,
        kept: call.pattern == MaskPattern::P1111
            && readings.mask_p1111_padding == MaskPadding::Kept,
        dst: Port::new(dst),
        src: View::new(src),
    };
    match call.dst.dtype.size() {
        1 => task.body::<1, L>(log),
        2 => task.body::<2, L>(log),
        4 => task.body::<4, L>(log),
        _ => task.body::<8, L>(log),
    }
    Ok(())
}

struct Task<'t> {
    call: &'t TscatterMask,
    /// Whether the destination is not zeroed first (TSCATTER-GAP-13).
    kept: bool,
    dst: Port<'t>,
    src: View<'t>,
}

impl Task<'_> {
    /// Zeroes the whole allocation, then writes a lane of each group
    /// (TSCATTER-MASK-01, -11).
    fn body<const W: usize, L: Scribe>(&mut self, log: &mut L) {
        if !self.kept {
            clear(&mut self.dst, tile_bytes::<W>(&self.call.dst), log);
        }
        let (factor, lane) = lanes(self.call.pattern);
        match factor {
            1 => self.groups::<W, 1, L>(lane, log),
            2 => self.groups::<W, 2, L>(lane, log),
            _ => self.groups::<W, 4, L>(lane, log),
        }
    }

    /// Writes lane `lane` of each group of `F`.
    fn groups<const W: usize, const F: usize, L: Scribe>(&mut self, lane: u64, log: &mut L) {
        let TscatterMask { dst, src, .. } = self.call;
        let (values, slots) = (Flat::new(src, W), Flat::new(dst, W));
        let groups = slots.grouped(F);
        let (rows, cols) = (src.valid_row.get(), src.valid_col.get());
        let (rows, cols) = flat::extents(rows, cols, [&values, &groups]);
        let slot_of = |col: u64| col.saturating_mul(F as u64).saturating_add(lane);
        for row in 0..rows {
            // Tiles are seldom left; their bounds are checked once a row then.
            let value_line = values.line(&self.src, row, cols);
            let group_line = groups.line_mut(&mut self.dst, row, cols);
            if let (Some(value_line), Some(group_line)) = (value_line, group_line) {
                let (value_line, _) = value_line.as_chunks::<W>();
                let (group_line, _) = group_line.as_chunks_mut::<W>();
                let (group_line, _) = group_line.as_chunks_mut::<F>();
                for (col, (&value, group)) in (0..).zip(value_line.iter().zip(group_line)) {
                    log.load(Space::Ub, Role::Source, values.at(row, col), W);
                    let to = slots.at(row, slot_of(col));
                    log.store(Space::Ub, Role::Destination, to, W);
                    group[lane as usize % F] = value;
                }
            } else {
                for col in 0..cols {
                    let at = values.at(row, col);
                    log.load(Space::Ub, Role::Source, at, W);
                    let value: [u8; W] = self.src.load(at, log);
                    let to = slots.at(row, slot_of(col));
                    log.store(Space::Ub, Role::Destination, to, W);
                    self.dst.store(to, value, log);
                }
            }
        }
    }
}
