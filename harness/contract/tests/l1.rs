//! Gather to L1: what the register's witnesses and hand calculation say.

use crate::common::{calls::*, *};
use ptodiff_contract::{Feeder, Permits, data_preconditions, feeders};
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use Target::{A2a3, A5, Cpu};

const NPUS: [Target; 2] = [A2a3, A5];
/// What the tile and the scratch hold before.
const OLD: u16 = 0x5555;
const STAGED: u16 = 0x7777;

/// 0 to n - 1 as 16-bit elements.
fn counted(n: u16) -> Vec<u8> {
    halves(&(0..n).collect::<Vec<_>>())
}

fn gathered(
    call: &MgatherL1,
    table: &[u8],
    idx: &[i64],
    target: Target,
    readings: &Readings,
) -> Permits {
    let elems = (call.dst.rows * call.dst.cols) as usize;
    let staged = call.scratch.map_or(0, |s| s.shape[4].get() as usize);
    let operands = [
        (Role::Destination, &halves(&vec![OLD; elems])[..]),
        (Role::Table, table),
        (Role::Index, &words(idx)),
        (Role::Scratch, &halves(&vec![STAGED; staged])),
    ];
    answer(&Call::MgatherL1(*call), &operands, target, readings)
}

fn image(p: &Permits, call: &MgatherL1) -> Vec<Slot> {
    let elems = (call.dst.rows * call.dst.cols) as usize;
    slots(p, Role::Destination, elems * 2)
}

/// Offset in an NZ tile of 16 rows (MGATHERL1-NZ-02).
fn nz(r: usize, c: usize) -> usize {
    c / 16 * 256 + r * 16 + c % 16
}

/// half [16,32] valid `valid` from a packed table of 32 columns.
fn by_rows(valid: [u64; 2], rows: u64) -> MgatherL1 {
    l1(
        l1_tile(DType::Half, [16, 32], valid),
        matrix(DType::Half, rows, 32),
        matrix(DType::Int32, 1, valid[0]),
        Row,
    )
}

/// half [16,16] valid `valid` from `slots` elements.
fn by_elements(valid: [u64; 2], slots: u64) -> MgatherL1 {
    l1(
        l1_tile(DType::Half, [16, 16], valid),
        matrix(DType::Half, 1, slots),
        matrix(DType::Int32, valid[0], valid[1]),
        Elem,
    )
}

/// Table [rows, 32] with 100 * row + column.
fn hundreds(rows: u16) -> Vec<u8> {
    halves(
        &(0..rows * 32)
            .map(|i| 100 * (i / 32) + i % 32)
            .collect::<Vec<_>>(),
    )
}

#[test]
fn rows_stand_in_nz_order() {
    // MGATHERL1-SEM-01, -OOB-01: rows 0..15 of eight, wrapped.
    let idx: Vec<i64> = (0..16).collect();
    let call = MgatherL1 {
        oob: GatherOob::Wrap,
        ..by_rows([16, 32], 8)
    };
    for target in NPUS {
        let p = gathered(&call, &hundreds(8), &idx, target, &Readings::default());
        let found = image(&p, &call);
        assert_eq!(nz(9, 20), 404);
        assert_eq!(found[404], short(120));
        for r in 0..16 {
            for c in 0..32 {
                assert_eq!(found[nz(r, c)], short((100 * (r % 8) + c) as u16));
            }
        }
        assert!(runs(&p, Role::Table).is_empty() && runs(&p, Role::Index).is_empty());
        assert_eq!(p.oob_accesses, None);
    }
}

