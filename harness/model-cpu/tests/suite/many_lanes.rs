//! MGATHER and MSCATTER with indices below, at and past the bound, in tables and
//! tiles of about as many bytes as they need: at once and element by element.

use proptest::prelude::*;
use proptest::sample::select;
use ptodiff_isa::{
    Call, Coalesce, CpuForm, DType, GatherOob, Memory, Mgather, Mscatter, Role, ScatterAtomicOp,
    ScatterOob,
};

use crate::common::{bytes, counted, flat, full, gather, gather_memory, gathered, i32s, run};
use crate::common::{rows, scatter, scatter_memory, scattered, tile, to_i32s};
use crate::strategies::{atomic, mode, scatter_oob};

/// Slots of a table.
const CAPACITY: i32 = 10;

/// Below, at and past the capacity, in no order, with the greatest among them.
fn scattered_about(count: usize) -> Vec<u32> {
    let index = |k: usize| match k {
        6 | 17 => u32::MAX,
        _ => (k * 7 % 13) as u32,
    };
    (0..count).map(index).collect()
}

/// What an index selects of them under a policy.
fn selected(oob: GatherOob, index: u32) -> Option<i32> {
    let capacity = CAPACITY as u32;
    let slot = match oob {
        GatherOob::Clamp => index.min(capacity - 1),
        GatherOob::Wrap => index % capacity,
        GatherOob::Zero | GatherOob::Undefined => index,
    };
    (slot < capacity).then_some(slot as i32)
}

const BOUNDED: [GatherOob; 3] = [GatherOob::Clamp, GatherOob::Wrap, GatherOob::Zero];

// Element k of the table is 100 + k.
#[test]
fn elements_of_any_number_arrive() {
    for oob in BOUNDED {
        for count in 1..20 {
            let lanes = full(DType::Int32, [1, count as u64]);
            let call = gather(
                Coalesce::Elem,
                oob,
                lanes,
                flat(DType::Int32, CAPACITY as u64),
                lanes,
            );
            let indices = scattered_about(count);
            let memory = gather_memory(
                &counted(1, count),
                &counted(100, CAPACITY as usize),
                &bytes(&indices, u32::to_le_bytes),
            );
            let wanted: Vec<i32> = indices
                .iter()
                .map(|&index| selected(oob, index).map_or(0, |slot| 100 + slot))
                .collect();
            assert_eq!(to_i32s(&gathered(&call, memory)), wanted, "{oob} {count}");
        }
    }
}

// Two columns of three; column c of table row k is 100 + 2 * k + c. What would
// follow the last row of the destination is missing.
#[test]
fn rows_arrive_between_what_lies_between_them() {
    let count = 8;
    for oob in BOUNDED {
        let call = gather(
            Coalesce::Row,
            oob,
            tile(DType::Int32, [count as u64, 3], [count as u64, 2]),
            rows(DType::Int32, CAPACITY as u64, 2),
            full(DType::Int32, [1, count as u64]),
        );
        let indices = scattered_about(count);
        let memory = gather_memory(
            &counted(1, 3 * count - 1),
            &counted(100, 2 * CAPACITY as usize),
            &bytes(&indices, u32::to_le_bytes),
        );
        let mut wanted: Vec<i32> = (1..3 * count as i32).collect();
        for (row, &index) in wanted.chunks_mut(3).zip(&indices) {
            let first = selected(oob, index).map(|slot| 100 + 2 * slot);
            row[0] = first.unwrap_or(0);
            row[1] = first.map_or(0, |first| first + 1);
        }
        assert_eq!(to_i32s(&gathered(&call, memory)), wanted, "{oob}");
    }
}

// Rows of two columns: those of row k are 2 * k + 1 and 2 * k + 2, and zero is
// what nothing was scattered to.
#[test]
fn rows_of_any_number_are_scattered() {
    use ScatterOob::{Clamp, Skip, Wrap};
    let policies = [GatherOob::Clamp, GatherOob::Wrap, GatherOob::Zero];
    for (oob, like) in [Clamp, Wrap, Skip].into_iter().zip(policies) {
        for count in 1..20 {
            let call = Mscatter {
                mode: Coalesce::Row,
                oob,
                ..scatter(
                    rows(DType::Int32, CAPACITY as u64, 2),
                    full(DType::Int32, [count as u64, 2]),
                    full(DType::Int32, [1, count as u64]),
                )
            };
            let indices = scattered_about(count);
            let memory = scatter_memory(
                &i32s(&[0; 2 * CAPACITY as usize]),
                &counted(1, 2 * count),
                &bytes(&indices, u32::to_le_bytes),
            );
            let mut wanted = [0; 2 * CAPACITY as usize];
            for (new, &index) in (1..).step_by(2).zip(&indices) {
                if let Some(slot) = selected(like, index) {
                    wanted[2 * slot as usize..][..2].copy_from_slice(&[new, new + 1]);
                }
            }
            let table = scattered(&call, CpuForm::Templated, memory);
            assert_eq!(to_i32s(&table), wanted, "{oob} {count}");
        }
    }
}

