//! Row gathers to UB whose index shape the document forbids (MGATHER-GAP-12).

use ptodiff_isa::{
    Call, Coalesce, CpuRowCheck, DType, GatherOob, Mgather, Model, OobAccess, Readings, Role,
};
use ptodiff_model_cpu::Cpu;

use crate::common::{counted, full, gather, gather_memory, i32s, made, rows, run_under, to_i32s};

fn checking(cpu_row_check: CpuRowCheck) -> Readings {
    Readings {
        cpu_row_check,
        ..Readings::default()
    }
}

/// Four rows of two by indices of this shape.
fn four(idx: [u64; 2]) -> Mgather {
    gather(
        Coalesce::Row,
        GatherOob::Zero,
        full(DType::Int32, [4, 2]),
        rows(DType::Int32, 4, 2),
        full(DType::Int32, idx),
    )
}

fn rejected(cpu_row_check: CpuRowCheck, call: Mgather) -> Vec<&'static str> {
    let found = Cpu.check(&Call::Mgather(call), &checking(cpu_row_check));
    found.into_iter().map(|r| r.clause.0).collect()
}

#[test]
fn a_shape_is_checked_or_owed() {
    for shape in [[2, 2], [1, 5], [4, 2], [5, 1], [1, 1]] {
        let call = four(shape);
        assert_eq!(rejected(CpuRowCheck::Rejected, call), ["MGATHER-MODE-06"]);
        assert!(rejected(CpuRowCheck::Precondition, call).is_empty());
    }
    // The header asserts the rest either way.
    let (mut of_float, mut of_half) = (four([2, 2]), four([2, 2]));
    of_float.idx.dtype = DType::Float;
    of_half.table.dtype = DType::Half;
    for call in [of_float, of_half] {
        let found = rejected(CpuRowCheck::Precondition, call);
        assert_eq!(found, ["MGATHER-DTYPE-04"]);
    }
}

// What is not one column is taken for a row.
#[test]
fn a_shape_that_is_owed_runs() {
    let readings = checking(CpuRowCheck::Precondition);
    let (dst, table) = (i32s(&[-1; 8]), counted(0, 8));
    let memory = gather_memory(&dst, &table, &i32s(&[3, 0, 2, 1]));
    let out = made(readings, &Call::Mgather(four([2, 2])), &memory);
    assert_eq!(to_i32s(&out), [6, 7, 0, 1, 4, 5, 2, 3]);

    // Indices 2 and 3 lie behind the tile, where a guard zone names no row.
    let memory = gather_memory(&dst, &table, &i32s(&[3, 1]));
    let ran = run_under(readings, &Call::Mgather(four([1, 2])), memory, false);
    let read = |offset| OobAccess {
        role: Role::Index,
        offset,
        len: 4,
        write: false,
    };
    assert_eq!(ran.log.oob_accesses.first, [read(8), read(12)]);
    let out = to_i32s(ran.body(Role::Destination));
    assert_eq!(out, [6, 7, 2, 3, 0, 0, 0, 0]);
}
