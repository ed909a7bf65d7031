//! Indices that count bytes (MSCATTER-GAP-87, MGATHER-GAP-76, MGATHERL1-GAP-35).

use ptodiff_isa::{
    BLayout, Call, Coalesce, CpuForm, DType, GatherExec, GatherOob, IndexUnit, Launch, MgatherL1,
    NegativeIndex, OobAccess, Readings, Role, SLayout, ScatterAtomicOp, ScatterOob, Tgatherb, Tile,
    TileType, TscatterIndex,
};

use crate::common::{
    Ran, bytes, counted, flat, full, gather, gather_memory, i32s, made, memory_of, rows, run_under,
    scatter, scatter_memory, tile, to_i32s, to_u16s, u16s,
};

/// Slots of the table: 2^8, 2^16 and 2^32 leave 3, 9 and 4 of it, so a
/// negative index wraps to another slot for each width.
const SLOTS: usize = 11;

const UNITS: [IndexUnit; 2] = [IndexUnit::Element, IndexUnit::Byte];

const SIZES: [DType; 3] = [DType::Uint8, DType::Half, DType::Int32];

const NEGATIVE: [NegativeIndex; 3] = [
    NegativeIndex::Unsigned,
    NegativeIndex::Signed,
    NegativeIndex::Intended,
];

fn counting(index_unit: IndexUnit) -> Readings {
    Readings {
        cpu_form: CpuForm::Templated,
        index_unit,
        ..Readings::default()
    }
}

/// An index of so many bytes.
fn index(dtype: DType, displacement: i64) -> Vec<u8> {
    displacement.to_le_bytes()[..dtype.size()].to_vec()
}

/// One element for each number.
fn elements(dtype: DType, numbers: impl IntoIterator<Item = u64>) -> Vec<u8> {
    let bytes = numbers.into_iter().map(u64::to_le_bytes);
    bytes.flat_map(|b| b[..dtype.size()].to_vec()).collect()
}

fn in_l1(dtype: DType) -> Tile {
    Tile {
        location: TileType::Mat,
        blayout: BLayout::ColMajor,
        slayout: SLayout::RowMajor,
        ..tile(dtype, [16, 32 / dtype.size() as u64], [1, 1])
    }
}

/// A gather of one element to UB and the same to L1, of a table of `SLOTS`.
fn gathers(data: DType, idx: DType, oob: GatherOob) -> [Call; 2] {
    let (mode, table) = (Coalesce::Elem, flat(data, SLOTS as u64));
    let to_ub = gather(mode, oob, full(data, [1, 1]), table, full(idx, [1, 1]));
    let to_l1 = MgatherL1 {
        dst: in_l1(data),
        table,
        idx: flat(idx, 1),
        scratch: None,
        mode,
        oob,
        exec: GatherExec::Scalar,
        launch: Launch::default(),
    };
    [Call::Mgather(to_ub), Call::MgatherL1(to_l1)]
}

/// What both gathers deliver where slot `k` holds `k + 1`.
fn gathered(data: DType, idx: DType, oob: GatherOob, displacement: i64) -> u8 {
    let table = elements(data, 1..=SLOTS as u64);
    let index = index(idx, displacement);
    let [to_ub, to_l1] = gathers(data, idx, oob);
    let (short, long) = (vec![0xCC; data.size()], vec![0xCC; 512]);
    let mut found = vec![];
    for negative_index in NEGATIVE {
        let readings = Readings {
            negative_index,
            ..counting(IndexUnit::Byte)
        };
        for (call, dst) in [(&to_ub, &short), (&to_l1, &long)] {
            let out = made(readings, call, &gather_memory(dst, &table, &index));
            assert!(out[1..data.size()].iter().all(|byte| *byte == 0));
            found.push(out[0]);
        }
    }
    assert_eq!(found, [found[0]; 6]);
    found[0]
}

/// The slot that a scatter of one element writes, of a table of `SLOTS`.
fn written(data: DType, idx: DType, oob: ScatterOob, displacement: i64) -> Option<usize> {
    let mut call = scatter(
        flat(data, SLOTS as u64),
        full(data, [1, 1]),
        full(idx, [1, 1]),
    );
    call.oob = oob;
    let table = elements(data, [0; SLOTS]);
    let memory = scatter_memory(&table, &elements(data, [7]), &index(idx, displacement));
    let found = NEGATIVE.map(|negative_index| {
        let readings = Readings {
            negative_index,
            ..counting(IndexUnit::Byte)
        };
        let ran = run_under(readings, &Call::Mscatter(call), memory.clone(), false);
        assert_eq!(ran.log.oob_accesses.count, 0);
        let slots = ran.body(Role::Table).chunks(data.size());
        let mut hit = slots.enumerate().filter(|(_, slot)| slot[0] == 7);
        let first = hit.next().map(|(k, _)| k);
        assert!(hit.next().is_none());
        first
    });
    assert_eq!(found, [found[0]; 3]);
    found[0]
}

