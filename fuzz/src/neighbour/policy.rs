//! Changes of template arguments and of how the kernel is launched.

use ptodiff_generate::random::{Bytes, Choices};
use ptodiff_isa::{Call, GlobalTensor, Launch};
use strum::VariantArray;

use super::Draft;

fn any<T: VariantArray + Copy>(choices: &mut Bytes<'_, '_>) -> T {
    choices.pick(T::VARIANTS)
}

/// One template argument that is no operand's; of a gather to L1 also whether
/// there is a staging area.
pub(super) fn policy(draft: &mut Draft, choices: &mut Bytes<'_, '_>) {
    match &mut draft.call {
        Call::Mscatter(call) => match choices.below(4) {
            0 => call.oob = any(choices),
            1 => call.atomic = any(choices),
            2 => call.conflict = any(choices),
            _ => call.mode = any(choices),
        },
        Call::MscatterFirst(call) => match choices.below(2) {
            0 => call.oob = any(choices),
            _ => call.atomic = any(choices),
        },
        Call::Mgather(call) => match choices.below(2) {
            0 => call.oob = any(choices),
            _ => call.mode = any(choices),
        },
        Call::MgatherL1(call) => match choices.below(4) {
            0 => call.oob = any(choices),
            1 => call.exec = any(choices),
            2 => call.mode = any(choices),
            _ => {
                let staging = GlobalTensor {
                    dtype: call.dst.dtype,
                    // As good as any shape.
                    ..call.table
                };
                call.scratch = match call.scratch {
                    Some(_) => None,
                    None => Some(staging),
                };
            }
        },
        Call::TscatterMask(call) => match choices.below(2) {
            0 => call.pattern = any(choices),
            _ => call.axis = any(choices),
        },
        // They have operands and nothing else.
        Call::TscatterIndex(_) | Call::Tgatherb(_) => {}
    }
}

/// How the kernel is launched, where that matters.
pub(super) fn launch(draft: &mut Draft, choices: &mut Bytes<'_, '_>) {
    /// None, too few, enough, the most there are, and one more.
    const BYTES: [Option<u64>; 6] = [
        None,
        Some(0),
        Some(1),
        Some(4 << 10),
        Some(216 << 10),
        Some((216 << 10) + 1),
    ];
    let launch = match &mut draft.call {
        Call::Mscatter(call) => &mut call.launch,
        Call::MscatterFirst(call) => &mut call.launch,
        Call::Mgather(call) => &mut call.launch,
        Call::MgatherL1(call) => &mut call.launch,
        Call::TscatterIndex(_) | Call::TscatterMask(_) | Call::Tgatherb(_) => return,
    };
    *launch = match choices.below(3) {
        0 => Launch {
            dyn_ub_bytes: choices.pick(&BYTES),
            ..*launch
        },
        1 => Launch {
            dispatch: any(choices),
            ..*launch
        },
        _ => Launch {
            flush: any(choices),
            ..*launch
        },
    };
}

/// How often the call is issued, where it has a table that lasts.
pub(super) fn chunks(draft: &mut Draft, choices: &mut Bytes<'_, '_>) {
    if draft.call.table().is_some() {
        draft.chunks = 1 + choices.below(4) as u32;
    }
}
