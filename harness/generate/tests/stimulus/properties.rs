//! What holds for any case: regions, guards, and where each element stands.

use ptodiff_case::{DataPlan, Fill};
use ptodiff_generate::{random::Rules, stimulus};
use ptodiff_isa::{BLayout, Dim, GlobalTensor, Layout, Operand, Role, SLayout, Tile};

use crate::reach::drawn;
use crate::stimulus::build::{is_poison, operand};

/// Cases drawn of each form.
const CASES: u64 = 300;

/// Where (r, c) of a tile stands, once more and one by one.
fn tile_slot(t: &Tile, r: u64, c: u64) -> u64 {
    let c0 = 32 / t.dtype.size() as u64;
    match (t.slayout, t.blayout) {
        (SLayout::NoneBox, BLayout::RowMajor) => r * t.cols + c,
        (SLayout::NoneBox, BLayout::ColMajor) => c * t.rows + r,
        _ => (c / c0) * (t.rows * c0) + r * c0 + c % c0,
    }
}

/// Where logical position `k` of a table stands.
fn table_slot(t: &GlobalTensor, mut k: u64) -> u64 {
    let shape = t.shape.map(Dim::get);
    let order: [usize; 5] = match t.layout {
        Layout::NZ => [4, 1, 0, 3, 2],
        _ => [4, 3, 2, 1, 0],
    };
    let mut slot = 0;
    for dim in order {
        slot += k % shape[dim] * t.stride[dim].get();
        k /= shape[dim];
    }
    slot
}

/// Where the values of an operand stand in its body, in logical order.
fn slots(operand: Operand<'_>) -> Vec<usize> {
    match operand {
        Operand::Tile(t) => {
            let [rows, cols] = [t.valid_row, t.valid_col].map(Dim::get);
            let row = |r| (0..cols).map(move |c| tile_slot(t, r, c) as usize);
            (0..rows).flat_map(row).collect()
        }
        Operand::Tensor(t) => {
            let count = t.shape.iter().map(|dim| dim.get()).product();
            (0..count).map(|k| table_slot(t, k) as usize).collect()
        }
    }
}

#[test]
fn any_case_has_a_stimulus() {
    let kinds = [Rules::Legal, Rules::Wild].into_iter();
    for (seed, case) in (0..).zip(kinds.flat_map(|rules| drawn(12, rules, CASES))) {
        let made = stimulus(&case, seed);
        assert_eq!(made, stimulus(&case, seed));
        assert_eq!(made.steps.len(), case.chunks as usize);
        for (step, memory) in made.steps.iter().enumerate() {
            let operands = case.call.operands().into_iter().map(|(role, _)| role);
            let lasts = |role: &Role| matches!(role, Role::Table | Role::Scratch);
            let expected = operands.filter(|role| step == 0 || !lasts(role));
            assert!(expected.eq(memory.regions.iter().map(|region| region.role)));
            for region in &memory.regions {
                let body = region.body_range();
                assert!(body.start >= 64 && body.start.is_multiple_of(64));
                assert_eq!(region.bytes().len() - body.end, body.start);
                assert!(is_poison(&region.bytes()[..body.start]));
                assert!(is_poison(&region.bytes()[body.end..]));
                let operand = case.call.operand(region.role);
                if let Some(tile) = operand.and_then(Operand::tile) {
                    let bytes = tile.rows * tile.cols * tile.dtype.size() as u64;
                    assert_eq!(body.len() as u64, bytes);
                }
            }
        }
    }
}

#[test]
fn every_element_stands_in_its_slot_and_poison_elsewhere() {
    for mut case in drawn(13, Rules::Legal, CASES) {
        case.chunks = 1;
        case.data = DataPlan {
            table: Fill::RampBits,
            source: Fill::RampBits,
            destination: Fill::RampBits,
            scratch: Fill::RampBits,
            ..case.data
        };
        let memory = stimulus(&case, 0).steps.remove(0);
        for (role, described) in case.call.operands() {
            if role == Role::Index {
                continue;
            }
            let size = described.dtype().size();
            let body = operand(&memory, role).body();
            let slots = slots(described);
            let mut reached = vec![false; body.len() / size];
            for (k, slot) in slots.iter().enumerate() {
                assert_eq!(
                    usize::from(body[slot * size]),
                    1 + (1 + k) % 251,
                    "{case:?}"
                );
                reached[*slot] = true;
            }
            let ends = described.tile().is_some() || reached.last() != Some(&false);
            assert!(ends, "the body of a tensor ends with its last element");
            for (element, reached) in body.chunks(size).zip(reached) {
                assert!(reached || is_poison(element), "{case:?}");
            }
        }
    }
}
