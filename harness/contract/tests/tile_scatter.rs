//! TSCATTER: what the register's witnesses and hand calculation say.

use crate::common::{calls::*, scatters::up_to, *};
use ptodiff_contract::{Feeder, data_preconditions, feeders};
use ptodiff_isa::*;

use Target::{A2a3, A5, Cpu};

const ALL: [Target; 3] = [Cpu, A2a3, A5];

/// float [1,8] valid [1,`cols`] into [2,8].
fn eight(cols: u64) -> TscatterIndex {
    TscatterIndex {
        dst: tile(DType::Float, [2, 8], [2, 8]),
        src: tile(DType::Float, [1, 8], [1, cols]),
        idx: tile(DType::Int32, [1, 8], [1, cols]),
    }
}

fn scattered(
    call: &TscatterIndex,
    src: &[f32],
    idx: &[i64],
    target: Target,
    readings: &Readings,
) -> Vec<Slot> {
    let dst = floats(&vec![9.0; (call.dst.rows * call.dst.cols) as usize]);
    moved(
        &Call::TscatterIndex(*call),
        [&dst, &floats(src), &words(idx)],
        target,
        readings,
    )
}

fn ones_to(n: usize) -> Vec<f32> {
    (1..=n).map(|i| i as f32).collect()
}

#[test]
fn offsets_count_storage() {
    let r = Readings::default();
    for target in ALL {
        // TSCATTER-SEM-01.
        let idx = [15, 14, 13, 12, 11, 10, 9, 8];
        let found = scattered(&eight(8), &ones_to(8), &idx, target, &r);
        let reversed: Vec<Slot> = (1..=8).rev().map(|v| Slot::float(v as f32)).collect();
        assert_eq!(found[8..], reversed);
        assert_eq!(found[..8], vec![Slot::Kept; 8]);
        // TSCATTER-SEM-02: decoys outside the valid region.
        let idx = [0, 1, 2, 9, 9, 9, 9, 99];
        let found = scattered(&eight(3), &ones_to(8), &idx, target, &r);
        assert_eq!(found[..3], [1.0, 2.0, 3.0].map(Slot::float));
        assert_eq!(found[3..], vec![Slot::Kept; 13]);
        // TSCATTER-SEM-04: row 1 begins after 16 padded columns.
        let mut call = eight(1);
        call.dst = tile(DType::Float, [2, 16], [2, 8]);
        let idx = [16, 0, 0, 0, 0, 0, 0, 0];
        let found = scattered(&call, &ones_to(8), &idx, target, &r);
        assert_eq!(found[16], Slot::float(1.0));
        // TSCATTER-GAP-07: storage order of a ColMajor tile too.
        call.dst = col_major(DType::Float, [8, 4], [8, 4]);
        let idx = [1, 0, 0, 0, 0, 0, 0, 0];
        let found = scattered(&call, &ones_to(8), &idx, target, &r);
        assert_eq!(found[1], Slot::float(1.0));
    }
}

#[test]
fn colliding_elements() {
    // TSCATTER-CONF-01 to -03.
    let idx = [0; 8];
    let r = Readings::default();
    let call = eight(2);
    // 1 or 2.
    let either = Slot::any_word(&[0x3F80_0000, 0x4000_0000]);
    for target in [A2a3, A5] {
        let found = scattered(&call, &ones_to(8), &idx, target, &r);
        assert_eq!(found[0], either);
    }
    assert_eq!(
        scattered(&call, &ones_to(8), &idx, Cpu, &r)[0],
        Slot::float(2.0)
    );
    let operands = [
        (Role::Destination, &[0; 64][..]),
        (Role::Source, &floats(&ones_to(8))),
        (Role::Index, &words(&idx)),
    ];
    for (target, clause, freedom) in [
        (A5, "TSCATTER-CONF-02", "TSCATTER-CONF-02"),
        (Cpu, "TSCATTER-CONF-03", "TSCATTER-CONF-01"),
    ] {
        let p = answer(&Call::TscatterIndex(call), &operands, target, &r);
        let run = &runs(&p, Role::Destination)[0];
        assert_eq!((run.clause.0, run.freedom), (clause, Some(Clause(freedom))));
        assert_eq!(run.or_kept, None);
        assert!(runs(&p, Role::Source).is_empty() && runs(&p, Role::Index).is_empty());
    }
    // The last one in row-major order, whatever the layout.
    let down = TscatterIndex {
        src: col_major(DType::Float, [2, 2], [2, 2]),
        idx: col_major(DType::Int32, [2, 2], [2, 2]),
        ..call
    };
    // Positions (0,0), (1,0), (0,1), (1,1) in storage; (0,1) and (1,0) collide.
    let found = scattered(&down, &ones_to(4), &[1, 0, 0, 2], Cpu, &r);
    assert_eq!(found[0], Slot::float(2.0));
}

