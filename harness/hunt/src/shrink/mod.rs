//! Typed shrinking: the smallest case that still shows what a case showed.
//!
//! Every candidate is a case: passes change calls and data, never the choices
//! that a case was drawn from, so cases of files are shrunk like drawn ones.

mod bounds;
mod carry;
mod data;
mod extents;
mod follow;
mod measure;
mod operands;
mod plain;
mod scale;
mod search;

use ptodiff_case::Case;
use ptodiff_generate::{literal, written_out};
use ptodiff_isa::Call;

pub use measure::Measure;

use Pass::{By, Own};
use search::{Edit, Search};

/// A way to make a case smaller.
enum Pass {
    /// By one of these edits, again and again.
    By(fn(&Case) -> Vec<Edit>),
    /// In a way of its own, which says whether it found any.
    Own(fn(&mut Search<'_>) -> bool),
}

/// All passes: first what makes a case smaller at a stroke, so that the others have less to do
/// and what is large is plain where the tries are used up; last what asks about each entry.
const PASSES: &[Pass] = &[
    By(plain::targets),
    By(plain::expected),
    Own(extents::ends),
    By(extents::padding),
    By(plain::readings),
    By(plain::launch),
    By(plain::policies),
    By(plain::layouts),
    By(plain::types),
    By(extents::empty),
    By(extents::known),
    By(extents::strides),
    Own(data::write_out),
    Own(data::fills),
    Own(data::parts),
    Own(extents::extents),
    Own(data::elements),
];

/// The smallest case it finds for which `keeps` answers true as it does for
/// `case`, drawn for the run's `seed`; `keeps` is asked at most `tries` times.
///
/// What is smaller, [`Measure`] says: every case that is taken is smaller than
/// the one before, so the search ends, and the same case, seed, tries and
/// answers give the same result. No case that is asked about has operands that
/// take more memory than those of `case`, and each can be written as a case
/// file and read back.
///
/// The result has literal data, or such as no seed touches, so that it is the
/// same case whatever seed it is run with; only what
/// [`ptodiff_generate::MAX_LITERALS`] has no room for, and can neither be cut
/// nor be replaced, is still drawn. It keeps id, name and suite, and says
/// nothing any more of what must be found: that held of the whole case only.
///
/// `case` comes back unchanged if `keeps` says no to it, if it says no to the
/// same data given literally, or if `tries` do not suffice to ask about both.
#[must_use]
pub fn shrink(case: &Case, seed: u64, tries: usize, keeps: &mut dyn FnMut(&Case) -> bool) -> Case {
    shrink_within(case, seed, tries, &|_| true, keeps)
}

/// As [`shrink`], among cases whose call `allows` lets pass: about the others
/// `keeps` is not asked.
#[must_use]
pub fn shrink_within(
    case: &Case,
    seed: u64,
    tries: usize,
    allows: &dyn Fn(&Call) -> bool,
    keeps: &mut dyn FnMut(&Case) -> bool,
) -> Case {
    let mut tries = tries;
    let mut asks = |case: &Case| {
        tries > 0 && {
            tries -= 1;
            keeps(case)
        }
    };
    if !asks(case) {
        return case.clone();
    }
    let start = unexpecting(&written_out(case, seed));
    if start != *case && !asks(&start) {
        let literal = literal(case, seed);
        let other = literal != start && literal != *case;
        return if other && asks(&literal) {
            literal
        } else {
            case.clone()
        };
    }
    let mut search = Search::new(start, (bounds::bytes(case), allows), seed, tries, keeps);
    loop {
        let mut any = false;
        for pass in PASSES {
            any |= match pass {
                By(edits) => search.exhaust(*edits),
                Own(pass) => pass(&mut search),
            };
        }
        if !any || search.is_spent() {
            return search.case;
        }
    }
}

/// The case without what it says that must be found: this holds of the whole
/// case only.
fn unexpecting(case: &Case) -> Case {
    Case {
        covers: Vec::new(),
        gap: None,
        holes: Vec::new(),
        expect: Vec::new(),
        ..case.clone()
    }
}
