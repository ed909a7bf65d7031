//! The three targets.

use serde::{Deserialize, Serialize};

/// A target that the documents describe.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Serialize,
    Deserialize,
    strum::Display,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Target {
    /// The CPU simulator.
    Cpu,
    /// The A2/A3 vector core: a scalar pipe and DMA.
    A2a3,
    /// The A5 SIMT core.
    A5,
}
