//! Which clauses slots cite, and which differences between targets.

use crate::common::{
    calls::*,
    choices::{strided, with},
    scatters::*,
    *,
};
use ptodiff_contract::{Permits, permits};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use Target::{A2a3, A5, Cpu};

/// The clause and the freedom of each run.
fn cited(p: &Permits, role: Role) -> Vec<(&'static str, Option<&'static str>)> {
    let all = runs(p, role).iter();
    all.map(|run| (run.clause.0, run.freedom.map(|c| c.0)))
        .collect()
}

/// Three lanes of eight floats, of which two meet in slot or row 0 and one
/// goes to 2.
fn three(mode: Coalesce) -> Mscatter {
    let [src, table] = match mode {
        Row => [[3, 8], [4, 8]],
        Elem => [[1, 8], [1, 32]],
    };
    let valid = if mode == Row { [3, 8] } else { [1, 3] };
    scatter(
        matrix(DType::Float, table[0], table[1]),
        tile(DType::Float, src, valid),
        tile(DType::Int32, [1, 8], [1, 3]),
        mode,
    )
}

/// What the runs of `call` cite after so many steps.
fn after(
    call: &Mscatter,
    steps: usize,
    idx: &[i64],
    target: Target,
    readings: &Readings,
) -> Vec<(&'static str, Option<&'static str>)> {
    let m = memory(&[
        (Role::Table, &[0; 128]),
        (Role::Source, &numbered(3, 8)),
        (Role::Index, &padded_index(idx)),
    ]);
    let p = permits(&Call::Mscatter(*call), &vec![&m; steps], target, readings);
    cited(&p.expect("operands fit"), Role::Table)
}

#[test]
fn survivors() {
    let documented = Readings::default();
    let templated = with(&[("cpu-form", "templated")]);
    let default = |mode| Mscatter {
        conflict: ScatterConflict::Default,
        ..three(mode)
    };
    let open = |clause| (clause, Some(clause));
    let cases = [
        (
            three(Row),
            1,
            A2a3,
            "MSCATTER-SEM-01",
            ("MSCATTER-CONF-01", None),
        ),
        (
            three(Elem),
            1,
            A2a3,
            "MSCATTER-SEM-02",
            ("MSCATTER-CONF-02", None),
        ),
        (
            three(Row),
            1,
            A5,
            "MSCATTER-SEM-01",
            ("MSCATTER-CONF-03", None),
        ),
        (
            three(Elem),
            1,
            A5,
            "MSCATTER-SEM-02",
            ("MSCATTER-CONF-04", None),
        ),
        (
            default(Row),
            1,
            A5,
            "MSCATTER-SEM-01",
            open("MSCATTER-CONF-06"),
        ),
        (
            default(Elem),
            1,
            A5,
            "MSCATTER-SEM-02",
            open("MSCATTER-CONF-06"),
        ),
    ];
    for (call, steps, target, single, contested) in cases {
        let found = after(&call, steps, &[0, 2, 0], target, &documented);
        assert_eq!(found, [contested, (single, None)], "{call:?} on {target}");
    }
    // Several calls: MSCATTER-CHUNK-02 and -03; each slot then has several writers.
    for mode in [Row, Elem] {
        let found = after(&three(mode), 2, &[0, 2, 0], A5, &documented);
        assert_eq!(found, [("MSCATTER-CHUNK-02", None); 2]);
        let found = after(&default(mode), 2, &[0, 2, 0], A5, &documented);
        assert_eq!(found[0], open("MSCATTER-CHUNK-03"));
    }
    // The CPU by the documents, and by the template parameters (MSCATTER-GAP-41).
    let contested = ("MSCATTER-CONF-08", None);
    let found = after(&three(Elem), 1, &[0, 2, 0], Cpu, &documented);
    assert_eq!(found, [contested, ("MSCATTER-SEM-03", None)]);
    let found = after(&three(Elem), 1, &[0, 2, 0], Cpu, &templated);
    assert_eq!(found, [contested, ("MSCATTER-GAP-41", None)]);
}

#[test]
fn survivors_in_an_nz_table() {
    // MSCATTER-GAP-08: element order of an NZ tile.
    let mut call = scatter(
        packed(DType::Float, [1, 2, 2, 16, 8], Layout::NZ),
        nz_tile(DType::Float, [16, 16], [1, 3]),
        tile(DType::Int32, [1, 8], [1, 3]),
        Elem,
    );
    let run = |call: &Mscatter| {
        let operands = [&[0; 2048][..], &[0; 1024], &padded_index(&[0, 2, 0])];
        let [table, src, idx] = operands;
        let p = scattered(call, table, src, idx, A2a3, &Readings::default());
        cited(&p, Role::Table)
    };
    let contested = ("MSCATTER-GAP-08", None);
    assert_eq!(run(&call), [contested, ("MSCATTER-SEM-02", None)]);
    call.atomic = ScatterAtomicOp::Add;
    assert_eq!(run(&call), [contested, ("MSCATTER-ATOM-01", None)]);
}

