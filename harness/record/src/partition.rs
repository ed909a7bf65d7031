//! Which cases of a run belong to which part of it.

use std::{fmt, ops::Range, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One part of a run or of a hunt. That of a run is split by the ids of its cases and
/// written `hash:2/4`, the second of four, or `2/4`; that of a hunt by their numbers:
/// see [`Partition::share`].
///
/// A case's part depends on its id and the number of parts alone, so no case
/// moves when others come or go. It is one more than the remainder, by the
/// number of parts, of the first eight bytes of the id's BLAKE3 hash, the
/// lowest first.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "String", into = "String")]
pub struct Partition {
    part: u32,
    parts: u32,
}

/// Why a text is no partition.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum NoPartition {
    /// Not of the form.
    #[error("`{0}` is no partition: expected K/N, as in 2/4")]
    Form(String),
    /// Not a number, or one beyond 32 bits.
    #[error("`{0}` is no number of a part: whole numbers up to 4294967295 are")]
    Number(String),
    /// No such part.
    #[error("there is no part {part} of {parts}: parts are counted from 1 to their number")]
    Range {
        /// K.
        part: u32,
        /// N.
        parts: u32,
    },
}

impl Partition {
    /// Part `part`, from 1, of `parts`.
    ///
    /// # Errors
    /// If there is no such part.
    pub fn new(part: u32, parts: u32) -> Result<Self, NoPartition> {
        if part == 0 || part > parts {
            return Err(NoPartition::Range { part, parts });
        }
        Ok(Self { part, parts })
    }

    /// Which part it is, from 1.
    #[must_use]
    pub const fn part(self) -> u32 {
        self.part
    }

    /// How many parts there are.
    #[must_use]
    pub const fn parts(self) -> u32 {
        self.parts
    }

    /// `2/4`
    #[must_use]
    pub fn fraction(self) -> String {
        format!("{}/{}", self.part, self.parts)
    }

    /// The numbers of this part's cases in a hunt for `count`: those of the parts
    /// follow each other, and none has more than one case more than another.
    #[must_use]
    pub fn share(self, count: u64) -> Range<u64> {
        let until = |part: u32| {
            let all = u128::from(count) * u128::from(part) / u128::from(self.parts);
            // No more than `count`.
            all as u64
        };
        until(self.part - 1)..until(self.part)
    }

    /// All `N` parts of the run that this is one of, in order.
    pub fn siblings(self) -> impl Iterator<Item = Self> {
        let Self { parts, .. } = self;
        (1..=parts).map(move |part| Self { part, parts })
    }

    /// Whether the case called `id` belongs to this part.
    #[must_use]
    pub fn takes(self, id: &str) -> bool {
        let [a, b, c, d, e, f, g, h, ..] = *blake3::hash(id.as_bytes()).as_bytes();
        let hash = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
        hash % u64::from(self.parts) == u64::from(self.part - 1)
    }

    /// This part of the run of the cases called `ids`, for the header of its record.
    pub fn of<'a>(self, ids: impl IntoIterator<Item = &'a str>) -> Part {
        let mut at = Vec::new();
        let mut of = 0;
        let ids = ids.into_iter().inspect(|id| {
            if self.takes(id) {
                at.push(of);
            }
            of += 1;
        });
        let ids = fingerprint(ids);
        let partition = self;
        Part {
            partition,
            of,
            ids,
            texts: String::new(),
            at,
            again: Vec::new(),
        }
    }
}

impl FromStr for Partition {
    type Err = NoPartition;

    fn from_str(text: &str) -> Result<Self, NoPartition> {
        let form = || NoPartition::Form(text.to_owned());
        let numbers = text.strip_prefix("hash:").unwrap_or(text);
        let (part, parts) = numbers.split_once('/').ok_or_else(form)?;
        let number = |digits: &str| {
            // `+3` is a number to `parse`, and would print as another text.
            let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            let number = plain.then(|| digits.parse().ok()).flatten();
            number.ok_or_else(|| NoPartition::Number(digits.to_owned()))
        };
        Self::new(number(part)?, number(parts)?)
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hash:{}/{}", self.part, self.parts)
    }
}

impl TryFrom<String> for Partition {
    type Error = NoPartition;

    fn try_from(text: String) -> Result<Self, NoPartition> {
        text.parse()
    }
}

impl From<Partition> for String {
    fn from(partition: Partition) -> Self {
        partition.to_string()
    }
}

/// What a record that holds a part of a run says of the whole, so that
/// [`merge`](crate::merge) can put it together again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Which part it is.
    pub partition: Partition,
    /// Cases of the whole run.
    pub of: usize,
    /// [`fingerprint`] of their ids.
    pub ids: String,
    /// [`fingerprint`] of what they say, as case files.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub texts: String,
    /// Places of this part's cases in the whole run, from 0, rising.
    pub at: Vec<usize>,
    /// The arguments that every part was given, so that one that is missing can be run:
    /// as they were typed, without the commands of implementations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub again: Vec<String>,
}

/// A hash of ids, or of other texts, and their order, in hexadecimal digits.
pub fn fingerprint(texts: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let mut all = Fingerprint::default();
    texts.into_iter().for_each(|text| all.add(text.as_ref()));
    all.digits()
}

/// [`fingerprint`] of ids that come one after the other.
#[derive(Default)]
pub(crate) struct Fingerprint(blake3::Hasher);

impl Fingerprint {
    pub(crate) fn add(&mut self, id: &str) {
        // The length keeps `a`, `bc` apart from `ab`, `c`.
        self.0.update(&(id.len() as u64).to_le_bytes());
        self.0.update(id.as_bytes());
    }

    pub(crate) fn digits(&self) -> String {
        self.0.finalize().to_hex().to_string()
    }
}