#[test]
fn elements_stand_in_nz_order_in_tile_and_scratch() {
    // MGATHERL1-SEM-02: reversed.
    let mut call = by_elements([16, 16], 256);
    call.scratch = Some(matrix(DType::Half, 1, 300));
    let idx: Vec<i64> = (0..256).map(|k| 255 - k).collect();
    for exec in [GatherExec::Scalar, GatherExec::Simt] {
        let call = MgatherL1 { exec, ..call };
        let p = gathered(&call, &counted(256), &idx, A5, &Readings::default());
        let found = image(&p, &call);
        for r in 0..16 {
            for c in 0..16 {
                assert_eq!(found[nz(r, c)], short((255 - (16 * r + c)) as u16));
            }
        }
        // MGATHERL1-GAP-09: the same image, and what follows is kept.
        let scratch = slots(&p, Role::Scratch, 600);
        assert_eq!(scratch[..256], found);
        assert_eq!(scratch[256..], vec![Slot::Kept; 44]);
    }
}

#[test]
fn capacity_counts_all_outer_dimensions() {
    // MGATHERL1-CAP-01: eight rows in two planes, on A5 too.
    let mut call = MgatherL1 {
        oob: GatherOob::Clamp,
        ..by_rows([2, 32], 8)
    };
    call.table = packed(DType::Half, [1, 1, 2, 4, 32], Layout::ND);
    for target in NPUS {
        let p = gathered(&call, &hundreds(8), &[7, 8], target, &Readings::default());
        let found = image(&p, &call);
        assert_eq!([&found[nz(0, 3)], &found[nz(1, 3)]], [&short(703); 2]);
    }
    // MGATHERL1-CAP-02: 32 elements.
    let mut call = MgatherL1 {
        oob: GatherOob::Zero,
        ..by_elements([1, 2], 32)
    };
    call.table = matrix(DType::Half, 4, 8);
    let p = gathered(&call, &counted(32), &[31, 32], A5, &Readings::default());
    assert_eq!(image(&p, &call)[..2], [short(31), short(0)]);
}

#[test]
fn padded_tables() {
    // MGATHERL1-TABLE-02: rows 48 elements apart.
    let mut call = by_rows([2, 32], 3);
    call.table = rules::strided(call.table, 3, 48);
    let p = gathered(&call, &counted(128), &[2, 1], A5, &Readings::default());
    let found = image(&p, &call);
    assert_eq!(
        [&found[nz(0, 5)], &found[nz(1, 31)]],
        [&short(101), &short(79)]
    );
    // MGATHERL1-GAP-16: elements ignore strides.
    let mut call = by_elements([1, 1], 32);
    call.table = rules::strided(matrix(DType::Half, 4, 8), 3, 16);
    let p = gathered(&call, &counted(56), &[9], A5, &Readings::default());
    assert_eq!(image(&p, &call)[0], short(9));
}

#[test]
fn zero_clears_the_whole_tile_first() {
    // MGATHERL1-OOB-02, whatever the reading of the tail.
    let call = MgatherL1 {
        oob: GatherOob::Zero,
        ..by_rows([10, 20], 8)
    };
    let mut idx = vec![1; 10];
    idx[3] = 8;
    for l1_row_padding in [L1RowPadding::TailZero, L1RowPadding::Kept] {
        let r = Readings {
            l1_row_padding,
            ..Readings::default()
        };
        let p = gathered(&call, &hundreds(8), &idx, A2a3, &r);
        let found = image(&p, &call);
        for row in 0..16 {
            for c in 0..32 {
                let moved = row < 10 && row != 3 && c < 20;
                let value = if moved { 100 + c as u16 } else { 0 };
                assert_eq!(found[nz(row, c)], short(value), "({row}, {c})");
            }
        }
    }
}

#[test]
fn padding_after_rows() {
    // MGATHERL1-GAP-01 on valid [10,20]: columns 20..31 end the second block.
    let call = by_rows([10, 20], 8);
    for (l1_row_padding, tail, rest) in [
        (L1RowPadding::TailZero, short(0), Slot::Kept),
        (L1RowPadding::Kept, Slot::Kept, Slot::Kept),
        (L1RowPadding::Undefined, Slot::Anything, Slot::Anything),
    ] {
        let r = Readings {
            l1_row_padding,
            ..Readings::default()
        };
        let p = gathered(&call, &hundreds(8), &[1; 10], A5, &r);
        let found = image(&p, &call);
        assert_eq!(found[nz(9, 19)], short(119));
        assert_eq!([&found[nz(0, 20)], &found[nz(9, 31)]], [&tail; 2]);
        assert_eq!([&found[nz(10, 0)], &found[nz(15, 31)]], [&rest; 2]);
    }
    // A block without a valid column is none that a transfer fills up.
    let narrow = by_rows([10, 16], 8);
    let p = gathered(&narrow, &hundreds(8), &[1; 10], A5, &Readings::default());
    assert_eq!(image(&p, &narrow)[nz(0, 16)], Slot::Kept);
}

