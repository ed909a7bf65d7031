//! Scatters to GM, small and slow, in pieces of which a mutant has one wrong.

mod a2a3;
mod a5;
mod cpu;
mod first;
mod wrong;

use ptodiff_isa::{
    Call, DType, Fault, GlobalTensor, How, Layout, Log, Memory, Readings, Region, Role,
    ScatterAtomicOp, ScatterConflict, ScatterOob, Target, Tile,
};

use crate::{
    Mutant,
    bytes::{self, Element, block_cols, in_tile, is_image, valid},
    number::combined,
    table::{nz_place, product},
};

pub(crate) fn mutants() -> impl Iterator<Item = Mutant> {
    let all = [cpu::ALL, a2a3::ALL, a5::ALL, first::ALL];
    all.into_iter().flatten().copied()
}

/// What a scatter of either revision is about.
#[derive(Clone, Copy)]
pub(crate) struct ScatterOperands {
    pub(crate) target: Target,
    pub(crate) table: GlobalTensor,
    pub(crate) src: Tile,
    pub(crate) idx: Tile,
    pub(crate) row: bool,
    pub(crate) first: bool,
    pub(crate) atomic: ScatterAtomicOp,
    pub(crate) oob: ScatterOob,
    pub(crate) last: bool,
}

impl ScatterOperands {
    fn of(call: &Call, target: Target) -> Option<Self> {
        match call {
            // The CPU simulator has no parameters (000, CPU Reference Form).
            Call::Mscatter(c) if target == Target::Cpu => Some(Self {
                target,
                table: c.table,
                src: c.src,
                idx: c.idx,
                row: false,
                first: false,
                atomic: ScatterAtomicOp::None,
                oob: ScatterOob::Undefined,
                last: true,
            }),
            Call::Mscatter(c) => Some(Self {
                target,
                table: c.table,
                src: c.src,
                idx: c.idx,
                row: c.mode == ptodiff_isa::Coalesce::Row,
                first: false,
                atomic: c.atomic,
                oob: c.oob,
                last: c.conflict == ScatterConflict::Last,
            }),
            Call::MscatterFirst(c) => Some(Self {
                target,
                table: c.table,
                src: c.src,
                idx: c.idx,
                row: c.idx.cols == 1,
                first: true,
                atomic: c.atomic,
                oob: c.oob,
                last: false,
            }),
            _ => None,
        }
    }

    /// Whether the table is in blocks.
    pub(crate) fn nz(&self) -> bool {
        self.table.layout == Layout::NZ
    }

    pub(crate) const fn dtype(&self) -> DType {
        self.src.dtype
    }

    /// Extent `d` of the table.
    pub(crate) const fn shape(&self, d: usize) -> u64 {
        self.table.shape[d].get()
    }
}

/// One element on its way.
#[derive(Clone, Copy)]
pub(crate) struct Store {
    /// Its position in the source.
    pub(crate) r: u64,
    pub(crate) c: u64,
    /// Its index as it was read.
    pub(crate) index: u32,
    /// Its number in the source's image.
    pub(crate) from: u64,
    /// Its number in the table.
    pub(crate) to: i64,
}

/// The table as it is scattered to.
pub(crate) struct Sink<'a> {
    pub(crate) table: &'a mut Region,
    pub(crate) log: &'a mut Log,
    size: usize,
}

impl Sink<'_> {
    pub(crate) fn get(&mut self, number: i64) -> Element {
        bytes::read(self.table, number, self.size, self.log)
    }

    pub(crate) fn put(&mut self, number: i64, element: Element) {
        bytes::write(self.table, number, self.size, element, self.log);
    }
}

/// The pieces of a scatter.
#[derive(Clone, Copy)]
pub(crate) struct Scatter {
    /// Positions of the source in the order they are served.
    pub(crate) lanes: fn(&ScatterOperands) -> Vec<(u64, u64)>,
    /// Number in the index tile's image of the index of a position.
    pub(crate) index: fn(&ScatterOperands, u64, u64) -> u64,
    /// Rows or slots that an index may select.
    pub(crate) capacity: fn(&ScatterOperands) -> u64,
    /// What an index selects, by the capacity.
    pub(crate) remap: fn(&ScatterOperands, u32, u64) -> Option<i64>,
    /// Number in the source's image of a position.
    pub(crate) source: fn(&ScatterOperands, u64, u64) -> u64,
    /// Number in the table of column `c` of what is selected.
    pub(crate) place: fn(&ScatterOperands, i64, u64) -> i64,
    /// Which stores are made, and in which order.
    pub(crate) stores: fn(&ScatterOperands, &mut Vec<Store>),
    /// Makes them, with the source's elements.
    pub(crate) apply: fn(&ScatterOperands, &[(Store, Element)], &mut Sink<'_>),
}

impl Scatter {
    /// Every piece as the documents have it.
    pub(crate) const RIGHT: Self = Self {
        lanes,
        index,
        capacity,
        remap,
        source,
        place,
        stores: |_, _| {},
        apply: |ops, all, sink| {
            each(all, sink, |old, new| {
                combined(ops.atomic, ops.dtype(), old, new)
            });
        },
    };

