//! Out-of-bounds policies of both instructions (OOB).

use crate::common::*;
use ptodiff_isa::Coalesce::{Elem, Row};
use ptodiff_isa::DType::*;
use ptodiff_isa::*;

/// Row scatter of rows 1, 2, .. into a 4x8 table of zeros; the first column afterwards.
fn row_values(oob: ScatterOob, idx: &[i32]) -> [i32; 4] {
    let count = idx.len();
    let call = Mscatter {
        oob,
        ..mscatter(
            Row,
            rows(Int32, 4, 8),
            tile(Int32, count as u64, 8),
            tile(Int32, 1, count as u64),
        )
    };
    let src: Vec<i32> = (0..count * 8).map(|k| k as i32 / 8 + 1).collect();
    let table = scatter(&call, &[0; 32], &src, idx);
    let column = [table[0], table[8], table[16], table[24]];
    assert!(table.iter().zip(0..).all(|(v, k)| *v == column[k / 8]));
    column
}

#[test]
fn oob_04_07_09_and_12_rows() {
    use ScatterOob::{Clamp, Skip, Wrap};
    assert_eq!(row_values(Skip, &[1, 4, 2]), [0, 1, 3, 0]);
    assert_eq!(row_values(Clamp, &[4, 9, 1]), [0, 3, 0, 2]);
    assert_eq!(row_values(Wrap, &[9]), [0, 1, 0, 0]);
    assert_eq!(row_values(Wrap, &[4]), [1, 0, 0, 0]);
    for oob in [Skip, Clamp, Wrap] {
        assert_eq!(row_values(oob, &[3]), [0, 0, 0, 1]);
    }
    assert_eq!(row_values(Skip, &[4]), [0; 4]);
    assert_eq!(row_values(Clamp, &[4]), [0, 0, 0, 1]);
    // OOB-15: folded indices collide like equal ones.
    assert_eq!(row_values(Clamp, &[3, 7, 100]), [0, 0, 0, 3]);
}

#[test]
fn oob_05_08_and_10_elements() {
    let run = |oob, idx: [i32; 8]| {
        let call = Mscatter {
            oob,
            ..mscatter(Elem, flat(Int32, 30), tile(Int32, 1, 8), tile(Int32, 1, 8))
        };
        scatter(&call, &[0; 30], &[1, 2, 3, 4, 5, 6, 7, 8], &idx)
    };
    let table = run(ScatterOob::Skip, [0, 30, 1, 100, 2, 3, 4, 29]);
    assert_eq!(table[..5], [1, 3, 5, 6, 7]);
    assert_eq!(table[5..29], [0; 24]);
    assert_eq!(table[29], 8);
    let table = run(ScatterOob::Clamp, [0, 1, 2, 1000, 3, 4, 5, 6]);
    assert_eq!(table[29], 4);
    let table = run(ScatterOob::Wrap, [65, 30, 1, 2, 3, 4, 6, 7]);
    assert_eq!((table[5], table[0]), (1, 2));
}

#[test]
fn oob_11_policies_agree_on_indices_in_range() {
    let idx: Vec<i32> = (0..256).map(|i| i * 91 % 256).collect();
    let src: Vec<i32> = (1000..1256).collect();
    for oob in [
        ScatterOob::Undefined,
        ScatterOob::Skip,
        ScatterOob::Clamp,
        ScatterOob::Wrap,
    ] {
        let call = Mscatter {
            oob,
            ..mscatter(
                Elem,
                flat(Int32, 256),
                tile(Int32, 8, 32),
                tile(Int32, 8, 32),
            )
        };
        let table = scatter(&call, &[0; 256], &src, &idx);
        for i in 0..256 {
            assert_eq!(table[i * 91 % 256], 1000 + i as i32, "{oob}");
        }
    }
}

#[test]
fn oob_13_large_unsigned_indices() {
    let run = |oob| {
        let call = Mscatter {
            oob,
            ..mscatter(
                Row,
                rows(Int32, 10, 8),
                tile(Int32, 1, 8),
                tile(Uint32, 1, 1),
            )
        };
        let table = scatter(&call, &[0; 80], &[1; 8], &[u32::MAX]);
        table.chunks(8).position(|row| row == [1; 8])
    };
    assert_eq!(run(ScatterOob::Skip), None);
    assert_eq!(run(ScatterOob::Clamp), Some(9));
    assert_eq!(run(ScatterOob::Wrap), Some(5));
}

