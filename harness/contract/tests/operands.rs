//! Operands that are longer than asked for, of another type, or too large.

use crate::common::{calls::*, choices::with, said::*, scatters::*, *};
use ptodiff_contract::permits;
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::{Float, Half, Int32, Uint32};
use Target::{A2a3, A5, Cpu};

#[test]
fn part_of_an_element_is_none() {
    // 33 bytes are eight words and a byte, which no call writes; MSCATTER-DTYPE-03:
    // nothing is promised of the eight words.
    let mut illegal = eight(8);
    illegal.idx.dtype = Float;
    for call in [eight(8), illegal] {
        let found = into(&call, &[0; 33], &[7; 32], &up_to(8), A5, &[]);
        assert_eq!((found.runs()[0].offset, found.runs()[0].len), (0, 32));
        assert_eq!(found.runs().len(), 1);
    }
    // MGATHERL1-GAP-14: the CPU has no such form.
    let elem = Call::MgatherL1(l1(
        l1_tile(Half, [16, 16], [1, 2]),
        matrix(Half, 1, 8),
        matrix(Int32, 1, 2),
        Elem,
    ));
    let operands = [
        (Role::Destination, &[0; 513][..]),
        (Role::Table, &[0; 16]),
        (Role::Index, &[0; 8]),
        (Role::Scratch, &[0; 513]),
    ];
    let p = answer(&elem, &operands, Cpu, &Readings::default());
    for role in [Role::Destination, Role::Scratch] {
        assert_eq!(runs(&p, role)[0].len, 512, "{role}");
    }
    // MGATHERL1-SCRATCH-01: rows are staged nowhere, and what is no operand is kept.
    let rows = Call::MgatherL1(l1(
        l1_tile(Half, [16, 16], [1, 8]),
        matrix(Half, 1, 8),
        matrix(Int32, 1, 1),
        Row,
    ));
    let p = answer(&rows, &operands, A5, &Readings::default());
    assert!(!runs(&p, Role::Destination).is_empty());
    assert!(runs(&p, Role::Scratch).is_empty());
}

#[test]
fn each_operand_has_its_own_type() {
    let [dst, src] = [Float, Half].map(|d| tile(d, [1, 16], [1, 2]));
    let idx = tile(Uint32, [1, 16], [1, 2]);
    let to_l1 = MgatherL1 {
        scratch: Some(matrix(Half, 1, 256)),
        ..l1(
            l1_tile(Float, [16, 16], [1, 2]),
            matrix(Float, 1, 256),
            matrix(Int32, 1, 2),
            Elem,
        )
    };
    let by_offset = Tgatherb {
        dst,
        src,
        offset: idx,
    };
    let by_mask = TscatterMask {
        dst,
        src,
        pattern: MaskPattern::P1111,
        axis: MaskAxis::Row,
    };
    let by_index = TscatterIndex { dst, src, idx };
    for (call, role, dtype) in [
        (Call::Tgatherb(by_offset), Role::Source, Half),
        (Call::TscatterIndex(by_index), Role::Destination, Float),
        (Call::TscatterMask(by_mask), Role::Destination, Float),
        (Call::MgatherL1(to_l1), Role::Scratch, Half),
    ] {
        let operands = [
            Role::Table,
            Role::Destination,
            Role::Source,
            Role::Index,
            Role::Scratch,
        ]
        .map(|role| (role, &[0; 1024][..]));
        let p = answer(&call, &operands, A5, &Readings::default());
        let operand = p.operands.iter().find(|o| o.role == role).unwrap();
        assert_eq!(operand.dtype, dtype, "{call:?}");
    }
}

#[test]
fn more_than_can_be_counted() {
    // 2^34 elements, of which the CPU would read one: no number of 32 bits
    // tells them apart.
    let mut call = eight(8);
    call.src = tile(Int32, [1 << 17, 1 << 17], [1, 8]);
    call.idx = call.src;
    let within = TscatterIndex {
        dst: tile(Int32, [1, 8], [1, 8]),
        src: call.src,
        idx: call.idx,
    };
    let roles = [Role::Table, Role::Destination, Role::Source, Role::Index];
    let m = memory(&roles.map(|role| (role, &[0; 32][..])));
    for call in [Call::Mscatter(call), Call::TscatterIndex(within)] {
        let found = permits(&call, &[&m], Cpu, &Readings::default());
        assert_eq!(found, None);
    }
}

