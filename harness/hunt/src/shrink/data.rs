//! Simpler data: how it is made, and then its single elements.

use std::collections::HashSet;

use ptodiff_case::{Case, DataPlan, IndexPattern};
use ptodiff_generate::{MAX_LITERALS, written_out};
use ptodiff_isa::Role;

use super::bounds::data_elements;
use super::operands::roles;
use super::scale::{SEEDLESS, Scale};
use super::search::Search;
use crate::words::{bytes, words};

/// Parts of literal data that are tried in vain before smaller ones are left for later.
const LEAST_PARTS: usize = 8;

/// Literal data in place of what was too large for it before the operands got
/// smaller.
pub(super) fn write_out(search: &mut Search<'_>) -> bool {
    let literal = written_out(&search.case, search.seed);
    search.offer(literal)
}

/// Simpler data of one operand at a time: the simplest elements, zeros, and the other
/// fills that no seed touches.
pub(super) fn fills(search: &mut Search<'_>) -> bool {
    let mut any = false;
    for role in roles(&search.case.call) {
        let literal = Literal::of(&search.case, role);
        let count = data_elements(&search.case, role);
        let mut with: Vec<Case> = Vec::new();
        let mut add = |change: &dyn Fn(&mut DataPlan)| {
            let mut out = search.case.clone();
            change(&mut out.data);
            with.push(out);
        };
        if count <= MAX_LITERALS {
            let all = (0..count as usize).map(|at| literal.scale.plain(at));
            let all = bytes(all, literal.size);
            add(&|data| data.set_literal(role, all.clone()));
        }
        match role {
            Role::Index => [IndexPattern::Seq, IndexPattern::Same]
                .iter()
                .for_each(|pattern| add(&|data| data.index = pattern.clone())),
            _ => SEEDLESS
                .iter()
                .for_each(|fill| add(&|data| data.set_fill(role, fill.clone()))),
        }
        // Of a long one a fill is simpler than the simplest elements.
        for case in with {
            any |= search.offer(case);
        }
    }
    any
}

/// Simple elements in most of literal data, where few are needed.
pub(super) fn parts(search: &mut Search<'_>) -> bool {
    let mut any = false;
    for role in roles(&search.case.call) {
        any |= Literal::of(&search.case, role).flatten(search, LEAST_PARTS);
    }
    any
}

/// Simpler elements of literal data.
pub(super) fn elements(search: &mut Search<'_>) -> bool {
    let mut any = false;
    for role in roles(&search.case.call) {
        any |= Literal::of(&search.case, role).simplify(search);
    }
    any
}

/// The literal data of one operand, and what is simple in it.
struct Literal {
    role: Role,
    /// Bytes of an element.
    size: usize,
    scale: Scale,
}

impl Literal {
    fn of(case: &Case, role: Role) -> Self {
        Self {
            role,
            size: case.call.operand(role).map_or(1, |o| o.dtype().size()),
            scale: Scale::of(case, role),
        }
    }

    /// Simplest values, or zeros, for as many elements as possible: for all, halves, quarters,
    /// single ones; of more than `vain` parts only while any of those before was taken.
    fn flatten(&self, search: &mut Search<'_>, vain: usize) -> bool {
        let mut any = false;
        let mut size = self.rough(&search.case).len();
        while size > 0 {
            let rough = self.rough(&search.case);
            let taken = search.patiently(rough.chunks(size), |search, part| {
                let here = part[0].0..=part[part.len() - 1].0;
                self.offer(search, |at, bits| match here.contains(&at) {
                    true => self.scale.plain(at),
                    false => bits,
                }) || self.offer(search, |at, bits| if here.contains(&at) { 0 } else { bits })
            });
            any |= taken;
            if !taken && rough.len() / size >= vain {
                break;
            }
            size /= 2;
        }
        any
    }

    /// Simplest values, or zeros, for as many elements as possible. Then simpler ones for all
    /// that are equal, and for each.
    fn simplify(&self, search: &mut Search<'_>) -> bool {
        let mut any = self.flatten(search, usize::MAX);
        for equal in [true, false] {
            let mut met = HashSet::new();
            let mut rough = self.rough(&search.case);
            rough.retain(|(_, bits)| !equal || met.insert(*bits));
            any |= search.patiently(rough.into_iter(), |search, (place, bits)| {
                self.descend(
                    search,
                    bits,
                    |at, same| if equal { same } else { at == place },
                )
            });
        }
        any
    }

    /// The places and bits of the elements that could be simpler.
    fn rough(&self, case: &Case) -> Vec<(usize, u64)> {
        let bytes = case.data.literal(self.role).map_or(&[][..], Vec::as_slice);
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
            self.offer(search, |at, old| match here(at, old == bits) {
                true => *new,
                false => old,
            })
        }) {
            (bits, any) = (new, true);
        }
        any
    }

    /// Offers the case with what `f` makes of each element's place and bits.
    fn offer(&self, search: &mut Search<'_>, f: impl Fn(usize, u64) -> u64) -> bool {
        let mut out = search.case.clone();
        let Some(literal) = out.data.literal(self.role) else {
            return false;
        };
        let new: Vec<u64> = words(literal, self.size)
            .enumerate()
            .map(|(at, bits)| f(at, bits))
            .collect();
        out.data.set_literal(self.role, bytes(new, self.size));
        search.offer(out)
    }
}
