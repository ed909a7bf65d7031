//! MSCATTER (document 000).

use ptodiff_isa::{
    BLayout, BurstTail, CacheFlush, Coalesce, CpuForm, Dispatch, LastBy, Layout, Memory, Mscatter,
    NegativeIndex, NzElemOrder, NzRowColumns, OuterStrides, Readings, Role, RowAddOrder,
    ScatterAtomicOp, ScatterConflict, ScatterOob, Target, UndefinedLast,
};

use crate::{
    address::{Named, count, strided},
    image::Image,
    index::Leading,
    lanes,
    out::{Out, Stop},
    scatter::Scatter,
    spots::Spots,
    store::Rules,
};

/// What the table may hold after `steps`.
pub(crate) fn enumerate(
    call: &Mscatter,
    steps: &[&Memory],
    target: Target,
    readings: &Readings,
) -> Result<Out, Stop> {
    if target == Target::A5 && call.launch.dispatch == Dispatch::Direct {
        return Err(Stop::NotCovered("a direct call may never return"));
    }
    let form = Form::of(call, target, readings);
    let with = |nz_row_columns| {
        let readings = Readings {
            nz_row_columns,
            ..*readings
        };
        form.scatter(&readings)?.run(steps)
    };
    let mut image = match readings.nz_row_columns {
        // One way or the other, all of the steps (MSCATTER-GAP-22).
        NzRowColumns::Either if form.is_nz() => {
            with(NzRowColumns::Moved)?.or(&with(NzRowColumns::Kept)?)
        }
        columns => with(columns)?,
    };
    show_to_host(&mut image, target, call.launch.flush, steps.len())?;
    Ok(Out::Of(image.reachable(Role::Table)))
}

/// Lets the host read old elements where the wrapper does not flush
/// (MSCATTER-GAP-33). What a second call builds on then is not told.
pub(crate) fn show_to_host(
    image: &mut Image,
    target: Target,
    flush: CacheFlush,
    steps: usize,
) -> Result<(), Stop> {
    if target == Target::A5 && flush == CacheFlush::Missing {
        if steps > 1 {
            return Err(Stop::NotCovered("several calls without a flush"));
        }
        image.or_before();
    }
    Ok(())
}

/// A call as its target takes it.
struct Form<'a> {
    call: &'a Mscatter,
    target: Target,
    mode: Coalesce,
    op: ScatterAtomicOp,
    oob: ScatterOob,
    negative: NegativeIndex,
}

impl<'a> Form<'a> {
    fn of(call: &'a Mscatter, target: Target, readings: &Readings) -> Self {
        // MSCATTER-GAP-41: element semantics, plain replace, no bounds.
        let plain = target == Target::Cpu && readings.cpu_form == CpuForm::Documented;
        Self {
            call,
            target,
            mode: if plain { Coalesce::Elem } else { call.mode },
            op: if plain {
                ScatterAtomicOp::None
            } else {
                call.atomic
            },
            oob: if plain {
                ScatterOob::Undefined
            } else {
                call.oob
            },
            negative: if plain {
                // Out of range, whatever the reading (MSCATTER-GAP-01).
                NegativeIndex::Intended
            } else {
                readings.negative_index
            },
        }
    }

    fn is_nz(&self) -> bool {
        self.target == Target::A2a3 && self.call.table.layout == Layout::NZ
    }

