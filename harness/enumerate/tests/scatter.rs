//! MSCATTER: who stores what, worked out by hand.

use crate::common::{scatters::*, *};
use ptodiff_isa::*;

use Coalesce::Row;
use DType::{Float, Int32};
use ScatterAtomicOp::{Add, Max};
use Target::{A2a3, A5, Cpu};

#[test]
fn plain_writers_of_one_slot() {
    let any = elements(4);
    let last = Mscatter {
        conflict: ScatterConflict::Last,
        ..any
    };
    let idx = [2, 0, 2, 2];
    assert_eq!(scattered(&any, &idx, A5, &[]), "2 . 1|3|4 .");
    assert_eq!(scattered(&last, &idx, A5, &[]), "2 . 4 .");
    assert_eq!(scattered(&any, &idx, A2a3, &[]), "2 . 4 .");
    assert_eq!(scattered(&any, &idx, Cpu, &[]), "2 . 4 .");
    // Rows 1, 2 and 9, 10: torn by the column under Default.
    let any = two_rows();
    let last = Mscatter {
        conflict: ScatterConflict::Last,
        ..any
    };
    assert_eq!(scattered(&any, &[1, 1], A5, &[]), ". . 1|9 2|10 . .");
    assert_eq!(scattered(&last, &[1, 1], A5, &[]), ". . 9 10 . .");
    assert_eq!(scattered(&any, &[2, 0], A2a3, &[]), "9 10 . . 1 2");
}

#[test]
fn the_last_one_by_place_or_by_storage() {
    // (0, 1) = 3 stands behind (1, 0) = 2 in a ColMajor tile of two rows.
    let call = Mscatter {
        src: col_major(Int32, [2, 2], [2, 2]),
        idx: tile(Int32, [2, 2], [2, 2]),
        conflict: ScatterConflict::Last,
        ..elements(1)
    };
    let idx = [0, 1, 1, 2];
    assert_eq!(scattered(&call, &idx, A5, &[]), "1 2 4 .");
    let storage = [("last-by", "storage")];
    assert_eq!(scattered(&call, &idx, A5, &storage), "1 3 4 .");
    assert_eq!(scattered(&call, &idx, A2a3, &storage), "1 2 4 .");
}

#[test]
fn policies_and_negative_indices() {
    // Four slots, index 5 from element 1 and -1 from element 2.
    for (oob, unsigned, signed, intended) in [
        (ScatterOob::Skip, ". . . .", ". . . . !", ". . . ."),
        (ScatterOob::Clamp, ". . . 2", ". . . 1 !", "2 . . 1"),
        (ScatterOob::Wrap, ". 1 . 2", ". 1 . . !", ". 1 . 2"),
        (ScatterOob::Undefined, "undefined", "undefined", "undefined"),
    ] {
        let call = Mscatter {
            oob,
            conflict: ScatterConflict::Last,
            ..elements(2)
        };
        for (choice, expected) in [
            ("unsigned", unsigned),
            ("signed", signed),
            ("intended", intended),
        ] {
            let choices = [("negative-index", choice)];
            for target in [A2a3, A5] {
                assert_eq!(
                    scattered(&call, &[5, -1], target, &choices),
                    expected,
                    "{oob} {choice}"
                );
            }
            // CPU converts, whatever the reading; documented, it has no policy.
            let form = [("cpu-form", "templated"), choices[0]];
            assert_eq!(scattered(&call, &[5, -1], Cpu, &form), unsigned, "{oob}");
            assert_eq!(scattered(&call, &[5, -1], Cpu, &choices), "undefined");
        }
    }
    // 2^32 - 1 is a multiple of three: of three slots it wraps to the first.
    let three = Mscatter {
        table: rows(Int32, 1, 3, 3),
        oob: ScatterOob::Wrap,
        ..elements(1)
    };
    assert_eq!(scattered(&three, &[-1], A5, &[]), "1 . . .");
    let intended = [("negative-index", "intended")];
    assert_eq!(scattered(&three, &[-1], A5, &intended), ". . 1 .");
}

#[test]
fn the_documented_cpu_knows_elements_only() {
    // Rows of one to six slots, of which a row mode would know three.
    let call = Mscatter {
        src: tile(Int32, [2, 8], [2, 1]),
        idx: tile(Int32, [2, 1], [2, 1]),
        atomic: Add,
        ..two_rows()
    };
    assert_eq!(scattered(&call, &[5, 0], Cpu, &[]), "9 . . . . 1");
    let templated = [("cpu-form", "templated")];
    let two = scattered(&call, &[2, 0], Cpu, &templated);
    assert_eq!(two, "9 . . . 1 .");
}