// Rows without columns take nothing, and stray nowhere, whatever their index.
#[test]
fn rows_without_columns_do_nothing() {
    let none = tile(DType::Int32, [9, 1], [9, 0]);
    let (table, idx) = (rows(DType::Int32, 9, 1), full(DType::Int32, [1, 9]));
    let data = [counted(1, 9), counted(101, 9)];
    let indices = i32s(&[3, 0, -1, 5, 9, 2, 1, 4, 8]);
    let call = Mscatter {
        mode: Coalesce::Row,
        ..scatter(table, none, idx)
    };
    let memory = scatter_memory(&data[0], &data[1], &indices);
    assert_eq!(scattered(&call, CpuForm::Templated, memory), data[0]);
    let call = gather(Coalesce::Row, GatherOob::Undefined, none, table, idx);
    let memory = gather_memory(&data[0], &data[1], &indices);
    assert_eq!(gathered(&call, memory), data[0]);
}

// Adding shows a row that is scattered twice, or not at all.
#[test]
fn rows_are_scattered_once() {
    let src = tile(DType::Int32, [5, 3], [5, 2]);
    let call = Mscatter {
        mode: Coalesce::Row,
        atomic: ScatterAtomicOp::Add,
        oob: ScatterOob::Skip,
        ..scatter(rows(DType::Int32, 4, 2), src, full(DType::Int32, [1, 5]))
    };
    let memory = scatter_memory(&counted(0, 8), &counted(1, 14), &i32s(&[2, 4, 0, 9, 2]));
    // Rows 1 2, 4 5, 7 8, 10 11 and 13 14.
    let wanted = [7, 9, 2, 3, 4 + 1 + 13, 5 + 2 + 14, 6, 7];
    let table = scattered(&call, CpuForm::Templated, memory);
    assert_eq!(to_i32s(&table), wanted);
}

fn dtype() -> impl Strategy<Value = DType> {
    select(vec![DType::Uint8, DType::Half, DType::Int32, DType::Uint64])
}

/// `about` bytes, or some more or fewer.
fn body(about: u64, byte: BoxedStrategy<u8>) -> impl Strategy<Value = Vec<u8>> {
    let about = about as usize;
    let len = prop_oneof![
        4 => Just(about),
        1 => about.saturating_sub(20)..about + 20,
    ];
    len.prop_flat_map(move |len| prop::collection::vec(byte.clone(), len))
}

/// A gather and a scatter of the same extents, and the bytes of the table, of the
/// data and of the indices.
fn lanes() -> impl Strategy<Value = (Mgather, Mscatter, [Vec<u8>; 3])> {
    let extents = (0_u64..24, 0_u64..6, 0_u64..3, 0_u64..12, 0_u64..7);
    let gather_oob = select(vec![
        GatherOob::Undefined,
        GatherOob::Clamp,
        GatherOob::Wrap,
        GatherOob::Zero,
    ]);
    let policies = (mode(), gather_oob, scatter_oob(), atomic());
    (extents, dtype(), policies).prop_flat_map(|(extents, dtype, policies)| {
        let (r, c, more, capacity, width) = extents;
        let (mode, gather_oob, scatter_oob, atomic) = policies;
        let data = tile(dtype, [r, c + more], [r, c]);
        let (table, idx, bound, slots) = match mode {
            Coalesce::Row => (
                rows(dtype, capacity, width),
                full(DType::Int32, [1, r]),
                capacity,
                capacity * width,
            ),
            Coalesce::Elem => (
                flat(dtype, 4 * capacity),
                tile(DType::Int32, [r, c + more], [r, c]),
                4 * capacity,
                4 * capacity,
            ),
        };
        let gathers = gather(mode, gather_oob, data, table, idx);
        let scatters = Mscatter {
            mode,
            atomic,
            oob: scatter_oob,
            ..scatter(table, data, idx)
        };
        let width = dtype.size() as u64;
        let index = prop_oneof![
            12 => 0..bound.max(1) as u32,
            2 => bound as u32..bound as u32 + 6,
            1 => any::<u32>(),
        ];
        let count = (idx.rows * idx.cols) as usize;
        let indices = prop::collection::vec(index, count)
            .prop_map(|indices| bytes(&indices, u32::to_le_bytes));
        let any_byte = || any::<u8>().boxed();
        (
            body(slots * width, any_byte()),
            body(data.rows * data.cols * width, any_byte()),
            indices,
        )
            .prop_map(move |(table, data, indices)| (gathers, scatters, [table, data, indices]))
    })
}

/// A trace looks at every element by itself.
fn same_traced(call: &Call, memory: &Memory, written: Role) {
    let plain = run(call, memory.clone(), CpuForm::Templated, false);
    let traced = run(call, memory.clone(), CpuForm::Templated, true);
    assert_eq!(plain.image(written), traced.image(written));
    assert_eq!(plain.log.strays, traced.log.strays);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 3000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn at_once_is_as_one_by_one((gather, scatter, [table, data, indices]) in lanes()) {
        let memory = gather_memory(&data, &table, &indices);
        same_traced(&Call::Mgather(gather), &memory, Role::Destination);
        let memory = scatter_memory(&table, &data, &indices);
        same_traced(&Call::Mscatter(scatter), &memory, Role::Table);
    }
}
