//! Plain scatters: the surviving writer of every slot.

use ptodiff_isa::{Clause, NzRowColumns};

use crate::{
    runs::{Runs, Why},
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

/// Settles every written slot of `field`, for elements of 1, 2, 4 or 8 bytes.
pub(crate) fn replace(runs: &mut Runs, field: &Field<'_>, writers: &Writers, survival: &Survival) {
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
    writers: &Writers,
    survival: &Survival,
) {
    match &field.footprint {
        Footprint::Element => elements::<N>(runs, field, writers, survival),
        Footprint::Row { pitch } => rows::<N>(runs, field, writers, survival, *pitch),
        Footprint::NzRow { nz, columns } => {
            let width = nz.block as usize;
            for block in 0..field.padded_cols / width {
                for (row, w) in writers.iter() {
                    let at = nz.block_at(row as i64, block as i64) as usize;
                    let piece = [at * N, block * width, width];
                    nz_block::<N>(runs, field, survival, w, piece, *columns);
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
    writers: &Writers,
    survival: &Survival,
) {
    let element = |at: u32| {
        let from = at as usize * N;
        &field.sources[from..from + N]
    };
    let mut images = Vec::new();
    for (slot, w) in writers.iter() {
        let w = if survival.any {
            last_call(field, w, |at| field.step_of(at as usize))
        } else {
            w
        };
        match w {
            [] => {}
            [only] => runs.exactly(slot * N, element(*only), survival.single),
            [.., last] if !survival.any => {
                runs.exactly(slot * N, element(*last), survival.contested);
            }
            any => {
                images.clear();
                for &at in any {
                    images.extend_from_slice(element(at));
                }
                runs.candidates(slot * N, N, &images, survival.contested);
            }
        }
    }
}

fn rows<const N: usize>(
    runs: &mut Runs,
    field: &Field<'_>,
    writers: &Writers,
    survival: &Survival,
    pitch: usize,
) {
    let len = field.plane.cols * N;
    let mut image = Vec::new();
    for (row, w) in writers.iter() {
        let offset = row * pitch * N;
        let w = if survival.any {
            last_call(field, w, |r| field.step_of_row(r))
        } else {
            w
        };
        let Some(&last) = w.last() else { continue };
        let why = if w.len() == 1 {
            survival.single
        } else {
            survival.contested
        };
        if w.len() > 1 && survival.any {
            image.clear();
            for &r in w {
                append_row::<N>(field, r, &mut image);
            }
            runs.one_of(offset, len, image.chunks_exact(len), why);
        } else if field.plane.rows_contiguous() {
            let from = field.row_element(last, 0) * N;
            runs.exactly(offset, &field.sources[from..from + len], why);
        } else {
            image.clear();
            append_row::<N>(field, last, &mut image);
            runs.exactly(offset, &image, why);
        }
    }
}

fn append_row<const N: usize>(field: &Field<'_>, r: u32, image: &mut Vec<u8>) {
    for c in 0..field.plane.cols {
        let from = field.row_element(r, c) * N;
        image.extend_from_slice(&field.sources[from..from + N]);
    }
}

/// One 32-byte piece of an NZ row: its byte offset, first column and width.
fn nz_block<const N: usize>(
    runs: &mut Runs,
    field: &Field<'_>,
    survival: &Survival,
    w: &[u32],
    [offset, first, width]: [usize; 3],
    columns: NzRowColumns,
) {
    let Some(&last) = w.last() else { return };
    let from = field.row_element(last, first) * N;
    let burst = &field.sources[from..from + width * N];
    let valid = field.plane.cols.saturating_sub(first).min(width) * N;
    let why = if w.len() == 1 {
        survival.single
    } else {
        survival.contested
    };
    if valid > 0 {
        runs.exactly(offset, &burst[..valid], why);
    }
    let (offset, beyond) = (offset + valid, &burst[valid..]);
    match columns {
        _ if beyond.is_empty() => {}
        NzRowColumns::Moved => runs.exactly(offset, beyond, NZ_MOVED),
        NzRowColumns::Kept => {}
        NzRowColumns::Either | NzRowColumns::Duty => {
            let kept = &field.table[offset..offset + beyond.len()];
            let images = [kept, beyond];
            runs.one_of(offset, kept.len(), images.into_iter(), NZ_PADDING);
        }
    }
}
