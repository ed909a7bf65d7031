//! A call in small, slow steps of which a mutant has one wrong, for what no other
//! call, no other reading and no spoiled result shows.

use std::collections::BTreeMap;

use ptodiff_isa::{
    CacheFlush, Call, End, Fault, How, Log, Memory, Model, Readings, Role, ScatterOob, Unaddressed,
};
use ptodiff_memory::Bus;

use crate::{
    number::combined,
    operands::{Operands, block_cols, rectangle},
};

/// One element on its way.
#[derive(Clone, Copy)]
pub(crate) struct Move {
    /// Its position in the tile.
    pub(crate) r: u64,
    pub(crate) c: u64,
    /// Its index as it was read.
    pub(crate) index: u64,
    /// The byte that was selected; none where the policy lets nothing be.
    pub(crate) slot: Option<i64>,
    /// What is moved.
    pub(crate) value: u64,
}

/// All that are made, in their order.
pub(crate) type MoveList = Vec<Move>;

/// What a scatter writes to.
pub(crate) struct Sink<'a, 'm> {
    bus: &'a mut Bus<'m>,
    role: Role,
    size: usize,
}

impl Sink<'_, '_> {
    pub(crate) fn get(&mut self, at: i64) -> u64 {
        self.bus.read(self.role, at, self.size)
    }

    pub(crate) fn put(&mut self, at: i64, value: u64) {
        self.bus.write(self.role, at, self.size, value);
    }

    /// One value after the other, each put as `combine` makes it of old and new.
    pub(crate) fn each(&mut self, puts: &[(i64, u64)], combine: impl Fn(u64, u64) -> u64) {
        for (at, new) in puts {
            let old = self.get(*at);
            self.put(*at, combine(old, *new));
        }
    }
}

/// The positions of the tile that are served, in their order.
pub(crate) type Lanes = fn(&Operands) -> Vec<(u64, u64)>;
/// The row or slot that an index selects, by the capacity.
pub(crate) type Remap = fn(&Operands, u64, u64) -> Option<i64>;
/// Elements from one row of the table to the next.
pub(crate) type Pitch = fn(&Operands) -> u64;
/// Which moves of a scatter are made, and in which order.
pub(crate) type Moves = fn(&Operands, &mut MoveList);
/// Makes those that have a slot.
pub(crate) type Apply = fn(&Operands, &[(i64, u64)], &mut Sink<'_, '_>);

/// The steps of a call. The destination of a gather is first as the right model
/// leaves it, and what is served is then put over that.
#[derive(Clone, Copy)]
pub(crate) struct Walk {
    pub(crate) lanes: Lanes,
    pub(crate) remap: Remap,
    pub(crate) pitch: Pitch,
    pub(crate) moves: Moves,
    pub(crate) apply: Apply,
}

impl Walk {
    /// Every step as the documents have it.
    pub(crate) const RIGHT: Self = Self {
        lanes,
        remap,
        pitch: Operands::pitch,
        moves: |_, _| {},
        apply,
    };

