//! Operands that are longer than asked for, of another type, or too large.

use crate::common::{calls::*, scatters::*, *};
use ptodiff_contract::{Unusable, permits};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use Target::{A2a3, A5, Cpu};

#[test]
fn part_of_an_element_is_none() {
    // 33 bytes are eight words and a byte, which no call writes.
    let call = eight(8);
    let idx = words(&up_to(8));
    let run = |call: &Mscatter| {
        let operands = [
            (Role::Table, &[0; 33][..]),
            (Role::Source, &[7; 32]),
            (Role::Index, &idx),
        ];
        let p = answer(&Call::Mscatter(*call), &operands, A5, &Readings::default());
        let found = runs(&p, Role::Table).iter();
        found.map(|run| (run.offset, run.len)).collect::<Vec<_>>()
    };
    assert_eq!(run(&call), [(0, 32)]);
    // MSCATTER-DTYPE-03: nothing is promised of the eight words.
    let mut illegal = call;
    illegal.idx.dtype = DType::Float;
    assert_eq!(run(&illegal), [(0, 32)]);
    // MGATHERL1-GAP-14: the CPU has no such form.
    let elem = Call::MgatherL1(l1(
        l1_tile(DType::Half, [16, 16], [1, 2]),
        matrix(DType::Half, 1, 8),
        matrix(DType::Int32, 1, 2),
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
}

#[test]
fn a_region_of_no_operand_is_kept() {
    // MGATHERL1-SCRATCH-01: rows are staged nowhere.
    let rows = Call::MgatherL1(l1(
        l1_tile(DType::Half, [16, 16], [1, 16]),
        matrix(DType::Half, 2, 16),
        matrix(DType::Int32, 1, 1),
        Row,
    ));
    let operands = [
        (Role::Destination, &[0; 512][..]),
        (Role::Table, &[7; 64]),
        (Role::Index, &[0; 4]),
        (Role::Scratch, &[0; 512]),
    ];
    let p = answer(&rows, &operands, A5, &Readings::default());
    assert_eq!(runs(&p, Role::Destination).len(), 1);
    assert!(runs(&p, Role::Scratch).is_empty());
}

#[test]
fn each_operand_has_its_own_type() {
    let [one, other] = [DType::Float, DType::Half].map(|d| tile(d, [1, 16], [1, 2]));
    let idx = tile(DType::Uint32, [1, 16], [1, 2]);
    let scratch = Some(matrix(DType::Half, 1, 256));
    let to_l1 = MgatherL1 {
        scratch,
        ..l1(
            l1_tile(DType::Float, [16, 16], [1, 2]),
            matrix(DType::Float, 1, 256),
            matrix(DType::Int32, 1, 2),
            Elem,
        )
    };
    let bytes = [0; 1024];
    for (call, role, dtype) in [
        (
            Call::Tgatherb(Tgatherb {
                dst: one,
                src: other,
                offset: idx,
            }),
            Role::Source,
            DType::Half,
        ),
        (
            Call::TscatterIndex(TscatterIndex {
                dst: one,
                src: other,
                idx,
            }),
            Role::Destination,
            DType::Float,
        ),
        (
            Call::TscatterMask(TscatterMask {
                dst: one,
                src: other,
                pattern: MaskPattern::P1111,
                axis: MaskAxis::Row,
            }),
            Role::Destination,
            DType::Float,
        ),
        (Call::MgatherL1(to_l1), Role::Scratch, DType::Half),
    ] {
        let operands = [
            Role::Table,
            Role::Destination,
            Role::Source,
            Role::Index,
            Role::Scratch,
        ]
        .map(|role| (role, &bytes[..]));
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
    call.src = tile(DType::Int32, [1 << 17, 1 << 17], [1, 8]);
    call.idx = call.src;
    let m = memory(&[
        (Role::Table, &[0; 32]),
        (Role::Source, &[0; 32]),
        (Role::Index, &[0; 32]),
    ]);
    let r = Readings::default();
    let found = permits(&Call::Mscatter(call), &[&m], Cpu, &r);
    assert_eq!(found, Err(Unusable::TooLarge));
    let within = TscatterIndex {
        dst: tile(DType::Int32, [1, 8], [1, 8]),
        src: call.src,
        idx: call.idx,
    };
    let m = memory(&[
        (Role::Destination, &[0; 32]),
        (Role::Source, &[0; 32]),
        (Role::Index, &[0; 32]),
    ]);
    let found = permits(&Call::TscatterIndex(within), &[&m], Cpu, &r);
    assert_eq!(found, Err(Unusable::TooLarge));
}

#[test]
fn run_time_extents_that_are_not_empty() {
    // MSCATTER-GAP-38, MGATHER-GAP-26: only an extent of 0 leaves nothing to do.
    let no_op = choices::with(&[("empty-extent", "no-op")]);
    let mut call = eight(8);
    let idx = words(&up_to(8));
    for (rows, cols) in [
        (Dim::Dynamic(1), Dim::Static(8)),
        (Dim::Static(1), Dim::Dynamic(8)),
    ] {
        (call.src.valid_row, call.src.valid_col) = (rows, cols);
        for target in [A2a3, A5] {
            let p = scattered(&call, &[0; 32], &[7; 32], &idx, target, &no_op);
            assert_eq!(runs(&p, Role::Table)[0].len, 32);
            let gather = gather(call.src, call.table, call.idx, Elem);
            let p = gathered(&gather, &[0; 32], &[7; 32], &idx, target, &no_op);
            assert_eq!(runs(&p, Role::Destination)[0].len, 32);
        }
    }
}

#[test]
fn rows_of_several_calls() {
    // MSCATTER-CHUNK-02, -03: of each call its own rows, whatever the layout.
    for layout in [tile, col_major] {
        let call = scatter(
            matrix(DType::Float, 4, 8),
            layout(DType::Float, [8, 8], [2, 8]),
            tile(DType::Int32, [1, 8], [1, 2]),
            Row,
        );
        let step = |value: f32, idx: &[i64]| {
            memory(&[
                (Role::Table, &[0; 128]),
                (Role::Source, &floats(&[value; 64])),
                (Role::Index, &padded_index(idx)),
            ])
        };
        let steps = [step(1.0, &[0, 1]), step(2.0, &[1, 2]), step(3.0, &[2, 3])];
        let steps: Vec<_> = steps.iter().collect();
        let r = Readings::default();
        let p = permits(&Call::Mscatter(call), &steps, A5, &r).unwrap();
        let found = fills(&slots(&p, Role::Table, 128));
        assert_eq!(found, [1.0, 2.0, 3.0, 3.0].map(Some));
        // Two rows of the last call meet: either survives.
        let mut last = vec![0.0; 64];
        for c in 0..8 {
            let [a, b] = if call.src.blayout == BLayout::RowMajor {
                [c, 8 + c]
            } else {
                [c * 8, c * 8 + 1]
            };
            (last[a], last[b]) = (5.0, 6.0);
        }
        let last = memory(&[
            (Role::Source, &floats(&last)),
            (Role::Index, &padded_index(&[1, 1])),
        ]);
        let default = Mscatter {
            conflict: ScatterConflict::Default,
            ..call
        };
        let p = permits(&Call::Mscatter(default), &[steps[0], &last], A5, &r).unwrap();
        let mut both: Vec<_> = [5_f32, 6.0].map(|v| v.to_le_bytes().to_vec()).into();
        both.sort();
        let found = slots(&p, Role::Table, 128);
        assert_eq!(found[8..16], vec![Slot::Several(both); 8]);
    }
}

#[test]
fn overlapping_rows_of_several_calls() {
    // MSCATTER-GAP-28: bursts of eight where five columns are valid.
    let call = scatter(
        matrix(DType::Float, 4, 8),
        tile(DType::Float, [1, 8], [1, 5]),
        tile(DType::Int32, [1, 8], [1, 1]),
        Row,
    );
    let step = |value: f32| {
        memory(&[
            (Role::Table, &[0; 128]),
            (Role::Source, &floats(&[value; 8])),
            (Role::Index, &padded_index(&[1])),
        ])
    };
    let rounded = choices::with(&[("burst-tail", "rounded")]);
    let [a, b] = [step(1.0), step(2.0)];
    let p = permits(&Call::Mscatter(call), &[&a, &b], A2a3, &rounded).unwrap();
    let found = fills(&slots(&p, Role::Table, 128));
    assert_eq!(found, [None, Some(2.0), None, None]);
}

#[test]
fn a_negative_row_of_blocks_leaves_the_table() {
    // MSCATTER-GAP-01 (b): taken literally, -1 is before the table.
    let call = Mscatter {
        oob: ScatterOob::Skip,
        ..scatter(
            packed(DType::Float, [1, 2, 2, 16, 8], Layout::NZ),
            nz_tile(DType::Float, [16, 16], [1, 16]),
            tile(DType::Int32, [1, 8], [1, 1]),
            Row,
        )
    };
    let signed = choices::with(&[("negative-index", "signed")]);
    let idx = padded_index(&[-1]);
    let p = scattered(&call, &[0; 2048], &[0; 1024], &idx, A2a3, &signed);
    assert_eq!(slots(&p, Role::Table, 2048), vec![Slot::Anything; 512]);
    assert_eq!(p.oob_accesses.map(|c| c.0), Some("MSCATTER-GAP-01"));
}

#[test]
fn a_row_that_an_earlier_gather_reads_past_the_end() {
    // MGATHER-GAP-09: twenty elements and rows of eight; -GAP-02 before the table.
    let mut table = matrix(DType::Float, 5, 4);
    table.shape[4] = Dim::Dynamic(4);
    let call = gather(
        tile(DType::Float, [1, 8], [1, 8]),
        table,
        tile(DType::Int32, [1, 8], [1, 1]),
        Row,
    );
    let signed = ("negative-index", "signed");
    let readings = choices::with(&[("row-pitch", "valid-cols"), signed]);
    let oob_accesses = |rows: [i64; 2]| {
        let steps = rows.map(|row| {
            memory(&[
                (Role::Destination, &[0; 32]),
                (Role::Table, &[0; 80]),
                (Role::Index, &padded_index(&[row])),
            ])
        });
        let steps: Vec<_> = steps.iter().collect();
        let p = permits(&Call::Mgather(call), &steps, A5, &readings).unwrap();
        p.oob_accesses.map(|c| c.0)
    };
    assert_eq!(oob_accesses([0, 1]), None);
    for leaving in [2, 3] {
        assert_eq!(oob_accesses([0, leaving]), Some("MGATHER-GAP-09"));
        assert_eq!(oob_accesses([leaving, 0]), Some("MGATHER-GAP-09"));
    }
    assert_eq!(oob_accesses([-1, 0]), Some("MGATHER-GAP-02"));
    assert_eq!(oob_accesses([0, -1]), Some("MGATHER-GAP-02"));
}

#[test]
fn rows_below_the_valid_ones() {
    // MGATHER-GAP-18: one row of three is valid, the others may hold anything.
    let call = gather(
        tile(DType::Float, [3, 8], [1, 8]),
        matrix(DType::Float, 4, 8),
        tile(DType::Int32, [1, 8], [1, 1]),
        Row,
    );
    let open = choices::with(&[("gather-padding", "undefined")]);
    let idx = padded_index(&[1]);
    let p = gathered(&call, &[0; 96], &[7; 128], &idx, A2a3, &open);
    let found = slots(&p, Role::Destination, 96);
    assert_eq!(found[8..], vec![Slot::Anything; 16]);
}
