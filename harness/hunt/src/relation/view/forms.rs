//! The view of each form, from what the rules make of its operands.

use ptodiff_case::Form;
use ptodiff_isa::{
    Call, CpuForm, DType, FirstRowCapacity, GatherOob, GatherPadding, IndexUnit, L1RowPadding,
    Layout, Mgather, MgatherL1, Mscatter, MscatterFirst, Readings, Role, ScatterAtomicOp,
    ScatterConflict, ScatterIndex, ScatterOob, Target, Tgatherb, Tile, TscatterIndex, Unaddressed,
    UndefinedGather, UndefinedLast,
};

use super::{Promise, View, demand, facts, first, in_ub, on_chip, to_l1};
use crate::relation::blocks::Blocks;
use crate::relation::order::Combine;
use crate::relation::place::Places;
use crate::relation::reach::{Policy, Reach};

impl<'a> View<'a> {
    /// None where the call breaks a rule of `target`, runs over nothing, or
    /// has no indices, or where another edition says what they count.
    pub(in crate::relation) fn of(
        call: &'a Call,
        target: Target,
        readings: &Readings,
    ) -> Option<Self> {
        // Relations know the indices of the documents' own edition.
        demand(readings.index_unit == IndexUnit::Element)?;
        demand(readings.tscatter_index == ScatterIndex::Flat)?;
        match call {
            Call::Mscatter(call) => Self::scatter(call, target, readings),
            Call::MscatterFirst(call) => Self::first(call, target, readings),
            Call::Mgather(call) => Self::gather(call, target, readings),
            Call::MgatherL1(call) => Self::to_l1(call, target, readings),
            Call::TscatterIndex(call) => Self::tscatter(call, target, readings),
            Call::Tgatherb(call) => Self::byte_gather(call, target, readings),
            Call::TscatterMask(_) => None,
        }
    }

    fn scatter(call: &'a Mscatter, target: Target, readings: &Readings) -> Option<Self> {
        let ruled = in_ub::InUb {
            scatter: true,
            table: &call.table,
            data: &call.src,
            idx: &call.idx,
            mode: call.mode,
            launch: &call.launch,
        }
        .ruled(target, readings)?;
        demand(target != Target::Cpu || facts::portable(call.atomic, call.src.dtype))?;
        let documented = target == Target::Cpu && readings.cpu_form == CpuForm::Documented;
        let atomic = if documented {
            // MSCATTER-ATOM-18.
            ScatterAtomicOp::None
        } else {
            call.atomic
        };
        // Lanes own slots below capacity only (MSCATTER-GAP-10); the scalar
        // path of Elem (1, 1) owns none.
        let owned = target == Target::A5
            && atomic == ScatterAtomicOp::None
            && call.conflict == ScatterConflict::Last
            && readings.undefined_last == UndefinedLast::Dropped
            && (ruled.by_row || call.src.valid_row.get() * call.src.valid_col.get() > 1);
        let policy = match call.oob {
            _ if documented => Policy::Undefined,
            ScatterOob::Undefined if owned => Policy::Drop,
            oob => of_scatter(oob),
        };
        let combine = Combine::of_scatter(call, atomic, ruled.by_row, target, readings);
        let reach = Reach::new(ruled.capacity, policy, call.idx.dtype, target, readings);
        let index = (call.idx.dtype, ruled);
        let mut view = Self::in_gm(Form::Mscatter, &call.src, index, reach, Some(combine))?;
        // MSCATTER-GAP-22.
        if call.table.layout == Layout::NZ && view.by_row {
            view.promise = Promise::Columns(Blocks::of(&call.table));
        }
        Some(view)
    }

    fn first(call: &'a MscatterFirst, target: Target, readings: &Readings) -> Option<Self> {
        demand(target == Target::A5)?;
        let ruled = first::ruled(call, readings)?;
        let rows = ruled.capacity;
        let capacity = match readings.first_row_capacity {
            FirstRowCapacity::Elements if ruled.by_row => rows.checked_mul(call.src.cols)?,
            _ => rows,
        };
        let policy = of_scatter(call.oob);
        let mut reach = Reach::new(capacity, policy, call.idx.dtype, target, readings);
        // A row that the policy lets through may lie outside (MSCATTER0-GAP-03).
        reach.exists = rows;
        let combine = Combine::of_first(call, ruled.by_row, readings);
        let index = (call.idx.dtype, ruled);
        Self::in_gm(Form::MscatterFirst, &call.src, index, reach, Some(combine))
    }