#[test]
fn sums_of_one_and_of_several() {
    // Neighbours do not share a run: each cites its own.
    let templated = with(&[("cpu-form", "templated")]);
    for (mode, target, several) in [
        (Row, A2a3, "MSCATTER-GAP-07"),
        (Elem, A2a3, "MSCATTER-ATOM-26"),
        (Elem, Cpu, "MSCATTER-GAP-41"),
    ] {
        let call = Mscatter {
            atomic: ScatterAtomicOp::Add,
            ..three(mode)
        };
        let found = after(&call, 1, &[0, 1, 0], target, &templated);
        let expected = [(several, None), ("MSCATTER-ATOM-01", None)];
        assert_eq!(found, expected, "{mode} on {target}");
    }
}

#[test]
fn saturating_sums_in_any_order() {
    // MSCATTER-GAP-05 on A5: 127 with 1 and -5 is 122 or 123.
    let mut call = eight(8);
    call.atomic = ScatterAtomicOp::Add;
    (call.src.valid_col, call.idx.valid_col) = (Dim::Static(2), Dim::Static(2));
    let table = words(&[i64::from(i32::MAX); 8]);
    let src = words(&[1, -5, 0, 0, 0, 0, 0, 0]);
    let saturate = with(&[("add-overflow", "saturate")]);
    let p = scattered(&call, &table, &src, &[0; 32], A5, &saturate);
    let expected = ("MSCATTER-GAP-05", Some("MSCATTER-ATOM-22"));
    assert_eq!(cited(&p, Role::Table), [expected]);
}

#[test]
fn flushed_sums_that_do_not_differ() {
    // MSCATTER-GAP-80 is cited where keeping subnormals gives something else.
    let call = Mscatter {
        atomic: ScatterAtomicOp::Add,
        ..three(Elem)
    };
    let flushed = with(&[("subnormals", "flushed")]);
    let run = |values: [f32; 3]| {
        let mut src = [0.0; 8];
        src[..3].copy_from_slice(&values);
        let p = scattered(&call, &[0; 128], &floats(&src), &[0; 32], A5, &flushed);
        cited(&p, Role::Table)
    };
    // The least subnormal is a result of its own where it is kept.
    let mut four = call;
    (four.src.valid_col, four.idx.valid_col) = (Dim::Static(4), Dim::Static(4));
    let src = floats(&[f32::from_bits(1), 1e8, -1e8, 1.0, 0.0, 0.0, 0.0, 0.0]);
    let p = scattered(&four, &[0; 128], &src, &[0; 32], A5, &flushed);
    assert_eq!(cited(&p, Role::Table)[0].0, "MSCATTER-GAP-80");
    let small = f32::MIN_POSITIVE;
    let any = "MSCATTER-ATOM-22";
    assert_eq!(run([1e8, 1.0, -1e8]), [(any, Some(any))]);
    let nan = "MSCATTER-GAP-81";
    assert_eq!(run([1.0, f32::NAN, 1.0]), [(nan, Some(nan))]);
    assert_eq!(run([f32::INFINITY, -3e38, -3e38]), [(any, Some(any))]);
    // 1.5 and 1 less make 0.5 of the smallest normal number, which is flushed
    // in some orders only.
    let found = run([1.5 * small, -small, small]);
    assert_eq!(found[0].0, "MSCATTER-GAP-80");
}

#[test]
fn extremes_by_bits() {
    // MSCATTER-GAP-03 where a NaN or the sign of a zero decides, else -ATOM-02.
    let call = Mscatter {
        atomic: ScatterAtomicOp::Max,
        ..three(Elem)
    };
    let by_bits = with(&[("max-min-nan", "by-bits")]);
    for (values, gap) in [
        ([1.0, 2.0, 3.0], false),
        ([-0.0, 2.0, 0.0], false),
        ([0.0, -2.0, -3.0], false),
        ([-0.0, -2.0, 0.0], true),
        ([1.0, f32::NAN, 3.0], true),
    ] {
        let mut src = [0.0; 8];
        src[..3].copy_from_slice(&values);
        let mut table = [0; 128];
        // The old value counts too: a number below all.
        table[..4].copy_from_slice(&(-9.0_f32).to_le_bytes());
        let p = scattered(&call, &table, &floats(&src), &[0; 32], A5, &by_bits);
        let found = cited(&p, Role::Table);
        let expected = if gap {
            "MSCATTER-GAP-03"
        } else {
            "MSCATTER-ATOM-02"
        };
        assert_eq!(found[0].0, expected, "{values:?}");
    }
}

