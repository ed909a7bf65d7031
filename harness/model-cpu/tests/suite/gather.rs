//! MGATHER, GM to UB.

use ptodiff_isa::{Call, Coalesce, CpuPaddedTable, DType, Dim, GatherOob, GlobalTensor};

use crate::common::{With, counted, full, gather, i32s, made, reading, rows, tile, to_i32s};

use Coalesce::{Elem, Row};
use DType::Int32;
use GatherOob::{Clamp, Undefined, Wrap, Zero};

/// Four rows of eight, `DIM_3` 16 apart; the outer strides would take one elsewhere.
fn padded() -> GlobalTensor {
    rows(Int32, 4, 8).with(|c| c.stride = [1000, 1000, 1000, 16, 1].map(Dim::Static))
}

// MGATHER-GAP-08; MGATHER-TABLE-04: without it the pitch is the width, whatever the strides.
#[test]
fn rows_that_lie_apart() {
    use CpuPaddedTable::{Precondition, Strided};
    let firsts = |reading_, table, oob, indices: &[i32]| -> Vec<i32> {
        let readings = reading(|r| r.cpu_padded_table = reading_);
        let count = indices.len() as u64;
        let (dst, idx) = (tile(Int32, [count, 4], [count, 3]), full(Int32, [1, count]));
        let call = Call::Mgather(gather(Row, oob, dst, table, idx));
        let before = i32s(&vec![-5; 4 * indices.len()]);
        let out = made(readings, call, &[&before, &counted(0, 56), &i32s(indices)]);
        let out = to_i32s(&out);
        let rows = out.chunks(4).map(|row| {
            let next = i32::from(row[..3] != [0; 3]);
            assert_eq!(row[1..], [row[0] + next, row[0] + 2 * next, -5]);
            row[0]
        });
        rows.collect()
    };
    let all = firsts(Strided, padded(), Undefined, &[3, 0, 2, 1]);
    assert_eq!(all, [48, 0, 32, 16]);
    assert_eq!(firsts(Precondition, padded(), Undefined, &[3, 1]), [24, 8]);
    // The capacity is Shape[3] all the same (MGATHER-CAP-01).
    assert_eq!(firsts(Strided, padded(), Clamp, &[4, 3, -1]), [48, 48, 48]);
    assert_eq!(firsts(Strided, padded(), Wrap, &[4, 7, 1]), [0, 48, 16]);
    assert_eq!(firsts(Strided, padded(), Zero, &[4, 1]), [0, 16]);
    // A packed table is no other under either choice.
    let mut packed = padded();
    packed.stride[3] = Dim::Dynamic(8);
    for reading in [Precondition, Strided] {
        assert_eq!(firsts(reading, packed, Undefined, &[2]), [16]);
    }
    // MGATHER-GAP-07: an element is a number in the flat table, pads included.
    let two = full(Int32, [1, 2]);
    let call = Call::Mgather(gather(Elem, Zero, two, padded(), two));
    for (indices, expected) in [([8, 31], [8, 31]), ([32, 1], [0, 1])] {
        let readings = reading(|r| r.cpu_padded_table = Strided);
        let out = made(readings, call, &[&[0; 8], &counted(0, 56), &i32s(&indices)]);
        assert_eq!(to_i32s(&out), expected);
    }
}
