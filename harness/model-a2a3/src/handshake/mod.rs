//! The handshakes of the kernels, as documented, in order.
//!
//! 000 and 001, Pipe / Synchronisation Model, A2/A3; 001, GM to L1 Gather.
//! Every transition is a whole pair, `set_flag` then `wait_flag`
//! (MGATHER-SYNC-07).
//!
//! `crate::pipes` shows what each pair is good for. Where it shows nothing,
//! the pair is marked *redundant* below, with the reason: the pipes of that
//! simulation then come out the same without it.

mod name;

pub use name::{Handshake, Phase, UnknownHandshake};

use ptodiff_isa::{
    Call, Coalesce,
    Pipe::{self, MTE2, MTE3, S, V},
    ScatterAtomicOp,
};

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
    /// In the body: after each DMA, or ahead of the only one.
    pub(crate) body: &'static [Step],
    /// Back to plain stores.
    pub(crate) reset: &'static [Step],
    /// Last of all.
    pub(crate) after: &'static [Step],
}

impl Protocol {
    fn phases(&self) -> [(Phase, &'static [Step]); 4] {
        [
            (Phase::Before, self.before),
            (Phase::Body, self.body),
            (Phase::Reset, self.reset),
            (Phase::After, self.after),
        ]
    }
}

/// MSCATTER Row, ScatterAtomicOp::None (MSCATTER-SYNC-03, -06, -08; reading of
/// MSCATTER-GAP-29 and -30: S->MTE3 always, a pair for each DMA).
///
/// Redundant: `before S->MTE3`, since there is no mode to publish and a burst
/// is issued only after the scalar pipe has waited for all that it reads. And
/// in a call that moves a row, `after MTE3->V` and `after MTE3->MTE2`: the
/// scalar pipe waits for each burst, and issues what V and MTE2 do next.
pub(crate) const MSCATTER_ROW: Protocol = Protocol {
    before: &[Step::Pair(V, S), Step::Pair(MTE2, S), Step::Pair(S, MTE3)],
    // No iteration looks at what the burst before it wrote; the scalar pipe's
    // next reader of the table does.
    body: &[Step::Pair(MTE3, S)],
    reset: &[],
    after: &[Step::Pair(MTE3, V), Step::Pair(MTE3, MTE2)],
};

/// MSCATTER Row, ScatterAtomicOp::Add (MSCATTER-SYNC-03, -04, -06, -07, -08).
///
/// Redundant: `reset S->V` and `reset S->MTE2`, since neither pipe is subject
/// to the mode and the scalar pipe stores nothing; `after MTE3->V` and `after
/// MTE3->MTE2`, since `reset MTE3->S` holds back the scalar pipe, which issues
/// what V and MTE2 do next, until the last burst is done.
pub(crate) const MSCATTER_ROW_ADD: Protocol = Protocol {
    before: &[
        Step::Pair(V, S),
        Step::Pair(MTE2, S),
        Step::AtomicAdd,
        Step::Pair(S, MTE3),
    ],
    body: &[],
    reset: &[
        Step::Pair(MTE3, S),
        Step::AtomicNone,
        Step::Pair(S, V),
        Step::Pair(S, MTE2),
    ],
    after: &[Step::Pair(MTE3, V), Step::Pair(MTE3, MTE2)],
};

/// MSCATTER Elem (MSCATTER-SYNC-05, -09). None is redundant.
pub(crate) const MSCATTER_ELEM: Protocol = ELEM;

/// MGATHER Row (MGATHER-SYNC-03, -05).
///
/// Redundant: `after S->V` and `after S->MTE3`, since scalar stores reach V and
/// MTE3 by way of MTE2, with S->MTE2 and then MTE2->V and MTE2->MTE3. And where
/// the scalar pipe fills no row, `after S->MTE2`: it has stored nothing, and a
/// burst's arguments are fixed when it is issued.
pub(crate) const MGATHER_ROW: Protocol = Protocol {
    before: &[Step::Pair(V, S), Step::Pair(MTE3, S)],
    body: &[],
    reset: &[],
    after: &[
        Step::Pair(S, MTE2),
        Step::Pair(MTE2, V),
        Step::Pair(MTE2, MTE3),
        Step::Pair(S, V),
        Step::Pair(S, MTE3),
    ],
};

/// MGATHER Elem (MGATHER-SYNC-04, -06). None is redundant.
pub(crate) const MGATHER_ELEM: Protocol = ELEM;

/// Both Elem kernels keep the same order.
const ELEM: Protocol = Protocol {
    before: &[Step::Pair(V, S), Step::Pair(MTE3, S), Step::Pair(MTE2, S)],
    body: &[],
    reset: &[],
    after: &[Step::Pair(S, V), Step::Pair(S, MTE2), Step::Pair(S, MTE3)],
};

/// MGATHER to L1, Row: none (MGATHERL1-SYNC-02).
pub(crate) const MGATHER_L1_ROW: Protocol = Protocol {
    before: &[],
    body: &[],
    reset: &[],
    after: &[],
};

/// MGATHER to L1, Elem (MGATHERL1-SYNC-03): the pair stands ahead of the only
/// transfer.
pub(crate) const MGATHER_L1_ELEM: Protocol = Protocol {
    before: &[],
    body: &[Step::Pair(S, MTE2)],
    reset: &[],
    after: &[],
};

/// The protocol of MSCATTER.
pub(crate) fn of_scatter(mode: Coalesce, atomic: ScatterAtomicOp) -> &'static Protocol {
    match (mode, atomic) {
        (Coalesce::Elem, _) => &MSCATTER_ELEM,
        (Coalesce::Row, ScatterAtomicOp::Add) => &MSCATTER_ROW_ADD,
        (Coalesce::Row, _) => &MSCATTER_ROW,
    }
}