/// The slot that Wrap reaches, and the same for the scatter.
fn wrapped(data: DType, idx: DType, displacement: i64) -> usize {
    let slot = written(data, idx, ScatterOob::Wrap, displacement);
    let slot = slot.expect("Wrap always writes");
    let delivered = gathered(data, idx, GatherOob::Wrap, displacement);
    assert_eq!(usize::from(delivered), slot + 1);
    slot
}

// The gaps' own experiments.
#[test]
fn an_index_counts_what_the_reading_says() {
    let one = full(DType::Int32, [1, 1]);
    let to_ub = Call::Mgather(gather(
        Coalesce::Elem,
        GatherOob::Undefined,
        one,
        flat(DType::Int32, 8),
        one,
    ));
    let memory = gather_memory(&i32s(&[-1]), &counted(0, 8), &i32s(&[4]));
    let got = UNITS.map(|unit| to_i32s(&made(counting(unit), &to_ub, &memory))[0]);
    assert_eq!(got, [4, 1]);

    let [_, to_l1] = gathers(DType::Half, DType::Int32, GatherOob::Undefined);
    let numbers: Vec<u16> = (0..11).collect();
    let memory = gather_memory(&[0xCC; 512], &u16s(&numbers), &i32s(&[4]));
    let got = UNITS.map(|unit| to_u16s(&made(counting(unit), &to_l1, &memory))[0]);
    assert_eq!(got, [4, 2]);

    let mut to_gm = scatter(flat(DType::Int32, 8), one, one);
    // The documented form has Elem semantics whatever the mode.
    for (mode, cpu_form) in [
        (Coalesce::Elem, CpuForm::Templated),
        (Coalesce::Elem, CpuForm::Documented),
        (Coalesce::Row, CpuForm::Documented),
    ] {
        to_gm.mode = mode;
        let memory = scatter_memory(&i32s(&[0; 8]), &i32s(&[7]), &i32s(&[4]));
        let got = UNITS.map(|unit| {
            let readings = Readings {
                cpu_form,
                ..counting(unit)
            };
            let ran = run_under(readings, &Call::Mscatter(to_gm), memory.clone(), false);
            to_i32s(ran.body(Role::Table))
        });
        assert_eq!(got[0], [0, 0, 0, 0, 7, 0, 0, 0]);
        assert_eq!(got[1], [0, 7, 0, 0, 0, 0, 0, 0]);
    }
}

// Slot 3 begins at byte 3, 6 and 12, the last at 10, 20 and 40.
#[test]
fn a_displacement_is_divided_by_the_size_of_the_element() {
    for idx in [
        DType::Int8,
        DType::Uint8,
        DType::Int16,
        DType::Uint16,
        DType::Int32,
        DType::Uint32,
        DType::Int64,
        DType::Uint64,
    ] {
        for (data, third, last) in [
            (DType::Uint8, 3, 10),
            (DType::Half, 6, 20),
            (DType::Int32, 12, 40),
        ] {
            for (displacement, slot) in [(0, 0), (third, 3), (last, 10)] {
                for oob in [
                    ScatterOob::Undefined,
                    ScatterOob::Skip,
                    ScatterOob::Clamp,
                    ScatterOob::Wrap,
                ] {
                    assert_eq!(written(data, idx, oob, displacement), Some(slot));
                }
                for oob in [
                    GatherOob::Undefined,
                    GatherOob::Zero,
                    GatherOob::Clamp,
                    GatherOob::Wrap,
                ] {
                    let delivered = gathered(data, idx, oob, displacement);
                    assert_eq!(usize::from(delivered), slot + 1, "{data} {idx} {oob}");
                }
            }
        }
    }
}

// Slots 11 and 25 begin at 11 and 25 times the size.
#[test]
fn capacity_holds_for_the_quotient() {
    for (data, eleventh, far) in [
        (DType::Uint8, 11, 25),
        (DType::Half, 22, 50),
        (DType::Int32, 44, 100),
    ] {
        for idx in [DType::Uint8, DType::Int16, DType::Int32, DType::Uint32] {
            for (displacement, slot) in [(eleventh, 0), (far, 3)] {
                assert_eq!(wrapped(data, idx, displacement), slot, "{data} {idx}");
                assert_eq!(written(data, idx, ScatterOob::Skip, displacement), None);
                assert_eq!(
                    written(data, idx, ScatterOob::Clamp, displacement),
                    Some(10)
                );
                assert_eq!(gathered(data, idx, GatherOob::Zero, displacement), 0);
                assert_eq!(gathered(data, idx, GatherOob::Clamp, displacement), 11);
            }
        }
    }
}

