//! What is near a case that a person wrote: parts of it are as the grammar draws
//! them for its form, and extents and indices are one more or less.

use arbitrary::Unstructured;
use ptodiff_case::limits::data_elements;
use ptodiff_case::{Case, DataPlan, Fill, Form, IndexPattern};
use ptodiff_generate::random::{self, Bytes, Choices, Rules, Wish};
use ptodiff_isa::{Call, Dim, Operand, Role, SLayout, TileType};
use strum::VariantArray as _;

use crate::corpus::{MOST_LANES, fits};

/// Takes a part of a case from a drawn one, perhaps of the operand of a role.
type Take = fn(&mut Case, Role, &Case);

/// The parts; those with more to change stand there more than once.
const PARTS: [Take; 6] = [
    // The template arguments, the launch and the number of calls.
    |case, _, drawn| {
        let own = case.call;
        (case.call, case.chunks) = (drawn.call, drawn.chunks);
        for (role, operand) in own.operands() {
            put(&mut case.call, role, operand);
        }
    },
    // One operand.
    |case, role, drawn| {
        if let Some(operand) = drawn.call.operand(role) {
            put(&mut case.call, role, operand);
        }
    },
    // The element type of all data operands.
    |case, _, drawn| {
        let dtype = drawn.call.data_tile().dtype;
        for role in [Role::Source, Role::Destination, Role::Table, Role::Scratch] {
            if let Some(tile) = case.call.tile_mut(role) {
                tile.dtype = dtype;
            } else if let Some(tensor) = case.call.tensor_mut(role) {
                tensor.dtype = dtype;
            }
        }
    },
    data,
    data,
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

/// Longest side that an operand is given at once.
const SIDE: u64 = 48;

/// Indices from 0 on that are drawn beside the edges of their types.
const SMALL: u64 = 80;

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
    for _ in 0..choices.below(3) {
        let role = role(case, choices);
        if_small(&mut changed, |case| match choices.below(4) {
            0 | 1 => extent(&mut case.call, role, choices),
            2 => index(case, choices),
            _ => case.data.seed = choices.below(1 << 16),
        });
    }
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

fn put(call: &mut Call, role: Role, operand: Operand<'_>) {
    match operand {
        Operand::Tile(tile) => {
            if let Some(place) = call.tile_mut(role) {
                *place = *tile;
            }
        }
        Operand::Tensor(tensor) => {
            if let Some(place) = call.tensor_mut(role) {
                *place = *tensor;
            }
        }
    }
}

/// Another extent or stride; of a tile now and then other boxes or another memory.
fn extent(call: &mut Call, role: Role, choices: &mut impl Choices) {
    if let Some(tile) = call.tile_mut(role) {
        match choices.below(7) {
            0 => tile.valid_row = other(tile.valid_row, choices),
            1 => tile.valid_col = other(tile.valid_col, choices),
            2 => tile.rows = number(tile.rows, choices).max(1),
            3 => tile.cols = number(tile.cols, choices).max(1),
            4 => tile.fractal = choices.pick(&[512, 1024, 32, 1]),
            5 => tile.slayout = choices.pick(SLayout::VARIANTS),
            // The memory of its destination makes a gather one to UB or to L1.
            _ if role == Role::Destination => {}
            _ => tile.location = choices.pick(TileType::VARIANTS),
        }
        tile.valid_row = at_most(tile.valid_row, tile.rows);
        tile.valid_col = at_most(tile.valid_col, tile.cols);
    } else if let Some(tensor) = call.tensor_mut(role) {
        let at = choices.below(5) as usize;
        if choices.one_in(3) {
            tensor.stride[at] = other(tensor.stride[at], choices);
        } else {
            tensor.shape[at] = match other(tensor.shape[at], choices) {
                // Only at run time may an extent of a tensor be 0.
                Dim::Static(0) => Dim::Dynamic(0),
                dim => dim,
            };
        }
    }
}

/// Another number, or the same one known at another time.
fn other(dim: Dim, choices: &mut impl Choices) -> Dim {
    match (dim, choices.one_in(4)) {
        (Dim::Static(old), true) => Dim::Dynamic(old),
        (Dim::Dynamic(old), true) => Dim::Static(old),
        (Dim::Static(old), false) => Dim::Static(number(old, choices)),
        (Dim::Dynamic(old), false) => Dim::Dynamic(number(old, choices)),
    }
}

fn number(old: u64, choices: &mut impl Choices) -> u64 {
    match choices.below(4) {
        0 => old.saturating_sub(1),
        1 => old.saturating_add(1),
        2 => old.saturating_mul(2),
        _ => choices.below(SIDE + 1),
    }
}

fn at_most(dim: Dim, most: u64) -> Dim {
    match dim {
        Dim::Static(extent) => Dim::Static(extent.min(most)),
        Dim::Dynamic(extent) => Dim::Dynamic(extent.min(most)),
    }
}

/// One index is a small number, or at the edge of a type.
fn index(case: &mut Case, choices: &mut impl Choices) {
    let size = case.call.operand(Role::Index).map(|idx| idx.dtype().size());
    let (Some(size), IndexPattern::Literal(bytes)) = (size, &mut case.data.index) else {
        return;
    };
    let edges = [1_u64 << 15, 1 << 31, 1 << 63, u64::MAX];
    let below = choices.below(2);
    let value = match choices.one_in(4) {
        true => choices.pick(&edges).wrapping_sub(below),
        false => choices.below(SMALL),
    };
    let at = choices.below((bytes.len() / size) as u64) as usize;
    if let Some(slot) = bytes.chunks_exact_mut(size).nth(at) {
        slot.copy_from_slice(&value.to_le_bytes()[..size]);
    }
}

/// Forgets what is said of an operand that is gone, and data that is given but is
/// not as long as its operand is now.
fn refit(case: &mut Case) {
    let default = DataPlan::of(&case.call);
    let fits = |role, bytes: &[u8]| {
        let operand = case.call.operand(role)?;
        let count = data_elements(role, operand, case.chunks.into())?;
        Some(count as usize * operand.dtype().size() == bytes.len())
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
