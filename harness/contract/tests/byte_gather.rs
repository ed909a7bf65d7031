//! TGATHERB: what the register's witnesses and hand calculation say.

use crate::common::{calls::*, *};
use ptodiff_contract::{Feeder, data_preconditions, feeders};
use ptodiff_isa::*;

use Target::{A2a3, A5, Cpu};

const ALL: [Target; 3] = [Cpu, A2a3, A5];

/// int32 [1,8] valid [1,`cols`] from [1,8].
fn eight(cols: u64) -> Tgatherb {
    Tgatherb {
        dst: tile(DType::Int32, [1, 8], [1, cols]),
        src: tile(DType::Int32, [1, 8], [1, 8]),
        offset: tile(DType::Uint32, [1, 8], [1, cols]),
    }
}

fn gathered(
    call: &Tgatherb,
    src: &[u8],
    offsets: &[i64],
    target: Target,
    readings: &Readings,
) -> Vec<Slot> {
    let len = (call.dst.rows * call.dst.cols) as usize * call.dst.dtype.size();
    moved(
        &Call::Tgatherb(*call),
        [&vec![0x55; len], src, &words(offsets)],
        target,
        readings,
    )
}

fn tens() -> Vec<u8> {
    words(&[10, 11, 12, 13, 14, 15, 16, 17])
}

#[test]
fn offsets_count_bytes() {
    let r = Readings::default();
    for target in ALL {
        // TGATHERB-SEM-01.
        let offsets = [0, 4, 28, 8, 0, 0, 24, 20];
        let found = gathered(&eight(8), &tens(), &offsets, target, &r);
        assert_eq!(found, [10, 11, 17, 12, 10, 10, 16, 15].map(Slot::word));
        // TGATHERB-SEM-02, -GAP-07.
        let found = gathered(&eight(5), &tens(), &offsets, target, &r);
        assert_eq!(found[5..], vec![Slot::Kept; 3]);
        // TGATHERB-INDEX-02.
        let half = Tgatherb {
            dst: tile(DType::Half, [1, 16], [1, 1]),
            src: tile(DType::Half, [1, 16], [1, 16]),
            ..eight(1)
        };
        let src = halves(&(1..17).collect::<Vec<_>>());
        let found = gathered(&half, &src, &[2, 0, 0, 0, 0, 0, 0, 0], target, &r);
        assert_eq!(found[0], short(2));
    }
}

#[test]
fn out_of_range_is_open_or_clamped() {
    let r = Readings::default();
    // TGATHERB-OOB-01, -OOB-02, -INDEX-01: 29 does not fit wholly.
    let offsets = [0, 32, 0xFFFF_FFFC, 29, 28, 0, 0, 0];
    for target in [A2a3, A5] {
        let found = gathered(&eight(5), &tens(), &offsets, target, &r);
        assert_eq!([&found[0], &found[4]], [&Slot::word(10), &Slot::word(17)]);
        assert_eq!(found[1..4], vec![Slot::Anything; 3]);
    }
    let found = gathered(&eight(5), &tens(), &offsets, Cpu, &r);
    assert_eq!(found[..5], [10, 17, 17, 17, 17].map(Slot::word));
    let m = memory(&[
        (Role::Destination, &[0; 32]),
        (Role::Source, &tens()),
        (Role::Index, &words(&offsets)),
    ]);
    let call = Call::Tgatherb(eight(5));
    for (target, oob_accesses) in [(A5, Some(Clause("TGATHERB-OOB-01"))), (Cpu, None)] {
        let p = ptodiff_contract::permits(&call, &[&m], target, &r).unwrap();
        assert_eq!(p.oob_accesses, oob_accesses);
        assert_eq!(p.operands[0].guards_free, None);
        assert_eq!(data_preconditions(&call, &[&m], target, &r), []);
    }
}