// One element back is -1, of which `uint8_t` makes 255, `uint16_t` 65535 and
// all others 2^32 - 1: slots 2, 8 and 3 of eleven.
#[test]
fn a_negative_displacement_is_signed_and_its_quotient_is_not() {
    for (data, back) in SIZES.into_iter().zip([-1, -2, -4]) {
        for (idx, slot) in [
            (DType::Uint8, 2),
            (DType::Uint16, 8),
            (DType::Int8, 3),
            (DType::Int16, 3),
            (DType::Int32, 3),
            (DType::Uint32, 3),
            (DType::Int64, 3),
            (DType::Uint64, 3),
        ] {
            assert_eq!(wrapped(data, idx, back), slot, "{data} {idx}");
            assert_eq!(written(data, idx, ScatterOob::Skip, back), None);
            assert_eq!(written(data, idx, ScatterOob::Clamp, back), Some(10));
            assert_eq!(gathered(data, idx, GatherOob::Zero, back), 0);
            assert_eq!(gathered(data, idx, GatherOob::Clamp, back), 11);
        }
    }
    // The least of each width by 4: -32 is 224 of a byte or 2^32 - 32, -2^13 is
    // 57344 or 2^32 - 8192, -2^29 is 3758096384.
    for (idx, least, slot) in [
        (DType::Uint8, -128, 4),
        (DType::Int8, -128, 5),
        (DType::Uint16, -32768, 1),
        (DType::Int16, -32768, 7),
        (DType::Uint32, i64::from(i32::MIN), 9),
        (DType::Int32, i64::from(i32::MIN), 9),
    ] {
        assert_eq!(wrapped(DType::Int32, idx, least), slot, "{idx}");
    }
}

// 2^34 by 4 is 2^32, of which the cast to `uint32_t` leaves nothing.
#[test]
fn a_wide_displacement_is_divided_before_it_is_cast() {
    for idx in [DType::Int64, DType::Uint64] {
        assert_eq!(wrapped(DType::Int32, idx, 1 << 34), 0);
        assert_eq!(wrapped(DType::Int32, idx, (1 << 34) + 8), 2);
        // 2^33 by 4 is 2^31, which is 2 above a multiple of eleven.
        assert_eq!(wrapped(DType::Int32, idx, 1 << 33), 2);
    }
    assert_eq!(wrapped(DType::Int64, DType::Int32, 16), 2);
    assert_eq!(wrapped(DType::Uint64, DType::Uint8, -8), 2);
}

// Nothing is promised; the quotient is the one towards zero.
#[test]
fn a_remainder_is_dropped() {
    for idx in [DType::Int8, DType::Uint8, DType::Int32, DType::Uint32] {
        for (displacement, slot) in [(3, 0), (5, 1), (7, 1), (-1, 0), (-3, 0)] {
            assert_eq!(wrapped(DType::Int32, idx, displacement), slot, "{idx}");
        }
        for (displacement, slot) in [(1, 0), (3, 1), (-1, 0)] {
            assert_eq!(wrapped(DType::Half, idx, displacement), slot, "{idx}");
        }
    }
    // -7 by 4 is -1.
    assert_eq!(wrapped(DType::Int32, DType::Int32, -7), 3);
    assert_eq!(wrapped(DType::Int32, DType::Uint8, -7), 2);
}

/// Where an unbounded index of `idx` leaves a table of `int32_t`, which all
/// three instructions must agree on.
fn strayed(idx: DType, displacement: i64) -> i64 {
    let (table, index) = (counted(1, SLOTS), index(idx, displacement));
    let readings = counting(IndexUnit::Byte);
    let only = |ran: &Ran, write| {
        let [access] = ran.log.oob_accesses.first[..] else {
            panic!("{:?}", ran.log.oob_accesses);
        };
        let expected = OobAccess {
            role: Role::Table,
            len: 4,
            write,
            ..access
        };
        assert_eq!(access, expected);
        access.offset
    };
    let [to_ub, to_l1] = gathers(DType::Int32, idx, GatherOob::Undefined);
    let memory = gather_memory(&[0; 512], &table, &index);
    let one = full(DType::Int32, [1, 1]);
    let to_gm = scatter(flat(DType::Int32, SLOTS as u64), one, full(idx, [1, 1]));
    let offset = only(&run_under(readings, &to_ub, memory.clone(), false), false);
    let of_l1 = only(&run_under(readings, &to_l1, memory, false), false);
    let memory = scatter_memory(&table, &i32s(&[7]), &index);
    let ran = run_under(readings, &Call::Mscatter(to_gm), memory, false);
    assert_eq!([of_l1, only(&ran, true)], [offset, offset]);
    offset
}

