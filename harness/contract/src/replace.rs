//! Plain scatters: the surviving writer of every slot.

use ptodiff_isa::{Clause, NzRowColumns};

use crate::{
    runs::{Runs, Stretch, Told, Why},
    scatter::{Field, Footprint},
    writers::Writers,
};

/// Table columns past ValidCol in NZ Row mode.
pub(crate) const NZ_PADDING: Why = Why::open(Clause("MSCATTER-GAP-22"));

/// The same where the burst brings them.
const NZ_MOVED: Why = Why::by("MSCATTER-GAP-22");

/// Which writers of a slot may survive, and by which clauses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Survival {
    /// Any writer of the last call that addresses the slot, else the last one.
    pub(crate) any: bool,
    /// For a slot with one writer.
    pub(crate) single: Why,
    /// For a slot with several.
    pub(crate) contested: Why,
}

impl Survival {
    /// For a slot with one writer, or with several.
    const fn why(&self, contested: bool) -> Why {
        if contested {
            self.contested
        } else {
            self.single
        }
    }
}

/// Settles every written slot of `field`, for elements of 1, 2, 4 or 8 bytes.
pub(crate) fn replace(
    runs: &mut Runs,
    field: &Field<'_>,
    writers: &mut Writers,
    survival: &Survival,
) {
    match field.dtype.size() {
        1 => sized::<1>(runs, field, writers, survival),
        2 => sized::<2>(runs, field, writers, survival),
        4 => sized::<4>(runs, field, writers, survival),
        _ => sized::<8>(runs, field, writers, survival),
    }
}

fn sized<const N: usize>(
    runs: &mut Runs,
    field: &Field<'_>,
    writers: &mut Writers,
    survival: &Survival,
) {
    match &field.footprint {
        Footprint::Element => elements::<N>(runs, field, writers, survival),
        Footprint::Row { pitch } => rows::<N>(runs, field, writers, survival, *pitch),
        Footprint::NzRow { nz, columns } => {
            let width = nz.block as usize;
            for block in 0..field.padded_cols / width {
                let mut walk = writers.walk();
                // Whoever has NZ tables has them written in order.
                while let Some((row, last, contested)) = walk.next_last() {
                    let at = nz.block_at(row as i64, block as i64) as usize;
                    let piece = [at * N, block * width, width];
                    let why = survival.why(contested);
                    nz_block::<N>(runs, field, last, why, piece, *columns);
                }
            }
        }
    }
}

/// Those writers that may survive: the tail of `w` from the last call on.
fn last_call<'w>(field: &Field<'_>, w: &'w [u32], step: impl Fn(u32) -> u32) -> &'w [u32] {
    match w.last() {
        Some(&last) if field.steps > 1 => {
            let call = step(last);
            let from = w.partition_point(|&x| step(x) < call);
            &w[from..]
        }
        _ => w,
    }
}

fn elements<const N: usize>(
    runs: &mut Runs,
    field: &Field<'_>,
    writers: &mut Writers,
    survival: &Survival,
) {
    let sources = field.sources.as_chunks::<N>().0;
    let mut stretch = Stretch::new(runs, |contested| Told::Exactly(survival.why(contested)));
    let mut walk = writers.walk();
    if !survival.any {
        while let Some((slot, last, contested)) = walk.next_last() {
            stretch.slot(slot * N, contested, Some(&sources[last as usize]));
        }
        stretch.finish();
        return;
    }
    while let Some((slot, w)) = walk.next() {
        match last_call(field, w, |at| field.step_of(at as usize)) {
            [only] => stretch.slot(slot * N, false, Some(&sources[*only as usize])),
            any => stretch.candidates(slot * N, N, any.len(), survival.contested, |pool| {
                for &at in any {
                    pool.extend_from_slice(&sources[at as usize]);
                }
            }),
        }
    }
    stretch.finish();
}

fn rows<const N: usize>(
    runs: &mut Runs,
    field: &Field<'_>,
    writers: &mut Writers,
    survival: &Survival,
    pitch: usize,
) {
    let len = field.plane.cols * N;
    let mut walk = writers.walk();
    if !survival.any {
        while let Some((row, last, contested)) = walk.next_last() {
            let (offset, why) = (row * pitch * N, survival.why(contested));
            runs.exactly_filled(offset, len, why, |pool| append_row::<N>(field, last, pool));
        }
        return;
    }
    while let Some((row, w)) = walk.next() {
        let offset = row * pitch * N;
        match last_call(field, w, |r| field.step_of_row(r)) {
            [only] => runs.exactly_filled(offset, len, survival.single, |pool| {
                append_row::<N>(field, *only, pool);
            }),
            any => runs.one_of(offset, len, any.len(), survival.contested, |pool| {
                for &r in any {
                    append_row::<N>(field, r, pool);
                }
            }),
        }
    }
}

fn append_row<const N: usize>(field: &Field<'_>, r: u32, image: &mut Vec<u8>) {
    if field.plane.rows_contiguous() {
        let from = field.row_element(r, 0) * N;
        image.extend_from_slice(&field.sources[from..from + field.plane.cols * N]);
        return;
    }
    let sources = field.sources.as_chunks::<N>().0;
    for c in 0..field.plane.cols {
        image.extend_from_slice(&sources[field.row_element(r, c)]);
    }
}

/// One 32-byte piece of an NZ row, its byte offset, first column and width, of
/// which source row `last` survives.
fn nz_block<const N: usize>(
    runs: &mut Runs,
    field: &Field<'_>,
    last: u32,
    why: Why,
    [offset, first, width]: [usize; 3],
    columns: NzRowColumns,
) {
    let from = field.row_element(last, first) * N;
    let burst = &field.sources[from..from + width * N];
    let valid = field.plane.cols.saturating_sub(first).min(width) * N;
    runs.exactly(offset, &burst[..valid], why);
    let (offset, beyond) = (offset + valid, &burst[valid..]);
    match columns {
        _ if beyond.is_empty() => {}
        NzRowColumns::Moved => runs.exactly(offset, beyond, NZ_MOVED),
        NzRowColumns::Kept => {}
        NzRowColumns::Either | NzRowColumns::Precondition => {
            let kept = &field.table[offset..offset + beyond.len()];
            runs.one_of(offset, kept.len(), 2, NZ_PADDING, |pool| {
                pool.extend_from_slice(kept);
                pool.extend_from_slice(beyond);
            });
        }
    }
}
