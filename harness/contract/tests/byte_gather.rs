//! TGATHERB: what is said beside the values of slots, which the enumeration finds.

use crate::common::{choices::with, said::*, *};
use ptodiff_isa::*;

use DType::{Int32, Uint32};
use Target::{A2a3, A5, Cpu};

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

#[test]
fn by_which_clause_an_offset_is_served() {
    let any = "TGATHERB-OOB-01";
    let open = |clause| (clause, Some(clause));
    let [exact, down, undefined] =
        ["byte-exact", "rounded-down", "undefined"].map(|c| ("tgatherb-unaligned", c));
    let gap = "TGATHERB-GAP-01";
    // An element in range, at its own offset, out of range and between two.
    for (target, unaligned, offset, expected) in [
        (A2a3, exact, 4, ("TGATHERB-SEM-01", None)),
        (A5, exact, 32, open(any)),
        (Cpu, exact, 32, ("TGATHERB-OOB-02", None)),
        (A5, exact, 2, (gap, None)),
        (Cpu, down, 2, (gap, None)),
        (A5, undefined, 2, open(gap)),
    ] {
        let found = said(&eight(1), &[7; 32], &[offset], target, &[unaligned]);
        assert_eq!(found.cited(), [expected], "{target} {offset}");
        assert_eq!(found.excused(), expected.1);
        assert_eq!(found.permits.operands[0].guards_free, None);
        assert_eq!(found.permits.operands[0].kept.0, "TGATHERB-GAP-07");
        assert_eq!(found.broken, []);
    }
    // TGATHERB-GAP-02, -03: of a source of one valid element another boundary has
    // element 1 in range, and none element 8.
    let valid = [("tgatherb-boundary", "valid")];
    let one = Tgatherb {
        src: tile(Int32, [1, 8], [1, 1]),
        ..eight(1)
    };
    for (target, offset, expected) in [
        (Cpu, 4, ("TGATHERB-OOB-02", Some("TGATHERB-GAP-02"))),
        (Cpu, 32, ("TGATHERB-OOB-02", None)),
        (A5, 4, (any, Some("TGATHERB-GAP-03"))),
        (A5, 32, open(any)),
    ] {
        let found = said(&one, &[7; 32], &[offset], target, &valid);
        assert_eq!(found.cited(), [expected], "{target} {offset}");
    }
    // TGATHERB-GAP-14, and -07 for the rest of the block.
    let by_block = [("tgatherb-granularity", "block")];
    let found = said(&eight(3), &[7; 32], &[0], A5, &by_block);
    assert_eq!(
        found.cited(),
        [("TGATHERB-GAP-14", None), open("TGATHERB-GAP-07")]
    );
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
