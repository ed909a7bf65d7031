//! What the program around a call owes it.

use ptodiff_isa::{
    Call, Clause,
    Pipe::{self, MTE2, MTE3, V},
    Target,
};

/// What a caller does around a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Duty {
    /// `set_flag` and `wait_flag` from one pipe to another after the operands are loaded.
    BeforeCall(Pipe, Pipe),
    /// The same before the destination is stored.
    BeforeStore(Pipe, Pipe),
    /// `dcci` of the whole data cache and `dsb` where the host reads the table.
    Flush,
    /// No other live data where the destination lies.
    Alone,
    /// Whatever orders the call against what is around it: no document says which flags.
    Unsaid,
}

/// What the caller of `call` owes on `target`, in order, with the clause or the gap of each
/// (MSCATTER-SYNC-01, -12, MGATHER-SYNC-01, -11, -12, MSCATTER-CACHE-02, TSCATTER-MASK-12);
/// the first revision of MSCATTER is taken as the current one (MSCATTER0-GAP-11).
#[must_use]
pub fn duties(call: &Call, target: Target) -> Vec<(Duty, Clause)> {
    let loaded = Duty::BeforeCall(MTE2, V);
    let owed: &[(Duty, &'static str)] = match (call, target) {
        (_, Target::Cpu) => &[],
        (Call::TscatterMask(_), Target::A5) => &[
            (Duty::Alone, "TSCATTER-MASK-12"),
            (Duty::Unsaid, "TSCATTER-GAP-19"),
        ],
        (Call::TscatterIndex(_) | Call::TscatterMask(_), _) => &[(Duty::Unsaid, "TSCATTER-GAP-19")],
        (Call::Tgatherb(_), _) => &[(Duty::Unsaid, "TGATHERB-GAP-15")],
        (Call::MgatherL1(_), _) => &[(Duty::Unsaid, "MGATHERL1-GAP-12")],
        // A5's alone (MSCATTER0-API-01).
        (Call::MscatterFirst(_), Target::A2a3) => &[],
        (Call::Mscatter(_), Target::A2a3) => &[(loaded, "MSCATTER-SYNC-01")],
        (Call::Mgather(_), Target::A2a3) => &[(loaded, "MGATHER-SYNC-01")],
        (Call::Mscatter(_), Target::A5) => &[
            (loaded, "MSCATTER-SYNC-12"),
            (Duty::Flush, "MSCATTER-CACHE-02"),
        ],
        (Call::MscatterFirst(_), Target::A5) => &[
            (loaded, "MSCATTER0-GAP-11"),
            (Duty::Flush, "MSCATTER0-GAP-11"),
        ],
        (Call::Mgather(_), Target::A5) => &[
            (loaded, "MGATHER-SYNC-11"),
            (Duty::BeforeStore(V, MTE3), "MGATHER-SYNC-12"),
        ],
    };
    owed.iter().map(|&(duty, id)| (duty, Clause(id))).collect()
}