    fn scatter(&self, readings: &Readings) -> Result<Scatter, Stop> {
        let Self {
            call,
            target,
            mode,
            op,
            oob,
            negative,
        } = *self;
        if call.table.layout != Layout::ND && !self.is_nz() {
            return Err(Stop::NotCovered(
                "a table whose layout the target does not have",
            ));
        }
        let plain_last = op == ScatterAtomicOp::None && call.conflict == ScatterConflict::Last;
        if target == Target::A5
            && mode == Coalesce::Elem
            && plain_last
            && readings.last_by == LastBy::Storage
            && call.src.blayout != call.idx.blayout
        {
            return Err(Stop::NotCovered(
                "tiles of which either may say what is last",
            ));
        }
        let source = Spots::of(&call.src)?;
        let leading =
            Leading::of(call.idx.dtype, oob.into(), negative)?.over(call.src.dtype, mode, readings);
        let columns = self.columns(&source, readings);
        let named = match mode {
            Coalesce::Row => self.rows(columns, readings)?,
            Coalesce::Elem => Named::elements_of(&call.table, target, readings)?,
        };
        let lanes = if target != Target::Cpu && source.valid.contains(&0) {
            // Nothing happens on the NPUs (MSCATTER-GAP-38).
            Vec::new()
        } else {
            match mode {
                Coalesce::Row => lanes::by_row(&call.idx, source.valid[0], columns)?,
                Coalesce::Elem => {
                    lanes::by_element(&call.idx, &self.order(source.valid, readings))?
                }
            }
        };
        let ragged = columns != source.valid[1];
        let scalar = mode == Coalesce::Elem && source.valid == [1, 1];
        Ok(Scatter {
            size: call.src.dtype.size(),
            source,
            lanes,
            named,
            leading,
            // MSCATTER-GAP-10: no lane owns such a slot.
            drops_astray: target == Target::A5
                && plain_last
                && !scalar
                && readings.undefined_last == UndefinedLast::Dropped,
            must_fit: mode == Coalesce::Row,
            // A burst that is rounded up must stay in the table (MSCATTER-GAP-28).
            must_not_precede: mode == Coalesce::Row && self.is_rounded(readings) && ragged,
            rules: Rules::of(op, call.src.dtype, mode, target, readings),
            any_order: match target {
                Target::Cpu => false,
                Target::A2a3 => {
                    op == ScatterAtomicOp::Add
                        && mode == Coalesce::Row
                        && readings.row_add_order == RowAddOrder::Any
                }
                Target::A5 => !plain_last,
            },
        })
    }

    /// How many columns of its row a Row lane stores.
    fn columns(&self, source: &Spots, readings: &Readings) -> usize {
        let valid = source.valid[1];
        let per_chunk = 32 / self.call.src.dtype.size();
        if self.is_nz() && readings.nz_row_columns == NzRowColumns::Moved {
            // Bursts are as wide as the table (MSCATTER-GAP-22).
            source.cols()
        } else if self.is_rounded(readings) {
            valid.next_multiple_of(per_chunk)
        } else {
            valid
        }
    }

    /// Whether bursts are whole chunks of 32 bytes (MSCATTER-GAP-28).
    fn is_rounded(&self, readings: &Readings) -> bool {
        self.target == Target::A2a3
            && self.call.table.layout == Layout::ND
            && readings.burst_tail == BurstTail::Rounded
    }

    /// The rows that an index may name.
    fn rows(&self, columns: usize, readings: &Readings) -> Result<Named, Stop> {
        let table = &self.call.table;
        match self.target {
            Target::A2a3 if self.is_nz() => Named::nz(table, true),
            Target::A2a3 => {
                if readings.outer_strides == OuterStrides::Split {
                    return Named::rows(&strided(table, 0..4)?, columns);
                }
                Named::rows_apart(count(table, 0..4)?, table.stride[3].get(), columns)
            }
            // A5 has packed rows of validCols, the CPU's template those of Shape[4].
            Target::A5 => Named::rows_apart(count(table, 3..4)?, columns as u64, columns),
            Target::Cpu => Named::rows_apart(count(table, 3..4)?, table.shape[4].get(), columns),
        }
    }

    /// In which order the elements of the source come.
    fn order(&self, valid: [usize; 2], readings: &Readings) -> Vec<[usize; 2]> {
        let src = &self.call.src;
        let by_block = self.is_nz() && readings.nz_elem_order == NzElemOrder::Walk;
        let by_storage = self.target == Target::A5
            && readings.last_by == LastBy::Storage
            && src.blayout == BLayout::ColMajor;
        if by_block {
            lanes::block_by_block(valid, 32 / src.dtype.size())
        } else if by_storage {
            lanes::column_by_column(valid)
        } else {
            lanes::row_by_row(valid)
        }
    }
}
