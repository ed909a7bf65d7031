//! Calls, operands and a flat view of permits.

pub(crate) mod any;
pub(crate) mod calls;
pub(crate) mod choices;
pub(crate) mod one_slot;
pub(crate) mod random;
pub(crate) mod rules;
pub(crate) mod same;
pub(crate) mod scatters;

pub(crate) use ptodiff_enumerate::world::build::{
    col_major, gather, matrix, memory, nz_tile, packed, region, scatter, tile, words,
};

use ptodiff_contract::{Permit, Permits, Run, permits};
use ptodiff_isa::{Call, Mgather, Mscatter, Readings, Role, Target};

/// Little-endian bytes of floats.
pub(crate) fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// Little-endian bytes of 16-bit words.
pub(crate) fn halves(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// What one slot may hold.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Slot {
    Kept,
    One(Vec<u8>),
    Several(Vec<Vec<u8>>),
    Between(Vec<u8>, Vec<u8>),
    Anything,
}

impl Slot {
    /// A 32-bit integer that stands there for certain.
    pub(crate) fn word(v: i64) -> Self {
        Self::One((v as u32).to_le_bytes().to_vec())
    }

    /// Any of these 32-bit integers, sorted as bytes.
    pub(crate) fn any_word(values: &[i64]) -> Self {
        let mut all: Vec<_> = values
            .iter()
            .map(|v| (*v as u32).to_le_bytes().to_vec())
            .collect();
        all.sort();
        Self::Several(all)
    }

    /// A float that stands there for certain.
    pub(crate) fn float(v: f32) -> Self {
        Self::One(v.to_le_bytes().to_vec())
    }
}

/// The runs of one operand.
pub(crate) fn runs(p: &Permits, role: Role) -> &[Run] {
    let operand = p.operands.iter().find(|o| o.role == role);
    &operand.expect("the operand is there").runs
}

/// One answer a slot of `len` body bytes.
pub(crate) fn slots(p: &Permits, role: Role, len: usize) -> Vec<Slot> {
    let operand = p.operands.iter().find(|o| o.role == role);
    let operand = operand.expect("the operand is there");
    let size = operand.dtype.size();
    let mut all = vec![Slot::Kept; len / size];
    let mut end = 0;
    for run in &operand.runs {
        assert!(run.offset >= end, "runs increase and do not overlap");
        assert!(run.len > 0 && run.len % size == 0 && run.offset % size == 0);
        end = run.offset + run.len;
        assert!(end <= len, "runs lie in the body");
        for i in 0..run.len / size {
            let part = |at: usize| p.pool[at + i * size..at + (i + 1) * size].to_vec();
            all[run.offset / size + i] = match run.permit {
                Permit::Exactly { at } => Slot::One(part(at)),
                Permit::OneOf { at, count } => {
                    assert!(count > 0);
                    let mut c: Vec<_> = (0..count).map(|k| part(at + k * run.len)).collect();
                    c.sort();
                    c.dedup();
                    Slot::Several(c)
                }
                Permit::Between {
                    low, high, more, ..
                } if more > 0 => {
                    assert_eq!(part(low), part(high), "single values: {run:?}");
                    let mut c: Vec<_> = (0..=more).map(|k| part(high + k * size)).collect();
                    c.sort();
                    Slot::Several(c)
                }
                Permit::Between { low, high, .. } => Slot::Between(part(low), part(high)),
                Permit::Anything => Slot::Anything,
            };
        }
    }
    all
}

/// Permits of a scatter of one step.
pub(crate) fn scattered(
    call: &Mscatter,
    table: &[u8],
    src: &[u8],
    idx: &[u8],
    target: Target,
    readings: &Readings,
) -> Permits {
    let m = memory(&[
        (Role::Table, table),
        (Role::Source, src),
        (Role::Index, idx),
    ]);
    permits(&Call::Mscatter(*call), &[&m], target, readings).expect("operands fit")
}

/// The table's slots after a scatter of one step under the default readings.
pub(crate) fn scatter_slots(
    call: &Mscatter,
    table: &[u8],
    src: &[u8],
    idx: &[u8],
    target: Target,
) -> Vec<Slot> {
    let p = scattered(call, table, src, idx, target, &Readings::default());
    slots(&p, Role::Table, table.len())
}

/// Permits of a gather.
pub(crate) fn gathered(
    call: &Mgather,
    dst: &[u8],
    table: &[u8],
    idx: &[u8],
    target: Target,
    readings: &Readings,
) -> Permits {
    let m = memory(&[
        (Role::Destination, dst),
        (Role::Table, table),
        (Role::Index, idx),
    ]);
    permits(&Call::Mgather(*call), &[&m], target, readings).expect("operands fit")
}

/// The destination's slots after a gather under the default readings.
pub(crate) fn gather_slots(
    call: &Mgather,
    dst: &[u8],
    table: &[u8],
    idx: &[u8],
    target: Target,
) -> Vec<Slot> {
    let p = gathered(call, dst, table, idx, target, &Readings::default());
    slots(&p, Role::Destination, dst.len())
}
