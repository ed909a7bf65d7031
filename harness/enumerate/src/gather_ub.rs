//! MGATHER to UB (document 001).

use ptodiff_isa::{
    Coalesce, CpuPaddedTable, Dispatch, GatherOob, GatherPadding, Layout, Memory, Mgather,
    NdZeroFill, NzRowColumns, OuterStrides, Readings, Role, Target,
};

use crate::{
    address::{Named, count, strided},
    gather::Gather,
    image::Image,
    index::{Leading, negative_of_gather},
    lanes,
    operand::{Held, first},
    out::{Out, Stop},
    spots::Spots,
};

/// What the destination may hold after `steps`.
pub(crate) fn enumerate(
    call: &Mgather,
    steps: &[&Memory],
    target: Target,
    readings: &Readings,
) -> Result<Out, Stop> {
    if target == Target::A5 && call.launch.dispatch == Dispatch::Direct {
        return Err(Stop::NotCovered("a direct call may never return"));
    }
    let form = Form { call, target };
    if !form.has_layout() {
        return Err(Stop::NotCovered(
            "a table whose layout the target does not have",
        ));
    }
    if form.is_torn(readings) {
        return Err(Stop::NotCovered("two readings speak of the same columns"));
    }
    let with = |nz_row_columns| {
        let readings = Readings {
            nz_row_columns,
            ..*readings
        };
        form.run(steps, &readings)
    };
    let (image, broken) = match readings.nz_row_columns {
        NzRowColumns::Either if form.is_nz() => {
            let (moved, broken) = with(NzRowColumns::Moved)?;
            (moved.or(&with(NzRowColumns::Kept)?.0), broken)
        }
        columns => with(columns)?,
    };
    let reachable = image.reachable(Role::Destination);
    Ok(if broken {
        Out::Undefined(Some(reachable))
    } else {
        Out::Of(reachable)
    })
}

struct Form<'a> {
    call: &'a Mgather,
    target: Target,
}

impl Form<'_> {
    fn is_nz(&self) -> bool {
        self.target == Target::A2a3 && self.call.table.layout == Layout::NZ
    }

    fn has_layout(&self) -> bool {
        self.call.table.layout == Layout::ND || self.is_nz()
    }

    fn is_nd_row_of_a2a3(&self) -> bool {
        self.target == Target::A2a3 && !self.is_nz() && self.call.mode == Coalesce::Row
    }

    /// Whether columns of an NZ burst are kept by one reading and open by another.
    fn is_torn(&self, readings: &Readings) -> bool {
        let by_row = self.is_nz() && self.call.mode == Coalesce::Row;
        by_row
            && self.call.oob != GatherOob::Zero
            && self.call.dst.valid_col.get() < self.call.dst.cols
            && readings.gather_padding == GatherPadding::Undefined
            && readings.nz_row_columns != NzRowColumns::Moved
    }

    /// The destination after the last step, and whether any broke a precondition.
    fn run(&self, steps: &[&Memory], readings: &Readings) -> Result<(Image, bool), Stop> {
        let size = self.call.dst.dtype.size();
        let table = Held::of(first(steps)?, Role::Table, size)?;
        let gather = self.gather(table, readings)?;
        // Nothing happens on the NPUs, not even a fill (MGATHER-GAP-26). The CPU
        // has its rows and padding all the same.
        let idle = self.target != Target::Cpu && gather.spots.valid.contains(&0);
        let mut broken = false;
        let image = Image::after(steps, (gather.spots.len(), size), |step, image| {
            if !idle {
                broken |= gather.run(step, image)?;
            }
            Ok(())
        })?;
        Ok((image, broken))
    }

    fn gather<'a>(&self, table: Held<'a>, readings: &Readings) -> Result<Gather<'a>, Stop> {
        let (call, target) = (self.call, self.target);
        let spots = Spots::of(&call.dst)?;
        let leading = Leading::of(
            call.idx.dtype,
            call.oob.into(),
            negative_of_gather(target, readings),
        )?
        .over(call.dst.dtype, call.mode, readings);
        let [rows, valid] = spots.valid;
        let columns = if self.is_nz() && readings.nz_row_columns == NzRowColumns::Moved {
            spots.cols()
        } else {
            valid
        };
        let (named, lanes) = match call.mode {
            Coalesce::Row => (
                self.rows(columns, readings)?,
                lanes::by_row(&call.idx, rows, columns)?,
            ),
            Coalesce::Elem => (
                Named::elements_of(&call.table, target, readings)?,
                lanes::by_element(&call.idx, &lanes::row_by_row(spots.valid))?,
            ),
        };
        let fills = match (self.is_nz(), call.mode) {
            (true, Coalesce::Row) => true,
            _ => self.is_nd_row_of_a2a3() && readings.nd_zero_fill == NdZeroFill::WholeTile,
        };
        // The rest of the last 32 bytes of a burst (MGATHER-GAP-18).
        let has_tail = self.is_nd_row_of_a2a3() && readings.gather_padding != GatherPadding::Kept;
        let chunk = match has_tail {
            true => valid.next_multiple_of(32 / call.dst.dtype.size()),
            false => valid,
        };
        Ok(Gather {
            table,
            lanes,
            named,
            leading,
            zeroed: fills && call.oob == GatherOob::Zero,
            padding_is_open: readings.gather_padding == GatherPadding::Undefined,
            beside: (valid..chunk.min(spots.cols()), Some(None)),
            must_fit: call.mode == Coalesce::Row,
            astray: readings.undefined_gather,
            spots,
        })
    }

    /// The rows that an index may name.
    fn rows(&self, columns: usize, readings: &Readings) -> Result<Named, Stop> {
        let table = &self.call.table;
        let pitch = table.stride[3].get();
        match self.target {
            Target::A2a3 if self.is_nz() => Named::nz(table, true),
            Target::A2a3 if readings.outer_strides == OuterStrides::Split => {
                Named::rows(&strided(table, 0..4)?, columns)
            }
            Target::A2a3 => Named::rows_apart(count(table, 0..4)?, pitch, columns),
            Target::A5 => Named::rows_apart(count(table, 3..4)?, columns as u64, columns),
            Target::Cpu => {
                let pitch = match readings.cpu_padded_table {
                    CpuPaddedTable::Precondition => table.shape[4].get(),
                    CpuPaddedTable::Strided => pitch,
                };
                Named::rows_apart(count(table, 3..4)?, pitch, columns)
            }
        }
    }
}