    fn gather(call: &'a Mgather, target: Target, readings: &Readings) -> Option<Self> {
        let ruled = in_ub::InUb {
            scatter: false,
            table: &call.table,
            data: &call.dst,
            idx: &call.idx,
            mode: call.mode,
            launch: &call.launch,
        }
        .ruled(target, readings)?;
        // MGATHER-GAP-18, -19, -57.
        let burst = target == Target::A2a3 && ruled.by_row;
        let open = burst || readings.gather_padding == GatherPadding::Undefined;
        let policy = of_gather(call.oob);
        let reach = Reach::new(ruled.capacity, policy, call.idx.dtype, target, readings);
        let index = (call.idx.dtype, ruled);
        let view = Self::in_gm(Form::Mgather, &call.dst, index, reach, None)?;
        Some(view.gathering(open, readings))
    }

    fn to_l1(call: &'a MgatherL1, target: Target, readings: &Readings) -> Option<Self> {
        let ruled = to_l1::ruled(call, target, readings)?;
        // MGATHERL1-GAP-01.
        let open = ruled.by_row
            && call.oob != GatherOob::Zero
            && readings.l1_row_padding == L1RowPadding::Undefined;
        let policy = of_gather(call.oob);
        let reach = Reach::new(ruled.capacity, policy, call.idx.dtype, target, readings);
        let index = (call.idx.dtype, ruled);
        let view = Self::in_gm(Form::MgatherL1, &call.dst, index, reach, None)?;
        Some(view.gathering(open, readings))
    }

    fn in_gm(
        form: Form,
        data: &'a Tile,
        (index_type, ruled): (DType, in_ub::Ruled),
        reach: Reach,
        combine: Option<Combine>,
    ) -> Option<Self> {
        demand(ruled.capacity > 0)?;
        let cols = data.valid_col.get() as usize;
        Some(Self {
            form,
            data,
            data_role: match combine {
                Some(_) => Role::Source,
                None => Role::Destination,
            },
            places: Places::of_tile(data),
            output: match combine {
                Some(_) => Role::Table,
                None => Role::Destination,
            },
            index_type,
            index: ruled.index,
            by_row: ruled.by_row,
            rows: data.valid_row.get() as usize,
            cols,
            width: if ruled.by_row { cols } else { 1 },
            reach,
            alone: false,
            combine,
            promise: Promise::All,
            elements: ruled.elements,
        })
    }

    fn gathering(mut self, open: bool, readings: &Readings) -> Self {
        if open {
            self.promise = Promise::Valid;
        }
        // MGATHER-GAP-69.
        self.alone = readings.undefined_gather == UndefinedGather::Slots;
        self
    }

    fn tscatter(call: &'a TscatterIndex, target: Target, readings: &Readings) -> Option<Self> {
        let ruled = on_chip::by_index(call, readings)?;
        let reach = Reach::new(
            ruled.capacity,
            ruled.policy,
            call.idx.dtype,
            target,
            readings,
        );
        let combine = Some(Combine::of_tscatter(target));
        Some(Self {
            data_role: Role::Source,
            combine,
            // TSCATTER-GAP-02.
            promise: match readings.tscatter_unaddressed {
                Unaddressed::Undefined => Promise::Slots,
                Unaddressed::Kept | Unaddressed::Zero => Promise::All,
            },
            ..Self::on_chip(Form::TscatterIndex, &call.src, &call.idx, (&ruled, reach))
        })
    }

    fn byte_gather(call: &'a Tgatherb, target: Target, readings: &Readings) -> Option<Self> {
        let ruled = on_chip::byte_gather(call, target, readings)?;
        let reach = Reach::new(
            ruled.capacity,
            ruled.policy,
            call.offset.dtype,
            target,
            readings,
        );
        Some(Self {
            // TGATHERB-OOB-01, TGATHERB-GAP-01.
            alone: true,
            ..Self::on_chip(Form::Tgatherb, &call.dst, &call.offset, (&ruled, reach))
        })
    }

    fn on_chip(
        form: Form,
        data: &'a Tile,
        idx: &Tile,
        (ruled, reach): (&on_chip::Ruled, Reach),
    ) -> Self {
        let [rows, cols] = ruled.extents.map(|extent| extent as usize);
        Self {
            form,
            data,
            data_role: Role::Destination,
            places: Places::of_tile(data),
            output: Role::Destination,
            index_type: idx.dtype,
            index: Places::of_tile(idx),
            by_row: false,
            rows,
            cols,
            width: ruled.width as usize,
            reach,
            alone: false,
            combine: None,
            promise: Promise::All,
            elements: 0,
        }
    }
}

const fn of_scatter(oob: ScatterOob) -> Policy {
    match oob {
        ScatterOob::Undefined => Policy::Undefined,
        ScatterOob::Skip => Policy::Drop,
        ScatterOob::Clamp => Policy::Clamp,
        ScatterOob::Wrap => Policy::Wrap,
    }
}

const fn of_gather(oob: GatherOob) -> Policy {
    match oob {
        GatherOob::Undefined => Policy::Undefined,
        GatherOob::Zero => Policy::Drop,
        GatherOob::Clamp => Policy::Clamp,
        GatherOob::Wrap => Policy::Wrap,
    }
}
