//! TSCATTER by index (002).
//!
//! The document describes no launch; its "hardware scheduling order" is taken
//! to be that of lanes, one an element, in warps along the rows
//! (TSCATTER-CONF-02).

use ptodiff_isa::{
    DType, End, Fault, How, Memory, Region, Role, ScatterExtent, Schedule, Space, TscatterIndex,
    Unaddressed,
};

use crate::access::{Port, Sink, operands};
use crate::combine::Replace;
use crate::extent::{Steps, Valid};
use crate::numeral::{Bits, Numeral};
use crate::order;
use crate::pack::Packed;
use crate::shuffle::Room;
use crate::view::{View, ViewMut};

/// A call's run-time values.
struct Job {
    valid: Valid,
    src: Steps,
    idx: Steps,
    numeral: Numeral,
    /// Elements of the destination to set to zero first.
    zeroed: u32,
    schedule: Schedule,
}

/// Runs one call in place.
///
/// # Errors
/// If an operand is missing, the index dtype is one that the check refuses or
/// a tile could stand in no memory.
pub(crate) fn run<S: Sink>(
    call: &TscatterIndex,
    memory: &mut Memory,
    how: &How,
    port: Port<'_, S>,
) -> Result<End, Fault> {
    let regions = operands(memory, [Role::Destination, Role::Source, Role::Index])?;
    let TscatterIndex { dst, src, idx } = call;
    let valid = match how.readings.tscatter_extent {
        ScatterExtent::Source => Valid::of(src)?,
        ScatterExtent::Index => Valid::of(idx)?,
    };
    let (from, at) = (Steps::new(src, valid)?, Steps::new(idx, valid)?);
    let dense = from.is_dense(valid) && at.is_dense(valid);
    let job = Job {
        // No row ends where neither tile has padding.
        valid: if dense { valid.flat() } else { valid },
        src: from,
        idx: at,
        numeral: Numeral::new(idx.dtype, how.readings.negative_index),
        zeroed: match how.readings.tscatter_unaddressed {
            Unaddressed::Zero => Valid::padded(dst)?.count(),
            Unaddressed::Kept | Unaddressed::Undefined => 0,
        },
        schedule: how.schedule,
    };
    let width = dst.dtype.size();
    match idx.dtype {
        DType::Int16 | DType::Uint16 => sized::<S, 2>(&job, width, regions, port),
        DType::Int32 | DType::Uint32 => sized::<S, 4>(&job, width, regions, port),
        other => return Err(Fault(format!("{other} is no index type of TSCATTER"))),
    }
    Ok(End::Finished)
}

fn sized<S: Sink, const I: usize>(
    job: &Job,
    width: usize,
    regions: [&mut Region; 3],
    port: Port<'_, S>,
) where
    [u8; I]: Bits,
{
    match width {
        1 => scatter::<S, I, 1>(job, regions, port),
        2 => scatter::<S, I, 2>(job, regions, port),
        4 => scatter::<S, I, 4>(job, regions, port),
        _ => scatter::<S, I, 8>(job, regions, port),
    }
}

/// Writes each element where its index says, unchecked (TSCATTER-SEM-01, -OOB-01).
fn scatter<S: Sink, const I: usize, const W: usize>(
    job: &Job,
    [dst, src, idx]: [&mut Region; 3],
    mut port: Port<'_, S>,
) where
    [u8; I]: Bits,
{
    let mut dst = ViewMut::<W>::new(dst, Space::Ub);
    let src = View::<W>::new(src, Space::Ub);
    let idx = View::<I>::new(idx, Space::Ub);
    if job.zeroed > 0 {
        port.fill(&mut dst, job.zeroed, None);
    }
    if !S::ON && out_of_order(job, &mut port, (&mut dst, &src, &idx)).is_some() {
        return;
    }
    order::lanes(job.schedule, job.valid, |row, col, len| {
        let (at, from) = (job.idx.at(row, col), job.src.at(row, col));
        if !S::ON
            && job.idx.col == 1
            && job.src.col == 1
            && let Some(indices) = idx.strip(at, len as usize)
            && let Some(cells) = src.strip(from, len as usize)
        {
            let numeral = job.numeral;
            let slot = |bits| Some(numeral.of(bits));
            return port.update_all::<Replace, I, W>(&mut dst, (indices, cells), slot);
        }
        for lane in 0..i64::from(len) {
            let slot = job.numeral.of(port.load(&idx, at + lane * job.idx.col));
            let cell = port.load(&src, from + lane * job.src.col);
            port.store(&mut dst, slot, cell);
        }
    });
}

