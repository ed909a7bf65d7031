//! MSCATTER: what sums are under each choice.

use crate::common::{one_slot::*, *};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use ScatterAtomicOp::Add;
use Target::{A2a3, A5, Cpu};

const MOST: u32 = i32::MAX as u32;

#[test]
fn integer_overflow_on_every_path() {
    // MSCATTER-GAP-05: int8_t 127 + 1.
    let cases = [
        ("wrap", [0x80, 0x80]),
        ("saturate", [0x7F, 0x7F]),
        ("mte3-saturates", [0x7F, 0x80]),
    ];
    for (choice, expected) in cases {
        let r = with(&[("add-overflow", choice)]);
        for (mode, sum) in [Row, Elem].into_iter().zip(expected) {
            let p = to_one_slot(DType::Int8, mode, Add, 127, &[&[1]], A2a3, &r);
            assert_eq!(slot_of(DType::Int8, &p), one(DType::Int8, sum), "{choice}");
            assert_eq!(first_run(&p).clause.0, "MSCATTER-GAP-05");
            let open = first_run(&p).freedom.map(|c| c.0);
            assert_eq!(open, (sum == 0x7F).then_some("MSCATTER-GAP-05"));
        }
    }
    let r = with(&[("add-overflow", "saturate")]);
    let p = to_one_slot(DType::Int16, Elem, Add, 0x8000, &[&[0xFFFF]], A2a3, &r);
    assert_eq!(slot_of(DType::Int16, &p), one(DType::Int16, 0x8000));
    // A5: both modes under one choice, none under the other; the CPU never.
    let templated = ("cpu-form", "templated");
    for (choice, target, sum) in [
        ("saturate", A5, u32::MAX),
        ("mte3-saturates", A5, 0x10),
        ("saturate", Cpu, 0x10),
    ] {
        let r = with(&[("add-overflow", choice), templated]);
        for mode in [Row, Elem] {
            let new: &[u32] = &[0x20];
            let p = to_one_slot(DType::Uint32, mode, Add, 0xFFFF_FFF0, &[new], target, &r);
            assert_eq!(slot_of(DType::Uint32, &p), one(DType::Uint32, sum));
        }
    }
}

#[test]
fn saturating_sums_depend_on_the_order() {
    // MSCATTER-GAP-05 from INT32_MAX, with 1 and -5.
    let r = with(&[("add-overflow", "saturate")]);
    let sum = |steps: &[&[u32]], target| {
        let p = to_one_slot(DType::Int32, Elem, Add, MOST, steps, target, &r);
        slot_of(DType::Int32, &p)
    };
    let minus = |n: u32| n.wrapping_neg();
    assert_eq!(sum(&[&[1, minus(5)]], A2a3), one(DType::Int32, MOST - 5));
    assert_eq!(sum(&[&[minus(5), 1]], A2a3), one(DType::Int32, MOST - 4));
    assert_eq!(
        sum(&[&[1, minus(5)]], A5),
        several(DType::Int32, &[MOST - 5, MOST - 4])
    );
    // Positive ones first are lost; last they fit.
    assert_eq!(
        sum(&[&[1, minus(5), 2]], A5),
        several(DType::Int32, &[MOST - 5, MOST - 4, MOST - 3, MOST - 2])
    );
    // One sign, and calls one after the other, leave one result.
    assert_eq!(sum(&[&[1, 2, 3]], A5), one(DType::Int32, MOST));
    assert_eq!(sum(&[&[1], &[minus(5)]], A5), one(DType::Int32, MOST - 5));
    assert_eq!(
        sum(&[&[1, minus(5)], &[3, 1]], A5),
        several(DType::Int32, &[MOST - 1, MOST])
    );
    assert_eq!(
        sum(&[&[minus(9), 3, 2]], A5),
        several(DType::Int32, &[MOST - 9, MOST - 7, MOST - 6, MOST - 4])
    );
    // What stays in range is a plain sum.
    let p = to_one_slot(DType::Int32, Elem, Add, 7, &[&[1, minus(5)]], A5, &r);
    assert_eq!(slot_of(DType::Int32, &p), one(DType::Int32, 3));
    assert_eq!(first_run(&p).clause.0, "MSCATTER-ATOM-01");
}

#[test]
fn row_adds_in_any_order() {
    // MSCATTER-GAP-07: rows 1e8, 1 and -1e8 onto 0.
    let rows: &[u32] = &[1e8_f32.to_bits(), 1_f32.to_bits(), (-1e8_f32).to_bits()];
    let f = DType::Float;
    let any = with(&[("row-add-order", "any")]);
    let sum = |mode, r: &Readings| slot_of(f, &to_one_slot(f, mode, Add, 0, &[rows], A2a3, r));
    assert_eq!(sum(Row, &Readings::default()), one(f, 0));
    assert_eq!(sum(Row, &any), several(f, &[0, 1_f32.to_bits()]));
    assert_eq!(sum(Elem, &any), one(f, 0));
    let p = to_one_slot(f, Row, Add, 0, &[rows], A2a3, &any);
    assert_eq!(first_run(&p).freedom, Some(Clause("MSCATTER-GAP-07")));
    // Calls do not mix: 1e8 + 1 is 1e8.
    let apart: [&[u32]; 3] = [&rows[..1], &rows[1..2], &rows[2..]];
    let p = to_one_slot(f, Row, Add, 0, &apart, A2a3, &any);
    assert_eq!(slot_of(f, &p), one(f, 0));
    // MSCATTER-GAP-05 with it: int8_t 127 with 1 and -5.
    let i = DType::Int8;
    let order = ("row-add-order", "any");
    for (choices, expected) in [
        (vec![order], one(i, 123)),
        (vec![("add-overflow", "saturate")], one(i, 122)),
        (
            vec![("add-overflow", "saturate"), order],
            several(i, &[122, 123]),
        ),
        (
            vec![("add-overflow", "mte3-saturates"), order],
            several(i, &[122, 123]),
        ),
    ] {
        let p = to_one_slot(i, Row, Add, 127, &[&[1, 0xFB]], A2a3, &with(&choices));
        assert_eq!(slot_of(i, &p), expected, "{choices:?}");
    }
}

