//! What was found in a case: reasons, places, values.

use std::collections::BTreeMap;

use ptodiff_isa::{Party, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::schema::{PartyText, Word};

/// A clause and what was found about it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// The clause.
    pub clause: String,
    /// In one line.
    pub why: String,
}

impl Reason {
    /// Why a call never returns, in one line.
    pub const NEVER_RETURNS: &str = "the first async_invoke has no SIMT context";
}

/// One place where a target breaks its contract.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// What groups it with others of its kind.
    pub failure_group: String,
    /// In one line.
    pub what: String,
    /// The clause that it breaks, where one is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    /// The schedule it showed under, for a concurrent target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<String>,
    /// The slot, where it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<Slot>,
    /// The line of the case's file that expects otherwise, where one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

impl Finding {
    /// What stands in [`Self::what`] before the call behind which alone it is seen.
    pub const BEHIND: &str = "; seen twice behind ";

    /// Whether it is of a slot of the scratch, which is no result.
    #[must_use]
    pub fn is_of_scratch(&self) -> bool {
        let mut slot = self.slot.iter();
        slot.any(|slot| slot.role == Role::Scratch)
    }
}

/// One slot, with what stands there and what may.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    /// The operand.
    #[schemars(with = "Word<Role>")]
    pub role: Role,
    /// Byte offset in the operand's body; negative or past its end in a guard zone.
    pub offset: i64,
    /// Number of the element from the start of the body.
    pub element: u64,
    /// Logical coordinate and whether it is padding, as text: `(3, 7)`.
    pub at: String,
    /// What stood there before the first call.
    pub initial: SlotValue,
    /// What each party left there.
    #[schemars(with = "BTreeMap<PartyText, SlotValue>")]
    pub got: BTreeMap<Party, SlotValue>,
    /// What was permitted, as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permitted: Option<String>,
    /// The clauses at work in this slot.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<String>,
    /// The first lanes that wrote there, at most [`Slot::LANES`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lanes: Vec<Lane>,
    /// How many more lanes wrote there.
    #[serde(default, skip_serializing_if = "crate::words::is_zero")]
    pub more_lanes: u64,
    /// The schedule under which a concurrent target left this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<String>,
    /// Where in the operand that is read the value stands that a violation left here:
    /// `tile (0, 5)`; at most [`Slot::PLACES`], none where more have it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub whose: Vec<String>,
    /// Where the one value stands that is permitted, likewise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub due: Vec<String>,
}

impl Slot {
    /// How many lanes are named.
    pub const LANES: usize = 12;
    /// How many places of one value are named.
    pub const PLACES: usize = 3;

    /// What was permitted, whoever says so.
    #[must_use]
    pub fn expected(&self) -> Option<&str> {
        let permitted = self.permitted.as_deref()?;
        let by_the_case = permitted.strip_suffix(Self::BY_THE_CASE);
        Some(by_the_case.unwrap_or(permitted))
    }

    /// The bits of the one value that is permitted, where it is one.
    #[must_use]
    pub fn due_bits(&self) -> Option<&str> {
        let permitted = self.expected()?;
        let plain = !permitted.starts_with("one of ") && !permitted.starts_with("from ");
        let one = plain && permitted.matches('(').count() == 1;
        let (_, bits) = permitted.strip_suffix(')')?.rsplit_once('(')?;
        one.then_some(bits)
    }

    /// How [`Self::permitted`] ends where it is what the case expects.
    pub const BY_THE_CASE: &str = " by the case";

    /// Whether it counts for nothing: padding, or no logical place at all.
    #[must_use]
    pub fn is_padding(&self) -> bool {
        !self.at.ends_with([')', ']'])
    }
}

/// An element as bits and as a value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SlotValue {
    /// `0x3f800000`.
    pub bits: String,
    /// `1`.
    pub value: String,
}

/// One position of the data tile in one chunk.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct Lane {
    /// Chunk, from 0.
    pub step: u32,
    /// Logical row.
    pub r: u64,
    /// Logical column.
    pub c: u64,
    /// The index that chose its slot or its value, where the call has one for it
    /// alone or for its row; absent before format 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<i64>,
}

impl Lane {
    /// The lane at (`r`, `c`) in the chunk `step`, of whose index nothing is said.
    #[must_use]
    pub const fn at(step: u32, r: u64, c: u64) -> Self {
        let index = None;
        Self { step, r, c, index }
    }
}

/// How much of the output is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wrong {
    /// Slots of the output that hold what no permit allows, under the first schedule that has any.
    pub slots: u64,
    /// Slots of the output, padding included.
    pub of: u64,
    /// Of their places and what they hold; records that are older have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<u32>,
}

/// Slots of sums with so many different contributions that not every order of
/// them is followed: any value between two bounds conforms there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wide {
    /// How many slots.
    pub slots: u64,
    /// Values of the element type from one bound to the other, in the widest.
    pub values: u64,
}

/// Slots in which an implementation differs from another party, and of which nothing is
/// promised: no violation, and no result to rely on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Unpromised {
    /// The clause by which nothing is promised.
    pub clause: String,
    /// How many slots.
    pub slots: u64,
    /// The operand.
    #[schemars(with = "Word<Role>")]
    pub role: Role,
    /// The coordinate of the first of them.
    pub at: String,
    /// What each party with a result left there.
    #[schemars(with = "BTreeMap<PartyText, SlotValue>")]
    pub got: BTreeMap<Party, SlotValue>,
}

/// Freedom that no schedule made use of: the stimulus is too weak to show it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Unseen {
    /// Slots with more than one permitted value that always held the same.
    pub slots: u64,
    /// The clause that gives the freedom.
    pub clause: String,
}
