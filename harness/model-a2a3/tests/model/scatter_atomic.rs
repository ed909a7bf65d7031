//! MSCATTER with ScatterAtomicOp::Add.

use ptodiff_isa::{
    Call, Coalesce, DType, Dim, Fault, Mscatter, Readings, ScatterAtomicOp, ScatterOob,
};

use crate::common::{Number, Ran, bytes, in_ub, legal, mgather, mscatter, nd, run, run_on, tile};

fn add(mut call: Mscatter, oob: ScatterOob, operands: [Vec<u8>; 3]) -> Ran {
    call.atomic = ScatterAtomicOp::Add;
    call.oob = oob;
    legal(Call::Mscatter(call), operands)
}

/// One-row Elem Add of `src` into `slots`, whatever the width of `dtype`.
fn elem_add<T: Number>(dtype: DType, slots: &[T], src: &[T], indices: &[i32]) -> Vec<T> {
    let count = src.len() as u64;
    let call = mscatter(
        Coalesce::Elem,
        nd(dtype, 1, slots.len() as u64),
        tile(dtype, [1, 32], [1, count]),
        tile(DType::Int32, [1, 32], [1, count]),
    );
    let mut source = bytes(src.iter().copied());
    source.resize(32 * dtype.size(), 0);
    let mut index = bytes(indices.iter().copied());
    index.resize(32 * 4, 0);
    let operands = [bytes(slots.iter().copied()), source, index];
    add(call, ScatterOob::Undefined, operands).table()
}

/// Row Add of rows of one element each, all to row 0.
fn row_add<T: Number>(dtype: DType, slot: T, src: &[T]) -> Vec<T> {
    let count = src.len() as u64;
    let call = mscatter(
        Coalesce::Row,
        nd(dtype, 1, 1),
        tile(dtype, [count, 32], [count, 1]),
        tile(DType::Int32, [1, 8], [1, count]),
    );
    let mut source = Vec::new();
    for value in src {
        value.put(&mut source);
        let row = source.len().next_multiple_of(32 * dtype.size());
        source.resize(row, 0);
    }
    let operands = [bytes([slot]), source, bytes([0_i32; 8])];
    add(call, ScatterOob::Undefined, operands).table()
}

/// MSCATTER-ATOM-01 and -05.
#[test]
fn duplicates_accumulate_in_elem() {
    let mut slots = [0_i32; 4];
    slots[2] = 100;
    let got = elem_add(DType::Int32, &slots, &[1, 2, 3, 4, 5, 6, 7, 8], &[2; 8]);
    assert_eq!(got, [0, 0, 136, 0]);
    let got = elem_add(DType::Int16, &[0_i16; 8], &[1; 16], &[7; 16]);
    assert_eq!(got, [0, 0, 0, 0, 0, 0, 0, 16]);
}

/// MSCATTER-ATOM-04.
#[test]
fn duplicates_accumulate_in_row() {
    let call = mscatter(
        Coalesce::Row,
        nd(DType::Float, 4, 8),
        tile(DType::Float, [4, 8], [4, 8]),
        tile(DType::Int32, [1, 8], [1, 4]),
    );
    let src = (0..32).map(|k| (k / 8 + 1) as f32);
    let ran = add(
        call,
        ScatterOob::Undefined,
        [
            bytes([0_f32; 32]),
            bytes(src),
            bytes([1, 1, 1, 0, 0, 0, 0, 0_i32]),
        ],
    );
    let got = ran.table::<f32>();
    assert_eq!(got[..8], [4.; 8]);
    assert_eq!(got[8..16], [6.; 8]);
    assert_eq!(got[16..], [0.; 16]);
}

