//! A call as the relations see it: lanes, each with an index, the elements that it
//! serves and a slot. Whether it is legal and what is promised of it the contract says.

use ptodiff_data::place;
use ptodiff_isa::{
    AddOverflow, BLayout, BurstTail, Call, Coalesce, CpuForm, DType, Dim, FirstMode,
    FirstRowCapacity, GlobalTensor, IndexUnit, L1IndexPitch, LastBy, Layout, Memory, MgatherL1,
    Mscatter, NegativeIndex, NzElemOrder, OffsetBoundary, OffsetGranularity, Operand, Readings,
    Role, ScatterAtomicOp, ScatterConflict, ScatterExtent, ScatterIndex, ScatterOob, ScatterRange,
    Target, Tgatherb, Tile, TscatterIndex, UnalignedOffset, UndefinedLast,
};

use super::reach::{Policy, Reach, Slots};
use crate::dims::table_slots;
use crate::words::{bytes, words};

/// Bytes that bursts are of, and what one offset of TGATHERB serves where it serves a
/// block (MSCATTER-GAP-28, TGATHERB-GAP-14).
const BLOCK_BYTES: usize = 32;

/// Goes on only where something holds.
pub(super) fn demand(holds: bool) -> Option<()> {
    holds.then_some(())
}

/// The lanes of a legal call.
pub(super) struct Lanes {
    /// The call. Of its indices, and of the source of TSCATTER, no more is valid than
    /// is read.
    call: Call,
    pub(super) target: Target,
    /// Whether an index is one of a whole table row.
    pub(super) by_row: bool,
    /// Columns that one index serves.
    pub(super) width: usize,
    pub(super) reach: Reach,
    /// The atomic of a scatter that the target honours.
    pub(super) atomic: Option<ScatterAtomicOp>,
    readings: Readings,
}

impl Lanes {
    /// Those of a legal `call`. None where it runs over nothing, has no indices, or
    /// where another edition says what they count.
    pub(super) fn of(call: &Call, target: Target, readings: &Readings) -> Option<Self> {
        // Relations know the indices of the documents' own edition.
        demand(readings.index_unit == IndexUnit::Element)?;
        demand(readings.tscatter_index == ScatterIndex::Flat)?;
        let mut call = *call;
        if let Call::Mscatter(c) = &mut call
            && (target, readings.cpu_form) == (Target::Cpu, CpuForm::Documented)
        {
            // It knows no policies (MSCATTER-SEM-03, -ATOM-18, -OOB-17).
            c.mode = Coalesce::Elem;
            (c.atomic, c.oob) = (ScatterAtomicOp::None, ScatterOob::Undefined);
        }
        let by_row = match &call {
            Call::MscatterFirst(c) => {
                let either = c.src.cols == 1 && readings.first_mode == FirstMode::Elem;
                c.idx.cols == 1 && !either
            }
            call => call.mode() == Some(Coalesce::Row),
        };
        let slots = call.table().map_or(0, |table| {
            let outer = target == Target::A2a3 || matches!(call, Call::MgatherL1(_));
            table_slots(table, by_row, outer)
        });
        let mut width = 1;
        if by_row {
            width = call.data_tile().valid_col.get() as usize;
        }
        let mut atomic = None;
        let beyond = beyond(&call);
        let (capacity, policy) = match &mut call {
            Call::Mscatter(c) => {
                demand(!(target == Target::A2a3 && by_row) || ends_with_its_columns(c, readings))?;
                atomic = Some(c.atomic);
                let policy = if owns(c, target, readings) {
                    Policy::Drop
                } else {
                    beyond
                };
                (slots, policy)
            }
            Call::MscatterFirst(c) => {
                atomic = Some(c.atomic);
                // A row that the policy lets through may lie outside (MSCATTER0-GAP-03).
                let elements = readings.first_row_capacity == FirstRowCapacity::Elements;
                let capacity = table_slots(&c.table, by_row && !elements, false);
                (capacity, beyond)
            }
            Call::Mgather(_) => (slots, beyond),
            Call::MgatherL1(c) => {
                c.idx = indices_in_gm(c, readings);
                (slots, beyond)
            }
            Call::TscatterIndex(c) => {
                atomic = Some(ScatterAtomicOp::None);
                storage(c, readings)
            }
            Call::Tgatherb(c) => {
                width = offset_width(c, readings)?;
                offsets(c, width, target, readings)?
            }
            Call::TscatterMask(_) => return None,
        };
        let index = call.operand(Role::Index)?.dtype();
        let templated = readings.cpu_form == CpuForm::Templated;
        let negative = match (call, target) {
            (Call::TscatterIndex(_), _) => readings.tscatter_negative_index,
            (Call::Mscatter(_), Target::Cpu) if templated => readings.negative_index,
            // It casts (001).
            (_, Target::Cpu) => NegativeIndex::Unsigned,
            (_, Target::A2a3 | Target::A5) => readings.negative_index,
        };
        let mut reach = Reach::new(capacity, policy, index, negative);
        if let Call::MscatterFirst(_) = call {
            reach.exists = slots;
        }
        let lanes = Self {
            call,
            target,
            by_row,
            width,
            reach,
            atomic,
            readings: *readings,
        };
        let [rows, cols] = [lanes.rows(), lanes.cols()];
        demand(capacity > 0 && rows > 0 && cols > 0)?;
        Some(lanes)
    }