#[test]
fn no_difference_where_no_index_is_negative() {
    // MSCATTER-GAP-01, MGATHER-GAP-02: 0 is not negative.
    let intended = with(&[("negative-index", "intended")]);
    for mode in [Row, Elem] {
        let mut call = three(mode);
        call.oob = ScatterOob::Wrap;
        for target in [A2a3, A5] {
            for (last, freedom) in [(3, None), (-1, Some("MSCATTER-GAP-01"))] {
                let found = after(&call, 1, &[0, 1, last], target, &intended);
                assert!(found.iter().all(|(_, free)| *free == freedom), "{found:?}");
            }
            // An index that nobody takes for negative.
            let found = after(&call, 1, &[0, 1, -1], target, &Readings::default());
            assert!(found.iter().all(|(_, free)| free.is_none()), "{found:?}");
            let mut unsigned = call;
            unsigned.idx.dtype = DType::Uint32;
            let found = after(&unsigned, 1, &[0, 1, -1], target, &intended);
            assert!(found.iter().all(|(_, free)| free.is_none()), "{found:?}");
        }
        let moved = gather(call.src, call.table, call.idx, mode);
        let moved = Mgather {
            oob: GatherOob::Wrap,
            ..moved
        };
        let len = if mode == Row { 96 } else { 32 };
        let idx = padded_index(&[0, 1, 3]);
        let p = gathered(&moved, &vec![0; len], &[0; 128], &idx, A5, &intended);
        let found = cited(&p, Role::Destination);
        assert!(found.iter().all(|(_, free)| free.is_none()), "{found:?}");
    }
}

#[test]
fn gathered_by_policy() {
    // MGATHER-OOB-04 and -05 for what they move, -SEM-01 and -02 for the rest;
    // with one matrix, targets agree on the capacity.
    for (mode, plain) in [(Row, "MGATHER-SEM-01"), (Elem, "MGATHER-SEM-02")] {
        for (oob, moved) in [
            (GatherOob::Clamp, "MGATHER-OOB-04"),
            (GatherOob::Wrap, "MGATHER-OOB-05"),
        ] {
            let of = three(mode);
            let call = Mgather {
                oob,
                ..gather(of.src, of.table, of.idx, mode)
            };
            let len = if mode == Row { 96 } else { 32 };
            let idx = padded_index(&[1, 40, 2]);
            for target in [A2a3, A5, Cpu] {
                let p = gathered(
                    &call,
                    &vec![0; len],
                    &[0; 128],
                    &idx,
                    target,
                    &Readings::default(),
                );
                let found = cited(&p, Role::Destination);
                let valid = [(plain, None), (moved, None), (plain, None)];
                assert_eq!(found[..3], valid, "{mode} {oob} on {target}");
            }
        }
    }
}

#[test]
fn capacities_that_targets_do_not_dispute() {
    // MGATHER-GAP-05 is about rows of ND tables.
    let call = gather(
        tile(DType::Int32, [1, 8], [1, 2]),
        packed(DType::Int32, [1, 1, 2, 2, 8], Layout::ND),
        tile(DType::Int32, [1, 8], [1, 2]),
        Elem,
    );
    let r = Readings::default();
    let p = gathered(&call, &[0; 32], &[0; 128], &padded_index(&[1, 31]), A5, &r);
    let found = cited(&p, Role::Destination);
    assert_eq!(found, [("MGATHER-SEM-02", None)]);
    let call = gather(
        nz_tile(DType::Float, [16, 16], [2, 16]),
        packed(DType::Float, [1, 2, 2, 16, 8], Layout::NZ),
        tile(DType::Int32, [1, 8], [1, 2]),
        Row,
    );
    let idx = padded_index(&[1, 31]);
    let p = gathered(&call, &[0; 1024], &[0; 2048], &idx, A2a3, &r);
    let found = cited(&p, Role::Destination);
    assert!(found.contains(&("MGATHER-SEM-01", None)));
    assert!(
        found
            .iter()
            .all(|(_, free)| *free != Some("MGATHER-CAP-02"))
    );
}

#[test]
fn one_column_by_rows() {
    // MSCATTER-INDEX-07: the CPU takes such a call by elements, as long as it
    // has no template parameters.
    let mut call = three(Row);
    call.table = matrix(DType::Float, 32, 1);
    call.src = tile(DType::Float, [3, 8], [3, 1]);
    for (form, free) in [
        ("documented", Some("MSCATTER-INDEX-07")),
        ("templated", None),
    ] {
        let found = after(&call, 1, &[0, 2, 4], A5, &with(&[("cpu-form", form)]));
        assert_eq!(found, [("MSCATTER-SEM-01", free); 3]);
    }
}

