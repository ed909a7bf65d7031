//! How the data of a random case is made, and how its kernel is launched.

use ptodiff_case::{Case, DataPlan, Fill, IndexPattern};
use ptodiff_isa::{
    CacheFlush, Call, Coalesce, Dispatch, GatherExec, Launch, Role, ScatterAtomicOp, Tile,
};

use super::choices::Choices;
use super::context::DrawContext;

/// What the data is good for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// Values are moved: who wrote where is to show.
    Moved,
    /// Values are added or compared.
    Combined,
}

impl Use {
    /// What it is good for in `call`.
    pub(super) fn of(call: &Call) -> Self {
        match call.atomic() {
            None | Some(ScatterAtomicOp::None) => Self::Moved,
            Some(_) => Self::Combined,
        }
    }
}

/// The largest `dynUBufSize` (MSCATTER-UB-06, MGATHER-UB-06), bytes.
pub(super) const DYN_UB: u64 = 216 << 10;

/// What A5 has without it (MSCATTER-UB-07, MGATHER-UB-07), bytes.
pub(super) const DEFAULT_UB: u64 = 128 << 10;

/// What A2/A3 has (MSCATTER-UB-01, MGATHER-UB-02), bytes.
pub(super) const A2A3_UB: u64 = 192 << 10;

/// A plan around `index`.
pub(super) fn plan(choices: &mut impl Choices, purpose: Use, index: IndexPattern) -> DataPlan {
    let (table, source) = match purpose {
        Use::Moved => (
            choices.weighted(&[(8, Kind::Distinct), (4, Kind::Zeros), (4, Kind::Other)]),
            choices.weighted(&[(12, Kind::Distinct), (4, Kind::Other)]),
        ),
        Use::Combined => (
            choices.weighted(&[(5, Kind::Zeros), (5, Kind::Distinct), (6, Kind::Other)]),
            choices.weighted(&[(8, Kind::Distinct), (8, Kind::Other)]),
        ),
    };
    let before = choices.weighted(&[(10, Kind::Poison), (6, Kind::Other)]);
    DataPlan {
        table: fill(choices, table),
        source: fill(choices, source),
        destination: fill(choices, before),
        scratch: fill(choices, before),
        index,
        seed: choices.below(1 << 16),
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Distinct,
    Zeros,
    Poison,
    Other,
}

fn fill(choices: &mut impl Choices, kind: Kind) -> Fill {
    match kind {
        Kind::Distinct => Fill::Distinct,
        Kind::Zeros => Fill::Zeros,
        Kind::Poison => Fill::Poison,
        Kind::Other => match choices.below(12) {
            0 => Fill::Ramp,
            1 => Fill::Zeros,
            2 | 3 => Fill::Special,
            4 => Fill::RandomBits,
            5 => Fill::RampBits,
            6 => Fill::Eighths,
            7 => Fill::SmallInts,
            8 => Fill::Percent,
            9 => Fill::Arange,
            10 => Fill::Distinct,
            _ => Fill::Poison,
        },
    }
}

/// Leaves to the default what the plan says of operands that the call lacks,
/// as a case file does.
pub(super) fn forget_absent(case: &mut Case) {
    let default = DataPlan::of(&case.call);
    for role in [Role::Table, Role::Source, Role::Destination, Role::Scratch] {
        if let (None, Some(fill)) = (case.call.operand(role), default.fill(role)) {
            case.data.set_fill(role, fill.clone());
        }
    }
}

/// Bytes of a padded tile, in whole units of 32.
pub(super) fn bytes(tile: &Tile) -> u64 {
    (tile.rows * tile.cols * tile.dtype.size() as u64).next_multiple_of(32)
}

/// Gives `call`, if it is launched, a launch under which it keeps its promises on the
/// case's targets.
pub(super) fn launch(choices: &mut impl Choices, context: &DrawContext, call: &mut Call) {
    // Whether A5 launches a SIMT kernel: for all but Elem (1,1) and the scalar executor.
    let simt = match call {
        Call::MgatherL1(call) => call.exec == GatherExec::Simt,
        _ => {
            let data = call.data_tile();
            call.mode() == Some(Coalesce::Row) || data.valid_row.get() * data.valid_col.get() != 1
        }
    };
    let bytes = match call {
        // Its tile takes nothing of UB (MGATHERL1-GAP-24).
        Call::MgatherL1(_) => 0,
        _ => {
            let operands = call.operands().into_iter();
            let tiles = operands.filter_map(|(_, operand)| operand.tile());
            tiles.map(bytes).sum()
        }
    };
    if let Some(own) = call.launch_mut() {
        *own = drawn_launch(choices, context, bytes, simt);
    }
}

/// A launch for tiles of `bytes` in UB.
fn drawn_launch(
    choices: &mut impl Choices,
    context: &DrawContext,
    bytes: u64,
    simt: bool,
) -> Launch {
    let declared = context.a5 && bytes > DEFAULT_UB;
    let plain = choices.below(2) == 0;
    if plain && !declared {
        return Launch::default();
    }
    // Rounded up with a margin (MSCATTER-UB-16).
    let margin = bytes.next_multiple_of(1024).clamp(1024, DYN_UB);
    let dyn_ub_bytes = match choices.below(4) {
        0 if !declared => None,
        0 | 1 => Some(DYN_UB),
        2 => Some(bytes.clamp(1, DYN_UB)),
        _ => Some(margin),
    };
    let direct = !plain && choices.one_in(2) && !(context.a5 && simt);
    Launch {
        dyn_ub_bytes,
        dispatch: if direct {
            Dispatch::Direct
        } else {
            Dispatch::Standard
        },
        flush: if !plain && choices.one_in(3) {
            CacheFlush::Missing
        } else {
            CacheFlush::Appended
        },
    }
}

/// How often `call` is issued: mostly once, and always where nothing lasts that it writes.
pub(super) fn chunks(choices: &mut impl Choices, call: &Call) -> u32 {
    match call.output() {
        Role::Table => choices.weighted(&[(13, 1), (2, 2), (1, 3)]),
        _ => 1,
    }
}