#[test]
fn an_index_without_owner() {
    let call = Mscatter {
        oob: ScatterOob::Undefined,
        conflict: ScatterConflict::Last,
        ..elements(2)
    };
    let dropped = [("undefined-last", "dropped")];
    assert_eq!(scattered(&call, &[1, 9], A5, &[]), "undefined");
    assert_eq!(scattered(&call, &[1, 9], A5, &dropped), ". 1 . .");
    assert_eq!(scattered(&call, &[1, 9], A2a3, &dropped), "undefined");
    let default = Mscatter {
        conflict: ScatterConflict::Default,
        ..call
    };
    assert_eq!(scattered(&default, &[1, 9], A5, &dropped), "undefined");
    let add = Mscatter {
        atomic: Add,
        ..call
    };
    assert_eq!(scattered(&add, &[1, 9], A5, &dropped), "undefined");
    // The scalar path owns no slots.
    let scalar = Mscatter {
        conflict: ScatterConflict::Last,
        oob: ScatterOob::Undefined,
        ..elements(1)
    };
    assert_eq!(scattered(&scalar, &[9], A5, &dropped), "undefined");
}

#[test]
fn atomics_combine_with_what_stands_there() {
    let table = [10, 20, 30, 40];
    let m = stores(Int32, [&table, &[1, 35, 3, 4], &[2, 2, 2, 0]]);
    for (atomic, target, choices, expected) in [
        (Add, A5, &[][..], "14 . 69 ."),
        (Add, A2a3, &[], "14 . 69 ."),
        (Max, A5, &[], "10 . 35 ."),
        (ScatterAtomicOp::Min, A5, &[], "4 . 1 ."),
        // The documented CPU replaces; its template adds.
        (Add, Cpu, &[], "4 . 3 ."),
        (Add, Cpu, &[("cpu-form", "templated")], "14 . 69 ."),
    ] {
        let call = Mscatter {
            atomic,
            ..elements(4)
        };
        let found = told(&Call::Mscatter(call), &[&m], target, choices);
        assert_eq!(found, expected, "{atomic} {target}");
    }
}

#[test]
fn sums_that_depend_on_the_order() {
    // 0 + 1e8 + 1 - 1e8: 1 where 1 comes last, else 0.
    let [large, one, less] = [1e8_f32, 1.0, -1e8].map(|x| i64::from(x.to_bits()));
    let m = memory(
        Float,
        &[
            (Role::Table, &[0; 6]),
            (
                Role::Source,
                &[large, 0, 0, 0, 0, 0, 0, 0, one, 0, 0, 0, 0, 0, 0, 0, less],
            ),
            (Role::Index, &[0, 0, 0]),
        ],
    );
    let call = Mscatter {
        table: rows(Float, 3, 1, 1),
        src: tile(Float, [3, 8], [3, 1]),
        idx: tile(Int32, [1, 3], [1, 3]),
        atomic: Add,
        ..two_rows()
    };
    let run = |target, choices| told(&Call::Mscatter(call), &[&m], target, choices);
    let either = format!("0|{one} . . . . .");
    assert_eq!(run(A5, &[]), either);
    assert_eq!(run(A2a3, &[]), "0 . . . . .");
    assert_eq!(run(A2a3, &[("row-add-order", "any")]), either);
}

#[test]
fn chunks_follow_each_other() {
    let call = elements(2);
    let first = counted(Int32, 4, &[3, 1]);
    // The second chunk has no table of its own.
    let second = memory(Int32, &[(Role::Source, &[50, 60]), (Role::Index, &[3, 3])]);
    let run = |call: Mscatter| told(&Call::Mscatter(call), &[&first, &second], A5, &[]);
    assert_eq!(run(call), ". 2 . 50|60");
    assert_eq!(
        run(Mscatter {
            atomic: Add,
            ..call
        }),
        ". 2 . 111"
    );
}

#[test]
fn without_a_flush_the_host_may_see_the_old() {
    let mut call = elements(2);
    call.launch.flush = CacheFlush::Missing;
    assert_eq!(scattered(&call, &[3, 1], A5, &[]), ". 0|2 . 0|1");
    assert_eq!(scattered(&call, &[3, 1], A2a3, &[]), ". 2 . 1");
    let m = counted(Int32, 4, &[3, 1]);
    let twice = told(&Call::Mscatter(call), &[&m, &m], A5, &[]);
    assert_eq!(twice, "several calls without a flush");
}

#[test]
fn what_is_not_looked_into() {
    let call = elements(13);
    assert_eq!(scattered(&call, &[2; 13], A5, &[]), "too large");
    assert_eq!(scattered(&call, &[2; 13], A2a3, &[]), ". . 13 .");
    let mut direct = elements(2);
    direct.launch.dispatch = Dispatch::Direct;
    assert_eq!(
        scattered(&direct, &[0, 1], A5, &[]),
        "a direct call may never return"
    );
    assert_eq!(scattered(&direct, &[0, 1], A2a3, &[]), "1 2 . .");
    let nz = blocks(Row, [1, 16], &[0]);
    let found = told(&Call::Mscatter(nz.0), &[&nz.1], A5, &[]);
    assert_eq!(found, "a table whose layout the target does not have");
    let call = Call::Mscatter(elements(2));
    assert_eq!(told(&call, &[], A5, &[]), "there is no step");
    let empty = memory(Int32, &[]);
    assert_eq!(told(&call, &[&empty], A5, &[]), "an operand is missing");
    let short = stores(Int32, [&[0; 4], &[1], &[0, 1]]);
    assert_eq!(told(&call, &[&short], A5, &[]), "an operand is too short");
}