#[test]
fn gathers_to_l1() {
    // MGATHERL1-SEM-01, -SEM-02, -OOB-02, -OOB-03; on the CPU -GAP-14.
    let elem = l1(
        l1_tile(DType::Half, [16, 16], [2, 2]),
        matrix(DType::Half, 1, 64),
        matrix(DType::Int32, 2, 2),
        Elem,
    );
    let row = l1(
        l1_tile(DType::Half, [16, 16], [2, 16]),
        matrix(DType::Half, 4, 16),
        matrix(DType::Int32, 1, 2),
        Row,
    );
    for (call, oob, plain, zero) in [
        (elem, 64, "MGATHERL1-SEM-02", "MGATHERL1-OOB-03"),
        (row, 4, "MGATHERL1-SEM-01", "MGATHERL1-OOB-02"),
    ] {
        let call = Call::MgatherL1(MgatherL1 {
            oob: GatherOob::Zero,
            ..call
        });
        let idx = words(&[1, oob, oob, oob]);
        let mut operands = vec![
            (Role::Destination, &[9; 512][..]),
            (Role::Table, &[7; 128]),
            (Role::Index, &idx),
        ];
        if plain == "MGATHERL1-SEM-02" {
            operands.push((Role::Scratch, &[5; 512]));
        }
        for target in [A2a3, A5] {
            let p = answer(&call, &operands, target, &Readings::default());
            let found = cited(&p, Role::Destination);
            assert_eq!(found[0], (plain, None), "{target}");
            assert!(found.contains(&(zero, None)), "{found:?}");
            // The CPU keeps what the NPUs clear, where it has the form.
            assert!(found.iter().all(|(_, free)| free.is_none()), "{found:?}");
            let p = answer(&call, &operands, target, &suite());
            let found = cited(&p, Role::Destination);
            let beside = Some("MGATHERL1-GAP-14");
            assert!(found.iter().any(|(_, free)| *free == beside), "{found:?}");
        }
        let p = answer(&call, &operands, Cpu, &suite());
        assert_eq!(cited(&p, Role::Destination)[0].0, "MGATHERL1-GAP-14");
    }
}

#[test]
fn what_a_mask_leaves_alone() {
    // TSCATTER-GAP-13 for a plain move, -MASK-11 for the others.
    let of = |pattern, cols| {
        let call = Call::TscatterMask(TscatterMask {
            dst: tile(DType::Half, [1, 64], [1, 16]),
            src: tile(DType::Half, [1, 16], [1, cols]),
            pattern,
            axis: MaskAxis::Row,
        });
        let operands = [(Role::Destination, &[0; 128][..]), (Role::Source, &[0; 32])];
        let p = answer(&call, &operands, A5, &Readings::default());
        p.operands[0].kept.0
    };
    assert_eq!(of(MaskPattern::P1111, 16), "TSCATTER-GAP-13");
    assert_eq!(of(MaskPattern::P0101, 8), "TSCATTER-MASK-11");
}

#[test]
fn rows_that_stand_where_all_look_for_them() {
    // MSCATTER-GAP-13: packed rows of ValidCol columns are apart as A5 has them.
    let valid_cols = with(&[("row-pitch", "valid-cols")]);
    let found = after(&three(Row), 1, &[0, 1, 2], A5, &valid_cols);
    assert_eq!(found, [("MSCATTER-SEM-01", None)]);
    // So are rows of one column, whatever the stride of columns.
    let mut call = three(Row);
    call.table = strided(matrix(DType::Float, 32, 1), &[(4, 7)]);
    call.src = tile(DType::Float, [3, 8], [3, 1]);
    let templated = with(&[("row-pitch", "valid-cols"), ("cpu-form", "templated")]);
    let found = after(&call, 1, &[0, 1, 2], A5, &templated);
    assert_eq!(found, [("MSCATTER-SEM-01", None)]);
}

#[test]
fn the_first_revision_has_gaps_of_its_own() {
    // MSCATTER-GAP-19 is the current revision's.
    let call = Call::MscatterFirst(first(
        strided(matrix(DType::Int32, 4, 8), &[(3, 16)]),
        tile(DType::Int32, [1, 8], [1, 8]),
        tile(DType::Int32, [1, 8], [1, 8]),
    ));
    let idx = words(&up_to(8));
    let operands = [
        (Role::Table, &[0; 224][..]),
        (Role::Source, &[7; 32]),
        (Role::Index, &idx),
    ];
    let by_strides = with(&[("padded-elem", "strided")]);
    let p = answer(&call, &operands, A5, &by_strides);
    assert_eq!(cited(&p, Role::Table), [("MSCATTER0-SEM-02", None)]);
}
