//! What the lines of frames say, in both directions.

use std::{borrow::Cow, collections::BTreeMap, slice};

use ptodiff_isa::{
    Memory, Readings, Role, Schedule, Target,
    reading::{GAPS, OnTarget},
};
use serde::{Deserialize, Serialize};

use crate::{Ask, call::CallWords, pages};

#[cfg(test)]
mod examples;

/// The newest version of the protocol that is spoken here.
pub const PROTOCOL: u32 = 2;

/// The oldest one.
pub const OLDEST: u32 = 1;

/// A frame to the implementation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Question {
    /// The greeting.
    Hello {
        /// The oldest version that is spoken.
        protocol: u32,
        /// The newest; one that says nothing of it speaks the oldest alone.
        #[serde(default)]
        newest: u32,
        /// The target whose contract will be applied.
        #[serde(rename = "as")]
        target: Target,
    },
    /// So many calls follow before an answer is waited for. It has none itself.
    Batch {
        /// How many.
        calls: usize,
    },
    /// A call; the raw bytes are those of its regions.
    Call(Box<Asked>),
}

/// A call, and under which circumstances it is to run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Asked {
    /// To be repeated in the answer.
    pub id: u64,
    /// The call.
    pub call: CallWords,
    /// The order wished for.
    #[serde(default)]
    pub schedule: Order,
    /// Gaps whose answer is not the default, and their answers.
    #[serde(default)]
    pub readings: BTreeMap<Cow<'static, str>, Cow<'static, str>>,
    /// The regions, in the order of the raw bytes.
    pub regions: Vec<RegionWords>,
    /// Raw bytes of all of them.
    pub bytes: u64,
}

/// A region in a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RegionWords {
    /// Whose it is.
    pub role: Role,
    /// Offset and length of the operand itself, in bytes.
    pub body: [u64; 2],
    /// Bytes of the region, guard zones included.
    pub bytes: u64,
    /// Of a sparse one, how many parts of it follow: all the rest is zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<u64>,
}

/// The order in which concurrent lanes are wished to take effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "kebab-case")]
pub enum Order {
    /// Increasing.
    #[default]
    InOrder,
    /// Decreasing.
    Reversed,
    /// Any other, by a seed.
    Shuffled {
        /// The seed.
        seed: u64,
    },
}

/// A frame from the implementation. A key that its kind has not is an error: most likely
/// it is one that is spelled wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Reply {
    /// The greeting's answer.
    Hello {
        /// The version that is spoken.
        protocol: u32,
        /// What it calls itself.
        #[serde(default)]
        name: String,
        /// Most calls that it takes before it answers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        batch: Option<u32>,
        /// Most processes of it that may run at once.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        jobs: Option<u32>,
        /// Whether it takes sparse regions.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        sparse: bool,
    },
    /// It cannot take part.
    Sorry {
        /// Why.
        #[serde(default)]
        why: String,
    },
    /// It ran; the raw bytes are those of the regions. For one
    /// version, `strays` is read as `out_of_bounds`, and `refused` as `rejected`.
    Done {
        /// The question's.
        id: u64,
        /// The regions that may have changed, in the order of the raw bytes.
        regions: Vec<Returned>,
        /// Raw bytes of all of them.
        #[serde(default)]
        bytes: u64,
        /// Out-of-bounds accesses that it noticed itself.
        #[serde(default, alias = "strays")]
        out_of_bounds: u64,
    },
    /// Its checks reject the call.
    #[serde(alias = "refused")]
    Rejected {
        /// The question's.
        id: u64,
        /// What they say.
        #[serde(default)]
        why: String,
        /// The clause behind the check.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clause: Option<String>,
    },
    /// The call would never return.
    Hangs {
        /// The question's.
        id: u64,
    },
    /// It has no such calls.
    Unsupported {
        /// The question's.
        id: u64,
        /// What it has not.
        #[serde(default)]
        why: String,
    },
}

/// A region in an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Returned {
    /// Whose it is.
    pub role: Role,
    /// Bytes of the region, guard zones included.
    pub bytes: u64,
    /// Of a sparse one, how many parts of it follow: all the rest is as it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<u64>,
}

impl Reply {
    /// The question that it answers; none for a greeting's answer.
    #[must_use]
    pub const fn id(&self) -> Option<u64> {
        match self {
            Self::Hello { .. } | Self::Sorry { .. } => None,
            Self::Done { id, .. }
            | Self::Rejected { id, .. }
            | Self::Hangs { id }
            | Self::Unsupported { id, .. } => Some(*id),
        }
    }
}

impl From<Schedule> for Order {
    fn from(schedule: Schedule) -> Self {
        match schedule {
            Schedule::InOrder => Self::InOrder,
            Schedule::Reversed => Self::Reversed,
            Schedule::Shuffled(seed) => Self::Shuffled { seed },
        }
    }
}

impl From<Order> for Schedule {
    fn from(order: Order) -> Self {
        match order {
            Order::InOrder => Self::InOrder,
            Order::Reversed => Self::Reversed,
            Order::Shuffled { seed } => Self::Shuffled(seed),
        }
    }
}

/// The readings in force that are not the default and may matter for what is asked.
pub(crate) fn asked_readings(
    ask: &Ask<'_>,
    memory: &Memory,
    target: Target,
) -> BTreeMap<Cow<'static, str>, Cow<'static, str>> {
    let (readings, default) = (ask.readings, Readings::default());
    let on = OnTarget {
        call: ask.call,
        steps: slice::from_ref(memory),
        target,
    };
    let others = GAPS
        .iter()
        .filter(|gap| gap.choice(readings) != gap.choice(&default) && gap.may_matter(&on));
    let others = others.map(|gap| (gap.name.into(), gap.choice(readings).into()));
    others.collect()
}

/// The regions of `memory` as a question lists them, and the raw bytes of each.
pub(crate) fn asked_regions(memory: &Memory) -> Vec<(RegionWords, Cow<'_, [u8]>)> {
    fn words(r: &ptodiff_isa::Region) -> (RegionWords, Cow<'_, [u8]>) {
        let body = r.body_range();
        let (parts, raw) = pages::raw(r);
        let words = RegionWords {
            role: r.role,
            body: [body.start as u64, body.len() as u64],
            bytes: r.bytes().len() as u64,
            parts,
        };
        (words, raw)
    }
    memory.regions.iter().map(words).collect()
}
