//! Static checks that a dimension given at run time escapes.

use ptodiff_case::{Hole, HoleKind, HolePlace};
use ptodiff_isa::{Call, Clause, Dim, GlobalTensor, Model, TargetReadings, Tile};

use super::accepted;
use crate::party_run::PartyRun;

/// Which of a call's dimensions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Data,
    Index,
    Shape,
    Strides,
}

/// Each of them with the place that it is.
const PARTS: [(Part, HolePlace); 4] = [
    (Part::Data, HolePlace::DataExtents),
    (Part::Index, HolePlace::IndexExtents),
    (Part::Shape, HolePlace::TableShape),
    (Part::Strides, HolePlace::TableStrides),
];

/// Adds what each target that accepts `call` rejects once its dimensions are static.
pub(super) fn find(
    call: &Call,
    readings: &TargetReadings,
    models: &[&dyn Model],
    party_runs: &[PartyRun],
    all: &mut Vec<Hole>,
) {
    if !has_dynamic(call) {
        return;
    }
    let mut fixed = *call;
    if !make_static(&mut fixed, |_| true) {
        return;
    }
    for model in models {
        let target = model.target();
        let accepts =
            |a: &PartyRun| a.party.form.is_none() && a.party.target == target && accepted(a);
        if !party_runs.iter().any(accepts) {
            continue;
        }
        let rejected = |call: &Call| -> Vec<Clause> {
            let rejections = model.check(call, &readings[model.target()]).into_iter();
            rejections.map(|rejection| rejection.clause).collect()
        };
        for clause in rejected(&fixed) {
            let alone = |part: Part| {
                let mut one = *call;
                make_static(&mut one, |p| p == part) && rejected(&one).contains(&clause)
            };
            let part = PARTS.iter().find(|(part, _)| alone(*part));
            all.push(Hole {
                kind: HoleKind::StaticOnlyCheck,
                targets: vec![target],
                clauses: vec![clause],
                place: part.map_or(HolePlace::Several, |(_, place)| *place),
            });
        }
    }
}

/// Whether any dimension is given at run time: mostly none is, and the call need
/// not be copied.
fn has_dynamic(call: &Call) -> bool {
    let dynamic = |dim: &Dim| matches!(dim, Dim::Dynamic(_));
    let tile = |t: &Tile| dynamic(&t.valid_row) || dynamic(&t.valid_col);
    let table = |t: &GlobalTensor| t.shape.iter().chain(&t.stride).any(dynamic);
    match call {
        Call::Mscatter(c) => tile(&c.src) || tile(&c.idx) || table(&c.table),
        Call::MscatterFirst(c) => tile(&c.src) || tile(&c.idx) || table(&c.table),
        Call::Mgather(c) => tile(&c.dst) || tile(&c.idx) || table(&c.table),
        Call::MgatherL1(c) => {
            let tensors = [Some(&c.idx), Some(&c.table), c.scratch.as_ref()];
            tile(&c.dst) || tensors.into_iter().flatten().any(table)
        }
        Call::TscatterIndex(c) => tile(&c.dst) || tile(&c.src) || tile(&c.idx),
        Call::TscatterMask(c) => tile(&c.dst) || tile(&c.src),
        Call::Tgatherb(c) => tile(&c.dst) || tile(&c.src) || tile(&c.offset),
    }
}

/// Makes the dimensions of some parts of `call` static; whether that changes anything.
fn make_static(call: &mut Call, which: impl Fn(Part) -> bool) -> bool {
    let mut changed = false;
    each(call, &mut |part, dim| {
        // Most are static.
        let Dim::Dynamic(value) = *dim else { return };
        // A tensor of static extents has none that is 0.
        let may = part == Part::Data || value > 0;
        if may && which(part) {
            *dim = Dim::Static(value);
            changed = true;
        }
    });
    changed
}

fn each(call: &mut Call, f: &mut impl FnMut(Part, &mut Dim)) {
    // Written out for each operand of each call, these were a twentieth of the
    // code that a small case runs through: most time is spent fetching that.
    #[inline(never)]
    fn tile(part: Part, tile: &mut Tile, f: &mut impl FnMut(Part, &mut Dim)) {
        f(part, &mut tile.valid_row);
        f(part, &mut tile.valid_col);
    }
    #[inline(never)]
    fn table(tensor: &mut GlobalTensor, f: &mut impl FnMut(Part, &mut Dim)) {
        tensor.shape.iter_mut().for_each(|dim| f(Part::Shape, dim));
        let strides = tensor.stride.iter_mut();
        strides.for_each(|dim| f(Part::Strides, dim));
    }
    match call {
        Call::Mscatter(c) => {
            tile(Part::Data, &mut c.src, f);
            tile(Part::Index, &mut c.idx, f);
            table(&mut c.table, f);
        }
        Call::MscatterFirst(c) => {
            tile(Part::Data, &mut c.src, f);
            tile(Part::Index, &mut c.idx, f);
            table(&mut c.table, f);
        }
        Call::Mgather(c) => {
            tile(Part::Data, &mut c.dst, f);
            tile(Part::Index, &mut c.idx, f);
            table(&mut c.table, f);
        }
        Call::MgatherL1(c) => {
            tile(Part::Data, &mut c.dst, f);
            let dims = c.idx.shape.iter_mut().chain(&mut c.idx.stride);
            dims.for_each(|dim| f(Part::Index, dim));
            table(&mut c.table, f);
            c.scratch.iter_mut().for_each(|scratch| table(scratch, f));
        }
        Call::TscatterIndex(c) => {
            tile(Part::Data, &mut c.dst, f);
            tile(Part::Data, &mut c.src, f);
            tile(Part::Index, &mut c.idx, f);
        }
        Call::TscatterMask(c) => {
            tile(Part::Data, &mut c.dst, f);
            tile(Part::Data, &mut c.src, f);
        }
        Call::Tgatherb(c) => {
            tile(Part::Data, &mut c.dst, f);
            tile(Part::Data, &mut c.src, f);
            tile(Part::Index, &mut c.offset, f);
        }
    }
}