#[test]
fn oob_14_the_policy_comes_before_the_atomic() {
    let run = |oob| {
        let call = Mscatter {
            oob,
            atomic: ScatterAtomicOp::Add,
            ..mscatter(Row, rows(Int32, 4, 8), tile(Int32, 2, 8), tile(Int32, 1, 2))
        };
        let table = scatter(&call, &[0; 32], &[1; 16], &[1, 5]);
        [table[0], table[8], table[16], table[24]]
    };
    assert_eq!(run(ScatterOob::Skip), [0, 1, 0, 0]);
    assert_eq!(run(ScatterOob::Clamp), [0, 1, 0, 1]);
    assert_eq!(run(ScatterOob::Wrap), [0, 2, 0, 0]);
}

/// Elem gather of three indices from a flat table of k at slot k.
fn gathered(oob: GatherOob, idx_type: DType, len: u64, idx: [u32; 3]) -> [f32; 3] {
    let part = |dtype| valid(dtype, 1, 8, 1, 3);
    let call = Mgather {
        oob,
        ..mgather(Elem, flat(Float, len), part(Float), part(idx_type))
    };
    let table: Vec<f32> = (0..len).map(|k| k as f32).collect();
    let dst = gather(&call, &[-1.0; 8], &table, &idx);
    assert_eq!(dst[3..], [-1.0; 5]);
    [dst[0], dst[1], dst[2]]
}

#[test]
fn gather_oob_05_07_08_and_17_elements() {
    assert_eq!(
        gathered(GatherOob::Wrap, Int32, 10, [9, 10, 23]),
        [9.0, 0.0, 3.0]
    );
    assert_eq!(
        gathered(GatherOob::Zero, Int32, 8, [7, 8, 1]),
        [7.0, 0.0, 1.0]
    );
    let large = [1 << 31, u32::MAX, 3];
    assert_eq!(
        gathered(GatherOob::Clamp, Uint32, 10, large),
        [9.0, 9.0, 3.0]
    );
    assert_eq!(
        gathered(GatherOob::Wrap, Uint32, 10, large),
        [8.0, 5.0, 3.0]
    );
    assert_eq!(
        gathered(GatherOob::Zero, Uint32, 10, large),
        [0.0, 0.0, 3.0]
    );
    for oob in [
        GatherOob::Undefined,
        GatherOob::Clamp,
        GatherOob::Wrap,
        GatherOob::Zero,
    ] {
        assert_eq!(gathered(oob, Int32, 64, [63, 0, 17]), [63.0, 0.0, 17.0]);
    }
}

#[test]
fn gather_oob_04_06_and_09_rows() {
    let table: Vec<f32> = (1..33).map(|v| v as f32).collect();
    let run = |oob, idx: [i32; 3]| {
        let call = Mgather {
            oob,
            ..mgather(Row, rows(Float, 4, 8), tile(Float, 3, 8), tile(Int32, 1, 3))
        };
        gather(&call, &[-1.0; 24], &table, &idx)
    };
    assert_eq!(
        run(GatherOob::Clamp, [3, 4, 100]),
        [&table[24..]; 3].concat()
    );
    let dst = run(GatherOob::Zero, [1, 4, 3]);
    assert_eq!(dst[..8], table[8..16]);
    assert_eq!(dst[8..16], [0.0; 8]);
    assert_eq!(dst[16..], table[24..]);
}

#[test]
fn gather_oob_12_zero_is_positive_zero() {
    let part = |dtype| valid(dtype, 1, 16, 1, 2);
    let call = Mgather {
        oob: GatherOob::Zero,
        ..mgather(Elem, flat(Half, 4), part(Half), part(Int32))
    };
    let dst = gather(&call, &[0xFFFF_u16; 16], &[0x8000; 4], &[0, 4]);
    assert_eq!(dst[..3], [0x8000, 0x0000, 0xFFFF]);
}

#[test]
fn gap_35_and_41_the_scalar_path_honours_every_policy() {
    let one = |dtype| valid(dtype, 1, 8, 1, 1);
    let mut src = [0; 8];
    src[0] = 9;
    for (oob, changed) in [
        (ScatterOob::Skip, None),
        (ScatterOob::Clamp, Some(3)),
        (ScatterOob::Wrap, Some(0)),
    ] {
        let call = Mscatter {
            oob,
            ..mscatter(Elem, flat(Int32, 4), one(Int32), one(Int32))
        };
        let table = scatter(&call, &[0; 4], &src, &[4]);
        assert_eq!(table.iter().position(|v| *v == 9), changed);
    }
    for (oob, value) in [
        (GatherOob::Clamp, 13),
        (GatherOob::Wrap, 10),
        (GatherOob::Zero, 0),
    ] {
        let call = Mgather {
            oob,
            ..mgather(Elem, flat(Int32, 4), one(Int32), one(Int32))
        };
        assert_eq!(
            gather(&call, &[7; 8], &[10, 11, 12, 13], &[4])[..2],
            [value, 7]
        );
    }
}
