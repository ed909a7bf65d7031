//! Which clauses slots cite, and which differences between targets.

use crate::common::{calls::*, choices::with, said::*, scatters::*, *};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::{Float, Half, Int8, Int32};
use ScatterAtomicOp::{Add, Max, Min};
use Target::{A2a3, A5, Cpu};

type Cited = Vec<(&'static str, Option<&'static str>)>;

/// Three lanes of eight floats, of which two meet in slot or row 0 and one
/// goes to 2.
fn three(mode: Coalesce) -> Mscatter {
    let (src, table) = match mode {
        Row => (tile(Float, [3, 8], [3, 8]), matrix(Float, 4, 8)),
        Elem => (tile(Float, [1, 8], [1, 3]), matrix(Float, 1, 32)),
    };
    scatter(table, src, tile(Int32, [1, 8], [1, 3]), mode)
}

/// The same with any survivor.
fn any(mode: Coalesce) -> Mscatter {
    Mscatter {
        conflict: ScatterConflict::Default,
        ..three(mode)
    }
}

/// What the runs of `call` cite after so many steps.
fn after(call: &Mscatter, steps: usize, idx: &[i64], target: Target, r: &Readings) -> Cited {
    let m = memory(&[
        (Role::Table, &[0; 128]),
        (Role::Source, &numbered(3, 8)),
        (Role::Index, &padded_index(idx)),
    ]);
    Said::of(&Call::Mscatter(*call), &vec![&m; steps], target, r).cited()
}

#[test]
fn survivors() {
    let documented = Readings::default();
    let open = |clause| (clause, Some(clause));
    let last = |clause| (clause, None);
    let [row, elem, on_cpu] = ["MSCATTER-SEM-01", "MSCATTER-SEM-02", "MSCATTER-SEM-03"];
    // Elsewhere than on A5 there is no other policy.
    let same = ("MSCATTER-CONF-02", Some("MSCATTER-CONF-10"));
    let same_on_cpu = ("MSCATTER-CONF-08", Some("MSCATTER-CONF-14"));
    for (call, target, single, contested) in [
        (three(Row), A2a3, row, last("MSCATTER-CONF-01")),
        (three(Elem), A2a3, elem, last("MSCATTER-CONF-02")),
        (three(Row), A5, row, last("MSCATTER-CONF-03")),
        (three(Elem), A5, elem, last("MSCATTER-CONF-04")),
        (any(Row), A5, row, open("MSCATTER-CONF-06")),
        (any(Elem), A5, elem, open("MSCATTER-CONF-06")),
        (three(Elem), Cpu, on_cpu, last("MSCATTER-CONF-08")),
        (any(Elem), A2a3, elem, same),
        (any(Elem), Cpu, on_cpu, same_on_cpu),
    ] {
        let found = after(&call, 1, &[0, 2, 0], target, &documented);
        assert_eq!(found, [contested, (single, None)], "{call:?} on {target}");
    }
    // The CPU by the template parameters (MSCATTER-GAP-41), without which elements go
    // the same way unless a policy moves them.
    let templated = with(&[("cpu-form", "templated")]);
    let clamped = Mscatter {
        oob: ScatterOob::Clamp,
        ..three(Elem)
    };
    for (call, single) in [
        (three(Elem), "MSCATTER-SEM-03"),
        (clamped, "MSCATTER-GAP-41"),
        (three(Row), "MSCATTER-GAP-41"),
    ] {
        let found = after(&call, 1, &[0, 2, 0], Cpu, &templated);
        assert_eq!(found, [("MSCATTER-CONF-08", None), (single, None)]);
    }
    // Several calls: MSCATTER-CHUNK-02 and -03; each slot then has several writers.
    for mode in [Row, Elem] {
        let found = after(&three(mode), 2, &[0, 2, 0], A5, &documented);
        assert_eq!(found, [("MSCATTER-CHUNK-02", None); 2]);
        let found = after(&any(mode), 2, &[0, 2, 0], A5, &documented);
        assert_eq!(found[0], open("MSCATTER-CHUNK-03"));
    }
}

