//! A property of a call in which alone a mistake may be made.

use ptodiff_isa::DType;
use ptodiff_record::CaseRecord;

/// Properties of a call in which alone a mistake may be made.
const WHERE: [&str; 7] = ["mode", "atomic", "oob", "conflict", "dtype", WIDTH, "axis"];

/// What is moved as it is goes wrong by the width of its type.
const WIDTH: &str = "dtype width";

/// A property of a call.
#[derive(Clone)]
pub(crate) struct Property {
    pub(crate) name: &'static str,
    pub(crate) value: String,
}

impl Property {
    /// The one with this name that the call of `record` has.
    fn of(name: &'static str, record: &CaseRecord) -> Option<Self> {
        let value = match name {
            WIDTH => {
                let dtype: DType = record.call.get("dtype")?.parse().ok()?;
                format!("{} bits", 8 * dtype.size())
            }
            name => record.call.get(name)?.clone(),
        };
        Some(Self { name, value })
    }

    pub(crate) fn is_of(&self, record: &CaseRecord) -> bool {
        Self::of(self.name, record).is_some_and(|other| other.value == self.value)
    }
}

/// Fewer `explained` failures have something in common by chance.
const IN_COMMON: usize = 3;

/// The property that all `explained` calls have and fewest of those that contradict: a mistake may
/// be made there alone. None where at least half of them have it, too.
pub(crate) fn restricted(
    explained: &[CaseRecord],
    contradicting: &[CaseRecord],
) -> Option<Property> {
    let first = explained.first().filter(|_| explained.len() >= IN_COMMON)?;
    let each = WHERE.iter().filter_map(|name| {
        let only = Property::of(name, first)?;
        let fewer = contradicting.iter().filter(|one| only.is_of(one)).count();
        let all = explained.iter().all(|one| only.is_of(one));
        all.then_some((only, fewer))
    });
    let (only, fewer) = each.min_by_key(|(_, fewer)| *fewer)?;
    (2 * fewer < contradicting.len()).then_some(only)
}
