//! The handshakes of the four kernels, as documented, in order.
//!
//! 000 and 001, Pipe / Synchronisation Model, A2/A3. Every transition is a
//! whole pair, `set_flag` then `wait_flag` (MGATHER-SYNC-07).

use ptodiff_isa::{
    DType, Event,
    Pipe::{self, MTE2, MTE3, S, V},
};

use crate::scribe::Scribe;

/// One thing that a kernel does around its transfers.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    /// `set_flag` and `wait_flag` from the first pipe to the second.
    Pair(Pipe, Pipe),
    /// The MTE3 unit enters atomic-add mode for the table's dtype.
    AtomicAdd,
    /// The MTE3 unit leaves atomic-add mode.
    AtomicNone,
}

/// The steps of one kernel.
pub(crate) struct Protocol {
    /// Before the first index is read.
    pub(crate) before: &'static [Step],
    /// After each DMA.
    pub(crate) each_dma: &'static [Step],
    /// After the last transfer.
    pub(crate) after: &'static [Step],
}

/// MSCATTER Row, ScatterAtomicOp::None (MSCATTER-SYNC-03, -06, -08; reading of
/// MSCATTER-GAP-29 and -30: S->MTE3 always, a pair for each DMA).
pub(crate) const MSCATTER_ROW: Protocol = Protocol {
    before: &[Step::Pair(V, S), Step::Pair(MTE2, S), Step::Pair(S, MTE3)],
    each_dma: &[Step::Pair(MTE3, S)],
    after: &[Step::Pair(MTE3, V), Step::Pair(MTE3, MTE2)],
};

/// MSCATTER Row, ScatterAtomicOp::Add (MSCATTER-SYNC-03, -04, -06, -07, -08).
pub(crate) const MSCATTER_ROW_ADD: Protocol = Protocol {
    before: &[
        Step::Pair(V, S),
        Step::Pair(MTE2, S),
        Step::AtomicAdd,
        Step::Pair(S, MTE3),
    ],
    each_dma: &[],
    after: &[
        Step::Pair(MTE3, S),
        Step::AtomicNone,
        Step::Pair(S, V),
        Step::Pair(S, MTE2),
        Step::Pair(MTE3, V),
        Step::Pair(MTE3, MTE2),
    ],
};

/// MSCATTER Elem (MSCATTER-SYNC-05, -09).
pub(crate) const MSCATTER_ELEM: Protocol = Protocol {
    before: &[Step::Pair(V, S), Step::Pair(MTE3, S), Step::Pair(MTE2, S)],
    each_dma: &[],
    after: &[Step::Pair(S, V), Step::Pair(S, MTE2), Step::Pair(S, MTE3)],
};

/// MGATHER Row (MGATHER-SYNC-03, -05).
pub(crate) const MGATHER_ROW: Protocol = Protocol {
    before: &[Step::Pair(V, S), Step::Pair(MTE3, S)],
    each_dma: &[],
    after: &[
        Step::Pair(S, MTE2),
        Step::Pair(MTE2, V),
        Step::Pair(MTE2, MTE3),
        Step::Pair(S, V),
        Step::Pair(S, MTE3),
    ],
};

/// MGATHER Elem (MGATHER-SYNC-04, -06).
pub(crate) const MGATHER_ELEM: Protocol = Protocol {
    before: &[Step::Pair(V, S), Step::Pair(MTE3, S), Step::Pair(MTE2, S)],
    each_dma: &[],
    after: &[Step::Pair(S, V), Step::Pair(S, MTE2), Step::Pair(S, MTE3)],
};

/// Issues `steps`; `dtype` is what an atomic add would be set up for.
#[inline]
pub(crate) fn issue(steps: &[Step], dtype: DType, log: &mut impl Scribe) {
    for step in steps {
        match *step {
            Step::Pair(from, to) => {
                log.note(|| Event::SetFlag { from, to });
                log.note(|| Event::WaitFlag { from, to });
            }
            Step::AtomicAdd => log.note(|| Event::SetAtomicAdd(dtype)),
            Step::AtomicNone => log.note(|| Event::SetAtomicNone),
        }
    }
}