/// MSCATTER-ATOM-08: each dtype, a one into a zero, both modes.
#[test]
fn every_dtype_adds() {
    fn one<T: Number + PartialEq + std::fmt::Debug>(dtype: DType, zero: T, one: T) {
        assert_eq!(elem_add(dtype, &[zero], &[one], &[0]), [one], "{dtype}");
        assert_eq!(row_add(dtype, zero, &[one]), [one], "{dtype}");
    }
    one(DType::Int8, 0_i8, 1);
    one(DType::Int16, 0_i16, 1);
    one(DType::Int32, 0_i32, 1);
    one(DType::Half, 0_u16, 0x3C00);
    one(DType::Bfloat16, 0_u16, 0x3F80);
    one(DType::Float, 0_f32, 1.);
}

/// MSCATTER-ATOM-25: the old content is the start.
#[test]
fn the_old_content_counts() {
    let slots: Vec<i32> = (1000..1008).collect();
    let got = elem_add(DType::Int32, &slots, &[1; 8], &[7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(got, (1001..1009).collect::<Vec<_>>());
}

/// MSCATTER-ATOM-26 and MSCATTER-GAP-07: the order of float sums.
#[test]
fn floats_add_one_after_the_other() {
    for (src, want) in [([1e8, 1., -1e8], 0_f32), ([1e8, -1e8, 1.], 1.)] {
        assert_eq!(elem_add(DType::Float, &[0.], &src, &[0; 3]), [want]);
        assert_eq!(row_add(DType::Float, 0., &src), [want]);
    }
}

/// MSCATTER-GAP-06, -60: every sum rounds to the storage type, ties to even.
#[test]
fn sixteen_bit_floats_round_each_step() {
    // Half: 2048 + 1 + 1 + 1 stays 2048.
    let got = elem_add(DType::Half, &[0x6800_u16], &[0x3C00; 3], &[0; 3]);
    assert_eq!(got, [0x6800]);
    assert_eq!(row_add(DType::Half, 0x6800_u16, &[0x3C00; 3]), [0x6800]);
    // bfloat16: 256 + 3 is 260.
    assert_eq!(row_add(DType::Bfloat16, 0x4380_u16, &[0x4040]), [0x4382]);
}

/// MSCATTER-GAP-05: integer sums wrap.
#[test]
fn integers_wrap() {
    assert_eq!(elem_add(DType::Int8, &[127_i8], &[1], &[0]), [-128]);
    assert_eq!(row_add(DType::Int8, 127_i8, &[1]), [-128]);
    assert_eq!(row_add(DType::Int16, i16::MIN, &[-1]), [i16::MAX]);
    assert_eq!(row_add(DType::Int32, i32::MAX, &[1]), [i32::MIN]);
}

/// MSCATTER-OOB-14: the policy comes before the sum.
#[test]
fn the_policy_comes_first() {
    let cases = [
        (ScatterOob::Skip, [0, 1, 0, 0]),
        (ScatterOob::Clamp, [0, 1, 0, 1]),
        (ScatterOob::Wrap, [0, 2, 0, 0]),
    ];
    for (oob, want) in cases {
        let call = mscatter(
            Coalesce::Row,
            nd(DType::Int32, 4, 8),
            tile(DType::Int32, [2, 8], [2, 8]),
            tile(DType::Int32, [1, 8], [1, 2]),
        );
        let ran = add(
            call,
            oob,
            [
                bytes([0_i32; 32]),
                bytes([1_i32; 16]),
                bytes([1, 5, 0, 0, 0, 0, 0, 0_i32]),
            ],
        );
        let got = ran.table::<i32>();
        assert_eq!([got[0], got[8], got[16], got[24]], want);
    }
}

/// MSCATTER-ATOM-24: Row Add equals Elem Add with flat indices.
#[test]
fn row_and_elem_add_agree() {
    let rows = [1_i32, 1, 0, 3];
    let src: Vec<i32> = (0..32).map(|k| k * k - 100).collect();
    let base: Vec<i32> = (0..32).map(|k| 1000 * k).collect();
    let data = tile(DType::Int32, [4, 8], [4, 8]);
    let row = mscatter(
        Coalesce::Row,
        nd(DType::Int32, 4, 8),
        data,
        tile(DType::Int32, [1, 8], [1, 4]),
    );
    let elem = mscatter(Coalesce::Elem, nd(DType::Int32, 4, 8), data, data);
    let flat = (0..32).map(|k| rows[k / 8] * 8 + (k % 8) as i32);
    let mut one = rows.to_vec();
    one.resize(8, 0);
    let oob = ScatterOob::Undefined;
    let base = || bytes(base.clone());
    let source = || bytes(src.clone());
    let by_row = add(row, oob, [base(), source(), bytes(one)]);
    let by_elem = add(elem, oob, [base(), source(), bytes(flat)]);
    assert_eq!(by_row.table::<i32>(), by_elem.table::<i32>());
    // Row 1 took rows 0 and 1: 8000 + (0 - 100) + (64 - 100).
    assert_eq!(by_row.table::<i32>()[8], 7864);
}

/// NaN results are one pattern for each dtype.
#[test]
fn nan_sums_are_quiet() {
    assert_eq!(row_add(DType::Half, 0x7C01_u16, &[0x3C00]), [0x7E00]);
    assert_eq!(row_add(DType::Bfloat16, 0x7F80_u16, &[0xFF80]), [0x7FC0]);
    let got = row_add(DType::Float, f32::INFINITY, &[f32::NEG_INFINITY]);
    assert_eq!(got[0].to_bits(), 0x7FC0_0000);
    // Neither sign nor payload comes through, and what is not added to stays.
    let (slots, src) = ([0, 0xFFC1_2345], [0xFFC1_2345_u32]);
    let got = elem_add(DType::Float, &slots, &src, &[0]);
    assert_eq!(got, [0x7FC0_0000, 0xFFC1_2345]);
}

/// What no kernel exists for is a fault, not a panic, even with nothing to do.
#[test]
fn missing_kernels_are_faults() {
    for (atomic, dtype) in [
        (ScatterAtomicOp::Max, DType::Int32),
        (ScatterAtomicOp::Min, DType::Float),
        (ScatterAtomicOp::Add, DType::Uint32),
        (ScatterAtomicOp::Add, DType::Float8E4M3),
    ] {
        let call = Mscatter {
            atomic,
            ..mscatter(
                Coalesce::Elem,
                nd(dtype, 1, 8),
                tile(dtype, [1, 32], [1, 1]),
                tile(DType::Int32, [1, 8], [1, 1]),
            )
        };
        let by_row = Mscatter {
            mode: Coalesce::Row,
            ..call
        };
        let [idle, idle_by_row] = [call, by_row].map(|mut call| {
            call.src.valid_row = Dim::Dynamic(0);
            call
        });
        for call in [call, by_row, idle, idle_by_row] {
            let operands = [vec![0; 32], vec![0; 128], vec![0; 32]];
            let ran = run(Call::Mscatter(call), Readings::default(), operands);
            assert!(ran.outcome.is_err(), "{atomic} {dtype}");
        }
    }
}

/// MSCATTER-DTYPE-03 and MGATHER-DTYPE-08: no kernel reads such indices, and
/// nothing is written.
#[test]
fn other_indices_are_a_fault() {
    let table = nd(DType::Int32, 32, 8);
    for dtype in [DType::Int64, DType::Float] {
        let fault = Err(Fault(format!("no kernel reads indices of {dtype}")));
        for mode in [Coalesce::Row, Coalesce::Elem] {
            let (data, index) = (
                tile(DType::Int32, [1, 8], [1, 1]),
                tile(dtype, [1, 4], [1, 1]),
            );
            for call in [
                Call::Mscatter(mscatter(mode, table, data, index)),
                Call::Mgather(mgather(mode, data, table, index)),
            ] {
                let operands = [bytes(0..256), bytes(1000..1008), bytes([1_i32; 8])];
                let before = in_ub(&call, operands);
                let ran = run_on(call, Readings::default(), before.clone());
                assert_eq!(ran.outcome, fault);
                assert_eq!(ran.memory, before);
            }
        }
    }
}
