//! The outer dimensions of tables.

use std::str::FromStr;

use ptodiff_isa::Dim;

/// Most entries that the outer dimensions have together.
const MOST_ENTRIES: u64 = 64;

/// `Shape[0]` to `Shape[2]` of a table, as in `2x1x3`; `?` is known at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outer([Option<u64>; 3]);

impl Outer {
    /// Each of one entry, at compile time.
    pub const NONE: Self = Self([Some(1); 3]);

    /// Whether they could have one entry each.
    pub(super) fn may_be_one(self) -> bool {
        self.0.iter().all(|dim| dim.unwrap_or(1) == 1)
    }

    /// The dimensions, those of run time with one entry.
    pub(super) fn dims(self) -> [Dim; 3] {
        self.0.map(|dim| dim.map_or(Dim::Dynamic(1), Dim::Static))
    }
}

impl FromStr for Outer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let dims = text.split('x').map(|word| match word {
            "?" => Some(None),
            _ => word.parse().ok().filter(|n| *n > 0).map(Some),
        });
        let dims: Option<Vec<Option<u64>>> = dims.collect();
        let entries = |dims: &[Option<u64>; 3]| {
            dims.iter()
                .fold(1, |all: u64, dim| all.saturating_mul(dim.unwrap_or(1)))
        };
        dims.and_then(|dims| <[_; 3]>::try_from(dims).ok())
            .filter(|dims| entries(dims) <= MOST_ENTRIES)
            .map(Self)
            .ok_or_else(|| {
                format!(
                    "expected three dimensions, as in 2x1x3 or ?x?x?, of at most {MOST_ENTRIES} \
                     entries together"
                )
            })
    }
}