#[test]
fn slots_that_no_index_addresses() {
    // TSCATTER-GAP-02.
    let idx = [8, 10, 11, 12, 13, 14, 15, 9];
    for (tscatter_unaddressed, expected) in [
        (Unaddressed::Kept, Slot::Kept),
        (Unaddressed::Zero, Slot::float(0.0)),
        (Unaddressed::Undefined, Slot::Anything),
    ] {
        let r = Readings {
            tscatter_unaddressed,
            ..Readings::default()
        };
        for target in ALL {
            let found = scattered(&eight(7), &ones_to(8), &idx, target, &r);
            assert_eq!(found[..8], vec![expected.clone(); 8]);
            assert_eq!(found[8], Slot::float(1.0));
            assert_eq!(found[9], expected);
            assert_eq!(found[15], Slot::float(7.0));
        }
    }
}

fn preconditions(
    call: &TscatterIndex,
    idx: &[u8],
    target: Target,
    r: &Readings,
) -> Vec<&'static str> {
    let m = memory(&[(Role::Index, idx)]);
    data_preconditions(&Call::TscatterIndex(*call), &[&m], target, r)
        .iter()
        .map(|b| b.clause.0)
        .collect()
}

#[test]
fn an_index_out_of_range_takes_every_promise_away() {
    // TSCATTER-OOB-01, TSCATTER-GAP-08.
    let call = eight(2);
    let r = Readings::default();
    let idx = words(&[0, 16, 0, 0, 0, 0, 0, 0]);
    for (target, clause) in [
        (A2a3, "TSCATTER-OOB-01"),
        (A5, "TSCATTER-OOB-01"),
        (Cpu, "TSCATTER-GAP-08"),
    ] {
        let operands = [
            (Role::Destination, &[0; 64][..]),
            (Role::Source, &floats(&ones_to(8))),
            (Role::Index, &idx),
        ];
        let p = answer(&Call::TscatterIndex(call), &operands, target, &r);
        let found = slots(&p, Role::Destination, 64);
        assert_eq!(found, vec![Slot::Anything; 16]);
        assert_eq!(p.operands[0].guards_free.map(|c| c.0), Some(clause));
        assert_eq!(p.operands[1].guards_free, None);
        assert_eq!(p.oob_accesses.map(|c| c.0), Some(clause));
        assert_eq!(preconditions(&call, &idx, target, &r), [clause]);
        let good = words(&[0, 15, 99, 0, 0, 0, 0, 0]);
        assert_eq!(preconditions(&call, &good, target, &r), [""; 0]);
    }
}

#[test]
fn padding_may_be_addressed_or_not() {
    // TSCATTER-GAP-05: slot 8 of [2,16] is padding where [2,8] is valid.
    let mut call = eight(1);
    call.dst = tile(DType::Float, [2, 16], [2, 8]);
    let valid = Readings {
        tscatter_range: ScatterRange::Valid,
        ..Readings::default()
    };
    for (slot, broken) in [(7, 0), (8, 1), (16, 0), (23, 0), (24, 1)] {
        let idx = [slot, 0, 0, 0, 0, 0, 0, 0];
        let found = scattered(&call, &ones_to(8), &idx, A5, &Readings::default());
        assert_eq!(found[slot as usize], Slot::float(1.0));
        assert_eq!(preconditions(&call, &words(&idx), A5, &valid).len(), broken);
        let found = scattered(&call, &ones_to(8), &idx, A5, &valid);
        assert_eq!(found[0] == Slot::Anything, broken == 1);
    }
}

