//! A case from the bytes of a fuzzer.
//!
//! | byte | says |
//! |---|---|
//! | 0 | where the case comes from, by its last two bits: [`Recipe::rules`] |
//! | 1 | the order of concurrent lanes: 0 in order, 1 reversed, any other shuffled by it |
//! | 2.. | from a grammar: its choices |
//! | 2, 3 | from a neighbour: the number of the case in [`corpus::small`], little-endian |
//! | 4.. | from a neighbour: changes, none where no byte is left |
//!
//! Bytes that are missing are zeros, so every input is a case. Numbers past
//! the end of a list begin at its start again.

use arbitrary::Unstructured;
use ptodiff_case::Case;
use ptodiff_generate::random::{self, Bytes, Rules, Wish};
use ptodiff_isa::Schedule;

use crate::{corpus, neighbour};

/// What the cases of a target are.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// What those of the grammar keep to, by the last two bits of byte 0; how many rules
    /// are broken, one to three, the next byte says. A fourth is a case of `cases/` and
    /// changes of it in all, so that a seed is one for every target.
    pub rules: [Rules; 3],
    /// Most elements in the valid region of the data tile that the grammar draws.
    pub max_lanes: u64,
    /// Whether a neighbour is changed by the bytes that are left.
    pub changes: bool,
}

impl Recipe {
    /// Everything there is.
    pub const ANY: Self = Self {
        rules: [Rules::Legal, Rules::Broken(1), Rules::Wild],
        max_lanes: corpus::MOST_LANES,
        changes: true,
    };

    /// Everything, cases of `cases/` as they are.
    pub const UNCHANGED: Self = Self {
        changes: false,
        ..Self::ANY
    };

    /// What breaks rules.
    pub const LAWLESS: Self = Self {
        rules: [Rules::Broken(1), Rules::Broken(1), Rules::Wild],
        ..Self::ANY
    };

    /// Few lanes, no rule broken but by a neighbour.
    pub const LEGAL: Self = Self {
        rules: [Rules::Legal; 3],
        max_lanes: 12,
        ..Self::ANY
    };
}

/// A case, and how to run it.
#[derive(Clone, PartialEq, Debug)]
pub struct Input {
    /// The case. One of the grammar has no name; a changed neighbour has the
    /// id of the case that it began as, and nothing that is expected of it.
    pub case: Case,
    /// The order that concurrent lanes take effect in.
    pub schedule: Schedule,
}

/// The case that `bytes` stand for.
#[must_use]
pub fn read(bytes: &[u8], recipe: &Recipe) -> Input {
    take(&mut Unstructured::new(bytes), recipe)
}

/// The case at the start of `left`.
pub(crate) fn take(left: &mut Unstructured<'_>, recipe: &Recipe) -> Input {
    let source = usize::from(byte(left) % 4);
    let schedule = match byte(left) {
        0 => Schedule::InOrder,
        1 => Schedule::Reversed,
        number => Schedule::Shuffled(u64::from(number) - 1),
    };
    let rules = match recipe.rules.get(source) {
        Some(Rules::Broken(_)) => Rules::Broken(1 + usize::from(byte(left) % 3)),
        Some(rules) => *rules,
        None => {
            let number = usize::from(u16::from_le_bytes([byte(left), byte(left)]));
            let small = corpus::small();
            if let Some(case) = small.get(number % small.len().max(1)) {
                let mut none = Unstructured::new(&[]);
                let changes = if recipe.changes { left } else { &mut none };
                let case = neighbour::of(case, changes);
                return Input { case, schedule };
            }
            // There is no corpus to have neighbours in.
            Rules::Legal
        }
    };
    let wish = Wish {
        rules,
        max_lanes: recipe.max_lanes,
        ..Wish::default()
    };
    let case = random::case(&mut Bytes::new(left), &wish);
    Input { case, schedule }
}

/// The next byte, or 0.
fn byte(left: &mut Unstructured<'_>) -> u8 {
    left.int_in_range(0..=u8::MAX).unwrap_or(0)
}

/// The longest text at the start of `bytes`.
#[must_use]
pub fn text(bytes: &[u8]) -> &str {
    let first = bytes.utf8_chunks().next();
    first.map_or("", |chunk| chunk.valid())
}

/// Whether a target that reads cases and texts takes `bytes` for a case: no
/// text begins with the bytes that say where a case comes from.
#[must_use]
pub fn is_case(bytes: &[u8]) -> bool {
    bytes.first().is_some_and(|first| *first < 4)
}
