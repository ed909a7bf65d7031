//! TSCATTER by mask: what the register's witnesses and hand calculation say.

use crate::common::{calls::*, *};
use ptodiff_contract::{Feeder, feeders};
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

fn masked(call: &TscatterMask, target: Target, readings: &Readings) -> Vec<Slot> {
    let bytes = |t: &Tile| 2 * (t.rows * t.cols) as usize;
    // 1, 2, 3 and so on in storage order.
    let src: Vec<u16> = (1..=(call.src.rows * call.src.cols) as u16).collect();
    let dst = vec![0x55; bytes(&call.dst)];
    moved(
        &Call::TscatterMask(*call),
        [&dst, &halves(&src), &[]],
        target,
        readings,
    )
}

fn shorts(values: &[u16]) -> Vec<Slot> {
    values.iter().copied().map(short).collect()
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
        let call = one_row(pattern, 2, expected.len() as u64);
        for (target, r) in [
            (A5, Readings::default()),
            (A5, suite()),
            (A2a3, suite()),
            (Cpu, suite()),
        ] {
            let found = masked(&call, target, &r);
            assert_eq!(found[..expected.len()], shorts(expected), "{pattern}");
            // TSCATTER-MASK-11: the whole allocation is cleared, but of the CPU that is
            // not said (TSCATTER-GAP-09).
            let beyond = if target == Cpu {
                Slot::Anything
            } else {
                short(0)
            };
            let rest = vec![beyond; 64 - expected.len()];
            assert_eq!(found[expected.len()..], rest);
        }
    }
}

#[test]
fn only_where_the_form_exists() {
    for target in [A2a3, Cpu] {
        let found = masked(&one_row(P1010, 2, 4), target, &Readings::default());
        assert_eq!(found, vec![Slot::Anything; 64]);
    }
}

#[test]
fn everything_outside_the_valid_region_is_cleared() {
    // TSCATTER-MASK-11: dst [4,64] valid [2,32], src [4,16] valid [2,16].
    for dst in [
        tile(DType::Half, [4, 64], [2, 32]),
        col_major(DType::Half, [16, 64], [2, 32]),
    ] {
        for src in [
            tile(DType::Half, [4, 16], [2, 16]),
            col_major(DType::Half, [4, 16], [2, 16]),
        ] {
            let call = TscatterMask {
                dst,
                src,
                ..one_row(P1010, 16, 32)
            };
            let found = masked(&call, A5, &Readings::default());
            let place = |t: &Tile, r: usize, c: usize| match t.blayout {
                BLayout::RowMajor => r * t.cols as usize + c,
                BLayout::ColMajor => c * t.rows as usize + r,
            };
            for r in 0..dst.rows as usize {
                for c in 0..64 {
                    let taken = r < 2 && c < 32 && c % 2 == 1;
                    let value = if taken { place(&src, r, c / 2) + 1 } else { 0 };
                    assert_eq!(found[place(&dst, r, c)], short(value as u16));
                }
            }
        }
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
    for (mask_p1111_padding, padding) in [
        (MaskPadding::Zero, short(0)),
        (MaskPadding::Kept, Slot::Kept),
    ] {
        let r = Readings {
            mask_p1111_padding,
            ..Readings::default()
        };
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
    // Source row i goes to row 4 * i + 2.
    let call = TscatterMask {
        dst: tile(DType::Half, [8, 16], [8, 3]),
        src: tile(DType::Half, [2, 16], [2, 3]),
        pattern: P0100,
        axis: MaskAxis::Col,
    };
    let found = masked(&call, Cpu, &suite());
    for r in 0..8 {
        for c in 0..16 {
            // TSCATTER-GAP-09: of the CPU's padding nothing is said.
            let expected = match (r, c) {
                (2, 0..3) => short(1 + c as u16),
                (6, 0..3) => short(17 + c as u16),
                (_, 0..3) => short(0),
                _ => Slot::Anything,
            };
            assert_eq!(found[r * 16 + c], expected);
        }
    }
}

#[test]
fn padding_on_the_cpu() {
    // TSCATTER-GAP-09: half [4,32] valid [2,16], under every pattern and reading.
    let call = |pattern, cols| TscatterMask {
        dst: tile(DType::Half, [4, 32], [2, 16]),
        src: tile(DType::Half, [2, 16], [2, cols]),
        ..one_row(pattern, 16, 16)
    };
    for mask_p1111_padding in [MaskPadding::Zero, MaskPadding::Kept] {
        let r = Readings {
            mask_p1111_padding,
            ..suite()
        };
        for (pattern, cols) in [(P1111, 16), (P0101, 8), (P1000, 4)] {
            let call = call(pattern, cols);
            let found = masked(&call, Cpu, &r);
            for (at, slot) in found.iter().enumerate() {
                let valid = at < 64 && at % 32 < 16;
                assert_eq!(*slot == Slot::Anything, !valid, "{pattern} {at}");
            }
        }
    }
    // The other targets tell that the CPU may differ there, where it has the form.
    let operands = [(Role::Destination, &[0; 256][..]), (Role::Source, &[0; 64])];
    for (target, r, expected) in [
        (Cpu, suite(), ("TSCATTER-GAP-09", true)),
        (A2a3, suite(), ("TSCATTER-MASK-11", true)),
        (A5, suite(), ("TSCATTER-MASK-11", true)),
        (A5, Readings::default(), ("TSCATTER-MASK-11", false)),
    ] {
        let p = answer(&Call::TscatterMask(call(P0101, 8)), &operands, target, &r);
        let all = runs(&p, Role::Destination);
        let freed = expected.1.then_some(Clause("TSCATTER-GAP-09"));
        assert_eq!(
            (all[0].clause.0, all[0].freedom),
            ("TSCATTER-MASK-01", None)
        );
        assert_eq!((all[1].clause.0, all[1].freedom), (expected.0, freed));
        assert!(p.operands.iter().all(|o| o.guards_free.is_none()));
    }
}

#[test]
fn no_extent_leaves_the_fill() {
    // TSCATTER-GAP-20.
    let mut call = one_row(P1010, 2, 4);
    call.src.valid_col = Dim::Dynamic(0);
    call.dst.valid_col = Dim::Dynamic(0);
    let found = masked(&call, A5, &Readings::default());
    assert_eq!(found, vec![short(0); 64]);
    call.src.valid_row = Dim::Dynamic(0);
    call.dst.valid_row = Dim::Dynamic(0);
    let found = masked(&call, A5, &Readings::default());
    assert_eq!(found, vec![short(0); 64]);
}

#[test]
fn feeders_of_a_lane() {
    let call = Call::TscatterMask(one_row(P1010, 8, 16));
    let of = |element| {
        let m = memory(&[]);
        let r = Readings::default();
        feeders(&call, &[&m], A5, &r, Role::Destination, element)
    };
    let at = Feeder {
        step: 0,
        r: 0,
        c: 3,
    };
    assert_eq!(of(7), [at]);
    assert_eq!(of(6), [], "the fill comes from nowhere");
}
