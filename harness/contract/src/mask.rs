//! What may stand in the destination after TSCATTER by mask.

use ptodiff_isa::{Clause, MaskAxis, MaskPadding, MaskPattern, Role, Target, TscatterMask};

use crate::{
    coord::{Plane, all},
    operands::Steps,
    piece::Piece,
    runs::{Runs, Why},
    written::{Said, Written},
};

/// Where CPU and A2/A3 have the mask form.
pub(crate) const SUITE: Clause = Clause("TSCATTER-GAP-09");

/// Lanes of a group (TSCATTER-MASK-02), and the one that takes the source element
/// (TSCATTER-MASK-03 to -09).
pub(crate) const fn group(pattern: MaskPattern) -> (usize, usize) {
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

/// Where source position (i, j) goes (TSCATTER-MASK-01).
pub(crate) const fn goes_to(call: &TscatterMask, i: usize, j: usize) -> (usize, usize) {
    let (factor, lane) = group(call.pattern);
    match call.axis {
        MaskAxis::Row => (i, factor * j + lane),
        MaskAxis::Col => (factor * i + lane, j),
    }
}

/// Why the groups of the destination hold what they hold, and why its padding does.
pub(crate) const fn clauses(call: &TscatterMask, target: Target) -> [&'static str; 2] {
    match (target, call.pattern) {
        (Target::Cpu | Target::A2a3, _) => [SUITE.0; 2],
        (Target::A5, MaskPattern::P1111) => ["TSCATTER-MASK-09", "TSCATTER-GAP-13"],
        (Target::A5, _) => ["TSCATTER-MASK-01", "TSCATTER-MASK-11"],
    }
}

/// Fills `runs` for the destination.
pub(crate) fn permits(call: &TscatterMask, steps: &Steps<'_>, runs: &mut Runs) -> Said {
    let (target, readings) = (steps.target, steps.readings);
    let src = Plane::of(&call.src)?;
    let dst = Plane::of(&call.dst)?;
    let size = call.dst.dtype.size();
    let len = dst.elems.checked_mul(size)?;
    steps.loaded(Role::Destination, len)?;
    let source = steps.loaded(Role::Source, src.elems.checked_mul(size)?)?;
    let whole = call.pattern == MaskPattern::P1111;
    let [groups, untouched] = clauses(call, target).map(Why::by);
    let padding = match (target, whole, readings.mask_p1111_padding) {
        // Where the CPU has the form, it promises nothing of padding.
        (Target::Cpu, ..) => Piece::Open(Why::open(SUITE)),
        (_, true, MaskPadding::Kept) => Piece::Kept,
        _ => Piece::Zero(untouched),
    };
    // Lanes that no source element goes to are zero.
    let mut image = vec![0; len];
    for (i, j) in all([src.rows, src.cols]) {
        let (r, c) = goes_to(call, i, j);
        let (from, to) = (src.at(i, j) * size, dst.at(r, c) * size);
        image[to..to + size].copy_from_slice(&source[from..from + size]);
    }
    dst.each_stored(|_, _, at| {
        let at = at * size;
        runs.exactly(at, &image[at..at + size], groups);
    });
    dst.each_gap(|at, elems| padding.put(runs, at * size, elems * size));
    Some(Written::default())
}
