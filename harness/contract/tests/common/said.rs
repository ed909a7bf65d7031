//! What the contract says of one call: permits, slots and broken preconditions.

use ptodiff_contract::{Permits, Run, data_preconditions, permits};
use ptodiff_isa::{Call, GlobalTensor, Memory, Mgather, Mscatter, Readings, Role, Target, Tile};

use super::{Slot, choices::with, memory, reach, runs, slots, words};

/// What is said of a call.
pub(crate) struct Said {
    pub(crate) permits: Permits,
    /// What may stand in each slot of what the call is for.
    pub(crate) slots: Vec<Slot>,
    /// The preconditions that its data breaks: clauses and words.
    pub(crate) broken: Vec<(&'static str, String)>,
    output: Role,
}

impl Said {
    /// Of one call for each step.
    pub(crate) fn of(call: &Call, steps: &[&Memory], target: Target, readings: &Readings) -> Self {
        let permits = permits(call, steps, target, readings).expect("operands fit");
        let output = call.output();
        let written = steps.iter().find_map(|step| step.get(output));
        let len = written.expect("an output").body().len();
        let broken = data_preconditions(call, steps, target, readings);
        Self {
            slots: slots(&permits, output, len),
            permits,
            broken: broken.into_iter().map(|b| (b.clause.0, b.why)).collect(),
            output,
        }
    }

    /// The runs of what the call is for.
    pub(crate) fn runs(&self) -> &[Run] {
        runs(&self.permits, self.output)
    }

    /// The clause and the freedom of each of them.
    pub(crate) fn cited(&self) -> Vec<(&'static str, Option<&'static str>)> {
        let all = self.runs().iter();
        all.map(|run| (run.clause.0, run.freedom.map(|c| c.0)))
            .collect()
    }

    /// What the first run is free by.
    pub(crate) fn freedom(&self) -> Option<&'static str> {
        self.cited()[0].1
    }

    /// Why accesses outside operands are excused.
    pub(crate) fn excused(&self) -> Option<&'static str> {
        self.permits.oob_accesses.map(|c| c.0)
    }

    /// The clauses of the broken preconditions.
    pub(crate) fn clauses(&self) -> Vec<&'static str> {
        self.broken.iter().map(|(clause, _)| *clause).collect()
    }

    /// Whether every slot may hold anything.
    pub(crate) fn all_open(&self) -> bool {
        self.slots.iter().all(|slot| *slot == Slot::Anything)
    }
}

/// Elements of the padded tile.
fn elements(t: &Tile) -> usize {
    (t.rows * t.cols) as usize
}

/// The first indices of a tile, the rest 0.
pub(crate) fn filled_up(idx: &[i64], t: &Tile) -> Vec<u8> {
    let mut all = idx.to_vec();
    all.resize(elements(t).max(idx.len()), 0);
    words(&all)
}

/// A scatter into `table`.
pub(crate) fn into(
    call: &Mscatter,
    table: &[u8],
    src: &[u8],
    idx: &[i64],
    target: Target,
    choices: &[(&str, &str)],
) -> Said {
    let m = memory(&[
        (Role::Table, table),
        (Role::Source, src),
        (Role::Index, &filled_up(idx, &call.idx)),
    ]);
    Said::of(&Call::Mscatter(*call), &[&m], target, &with(choices))
}

/// As many zeros as shape and strides of a table reach.
pub(crate) fn zeros(table: &GlobalTensor) -> Vec<u8> {
    vec![0; reach(table) as usize * table.dtype.size()]
}

/// A scatter into zeros, as many as shape and strides reach.
pub(crate) fn into_zeros(
    call: &Mscatter,
    src: &[u8],
    idx: &[i64],
    target: Target,
    choices: &[(&str, &str)],
) -> Said {
    into(call, &zeros(&call.table), src, idx, target, choices)
}

/// What a destination of a gather holds before, byte for byte.
pub(crate) const POISON: u8 = 0x55;

/// A gather from `table`.
pub(crate) fn from(
    call: &Mgather,
    table: &[u8],
    idx: &[i64],
    target: Target,
    choices: &[(&str, &str)],
) -> Said {
    let dst = vec![POISON; elements(&call.dst) * call.dst.dtype.size()];
    let m = memory(&[
        (Role::Destination, &dst),
        (Role::Table, table),
        (Role::Index, &filled_up(idx, &call.idx)),
    ]);
    Said::of(&Call::Mgather(*call), &[&m], target, &with(choices))
}
