//! MGATHER: what stands where, by each answer to the gaps on addresses and padding.

use crate::common::{choices::with, *};
use ptodiff_contract::{Permits, data_preconditions};
use ptodiff_isa::*;

use Target::{A2a3, A5, Cpu};

const POISON: u8 = 0x55;

/// `n` words that hold their number.
fn counted(n: i64) -> Vec<u8> {
    words(&(0..n).collect::<Vec<_>>())
}

fn index(idx: &[i64]) -> Vec<u8> {
    let mut all = idx.to_vec();
    all.resize(8, 0);
    words(&all)
}

/// int32 destination over a table of the same, Row.
fn rows(dst: Tile, table: GlobalTensor) -> Mgather {
    let n = dst.valid_row.get();
    gather(
        dst,
        table,
        tile(DType::Int32, [1, 8], [1, n]),
        Coalesce::Row,
    )
}

/// Permits for a poisoned destination and a table of `held` counted words.
fn run(
    call: &Mgather,
    held: i64,
    idx: &[u8],
    target: Target,
    choices: &[(&str, &str)],
) -> (Vec<Slot>, Permits) {
    let len = (call.dst.rows * call.dst.cols) as usize * call.dst.dtype.size();
    let p = gathered(
        call,
        &vec![POISON; len],
        &counted(held),
        idx,
        target,
        &with(choices),
    );
    (slots(&p, Role::Destination, len), p)
}

fn preconditions(
    call: &Mgather,
    held: i64,
    idx: &[u8],
    choices: &[(&str, &str)],
) -> Vec<&'static str> {
    let m = memory(&[(Role::Table, &counted(held)), (Role::Index, idx)]);
    let target = if choices[0].0 == "row-pitch" {
        A5
    } else {
        A2a3
    };
    data_preconditions(&Call::Mgather(*call), &[&m], target, &with(choices))
        .iter()
        .map(|b| b.clause.0)
        .collect()
}

fn strided(mut t: GlobalTensor, dim: usize, stride: u64) -> GlobalTensor {
    t.stride[dim] = Dim::Static(stride);
    t
}

fn eight_from(first: i64) -> Vec<Slot> {
    (first..first + 8).map(Slot::word).collect()
}

#[test]
fn elements_of_a_padded_table() {
    // MGATHER-GAP-07: rows 16 apart, index 8 is row 1.
    let call = gather(
        tile(DType::Int32, [1, 8], [1, 2]),
        strided(matrix(DType::Int32, 4, 8), 3, 16),
        tile(DType::Int32, [1, 8], [1, 2]),
        Coalesce::Elem,
    );
    for (target, choice, expected, gap) in [
        (A2a3, "flat", [8, 31], None),
        (A2a3, "strided", [16, 55], Some("MGATHER-GAP-07")),
        (A5, "strided", [8, 31], None),
        (Cpu, "strided", [8, 31], None),
    ] {
        let (s, p) = run(
            &call,
            56,
            &index(&[8, 31]),
            target,
            &[("padded-elem", choice)],
        );
        assert_eq!(s[..2], expected.map(Slot::word), "{target} {choice}");
        assert_eq!(runs(&p, Role::Destination)[0].freedom.map(|c| c.0), gap);
    }
}

#[test]
fn rows_of_outer_dimensions() {
    // MGATHER-GAP-06: Shape<1,1,2,3,8>, matrices 64 apart; row 3 at 24 or at 64.
    let table = packed(DType::Int32, [1, 1, 2, 3, 8], Layout::ND);
    let call = rows(tile(DType::Int32, [2, 8], [2, 8]), strided(table, 2, 64));
    for (choice, first) in [("ignored", 24), ("split", 64)] {
        let choices = [("outer-strides", choice)];
        let (s, _) = run(&call, 88, &index(&[3, 0]), A2a3, &choices);
        assert_eq!(s[..8], eight_from(first));
        assert_eq!(s[8..], eight_from(0));
        assert!(preconditions(&call, 88, &index(&[3, 0]), &choices).is_empty());
    }
    // Matrices 8 apart: 32 elements, of which row 4 would begin at 32.
    let call = Mgather {
        table: strided(table, 2, 8),
        ..call
    };
    let ignored = [("outer-strides", "ignored")];
    let (s, p) = run(&call, 32, &index(&[4, 3]), A2a3, &ignored);
    assert_eq!(s[..8], vec![Slot::Anything; 8]);
    assert_eq!(s[8..], eight_from(24));
    assert_eq!(p.oob_accesses.unwrap().0, "MGATHER-GAP-06");
    assert_eq!(
        preconditions(&call, 32, &index(&[4, 3]), &ignored),
        ["MGATHER-GAP-06"]
    );
    assert!(preconditions(&call, 32, &index(&[2, 3]), &ignored).is_empty());
}