#[test]
fn run_time_extents_that_are_not_empty() {
    // MSCATTER-GAP-38, MGATHER-GAP-26: only an extent of 0 leaves nothing to do.
    let no_op = [("empty-extent", "no-op")];
    let mut call = eight(8);
    for (rows, cols) in [
        (Dim::Dynamic(1), Dim::Static(8)),
        (Dim::Static(1), Dim::Dynamic(8)),
    ] {
        (call.src.valid_row, call.src.valid_col) = (rows, cols);
        let gather = gather(call.src, call.table, call.idx, Elem);
        for target in [A2a3, A5] {
            let there = into_zeros(&call, &[7; 32], &up_to(8), target, &no_op);
            let back = from(&gather, &[7; 32], &up_to(8), target, &no_op);
            assert_eq!([there.runs()[0].len, back.runs()[0].len], [32; 2]);
        }
    }
}

#[test]
fn overlapping_rows_of_several_calls() {
    // MSCATTER-GAP-28: bursts of eight where five columns are valid.
    let call = Mscatter {
        src: tile(Float, [1, 8], [1, 5]),
        ..rows_of_eight(1)
    };
    let [a, b] = [1.0, 2.0].map(|value| {
        memory(&[
            (Role::Table, &[0; 128]),
            (Role::Source, &floats(&[value; 8])),
            (Role::Index, &padded_index(&[1])),
        ])
    });
    let rounded = with(&[("burst-tail", "rounded")]);
    let found = Said::of(&Call::Mscatter(call), &[&a, &b], A2a3, &rounded);
    assert_eq!(fills(&found.slots), [None, Some(2.0), None, None]);
}

#[test]
fn what_lies_around_an_operand() {
    // By what the form says that it writes, whatever a reading leaves open of padding.
    let (table, data) = (matrix(Int32, 4, 8), tile(Int32, [1, 8], [1, 8]));
    let (dst, src, idx) = (data, data, data);
    let one = tile(Int32, [1, 1], [1, 1]);
    let nz = l1_tile(Int32, [16, 8], [1, 8]);
    let to_l1 = |mode| Call::MgatherL1(l1(nz, table, matrix(Int32, 1, 8), mode));
    let old = |idx| Call::MscatterFirst(first(table, src, idx));
    let to_ub = Call::Mgather(gather(dst, table, idx, Elem));
    let by_index = Call::TscatterIndex(TscatterIndex { dst, src, idx });
    let by_mask = TscatterMask {
        dst,
        src,
        ..TscatterMask::default()
    };
    let by_offset = Tgatherb {
        dst,
        src,
        offset: idx,
    };
    let [row, elem] = ["MGATHERL1-SEM-01", "MGATHERL1-SEM-02"];
    let r = with(&[("gather-padding", "undefined"), ("scope", "as-the-suite")]);
    for (call, target, by) in [
        (Call::Mscatter(eight(8)), A2a3, "MSCATTER-SEM-04"),
        (old(one), A5, "MSCATTER0-SEM-01"),
        (old(idx), A5, "MSCATTER0-SEM-02"),
        (to_ub, A5, "MGATHER-SEM-03"),
        (to_l1(Row), A2a3, row),
        (to_l1(Elem), A5, elem),
        (to_l1(Elem), Cpu, "MGATHERL1-GAP-14"),
        (by_index, Cpu, "TSCATTER-SEM-05"),
        (Call::TscatterMask(by_mask), A5, "TSCATTER-SEM-05"),
        (Call::Tgatherb(by_offset), A2a3, "TGATHERB-SEM-04"),
    ] {
        use Role::{Destination, Index, Scratch, Source, Table};
        let operands =
            [Table, Destination, Source, Index, Scratch].map(|role| (role, &[0; 512][..]));
        for operand in answer(&call, &operands, target, &r).operands {
            // A line of the cache may reach beyond the staging area.
            let staged = operand.role == Scratch && [row, elem].contains(&by);
            let by = if staged { "MGATHERL1-GAP-09" } else { by };
            assert_eq!(operand.around.0, by, "{call:?} on {target}");
        }
    }
}
