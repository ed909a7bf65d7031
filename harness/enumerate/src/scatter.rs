//! Stores of source elements into a table, for both revisions of MSCATTER.

use std::collections::BTreeMap;

use ptodiff_isa::{Memory, Role};

use crate::{
    address::Named,
    image::Image,
    index::{Leading, Led},
    lanes::Lane,
    operand::{Held, first},
    out::Stop,
    spots::Spots,
    store::Rules,
};

/// A scatter as its target understands it.
pub(crate) struct Scatter {
    /// Bytes of an element.
    pub(crate) size: usize,
    pub(crate) source: Spots,
    /// In the order in which they take effect.
    pub(crate) lanes: Vec<Lane>,
    pub(crate) named: Named,
    pub(crate) leading: Leading,
    /// Whether an index of which no policy takes care is dropped.
    pub(crate) drops_astray: bool,
    /// Whether a store behind the table's end breaks a precondition.
    pub(crate) must_fit: bool,
    /// Whether one before its start does.
    pub(crate) must_not_precede: bool,
    pub(crate) rules: Rules,
    pub(crate) any_order: bool,
}

impl Scatter {
    /// What the table may hold after `steps`.
    pub(crate) fn run(&self, steps: &[&Memory]) -> Result<Image, Stop> {
        let table = Held::of(first(steps)?, Role::Table, self.size)?;
        let mut image = Image::of(&table, self.size)?;
        for step in steps {
            // Slots are apart, so each goes through the orders of its own stores.
            for (slot, stores) in self.stores(step, &mut image)? {
                image.store(slot, &stores, &self.rules, self.any_order)?;
            }
        }
        Ok(image)
    }

    /// What one step stores to each slot.
    fn stores(&self, step: &Memory, image: &mut Image) -> Result<BTreeMap<usize, Vec<u64>>, Stop> {
        let source = Held::of(step, Role::Source, self.size)?;
        let index = Held::of(step, Role::Index, 4)?;
        let mut stores = BTreeMap::<_, Vec<_>>::new();
        for lane in &self.lanes {
            let number = match self
                .leading
                .lead(index.at(lane.index)?, self.named.count())?
            {
                Led::To(number) => number,
                Led::Astray if !self.drops_astray => return Err(Stop::Undefined),
                Led::Before if self.must_not_precede => return Err(Stop::Undefined),
                Led::Away | Led::Astray => continue,
                Led::Before => {
                    self.named.precede()?;
                    image.outside = true;
                    continue;
                }
            };
            let places = self.named.places(number);
            for (&place, c) in places.iter().zip(lane.cols.clone()) {
                let bits = source.at(self.source.at(lane.r, c)?)?;
                match image.slot(place) {
                    Some(slot) => stores.entry(slot).or_default().push(bits),
                    None if self.must_fit => return Err(Stop::Undefined),
                    None => image.outside = true,
                }
            }
        }
        Ok(stores)
    }
}
