//! Loads of table elements into a tile, for gathers to UB and to L1.

use std::ops::Range;

use ptodiff_isa::{Memory, Role, UndefinedGather};

use crate::{
    address::Named,
    image::Image,
    index::{Leading, Led},
    lanes::Lane,
    operand::Held,
    orders::State,
    out::Stop,
    spots::Spots,
};

/// A gather as its target understands it.
pub(crate) struct Gather<'a> {
    pub(crate) table: Held<'a>,
    /// Where the elements of the tile stand in what is written.
    pub(crate) spots: Spots,
    pub(crate) lanes: Vec<Lane>,
    pub(crate) named: Named,
    pub(crate) leading: Leading,
    /// Whether all that is written is zero first.
    pub(crate) zeroed: bool,
    /// Whether padding that nothing fills may hold anything.
    pub(crate) padding_is_open: bool,
    /// Columns that a transfer of a row reaches beside it, and what they hold then; without
    /// that they stay as they are.
    pub(crate) beside: (Range<usize>, Option<State>),
    /// Whether a load behind the table's end breaks a precondition.
    pub(crate) must_fit: bool,
    /// How far an index spoils a call that no policy takes care of.
    pub(crate) astray: UndefinedGather,
}

impl Gather<'_> {
    /// Gathers into `image` by the indices of `step`; whether a precondition is broken.
    pub(crate) fn run(&self, step: &Memory, image: &mut Image) -> Result<bool, Stop> {
        let index = Held::of(step, Role::Index, 4)?;
        if self.padding_is_open && !self.zeroed {
            self.spots.padding().for_each(|spot| image.open(spot));
        }
        if self.zeroed {
            (0..self.spots.len()).for_each(|spot| image.put(spot, 0));
        }
        let mut broken = false;
        for lane in &self.lanes {
            let places = match self
                .leading
                .lead(index.at(lane.index)?, self.named.count())?
            {
                Led::To(number) => Some(self.named.places(number)),
                Led::Away => {
                    for c in lane.cols.clone() {
                        image.put(self.spots.at(lane.r, c)?, 0);
                    }
                    continue;
                }
                Led::Before => {
                    self.named.precede()?;
                    None
                }
                Led::Astray => {
                    broken |= self.astray == UndefinedGather::Call;
                    None
                }
            };
            // An element that is not there spoils all that its index feeds.
            let found = places.and_then(|all| self.elements(all, &lane.cols));
            broken |= places.is_some() && found.is_none() && self.must_fit;
            image.outside |= found.is_none();
            for (n, c) in lane.cols.clone().enumerate() {
                let state = found.as_ref().map(|all| [all[n]].into());
                image.set(self.spots.at(lane.r, c)?, state);
            }
            // What is read before the table is open, and so is what its transfer does to the
            // rest of its last 32 bytes: nothing speaks of either (MGATHERL1-GAP-04).
            let beside = match found {
                Some(_) => self.beside.1.clone(),
                None => Some(None),
            };
            for c in self.beside.0.clone() {
                if let Some(state) = &beside {
                    image.set(self.spots.at(lane.r, c)?, state.clone());
                }
            }
        }
        Ok(broken)
    }

    /// The table's elements at the places of these columns, if all are there.
    fn elements(&self, places: &[u64], cols: &Range<usize>) -> Option<Vec<u64>> {
        // A table may be narrower than what is served.
        let places = places.get(..cols.len())?.iter();
        places.map(|&place| self.table.find(place)).collect()
    }
}