    /// The tile over which the call runs.
    pub(super) const fn data(&self) -> &Tile {
        self.call.data_tile()
    }

    /// The table in GM, where there is one.
    pub(super) const fn table(&self) -> Option<&GlobalTensor> {
        self.call.table()
    }

    /// Rows that the call runs over.
    pub(super) const fn rows(&self) -> usize {
        self.data().valid_row.get() as usize
    }

    /// Columns that the call runs over.
    pub(super) const fn cols(&self) -> usize {
        self.data().valid_col.get() as usize
    }

    /// Lanes: indices that the call reads.
    pub(super) const fn count(&self) -> usize {
        self.rows().saturating_mul(self.cols()) / self.width
    }

    /// The values of an operand in logical order. None where `memory` lacks some.
    pub(super) fn take(&self, memory: &Memory, role: Role) -> Option<Vec<u8>> {
        place::take(self.call.operand(role)?, memory.get(role)?.body())
    }

    /// Puts `values`, in logical order, into an operand.
    pub(super) fn put(&self, memory: &mut Memory, role: Role, values: &[u8]) -> Option<()> {
        let operand = self.call.operand(role)?;
        place::put(operand, values, memory.get_mut(role)?.body_mut())
    }

    /// The bits of the values of an operand, as [`Lanes::take`] has them.
    pub(super) fn values(&self, memory: &Memory, role: Role) -> Option<Vec<u64>> {
        let size = self.call.operand(role)?.dtype().size();
        Some(words(&self.take(memory, role)?, size).collect())
    }

    /// Makes `indices` those of the lanes.
    pub(super) fn put_indices(&self, memory: &mut Memory, indices: Vec<u64>) -> Option<()> {
        let size = self.call.operand(Role::Index)?.dtype().size();
        self.put(memory, Role::Index, &bytes(indices, size))
    }

    /// Where the values of an operand stand in its body, in elements.
    pub(super) fn places(&self, role: Role) -> Option<Vec<usize>> {
        let operand = self.call.operand(role)?;
        let mut places = Vec::new();
        place::each(operand, &mut |at| {
            places.push(at / operand.dtype().size());
            Some(())
        })?;
        Some(places)
    }

