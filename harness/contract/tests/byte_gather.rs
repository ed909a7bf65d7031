//! TGATHERB: what the register's witnesses and hand calculation say.

use crate::common::{calls::*, choices::with, said::*, *};
use ptodiff_isa::*;

use DType::{Half, Int32, Uint16, Uint32};
use Target::{A2a3, A5, Cpu};

const ALL: [Target; 3] = [Cpu, A2a3, A5];

/// int32 [1,8] valid [1,`cols`] from [1,8].
fn eight(cols: u64) -> Tgatherb {
    Tgatherb {
        dst: tile(Int32, [1, 8], [1, cols]),
        src: tile(Int32, [1, 8], [1, 8]),
        offset: tile(Uint32, [1, 8], [1, cols]),
    }
}

fn said(
    call: &Tgatherb,
    src: &[u8],
    offsets: &[i64],
    target: Target,
    choices: &[(&str, &str)],
) -> Said {
    let len = (call.dst.rows * call.dst.cols) as usize * call.dst.dtype.size();
    let m = memory(&[
        (Role::Destination, &vec![POISON; len]),
        (Role::Source, src),
        (Role::Index, &filled_up(offsets, &call.offset)),
    ]);
    Said::of(&Call::Tgatherb(*call), &[&m], target, &with(choices))
}

/// From words that hold their number.
fn counted(
    call: &Tgatherb,
    offsets: &[i64],
    target: Target,
    choices: &[(&str, &str)],
) -> Vec<Slot> {
    let n = (call.src.rows * call.src.cols) as i64;
    let src = words(&(0..n).collect::<Vec<_>>());
    said(call, &src, offsets, target, choices).slots
}

#[test]
fn offsets_count_bytes() {
    for target in ALL {
        // TGATHERB-SEM-01, -SEM-02, -GAP-07.
        let offsets = [0, 4, 28, 8, 0, 0, 24, 20];
        let found = counted(&eight(7), &offsets, target, &[]);
        assert_eq!(found[..7], [0, 1, 7, 2, 0, 0, 6].map(Slot::word));
        assert_eq!(found[7], Slot::Kept);
        // TGATHERB-INDEX-02.
        let half = Tgatherb {
            dst: tile(Half, [1, 16], [1, 1]),
            src: tile(Half, [1, 16], [1, 16]),
            ..eight(1)
        };
        let src = halves(&(1..17).collect::<Vec<_>>());
        assert_eq!(said(&half, &src, &[2], target, &[]).slots[0], short(2));
    }
}

#[test]
fn out_of_range_is_open_or_clamped() {
    // TGATHERB-OOB-01, -OOB-02, -INDEX-01: 29 does not fit wholly.
    let offsets = [0, 32, 0xFFFF_FFFC, 29, 28];
    let any = Slot::Anything;
    for target in ALL {
        let src = words(&[10, 11, 12, 13, 14, 15, 16, 17]);
        let found = said(&eight(5), &src, &offsets, target, &[]);
        let (expected, excused) = match target {
            Cpu => ([10, 17, 17, 17, 17].map(Slot::word), None),
            A2a3 | A5 => (
                [
                    Slot::word(10),
                    any.clone(),
                    any.clone(),
                    any.clone(),
                    Slot::word(17),
                ],
                Some("TGATHERB-OOB-01"),
            ),
        };
        assert_eq!(found.slots[..5], expected);
        assert_eq!(found.excused(), excused);
        assert_eq!(found.permits.operands[0].guards_free, None);
        assert_eq!(found.broken, []);
    }
}

#[test]
fn the_source_ends_with_its_allocation_or_its_valid_region() {
    // TGATHERB-GAP-02, -03: [2,16] valid [2,8]; the last valid element is at 92.
    let call = Tgatherb {
        src: tile(Int32, [2, 16], [2, 8]),
        ..eight(4)
    };
    let offsets = [32, 92, 96, 1000];
    for (choice, npu, cpu) in [
        ("allocation", 3, [8, 23, 24, 31]),
        ("valid", 2, [8, 23, 23, 23]),
    ] {
        let choices = [("tgatherb-boundary", choice)];
        let found = counted(&call, &offsets, A5, &choices);
        assert_eq!(found[..npu], cpu.map(Slot::word)[..npu]);
        assert_eq!(found[npu..4], vec![Slot::Anything; 4 - npu]);
        let found = counted(&call, &offsets, Cpu, &choices);
        assert_eq!(found[..4], cpu.map(Slot::word));
    }
    // ColMajor [16,2] valid [8,2]: the last valid element is number 16 + 7.
    let down = Tgatherb {
        src: col_major(Int32, [16, 2], [8, 2]),
        ..call
    };
    let found = counted(&down, &offsets, Cpu, &[("tgatherb-boundary", "valid")]);
    assert_eq!(found[..4], [8, 23, 23, 23].map(Slot::word));
}

