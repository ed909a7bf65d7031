//! Indices that count bytes (MSCATTER-GAP-87, MGATHER-GAP-76, MGATHERL1-GAP-35).

use ptodiff_isa::{Call, Coalesce, CpuForm, DType, GatherOob, IndexUnit, Readings, Role};

use crate::common::{counted, flat, full, gather, gather_l1, nz, ran, reading, scatter};

use DType::{Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32};

/// Slots of the table.
const SLOTS: usize = 11;

fn by_bytes() -> Readings {
    reading(|r| {
        r.cpu_form = CpuForm::Templated;
        r.index_unit = IndexUnit::Byte;
    })
}

/// Scatter, gather and gather to L1 of one word of a table of `SLOTS`.
fn calls(idx: DType) -> [Call; 3] {
    let (mode, table) = (Coalesce::Elem, flat(Int32, SLOTS as u64));
    let (one, index) = (full(Int32, [1, 1]), full(idx, [1, 1]));
    let (in_l1, oob) = (nz(Int32, [16, 8], [1, 1]), GatherOob::Undefined);
    [
        Call::Mscatter(scatter(table, one, index)),
        Call::Mgather(gather(mode, oob, one, table, index)),
        Call::MgatherL1(gather_l1(mode, oob, in_l1, table, flat(idx, 1))),
    ]
}

#[test]
fn an_unbounded_quotient_leaves_the_table_where_it_leads() {
    for (idx, displacement, offset) in [
        (Int8, 44, 44),
        // The remainder is gone.
        (Uint8, 47, 44),
        (Uint8, -4, 4 * 255),
        (Uint16, -4, 4 * 65535),
        (Int16, -4, 4 * 4_294_967_295),
        (Uint32, -4, 4 * 4_294_967_295),
        (Int64, -4, 4 * 4_294_967_295),
    ] {
        let index = &i64::to_le_bytes(displacement)[..idx.size()];
        let table = counted(1, SLOTS);
        let [to_gm, to_ub, to_l1] = calls(idx);
        for (call, bodies) in [
            (to_gm, [&table[..], &[7; 4], index]),
            (to_ub, [&[0; 4], &table, index]),
            (to_l1, [&[0; 512], &table, index]),
        ] {
            let left = ran(by_bytes(), call, &bodies);
            let write = call.output() == Role::Table;
            let expected = crate::common::word(Role::Table, offset, write);
            assert_eq!(left.outside(), [expected], "{idx} {displacement}");
        }
    }
}