#[test]
fn survivors_in_an_nz_table() {
    // In whatever order the elements of an NZ tile come (MSCATTER-GAP-08).
    let mut call = scatter(
        packed(Float, [1, 2, 2, 16, 8], Layout::NZ),
        nz_tile(Float, [16, 16], [1, 3]),
        tile(Int32, [1, 8], [1, 3]),
        Elem,
    );
    for (atomic, contested, single) in [
        (ScatterAtomicOp::None, "MSCATTER-CONF-15", "MSCATTER-SEM-02"),
        (Add, "MSCATTER-ATOM-01", "MSCATTER-ATOM-01"),
    ] {
        call.atomic = atomic;
        let said = into_zeros(&call, &[0; 1024], &[0, 2, 0], A2a3, &[]);
        assert_eq!(said.cited(), [(contested, None), (single, None)]);
    }
}

/// What slot 0 cites first, where these elements meet what it holds.
fn met(
    (dtype, mode, target): (DType, Coalesce, Target),
    atomic: ScatterAtomicOp,
    old: u32,
    new: &[u32],
    choices: &[(&str, &str)],
) -> (&'static str, Option<&'static str>) {
    let n = new.len() as u64;
    let (shape, valid, pitch) = match mode {
        Row => ([n, 32], [n, 2], 32),
        Elem => ([1, 32], [1, n], 1),
    };
    let idx = tile(Int32, [1, 32], [1, n]);
    let table = matrix(dtype, 4, valid[1]);
    let call = Mscatter {
        atomic,
        ..scatter(table, tile(dtype, shape, valid), idx, mode)
    };
    let bytes = |all: &[u32]| -> Vec<u8> {
        let element = |x: &u32| x.to_le_bytes()[..dtype.size()].to_vec();
        all.iter().flat_map(element).collect()
    };
    let mut src = vec![0; (shape[0] * shape[1]) as usize];
    for (i, &x) in new.iter().enumerate() {
        src[i * pitch] = x;
    }
    let table = bytes(&vec![old; 4 * valid[1] as usize]);
    into(&call, &table, &bytes(&src), &[0; 32], target, choices).cited()[0]
}

const FLUSHED: (&str, &str) = ("subnormals", "flushed");

#[test]
fn integer_sums_that_a_choice_decides() {
    let minus = |n: u32| n.wrapping_neg();
    // MSCATTER-GAP-05: 127 and 1, where other paths and targets may wrap.
    let gap = "MSCATTER-GAP-05";
    for (choice, by_row, by_element) in [
        ("wrap", None, None),
        ("saturate", Some(gap), Some(gap)),
        ("mte3-saturates", Some(gap), None),
    ] {
        for (mode, free) in [(Row, by_row), (Elem, by_element)] {
            let path = (Int8, mode, A2a3);
            let found = met(path, Add, 127, &[1], &[("add-overflow", choice)]);
            assert_eq!(found, (gap, free), "{choice} {mode}");
        }
    }
    // INT32_MAX with 1 and -5; what stays in range is a plain sum.
    let saturate = [("add-overflow", "saturate")];
    let on_a5 = (Int32, Elem, A5);
    for (old, expected) in [
        (i32::MAX as u32, (gap, Some(gap))),
        (7, ("MSCATTER-ATOM-01", None)),
    ] {
        let found = met(on_a5, Add, old, &[1, minus(5)], &saturate);
        assert_eq!(found, expected);
    }
    // MSCATTER-ATOM-18: a CPU that only replaces.
    let found = met((Int32, Elem, Cpu), Add, 100, &[1, 2], &[]);
    assert_eq!(found, ("MSCATTER-CONF-08", Some("MSCATTER-ATOM-18")));
}

