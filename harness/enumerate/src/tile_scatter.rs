//! TSCATTER by index (document 002).

use std::collections::BTreeMap;

use ptodiff_isa::{
    DType, Memory, NegativeIndex, Readings, Role, ScatterExtent, ScatterIndex, ScatterRange,
    Target, TscatterIndex, Unaddressed,
};

use crate::{
    image::Image,
    lanes::row_by_row,
    operand::Held,
    out::{Out, Stop},
    spots::Spots,
    store::Rules,
};

/// What the destination may hold after `steps`.
pub(crate) fn enumerate(
    call: &TscatterIndex,
    steps: &[&Memory],
    target: Target,
    readings: &Readings,
) -> Result<Out, Stop> {
    if !call.idx.dtype.is_integer() {
        return Err(Stop::NotCovered("indices that are no integers"));
    }
    let dst = Spots::of(&call.dst)?;
    let form = Form {
        target,
        readings,
        size: call.dst.dtype.size(),
        index: call.idx.dtype,
        range: range(&dst, readings.tscatter_range),
        dst,
        src: Spots::of(&call.src)?,
        idx: Spots::of(&call.idx)?,
        rules: Rules::plain(call.dst.dtype),
    };
    let image = Image::after(steps, (form.dst.len(), form.size), |step, image| {
        form.step(step, image)
    })?;
    Ok(Out::Of(image.reachable(Role::Destination)))
}

struct Form<'a> {
    target: Target,
    readings: &'a Readings,
    size: usize,
    index: DType,
    /// Which slots an index may address.
    range: Vec<bool>,
    dst: Spots,
    src: Spots,
    idx: Spots,
    rules: Rules,
}

impl Form<'_> {
    fn step(&self, step: &Memory, image: &mut Image) -> Result<(), Stop> {
        let src = Held::of(step, Role::Source, self.size)?;
        let idx = Held::of(step, Role::Index, self.index.size())?;
        let region = match self.readings.tscatter_extent {
            ScatterExtent::Source => self.src.valid,
            ScatterExtent::Index => self.idx.valid,
        };
        let by_row = self.readings.tscatter_index == ScatterIndex::Row;
        let mut stores = BTreeMap::<_, Vec<_>>::new();
        for [r, c] in row_by_row(region) {
            let slot = self.addressed(idx.at(self.idx.at(r, c)?)?, c)?;
            let bits = src.at(self.src.at(r, c)?)?;
            let stored = stores.entry(slot).or_default();
            if by_row && !stored.is_empty() {
                return Err(Stop::Undefined);
            }
            stored.push(bits);
        }
        match self.readings.tscatter_unaddressed {
            Unaddressed::Kept => {}
            Unaddressed::Zero if stores.is_empty() => {
                return Err(Stop::NotCovered(
                    "zeroes before a first write that never comes",
                ));
            }
            Unaddressed::Zero => (0..self.dst.len()).for_each(|slot| image.put(slot, 0)),
            Unaddressed::Undefined => (0..self.dst.len()).for_each(|slot| image.open(slot)),
        }
        // On the NPUs any writer may be the last (TSCATTER-GAP-10).
        let any_order = self.target != Target::Cpu;
        for (slot, stores) in stores {
            image.store(slot, &stores, &self.rules, any_order)?;
        }
        Ok(())
    }

    /// The slot that the index of an element of column `c` addresses; if none,
    /// nothing is promised.
    fn addressed(&self, bits: u64, c: usize) -> Result<usize, Stop> {
        let negative = self.index.is_signed_integer() && bits >> (8 * self.index.size() - 1) == 1;
        // TSCATTER-GAP-06: else it is of the unsigned type of its width.
        if negative && self.readings.tscatter_negative_index != NegativeIndex::Unsigned {
            return Err(Stop::Undefined);
        }
        let number = usize::try_from(bits).map_err(|_| Stop::Undefined)?;
        let slot = match self.readings.tscatter_index {
            ScatterIndex::Flat => Some(number),
            // TSCATTER-GAP-22: a row, of which the element keeps its column.
            ScatterIndex::Row => self.dst.find(number, c),
        };
        slot.filter(|&slot| self.range.get(slot) == Some(&true))
            .ok_or(Stop::Undefined)
    }
}

/// For each slot whether an index may address it (TSCATTER-GAP-05).
fn range(dst: &Spots, reading: ScatterRange) -> Vec<bool> {
    match reading {
        ScatterRange::Storage => vec![true; dst.len()],
        ScatterRange::Valid => {
            let mut all = vec![false; dst.len()];
            dst.held().for_each(|spot| all[spot] = true);
            all
        }
    }
}