#[test]
fn rows_valid_columns_apart_on_a5() {
    // MGATHER-GAP-09: stride 16, and 16 dynamic columns: row 1 from element 8 on.
    let valid_cols = [("row-pitch", "valid-cols")];
    let dst = tile(DType::Int32, [2, 8], [2, 8]);
    let apart = rows(dst, strided(matrix(DType::Int32, 4, 8), 3, 16));
    let mut wide = rows(dst, matrix(DType::Int32, 4, 16));
    wide.table.shape[4] = Dim::Dynamic(16);
    for call in [apart, wide] {
        let (s, p) = run(&call, 64, &index(&[1, 0]), A5, &valid_cols);
        assert_eq!((&s[..8], &s[8..]), (&eight_from(8)[..], &eight_from(0)[..]));
        let freedoms: Vec<_> = runs(&p, Role::Destination)
            .iter()
            .map(|run| run.freedom.map(|c| c.0))
            .collect();
        assert_eq!(freedoms, [Some("MGATHER-GAP-09"), None]);
        let (s, _) = run(&call, 64, &index(&[1, 0]), A2a3, &valid_cols);
        assert_eq!(s[..8], eight_from(16));
    }
    // Four columns in the shape, so row 2 leaves the table.
    let mut narrow = rows(dst, matrix(DType::Int32, 4, 4));
    narrow.table.shape[4] = Dim::Dynamic(4);
    let idx = index(&[1, 2]);
    let (s, _) = run(&narrow, 16, &idx, A5, &valid_cols);
    assert_eq!(s[..8], eight_from(8));
    assert_eq!(s[8..], vec![Slot::Anything; 8]);
    assert_eq!(
        preconditions(&narrow, 16, &idx, &valid_cols),
        ["MGATHER-GAP-09"]
    );
}

#[test]
fn indices_through_the_layout_of_their_tile() {
    // MGATHER-GAP-15 (b): decoys in the other columns.
    let call = Mgather {
        idx: tile(DType::Int32, [2, 8], [2, 1]),
        ..rows(
            tile(DType::Int32, [2, 8], [2, 8]),
            matrix(DType::Int32, 4, 8),
        )
    };
    let mut idx = vec![0; 16];
    (idx[0], idx[8]) = (3, 1);
    let (s, _) = run(
        &call,
        32,
        &words(&idx),
        A5,
        &[("row-index-pitch", "logical")],
    );
    assert_eq!(
        (&s[..8], &s[8..]),
        (&eight_from(24)[..], &eight_from(8)[..])
    );
}

#[test]
fn padded_tables_on_the_cpu() {
    // MGATHER-GAP-08 (b): row 1 from element 16 on.
    let call = rows(
        tile(DType::Int32, [1, 8], [1, 8]),
        strided(matrix(DType::Int32, 4, 8), 3, 16),
    );
    let choices = [("cpu-padded-table", "strided")];
    let (s, _) = run(&call, 56, &index(&[1]), Cpu, &choices);
    assert_eq!(s, eight_from(16));
    let (s, _) = run(&call, 56, &index(&[1]), Cpu, &[]);
    assert_eq!(s, vec![Slot::Anything; 8]);
}

/// What the slots of a row beside its three valid columns hold, if they agree:
/// the rest of the first 32 bytes, and what follows.
fn beside(row: &[Slot]) -> [Slot; 2] {
    let same = |s: &[Slot]| {
        assert!(s.iter().all(|x| *x == s[0]), "{row:?}");
        s[0].clone()
    };
    [same(&row[3..8]), same(&row[8..])]
}

