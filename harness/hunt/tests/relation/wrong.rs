//! Models with one fault each: the relation that is about it finds it.

use ptodiff_case::Form;
use ptodiff_generate::random::{Series, Wish};
use ptodiff_hunt::Relation;
use ptodiff_hunt::relation::check;
use ptodiff_isa::{
    AddOverflow, BLayout, Call, Coalesce, Dim, End, Fault, GatherExec, How, Layout, Memory, Model,
    Role, SLayout, Schedule, Target, Tile,
};
use ptodiff_runner::altered;
use strum::VariantArray as _;

use crate::survey::{SEED, drawn};
use crate::written::{right, says};

/// What a right model is given in place of what was asked for.
type Change = fn(&mut Call, &mut Memory, &mut How);

/// The right model of `target`, with a change.
fn wrong(target: Target, change: Change) -> impl Model {
    altered(right(target), move |right, call, memory, how, log| {
        let (mut other, mut operands, mut otherwise) = (*call, memory.clone(), *how);
        change(&mut other, &mut operands, &mut otherwise);
        let end = right.execute(&other, &mut operands, &otherwise, log)?;
        for role in [call.output(), Role::Scratch] {
            if let (Some(to), Some(from)) = (memory.get_mut(role), operands.get(role)) {
                to.clone_from(from);
            }
        }
        Ok(end)
    })
}

/// Cases that are tried until the fault is found.
const MOST: u64 = 4000;

/// `relation` finds `change` in each of `forms`, on each target that it speaks
/// of, in a case of which `of` is true.
fn finds(relation: Relation, change: Change, forms: &[Form], of: fn(&Call, usize) -> bool) {
    let series = Series::new(SEED);
    for form in forms {
        let targets = Target::VARIANTS.iter();
        for target in targets.filter(|target| relation.speaks_of(*form, **target)) {
            let wish = Wish {
                forms: vec![*form],
                targets: vec![*target],
                ..Wish::default()
            };
            let wrong = wrong(*target, change);
            let found = (0..MOST).any(|number| {
                let (case, steps) = drawn(&series, number, &wish);
                of(&case.call, steps.len())
                    && matches!(check(relation, &wrong, &case, &steps), Some(Err(_)))
            });
            assert!(found, "{relation} of {form:?} on {target}");
        }
    }
}

const IN_GM: &[Form] = &[
    Form::Mscatter,
    Form::MscatterFirst,
    Form::Mgather,
    Form::MgatherL1,
];
const SCATTERS: &[Form] = &[Form::Mscatter, Form::MscatterFirst];

const fn any(_: &Call, _: usize) -> bool {
    true
}

/// The last row, where there are several, is forgotten.
fn drops_the_last_row(call: &mut Call, _: &mut Memory, _: &mut How) {
    let full = matches!(call, Call::MscatterFirst(_));
    for role in [Form::of(call).data(), Role::Index] {
        if let Some(tile) = call.tile_mut(role) {
            tile.valid_row = Dim::Dynamic(tile.valid_row.get().max(2) - 1);
            if full {
                // It goes by the padded rows.
                tile.rows = tile.rows.max(2) - 1;
            }
        }
    }
}

fn each_index(call: &Call, memory: &mut Memory, f: impl Fn(u64) -> u64) {
    let size = call
        .operand(Role::Index)
        .map_or(1, |idx| idx.dtype().size());
    let indices = memory.get_mut(Role::Index).into_iter();
    for bytes in indices.flat_map(|idx| idx.body_mut().chunks_exact_mut(size)) {
        let mut word = [0; 8];
        word[..size].copy_from_slice(bytes);
        let index = f(u64::from_le_bytes(word)).to_le_bytes();
        bytes.copy_from_slice(&index[..size]);
    }
}

/// Each lane takes its neighbour's slot.
fn takes_the_neighbour(call: &Call, memory: &mut Memory) {
    each_index(call, memory, |index| index ^ 1);
}

fn plain_rows(tile: &Tile) -> bool {
    tile.slayout == SLayout::NoneBox && tile.blayout == BLayout::RowMajor
}

/// Elements of the valid region of a tile by rows, in the opposite order.
fn turn(memory: &mut Memory, role: Role, tile: &Tile) {
    let size = tile.dtype.size();
    let cols = tile.valid_col.get();
    let lanes = tile.valid_row.get() * cols;
    let at = |lane: u64| (lane / cols * tile.cols + lane % cols) as usize * size;
    let body = memory.get_mut(role).expect("an operand").body_mut();
    for lane in 0..lanes / 2 {
        for byte in 0..size {
            body.swap(at(lane) + byte, at(lanes - 1 - lane) + byte);
        }
    }
}

#[test]
fn a_lost_row() {
    use Form::{Tgatherb, TscatterIndex};
    let forms = [IN_GM, &[TscatterIndex, Tgatherb]].concat();
    finds(Relation::Permutation, drops_the_last_row, &forms, any);
    let forms = [SCATTERS, &[TscatterIndex]].concat();
    finds(Relation::Readback, drops_the_last_row, &forms, any);
}

#[test]
fn a_gather_that_is_no_inverse() {
    let change: Change = |call, memory, _| {
        if matches!(call, Call::Mgather(_)) {
            takes_the_neighbour(call, memory);
        }
    };
    finds(Relation::Readback, change, SCATTERS, any);
}

#[test]
fn sums_that_depend_on_the_order() {
    let change: Change = |_, _, how| how.readings.add_overflow = AddOverflow::Saturate;
    let integers = "
dtype: int32_t
instruction: MSCATTER
mode: Elem
atomic: Add
tile: {shape: [1, 8], valid: [1, 3], data: {values: [2147483647, 1, -5]}}
index: {shape: [1, 8], valid: [1, 3], data: same}
table: {shape: [1, 1, 1, 1, 2], data: zeros}";
    for target in [Target::A2a3, Target::A5] {
        assert_eq!(
            says(Relation::Permutation, &wrong(target, change), integers),
            Some(Err(
                "table element 1: 0x7ffffffa, but 0x7ffffffb with the lanes turned round"
                    .to_owned()
            ))
        );
    }
}