/// All lanes in an order of their own, elements of tiles with padding packed before;
/// none, with nothing done, where they have none, one lies outside or there are many
/// to pack.
#[inline(never)]
fn out_of_order<S: Sink, const I: usize, const W: usize>(
    job: &Job,
    port: &mut Port<'_, S>,
    (dst, src, idx): (&mut ViewMut<'_, W>, &View<'_, W>, &View<'_, I>),
) -> Option<()>
where
    [u8; I]: Bits,
{
    if job.schedule == Schedule::InOrder {
        return None;
    }
    let (mut indices, mut cells) = (Packed::new(), Packed::new());
    let count = job.valid.count();
    let dense = job.idx.is_dense(job.valid) && job.src.is_dense(job.valid);
    let (indices, cells) = match dense {
        true => (idx.strip(0, count as usize)?, src.strip(0, count as usize)?),
        false => (
            idx.pack((job.idx, job.valid), &mut indices)?,
            src.pack((job.src, job.valid), &mut cells)?,
        ),
    };
    let mut room = Room::new();
    let lanes = order::lane_order(job.schedule, count, &mut room);
    let slot = |bits| Some(job.numeral.of(bits));
    port.update_in::<Replace, I, W>(lanes, dst, (indices, cells), slot);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Silent;
    use crate::extent::tests::tile;
    use ptodiff_isa::{BLayout, NegativeIndex, Strays};

    /// Four slots to which the bytes 1, 2 and so on are scattered out of order, from
    /// `valid` columns of tiles of two rows of `cols`.
    fn scattered(schedule: Schedule, (valid, cols): (u32, u64), indices: &[u8]) -> Option<[u8; 4]> {
        let valid = Valid {
            rows: 2,
            cols: valid,
        };
        let steps = Steps::new(&tile(BLayout::RowMajor, 2, cols), valid).unwrap();
        let job = Job {
            valid,
            src: steps,
            idx: steps,
            numeral: Numeral::new(DType::Uint16, NegativeIndex::Unsigned),
            zeroed: 0,
            schedule,
        };
        let end = indices.len();
        let indices: Vec<u8> = indices.iter().flat_map(|at| [*at, 0]).collect();
        let mut dst = Region::new(Role::Destination, vec![0; 4], 0..4);
        let src = Region::new(Role::Source, (1..=end as u8).collect(), 0..end);
        let idx = Region::new(Role::Index, indices, 0..2 * end);
        let mut slots = ViewMut::<1>::new(&mut dst, Space::Ub);
        let (src, idx) = (View::new(&src, Space::Ub), View::<2>::new(&idx, Space::Ub));
        let mut strays = Strays::default();
        let port = &mut Port::new(&mut strays, Silent);
        out_of_order(&job, port, (&mut slots, &src, &idx))?;
        dst.bytes().first_chunk().copied()
    }

    #[test]
    fn lanes_run_together_in_every_order_but_their_own() {
        use Schedule::{InOrder, Reversed, Shuffled};
        // Slot 3 has three writers; in the padding stands an index that has no slot.
        let (packed, padded) = ([0, 3, 1, 3, 2, 3], [0, 3, 1, 9, 3, 2, 3, 9]);
        let of = |schedule| {
            let packed = scattered(schedule, (3, 3), &packed);
            (packed, scattered(schedule, (3, 4), &padded))
        };
        assert_eq!(of(Reversed), (Some([1, 3, 5, 2]), Some([1, 3, 6, 2])));
        assert_eq!(of(InOrder), (None, None));
        let (packed, padded) = of(Shuffled(1));
        assert!(
            (2..=6)
                .step_by(2)
                .any(|last| packed == Some([1, 3, 5, last]))
        );
        assert!(
            [2, 5, 7]
                .map(|last| Some([1, 3, 6, last]))
                .contains(&padded)
        );
        // An element less than the tile has, and more than are packed.
        assert_eq!(scattered(Reversed, (3, 3), &[0; 5]), None);
        assert_eq!(scattered(Reversed, (33, 34), &[0; 68]), None);
    }
}
