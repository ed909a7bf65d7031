//! Gathers from GM, to UB and to L1, small and slow, in pieces of which a
//! mutant has one wrong.

mod a2a3;
mod a5;
mod cpu;
mod l1;
mod wrong;

use ptodiff_isa::{
    Call, Coalesce, DType, Dispatch, Fault, GatherExec, GatherOob, GlobalTensor, How, Layout, Log,
    Memory, Readings, Role, Target, Tile,
};

use crate::{
    Mutant,
    bytes::{self, Element, block_cols, in_tile, is_image, valid},
    table::{nz_place, product},
};

pub(crate) fn mutants() -> impl Iterator<Item = Mutant> {
    let all = [cpu::ALL, a2a3::ALL, a5::ALL, l1::ALL];
    all.into_iter().flatten().copied()
}

/// What a gather is about.
#[derive(Clone, Copy)]
pub(crate) struct GatherOperands {
    pub(crate) target: Target,
    pub(crate) table: GlobalTensor,
    pub(crate) dst: Tile,
    /// The index tile; none where the indices stand in GM.
    pub(crate) idx: Option<Tile>,
    pub(crate) row: bool,
    pub(crate) oob: GatherOob,
    pub(crate) simt: bool,
}

impl GatherOperands {
    fn of(call: &Call, target: Target) -> Option<Self> {
        match call {
            Call::Mgather(c) => Some(Self {
                target,
                table: c.table,
                dst: c.dst,
                idx: Some(c.idx),
                row: c.mode == Coalesce::Row,
                oob: c.oob,
                simt: false,
            }),
            Call::MgatherL1(c) => Some(Self {
                target,
                table: c.table,
                dst: c.dst,
                idx: None,
                row: c.mode == Coalesce::Row,
                oob: c.oob,
                simt: c.exec == GatherExec::Simt,
            }),
            _ => None,
        }
    }

    /// Whether the destination stands in L1.
    pub(crate) const fn l1(&self) -> bool {
        self.idx.is_none()
    }

    /// Whether the table is in blocks.
    pub(crate) fn nz(&self) -> bool {
        self.table.layout == Layout::NZ
    }

    pub(crate) const fn dtype(&self) -> DType {
        self.dst.dtype
    }

    /// Extent `d` of the table.
    pub(crate) const fn shape(&self, d: usize) -> u64 {
        self.table.shape[d].get()
    }
}

/// What an index leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// This row or slot.
    At(i64),
    /// A zero.
    Zero,
    /// Nothing: the destination is left alone.
    Left,
}

/// The pieces of a gather.
#[derive(Clone, Copy)]
pub(crate) struct Gather {
    /// Positions of the destination that are served.
    pub(crate) lanes: fn(&GatherOperands) -> Vec<(u64, u64)>,
    /// Number in the index operand of the index of a position.
    pub(crate) index: fn(&GatherOperands, u64, u64) -> u64,
    /// Rows or slots that an index may select.
    pub(crate) capacity: fn(&GatherOperands) -> u64,
    /// What an index leads to, by the capacity.
    pub(crate) remap: fn(&GatherOperands, u32, u64) -> Found,
    /// Number in the table of column `c` of what is selected.
    pub(crate) place: fn(&GatherOperands, i64, u64) -> i64,
    /// Number in the destination's image of a position.
    pub(crate) target: fn(&GatherOperands, u64, u64) -> u64,
    /// Whether the destination (or the scratch) is zero to begin with.
    pub(crate) cleared: fn(&GatherOperands) -> bool,
    /// What stands for zero.
    pub(crate) zero: fn(DType) -> Element,
}