#[test]
fn offsets_between_elements() {
    // TGATHERB-GAP-01.
    let call = Tgatherb {
        dst: tile(Uint16, [1, 16], [1, 1]),
        src: tile(Uint16, [1, 2], [1, 2]),
        ..eight(1)
    };
    // 3 reaches past the end only when read from that very byte.
    let any = Slot::Anything;
    for (choice, at_1, at_3, at_3_on_cpu) in [
        ("byte-exact", short(0x0302), &any, short(0x0403)),
        ("rounded-down", short(0x0201), &short(0x0403), short(0x0403)),
        ("undefined", Slot::Anything, &any, Slot::Anything),
    ] {
        for target in ALL {
            let choices = [("tgatherb-unaligned", choice)];
            let at =
                |offset| said(&call, &[1, 2, 3, 4], &[offset], target, &choices).slots[0].clone();
            assert_eq!(at(1), at_1);
            let expected = if target == Cpu { &at_3_on_cpu } else { at_3 };
            assert_eq!(at(3), *expected, "{choice} {target}");
        }
    }
}

#[test]
fn by_blocks() {
    // TGATHERB-GAP-14: int32 dst [2,16] valid [2,12] from three blocks of eight.
    let call = Tgatherb {
        dst: tile(Int32, [2, 16], [2, 12]),
        src: tile(Int32, [3, 8], [3, 8]),
        offset: tile(Uint32, [2, 8], [2, 2]),
    };
    let block = ("tgatherb-granularity", "block");
    // Row 0: blocks 2 and 0. Row 1: from byte 4, and one that does not fit.
    let offsets = [64, 0, 0, 0, 0, 0, 0, 0, 4, 68];
    let from = |first: i64, n: i64| (first..first + n).map(Slot::word).collect::<Vec<_>>();
    for target in ALL {
        let found = counted(&call, &offsets, target, &[block]);
        assert_eq!(found[..8], from(16, 8));
        assert_eq!(found[8..12], from(0, 4));
        // TGATHERB-GAP-07: the rest of a block may change.
        assert_eq!(found[12..16], vec![Slot::Anything; 4]);
        assert_eq!(found[16..24], from(1, 8));
        let last = match target {
            Cpu => from(16, 4),
            A2a3 | A5 => vec![Slot::Anything; 4],
        };
        assert_eq!(found[24..28], last);
    }
    let down = [block, ("tgatherb-unaligned", "rounded-down")];
    let found = counted(&call, &offsets, A5, &down);
    assert_eq!([&found[16], &found[24]], [&Slot::word(0), &Slot::word(16)]);
    // A row that ends within a block touches no other row.
    let narrow = Tgatherb {
        dst: tile(Int32, [2, 12], [2, 9]),
        ..call
    };
    let found = counted(&narrow, &offsets, A5, &[block]);
    assert_eq!(found[8], Slot::word(0));
    assert_eq!(found[9..12], vec![Slot::Anything; 3]);
    assert_eq!(found[12], Slot::word(1));
}

#[test]
fn blocks_out_of_range_of_a_source_of_no_whole_blocks() {
    // TGATHERB-GAP-02: of 27 words the last eight are delivered. Valid ones end
    // with the third of the second row, word 11.
    let call = Tgatherb {
        dst: tile(Int32, [1, 8], [1, 8]),
        src: tile(Int32, [3, 9], [2, 3]),
        offset: tile(Uint32, [1, 8], [1, 1]),
    };
    let block = ("tgatherb-granularity", "block");
    for (boundary, first) in [("allocation", 19), ("valid", 4)] {
        let choices = [block, ("tgatherb-boundary", boundary)];
        for offset in [96, 1 << 20, 0xFFFF_FFFF] {
            let found = counted(&call, &[offset; 8], Cpu, &choices);
            let expected: Vec<_> = (first..first + 8).map(Slot::word).collect();
            assert_eq!(found, expected);
            let found = counted(&call, &[offset; 8], A5, &choices);
            assert_eq!(found, vec![Slot::Anything; 8]);
        }
    }
    // No block at all.
    let short = Tgatherb {
        src: tile(Int32, [1, 7], [1, 7]),
        ..call
    };
    let found = counted(&short, &[0; 8], Cpu, &[block]);
    assert_eq!(found, vec![Slot::Anything; 8]);
}