    /// The slots that the lanes select. None where indices are missing, or where nothing
    /// is said of one of a scatter, of any of a gather: whose own lane it spoils.
    pub(super) fn slots(&self, memory: &Memory) -> Option<Slots> {
        let indices = self.values(memory, Role::Index)?.into_iter();
        let slots = Slots::new(indices.map(|index| self.reach.slot(index)).collect());
        let usable = match self.atomic {
            Some(_) => !slots.any_open(),
            None => !slots.all_open(),
        };
        usable.then_some(slots)
    }

    /// Whether lanes that select one of `slots` come to the same in any order, as far
    /// as what they come to is promised.
    pub(super) fn commute(&self, slots: &Slots) -> bool {
        // MSCATTER-GAP-05.
        let wraps = match self.readings.add_overflow {
            AddOverflow::Wrap => true,
            AddOverflow::Saturate => self.target == Target::Cpu,
            AddOverflow::Mte3Saturates => !(self.target == Target::A2a3 && self.by_row),
        };
        let commutes = match self.atomic {
            Some(ScatterAtomicOp::None) => false,
            Some(ScatterAtomicOp::Add) => self.data().dtype.is_integer() && wraps,
            Some(ScatterAtomicOp::Max | ScatterAtomicOp::Min) | None => true,
        };
        commutes || slots.distinct()
    }

    /// Whether of two rows that write one of `slots` the lower one comes later, or it
    /// does not matter.
    pub(super) fn in_row_order(&self, slots: &Slots) -> bool {
        let table = self.call.table();
        let by_storage = match self.target {
            Target::Cpu => false,
            // MSCATTER-GAP-08.
            Target::A2a3 => {
                table.is_some_and(|table| table.layout == Layout::NZ)
                    && self.readings.nz_elem_order == NzElemOrder::Walk
            }
            // MSCATTER-GAP-72.
            Target::A5 => {
                let index = self.call.operand(Role::Index).and_then(Operand::tile);
                let mut tiles = index.into_iter().chain([self.data()]);
                tiles.any(|tile| tile.blayout == BLayout::ColMajor)
                    && self.readings.last_by == LastBy::Storage
            }
        };
        // Writers of one slot of a row are in the order of their rows in either storage.
        self.by_row || !by_storage || self.commute(slots)
    }
}

/// Whether a burst of a row brings nothing of the padding to an ND table (MSCATTER-GAP-28).
fn ends_with_its_columns(call: &Mscatter, readings: &Readings) -> bool {
    let bytes = call
        .src
        .valid_col
        .get()
        .saturating_mul(call.src.dtype.size() as u64);
    call.table.layout != Layout::ND
        || readings.burst_tail != BurstTail::Rounded
        || bytes.is_multiple_of(BLOCK_BYTES as u64)
}

/// Whether lanes own slots, which are below capacity, so that an index beyond is dropped
/// under Undefined too (MSCATTER-GAP-10).
fn owns(call: &Mscatter, target: Target, readings: &Readings) -> bool {
    target == Target::A5
        && call.atomic == ScatterAtomicOp::None
        && call.conflict == ScatterConflict::Last
        && call.oob == ScatterOob::Undefined
        && readings.undefined_last == UndefinedLast::Dropped
}

/// The indices that a gather to L1 reads, as a tensor that has no others (MGATHERL1-GAP-03).
fn indices_in_gm(call: &MgatherL1, readings: &Readings) -> GlobalTensor {
    let [rows, cols] = [call.dst.valid_row, call.dst.valid_col].map(Dim::get);
    let linear = match call.mode {
        Coalesce::Row => packed(call.idx.dtype, [1, rows]),
        Coalesce::Elem => packed(call.idx.dtype, [rows, cols]),
    };
    match readings.l1_index_pitch {
        L1IndexPitch::Linear => linear,
        L1IndexPitch::Strided => GlobalTensor {
            stride: call.idx.stride,
            ..linear
        },
    }
}