#[test]
fn float_sums_that_a_choice_decides() {
    let small = f32::MIN_POSITIVE;
    let (any, plain, gap) = ("MSCATTER-ATOM-22", "MSCATTER-ATOM-01", "MSCATTER-GAP-80");
    let nan = "MSCATTER-GAP-81";
    // MSCATTER-GAP-80 where keeping subnormals gives something else: the least one,
    // and 0.5 of the smallest normal number, which is flushed in some orders only.
    for (new, clause, free) in [
        (&[f32::from_bits(1)][..], gap, Some(gap)),
        (&[f32::from_bits(1), 1e8, -1e8, 1.0], gap, Some(any)),
        (&[1.5 * small, -small, small], gap, Some(any)),
        (&[1e8, 1.0, -1e8], any, Some(any)),
        (&[1.0, f32::NAN, 1.0], plain, Some(nan)),
        (&[f32::INFINITY, -3e38, -3e38], any, Some(any)),
        (&[2.0, 3.5], plain, None),
    ] {
        let bits: Vec<_> = new.iter().map(|x| x.to_bits()).collect();
        let found = met((Float, Elem, A5), Add, 0, &bits, &[FLUSHED]);
        assert_eq!(found, (clause, free), "{new:?}");
    }
    // MSCATTER-GAP-07: rows 1e8, 1 and -1e8 onto 0. It is a sum in whatever order.
    let rows = [1e8, 1.0, -1e8].map(f32::to_bits);
    let order = [("row-add-order", "any")];
    let free = Some("MSCATTER-GAP-07");
    for (mode, choices, expected) in [
        (Row, &order[..], (plain, free)),
        (Row, &[], (plain, None)),
        (Elem, &order, ("MSCATTER-ATOM-26", None)),
    ] {
        let found = met((Float, mode, A2a3), Add, 0, &rows, choices);
        assert_eq!(found, expected, "{mode} {choices:?}");
    }
}

#[test]
fn extremes_that_a_choice_decides() {
    // The old value counts too: a number below all. MSCATTER-GAP-03 where a NaN or, by
    // bits, the sign of a zero decides, MSCATTER-GAP-04 where a choice of zero does, else
    // -ATOM-02.
    let [nan, zero] = ["MSCATTER-GAP-03", "MSCATTER-GAP-04"];
    let by_bits = ("max-min-nan", "by-bits");
    let ignored = ("max-min-nan", "ignored");
    let ordered = ("max-min-zero", "ordered");
    for (new, choice, clause) in [
        ([1.0, 2.0, 3.0], by_bits, "MSCATTER-ATOM-02"),
        ([-0.0, 2.0, 0.0], by_bits, "MSCATTER-ATOM-02"),
        ([0.0, -2.0, -3.0], by_bits, "MSCATTER-ATOM-02"),
        ([-0.0, -2.0, 0.0], by_bits, nan),
        ([1.0, f32::NAN, 3.0], by_bits, nan),
        ([1.0, f32::NAN, 3.0], ignored, nan),
        ([1.0, f32::NAN, 3.0], ordered, nan),
        ([-0.0, -2.0, 0.0], ordered, zero),
        ([-0.0, -2.0, 0.0], ignored, "MSCATTER-ATOM-02"),
        ([-0.0, 2.0, 0.0], ordered, "MSCATTER-ATOM-02"),
    ] {
        let bits = new.map(f32::to_bits);
        let old = (-9_f32).to_bits();
        let found = met((Float, Elem, A5), Max, old, &bits, &[choice]);
        assert_eq!(found.0, clause, "{new:?} {choice:?}");
    }
    let zeros = [-0.0, 0.0].map(f32::to_bits);
    let found = met((Float, Elem, A5), Min, zeros[0], &zeros[1..], &[]);
    assert_eq!(found, ("MSCATTER-ATOM-03", Some(zero)));
    let found = met((Int32, Elem, A5), Min, 5, &[3], &[]);
    assert_eq!(found, ("MSCATTER-ATOM-03", None));
}