    /// Runs `call` if all is plain, and says whether it did.
    ///
    /// # Errors
    /// If the memory lacks an operand, or the right model has none.
    pub(crate) fn run(
        &self,
        call: &Call,
        right: &dyn Model,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<bool, Fault> {
        let mut call = *call;
        if let Some(launch) = call.launch_mut() {
            // What is written may show where nothing flushes it.
            launch.flush = CacheFlush::Appended;
        }
        let call = &call;
        let ops = Operands::of(call, right.target(), &how.readings);
        let Some(ops) = ops.filter(|ops| ops.is_plain(call, memory)) else {
            return Ok(false);
        };
        if how.readings != Readings::default() {
            // Where the right steps do not follow the readings, wrong ones would mean nothing.
            let mut ours = (memory.clone(), Log::default());
            let mut theirs = ours.clone();
            let (memory, log) = (&mut ours.0, &mut ours.1);
            let follows = Self::RIGHT.steps(&ops, call, right, memory, how, log)?
                && right.execute(call, &mut theirs.0, how, &mut theirs.1)? == End::Finished
                && ours == theirs;
            if !follows {
                return Ok(false);
            }
        }
        self.steps(&ops, call, right, memory, how, log)
    }

    /// Runs `call`, and says whether it did: not where the right model of a gather hangs.
    fn steps(
        &self,
        ops: &Operands,
        call: &Call,
        right: &dyn Model,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<bool, Fault> {
        if ops.gathers() && right.execute(call, memory, how, &mut Log::default())? != End::Finished
        {
            return Ok(false);
        }
        // Before the first write (TSCATTER-GAP-02).
        if how.readings.tscatter_unaddressed == Unaddressed::Zero
            && let Call::TscatterIndex(_) = call
            && let Some(destination) = memory.get_mut(Role::Destination)
        {
            destination.body_mut().fill(0);
        }
        let bus = &mut Bus::new(memory, log);
        bus.require(&[ops.far, ops.near, Role::Index])?;
        let size = ops.dtype().size();
        let pitch = (self.pitch)(ops);
        let mut moves = Vec::new();
        for (r, c) in (self.lanes)(ops) {
            let index = bus.read(Role::Index, ops.index_at(r, c), ops.index_size);
            let selected = (self.remap)(ops, index, ops.capacity());
            let slot = selected.map(|selected| ops.slot(selected, pitch, c));
            let value = match slot {
                Some(slot) if ops.gathers() => bus.read(ops.far, slot, size),
                None if ops.gathers() => 0,
                _ => bus.read(ops.near, ops.tile_at(r, c), size),
            };
            moves.push(Move {
                r,
                c,
                index,
                slot,
                value,
            });
        }
        if ops.gathers() {
            for one in moves {
                bus.write(ops.near, ops.tile_at(one.r, one.c), size, one.value);
            }
        } else {
            (self.moves)(ops, &mut moves);
            let role = ops.far;
            (self.apply)(ops, &puts(&moves), &mut Sink { bus, role, size });
        }
        Ok(true)
    }
}

pub(crate) fn lanes(ops: &Operands) -> Vec<(u64, u64)> {
    let valid = rectangle(ops.tile.valid_row.get(), ops.tile.valid_col.get());
    let mut all: Vec<(u64, u64)> = valid.collect();
    if ops.nz() && !ops.row {
        // By column block, then row (MSCATTER-NZ-13).
        let width = block_cols(&ops.tile);
        all.sort_by_key(|(r, c)| (c / width, *r));
    }
    all
}

pub(crate) fn remap(ops: &Operands, index: u64, capacity: u64) -> Option<i64> {
    let selected = match ops.oob {
        ScatterOob::Undefined => index,
        ScatterOob::Skip if index >= capacity => return None,
        ScatterOob::Skip => index,
        ScatterOob::Clamp => index.min(capacity - 1),
        ScatterOob::Wrap => index % capacity,
    };
    Some(selected.cast_signed())
}

pub(crate) fn apply(ops: &Operands, puts: &[(i64, u64)], sink: &mut Sink<'_, '_>) {
    sink.each(puts, |old, new| combined(ops.atomic, ops.dtype(), old, new));
}

/// The slot and the value of those that have a slot.
pub(crate) fn puts(moves: &[Move]) -> Vec<(i64, u64)> {
    let puts = moves.iter().filter_map(|one| Some((one.slot?, one.value)));
    puts.collect()
}

/// What is moved to every slot, in the order of the moves.
pub(crate) fn by_slot(puts: &[(i64, u64)]) -> BTreeMap<i64, Vec<u64>> {
    let mut all = BTreeMap::<_, Vec<u64>>::new();
    for (slot, value) in puts {
        all.entry(*slot).or_default().push(*value);
    }
    all
}