#[test]
fn the_source_ends_with_its_allocation_or_its_valid_region() {
    // TGATHERB-GAP-02, -03: [2,16] valid [2,8]; the last valid element is at 92.
    let call = Tgatherb {
        src: tile(DType::Int32, [2, 16], [2, 8]),
        ..eight(4)
    };
    let src = words(&(0..32).collect::<Vec<_>>());
    let offsets = [32, 92, 96, 1000, 0, 0, 0, 0];
    for (tgatherb_boundary, npu, cpu) in [
        (OffsetBoundary::Allocation, 3, [8, 23, 24, 31]),
        (OffsetBoundary::Valid, 2, [8, 23, 23, 23]),
    ] {
        let r = Readings {
            tgatherb_boundary,
            ..Readings::default()
        };
        let found = gathered(&call, &src, &offsets, A5, &r);
        assert_eq!(found[..npu], cpu.map(Slot::word)[..npu]);
        assert_eq!(found[npu..4], vec![Slot::Anything; 4 - npu]);
        let found = gathered(&call, &src, &offsets, Cpu, &r);
        assert_eq!(found[..4], cpu.map(Slot::word));
    }
    // ColMajor [16,2] valid [8,2]: the last valid element is number 16 + 7.
    let down = Tgatherb {
        src: col_major(DType::Int32, [16, 2], [8, 2]),
        ..call
    };
    let r = Readings {
        tgatherb_boundary: OffsetBoundary::Valid,
        ..Readings::default()
    };
    let found = gathered(&down, &src, &offsets, Cpu, &r);
    assert_eq!(found[..4], [8, 23, 23, 23].map(Slot::word));
}

#[test]
fn offsets_between_elements() {
    // TGATHERB-GAP-01.
    let call = Tgatherb {
        dst: tile(DType::Uint16, [1, 16], [1, 1]),
        src: tile(DType::Uint16, [1, 2], [1, 2]),
        ..eight(1)
    };
    for (tgatherb_unaligned, expected) in [
        (UnalignedOffset::ByteExact, short(0x0302)),
        (UnalignedOffset::RoundedDown, short(0x0201)),
        (UnalignedOffset::Undefined, Slot::Anything),
    ] {
        let r = Readings {
            tgatherb_unaligned,
            ..Readings::default()
        };
        for target in ALL {
            let found = gathered(&call, &[1, 2, 3, 4], &[1, 0, 0, 0, 0, 0, 0, 0], target, &r);
            assert_eq!(found[0], expected);
            // 3 reaches past the end only when read from that very byte.
            let found = gathered(&call, &[1, 2, 3, 4], &[3, 0, 0, 0, 0, 0, 0, 0], target, &r);
            match (tgatherb_unaligned, target) {
                (UnalignedOffset::Undefined, _) => assert_eq!(found[0], Slot::Anything),
                (UnalignedOffset::ByteExact, A2a3 | A5) => assert_eq!(found[0], Slot::Anything),
                _ => assert_eq!(found[0], short(0x0403)),
            }
        }
    }
}

#[test]
fn each_tile_is_walked_by_its_own_layout() {
    // TGATHERB-GAP-06, -10: dst ColMajor [8,2], offsets RowMajor [2,16] with decoys.
    let call = Tgatherb {
        dst: col_major(DType::Int32, [8, 2], [2, 2]),
        offset: tile(DType::Int32, [2, 16], [2, 3]),
        ..eight(8)
    };
    let mut offsets = vec![28; 32];
    (offsets[0], offsets[1], offsets[16], offsets[17]) = (0, 4, 8, 12);
    for target in [Cpu, A5] {
        let found = gathered(&call, &tens(), &offsets, target, &Readings::default());
        assert_eq!(found[..2], [10, 12].map(Slot::word));
        assert_eq!(found[8..10], [11, 13].map(Slot::word));
        assert_eq!(found[2..8], vec![Slot::Kept; 6]);
    }
}

