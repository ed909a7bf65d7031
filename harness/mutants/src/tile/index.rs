//! TSCATTER by index.

use std::collections::BTreeMap;

use ptodiff_isa::{
    Call, Fault, How, Log, Memory, Readings, Role, ScatterExtent, Target, TscatterIndex,
    Unaddressed,
};

use super::{get, get_mut};
use crate::{
    Mutant, Wrong,
    bytes::{self, Element, Put, in_tile, is_image, rectangle, valid},
    spoil,
};

/// The pieces of a scatter by index.
#[derive(Clone, Copy)]
pub(crate) struct Index {
    /// Positions of the source in the order they are served.
    lanes: fn(&TscatterIndex) -> Vec<(u64, u64)>,
    /// Number in the destination's image that an index selects.
    place: fn(&TscatterIndex, u64) -> u64,
    /// Which stores are made, and in which order.
    stores: fn(&TscatterIndex, &mut Vec<Put>),
}

impl Index {
    /// Every piece as the documents have it.
    pub(crate) const RIGHT: Self = Self {
        lanes: |call| valid(&call.src),
        place: |_, index| index,
        stores: |_, _| {},
    };

    /// Runs `call` if it is a scatter by index under the default readings, on
    /// whole images.
    ///
    /// # Errors
    /// If the memory lacks an operand.
    pub(crate) fn run(
        &self,
        call: &Call,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<bool, Fault> {
        let Call::TscatterIndex(call) = call else {
            return Ok(false);
        };
        let (src, idx) = (get(memory, Role::Source)?, get(memory, Role::Index)?);
        let fits = is_image(&call.src, src) && is_image(&call.idx, idx);
        if !fits || how.readings != Readings::default() {
            return Ok(false);
        }
        let (size, width) = (call.src.dtype.size(), call.idx.dtype.size());
        let mut puts = Vec::new();
        for (r, c) in (self.lanes)(call) {
            let number = |tile| i64::try_from(in_tile(tile, r, c)).unwrap_or(i64::MAX);
            let index = bytes::read(idx, number(&call.idx), width, log);
            let element = bytes::read(src, number(&call.src), size, log);
            puts.push(((self.place)(call, u64::from_le_bytes(index)), element));
        }
        (self.stores)(call, &mut puts);
        let dst = get_mut(memory, Role::Destination)?;
        bytes::write_all(dst, &puts, size, log);
        Ok(true)
    }
}

const RIGHT: Index = Index::RIGHT;

mutants_of!(TscatterIndex, Index);

fn padding_too(call: &TscatterIndex) -> Vec<(u64, u64)> {
    let cols = call.src.cols.min(call.idx.cols);
    rectangle(call.src.valid_row.get(), cols)
}

fn last_left_out(call: &TscatterIndex) -> Vec<(u64, u64)> {
    let mut all = (RIGHT.lanes)(call);
    all.pop();
    all
}

fn row_of_destination(call: &TscatterIndex, index: u64) -> u64 {
    let cols = call.dst.valid_col.get().max(1);
    index / cols * call.dst.cols + index % cols
}

pub(super) const ALL: &[Mutant] = &[
    of(
        "tscatter-cpu-first-writer-wins",
        Target::Cpu,
        "TSCATTER-CONF-03",
        "leaves the first writer of a contested slot",
        Index {
            stores: |_, stores| stores.reverse(),
            ..RIGHT
        },
    ),
    of(
        "tscatter-cpu-index-in-valid-region",
        Target::Cpu,
        "TSCATTER-SEM-04",
        "counts an index over the valid columns of the destination",
        Index {
            place: row_of_destination,
            ..RIGHT
        },
    ),
    with(
        "tscatter-cpu-clears-destination",
        Target::Cpu,
        "TSCATTER-GAP-02",
        "zeroes the destination before it scatters",
        Wrong::Reading(|readings| readings.tscatter_unaddressed = Unaddressed::Zero),
    ),
    with(
        "tscatter-cpu-extent-of-index",
        Target::Cpu,
        "TSCATTER-SEM-02",
        "runs over the valid region of the index tile",
        Wrong::Reading(|readings| readings.tscatter_extent = ScatterExtent::Index),
    ),
    of(
        "tscatter-cpu-last-left-out",
        Target::Cpu,
        "TSCATTER-SEM-01",
        "leaves out the last element",
        Index {
            lanes: last_left_out,
            ..RIGHT
        },
    ),
    of(
        "tscatter-a2a3-padding-lanes",
        Target::A2a3,
        "TSCATTER-SEM-02",
        "scatters the padding columns of the source, too",
        Index {
            lanes: padding_too,
            ..RIGHT
        },
    ),
    of(
        "tscatter-a2a3-index-in-bytes",
        Target::A2a3,
        "TSCATTER-SEM-04",
        "takes an index for a number of bytes",
        Index {
            place: |call, index| index / call.dst.dtype.size() as u64,
            ..RIGHT
        },
    ),
    of(
        "tscatter-a2a3-short-index",
        Target::A2a3,
        "TSCATTER-SEM-01",
        "reads the lower 6 bits of an index",
        Index {
            place: |_, index| index & 0x3F,
            ..RIGHT
        },
    ),
    of(
        "tscatter-a2a3-mixed-writers",
        Target::A2a3,
        "TSCATTER-CONF-02",
        "leaves bytes of two writers in a contested slot",
        Index {
            stores: |_, stores| {
                let first: BTreeMap<u64, Element> = stores.iter().rev().copied().collect();
                for (to, element) in stores {
                    if let Some(first) = first.get(to) {
                        element[0] = first[0];
                    }
                }
            },
            ..RIGHT
        },
    ),
    of(
        "tscatter-a2a3-row-selector",
        Target::A2a3,
        "TSCATTER-SEM-03",
        "takes an index for the number of a destination row",
        Index {
            place: |call, index| index * call.dst.cols % (call.dst.rows * call.dst.cols),
            ..RIGHT
        },
    ),
    with(
        "tscatter-a5-clears-destination",
        Target::A5,
        "TSCATTER-GAP-02",
        "zeroes the destination before it scatters",
        Wrong::Reading(|readings| readings.tscatter_unaddressed = Unaddressed::Zero),
    ),
    of(
        "tscatter-a5-last-left-out",
        Target::A5,
        "TSCATTER-SEM-01",
        "leaves out the last element",
        Index {
            lanes: last_left_out,
            ..RIGHT
        },
    ),
    of(
        "tscatter-a5-index-in-valid-region",
        Target::A5,
        "TSCATTER-SEM-04",
        "counts an index over the valid columns of the destination",
        Index {
            place: row_of_destination,
            ..RIGHT
        },
    ),
    with(
        "tscatter-a5-source-touched",
        Target::A5,
        "TSCATTER-SEM-05",
        "writes to the source that it reads",
        Wrong::Spoil(|_, _, after| spoil::first_byte(after, Role::Source)),
    ),
];