#[test]
fn negative_indices() {
    // TSCATTER-GAP-06: int16 -1 is 65535 when read as unsigned.
    let call = TscatterIndex {
        dst: tile(DType::Int8, [1, 1 << 16], [1, 1 << 16]),
        src: tile(DType::Int8, [1, 32], [1, 1]),
        idx: tile(DType::Int16, [1, 16], [1, 1]),
    };
    let idx = halves(&[0xFFFF; 16]);
    let dst = vec![0; 1 << 16];
    for (negative_index, target, placed) in [
        (NegativeIndex::Unsigned, A5, true),
        (NegativeIndex::Signed, A5, false),
        (NegativeIndex::Intended, A2a3, false),
        (NegativeIndex::Unsigned, Cpu, true),
        (NegativeIndex::Signed, Cpu, false),
        (NegativeIndex::Intended, Cpu, false),
    ] {
        let r = Readings {
            negative_index,
            ..Readings::default()
        };
        let found = moved(
            &Call::TscatterIndex(call),
            [&dst, &[7; 32], &idx],
            target,
            &r,
        );
        if placed {
            assert_eq!(found[65535], Slot::One(vec![7]));
            assert_eq!(found[0], Slot::Kept);
        } else {
            assert_eq!(found[0], Slot::Anything);
        }
        assert_eq!(preconditions(&call, &idx, target, &r).is_empty(), placed);
    }
}

#[test]
fn widths_and_regions() {
    // Eight bytes by four, as the suite has it on A5.
    let wide = TscatterIndex {
        dst: tile(DType::Int64, [1, 4], [1, 4]),
        src: tile(DType::Int64, [1, 4], [1, 2]),
        idx: tile(DType::Uint32, [1, 8], [1, 2]),
    };
    let src: Vec<u8> = (0..32).collect();
    let idx = words(&[3, 1, 0, 0, 0, 0, 0, 0]);
    let found = moved(
        &Call::TscatterIndex(wide),
        [&[0; 32], &src, &idx],
        A5,
        &suite(),
    );
    assert_eq!(found[3], Slot::One((0..8).collect()));
    assert_eq!(found[1], Slot::One((8..16).collect()));
    // TSCATTER-GAP-03 (b): one row of indices for two of the source.
    let two = TscatterIndex {
        src: tile(DType::Float, [2, 8], [2, 8]),
        ..eight(8)
    };
    let by_index = Readings {
        tscatter_extent: ScatterExtent::Index,
        ..Readings::default()
    };
    let found = scattered(&two, &ones_to(16), &up_to(8), A5, &by_index);
    assert_eq!(found[7], Slot::float(8.0));
    assert_eq!(found[8..], vec![Slot::Kept; 8]);
    // TSCATTER-GAP-20: no extent, no write.
    let mut none = eight(8);
    none.src.valid_row = Dim::Dynamic(0);
    let found = scattered(&none, &ones_to(8), &[99; 8], A5, &Readings::default());
    assert_eq!(found, vec![Slot::Kept; 16]);
}

#[test]
fn narrow_indices_are_negative_by_their_own_sign() {
    // TSCATTER-GAP-06: 600 has a bit that in a narrower type were a sign.
    let call = Call::TscatterIndex(TscatterIndex {
        dst: tile(DType::Half, [1, 1024], [1, 1024]),
        src: tile(DType::Half, [1, 16], [1, 1]),
        idx: tile(DType::Int16, [1, 16], [1, 1]),
    });
    let signed = Readings {
        negative_index: NegativeIndex::Signed,
        ..Readings::default()
    };
    let mut idx = [0; 16];
    idx[0] = 600;
    let operands = [&[0; 2048][..], &halves(&[7; 16]), &halves(&idx)];
    let found = moved(&call, operands, A5, &signed);
    assert_eq!(found[600], short(7));
}

#[test]
fn feeders_of_a_slot() {
    let call = TscatterIndex {
        src: tile(DType::Float, [2, 8], [2, 2]),
        idx: tile(DType::Int32, [2, 8], [2, 2]),
        ..eight(2)
    };
    let mut idx = vec![5; 16];
    idx[1] = 3;
    let (m, old) = (words(&idx), words(&[0; 16]));
    let (m, old) = (memory(&[(Role::Index, &m)]), memory(&[(Role::Index, &old)]));
    let call = Call::TscatterIndex(call);
    let r = Readings::default();
    let found = feeders(&call, &[&old, &m], A5, &r, Role::Destination, 5);
    let at = |r, c| Feeder { step: 1, r, c };
    assert_eq!(found, [at(0, 0), at(1, 0), at(1, 1)]);
    assert_eq!(feeders(&call, &[&m], A5, &r, Role::Source, 5), []);
}