#[test]
fn padding_after_elements() {
    // MGATHERL1-GAP-02, -EXEC-07, -SCRATCH-05 on valid [5,5].
    let call = by_elements([5, 5], 64);
    let stale = Readings {
        l1_scratch_zero: L1ScratchZero::ZeroOnly,
        ..Readings::default()
    };
    let always = Readings::default();
    use GatherExec::{Scalar, Simt};
    for (oob, exec, r, expected) in [
        (GatherOob::Clamp, Scalar, always, 0),
        (GatherOob::Clamp, Scalar, stale, STAGED),
        (GatherOob::Undefined, Scalar, stale, STAGED),
        (GatherOob::Zero, Scalar, stale, 0),
        (GatherOob::Clamp, Simt, stale, 0),
    ] {
        let call = MgatherL1 { oob, exec, ..call };
        let p = gathered(&call, &counted(64), &[7; 25], A5, &r);
        let found = image(&p, &call);
        assert_eq!(found[nz(4, 4)], short(7));
        for at in [nz(0, 5), nz(4, 15), nz(5, 0), nz(15, 15)] {
            assert_eq!(found[at], short(expected), "{oob} {exec}");
        }
        assert_eq!(slots(&p, Role::Scratch, 512), found);
    }
}

#[test]
fn an_unchecked_index_opens_what_it_feeds() {
    let r = Readings::default();
    let call = by_elements([1, 3], 64);
    let idx = [1, 64, 2];
    let p = gathered(&call, &counted(64), &idx, A5, &r);
    for role in [Role::Destination, Role::Scratch] {
        let found = slots(&p, role, 512);
        assert_eq!(found[..3], [short(1), Slot::Anything, short(2)]);
        assert_eq!(found[3], short(0));
    }
    assert_eq!(p.oob_accesses.map(|c| c.0), Some("MGATHER-OOB-02"));
    let m = memory(&[(Role::Index, &words(&idx))]);
    let precondition = |call| data_preconditions(&Call::MgatherL1(call), &[&m], A5, &r);
    let found = precondition(call);
    assert_eq!(found[0].clause.0, "MGATHER-OOB-01");
    assert!(found[0].why.contains("element (0, 1): index 64"));
    let clamped = MgatherL1 {
        oob: GatherOob::Clamp,
        ..call
    };
    assert_eq!(precondition(clamped), []);
    // Rows: the whole row.
    let call = by_rows([2, 20], 4);
    let p = gathered(&call, &hundreds(4), &[4, 3], A2a3, &r);
    let found = image(&p, &call);
    assert_eq!([&found[nz(0, 0)], &found[nz(0, 19)]], [&Slot::Anything; 2]);
    assert_eq!(found[nz(1, 19)], short(319));
}

