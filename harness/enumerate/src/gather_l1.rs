//! MGATHER to L1 (document 001, GM to L1 Gather).

use std::ops::Range;

use ptodiff_isa::{
    Coalesce, Dispatch, GatherExec, GatherOob, L1IndexPitch, L1RowPadding, L1ScratchZero, Layout,
    Memory, MgatherL1, Readings, Role, Scope, Target, UndefinedGather,
};

use crate::{
    address::{Named, count},
    gather::Gather,
    image::Image,
    index::{Leading, negative_of_gather},
    lanes::{self, Lane},
    operand::{Held, first},
    out::{Out, Reachable, Stop, Values},
    spots::Spots,
};

/// What tile and staging area may hold after `steps`.
pub(crate) fn enumerate(
    call: &MgatherL1,
    steps: &[&Memory],
    target: Target,
    readings: &Readings,
) -> Result<Out, Stop> {
    let on_lanes = target == Target::A5 && call.exec == GatherExec::Simt;
    if on_lanes && call.launch.dispatch == Dispatch::Direct {
        return Err(Stop::NotCovered("a direct call may never return"));
    }
    if target == Target::Cpu && readings.scope == Scope::Documented {
        return Err(Stop::NotCovered("CPU has no gather to L1"));
    }
    if call.table.layout != Layout::ND {
        return Err(Stop::NotCovered(
            "a table whose layout the target does not have",
        ));
    }
    let form = Form {
        call,
        target,
        readings,
    };
    let size = call.dst.dtype.size();
    let gather = form.gather(Held::of(first(steps)?, Role::Table, size)?)?;
    let staged = call.mode == Coalesce::Elem;
    let (reachable, broken) = if staged && target != Target::Cpu {
        form.through_scratch(&gather, steps)?
    } else {
        let (mut tile, broken) = form.straight(&gather, steps)?;
        if target == Target::Cpu && call.scratch.is_some() {
            // What CPU does with the staging area is open, whatever the mode (MGATHERL1-GAP-14).
            let scratch = Held::of(first(steps)?, Role::Scratch, size)?;
            tile.scratch = Some(vec![Values::Anything; scratch.len()]);
        }
        (tile, broken)
    };
    Ok(if broken {
        Out::Undefined(Some(reachable))
    } else {
        Out::Of(reachable)
    })
}

struct Form<'a> {
    call: &'a MgatherL1,
    target: Target,
    readings: &'a Readings,
}

impl Form<'_> {
    /// Gathers into the tile itself; the last step's remains.
    fn straight(&self, gather: &Gather, steps: &[&Memory]) -> Result<(Reachable, bool), Stop> {
        let mut broken = false;
        let tile = Image::after(steps, self.tile(gather), |step, tile| {
            broken |= gather.run(step, tile)?;
            Ok(())
        })?;
        Ok((tile.reachable(Role::Destination), broken))
    }

    /// Gathers into the staging area, whose image then goes to the tile.
    fn through_scratch(
        &self,
        gather: &Gather,
        steps: &[&Memory],
    ) -> Result<(Reachable, bool), Stop> {
        let (elements, size) = self.tile(gather);
        let held = Held::of(first(steps)?, Role::Scratch, size)?;
        held.at_least(elements)?;
        let mut scratch = Image::of(&held, size)?;
        let mut broken = false;
        let tile = Image::after(steps, (elements, size), |step, tile| {
            broken |= gather.run(step, &mut scratch)?;
            for slot in 0..elements {
                tile.set(slot, scratch.state(slot));
            }
            tile.outside = scratch.outside;
            Ok(())
        })?;
        let mut tile = tile.reachable(Role::Destination);
        tile.scratch = Some(scratch.slots());
        Ok((tile, broken))
    }

    /// Elements of the tile, and bytes of one.
    fn tile(&self, gather: &Gather) -> (usize, usize) {
        (gather.spots.len(), self.call.dst.dtype.size())
    }

    fn gather<'a>(&self, table: Held<'a>) -> Result<Gather<'a>, Stop> {
        let Self {
            call,
            target,
            readings,
        } = *self;
        let spots = Spots::of(&call.dst)?;
        let cpu = target == Target::Cpu;
        let [_, columns] = spots.valid;
        let zero = call.oob == GatherOob::Zero;
        let (named, zeroed) = match call.mode {
            Coalesce::Row => (self.rows(columns)?, zero),
            Coalesce::Elem => {
                let always = readings.l1_scratch_zero == L1ScratchZero::Always;
                let lanes_do = target == Target::A5 && call.exec == GatherExec::Simt;
                let named = Named::flat(count(&call.table, 0..5)?);
                (named, zero || always || lanes_do)
            }
        };
        // The rest of a row's last 32 bytes (MGATHERL1-GAP-01).
        let row = call.mode == Coalesce::Row;
        let moved = row && !cpu;
        let beside = match moved {
            true => columns.next_multiple_of(32 / call.dst.dtype.size()),
            false => columns,
        };
        let tail = moved && !zero && readings.l1_row_padding == L1RowPadding::TailZero;
        Ok(Gather {
            table,
            lanes: self.lanes(&spots)?,
            named,
            leading: Leading::of(
                call.idx.dtype,
                call.oob.into(),
                negative_of_gather(target, readings),
            )?
            .over(call.dst.dtype, call.mode, readings),
            // On CPU only the valid region is written (MGATHERL1-GAP-14).
            zeroed: zeroed && !cpu,
            padding_is_open: moved && readings.l1_row_padding == L1RowPadding::Undefined,
            beside: (columns..beside, tail.then(|| Some([0].into()))),
            must_fit: row,
            // The parameter is about gathers to UB (MGATHER-GAP-69).
            astray: UndefinedGather::Call,
            spots,
        })
    }

    /// The rows that an index may name.
    fn rows(&self, columns: usize) -> Result<Named, Stop> {
        let table = &self.call.table;
        match self.target {
            Target::Cpu => Named::rows_apart(count(table, 3..4)?, table.shape[4].get(), columns),
            Target::A2a3 | Target::A5 => {
                Named::rows_apart(count(table, 0..4)?, table.stride[3].get(), columns)
            }
        }
    }

    fn lanes(&self, spots: &Spots) -> Result<Vec<Lane>, Stop> {
        let [rows, columns] = spots.valid;
        let of = |pitch| {
            let elements = lanes::row_by_row(spots.valid).into_iter();
            let lanes: Vec<(usize, Range<usize>)> = match self.call.mode {
                Coalesce::Row => (0..rows).map(|r| (r, 0..columns)).collect(),
                Coalesce::Elem => elements.map(|[r, c]| (r, c..c + 1)).collect(),
            };
            lanes::by_tensor(&self.call.idx, lanes, self.call.mode, pitch)
        };
        let lanes = of(self.readings.l1_index_pitch)?;
        if self.target == Target::Cpu {
            let linear = of(L1IndexPitch::Linear)?;
            let strided = of(L1IndexPitch::Strided)?;
            if !linear
                .iter()
                .map(|l| l.index)
                .eq(strided.iter().map(|l| l.index))
            {
                return Err(Stop::NotCovered(
                    "an index tensor on CPU that is not packed",
                ));
            }
        }
        Ok(lanes)
    }
}