#[test]
fn which_nan_an_extreme_leaves_nothing_says() {
    // MSCATTER-GAP-03: a NaN beside a number, and NaNs alone.
    let call = scatter(
        matrix(Float, 1, 1),
        tile(Float, [1, 8], [1, 1]),
        tile(Int32, [1, 8], [1, 1]),
        Elem,
    );
    for (old, choice) in [
        (1.0, "passed-on"),
        (f32::NAN, "passed-on"),
        (f32::NAN, "ignored"),
    ] {
        let call = Mscatter {
            atomic: Max,
            ..call
        };
        let src = floats(&[f32::from_bits(0x7F80_0001); 8]);
        let said = into(
            &call,
            &floats(&[old]),
            &src,
            &[0],
            A5,
            &[("max-min-nan", choice)],
        );
        let [Slot::Between(low, high)] = &said.slots[..] else {
            panic!("{old} {choice}: {:?}", said.slots)
        };
        let is_nan = |bytes: &Vec<u8>| {
            bytes[..]
                .try_into()
                .is_ok_and(|b| f32::from_le_bytes(b).is_nan())
        };
        assert!(is_nan(low) && is_nan(high), "{old} {choice}");
    }
}

#[test]
fn a_burst_past_the_valid_columns_may_add_nothing() {
    // MSCATTER-GAP-22, but -ATOM-01 for some NaN: two rows of nine valid columns to row 3.
    let call = Mscatter {
        atomic: Add,
        ..scatter(
            packed(Float, [1, 2, 2, 16, 8], Layout::NZ),
            nz_tile(Float, [16, 16], [2, 9]),
            tile(Int32, [1, 8], [1, 2]),
            Row,
        )
    };
    let gap = Some("MSCATTER-GAP-22");
    for (value, valid, padding) in [
        (1.0, "MSCATTER-ATOM-01", "MSCATTER-GAP-22"),
        (f32::NAN, "MSCATTER-ATOM-01", "MSCATTER-ATOM-01"),
    ] {
        let src = floats(&[value; 256]);
        let said = into(&call, &[0; 2048], &src, &[3, 3], A2a3, &[]);
        let at = |element: usize| {
            let mut runs = said.runs().iter();
            let run = runs.find(|r| (r.offset..r.offset + r.len).contains(&(4 * element)));
            let run = run.expect("a run");
            (run.clause.0, run.or_kept.map(|c| c.0))
        };
        assert_eq!([at(24), at(256 + 24)], [(valid, None); 2]);
        assert_eq!(at(256 + 25), (padding, gap));
    }
}

#[test]
fn the_last_in_storage() {
    // MSCATTER-GAP-72: in a ColMajor tile on A5 that is another one.
    let storage = [("last-by", "storage")];
    for (full, clause) in [
        (col_major(Int32, [8, 8], [8, 8]), "MSCATTER-GAP-72"),
        (tile(Int32, [8, 8], [8, 8]), "MSCATTER-CONF-04"),
    ] {
        let call = scatter(matrix(Int32, 1, 8), full, full, Elem);
        let said = into_zeros(&call, &[1; 256], &[5; 64], A5, &storage);
        assert_eq!(said.cited()[0].0, clause);
        let said = into_zeros(&call, &[1; 256], &[5; 64], A5, &[]);
        assert_eq!(said.cited()[0].0, "MSCATTER-CONF-04");
    }
    // Where the tiles differ it stays open which of them counts: 1 is last by the ColMajor one,
    // 6 by the other.
    let [by_row, by_col] = [
        tile(Int32, [8, 8], [2, 2]),
        col_major(Int32, [8, 8], [2, 2]),
    ];
    let either = [1_u32, 6].map(|n| n.to_le_bytes().to_vec());
    for (src, idx) in [(by_col, by_row), (by_row, by_col)] {
        let call = scatter(matrix(Int32, 1, 8), src, idx, Elem);
        let place = |tile: &Tile, r: usize, c: usize| match tile.blayout {
            BLayout::ColMajor => c * 8 + r,
            BLayout::RowMajor => r * 8 + c,
        };
        let (mut values, mut indices) = ([9; 64], [7_i64; 64]);
        for (r, c, value) in [(1, 0, 6), (0, 1, 1)] {
            values[place(&src, r, c)] = value;
            indices[place(&idx, r, c)] = 5;
        }
        let said = into_zeros(&call, &words(&values), &indices, A5, &storage);
        assert_eq!(said.slots[5], Slot::Several(either.to_vec()));
        let gap = "MSCATTER-GAP-72";
        assert_eq!(said.cited()[0], (gap, Some(gap)));
    }
}