/// The protocol of MGATHER into UB.
pub(crate) fn of_gather(mode: Coalesce) -> &'static Protocol {
    match mode {
        Coalesce::Row => &MGATHER_ROW,
        Coalesce::Elem => &MGATHER_ELEM,
    }
}

/// The protocol of MGATHER into L1.
pub(crate) fn of_gather_l1(mode: Coalesce) -> &'static Protocol {
    match mode {
        Coalesce::Row => &MGATHER_L1_ROW,
        Coalesce::Elem => &MGATHER_L1_ELEM,
    }
}

/// What the caller owes ahead of this call: the pair after its loads (MSCATTER-SYNC-01,
/// MGATHER-SYNC-01). Of other calls no document says what is owed.
#[must_use]
pub fn owed_by_caller(call: &Call) -> Option<Handshake> {
    matches!(call, Call::Mscatter(_) | Call::Mgather(_)).then_some(Handshake {
        phase: Phase::Caller,
        from: MTE2,
        to: V,
    })
}

/// The handshakes of this call's A2/A3 kernel, in the order of issue, each one
/// once.
///
/// Empty where the documents list none: TSCATTER and TGATHERB
/// (TSCATTER-GAP-19, TGATHERB-GAP-15), and Row into L1 (MGATHERL1-SYNC-02).
#[must_use]
pub fn handshakes(call: &Call) -> Vec<Handshake> {
    let protocol = match call {
        Call::Mscatter(call) => of_scatter(call.mode, call.atomic),
        Call::Mgather(call) => of_gather(call.mode),
        Call::MgatherL1(call) => of_gather_l1(call.mode),
        Call::MscatterFirst(_)
        | Call::TscatterIndex(_)
        | Call::TscatterMask(_)
        | Call::Tgatherb(_) => return Vec::new(),
    };
    let named = |phase| {
        move |step: &Step| match *step {
            Step::Pair(from, to) => Some(Handshake { phase, from, to }),
            Step::AtomicAdd | Step::AtomicNone => None,
        }
    };
    protocol
        .phases()
        .into_iter()
        .flat_map(|(phase, steps)| steps.iter().filter_map(named(phase)))
        .collect()
}
