//! Calls, operands and a flat view of permits.

pub(crate) mod calls;
pub(crate) mod choices;
pub(crate) mod random;
pub(crate) mod rules;
pub(crate) mod said;
pub(crate) mod same;
pub(crate) mod scatters;

pub(crate) use ptodiff_enumerate::world::build::{
    col_major, gather, matrix, memory, nz_tile, packed, scatter, tile, words,
};

use ptodiff_contract::{Feeder, Permit, Permits, Run, permits};
use ptodiff_isa::{Call, Dim, GatherOob, GlobalTensor, Memory, Readings, Role, ScatterOob, Target};

/// The policy of a gather beside this one of a scatter.
pub(crate) const fn of_gather(oob: ScatterOob) -> GatherOob {
    match oob {
        ScatterOob::Undefined => GatherOob::Undefined,
        ScatterOob::Skip => GatherOob::Zero,
        ScatterOob::Clamp => GatherOob::Clamp,
        ScatterOob::Wrap => GatherOob::Wrap,
    }
}

/// Little-endian bytes of floats.
pub(crate) fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// Little-endian bytes of 16-bit words.
pub(crate) fn halves(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// Indices in a [1,8] tile.
pub(crate) fn padded_index(idx: &[i64]) -> Vec<u8> {
    let mut all = idx.to_vec();
    all.resize(8, 0);
    words(&all)
}

/// The table with another stride.
pub(crate) fn strided(mut table: GlobalTensor, dim: usize, stride: u64) -> GlobalTensor {
    table.stride[dim] = Dim::Static(stride);
    table
}

/// The elements that shape and strides of a table reach.
pub(crate) fn reach(table: &GlobalTensor) -> u64 {
    let extent = |(n, stride): (Dim, Dim)| (n.get() - 1) * stride.get();
    let all = table.shape.into_iter().zip(table.stride);
    all.map(extent).sum::<u64>() + 1
}

/// Holds the permits of a legal call to what its enumeration reaches.
pub(crate) fn compare(
    call: &Call,
    steps: &[&Memory],
    target: Target,
    readings: &Readings,
) -> same::Seen {
    same::compare(call, steps, target, readings, &permits).unwrap_or_else(|why| {
        let index = |m: &&Memory| m.get(Role::Index).map(|r| r.body().to_vec());
        let indices: Vec<_> = steps.iter().filter_map(index).collect();
        panic!("{why}\n{target} {call:?} {readings:?} {indices:?}")
    })
}

/// A position that feeds a slot.
pub(crate) fn lane(step: usize, r: u64, c: u64) -> Feeder {
    Feeder { step, r, c }
}

/// What one slot may hold.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Slot {
    Kept,
    One(Vec<u8>),
    Several(Vec<Vec<u8>>),
    Between(Vec<u8>, Vec<u8>),
    /// Between two bounds, or one of the others.
    BetweenOr(Vec<u8>, Vec<u8>, Vec<Vec<u8>>),
    Anything,
}

impl Slot {
    /// A 32-bit integer that stands there for certain.
    pub(crate) fn word(v: i64) -> Self {
        Self::One((v as u32).to_le_bytes().to_vec())
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
                    let mut c: Vec<_> = (1..=more).map(|k| part(high + k * size)).collect();
                    if part(low) != part(high) {
                        Slot::BetweenOr(part(low), part(high), c)
                    } else {
                        c.push(part(high));
                        c.sort();
                        Slot::Several(c)
                    }
                }
                Permit::Between { low, high, .. } => Slot::Between(part(low), part(high)),
                Permit::Anything => Slot::Anything,
            };
        }
    }
    all
}