#[test]
fn no_difference_where_no_index_is_negative() {
    // MSCATTER-GAP-01, MGATHER-GAP-02: 0 is not negative.
    let [default, intended] = [with(&[]), with(&[("negative-index", "intended")])];
    for (mode, target) in [(Row, A2a3), (Row, A5), (Elem, A2a3), (Elem, A5)] {
        let mut call = three(mode);
        call.oob = ScatterOob::Wrap;
        // The last two indices nobody takes for negative.
        for (index, last, r, freedom) in [
            (Int32, 3, &intended, None),
            (Int32, -1, &intended, Some("MSCATTER-GAP-01")),
            (Int32, -1, &default, None),
            (DType::Uint32, -1, &intended, None),
        ] {
            call.idx.dtype = index;
            let found = after(&call, 1, &[0, 1, last], target, r);
            assert!(found.iter().all(|(_, free)| *free == freedom), "{found:?}");
        }
        let moved = Mgather {
            oob: GatherOob::Wrap,
            ..gather(call.src, call.table, three(mode).idx, mode)
        };
        let choices = [("negative-index", "intended")];
        for (index, last) in [(Int32, 3), (DType::Uint32, -1)] {
            let mut moved = moved;
            moved.idx.dtype = index;
            let said = from(&moved, &[0; 128], &[0, 1, last], target, &choices);
            assert!(said.cited().iter().all(|(_, free)| free.is_none()));
        }
    }
}

