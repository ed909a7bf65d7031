//! Simpler data: how it is made, and then its single elements.

use std::collections::HashSet;

use ptodiff_case::{Case, Fill, IndexPattern};
use ptodiff_generate::{MAX_LITERALS, written_out};
use ptodiff_isa::Role;

use super::bounds::data_elements;
use super::number::map;
use super::parts::{data_roles, roles};
use super::scale::{self, Scale};
use super::search::{Edit, PATIENCE, Search, edit};
use crate::words::words;

/// Fills that no seed touches, the simplest first.
const SEEDLESS: [Fill; 7] = [
    Fill::Zeros,
    Fill::Poison,
    Fill::Arange,
    Fill::Ramp,
    Fill::RampBits,
    Fill::Eighths,
    Fill::Special,
];

/// Literal data in place of what was too large for it before the operands got
/// smaller.
pub(super) fn write_out(search: &mut Search<'_>) -> bool {
    let literal = written_out(&search.case, search.seed);
    search.offer(literal)
}

/// Simpler data of one operand at a time: the numbers 1, 2, 3, ... of what is
/// read, zeros, poison, and the other fills that no seed touches; of indices
/// 0, 1, 2, ...
pub(super) fn fills(case: &Case) -> Vec<Edit> {
    let counted = |role| -> Edit { Box::new(move |case, _| count(case, role)) };
    let mut all = Vec::new();
    for role in data_roles(&case.call) {
        all.push(counted(role));
        all.extend(SEEDLESS.map(|fill| edit(move |case| case.data.set_fill(role, fill))));
    }
    all.push(counted(Role::Index));
    all
}

/// The simplest literal elements.
fn count(out: &mut Case, role: Role) -> Option<()> {
    let size = out.call.operand(role)?.dtype().size();
    if out.data.literal(role).is_none() {
        if role == Role::Index {
            // Too many to be given one by one.
            out.data.index = IndexPattern::Seq;
            return Some(());
        }
        let elements = data_elements(out, role);
        if elements > MAX_LITERALS {
            return None;
        }
        out.data
            .set_literal(role, vec![0; elements as usize * size]);
    }
    let scale = scale::of(out, role)?;
    map(out.data.literal_mut(role)?, size, |at, _| scale.plain(at));
    Some(())
}

/// Simpler elements of literal data, indices and values.
pub(super) fn elements(search: &mut Search<'_>) -> bool {
    let mut any = false;
    for role in roles(&search.case.call) {
        let size = search.case.call.operand(role).map(|o| o.dtype().size());
        if let (Some(size), Some(scale)) = (size, scale::of(&search.case, role)) {
            any |= LiteralData { role, size, scale }.simplify(search);
        }
    }
    any
}

/// The literal data of one operand, and what is simple in it.
struct LiteralData {
    role: Role,
    /// Bytes of an element.
    size: usize,
    scale: Box<dyn Scale>,
}

impl LiteralData {
    /// Simplest values, or zeros, for as many elements as possible: for all,
    /// halves, quarters, single ones. Then simpler ones for all that are
    /// equal, and for each.
    fn simplify(&self, search: &mut Search<'_>) -> bool {
        let mut any = false;
        let mut size = self.rough(&search.case).len();
        while size > 0 {
            let rough = self.rough(&search.case);
            let parts = rough
                .chunks(size)
                .map(|part| part[0].0..=part[part.len() - 1].0);
            any |= search.patiently(parts, PATIENCE, |search, places| {
                let here = |at: usize| places.contains(&at);
                let plain = |at, bits| if here(at) { self.scale.plain(at) } else { bits };
                let zero = |at, bits| if here(at) { 0 } else { bits };
                self.offer(search, plain) || self.offer(search, zero)
            });
            size /= 2;
        }
        let mut met = HashSet::new();
        let mut rough = self.rough(&search.case);
        rough.retain(|(_, bits)| met.insert(*bits));
        any |= search.patiently(rough.into_iter(), PATIENCE, |search, (_, value)| {
            self.descend(search, value, |_, same| same)
        });
        let rough = self.rough(&search.case).into_iter();
        any | search.patiently(rough, PATIENCE, |search, (place, bits)| {
            self.descend(search, bits, |at, _| at == place)
        })
    }

    /// The places and bits of the elements that could be simpler.
    fn rough(&self, case: &Case) -> Vec<(usize, u64)> {
        let Some(bytes) = case.data.literal(self.role) else {
            return Vec::new();
        };
        let all = words(bytes, self.size).enumerate();
        all.filter(|(at, bits)| self.scale.cost(*at, *bits) > 0)
            .collect()
    }

    /// Offers the values that may do in place of `bits`, and of each that is
    /// taken, until none is: `here`, by the place of an element and whether it
    /// holds the value in question.
    fn descend(
        &self,
        search: &mut Search<'_>,
        mut bits: u64,
        here: impl Fn(usize, bool) -> bool,
    ) -> bool {
        let mut any = false;
        while let Some(new) = self.scale.instead(bits).into_iter().find(|new| {
            self.offer(
                search,
                |at, old| if here(at, old == bits) { *new } else { old },
            )
        }) {
            (bits, any) = (new, true);
        }
        any
    }

    /// Offers the case with what `f` makes of each element's place and bits.
    fn offer(&self, search: &mut Search<'_>, f: impl Fn(usize, u64) -> u64) -> bool {
        let mut out = search.case.clone();
        let Some(bytes) = out.data.literal_mut(self.role) else {
            return false;
        };
        map(bytes, self.size, f);
        search.offer(out)
    }
}
