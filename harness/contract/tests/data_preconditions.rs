//! Preconditions that operand data break.

use crate::common::{choices::with, *};
use ptodiff_contract::{Broken, data_preconditions, feeders};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::{Float, Half, Int32};
use Target::{A2a3, A5, Cpu};

/// What the indices of each step break.
fn found(call: Call, steps: &[Vec<u8>], target: Target, choices: &[(&str, &str)]) -> Vec<Broken> {
    let of = |idx: &Vec<u8>| memory(&[(Role::Index, idx)]);
    let steps: Vec<_> = steps.iter().map(of).collect();
    let steps: Vec<_> = steps.iter().collect();
    data_preconditions(&call, &steps, target, &with(choices))
}

/// float [1,8] valid [1,`cols`] into 4x8, Elem.
fn elements(cols: u64) -> Mscatter {
    scatter(
        matrix(Float, 4, 8),
        tile(Float, [1, 8], [1, cols]),
        tile(Int32, [1, 8], [1, cols]),
        Elem,
    )
}

#[test]
fn rows_are_named_by_what_is_wrong_with_their_index() {
    // MSCATTER-OOB-02, and MSCATTER-GAP-14: sixteen elements, rows of eight.
    let mut table = matrix(Float, 4, 4);
    table.shape[4] = Dim::Dynamic(4);
    let data = tile(Float, [2, 8], [2, 8]);
    let call = Call::Mscatter(scatter(table, data, tile(Int32, [1, 8], [1, 2]), Row));
    for (index, why) in [
        (4, "step 0, row 1: index 4 is not below capacity 4"),
        (
            2,
            "step 0, row 1: index 2 leads past the table's 16 elements",
        ),
    ] {
        let choices = [("row-pitch", "valid-cols")];
        let all = found(call, &[padded_index(&[0, index])], A5, &choices);
        assert_eq!(all[0].why, why);
    }
}

/// TSCATTER of [2,8] by indices of another type.
fn tscatter(idx: DType) -> Call {
    Call::TscatterIndex(TscatterIndex {
        dst: tile(Half, [2, 16], [2, 16]),
        src: tile(Half, [2, 16], [2, 2]),
        idx: tile(idx, [2, 32 / idx.size() as u64], [2, 2]),
    })
}

#[test]
fn positions_are_named_by_their_index() {
    // TSCATTER-GAP-08: the CPU takes indices of any width.
    for dtype in [DType::Uint8, DType::Int16, Int32, DType::Int64] {
        let mut idx = vec![0; 64];
        idx[32 + dtype.size()] = 99;
        let all = found(tscatter(dtype), &[idx.clone()], Cpu, &[]);
        let why = "step 0, element (1, 1): index 99 is no slot of the destination";
        assert_eq!(all[0].why, why);
        // -1 as every reading of a sign has it.
        idx[32 + dtype.size()..][..dtype.size()].fill(0xff);
        let all = found(
            tscatter(dtype),
            &[idx.clone()],
            Cpu,
            &[("tscatter-negative-index", "signed")],
        );
        let told = all[0].why.contains(" index -1 ");
        assert_eq!(told, dtype.is_signed_integer(), "{dtype}: {}", all[0].why);
        idx[32 + dtype.size()..][..dtype.size()].fill(0);
        idx[32 + dtype.size()] = 9;
        let m = memory(&[(Role::Index, &idx)]);
        let r = Readings::default();
        let fed = feeders(&tscatter(dtype), &[&m], Cpu, &r, Role::Destination, 9);
        assert_eq!(fed, [lane(0, 1, 1)], "{dtype}");
    }
}

#[test]
fn too_short_an_index_operand_breaks_none() {
    for target in [A2a3, A5, Cpu] {
        for (call, n) in [(Call::Mscatter(elements(8)), 8), (tscatter(Int32), 16)] {
            let whole = words(&vec![99; n]);
            let short = whole[..2 * n].to_vec();
            assert_eq!(found(call, &[whole], target, &[]).len(), 1);
            assert_eq!(found(call, &[short], target, &[]), []);
        }
    }
}