#[test]
fn scattered_by_policy() {
    // MSCATTER-OOB-04 to -10 for what they move or drop, MSCATTER-GAP-01 for a negative
    // index, whatever its reading, and MSCATTER-GAP-41 for the others on the CPU. What two
    // reach is by the rule on conflicts.
    let unsigned = ("negative-index", "unsigned");
    for (mode, [clamp, wrap, skip], [plain, contested]) in [
        (
            Row,
            ["MSCATTER-OOB-07", "MSCATTER-OOB-09", "MSCATTER-OOB-04"],
            ["MSCATTER-SEM-01", "MSCATTER-CONF-03"],
        ),
        (
            Elem,
            ["MSCATTER-OOB-08", "MSCATTER-OOB-10", "MSCATTER-OOB-05"],
            ["MSCATTER-SEM-02", "MSCATTER-CONF-04"],
        ),
    ] {
        let wrapped = if mode == Row { 4 } else { 32 };
        for (oob, moved, idx, npu) in [
            (ScatterOob::Clamp, 99, [0, 1, 99], clamp),
            (ScatterOob::Wrap, wrapped, [1, 2, wrapped], wrap),
            (ScatterOob::Clamp, -1, [0, 1, -1], "MSCATTER-GAP-01"),
            (ScatterOob::Wrap, -1, [0, 1, -1], "MSCATTER-GAP-01"),
        ] {
            for atomic in [ScatterAtomicOp::None, Add] {
                let call = Mscatter {
                    oob,
                    atomic,
                    ..three(mode)
                };
                let plain = if atomic == Add {
                    "MSCATTER-ATOM-01"
                } else {
                    plain
                };
                for target in [A2a3, A5] {
                    let found = after(&call, 1, &idx, target, &with(&[unsigned]));
                    let by: Vec<_> = found.iter().map(|(by, _)| *by).collect();
                    let first = oob == ScatterOob::Wrap && moved >= 0;
                    let expected = if first { [npu, plain] } else { [plain, npu] };
                    assert_eq!(by, expected, "{mode} {oob} {moved} {atomic} on {target}");
                }
                let templated = with(&[unsigned, ("cpu-form", "templated")]);
                let found = after(&call, 1, &idx, Cpu, &templated);
                let mut by = found.iter().map(|(by, _)| *by);
                assert_eq!(by.clone().any(|by| by == "MSCATTER-GAP-01"), moved < 0);
                assert!(by.all(|by| matches!(by, "MSCATTER-GAP-01" | "MSCATTER-GAP-41")));
            }
        }
        let met = Mscatter {
            oob: ScatterOob::Wrap,
            ..three(mode)
        };
        let found = after(&met, 1, &[0, 1, wrapped], A5, &Readings::default());
        assert_eq!(found, [(contested, None), (plain, None)]);
        let skipping = Mscatter {
            oob: ScatterOob::Skip,
            ..three(mode)
        };
        let undefined = three(mode);
        let templated = ("cpu-form", "templated");
        let dropped = ("undefined-last", "dropped");
        for (call, idx, target, choice, kept) in [
            (skipping, [0, 1, 99], A2a3, unsigned, skip),
            (skipping, [0, 99, -1], A5, unsigned, skip),
            (skipping, [0, 1, -1], A5, unsigned, "MSCATTER-GAP-01"),
            (skipping, [0, 1, 2], A5, unsigned, "MSCATTER-SEM-04"),
            (skipping, [0, 1, 99], Cpu, templated, "MSCATTER-GAP-41"),
            (undefined, [0, 1, 99], A5, dropped, "MSCATTER-GAP-10"),
        ] {
            let said = into_zeros(&call, &numbered(3, 8), &idx, target, &[choice]);
            let table = said.permits.of(Role::Table).expect("a table");
            assert_eq!([table.kept.0, table.around.0], [kept; 2], "{mode} {idx:?}");
            // Which index leads nowhere says nothing of the tiles.
            let source = said.permits.of(Role::Source).expect("a source");
            assert_ne!(source.kept.0, kept);
        }
    }
}

#[test]
fn gathered_by_policy() {
    // MGATHER-OOB-04 to -07 for what they move or clear, -SEM-01 and -02 for the rest;
    // with one matrix, targets agree on the capacity.
    for (mode, plain, zero) in [
        (Row, "MGATHER-SEM-01", "MGATHER-OOB-06"),
        (Elem, "MGATHER-SEM-02", "MGATHER-OOB-07"),
    ] {
        for (oob, moved) in [
            (GatherOob::Clamp, "MGATHER-OOB-04"),
            (GatherOob::Wrap, "MGATHER-OOB-05"),
            (GatherOob::Zero, zero),
        ] {
            let of = three(mode);
            let call = Mgather {
                oob,
                ..gather(of.src, of.table, of.idx, mode)
            };
            for target in [A2a3, A5, Cpu] {
                let said = from(&call, &[0; 128], &[1, 40, 2], target, &[]);
                let valid = [(plain, None), (moved, None), (plain, None)];
                assert_eq!(said.cited()[..3], valid, "{mode} {oob} on {target}");
            }
        }
    }
}

