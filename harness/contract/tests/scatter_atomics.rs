//! MSCATTER: sums and extremes.

use crate::common::{scatters::*, *};
use ptodiff_contract::{Permit, Run};
use ptodiff_isa::*;

use Target::{A2a3, A5, Cpu};

const NPUS: [Target; 2] = [A2a3, A5];

#[test]
fn integer_atomics() {
    let mut call = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..eight(8)
    };
    let mut table = vec![0; 8];
    table[2] = 100;
    let all_to_two = words(&[2; 8]);
    // MSCATTER-ATOM-01, -18: 136, but 8 on a CPU that only replaces.
    let src = words(&[1, 2, 3, 4, 5, 6, 7, 8]);
    for (target, sum) in [(A2a3, 136), (A5, 136), (Cpu, 8)] {
        let r = Readings::default();
        let p = scattered(&call, &words(&table), &src, &all_to_two, target, &r);
        assert_eq!(slots(&p, Role::Table, 32)[2], Slot::word(sum));
        let freedom = runs(&p, Role::Table)[0].freedom.map(|c| c.0);
        assert_eq!(freedom, (target == Cpu).then_some("MSCATTER-ATOM-18"));
    }
    let templated = Readings {
        cpu_form: CpuForm::Templated,
        ..Readings::default()
    };
    let p = scattered(&call, &words(&table), &src, &all_to_two, Cpu, &templated);
    assert_eq!(slots(&p, Role::Table, 32)[2], Slot::word(136));
    // MSCATTER-GAP-05: sums wrap.
    let p = scattered(
        &call,
        &words(&[0, 0, 0x7FFF_FFFF, 0, 0, 0, 0, 0]),
        &words(&[1, 0, 0, 0, 0, 0, 0, 0]),
        &all_to_two,
        A5,
        &Readings::default(),
    );
    assert_eq!(slots(&p, Role::Table, 32)[2], Slot::word(0x8000_0000));
    assert_eq!(runs(&p, Role::Table)[0].clause.0, "MSCATTER-GAP-05");
    // MSCATTER-ATOM-02, -03: old 5 with 3, 9, -4; and -21, by sign.
    call.src.valid_col = Dim::Static(3);
    call.idx.valid_col = Dim::Static(3);
    let src = words(&[3, 9, -4, 0, 0, 0, 0, 0]);
    let idx = words(&[0; 8]);
    for (atomic, best) in [(ScatterAtomicOp::Max, 9), (ScatterAtomicOp::Min, -4)] {
        call.atomic = atomic;
        let s = scatter_slots(&call, &words(&[5, 0, 0, 0, 0, 0, 0, 0]), &src, &idx, A5);
        assert_eq!(s[0], Slot::word(best));
    }
    for (dtype, max) in [(DType::Uint32, 0x8000_0000), (DType::Int32, 1)] {
        call.atomic = ScatterAtomicOp::Max;
        (call.src.dtype, call.table.dtype) = (dtype, dtype);
        let table = words(&[1, 0, 0, 0, 0, 0, 0, 0]);
        let src = words(&[0x8000_0000, 0x8000_0000, 0x8000_0000, 0, 0, 0, 0, 0]);
        assert_eq!(
            scatter_slots(&call, &table, &src, &idx, A5)[0],
            Slot::word(max)
        );
    }
    // MSCATTER-ATOM-05: int16, 16 ones.
    let small = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..scatter(
            matrix(DType::Int16, 1, 16),
            tile(DType::Int16, [1, 16], [1, 16]),
            tile(DType::Int32, [1, 16], [1, 16]),
            Coalesce::Elem,
        )
    };
    let s = scatter_slots(&small, &[0; 32], &halves(&[1; 16]), &words(&[7; 16]), A2a3);
    assert_eq!(s[7], Slot::One(vec![16, 0]));
}

#[test]
fn policies_come_before_atomics() {
    // MSCATTER-OOB-14.
    let mut call = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..rows_of_eight(2)
    };
    call.src.dtype = DType::Int32;
    call.table.dtype = DType::Int32;
    for target in NPUS {
        for (oob, expected) in [
            (ScatterOob::Skip, [None, Some(1), None, None]),
            (ScatterOob::Clamp, [None, Some(1), None, Some(1)]),
            (ScatterOob::Wrap, [None, Some(2), None, None]),
        ] {
            call.oob = oob;
            let ones = words(&[1; 16]);
            let s = scatter_slots(&call, &[0; 128], &ones, &padded_index(&[1, 5]), target);
            for (row, sum) in expected.into_iter().enumerate() {
                let slot = sum.map_or(Slot::Kept, Slot::word);
                assert_eq!(s[row * 8..row * 8 + 8], vec![slot; 8]);
            }
        }
    }
}