#[test]
fn a_burst_past_the_valid_columns_adds_in_any_order_or_not_at_all() {
    // MSCATTER-GAP-07 and -22: eight rows to row 3, of 0.1, 0.2 and so on,
    // nine valid columns.
    let call = Mscatter {
        atomic: Add,
        ..scatter(
            packed(DType::Float, [1, 2, 2, 16, 8], Layout::NZ),
            nz_tile(DType::Float, [16, 16], [8, 9]),
            tile(DType::Int32, [1, 8], [1, 8]),
            Row,
        )
    };
    let any = with(&[("row-add-order", "any")]);
    let tenths: Vec<f32> = (0..256).map(|i| (i / 8 % 16 + 1) as f32 / 10.0).collect();
    let (table, src) = (floats(&[0.3; 512]), floats(&tenths));
    let p = scattered(&call, &table, &src, &words(&[3; 8]), A2a3, &any);
    let at = |element: usize| {
        let mut all = runs(&p, Role::Table).iter();
        let run = all.find(|r| r.offset == 4 * element).expect("a run");
        let Slot::Several(sums) = &slots(&p, Role::Table, 2048)[element] else {
            panic!("several sums");
        };
        let value = |b: &Vec<u8>| f32::from_le_bytes(b[..].try_into().unwrap());
        assert!(sums.len() > 2 && sums.iter().all(|b| (value(b) - 3.9).abs() < 1e-5));
        run.or_kept.map(|c| c.0)
    };
    assert_eq!(at(24), None);
    assert_eq!(at(256 + 24), None);
    assert_eq!(at(256 + 25), Some("MSCATTER-GAP-22"));
    // MSCATTER-GAP-81: some NaN, or kept.
    let p = scattered(
        &call,
        &table,
        &floats(&[f32::NAN; 256]),
        &words(&[3; 8]),
        A2a3,
        &any,
    );
    let nan = f32::NAN.to_bits();
    let found = slots(&p, Role::Table, 2048);
    assert_eq!(found[256 + 25], between(DType::Float, nan, nan));
    let last = runs(&p, Role::Table).last().expect("a run");
    assert_eq!(last.clause.0, "MSCATTER-GAP-81");
    assert_eq!(last.or_kept, Some(Clause("MSCATTER-GAP-22")));
}

#[test]
fn flushed_sums() {
    // MSCATTER-GAP-80.
    let flushed = with(&[("subnormals", "flushed"), ("cpu-form", "templated")]);
    let sum = |dtype, old, new: &[u32], target| {
        let all = [Row, Elem].map(|mode| {
            slot_of(
                dtype,
                &to_one_slot(dtype, mode, Add, old, &[new], target, &flushed),
            )
        });
        assert_eq!(all[0], all[1]);
        all[0].clone()
    };
    let (h, b, f) = (DType::Half, DType::Bfloat16, DType::Float);
    for target in [A2a3, A5] {
        // The register's experiment, and its like in the other formats.
        assert_eq!(sum(h, 1, &[1], target), one(h, 0));
        assert_eq!(sum(b, 0x8001, &[0x807F], target), one(b, 0x8000));
        assert_eq!(
            sum(f, 1, &[1_f32.to_bits()], target),
            one(f, 1_f32.to_bits())
        );
        // An addressed slot ends flushed, whatever is added.
        assert_eq!(sum(f, 0x007F_FFFF, &[0], target), one(f, 0));
        assert_eq!(
            sum(f, 0x8000_0001, &[0x8000_0000], target),
            one(f, 0x8000_0000)
        );
        // 1.5 - 1 and 1 - 1.5 of the smallest normal numbers.
        assert_eq!(sum(h, 0x0600, &[0x8400], target), one(h, 0));
        assert_eq!(sum(h, 0x0400, &[0x8600], target), one(h, 0x8000));
    }
    assert_eq!(sum(h, 1, &[1], Cpu), one(h, 2));
    assert_eq!(sum(h, 0x0600, &[0x8400, 0x0400], A2a3), one(h, 0x0400));
    assert_eq!(
        sum(h, 0x0600, &[0x8400, 0x0400], A5),
        several(h, &[0x0400, 0x0600])
    );
    let p = to_one_slot(h, Elem, Add, 1, &[&[1]], A5, &flushed);
    let clause = Clause("MSCATTER-GAP-80");
    assert_eq!(
        (first_run(&p).clause, first_run(&p).freedom),
        (clause, Some(clause))
    );
    // Nothing to flush, nothing to say.
    let p = to_one_slot(h, Elem, Add, 0x3C00, &[&[0x3C00]], A5, &flushed);
    assert_eq!(
        (first_run(&p).clause.0, first_run(&p).freedom),
        ("MSCATTER-ATOM-01", None)
    );
    let p = to_one_slot(h, Elem, Add, 1, &[&[1]], A5, &Readings::default());
    assert_eq!(slot_of(h, &p), one(h, 2));
}
