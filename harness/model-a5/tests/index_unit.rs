//! Gathers whose indices count bytes in Elem mode (MGATHER-GAP-76, MGATHERL1-GAP-35).

use crate::common::*;
use ptodiff_isa::Coalesce::{Elem, Row};
use ptodiff_isa::DType::*;
use ptodiff_isa::GatherOob::{Clamp, Undefined, Wrap, Zero};
use ptodiff_isa::NegativeIndex::{Intended, Signed, Unsigned};
use ptodiff_isa::*;

/// A type of each element size.
pub(crate) const SIZES: [(DType, i64); 3] = [(Uint8, 1), (Int16, 2), (Float, 4)];
pub(crate) const INDICES: [DType; 2] = [Int32, Uint32];
pub(crate) const NEGATIVES: [NegativeIndex; 3] = [Unsigned, Signed, Intended];

/// Indices count bytes.
pub(crate) fn by_byte(negative_index: NegativeIndex) -> How {
    reading(|readings| {
        readings.index_unit = IndexUnit::Byte;
        readings.negative_index = negative_index;
    })
}

/// The numbers of the first `N` elements.
pub(crate) fn elements<const N: usize>(bytes: &[u8], size: i64) -> [u32; N] {
    let element = |bytes: &[u8]| {
        bytes
            .iter()
            .rev()
            .fold(0, |n, byte| n << 8 | u32::from(*byte))
    };
    let all: Vec<u32> = bytes.chunks(size as usize).map(element).collect();
    *all.first_chunk().expect("as many elements")
}

/// Ten elements of `size` bytes, from `first` on.
pub(crate) fn ten(first: u32, size: i64) -> Vec<u8> {
    let element = |k: u32| k.to_le_bytes()[..size as usize].to_vec();
    (first..first + 10).flat_map(element).collect()
}

/// The first byte of each access outside the operands.
pub(crate) fn outside(log: &Log) -> Vec<i64> {
    let accesses = log.oob_accesses.first.iter();
    accesses.map(|access| access.offset).collect()
}

/// What four indices select of ten slots that hold 10 to 19, in UB and in L1 by both
/// executors, and what is read outside the table.
fn gathered(
    (dtype, size): (DType, i64),
    index: DType,
    oob: GatherOob,
    negative_index: NegativeIndex,
    idx: [i64; 4],
) -> ([u32; 4], Vec<i64>) {
    let to_ub = Mgather {
        oob,
        ..mgather(Elem, flat(dtype, 10), tile(dtype, 1, 4), tile(index, 1, 4))
    };
    let cols = 32 / size as u64;
    let to_l1 = |exec| {
        let call = mgather_l1(
            Elem,
            flat(dtype, 10),
            nz(dtype, 16, cols, 1, 4),
            rows(index, 1, 4),
            Some(flat(dtype, 16 * cols)),
        );
        Call::MgatherL1(MgatherL1 { oob, exec, ..call })
    };
    let [first, second, third] = [
        Call::Mgather(to_ub),
        to_l1(GatherExec::Scalar),
        to_l1(GatherExec::Simt),
    ]
    .map(|call| {
        let how = by_byte(negative_index);
        assert_eq!(clauses(call, &how.readings), [""; 0]);
        let mut memory = memory(&[
            (Role::Table, ten(10, size)),
            (Role::Index, bytes(&idx.map(|index| index as u32))),
            (Role::Destination, vec![7; 512]),
            (Role::Scratch, vec![7; 512]),
        ]);
        let log = execute(call, &mut memory, how);
        let dst = memory.get(Role::Destination).expect("a destination");
        (elements(dst.body(), size), outside(&log))
    });
    assert_eq!(first, second);
    assert_eq!(first, third);
    first
}

#[test]
fn gap_76_an_index_is_a_displacement() {
    for (dtype, size) in SIZES {
        for index in INDICES {
            for oob in [Undefined, Clamp, Wrap, Zero] {
                for negative_index in NEGATIVES {
                    let idx = [4, 0, 9, 1].map(|slot| slot * size);
                    let found = gathered((dtype, size), index, oob, negative_index, idx);
                    assert_eq!(found, ([14, 10, 19, 11], vec![]), "{dtype} {index} {oob}");
                }
            }
        }
    }
}

#[test]
fn gap_76_the_experiment() {
    let part = |dtype| valid(dtype, 1, 8, 1, 2);
    let call = mgather(Elem, flat(Int32, 8), part(Int32), part(Int32));
    let of = |how| {
        let table = [0, 1, 2, 3, 4, 5, 6, 7];
        gather_how(&call, how, &[-1; 8], &table, &[4, 0, 0, 0, 0, 0, 0, 0])[0]
    };
    assert_eq!(of(How::default()), 4);
    assert_eq!(of(by_byte(Unsigned)), 1);
}

#[test]
fn gap_76_the_quotient_is_held_against_the_capacity() {
    for (dtype, size) in SIZES {
        let idx = [10, 23, 9, 100].map(|slot| slot * size);
        for index in INDICES {
            for negative_index in NEGATIVES {
                let of = |oob| gathered((dtype, size), index, oob, negative_index, idx);
                assert_eq!(of(Clamp), ([19, 19, 19, 19], vec![]));
                assert_eq!(of(Wrap), ([10, 13, 19, 10], vec![]));
                assert_eq!(of(Zero), ([0, 0, 19, 0], vec![]));
                assert_eq!(of(Undefined).1, [10 * size, 23 * size, 100 * size]);
            }
        }
    }
}

