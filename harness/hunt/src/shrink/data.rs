//! Simpler data: how it is made, and then its single elements.

use std::collections::HashSet;

use ptodiff_case::{Case, Fill, IndexPattern};
use ptodiff_generate::{MAX_LITERALS, written_out};
use ptodiff_isa::{DType, Role};

use super::bounds::data_elements;
use super::number::map;
use super::parts::{data_roles, literal, literal_mut, roles};
use super::scale::{Indices, Scale, Values};
use super::search::{PATIENCE, Search};
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
pub(super) fn fills(search: &mut Search<'_>) -> bool {
    let list = |case: &Case| {
        let mut all = Vec::new();
        for role in data_roles(&case.call) {
            all.push((role, None));
            all.extend(SEEDLESS.map(|fill| (role, Some(fill))));
        }
        all.push((Role::Index, None));
        all
    };
    search.exhaust(list, |search, (role, fill)| {
        let mut out = search.case.clone();
        match fill {
            Some(fill) => out.data.set_fill(role, fill),
            None if role == Role::Index => count_indices(&mut out)?,
            None => count_values(&mut out, role)?,
        }
        Some(out)
    })
}

fn count_values(out: &mut Case, role: Role) -> Option<()> {
    let dtype = out.call.operand(role)?.dtype();
    if literal(&out.data, role).is_none() {
        let elements = data_elements(out, role);
        if elements > MAX_LITERALS {
            return None;
        }
        let zeros = vec![0; elements as usize * dtype.size()];
        out.data.set_literal(role, zeros);
    }
    let scale = Values::new(&out.call, role, dtype);
    let bytes = literal_mut(&mut out.data, role)?;
    map(bytes, dtype.size(), |at, _| scale.plain(at));
    Some(())
}

fn count_indices(out: &mut Case) -> Option<()> {
    let dtype = out.call.operand(Role::Index)?.dtype();
    let scale = Indices::new(out, dtype);
    match literal_mut(&mut out.data, Role::Index) {
        Some(bytes) => map(bytes, dtype.size(), |at, _| scale.plain(at)),
        // Too many to be given one by one.
        None => out.data.index = IndexPattern::Seq,
    }
    Some(())
}

/// Simpler elements of literal data, indices and values.
pub(super) fn elements(search: &mut Search<'_>) -> bool {
    let mut any = false;
    for role in roles(&search.case.call) {
        let Some(operand) = search.case.call.operand(role) else {
            continue;
        };
        let dtype = operand.dtype();
        any |= if role == Role::Index {
            let scale = Indices::new(&search.case, dtype);
            LiteralData { role, dtype, scale }.simplify(search)
        } else {
            let scale = Values::new(&search.case.call, role, dtype);
            LiteralData { role, dtype, scale }.simplify(search)
        };
    }
    any
}

/// The literal data of one operand, and what is simple in it.
struct LiteralData<S> {
    role: Role,
    dtype: DType,
    scale: S,
}

impl<S: Scale> LiteralData<S> {
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
        let Some(bytes) = literal(&case.data, self.role) else {
            return Vec::new();
        };
        let all = words(bytes, self.dtype.size()).enumerate();
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
        let Some(bytes) = literal_mut(&mut out.data, self.role) else {
            return false;
        };
        map(bytes, self.dtype.size(), f);
        search.offer(out)
    }
}
