//! Rejections, accesses outside operands, and events.

use ptodiff_isa::{
    Call, Coalesce, CpuForm, DType, Event, IndexUnit, Launch, MaskAxis, MaskPattern, Model,
    MscatterFirst, NegativeIndex, Readings, Role, ScatterAtomicOp, ScatterOob, Space, Target,
    TscatterMask,
};
use ptodiff_model_cpu::Cpu;

use crate::common::{counted, full, gather, i32s, ran, scatter, table, templated, word};

use Coalesce::{Elem, Row};
use DType::{Float, Half, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32};

#[test]
fn every_rejection_has_its_reason() {
    let half = full(Half, [2, 32]);
    let one = full(Int32, [1, 2]);
    let first = MscatterFirst {
        table: table(Int32, 1, 4),
        src: one,
        idx: one,
        atomic: ScatterAtomicOp::None,
        oob: ScatterOob::Undefined,
        launch: Launch::default(),
    };
    let mask = TscatterMask {
        dst: half,
        src: half,
        pattern: MaskPattern::P1000,
        axis: MaskAxis::Col,
    };
    for (call, expected) in [
        (
            Call::Mgather(gather(Row, full(Float, [2, 32]), table(Half, 1, 64), half)),
            &[
                ("MGATHER-DTYPE-04", "index dtype half"),
                (
                    "MGATHER-DTYPE-04",
                    "tile of float (4 bytes) with table of half (2 bytes)",
                ),
                (
                    "MGATHER-MODE-06",
                    "Row index of valid shape [2, 32] for 2 rows",
                ),
            ][..],
        ),
        (
            Call::TscatterMask(mask),
            &[
                ("TSCATTER-MODE-02", "the mask form on cpu"),
                ("TSCATTER-SHAPE-02", "the column axis"),
            ],
        ),
        (
            Call::MscatterFirst(first),
            &[("MSCATTER0-API-01", "the first revision of MSCATTER on cpu")],
        ),
    ] {
        let found = Cpu.check(&call, &Readings::default());
        let found: Vec<_> = found.iter().map(|r| (r.clause.0, &*r.why)).collect();
        assert_eq!(found, expected);
    }
    assert_eq!(Cpu.target(), Target::Cpu);
}

/// MSCATTER-GAP-39: index tile [4,1] under a source [4,8]. Index (r,c) is read at element
/// r + c of four, so 22 of the 32 reads leave it, and what the guard zone gives is no slot.
#[test]
fn a_row_index_tile_is_too_small_for_elements() {
    let (src, idx) = (full(Int32, [4, 8]), full(Int32, [4, 1]));
    let call = Call::Mscatter(scatter(Row, table(Int32, 4, 8), src, idx));
    let operands: [&[u8]; 3] = [&i32s(&[-1; 32]), &counted(0, 32), &counted(0, 4)];
    let ran = ran(Readings::default(), call, &operands);
    let (count, first) = ran.outside();
    let read = word(Role::Index, 16, false);
    let write = word(Role::Table, 4 * 0xA5A5_A5A5, true);
    assert_eq!((count, &first[..2]), (44, &[read, write][..]));
    // Last writer of slots 0 to 3 of the table: r + c = slot, r greatest.
    assert_eq!(ran.words(Role::Table)[..5], [0, 8, 16, 24, -1]);
}

/// MSCATTER-GAP-87, MGATHER-GAP-76: the quotient of an index that counts bytes, with nothing to bound it.
#[test]
fn an_unbounded_quotient_leaves_the_table_where_it_leads() {
    let readings = Readings {
        index_unit: IndexUnit::Byte,
        ..templated()
    };
    for (dtype, displacement, slot) in [
        (Int8, 44, 11),
        // The remainder is gone.
        (Uint8, 47, 11),
        (Uint8, -4, 255),
        (Uint16, -4, 65_535),
        (Int16, -4, 4_294_967_295),
        (Uint32, -4, 4_294_967_295),
        (Int64, -4, 4_294_967_295),
    ] {
        let (one, idx) = (full(Int32, [1, 1]), full(dtype, [1, 1]));
        let eleven = table(Int32, 1, 11);
        let index = &i64::to_le_bytes(displacement)[..dtype.size()];
        let operands: [&[u8]; 3] = [&[0; 44], &[7; 4], index];
        let call = Call::Mscatter(scatter(Elem, eleven, one, idx));
        let write = word(Role::Table, 4 * slot, true);
        let left = ran(readings, call, &operands);
        assert_eq!(left.outside(), (1, &[write][..]), "{dtype} {displacement}");
        let operands: [&[u8]; 3] = [&[7; 4], &[0; 44], index];
        let call = Call::Mgather(gather(Elem, one, eleven, idx));
        let read = word(Role::Table, 4 * slot, false);
        let left = ran(readings, call, &operands);
        assert_eq!(left.outside(), (1, &[read][..]), "{dtype} {displacement}");
    }
}