#[test]
fn by_blocks() {
    // TGATHERB-GAP-14: int32 dst [2,16] valid [2,12] from three blocks of eight.
    let call = Tgatherb {
        dst: tile(DType::Int32, [2, 16], [2, 12]),
        src: tile(DType::Int32, [3, 8], [3, 8]),
        offset: tile(DType::Uint32, [2, 8], [2, 2]),
    };
    let src = words(&(0..24).collect::<Vec<_>>());
    let r = Readings {
        tgatherb_granularity: OffsetGranularity::Block,
        ..Readings::default()
    };
    let mut offsets = vec![0; 16];
    // Row 0: blocks 2 and 0. Row 1: from byte 4, and one that does not fit.
    (offsets[0], offsets[1], offsets[8], offsets[9]) = (64, 0, 4, 68);
    for target in ALL {
        let found = gathered(&call, &src, &offsets, target, &r);
        let words = |from: i64, n: i64| (from..from + n).map(Slot::word).collect::<Vec<_>>();
        assert_eq!(found[..8], words(16, 8));
        assert_eq!(found[8..12], words(0, 4));
        // TGATHERB-GAP-07: the rest of a block may change.
        assert_eq!(found[12..16], vec![Slot::Anything; 4]);
        assert_eq!(found[16..24], words(1, 8));
        let last = match target {
            Cpu => words(16, 4),
            A2a3 | A5 => vec![Slot::Anything; 4],
        };
        assert_eq!(found[24..28], last);
    }
    let down = Readings {
        tgatherb_unaligned: UnalignedOffset::RoundedDown,
        ..r
    };
    let found = gathered(&call, &src, &offsets, A5, &down);
    assert_eq!(found[16], Slot::word(0));
    assert_eq!(found[24], Slot::word(16));
    // A row that ends within a block touches no other row.
    let narrow = Tgatherb {
        dst: tile(DType::Int32, [2, 12], [2, 9]),
        ..call
    };
    let found = gathered(&narrow, &src, &offsets, A5, &r);
    assert_eq!(found[8], Slot::word(0));
    assert_eq!(found[9..12], vec![Slot::Anything; 3]);
    assert_eq!(found[12], Slot::word(1));
}

#[test]
fn blocks_out_of_range_of_a_source_of_no_whole_blocks() {
    // TGATHERB-GAP-02: of 27 words the last eight are delivered. Valid ones end
    // with the third of the second row, word 11.
    let call = Tgatherb {
        dst: tile(DType::Int32, [1, 8], [1, 8]),
        src: tile(DType::Int32, [3, 9], [2, 3]),
        offset: tile(DType::Uint32, [1, 8], [1, 1]),
    };
    let src = words(&(0..27).collect::<Vec<_>>());
    let clamped = |boundary, offset, target| {
        let r = Readings {
            tgatherb_granularity: OffsetGranularity::Block,
            tgatherb_boundary: boundary,
            ..Readings::default()
        };
        gathered(&call, &src, &[offset; 8], target, &r)
    };
    let from = |first: i64| (first..first + 8).map(Slot::word).collect::<Vec<_>>();
    for (boundary, first) in [(OffsetBoundary::Allocation, 19), (OffsetBoundary::Valid, 4)] {
        for offset in [96, 1 << 20, 0xFFFF_FFFF] {
            assert_eq!(clamped(boundary, offset, Cpu), from(first));
            assert_eq!(clamped(boundary, offset, A5), vec![Slot::Anything; 8]);
        }
    }
    // No block at all.
    let short = Tgatherb {
        src: tile(DType::Int32, [1, 7], [1, 7]),
        ..call
    };
    let r = Readings {
        tgatherb_granularity: OffsetGranularity::Block,
        ..Readings::default()
    };
    let found = gathered(&short, &src[..28], &[0; 8], Cpu, &r);
    assert_eq!(found, vec![Slot::Anything; 8]);
}

#[test]
fn feeders_are_the_slots_own_lanes() {
    let call = Call::Tgatherb(eight(5));
    let m = memory(&[]);
    let r = Readings::default();
    let of = |element| feeders(&call, &[&m], A5, &r, Role::Destination, element);
    assert_eq!(
        of(4),
        [Feeder {
            step: 0,
            r: 0,
            c: 4
        }]
    );
    assert_eq!(of(5), []);
}