#[test]
fn elements_that_go_elsewhere_than_rows() {
    let change: Change = |call, memory, _| {
        let by_element = match call {
            Call::MscatterFirst(c) => c.idx.cols > 1,
            _ => call.mode() == Some(Coalesce::Elem),
        };
        if by_element {
            takes_the_neighbour(call, memory);
        }
    };
    finds(Relation::Expansion, change, IN_GM, any);
}

#[test]
fn the_first_writer_wins() {
    let change: Change = |call, memory, _| {
        let (src, idx) = match call {
            Call::Mscatter(c) => (&c.src, &c.idx),
            Call::MscatterFirst(c) => (&c.src, &c.idx),
            _ => return,
        };
        let by_element = [idx.valid_row, idx.valid_col].map(Dim::get)
            == [src.valid_row, src.valid_col].map(Dim::get);
        if plain_rows(src) && plain_rows(idx) && by_element {
            turn(memory, Role::Source, src);
            turn(memory, Role::Index, idx);
        }
    };
    finds(Relation::Chunks, change, SCATTERS, |_, steps| steps == 1);
    finds(Relation::Chunks, change, SCATTERS, |_, steps| steps > 1);
}

#[test]
fn a_table_that_each_call_clears() {
    let change: Change = |_, memory, _| {
        if let Some(table) = memory.get_mut(Role::Table) {
            table.body_mut().fill(0);
        }
    };
    finds(Relation::Chunks, change, SCATTERS, |_, steps| steps == 1);
    finds(Relation::Chunks, change, SCATTERS, |_, steps| steps > 1);
}

#[test]
fn a_remainder_that_is_forgotten_far_out() {
    let change: Change = |call, memory, _| {
        let shape = call.table().expect("a table").shape;
        let elements: u64 = shape.iter().map(|extent| extent.get()).product();
        each_index(
            call,
            memory,
            |index| {
                if index > 2 * elements { 0 } else { index }
            },
        );
    };
    finds(Relation::Period, change, IN_GM, any);
}

fn clamps(call: &Call) -> bool {
    call.argument("oob").is_some_and(|oob| oob.value == "Clamp")
}

#[test]
fn clamping_that_wraps() {
    let change: Change = |call, _, _| {
        if clamps(call) {
            call.set_argument("oob", "Wrap");
        }
    };
    finds(Relation::Clamped, change, IN_GM, any);
    // A policy that spoils what is in range.
    let change: Change = |call, memory, _| {
        if clamps(call) {
            each_index(call, memory, |index| index.saturating_sub(1));
        }
    };
    finds(Relation::Clamped, change, IN_GM, any);
}

#[test]
fn offsets_that_clamp_a_byte_late() {
    let change: Change = |call, memory, _| {
        let Call::Tgatherb(c) = call else { return };
        let bytes = c.src.rows * c.src.cols * c.src.dtype.size() as u64;
        each_index(
            call,
            memory,
            |offset| {
                if offset >= bytes { 0 } else { offset }
            },
        );
    };
    finds(Relation::Clamped, change, &[Form::Tgatherb], any);
}

#[test]
fn swapped_strides_of_blocks() {
    let change: Change = |call, _, _| {
        let table = match call {
            Call::Mscatter(c) => &mut c.table,
            Call::Mgather(c) => &mut c.table,
            _ => return,
        };
        if table.layout == Layout::NZ {
            table.stride.swap(1, 2);
        }
    };
    finds(
        Relation::Relayout,
        change,
        &[Form::Mscatter, Form::Mgather],
        any,
    );
    let change: Change = |call, memory, _| {
        if matches!(call, Call::MgatherL1(_)) {
            takes_the_neighbour(call, memory);
        }
    };
    finds(Relation::Relayout, change, &[Form::MgatherL1], any);
}

#[test]
fn lanes_of_the_executor_that_are_off_by_one() {
    let change: Change = |call, memory, _| {
        if matches!(call, Call::MgatherL1(c) if c.exec == GatherExec::Simt) {
            takes_the_neighbour(call, memory);
        }
    };
    finds(Relation::Executor, change, &[Form::MgatherL1], any);
}

#[test]
fn a_row_that_some_schedules_lose() {
    let reversed: Change = |call, memory, how| {
        if how.schedule == Schedule::Reversed {
            drops_the_last_row(call, memory, how);
        }
    };
    finds(Relation::Schedules, reversed, Form::ALL, any);
    let shuffled: Change = |call, memory, how| {
        if matches!(how.schedule, Schedule::Shuffled(_)) {
            drops_the_last_row(call, memory, how);
        }
    };
    finds(Relation::Schedules, shuffled, Form::ALL, any);
}

#[test]
fn models_that_hang_or_give_up() {
    let gather = "
instruction: MGATHER
dtype: float
tile: {shape: [2, 8]}
index: {shape: [1, 2]}
table: {shape: [1, 1, 1, 4, 8]}";
    let says = |ends: fn() -> Result<End, Fault>| {
        let model = altered(right(Target::A2a3), move |_, _, _, _, _| ends());
        says(Relation::Permutation, &model, gather)
    };
    let hung = says(|| Ok(End::Hung));
    assert_eq!(hung, Some(Err("the call did not return".to_owned())));
    let fault = says(|| Err(Fault("no table".to_owned())));
    assert_eq!(fault, Some(Err("the model gave up: no table".to_owned())));
}