#[test]
fn an_unbounded_quotient_leaves_the_table_where_it_leads() {
    for idx in [DType::Int8, DType::Uint8, DType::Int32] {
        assert_eq!(strayed(idx, 44), 44);
        // The remainder is gone.
        assert_eq!(strayed(idx, 47), 44);
    }
    assert_eq!(strayed(DType::Uint8, -4), 4 * 255);
    assert_eq!(strayed(DType::Uint16, -4), 4 * 65535);
    for idx in [DType::Int8, DType::Int16, DType::Int32, DType::Uint32] {
        assert_eq!(strayed(idx, -4), 4 * 4_294_967_295);
    }
}

// Displacements 4, 8, 4: slot 1 takes 10 + 1 + 3, slot 2 takes 20 + 2.
#[test]
fn displacements_accumulate() {
    let three = full(DType::Int32, [1, 3]);
    let mut call = scatter(flat(DType::Int32, 4), three, three);
    call.atomic = ScatterAtomicOp::Add;
    let memory = scatter_memory(
        &i32s(&[0, 10, 20, 30]),
        &i32s(&[1, 2, 3]),
        &i32s(&[4, 8, 4]),
    );
    let ran = run_under(
        counting(IndexUnit::Byte),
        &Call::Mscatter(call),
        memory,
        false,
    );
    assert_eq!(to_i32s(ran.body(Role::Table)), [0, 14, 22, 30]);
}

// Index 2 is row 2 either way, index 3 is out of three rows.
#[test]
fn rows_are_counted_in_rows() {
    for unit in UNITS {
        let (table, idx) = (counted(0, 6), i32s(&[2, 3]));
        let to_ub = gather(
            Coalesce::Row,
            GatherOob::Wrap,
            full(DType::Int32, [2, 2]),
            rows(DType::Int32, 3, 2),
            full(DType::Int32, [1, 2]),
        );
        let memory = gather_memory(&i32s(&[-1; 4]), &table, &idx);
        let out = made(counting(unit), &Call::Mgather(to_ub), &memory);
        assert_eq!(to_i32s(&out), [4, 5, 0, 1]);

        let to_l1 = MgatherL1 {
            dst: tile(DType::Int32, [16, 8], [2, 2]),
            table: to_ub.table,
            idx: flat(DType::Int32, 2),
            scratch: None,
            mode: Coalesce::Row,
            oob: GatherOob::Wrap,
            exec: GatherExec::Scalar,
            launch: Launch::default(),
        };
        let memory = gather_memory(&i32s(&[-1; 128]), &table, &idx);
        let out = to_i32s(&made(counting(unit), &Call::MgatherL1(to_l1), &memory));
        assert_eq!([out[0], out[1], out[8], out[9]], [4, 5, 0, 1]);

        let mut to_gm = scatter(to_ub.table, to_ub.dst, to_ub.idx);
        (to_gm.mode, to_gm.oob) = (Coalesce::Row, ScatterOob::Wrap);
        let memory = scatter_memory(&table, &i32s(&[10, 11, 12, 13]), &idx);
        let ran = run_under(counting(unit), &Call::Mscatter(to_gm), memory, false);
        assert_eq!(to_i32s(ran.body(Role::Table)), [12, 13, 2, 3, 10, 11]);
    }
}

#[test]
fn other_instructions_count_as_ever() {
    let two = full(DType::Int32, [1, 2]);
    for unit in UNITS {
        let memory = memory_of(&[
            (Role::Destination, &i32s(&[0; 2])),
            (Role::Source, &i32s(&[7, 8])),
            (Role::Index, &i32s(&[1, 0])),
        ]);
        let call = Call::TscatterIndex(TscatterIndex {
            dst: two,
            src: two,
            idx: two,
        });
        assert_eq!(to_i32s(&made(counting(unit), &call, &memory)), [8, 7]);

        let memory = memory_of(&[
            (Role::Destination, &i32s(&[0; 2])),
            (Role::Source, &i32s(&[7, 8])),
            (Role::Index, &bytes(&[4, 0], u32::to_le_bytes)),
        ]);
        let call = Call::Tgatherb(Tgatherb {
            dst: two,
            src: two,
            offset: full(DType::Uint32, [1, 2]),
        });
        assert_eq!(to_i32s(&made(counting(unit), &call, &memory)), [8, 7]);
    }
}