#[test]
fn float_sums() {
    let call = |dtype| Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..scatter(
            matrix(dtype, 1, 16),
            tile(dtype, [1, 16], [1, 3]),
            tile(DType::Int32, [1, 16], [1, 3]),
            Coalesce::Elem,
        )
    };
    let idx = words(&[0; 16]);
    let sums = |src: [f32; 3], target| {
        let mut all = [0.0; 16];
        all[..3].copy_from_slice(&src);
        let s = scatter_slots(&call(DType::Float), &[0; 64], &floats(&all), &idx, target);
        s[0].clone()
    };
    // MSCATTER-ATOM-26 and -22.
    assert_eq!(sums([1e8, 1.0, -1e8], A2a3), Slot::float(0.0));
    assert_eq!(sums([1e8, -1e8, 1.0], A2a3), Slot::float(1.0));
    let mut both = vec![
        0.0_f32.to_le_bytes().to_vec(),
        1.0_f32.to_le_bytes().to_vec(),
    ];
    both.sort();
    assert_eq!(sums([1e8, 1.0, -1e8], A5), Slot::Several(both));
    assert_eq!(sums([1.0, 2.0, 3.5], A5), Slot::float(6.5));
    // MSCATTER-GAP-81: some NaN where every order gives one.
    let nan = f32::NAN.to_le_bytes().to_vec();
    let nan = Slot::Between(nan.clone(), nan);
    assert_eq!(sums([1.0, f32::NAN, 3.5], A2a3), nan);
    assert_eq!(sums([1.0, f32::NAN, 3.5], A5), nan);
    let inf = f32::INFINITY;
    assert_eq!(sums([inf, 1.0, -inf], A2a3), nan);
    assert_eq!(sums([inf, 1.0, -inf], A5), nan);
    assert_eq!(sums([inf, -3e38, -3e38], A2a3), Slot::float(inf));
    assert_eq!(sums([-3e38, -3e38, inf], A2a3), nan);
    let up_or_nan = [inf, f32::NAN].map(|x| x.to_le_bytes().to_vec());
    assert_eq!(
        sums([-3e38, -3e38, inf], A5),
        Slot::Several(up_or_nan.to_vec())
    );
    assert_eq!(
        sums([f32::INFINITY, 1.0, 2.0], A5),
        Slot::float(f32::INFINITY)
    );
    // MSCATTER-GAP-06, -60: 2048 + 1 + 1 + 1 in half, 256 + 1 in bfloat16.
    let mut src = [0; 16];
    src[..3].fill(0x3C00);
    let mut table = [0; 16];
    table[0] = 0x6800;
    for target in NPUS {
        let s = scatter_slots(
            &call(DType::Half),
            &halves(&table),
            &halves(&src),
            &idx,
            target,
        );
        assert_eq!(s[0], Slot::One(vec![0x00, 0x68]));
    }
    src[..3].copy_from_slice(&[0x3F80, 0, 0]);
    table[0] = 0x4380;
    let s = scatter_slots(
        &call(DType::Bfloat16),
        &halves(&table),
        &halves(&src),
        &idx,
        A2a3,
    );
    assert_eq!(s[0], Slot::One(vec![0x80, 0x43]));
    // Many writers that are all alike have one sum; of different ones there are
    // bounds, which say that they are wide.
    let mut many = call(DType::Float);
    many.src.valid_col = Dim::Static(16);
    many.idx.valid_col = Dim::Static(16);
    let s = scatter_slots(&many, &[0; 64], &floats(&[0.1; 16]), &idx, A5);
    assert_eq!(s[0], Slot::float((0..16).fold(0.0, |sum, _| sum + 0.1)));
    let tenths: [f32; 16] = std::array::from_fn(|i| (i + 1) as f32 / 10.0);
    let r = Readings::default();
    let p = scattered(&many, &[0; 64], &floats(&tenths), &idx, A5, &r);
    let wide = |run: &Run| matches!(run.permit, Permit::Between { wide: true, .. });
    assert!(wide(&runs(&p, Role::Table)[0]));
    let s = slots(&p, Role::Table, 64);
    let Slot::Between(low, high) = &s[0] else {
        panic!("{:?}", s[0]);
    };
    let value = |b: &[u8]| f32::from_le_bytes(b.try_into().unwrap());
    assert!(value(low) < 13.6 && value(low) > 13.599);
    assert!(value(high) > 13.6 && value(high) < 13.601);
}

#[test]
fn float_extremes() {
    let call = Mscatter {
        atomic: ScatterAtomicOp::Max,
        ..scatter(
            matrix(DType::Float, 1, 8),
            tile(DType::Float, [1, 8], [1, 1]),
            tile(DType::Int32, [1, 8], [1, 1]),
            Coalesce::Elem,
        )
    };
    let max = |old: f32, x: f32| {
        let (mut table, mut src) = ([0.0; 8], [0.0; 8]);
        (table[0], src[0]) = (old, x);
        let s = scatter_slots(&call, &floats(&table), &floats(&src), &words(&[0; 8]), A5);
        s[0].clone()
    };
    assert_eq!(max(1.0, 2.0), Slot::float(2.0));
    assert_eq!(max(-1.0, f32::NEG_INFINITY), Slot::float(-1.0));
    // MSCATTER-GAP-03, -04.
    assert_eq!(max(1.0, f32::NAN), Slot::Anything);
    assert_eq!(max(f32::NAN, 1.0), Slot::Anything);
    assert_eq!(max(-0.0, -0.0), Slot::float(-0.0));
    let zeros = vec![
        0.0_f32.to_le_bytes().to_vec(),
        (-0.0_f32).to_le_bytes().to_vec(),
    ];
    assert_eq!(max(-0.0, 0.0), Slot::Several(zeros));
    assert_eq!(max(-0.0, 3.0), Slot::float(3.0));
}