#[test]
fn padding_of_nd_rows() {
    // MGATHER-GAP-18, -19: valid [2,3] in [3,16], a table of two rows of three,
    // row 1 out of bounds: of row 0, of row 1, and row 2, which is not valid.
    let call = Mgather {
        oob: GatherOob::Zero,
        ..rows(
            tile(DType::Int32, [3, 16], [2, 3]),
            matrix(DType::Int32, 2, 3),
        )
    };
    let [kept, any, zero] = [Slot::Kept, Slot::Anything, Slot::word(0)];
    let nd = |fill, padding| [("nd-zero-fill", fill), ("gather-padding", padding)];
    for (target, fill, padding, tail, still) in [
        (A2a3, "inline", "burst-tail", &any, &kept),
        (A2a3, "inline", "kept", &kept, &kept),
        (A2a3, "inline", "undefined", &any, &any),
        (A2a3, "whole-tile", "burst-tail", &any, &zero),
        (A2a3, "whole-tile", "kept", &zero, &zero),
        (A2a3, "whole-tile", "undefined", &any, &zero),
        (A5, "whole-tile", "burst-tail", &kept, &kept),
        (A5, "whole-tile", "undefined", &any, &any),
        (Cpu, "whole-tile", "kept", &kept, &kept),
        (Cpu, "inline", "undefined", &any, &any),
    ] {
        let (s, p) = run(&call, 6, &index(&[1, 9]), target, &nd(fill, padding));
        let about = format!("{target} {fill} {padding}");
        assert_eq!(s[..3], [3, 4, 5].map(Slot::word), "{about}");
        assert_eq!(s[16..19], [0; 3].map(Slot::word), "{about}");
        assert_eq!(beside(&s[..16]), [tail.clone(), still.clone()], "{about}");
        assert_eq!(
            beside(&s[16..32]),
            [still.clone(), still.clone()],
            "{about}"
        );
        assert!(s[32..].iter().all(|x| x == still), "{about}");
        // Nobody else zeroes what is not valid.
        let padding = runs(&p, Role::Destination)
            .iter()
            .filter(|run| run.clause.0 == "MGATHER-GAP-19");
        let is_zeroed = *still == zero;
        assert_eq!(padding.clone().count() > 0, is_zeroed, "{about}");
        assert!(padding.clone().all(|run| run.freedom.is_some()), "{about}");
    }
    // Other policies fill nothing.
    let clamp = Mgather {
        oob: GatherOob::Clamp,
        ..call
    };
    let (s, _) = run(&clamp, 6, &index(&[1, 9]), A2a3, &nd("whole-tile", "kept"));
    assert!(s[32..].iter().all(|x| *x == kept));
}

#[test]
fn padding_of_other_tiles() {
    let open = [("gather-padding", "undefined")];
    // ColMajor [8,3] valid [5,2] on A5; Row and Elem.
    let across = rows(
        col_major(DType::Int32, [8, 3], [5, 2]),
        matrix(DType::Int32, 4, 2),
    );
    let elem = gather(
        across.dst,
        across.table,
        col_major(DType::Int32, [8, 2], [5, 2]),
        Coalesce::Elem,
    );
    for call in [across, elem] {
        let (s, _) = run(&call, 8, &words(&[1; 16]), A5, &open);
        for (at, slot) in s.iter().enumerate() {
            let valid = at % 8 < 5 && at / 8 < 2;
            assert_eq!(*slot != Slot::Anything, valid, "{at}");
        }
    }
    // An NZ tile by elements, valid [3,9] in [16,16].
    let nz = Mgather {
        dst: nz_tile(DType::Int32, [16, 16], [3, 9]),
        table: packed(DType::Int32, [1, 2, 1, 16, 8], Layout::NZ),
        idx: tile(DType::Int32, [3, 16], [3, 9]),
        ..elem
    };
    let (s, _) = run(&nz, 256, &words(&[1; 48]), A2a3, &open);
    for (at, slot) in s.iter().enumerate() {
        let (r, c) = (at % 128 / 8, at / 128 * 8 + at % 8);
        assert_eq!(*slot != Slot::Anything, r < 3 && c < 9, "{at}");
    }
    let (s, _) = run(&nz, 256, &words(&[1; 48]), A2a3, &[]);
    assert_eq!(s.iter().filter(|x| **x == Slot::Kept).count(), 256 - 27);
}