/// MSCATTER-GAP-01, -41: the reading is about policies, which a scatter of the documented form
/// lacks; a gather casts to `uint32_t` (001, Tile Constraints (CPU)).
#[test]
fn a_negative_index_of_a_templated_scatter_is_as_the_reading_has_it() {
    use NegativeIndex::{Intended, Signed, Unsigned};
    use ScatterOob::{Clamp, Skip, Undefined, Wrap};
    // -11 as a `uint32_t`.
    const CAST: i64 = 4_294_967_285;
    let (one, idx) = (full(Int32, [1, 1]), full(Int32, [1, 1]));
    // Where the table is accessed, in words.
    let accessed = |readings, call, bodies: &[&[u8]]| {
        let ran = ran(readings, call, bodies);
        ran.events().iter().find_map(|event| match event {
            Event::Load { role, offset, .. } | Event::Store { role, offset, .. } => {
                (*role == Role::Table).then_some(offset / 4)
            }
            _ => None,
        })
    };
    for (negative, slots) in [
        (Unsigned, [Some(CAST), None, Some(9), Some(5)]),
        (Signed, [Some(-11), Some(-11), Some(-11), Some(-1)]),
        (Intended, [Some(-11), None, Some(0), Some(9)]),
    ] {
        // Ten rows of two words, or ten words.
        for (mode, rows, pitch, index_unit, index) in [
            (Row, 10, 2, IndexUnit::Element, -11),
            (Elem, 5, 1, IndexUnit::Element, -11),
            (Elem, 5, 1, IndexUnit::Byte, -44),
        ] {
            let (table, index) = (table(Int32, rows, 2), i32s(&[index]));
            let templated = Readings {
                negative_index: negative,
                index_unit,
                ..templated()
            };
            let documented = Readings {
                cpu_form: CpuForm::Documented,
                ..templated
            };
            for (oob, slot) in [Undefined, Skip, Clamp, Wrap].into_iter().zip(slots) {
                let mut call = scatter(mode, table, one, idx);
                call.oob = oob;
                let bodies: [&[u8]; 3] = [&[0; 80], &[7; 4], &index];
                let on = |readings| accessed(readings, Call::Mscatter(call), &bodies);
                let slot = slot.map(|slot| slot * pitch);
                assert_eq!(on(templated), slot, "{negative} {mode} {oob} {index_unit}");
                assert_eq!(on(documented), Some(CAST), "{negative} {mode} {oob}");
            }
            let call = Call::Mgather(gather(mode, one, table, idx));
            let read = accessed(templated, call, &[&[7; 4], &[0; 80], &index]);
            assert_eq!(read, Some(CAST * pitch), "{negative} {mode} {index_unit}");
        }
    }
}

/// MSCATTER-SYNC-13: loads and stores, element by element, and nothing else.
#[test]
fn a_row_loads_one_index_and_a_skipped_row_no_more_than_that() {
    use Role::{Index, Source, Table};
    let (src, idx) = (full(Int32, [2, 2]), full(Int32, [1, 2]));
    let mut call = scatter(Row, table(Int32, 2, 2), src, idx);
    (call.oob, call.atomic) = (ScatterOob::Skip, ScatterAtomicOp::Add);
    let operands: [&[u8]; 3] = [&[0; 16], &counted(1, 4), &i32s(&[2, 1])];
    let ran = ran(templated(), Call::Mscatter(call), &operands);
    let load = |space, role, offset| Event::Load {
        space,
        role,
        offset,
        len: 4,
    };
    let add = |offset| {
        let stored = Event::Store {
            space: Space::Gm,
            role: Table,
            offset,
            len: 4,
        };
        [
            load(Space::Ub, Source, offset),
            load(Space::Gm, Table, offset),
            stored,
        ]
    };
    let indices = [0, 4].map(|offset| load(Space::Ub, Index, offset));
    assert_eq!(ran.events(), [&indices[..], &add(8), &add(12)].concat());
}
