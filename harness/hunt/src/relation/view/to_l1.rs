//! Rules of MGATHER to L1: 001, GM to L1 Gather.

use ptodiff_isa::{
    Coalesce, Dispatch, GatherExec, L1IndexPitch, Layout, MgatherL1, Readings, Scope, Target,
    TileType,
};

use super::facts::{Shape, common, demand, extents, fractal, index_type, small};
use super::in_ub::Ruled;
use crate::relation::place::Places;

/// Nothing where a rule of `target` is broken.
pub(super) fn ruled(call: &MgatherL1, target: Target, readings: &Readings) -> Option<Ruled> {
    let [rows, cols] = extents(&call.dst)?;
    let dtype = call.dst.dtype;
    demand(fractal(&call.dst, TileType::Mat) && index_type(call.idx.dtype))?;
    demand(common(dtype) || target == Target::A5 && small(dtype))?;
    demand(call.table.dtype == dtype && call.table.layout == Layout::ND)?;
    let table = Shape::of(&call.table);
    let by_row = call.mode == Coalesce::Row;
    let index = indices(call, [rows, cols], target, readings)?;
    match target {
        // As its suite has it (MGATHERL1-GAP-14): Row with pitch Shape[4].
        Target::Cpu => {
            demand(readings.scope == Scope::AsTheSuite && table.flat())?;
            demand(!by_row || table.packed())?;
        }
        Target::A2a3 => demand(call.exec == GatherExec::Scalar)?,
        Target::A5 => {
            let launches = call.exec == GatherExec::Simt;
            demand(!launches || call.launch.dispatch == Dispatch::Standard)?;
        }
    }
    if by_row {
        demand(call.scratch.is_none())?;
        return Some(Ruled {
            by_row,
            capacity: table.product(4),
            // MGATHERL1-GAP-16, -17.
            elements: table.rows(cols)?,
            index,
        });
    }
    // MGATHERL1-GAP-08.
    let scratch = Shape::of(call.scratch.as_ref()?);
    demand(call.scratch.is_some_and(|scratch| scratch.dtype == dtype))?;
    demand(scratch.packed() && scratch.product(5) >= call.dst.rows.saturating_mul(call.dst.cols))?;
    // MGATHERL1-GAP-27.
    Some(Ruled {
        by_row,
        capacity: table.product(5),
        elements: table.product(5),
        index,
    })
}

/// MGATHERL1-GAP-03, -28. CPU has no word on strides: there both readings
/// have to come to the same.
fn indices(
    call: &MgatherL1,
    [rows, cols]: [u64; 2],
    target: Target,
    readings: &Readings,
) -> Option<Places> {
    let shape = Shape::of(&call.idx);
    let by_row = call.mode == Coalesce::Row;
    let linear = || {
        let needed = if by_row {
            rows
        } else {
            rows.saturating_mul(cols)
        };
        demand(shape.product(5) >= needed)?;
        Some(if by_row {
            Places::plain(1, 0)
        } else {
            Places::plain(cols, 1)
        })
    };
    let strided = || {
        let [.., down, across] = shape.step;
        demand(across > 0)?;
        if by_row {
            demand(shape.of[4] >= rows)?;
            return Some(Places::plain(across, 0));
        }
        demand(shape.of[3] >= rows && shape.of[4] >= cols)?;
        // No two of them in one place.
        demand(down > across.checked_mul(cols - 1)?)?;
        Some(Places::plain(down, across))
    };
    match (target, readings.l1_index_pitch) {
        (Target::Cpu, _) => linear().filter(|linear| strided() == Some(*linear)),
        (_, L1IndexPitch::Linear) => linear(),
        (_, L1IndexPitch::Strided) => strided(),
    }
}
