//! Which positions feed a slot, by numbers worked out by hand.

use crate::common::{calls::*, *};
use ptodiff_contract::{Feeder, feeders};
use ptodiff_isa::*;

use Coalesce::Elem;
use DType::Int32;
use Target::{A2a3, A5, Cpu};

/// What feeds an element of an operand, under the readings of the suites.
fn fed(call: Call, indices: &[Vec<u8>], target: Target, role: Role, element: usize) -> Vec<Feeder> {
    let steps: Vec<_> = indices
        .iter()
        .map(|idx| memory(&[(Role::Index, idx)]))
        .collect();
    let steps: Vec<_> = steps.iter().collect();
    feeders(&call, &steps, target, &suite(), role, element)
}

#[test]
fn elements_of_an_nz_table() {
    // MSCATTER-INDEX-04: of Shape<1,2,1,16,8> index 9 is row 0, column 9, which
    // stands at 128 + 1.
    let call = Call::Mscatter(scatter(
        packed(Int32, [1, 2, 1, 16, 8], Layout::NZ),
        tile(Int32, [1, 8], [1, 2]),
        tile(Int32, [1, 8], [1, 2]),
        Elem,
    ));
    let idx = [padded_index(&[0, 9])];
    assert_eq!(fed(call, &idx, A2a3, Role::Table, 129), [lane(0, 0, 1)]);
    assert_eq!(fed(call, &idx, A2a3, Role::Table, 9), []);
}

#[test]
fn slots_of_a_tile_are_fed_by_their_own_lanes() {
    let three = tile(Int32, [3, 8], [3, 3]);
    let to_ub = Call::Mgather(gather(three, matrix(Int32, 1, 8), three, Elem));
    let by_offset = Call::Tgatherb(Tgatherb {
        dst: three,
        src: three,
        offset: three,
    });
    for call in [to_ub, by_offset] {
        let of = |element| fed(call, &[vec![0; 96]], A5, Role::Destination, element);
        assert_eq!(of(2 * 8 + 1), [lane(0, 2, 1)]);
        assert_eq!(of(2 * 8 + 5), [], "padding has no lane");
    }
    // NZ tiles of 16 rows and columns, and the staging area as well (MGATHERL1-NZ-02).
    let to_l1 = Call::MgatherL1(l1(
        l1_tile(DType::Half, [16, 16], [5, 5]),
        matrix(DType::Half, 1, 64),
        matrix(Int32, 5, 5),
        Elem,
    ));
    let of = |target, role, element| fed(to_l1, &[vec![0; 100]], target, role, element);
    assert_eq!(of(A5, Role::Destination, 3 * 16 + 2), [lane(0, 3, 2)]);
    assert_eq!(of(A5, Role::Scratch, 3 * 16 + 2), [lane(0, 3, 2)]);
    assert_eq!(of(A5, Role::Scratch, 3 * 16 + 5), []);
    assert_eq!(of(Cpu, Role::Scratch, 3 * 16 + 2), []);
}

#[test]
fn moves_within_a_chip() {
    let by_mask = Call::TscatterMask(TscatterMask {
        dst: tile(DType::Half, [1, 64], [1, 16]),
        src: tile(DType::Half, [1, 16], [1, 8]),
        pattern: MaskPattern::P1010,
        axis: MaskAxis::Row,
    });
    let of = |element| fed(by_mask, &[vec![]], A5, Role::Destination, element);
    assert_eq!(of(7), [lane(0, 0, 3)]);
    assert_eq!(of(6), [], "the fill comes from nowhere");
    // By index.
    let two = tile(Int32, [2, 8], [2, 2]);
    let by_index = Call::TscatterIndex(TscatterIndex {
        dst: tile(Int32, [2, 8], [2, 8]),
        src: two,
        idx: two,
    });
    let mut last = vec![5; 16];
    last[1] = 3;
    let steps = [words(&last)];
    let found = fed(by_index, &steps, A5, Role::Destination, 5);
    assert_eq!(found, [lane(0, 0, 0), lane(0, 1, 0), lane(0, 1, 1)]);
    assert_eq!(fed(by_index, &steps, A5, Role::Source, 5), []);
}