#[test]
fn gap_76_a_displacement_backwards() {
    for (dtype, size) in SIZES {
        let idx = [-1, 2, -3, 8].map(|slot| slot * size);
        let of = |oob, negative| gathered((dtype, size), Int32, oob, negative, idx);
        // 2^32 - 1 and 2^32 - 3.
        assert_eq!(of(Clamp, Unsigned), ([19, 12, 19, 18], vec![]));
        assert_eq!(of(Wrap, Unsigned), ([15, 12, 13, 18], vec![]));
        assert_eq!(of(Zero, Unsigned), ([0, 12, 0, 18], vec![]));
        let far = [4_294_967_295 * size, 4_294_967_293 * size];
        assert_eq!(of(Undefined, Unsigned).1, far);
        // What stands before the table.
        let guard = 0xA5A5_A5A5 >> (32 - 8 * size);
        let before = ([guard, 12, guard, 18], vec![-size, -3 * size]);
        for oob in [Clamp, Wrap, Zero, Undefined] {
            assert_eq!(of(oob, Signed), before, "{dtype} {oob}");
        }
        assert_eq!(of(Clamp, Intended), ([10, 12, 10, 18], vec![]));
        assert_eq!(of(Wrap, Intended), ([19, 12, 17, 18], vec![]));
        assert_eq!(of(Zero, Intended), ([0, 12, 0, 18], vec![]));
        assert_eq!(of(Undefined, Intended), before);
    }
}

#[test]
fn gap_76_an_unsigned_index_is_divided_as_a_signed_one() {
    for negative_index in NEGATIVES {
        let of = |(dtype, size): (DType, i64), oob| {
            let idx = [-size, 1 << 31, -3 * size, 3 * size];
            gathered((dtype, size), Uint32, oob, negative_index, idx).0
        };
        // The quotient is unsigned again: 2^32 - 1, 2^32 - 2^31 / size, 2^32 - 3, and so
        // 4294967295, then 2147483648, 3221225472 or 3758096384, then 4294967293.
        assert_eq!(of(SIZES[0], Wrap), [15, 18, 13, 13]);
        assert_eq!(of(SIZES[1], Wrap), [15, 12, 13, 13]);
        assert_eq!(of(SIZES[2], Wrap), [15, 14, 13, 13]);
        for size in SIZES {
            assert_eq!(of(size, Clamp), [19, 19, 19, 13]);
            assert_eq!(of(size, Zero), [0, 0, 0, 13]);
        }
    }
}

#[test]
fn gap_76_with_a_remainder_the_quotient_is_towards_zero() {
    for negative_index in NEGATIVES {
        for index in INDICES {
            let of = |size, idx| gathered(size, index, Clamp, negative_index, idx).0;
            assert_eq!(of(SIZES[2], [7, 5, -3, 39]), [11, 11, 10, 19]);
            assert_eq!(of(SIZES[1], [7, 5, -1, 19]), [13, 12, 10, 19]);
        }
    }
    // -7 / 4 is -1.
    let found = gathered(SIZES[2], Int32, Wrap, Intended, [-7, -4, -5, -8]);
    assert_eq!(found.0, [19, 19, 19, 18]);
}

#[test]
fn gap_76_on_the_scalar_path() {
    let one = |dtype| valid(dtype, 1, 8, 1, 1);
    let table: Vec<i32> = (10..20).collect();
    let of = |oob, negative_index, index| {
        let call = Mgather {
            oob,
            ..mgather(Elem, flat(Int32, 10), one(Int32), one(Int32))
        };
        gather_how(&call, by_byte(negative_index), &[7; 8], &table, &[index])[..2].to_vec()
    };
    for oob in [Undefined, Clamp, Wrap, Zero] {
        assert_eq!(of(oob, Unsigned, 8), [12, 7]);
    }
    assert_eq!(of(Wrap, Unsigned, -4), [15, 7]);
    assert_eq!(of(Wrap, Intended, -4), [19, 7]);
    assert_eq!(of(Clamp, Intended, -4), [10, 7]);
    assert_eq!(of(Zero, Signed, 40), [0, 7]);
}

#[test]
fn gap_76_a_row_index_counts_rows() {
    let how = by_byte(Unsigned);
    let table: Vec<i32> = (0..32).collect();
    let call = mgather(Row, rows(Int32, 4, 8), tile(Int32, 2, 8), tile(Int32, 1, 2));
    let dst = gather_how(&call, how, &[-1; 16], &table, &[3, 1]);
    assert_eq!(dst, [24..32, 8..16].map(Vec::from_iter).concat());
    // One element, too.
    let one = tile(Int32, 1, 1);
    let call = mgather(Row, rows(Int32, 4, 1), one, one);
    assert_eq!(gather_how(&call, how, &[-1], &table[..4], &[2]), [2]);
    // In L1, 16 rows of 8.
    let dst = nz(Int32, 16, 8, 2, 8);
    let call = mgather_l1(Row, rows(Int32, 4, 8), dst, flat(Int32, 2), None);
    let operands = [
        (Role::Table, bytes(&table)),
        (Role::Index, bytes(&[3, 1])),
        (Role::Destination, vec![0; 512]),
    ];
    let after = clean_but(Call::MgatherL1(call), how, &operands, &[Role::Destination]);
    let tile: Vec<i32> = items(&after[0][..64]);
    assert_eq!(tile, [24..32, 8..16].map(Vec::from_iter).concat());
}
