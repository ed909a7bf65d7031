//! Typed changes of a case: what is near a case that a person wrote.

mod data;
mod operand;
mod policy;

use arbitrary::Unstructured;
use ptodiff_case::Case;
use ptodiff_generate::random::{Bytes, Choices};
use ptodiff_isa::reading::GAPS;
use ptodiff_isa::{Call, Operand, Role, Target};
use strum::VariantArray as _;

use crate::corpus::fits;

/// Most changes of one case: what is further away is no neighbour.
const MOST_CHANGES: usize = 16;

/// A call as it may become.
#[derive(Clone, Copy)]
struct Draft {
    call: Call,
    chunks: u32,
}

/// A change of what is called.
type OfCall = fn(&mut Draft, &mut Bytes<'_, '_>);

/// Changes of the call; one with more to change stands there more than once.
const OF_CALL: [OfCall; 11] = [
    policy::policy,
    policy::policy,
    policy::launch,
    policy::chunks,
    operand::dtype,
    operand::index_dtype,
    operand::when_known,
    operand::extent,
    operand::extent,
    operand::extent,
    operand::layout,
];

/// A change of all else.
type Aside = fn(&mut Case, &mut Bytes<'_, '_>);

/// Changes that leave the call alone.
const ASIDE: [Aside; 6] = [
    data::fill,
    data::pattern,
    data::index,
    data::index,
    readings,
    targets,
];

/// `case`, changed as the bytes of `left` say; itself where there are none.
///
/// A change after which the case would not be small ([`fits`]) is left out.
/// Nothing is expected of what comes of changes, and a case file can say it.
pub(crate) fn of(case: &Case, left: &mut Unstructured<'_>) -> Case {
    if left.is_empty() {
        return case.clone();
    }
    let mut changed = Case {
        chunks: case.chunks,
        data: case.data.clone(),
        targets: case.targets.clone(),
        readings: case.readings,
        ..Case::of_call("", case.call)
    };
    changed.id.clone_from(&case.id);
    for _ in 0..MOST_CHANGES {
        if left.is_empty() {
            break;
        }
        change(&mut changed, &mut Bytes::new(left));
    }
    changed
}

/// One change; it takes at least one byte.
fn change(case: &mut Case, choices: &mut Bytes<'_, '_>) {
    let drawn = choices.below((OF_CALL.len() + ASIDE.len()) as u64) as usize;
    let Some(change) = OF_CALL.get(drawn) else {
        ASIDE[drawn - OF_CALL.len()](case, choices);
        return;
    };
    let mut draft = Draft {
        call: case.call,
        chunks: case.chunks,
    };
    change(&mut draft, choices);
    if fits(&draft.call, draft.chunks) {
        (case.call, case.chunks) = (draft.call, draft.chunks);
        data::refit(case);
    }
}

fn readings(case: &mut Case, choices: &mut Bytes<'_, '_>) {
    let gap = GAPS[choices.below(GAPS.len() as u64) as usize];
    let choice = choices.pick(gap.choices);
    // Gap and choice are of the list of them: they exist.
    let _ = case.readings.set(gap.name, choice);
}

fn targets(case: &mut Case, choices: &mut Bytes<'_, '_>) {
    let drawn = 1 + choices.below((1 << Target::VARIANTS.len()) - 1);
    let all = Target::VARIANTS.iter().copied();
    let chosen = all.filter(|target| drawn >> (*target as u32) & 1 == 1);
    case.targets = chosen.collect();
}

/// The roles of the operands of `call`.
fn roles(call: &Call) -> Vec<Role> {
    call.operands().into_iter().map(|(role, _)| role).collect()
}

/// What an index selects among, in rows and in elements.
fn capacities(call: &Call) -> [u64; 2] {
    match (call.table(), call.operand(call.output())) {
        (Some(table), _) => {
            let shape = table.shape.map(|dim| dim.get());
            let rows = shape[..4].iter().fold(1_u64, |p, n| p.wrapping_mul(*n));
            [rows, rows.wrapping_mul(shape[4])]
        }
        (None, Some(Operand::Tile(tile))) => [tile.rows, tile.rows.wrapping_mul(tile.cols)],
        (None, Some(Operand::Tensor(_)) | None) => [1, 1],
    }
}