#[test]
fn columns_of_the_padding_in_nz_rows() {
    // MGATHER-GAP-57: [16,16] valid [2,9], row 3 of a table that holds its own
    // offsets, so columns 9 to 15 are 153 to 159; row 1 of the tile is 9 under
    // Zero, else row 0 of the table.
    let call = |oob| Mgather {
        oob,
        ..rows(
            nz_tile(DType::Int32, [16, 16], [2, 9]),
            packed(DType::Int32, [1, 2, 1, 16, 8], Layout::NZ),
        )
    };
    let held = Slot::One(vec![POISON; 4]);
    let either = |slot: &Slot, x: i64| {
        let Slot::One(other) = slot else {
            unreachable!()
        };
        let mut both = vec![other.clone(), (x as u32).to_le_bytes().to_vec()];
        both.sort();
        Slot::Several(both)
    };
    let [kept, any, zero] = [Slot::Kept, Slot::Anything, Slot::word(0)];
    let brought = Slot::word(153);
    let (both, zero_or) = (either(&held, 153), either(&zero, 153));
    use GatherOob::{Clamp, Zero};
    for (oob, columns, padding, expected, below) in [
        (Clamp, "either", "burst-tail", &both, &kept),
        (Clamp, "either", "undefined", &any, &any),
        (Clamp, "moved", "burst-tail", &brought, &kept),
        (Clamp, "moved", "undefined", &brought, &any),
        (Clamp, "kept", "burst-tail", &kept, &kept),
        (Clamp, "kept", "undefined", &kept, &any),
        (Zero, "either", "undefined", &zero_or, &zero),
        (Zero, "moved", "kept", &brought, &zero),
        (Zero, "kept", "undefined", &zero, &zero),
    ] {
        let choices = [("nz-row-columns", columns), ("gather-padding", padding)];
        let (s, _) = run(&call(oob), 256, &index(&[3, 99]), A2a3, &choices);
        let about = format!("{oob} {columns} {padding}");
        assert_eq!(s[..8], eight_from(24), "{about}");
        assert_eq!(s[128], Slot::word(152), "{about}");
        assert_eq!(s[129], *expected, "{about}");
        assert_eq!(s[128 + 16], *below, "{about}");
        if oob == Zero {
            assert_eq!(s[128 + 9], zero, "{about}");
        }
    }
    // An index that leads nowhere opens what its row may touch.
    let undefined = call(GatherOob::Undefined);
    for (columns, expected) in [("moved", &any), ("kept", &kept)] {
        let choices = [("nz-row-columns", columns)];
        let (s, _) = run(&undefined, 256, &index(&[99, 3]), A2a3, &choices);
        assert_eq!((&s[0], &s[128], &s[129]), (&any, &any, expected));
    }
}

#[test]
fn no_rows_and_no_columns() {
    // MGATHER-GAP-26 (b): not even a fill.
    let nd = rows(
        tile(DType::Int32, [3, 16], [2, 3]),
        matrix(DType::Int32, 2, 3),
    );
    let nz = rows(
        nz_tile(DType::Int32, [16, 16], [2, 9]),
        packed(DType::Int32, [1, 2, 1, 16, 8], Layout::NZ),
    );
    let choices = [
        ("empty-extent", "no-op"),
        ("nd-zero-fill", "whole-tile"),
        ("gather-padding", "undefined"),
    ];
    for (call, target) in [(nd, A2a3), (nd, A5), (nz, A2a3)] {
        for by_rows in [true, false] {
            let mut call = Mgather {
                oob: GatherOob::Zero,
                ..call
            };
            if by_rows {
                (call.dst.valid_row, call.idx.valid_col) = (Dim::Dynamic(0), Dim::Dynamic(0));
            } else {
                call.dst.valid_col = Dim::Dynamic(0);
            }
            let (_, p) = run(&call, 256, &index(&[1, 99]), target, &choices);
            assert!(runs(&p, Role::Destination).is_empty());
            assert_eq!(p.oob_accesses, None);
            let undefined = Mgather {
                oob: GatherOob::Undefined,
                ..call
            };
            assert!(preconditions(&undefined, 256, &index(&[1, 99]), &choices).is_empty());
        }
    }
}

#[test]
fn an_index_out_of_bounds_spoils_the_call_or_its_own_slots() {
    // MGATHER-GAP-69: element 9 of four under Undefined, by row and by element.
    let call = gather(
        tile(DType::Int32, [1, 8], [1, 2]),
        matrix(DType::Int32, 1, 4),
        tile(DType::Int32, [1, 8], [1, 2]),
        Coalesce::Elem,
    );
    let narrow = rows(
        tile(DType::Int32, [2, 8], [2, 8]),
        matrix(DType::Int32, 4, 8),
    );
    for target in [Cpu, A2a3, A5] {
        let of = |call: &Mgather, choice: &str| {
            let choices = [("undefined-gather", choice)];
            let m = memory(&[(Role::Index, &index(&[1, 9]))]);
            data_preconditions(&Call::Mgather(*call), &[&m], target, &with(&choices)).len()
        };
        assert_eq!((of(&call, "call"), of(&narrow, "call")), (1, 1));
        assert_eq!((of(&call, "slots"), of(&narrow, "slots")), (0, 0));
        let slots_only = [("undefined-gather", "slots")];
        let (s, _) = run(&call, 4, &index(&[1, 9]), target, &slots_only);
        assert_eq!(s[..2], [Slot::word(1), Slot::Anything], "{target}");
    }
}