    /// Runs `call` if it is one of those that these pieces are for: under the
    /// default readings, launched as it should be, on whole images.
    ///
    /// # Errors
    /// If the memory lacks an operand.
    pub(crate) fn run(
        &self,
        call: &Call,
        target: Target,
        memory: &mut Memory,
        how: &How,
        log: &mut Log,
    ) -> Result<bool, Fault> {
        let Some(ops) = ScatterOperands::of(call, target) else {
            return Ok(false);
        };
        let get = |role| {
            let region = memory.get(role);
            region.ok_or_else(|| Fault(format!("the memory has no {role} operand")))
        };
        let (src, idx) = (get(Role::Source)?, get(Role::Index)?);
        let launched = call.launch().is_none_or(|l| {
            l.dispatch == ptodiff_isa::Dispatch::Standard
                && l.flush == ptodiff_isa::CacheFlush::Appended
        });
        let fits = is_image(&ops.src, src) && is_image(&ops.idx, idx);
        let extents = ops.table.shape.iter().all(|d| d.get() > 0);
        let plain = how.readings == Readings::default() && ops.idx.dtype.size() == 4;
        if !(launched && fits && extents && plain) {
            return Ok(false);
        }
        let capacity = (self.capacity)(&ops).max(1);
        let mut stores = Vec::new();
        for (r, c) in (self.lanes)(&ops) {
            let index = bytes::index(idx, (self.index)(&ops, r, c), log);
            if let Some(selected) = (self.remap)(&ops, index, capacity) {
                stores.push(Store {
                    r,
                    c,
                    index,
                    from: (self.source)(&ops, r, c),
                    to: (self.place)(&ops, selected, if ops.row { c } else { 0 }),
                });
            }
        }
        (self.stores)(&ops, &mut stores);
        let size = ops.dtype().size();
        let with = |store: Store| {
            let from = i64::try_from(store.from).unwrap_or(i64::MAX);
            (store, bytes::read(src, from, size, log))
        };
        let all: Vec<(Store, Element)> = stores.into_iter().map(with).collect();
        let Some(table) = memory.get_mut(Role::Table) else {
            return Err(Fault("the memory has no table operand".to_owned()));
        };
        (self.apply)(&ops, &all, &mut Sink { table, log, size });
        Ok(true)
    }
}

/// One store after the other, each of what `combine` makes of old and new.
pub(crate) fn each(
    all: &[(Store, Element)],
    sink: &mut Sink<'_>,
    combine: impl Fn(Element, Element) -> Element,
) {
    for (store, new) in all {
        let old = sink.get(store.to);
        sink.put(store.to, combine(old, *new));
    }
}

fn lanes(ops: &ScatterOperands) -> Vec<(u64, u64)> {
    let mut all = valid(&ops.src);
    if ops.nz() && !ops.row {
        // By column block, then row (MSCATTER-NZ-13).
        let width = block_cols(ops.dtype().size());
        all.sort_by_key(|(r, c)| (c / width, *r));
    }
    all
}

fn index(ops: &ScatterOperands, r: u64, c: u64) -> u64 {
    match (ops.row, ops.idx.valid_col.get()) {
        (true, 1) => in_tile(&ops.idx, r, 0),
        (true, _) => in_tile(&ops.idx, 0, r),
        (false, _) => in_tile(&ops.idx, r, c),
    }
}

fn capacity(ops: &ScatterOperands) -> u64 {
    match (ops.row, ops.target) {
        (false, _) if ops.first => ops.shape(3).saturating_mul(ops.shape(4)),
        (false, _) => product(&ops.table, 5),
        (true, Target::A5) => ops.shape(3),
        (true, _) if ops.nz() => ops.shape(2).saturating_mul(16),
        (true, _) => product(&ops.table, 4),
    }
}

fn remap(ops: &ScatterOperands, index: u32, capacity: u64) -> Option<i64> {
    let index = u64::from(index);
    let selected = match ops.oob {
        ScatterOob::Undefined => index,
        ScatterOob::Skip if index >= capacity => return None,
        ScatterOob::Skip => index,
        ScatterOob::Clamp => index.min(capacity - 1),
        ScatterOob::Wrap => index % capacity,
    };
    i64::try_from(selected).ok()
}

fn source(ops: &ScatterOperands, r: u64, c: u64) -> u64 {
    in_tile(&ops.src, r, c)
}

fn place(ops: &ScatterOperands, selected: i64, c: u64) -> i64 {
    if ops.nz() {
        return nz_place(&ops.table, ops.row, selected, c);
    }
    let pitch = match (ops.row, ops.target) {
        (false, _) => 1,
        (true, Target::A5) => ops.src.valid_col.get(),
        (true, _) => ops.table.stride[3].get(),
    };
    at(selected, pitch, c)
}

/// Column `c` of row `row`, rows being `pitch` apart.
pub(crate) fn at(row: i64, pitch: u64, c: u64) -> i64 {
    let [pitch, c] = [pitch, c].map(|n| i64::try_from(n).unwrap_or(i64::MAX));
    row.saturating_mul(pitch).saturating_add(c)
}