/// A tensor of `rows` by `cols` elements without gaps.
pub(super) fn packed(dtype: DType, [rows, cols]: [u64; 2]) -> GlobalTensor {
    let all = rows.saturating_mul(cols);
    GlobalTensor {
        dtype,
        shape: [1, 1, 1, rows, cols].map(Dim::Static),
        stride: [all, all, all, cols, 1].map(Dim::Static),
        layout: Layout::ND,
    }
}

/// The slots of TSCATTER (TSCATTER-GAP-05), whose tiles are cut to what is read.
fn storage(call: &mut TscatterIndex, readings: &Readings) -> (u64, Policy) {
    let TscatterIndex { dst, src, idx } = call;
    match readings.tscatter_extent {
        ScatterExtent::Source => cut(idx, [src.valid_row, src.valid_col]),
        ScatterExtent::Index => cut(src, [idx.valid_row, idx.valid_col]),
    }
    let [rows, cols] = [dst.valid_row, dst.valid_col].map(Dim::get);
    let (lines, pitch, inner) = match (readings.tscatter_range, dst.blayout) {
        (ScatterRange::Storage, _) => (dst.rows, dst.cols, dst.cols),
        (ScatterRange::Valid, BLayout::RowMajor) => (rows, dst.cols, cols),
        (ScatterRange::Valid, BLayout::ColMajor) => (cols, dst.rows, rows),
    };
    (
        lines.saturating_mul(pitch),
        Policy::Storage { pitch, inner },
    )
}

fn cut(tile: &mut Tile, [rows, cols]: [Dim; 2]) {
    (tile.valid_row, tile.valid_col) = (rows, cols);
}

/// Elements that one offset serves.
fn offset_width(call: &Tgatherb, readings: &Readings) -> Option<usize> {
    if readings.tgatherb_granularity == OffsetGranularity::Element {
        return Some(1);
    }
    let tiles = [&call.dst, &call.src, &call.offset];
    let width = BLOCK_BYTES / call.dst.dtype.size();
    // What follows the last column may change with its block (TGATHERB-GAP-07).
    let whole = call.dst.valid_col.get().is_multiple_of(width as u64);
    let by_rows = tiles.iter().all(|tile| tile.blayout == BLayout::RowMajor);
    (whole && by_rows).then_some(width)
}

/// The bytes that offsets select among, of a call cut to the offsets that are read.
fn offsets(
    call: &mut Tgatherb,
    width: usize,
    target: Target,
    readings: &Readings,
) -> Option<(u64, Policy)> {
    let Tgatherb { dst, src, offset } = call;
    let across = dst.valid_col.get() / width as u64;
    cut(offset, [dst.valid_row, Dim::Static(across)]);
    // TGATHERB-GAP-02, -03.
    let elements = match readings.tgatherb_boundary {
        OffsetBoundary::Allocation => src.rows.checked_mul(src.cols)?,
        OffsetBoundary::Valid => {
            let [rows, cols] = [src.valid_row, src.valid_col].map(Dim::get);
            let (lines, pitch, last) = match src.blayout {
                BLayout::RowMajor => (rows, src.cols, cols),
                BLayout::ColMajor => (cols, src.rows, rows),
            };
            lines
                .checked_sub(1)?
                .checked_mul(pitch)?
                .checked_add(last)?
        }
    };
    let size = dst.dtype.size() as u64;
    let (unit, capacity) = (width as u64 * size, elements.checked_mul(size)?);
    demand(capacity >= unit && capacity.is_multiple_of(unit))?;
    let policy = Policy::Bytes {
        unit,
        clamps: target == Target::Cpu,
        aligned: readings.tgatherb_unaligned == UnalignedOffset::Undefined,
    };
    Some((capacity, policy))
}

/// What a call does with an index out of bounds.
fn beyond(call: &Call) -> Policy {
    match call.argument("oob").map(|own| own.value) {
        Some("Clamp") => Policy::Clamp,
        Some("Wrap") => Policy::Wrap,
        Some("Skip" | "Zero") => Policy::Drop,
        _ => Policy::Undefined,
    }
}