impl Gather {
    /// Every piece as the documents have it.
    pub(crate) const RIGHT: Self = Self {
        lanes: |ops| valid(&ops.dst),
        index,
        capacity,
        remap,
        place,
        target: |ops, r, c| in_tile(&ops.dst, r, c),
        cleared: |ops| match (ops.l1(), ops.row) {
            (true, false) => true,
            (_, false) => false,
            (l1, true) => (l1 || ops.nz()) && ops.oob == GatherOob::Zero,
        },
        zero: |_| Element::default(),
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
        let Some(ops) = GatherOperands::of(call, target) else {
            return Ok(false);
        };
        let missing = |role| Fault(format!("the memory has no {role} operand"));
        let get = |role| memory.get(role).ok_or_else(|| missing(role));
        let (dst, idx) = (get(Role::Destination)?, get(Role::Index)?);
        let launched = call
            .launch()
            .is_none_or(|l| l.dispatch == Dispatch::Standard);
        let fits = is_image(&ops.dst, dst) && ops.idx.is_none_or(|tile| is_image(&tile, idx));
        let words = call
            .operand(Role::Index)
            .is_some_and(|o| o.dtype().size() == 4);
        let extents = ops.table.shape.iter().all(|d| d.get() > 0);
        let staged = ops.l1() && !ops.row;
        let image = dst.body().len();
        let room = !staged
            || memory
                .get(Role::Scratch)
                .is_some_and(|s| s.body().len() >= image);
        let plain = how.readings == Readings::default() && words;
        if !(launched && fits && extents && plain && room) {
            return Ok(false);
        }
        let (size, capacity) = (ops.dtype().size(), (self.capacity)(&ops).max(1));
        let table = get(Role::Table)?;
        let mut puts = Vec::new();
        for (r, c) in (self.lanes)(&ops) {
            let index = bytes::index(idx, (self.index)(&ops, r, c), log);
            let element = match (self.remap)(&ops, index, capacity) {
                Found::At(selected) => {
                    let at = (self.place)(&ops, selected, if ops.row { c } else { 0 });
                    bytes::read(table, at, size, log)
                }
                Found::Zero => (self.zero)(ops.dtype()),
                Found::Left => continue,
            };
            puts.push(((self.target)(&ops, r, c), element));
        }
        if ops.l1() && ops.row {
            // A transfer fills up the last block of its row (MGATHERL1-GAP-01).
            let width = block_cols(size);
            let cols = ops.dst.valid_col.get();
            let tail = cols..cols.next_multiple_of(width).min(ops.dst.cols);
            let moved =
                (0..ops.dst.valid_row.get()).flat_map(|r| tail.clone().map(move |c| (r, c)));
            let tails = moved.map(|(r, c)| ((self.target)(&ops, r, c), Element::default()));
            puts.extend(tails.collect::<Vec<_>>());
        }
        let into = if staged {
            Role::Scratch
        } else {
            Role::Destination
        };
        let Some(out) = memory.get_mut(into) else {
            return Err(missing(into));
        };
        if (self.cleared)(&ops) {
            out.body_mut()[..image].fill(0);
        }
        bytes::write_all(out, &puts, size, log);
        if staged {
            let whole = out.body()[..image].to_vec();
            if let Some(dst) = memory.get_mut(Role::Destination) {
                dst.body_mut().copy_from_slice(&whole);
            }
        }
        Ok(true)
    }
}

fn index(ops: &GatherOperands, r: u64, c: u64) -> u64 {
    match (ops.row, ops.idx) {
        (true, Some(idx)) if idx.valid_col.get() == 1 => in_tile(&idx, r, 0),
        (true, Some(idx)) => in_tile(&idx, 0, r),
        (false, Some(idx)) => in_tile(&idx, r, c),
        (true, None) => r,
        (false, None) => r * ops.dst.valid_col.get() + c,
    }
}

fn capacity(ops: &GatherOperands) -> u64 {
    match (ops.row, ops.target) {
        (false, _) => product(&ops.table, 5),
        (true, _) if ops.nz() => ops.shape(2).saturating_mul(16),
        (true, Target::Cpu | Target::A5) if !ops.l1() => ops.shape(3),
        (true, _) => product(&ops.table, 4),
    }
}

fn remap(ops: &GatherOperands, index: u32, capacity: u64) -> Found {
    let index = u64::from(index);
    let selected = match ops.oob {
        GatherOob::Undefined => index,
        GatherOob::Clamp => index.min(capacity - 1),
        GatherOob::Wrap => index % capacity,
        GatherOob::Zero if index >= capacity => return Found::Zero,
        GatherOob::Zero => index,
    };
    Found::At(selected.cast_signed())
}

fn place(ops: &GatherOperands, selected: i64, c: u64) -> i64 {
    if ops.nz() {
        return nz_place(&ops.table, ops.row, selected, c);
    }
    let pitch = match (ops.row, ops.target) {
        (false, _) => 1,
        (true, Target::Cpu) => ops.shape(4),
        (true, Target::A5) if !ops.l1() => ops.dst.valid_col.get(),
        (true, _) => ops.table.stride[3].get(),
    };
    at(selected, pitch, c)
}

/// Column `c` of row `row`, rows being `pitch` apart.
fn at(row: i64, pitch: u64, c: u64) -> i64 {
    let [pitch, c] = [pitch, c].map(|n| i64::try_from(n).unwrap_or(i64::MAX));
    row.saturating_mul(pitch).saturating_add(c)
}
