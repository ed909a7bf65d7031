//! What is near a case that a person wrote: parts of it are as the grammar draws
//! them for its form.

use arbitrary::Unstructured;
use ptodiff_case::limits::data_elements;
use ptodiff_case::{Case, DataPlan, Fill, Form, IndexPattern};
use ptodiff_generate::random::{self, Bytes, Choices, Rules, Wish};
use ptodiff_isa::Role;

use crate::corpus::{MOST_LANES, fits};

/// Takes a part of a case from a drawn one, perhaps of the operand of a role.
type Take = fn(&mut Case, Role, &Case);

/// The parts; those with more to change stand there more than once.
const PARTS: [Take; 7] = [
    // The template arguments, the launch and the number of calls.
    |case, _, drawn| {
        let own = case.call;
        (case.call, case.chunks) = (drawn.call, drawn.chunks);
        for (role, operand) in own.operands() {
            case.call.put(role, operand);
        }
    },
    // One operand.
    |case, role, drawn| {
        if let Some(operand) = drawn.call.operand(role) {
            case.call.put(role, operand);
        }
    },
    // The element type of all data operands.
    |case, _, drawn| {
        let dtype = drawn.call.data_tile().dtype;
        for role in [Role::Source, Role::Destination, Role::Table, Role::Scratch] {
            case.call.set_dtype(role, dtype);
        }
    },
    data,
    data,
    |case, _, drawn| case.data.seed = drawn.data.seed,
    // What is asked of whom.
    |case, _, drawn| {
        case.readings = drawn.readings;
        case.targets.clone_from(&drawn.targets);
    },
];

/// How the data of one operand is made.
fn data(case: &mut Case, role: Role, drawn: &Case) {
    match drawn.data.fill(role) {
        Some(fill) => case.data.set_fill(role, fill.clone()),
        None => case.data.index = drawn.data.index.clone(),
    }
}

/// `case`, changed as the bytes of `left` say; itself where there are none.
///
/// A change after which the case would not be small ([`fits`]) is left out.
/// Nothing is expected of what comes of changes, and a case file can say it.
pub(crate) fn of(case: &Case, left: &mut Unstructured<'_>) -> Case {
    if left.is_empty() {
        return case.clone();
    }
    let choices = &mut Bytes::new(left);
    let mut changed = Case {
        id: case.id.clone(),
        chunks: case.chunks,
        data: case.data.clone(),
        targets: case.targets.clone(),
        readings: case.readings,
        ..Case::of_call("", case.call)
    };
    let count = choices.below(4);
    let taken: Vec<(Take, Role)> = (0..count)
        .map(|_| (choices.pick(&PARTS), role(case, choices)))
        .collect();
    // The grammar comes last: it may take all bytes that are left.
    let wish = Wish {
        rules: choices.pick(&[Rules::Legal, Rules::Wild]),
        max_lanes: MOST_LANES,
        forms: vec![Form::of(&case.call)],
        ..Wish::default()
    };
    let drawn = random::case(choices, &wish);
    for (take, role) in taken {
        if_small(&mut changed, |case| take(case, role, &drawn));
    }
    changed
}

/// Changes `case` if it is small then, too.
fn if_small(case: &mut Case, change: impl FnOnce(&mut Case)) {
    let mut changed = case.clone();
    change(&mut changed);
    if fits(&changed.call, changed.chunks) {
        refit(&mut changed);
        *case = changed;
    }
}

/// The role of one operand.
fn role(case: &Case, choices: &mut impl Choices) -> Role {
    let operands = case.call.operands();
    operands[choices.below(operands.len() as u64) as usize].0
}

/// Forgets what is said of an operand that is gone, and data that is given but is
/// not as long as its operand is now.
fn refit(case: &mut Case) {
    let default = DataPlan::of(&case.call);
    let fits = |role, bytes: &[u8]| {
        let operand = case.call.operand(role)?;
        let count = data_elements(role, operand, case.chunks.into());
        Some(count.saturating_mul(operand.dtype().size() as u64) == bytes.len() as u64)
    };
    let data = &mut case.data;
    for role in [Role::Table, Role::Source, Role::Destination, Role::Scratch] {
        let stays = match data.fill(role) {
            Some(Fill::Literal(bytes)) => fits(role, bytes) == Some(true),
            // Rows are of one shape of the table.
            Some(Fill::Rows(_)) => false,
            _ => case.call.operand(role).is_some(),
        };
        if let Some(fill) = default.fill(role).filter(|_| !stays) {
            data.set_fill(role, fill.clone());
        }
    }
    if let IndexPattern::Literal(bytes) = &data.index
        && fits(Role::Index, bytes) == Some(false)
    {
        data.index = IndexPattern::Edges;
    }
}
