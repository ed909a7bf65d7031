//! MGATHER from GM to L1 (001, GM to L1 Gather).

mod image;
mod row;
mod scalar;
mod simt;
mod staging;

use ptodiff_isa::{
    Coalesce, Dim, Dispatch, End, Fault, GatherExec, GatherOob, How, L1IndexPitch, L1RowPadding,
    L1ScratchZero, Memory, MgatherL1, Region, Role, Schedule,
};

use crate::access::{Port, Sink, operands};
use crate::bounds::{Bounds, Clamp, Drop, Pass, Policy, Wrap};
use crate::extent::Valid;
use crate::plan::product;
use crate::view::View;

use image::Image;

/// A call's run-time values.
struct Job {
    valid: Valid,
    image: Image,
    bounds: Bounds,
    indices: Indices,
    /// Elements from table row to table row: `GetStride(DIM_3)` (MGATHERL1-TABLE-02).
    pitch: i64,
    oob: GatherOob,
    padding: L1RowPadding,
    zeroing: L1ScratchZero,
    schedule: Schedule,
    dispatch: Dispatch,
}

/// Where indices stand in their GM tensor (MGATHERL1-GAP-03), in elements.
struct Indices {
    row: i64,
    col: i64,
}

impl Indices {
    fn new(call: &MgatherL1, valid: Valid, reading: L1IndexPitch) -> Self {
        let [.., row, col] = call.idx.stride.map(stride);
        match (reading, call.mode) {
            (L1IndexPitch::Linear, Coalesce::Row) => Self { row: 1, col: 0 },
            (L1IndexPitch::Linear, Coalesce::Elem) => Self {
                row: valid.cols.into(),
                col: 1,
            },
            (L1IndexPitch::Strided, Coalesce::Row) => Self { row: col, col: 0 },
            (L1IndexPitch::Strided, Coalesce::Elem) => Self { row, col },
        }
    }

    /// Element number of an index.
    fn at(&self, row: u32, col: u32) -> i64 {
        let row = i64::from(row).saturating_mul(self.row);
        row.saturating_add(i64::from(col).saturating_mul(self.col))
    }

    /// The first `len` indices of a row, if they are neighbours inside `index`.
    #[inline(always)]
    fn strip<'v>(&self, index: &'v View<'_, 4>, row: u32, len: u32) -> Option<&'v [[u8; 4]]> {
        if self.col != 1 {
            return None;
        }
        index.strip(self.at(row, 0), len as usize)
    }
}

/// A kernel over `N` operands, to be instantiated for policy and width.
trait Kernel<const N: usize> {
    fn run<S: Sink, P: Policy, const W: usize>(
        job: &Job,
        regions: [&mut Region; N],
        port: &mut Port<'_, S>,
    ) -> End;
}

/// Runs one call in place.
///
/// # Errors
/// If an operand is missing, the index dtype is one that the check refuses or
/// the tile could stand in no memory.
pub(crate) fn run<S: Sink>(
    call: &MgatherL1,
    memory: &mut Memory,
    how: &How,
    port: Port<'_, S>,
) -> Result<End, Fault> {
    let MgatherL1 { dst, table, .. } = call;
    let valid = Valid::of(dst)?;
    let capacity = match call.mode {
        // MGATHERL1-CAP-01, -02.
        Coalesce::Row => product(&table.shape[..4]),
        Coalesce::Elem => product(&table.shape),
    };
    let job = Job {
        valid,
        image: Image::new(dst)?,
        bounds: Bounds::new(call.idx.dtype, capacity, how.readings.negative_index)?,
        indices: Indices::new(call, valid, how.readings.l1_index_pitch),
        pitch: stride(table.stride[3]),
        oob: call.oob,
        padding: how.readings.l1_row_padding,
        zeroing: how.readings.l1_scratch_zero,
        schedule: how.schedule,
        dispatch: call.launch.dispatch,
    };
    let width = dst.dtype.size();
    let [table, tile, index] = [Role::Table, Role::Destination, Role::Index];
    if call.mode == Coalesce::Row {
        // No scratch (MGATHERL1-SCRATCH-04).
        let regions = operands(memory, [table, tile, index])?;
        return Ok(bounded::<row::Row, S, 3>(&job, width, regions, port));
    }
    let regions = operands(memory, [table, tile, index, Role::Scratch])?;
    Ok(match call.exec {
        GatherExec::Scalar => bounded::<scalar::Scalar, S, 4>(&job, width, regions, port),
        GatherExec::Simt => bounded::<simt::Simt, S, 4>(&job, width, regions, port),
    })
}

fn bounded<K: Kernel<N>, S: Sink, const N: usize>(
    job: &Job,
    width: usize,
    regions: [&mut Region; N],
    port: Port<'_, S>,
) -> End {
    match job.oob {
        GatherOob::Undefined => sized::<K, S, Pass, N>(job, width, regions, port),
        GatherOob::Clamp => sized::<K, S, Clamp, N>(job, width, regions, port),
        GatherOob::Wrap => sized::<K, S, Wrap, N>(job, width, regions, port),
        GatherOob::Zero => sized::<K, S, Drop, N>(job, width, regions, port),
    }
}

fn sized<K: Kernel<N>, S: Sink, P: Policy, const N: usize>(
    job: &Job,
    width: usize,
    regions: [&mut Region; N],
    mut port: Port<'_, S>,
) -> End {
    match width {
        1 => K::run::<S, P, 1>(job, regions, &mut port),
        2 => K::run::<S, P, 2>(job, regions, &mut port),
        4 => K::run::<S, P, 4>(job, regions, &mut port),
        _ => K::run::<S, P, 8>(job, regions, &mut port),
    }
}

/// A stride as a step; none of a real tensor is capped.
fn stride(dim: Dim) -> i64 {
    i64::try_from(dim.get()).unwrap_or(i64::MAX)
}