#[test]
fn capacities_that_targets_do_not_dispute() {
    // MGATHER-GAP-05 is about rows of ND tables.
    let two = tile(Int32, [1, 8], [1, 2]);
    let call = gather(two, packed(Int32, [1, 1, 2, 2, 8], Layout::ND), two, Elem);
    let said = from(&call, &[0; 128], &[1, 31], A5, &[]);
    assert_eq!(said.cited(), [("MGATHER-SEM-02", None)]);
    let data = nz_tile(Float, [16, 16], [2, 16]);
    let call = gather(data, packed(Float, [1, 2, 2, 16, 8], Layout::NZ), two, Row);
    let found = from(&call, &[0; 2048], &[1, 31], A2a3, &[]).cited();
    assert!(found.contains(&("MGATHER-SEM-01", None)));
    assert!(
        found
            .iter()
            .all(|(_, free)| *free != Some("MGATHER-CAP-02"))
    );
}

#[test]
fn rows_of_one_column_and_rows_where_all_look_for_them() {
    // MSCATTER-INDEX-07: the CPU takes one column by elements, as long as it has
    // no template parameters.
    let mut column = three(Row);
    column.table = matrix(Float, 32, 1);
    column.src = tile(Float, [3, 8], [3, 1]);
    for (form, free) in [
        ("documented", Some("MSCATTER-INDEX-07")),
        ("templated", None),
    ] {
        let found = after(&column, 1, &[0, 2, 4], A5, &with(&[("cpu-form", form)]));
        assert_eq!(found, [("MSCATTER-SEM-01", free); 3]);
    }
    // MSCATTER-GAP-13: packed rows of ValidCol columns are apart as A5 has them; so
    // are rows of one column, whatever the stride of columns.
    column.table = strided(column.table, 4, 7);
    let valid_cols = with(&[("row-pitch", "valid-cols"), ("cpu-form", "templated")]);
    for call in [three(Row), column] {
        let found = after(&call, 1, &[0, 1, 2], A5, &valid_cols);
        assert_eq!(found, [("MSCATTER-SEM-01", None)]);
    }
}

#[test]
fn gathers_to_l1() {
    // MGATHERL1-SEM-01, -SEM-02, -OOB-02, -OOB-03; on the CPU -GAP-14.
    let elem = l1(
        l1_tile(Half, [16, 16], [2, 2]),
        matrix(Half, 1, 64),
        matrix(Int32, 2, 2),
        Elem,
    );
    let row = l1(
        l1_tile(Half, [16, 16], [2, 16]),
        matrix(Half, 4, 16),
        matrix(Int32, 1, 2),
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
        let m = memory(&[
            (Role::Destination, &[9; 512]),
            (Role::Table, &[7; 128]),
            (Role::Index, &words(&[1, oob, oob, oob])),
            (Role::Scratch, &[5; 512]),
        ]);
        let found = |target, r: &Readings| Said::of(&call, &[&m], target, r).cited();
        for target in [A2a3, A5] {
            let all = found(target, &Readings::default());
            assert_eq!(all[0], (plain, None), "{target}");
            assert!(all.contains(&(zero, None)), "{all:?}");
            assert!(all.iter().all(|(_, free)| free.is_none()), "{all:?}");
            // Whether the CPU has the form is no question of theirs.
            assert_eq!(found(target, &suite()), all);
            // The staging area holds the same, by MGATHERL1-GAP-09.
            let said = Said::of(&call, &[&m], target, &Readings::default());
            let staged = runs(&said.permits, Role::Scratch).first();
            let by = staged.map(|run| run.clause.0);
            assert!(by.is_none_or(|by| by == "MGATHERL1-GAP-09"), "{by:?}");
            assert_eq!(by.is_some(), oob == 64);
        }
        // It keeps what they clear.
        let all = found(Cpu, &suite());
        assert_eq!(all[0], ("MGATHERL1-GAP-14", None));
        // Its policies are those of its form to UB.
        assert!(all.iter().any(|(by, _)| by.starts_with("MGATHER-OOB-0")));
        let kept = ("MGATHERL1-GAP-14", Some("MGATHERL1-GAP-14"));
        assert_eq!(all.last(), Some(&kept));
    }
}
