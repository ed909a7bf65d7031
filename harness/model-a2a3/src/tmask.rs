//! TSCATTER by mask: an A5 form that A2/A3 has only where the suites drive it
//! (TSCATTER-GAP-09).

use ptodiff_isa::{
    Fault, MaskAxis, MaskPadding, MaskPattern, Memory, Readings, Role, Scope, Space, TscatterMask,
};

use crate::{
    extent::tile_bytes,
    flat::Flat,
    operands::ports,
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
pub(crate) fn run<L: Scribe>(
    call: &TscatterMask,
    memory: &mut Memory,
    readings: &Readings,
    log: &mut L,
) -> Result<(), Fault> {
    if readings.scope == Scope::Documented || call.axis == MaskAxis::Col {
        return Err(Fault(format!("no mask form along {}", call.axis)));
    }
    let [dst, src] = ports(memory, [Role::Destination, Role::Source])?;
    let mut task = Task {
        call,
        kept: call.pattern == MaskPattern::P1111
            && readings.mask_p1111_padding == MaskPadding::Kept,
        dst,
        src: src.view(),
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
        let TscatterMask { dst, src, .. } = self.call;
        if !self.kept {
            clear(&mut self.dst, tile_bytes::<W>(dst), log);
        }
        let (factor, lane) = lanes(self.call.pattern);
        let (values, slots) = (Flat::new(src, W), Flat::new(dst, W));
        for row in 0..src.valid_row.get() {
            for col in 0..src.valid_col.get() {
                let at = values.at(row, col);
                log.load(Space::Ub, Role::Source, at, W);
                let value: [u8; W] = self.src.load(at, log);
                let to = slots.at(row, col.saturating_mul(factor).saturating_add(lane));
                log.store(Space::Ub, Role::Destination, to, W);
                self.dst.store(to, value, log);
            }
        }
    }
}