#[test]
fn the_index_tensor_is_read_in_line_or_by_strides() {
    // MGATHERL1-GAP-03: rows of five, sixteen apart, decoys between them.
    let mut call = by_elements([5, 5], 256);
    call.idx = rules::strided(call.idx, 3, 16);
    let idx: Vec<i64> = (0..69).collect();
    for (l1_index_pitch, at_four_four) in [
        (L1IndexPitch::Linear, 24),
        (L1IndexPitch::Strided, 4 * 16 + 4),
    ] {
        let r = Readings {
            l1_index_pitch,
            ..Readings::default()
        };
        let p = gathered(&call, &counted(256), &idx, A5, &r);
        assert_eq!(image(&p, &call)[nz(4, 4)], short(at_four_four));
        let mut broken = idx.clone();
        broken[24] = 999;
        let m = memory(&[(Role::Index, &words(&broken))]);
        let found = data_preconditions(&Call::MgatherL1(call), &[&m], A5, &r);
        assert_eq!(found.len(), usize::from(at_four_four == 24));
    }
    // By rows the stride is that of dimension 4.
    let mut call = by_rows([3, 32], 8);
    call.idx = rules::strided(call.idx, 4, 2);
    let idx = [1, 2, 3, 4, 5];
    for (l1_index_pitch, rows) in [
        (L1IndexPitch::Linear, [1, 2, 3]),
        (L1IndexPitch::Strided, [1, 3, 5]),
    ] {
        let r = Readings {
            l1_index_pitch,
            ..Readings::default()
        };
        let p = gathered(&call, &hundreds(8), &idx, A5, &r);
        let found = image(&p, &call);
        let heads = [0, 1, 2].map(|r| found[nz(r, 0)].clone());
        assert_eq!(heads, rows.map(|r| short(100 * r)));
    }
}

#[test]
fn negative_indices_have_readings() {
    // MGATHERL1-GAP-04: -1 clamped on eight rows.
    let call = MgatherL1 {
        oob: GatherOob::Clamp,
        ..by_rows([1, 32], 8)
    };
    for (negative_index, row, freedom) in [
        (NegativeIndex::Unsigned, 7, None),
        (NegativeIndex::Intended, 0, Some(Clause("MGATHERL1-GAP-04"))),
    ] {
        let r = Readings {
            negative_index,
            ..Readings::default()
        };
        let p = gathered(&call, &hundreds(8), &[-1], A5, &r);
        assert_eq!(image(&p, &call)[nz(0, 1)], short(100 * row + 1));
        assert_eq!(runs(&p, Role::Destination)[0].freedom, freedom);
    }
}

#[test]
fn on_the_cpu() {
    // MGATHERL1-GAP-14: valid region only, padding kept, scratch open.
    let call = MgatherL1 {
        oob: GatherOob::Zero,
        ..by_elements([5, 5], 64)
    };
    let mut idx = vec![7; 25];
    idx[1] = -1;
    let r = Readings {
        negative_index: NegativeIndex::Intended,
        ..suite()
    };
    let p = gathered(&call, &counted(64), &idx, Cpu, &r);
    let found = image(&p, &call);
    assert_eq!(found[..2], [short(7), short(0)]);
    assert_eq!([&found[nz(0, 5)], &found[nz(5, 0)]], [&Slot::Kept; 2]);
    assert_eq!(slots(&p, Role::Scratch, 512), vec![Slot::Anything; 256]);
    let rows = by_rows([2, 20], 4);
    let p = gathered(&rows, &hundreds(4), &[3, 1], Cpu, &suite());
    let found = image(&p, &rows);
    assert_eq!(found[nz(0, 19)], short(319));
    assert_eq!(found[nz(0, 20)], Slot::Kept);
    // Under the documents it has no such form.
    let p = gathered(&rows, &hundreds(4), &[3, 1], Cpu, &Readings::default());
    assert_eq!(p.oob_accesses.map(|c| c.0), Some("MGATHERL1-GAP-14"));
    assert_eq!(image(&p, &rows)[0], Slot::Anything);
}

#[test]
fn feeders_of_tile_and_scratch() {
    let call = by_elements([5, 5], 64);
    let m = memory(&[(Role::Index, &words(&[0; 25]))]);
    let of = |target, role, element| {
        let call = Call::MgatherL1(call);
        feeders(&call, &[&m], target, &suite(), role, element)
    };
    let lane = [Feeder {
        step: 0,
        r: 3,
        c: 2,
    }];
    assert_eq!(of(A5, Role::Destination, nz(3, 2)), lane);
    assert_eq!(of(A5, Role::Scratch, nz(3, 2)), lane);
    assert_eq!(of(A5, Role::Scratch, nz(3, 5)), []);
    assert_eq!(of(Cpu, Role::Scratch, nz(3, 2)), []);
}
