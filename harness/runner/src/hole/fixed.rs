//! Static checks that a dimension given at run time escapes.

use ptodiff_case::{Hole, HoleKind, HolePlace};
use ptodiff_isa::{Call, Clause, Dim, Model, Role, TargetReadings};

use super::accepted;
use crate::party_run::PartyRun;

use HolePlace::{DataExtents, IndexExtents, TableShape, TableStrides};

/// Adds what each target that accepts `call` rejects once its dimensions are static.
pub(super) fn find(
    call: &Call,
    readings: &TargetReadings,
    models: &[&dyn Model],
    party_runs: &[PartyRun],
    all: &mut Vec<Hole>,
) {
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
            let rejections = model.check(call, &readings[target]).into_iter();
            rejections.map(|rejection| rejection.clause).collect()
        };
        for clause in rejected(&fixed) {
            let alone = |place: &HolePlace| {
                let mut one = *call;
                make_static(&mut one, |p| p == *place) && rejected(&one).contains(&clause)
            };
            let places = [DataExtents, IndexExtents, TableShape, TableStrides];
            all.push(Hole {
                kind: HoleKind::StaticOnlyCheck,
                targets: vec![target],
                clauses: vec![clause],
                place: places.into_iter().find(alone).unwrap_or(HolePlace::Several),
            });
        }
    }
}

/// Makes the dimensions of `call` static that have one of these places; whether that
/// changes anything.
fn make_static(call: &mut Call, which: impl Fn(HolePlace) -> bool) -> bool {
    use Role::{Destination, Index, Scratch, Source, Table};
    let mut changed = false;
    let mut fix = |place: HolePlace, dim: &mut Dim| {
        // Most are static.
        let Dim::Dynamic(value) = *dim else { return };
        // A tensor of static extents has none that is 0.
        let may = place == DataExtents || value > 0;
        if may && which(place) {
            *dim = Dim::Static(value);
            changed = true;
        }
    };
    for role in [Table, Source, Destination, Index, Scratch] {
        let [extents, shape, strides] = match role {
            Index => [IndexExtents; 3],
            _ => [DataExtents, TableShape, TableStrides],
        };
        if let Some(tile) = call.tile_mut(role) {
            fix(extents, &mut tile.valid_row);
            fix(extents, &mut tile.valid_col);
        } else if let Some(tensor) = call.tensor_mut(role) {
            tensor.shape.iter_mut().for_each(|dim| fix(shape, dim));
            tensor.stride.iter_mut().for_each(|dim| fix(strides, dim));
        }
    }
    changed
}
