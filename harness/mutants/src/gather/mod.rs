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
pub(crate) struct Job {
    pub(crate) target: Target,
    pub(crate) table: GlobalTensor,
    pub(crate) dst: Tile,
    /// The index tile; none where the indices stand in GM.
    pub(crate) idx: Option<Tile>,
    pub(crate) row: bool,
    pub(crate) oob: GatherOob,
    pub(crate) simt: bool,
}

impl Job {
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
    pub(crate) lanes: fn(&Job) -> Vec<(u64, u64)>,
    /// Number in the index operand of the index of a position.
    pub(crate) index: fn(&Job, u64, u64) -> u64,
    /// Rows or slots that an index may select.
    pub(crate) capacity: fn(&Job) -> u64,
    /// What an index leads to, by the capacity.
    pub(crate) remap: fn(&Job, u32, u64) -> Found,
    /// Number in the table of column `c` of what is selected.
    pub(crate) place: fn(&Job, i64, u64) -> i64,
    /// Number in the destination's image of a position.
    pub(crate) target: fn(&Job, u64, u64) -> u64,
    /// Whether the destination (or the scratch) is zero to begin with.
    pub(crate) cleared: fn(&Job) -> bool,
    /// What stands for zero.
    pub(crate) zero: fn(DType) -> Element,
}

impl Gather {
    /// Every piece as the documents have it.
    pub(crate) const RIGHT: Self = Self {
        lanes: |job| valid(&job.dst),
        index,
        capacity,
        remap,
        place,
        target: |job, r, c| in_tile(&job.dst, r, c),
        cleared: |job| match (job.l1(), job.row) {
            (true, false) => true,
            (_, false) => false,
            (l1, true) => (l1 || job.nz()) && job.oob == GatherOob::Zero,
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
        let Some(job) = Job::of(call, target) else {
            return Ok(false);
        };
        let missing = |role| Fault(format!("the memory has no {role} operand"));
        let get = |role| memory.get(role).ok_or_else(|| missing(role));
        let (dst, idx) = (get(Role::Destination)?, get(Role::Index)?);
        let launched = call
            .launch()
            .is_none_or(|l| l.dispatch == Dispatch::Standard);
        let fits = is_image(&job.dst, dst) && job.idx.is_none_or(|tile| is_image(&tile, idx));
        let words = call
            .operand(Role::Index)
            .is_some_and(|o| o.dtype().size() == 4);
        let extents = job.table.shape.iter().all(|d| d.get() > 0);
        let staged = job.l1() && !job.row;
        let image = dst.body().len();
        let room = !staged
            || memory
                .get(Role::Scratch)
                .is_some_and(|s| s.body().len() >= image);
        let plain = how.readings == Readings::default() && words;
        if !(launched && fits && extents && plain && room) {
            return Ok(false);
        }
        let (size, capacity) = (job.dtype().size(), (self.capacity)(&job).max(1));
        let table = get(Role::Table)?;
        let mut puts = Vec::new();
        for (r, c) in (self.lanes)(&job) {
            let index = bytes::index(idx, (self.index)(&job, r, c), log);
            let element = match (self.remap)(&job, index, capacity) {
                Found::At(selected) => {
                    let at = (self.place)(&job, selected, if job.row { c } else { 0 });
                    bytes::read(table, at, size, log)
                }
                Found::Zero => (self.zero)(job.dtype()),
                Found::Left => continue,
            };
            puts.push(((self.target)(&job, r, c), element));
        }
        if job.l1() && job.row {
            // A transfer fills up the last block of its row (MGATHERL1-GAP-01).
            let width = block_cols(size);
            let cols = job.dst.valid_col.get();
            let tail = cols..cols.next_multiple_of(width).min(job.dst.cols);
            let moved =
                (0..job.dst.valid_row.get()).flat_map(|r| tail.clone().map(move |c| (r, c)));
            let tails = moved.map(|(r, c)| ((self.target)(&job, r, c), Element::default()));
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
        if (self.cleared)(&job) {
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

fn index(job: &Job, r: u64, c: u64) -> u64 {
    match (job.row, job.idx) {
        (true, Some(idx)) if idx.valid_col.get() == 1 => in_tile(&idx, r, 0),
        (true, Some(idx)) => in_tile(&idx, 0, r),
        (false, Some(idx)) => in_tile(&idx, r, c),
        (true, None) => r,
        (false, None) => r * job.dst.valid_col.get() + c,
    }
}

fn capacity(job: &Job) -> u64 {
    match (job.row, job.target) {
        (false, _) => product(&job.table, 5),
        (true, _) if job.nz() => job.shape(2).saturating_mul(16),
        (true, Target::Cpu | Target::A5) if !job.l1() => job.shape(3),
        (true, _) => product(&job.table, 4),
    }
}

fn remap(job: &Job, index: u32, capacity: u64) -> Found {
    let index = u64::from(index);
    let selected = match job.oob {
        GatherOob::Undefined => index,
        GatherOob::Clamp => index.min(capacity - 1),
        GatherOob::Wrap => index % capacity,
        GatherOob::Zero if index >= capacity => return Found::Zero,
        GatherOob::Zero => index,
    };
    Found::At(selected.cast_signed())
}

fn place(job: &Job, selected: i64, c: u64) -> i64 {
    if job.nz() {
        return nz_place(&job.table, job.row, selected, c);
    }
    let pitch = match (job.row, job.target) {
        (false, _) => 1,
        (true, Target::Cpu) => job.shape(4),
        (true, Target::A5) if !job.l1() => job.dst.valid_col.get(),
        (true, _) => job.table.stride[3].get(),
    };
    at(selected, pitch, c)
}

/// Column `c` of row `row`, rows being `pitch` apart.
fn at(row: i64, pitch: u64, c: u64) -> i64 {
    let [pitch, c] = [pitch, c].map(|n| i64::try_from(n).unwrap_or(i64::MAX));
    row.saturating_mul(pitch).saturating_add(c)
}
