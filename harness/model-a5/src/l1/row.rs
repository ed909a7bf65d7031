//! Row mode: the cube core moves a table row at a time, turning ND into NZ on the way.

use ptodiff_isa::{Core, End, Event, L1RowPadding, Region, Role, Space};

use crate::access::{Port, Sink};
use crate::bounds::Policy;
use crate::view::{View, ViewMut, byte_offset};

use super::image::{C0_BYTES, c0};
use super::{Job, Kernel};

/// The Row kernel.
pub(crate) struct Row;

impl Kernel<3> for Row {
    fn run<S: Sink, P: Policy, const W: usize>(
        job: &Job,
        [table, tile, index]: [&mut Region; 3],
        port: &mut Port<'_, S>,
    ) -> End {
        let table = View::<W>::new(table, Space::Gm);
        let mut tile = ViewMut::<W>::new(tile, Space::L1);
        let index = View::<4>::new(index, Space::Gm);
        port.note(|| Event::Core(Core::Aic));
        if P::FILLS {
            // MGATHERL1-OOB-02; before the transfers here too (MGATHERL1-GAP-20).
            port.fill(&mut tile, job.image.count(), Some("pto_create_cbuf_matrix"));
        }
        // MGATHERL1-PERF-05.
        port.note(|| Event::SetMte2NzPara {
            c0_stride: job.image.rows().into(),
        });
        if job.bounds.gives_nothing::<P>() {
            return End::Finished;
        }
        for row in 0..job.valid.rows {
            let bits = port.load(&index, job.indices.at(row, 0));
            if let Some(slot) = job.bounds.slot::<P>(bits) {
                nd2nz(port, &table, &mut tile, job, slot, row);
            }
        }
        End::Finished
    }
}

/// One transfer of `ValidCol` elements of table row `slot` (MGATHERL1-PERF-01, -NZ-03).
#[inline(always)]
fn nd2nz<S: Sink, const W: usize>(
    port: &mut Port<'_, S>,
    table: &View<'_, W>,
    tile: &mut ViewMut<'_, W>,
    job: &Job,
    slot: i64,
    row: u32,
) {
    let (image, cols) = (job.image, job.valid.cols);
    let from = slot.saturating_mul(job.pitch);
    port.note(|| Event::Nd2nz {
        name: "copy_gm_to_cbuf_multi_nd2nz".into(),
        from: (Role::Table, byte_offset::<W>(from)),
        to: (Role::Destination, byte_offset::<W>(image.at::<W>(row, 0))),
        n_value: 1,
        d_value: cols.into(),
        c0_stride: image.rows().into(),
        arguments: None,
    });
    let moved = units(table, tile, job, from, row);
    if moved < cols {
        rest(port, (table, from), tile, job, row, moved);
    }
}

/// Moves the columns from `moved` on, unit by unit.
#[inline(never)]
fn rest<S: Sink, const W: usize>(
    port: &mut Port<'_, S>,
    (table, from): (&View<'_, W>, i64),
    tile: &mut ViewMut<'_, W>,
    job: &Job,
    row: u32,
    moved: u32,
) {
    let (image, cols) = (job.image, job.valid.cols);
    for col in (moved..cols).step_by(c0::<W>() as usize) {
        let len = c0::<W>().min(cols - col);
        let to = image.at::<W>(row, col);
        port.copy((table, from.saturating_add(col.into())), (tile, to), len);
        if job.padding != L1RowPadding::Kept {
            // The engine fills up what is left of a 32-byte unit (MGATHERL1-GAP-01).
            port.zero(tile, to + i64::from(len), c0::<W>() - len);
        }
    }
}

/// Moves the whole 32-byte units of the row at once, where none of them lies
/// outside; says how many columns that were.
#[inline(always)]
fn units<const W: usize>(
    table: &View<'_, W>,
    tile: &mut ViewMut<'_, W>,
    job: &Job,
    from: i64,
    row: u32,
) -> u32 {
    let moved = job.valid.cols - job.valid.cols % c0::<W>();
    let Some(values) = table.strip(from, moved as usize) else {
        return 0;
    };
    let (values, _) = values.as_flattened().as_chunks::<C0_BYTES>();
    let (units, _) = tile.cells.as_flattened_mut().as_chunks_mut::<C0_BYTES>();
    let (first, step) = (row as usize, job.image.rows() as usize);
    let last = first + values.len().saturating_sub(1) * step;
    if step == 0 || last >= units.len() {
        return 0;
    }
    let units = units[first..].iter_mut().step_by(step);
    for (unit, value) in units.zip(values) {
        *unit = *value;
    }
    moved
}
