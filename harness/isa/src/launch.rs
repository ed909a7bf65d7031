//! How the kernel that contains a call is started and ended.

use crate::words;

words! {
    /// How an A5 kernel is entered (000 and 001, Runtime Dispatch Requirement).
    #[derive(Default)]
    pub enum Dispatch {
        /// The standard launch, which installs the SIMT context.
        #[default]
        Standard,
        /// A direct C function-pointer call: no SIMT context, so the first
        /// `async_invoke` never returns.
        Direct,
    }
}

words! {
    /// Whether the A5 wrapper of a scatter ends with `dcci(0, ENTIRE_DATA_CACHE)`
    /// and `dsb(DSB_DDR)` before the host reads the table (000, Cache-Coherence
    /// Flush Pattern).
    #[derive(Default)]
    pub enum CacheFlush {
        /// It does.
        #[default]
        Appended,
        /// It does not: the host may read old bytes or new ones.
        Missing,
    }
}

/// How the kernel that contains the call was launched. Only A5 looks at it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Launch {
    /// `dynUBufSize` in bytes, the second launch argument; `None` for
    /// `nullptr` (000 and 001, UB Memory Budget).
    pub dyn_ub_bytes: Option<u64>,
    /// How the kernel is entered.
    pub dispatch: Dispatch,
    /// Whether the wrapper flushes the data cache. Gathers do not look at it.
    pub flush: CacheFlush,
}

impl Launch {
    /// What is not as by default, each by its key in case files.
    #[must_use]
    pub fn told(&self) -> Vec<(&'static str, String)> {
        let default = Self::default();
        let bytes = self.dyn_ub_bytes.map(|bytes| bytes.to_string());
        let dispatch = (self.dispatch != default.dispatch).then(|| self.dispatch.to_string());
        let flush = (self.flush != default.flush).then(|| self.flush.to_string());
        let all = [("dyn_ub", bytes), ("dispatch", dispatch), ("flush", flush)];
        let told = all
            .into_iter()
            .filter_map(|(key, value)| Some((key, value?)));
        told.collect()
    }
}
