//! Wrong models, each with one mistake that an implementer could make. A
//! tester that lets one of them pass is not worth its name.
//!
//! A mutant stands before the right model of its target: it changes the call,
//! the answer to a gap or the result, or it runs a few forms itself, in small
//! pieces of which one is wrong. All else the right model does. No model is
//! copied, and none knows of its mutants.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

/// Defines what a list of mutants of one form is made with: `with` makes one of
/// what is wrong, `of` one of pieces. All are on one target, or each says on which.
macro_rules! mutants_of {
    ($form:ident on $target:ident, $pieces:ident) => {
        mutants_of!(@ $form, $pieces, ptodiff_isa::Target::$target;);
    };
    ($form:ident, $pieces:ident) => {
        mutants_of!(@ $form, $pieces, target; target: ptodiff_isa::Target,);
    };
    (@ $form:ident, $pieces:ident, $on:expr; $($target:ident: $t:ty,)?) => {
        const fn with(
            name: &'static str,
            $($target: $t,)?
            clause: &'static str,
            mistake: &'static str,
            wrong: $crate::Wrong,
        ) -> $crate::Mutant {
            let form = ptodiff_case::Form::$form;
            $crate::Mutant::new(name, $on, form, clause, mistake, wrong)
        }

        const fn of(
            name: &'static str,
            $($target: $t,)?
            clause: &'static str,
            mistake: &'static str,
            pieces: $pieces,
        ) -> $crate::Mutant {
            with(name, $($target,)? clause, mistake, $crate::Wrong::$pieces(pieces))
        }
    };
}

mod bytes;
mod catch;
mod gather;
mod number;
mod scatter;
mod spoil;
mod table;
mod tile;
mod wrong;

use std::sync::OnceLock;

pub use catch::{Caught, HUNT, InCases, caught, in_cases, in_hunt};
pub use wrong::Mutant;

use wrong::Wrong;

/// All mutants, by instruction.
#[must_use]
pub fn mutants() -> &'static [Mutant] {
    static ALL: OnceLock<Vec<Mutant>> = OnceLock::new();
    ALL.get_or_init(|| {
        let all = scatter::mutants().chain(gather::mutants());
        all.chain(tile::mutants()).collect()
    })
}
