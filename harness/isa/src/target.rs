//! The three targets.

use crate::words;

words! {
    /// A target that the documents describe.
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
}
