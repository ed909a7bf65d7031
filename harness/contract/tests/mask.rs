//! TSCATTER by mask: what the register's witnesses and hand calculation say.

use crate::common::{calls::*, choices::with, *};
use ptodiff_isa::*;

use MaskPattern::*;
use Target::{A2a3, A5, Cpu};

/// half [1,16] valid [1,`cols`] into [1,64] valid [1,`wide`].
fn one_row(pattern: MaskPattern, cols: u64, wide: u64) -> TscatterMask {
    TscatterMask {
        dst: tile(DType::Half, [1, 64], [1, wide]),
        src: tile(DType::Half, [1, 16], [1, cols]),
        pattern,
        axis: MaskAxis::Row,
    }
}

/// What becomes of 1, 2, 3 and so on in storage order.
fn masked(call: &TscatterMask, target: Target, readings: &Readings) -> Vec<Slot> {
    let src: Vec<u16> = (1..=(call.src.rows * call.src.cols) as u16).collect();
    let dst = vec![0x55; 2 * (call.dst.rows * call.dst.cols) as usize];
    let operands = [&dst[..], &halves(&src), &[]];
    moved(&Call::TscatterMask(*call), operands, target, readings)
}

#[test]
fn patterns() {
    // TSCATTER-MASK-03 to -09.
    for (pattern, expected) in [
        (P0101, &[1, 0, 2, 0][..]),
        (P1010, &[0, 1, 0, 2]),
        (P0001, &[1, 0, 0, 0, 2, 0, 0, 0]),
        (P0010, &[0, 1, 0, 0, 0, 2, 0, 0]),
        (P0100, &[0, 0, 1, 0, 0, 0, 2, 0]),
        (P1000, &[0, 0, 0, 1, 0, 0, 0, 2]),
        (P1111, &[1, 2]),
    ] {
        let wide = expected.len();
        let call = one_row(pattern, 2, wide as u64);
        let expected: Vec<_> = expected.iter().copied().map(short).collect();
        for (target, r) in [
            (A5, Readings::default()),
            (A5, suite()),
            (A2a3, suite()),
            (Cpu, suite()),
        ] {
            let found = masked(&call, target, &r);
            assert_eq!(found[..wide], expected, "{pattern}");
            // TSCATTER-MASK-11: the whole allocation is cleared, but of the CPU that is
            // not said (TSCATTER-GAP-09).
            let beyond = match target {
                Cpu => Slot::Anything,
                A2a3 | A5 => short(0),
            };
            assert_eq!(found[wide..], vec![beyond; 64 - wide]);
        }
    }
    // TSCATTER-MODE-02: nothing is promised where there is no such form.
    for target in [A2a3, Cpu] {
        let found = masked(&one_row(P1010, 2, 4), target, &Readings::default());
        assert_eq!(found, vec![Slot::Anything; 64]);
    }
}

#[test]
fn padding_after_a_plain_move() {
    // TSCATTER-GAP-13: half [4,32] valid [2,16].
    let call = TscatterMask {
        dst: tile(DType::Half, [4, 32], [2, 16]),
        src: tile(DType::Half, [2, 16], [2, 16]),
        ..one_row(P1111, 16, 16)
    };
    for (choice, padding) in [("zero", short(0)), ("kept", Slot::Kept)] {
        let r = with(&[("mask-p1111-padding", choice)]);
        let found = masked(&call, A5, &r);
        assert_eq!([&found[15], &found[32]], [&short(16), &short(17)]);
        for at in [16, 31, 48, 64, 127] {
            assert_eq!(found[at], padding, "{at}");
        }
        // The other patterns do not look at it.
        let found = masked(&one_row(P0101, 2, 4), A5, &r);
        assert_eq!(found[63], short(0));
    }
}

#[test]
fn along_columns_whole_rows_move() {
    // Source row i goes to row 4 * i + 2; of the CPU's padding nothing is said.
    let call = TscatterMask {
        dst: tile(DType::Half, [8, 16], [8, 3]),
        src: tile(DType::Half, [2, 16], [2, 3]),
        pattern: P0100,
        axis: MaskAxis::Col,
    };
    let found = masked(&call, Cpu, &suite());
    for (r, row) in found.chunks(16).enumerate() {
        let expected = match r {
            2 => [1, 2, 3],
            6 => [17, 18, 19],
            _ => [0; 3],
        };
        assert_eq!(row[..3], expected.map(short), "row {r}");
        assert_eq!(row[3..], vec![Slot::Anything; 13]);
    }
}

#[test]
fn what_is_cited() {
    // half [2,8] into [4,32] valid [2,16]: where the CPU has the form, the other
    // targets tell that it may differ in the padding (TSCATTER-GAP-09).
    let call = Call::TscatterMask(TscatterMask {
        dst: tile(DType::Half, [4, 32], [2, 16]),
        src: tile(DType::Half, [2, 16], [2, 8]),
        ..one_row(P0101, 16, 16)
    });
    let operands = [(Role::Destination, &[0; 256][..]), (Role::Source, &[0; 64])];
    for (target, r, padding, differs) in [
        (Cpu, suite(), "TSCATTER-GAP-09", true),
        (A2a3, suite(), "TSCATTER-MASK-11", true),
        (A5, suite(), "TSCATTER-MASK-11", true),
        (A5, Readings::default(), "TSCATTER-MASK-11", false),
    ] {
        let p = answer(&call, &operands, target, &r);
        let all: Vec<_> = runs(&p, Role::Destination)[..2]
            .iter()
            .map(|run| (run.clause.0, run.freedom))
            .collect();
        let freed = differs.then_some(Clause("TSCATTER-GAP-09"));
        assert_eq!(all, [("TSCATTER-MASK-01", None), (padding, freed)]);
        assert!(p.operands.iter().all(|o| o.guards_free.is_none()));
    }
    // TSCATTER-GAP-13 for a plain move, -MASK-11 for the others.
    for (pattern, cols, kept) in [
        (P1111, 16, "TSCATTER-GAP-13"),
        (P0101, 8, "TSCATTER-MASK-11"),
    ] {
        let call = Call::TscatterMask(one_row(pattern, cols, 16));
        let operands = [(Role::Destination, &[0; 128][..]), (Role::Source, &[0; 32])];
        let p = answer(&call, &operands, A5, &Readings::default());
        assert_eq!(p.operands[0].kept.0, kept);
    }
}

#[test]
fn no_extent_leaves_the_fill() {
    // TSCATTER-GAP-20.
    let mut call = one_row(P1010, 2, 4);
    (call.src.valid_col, call.dst.valid_col) = (Dim::Dynamic(0), Dim::Dynamic(0));
    let found = masked(&call, A5, &Readings::default());
    assert_eq!(found, vec![short(0); 64]);
}
