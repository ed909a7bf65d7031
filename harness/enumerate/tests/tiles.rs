//! TSCATTER and TGATHERB: answers worked out by hand.

use crate::common::*;
use ptodiff_isa::*;

use DType::{Int8, Int32, Uint16};
use Target::{A2a3, A5, Cpu};

/// Elements 1 to 4 of a [2, 2] tile to six slots.
fn scattered(idx: [i64; 4], target: Target, choices: &[(&str, &str)]) -> String {
    let call = TscatterIndex {
        dst: tile(Int32, [2, 3], [1, 2]),
        src: tile(Int32, [2, 2], [2, 2]),
        idx: col_major(Int32, [2, 2], [2, 2]),
    };
    // The index tile is ColMajor: (0, 1) is its third element.
    let stored = [idx[0], idx[2], idx[1], idx[3]];
    let m = tiles(Int32, [&[9; 6], &[1, 2, 3, 4], &stored]);
    told(&Call::TscatterIndex(call), &[&m], target, choices)
}

#[test]
fn elements_by_index() {
    for (target, expected) in [
        (Cpu, "1 3 . . . 4"),
        (A2a3, "1 2|3 . . . 4"),
        (A5, "1 2|3 . . . 4"),
    ] {
        assert_eq!(scattered([0, 1, 1, 5], target, &[]), expected, "{target}");
    }
    let unaddressed = |choice| scattered([0, 1, 1, 5], Cpu, &[("tscatter-unaddressed", choice)]);
    assert_eq!(unaddressed("zero"), "1 3 0 0 0 4");
    assert_eq!(unaddressed("undefined"), "1 3 * * * 4");
}

#[test]
fn indices_out_of_range() {
    assert_eq!(scattered([0, 1, 2, 6], A5, &[]), "undefined");
    assert_eq!(scattered([0, 1, 2, -1], Cpu, &[]), "undefined");
    // Slot 5 is padding, slots 0 and 1 are not.
    let valid = [("tscatter-range", "valid")];
    assert_eq!(scattered([0, 1, 1, 5], Cpu, &valid), "undefined");
    assert_eq!(scattered([0, 1, 1, 0], Cpu, &valid), "4 3 . . . .");
}

#[test]
fn which_tile_tells_the_region() {
    // One source element of two indices, then two indices of three elements.
    let run = |extent, valid| {
        let call = TscatterIndex {
            dst: tile(Int8, [1, 4], [1, 4]),
            src: tile(Int8, [1, 3], [1, valid]),
            idx: tile(Uint16, [1, 2], [1, 2]),
        };
        // 16-bit indices 3 and 2 in one word.
        let m = tiles(Int8, [&[9; 4], &[5, 6, 7], &[0x0002_0003]]);
        let choices = [("tscatter-extent", extent)];
        told(&Call::TscatterIndex(call), &[&m], A5, &choices)
    };
    assert_eq!(run("source", 1), ". . . 5");
    assert_eq!(run("index", 3), ". . 6 5");
}

#[test]
fn a_negative_index_of_16_bits() {
    // -32768 is slot 32768, or none.
    let call = TscatterIndex {
        dst: tile(Int8, [1, 32_769], [1, 1]),
        src: tile(Int8, [1, 1], [1, 1]),
        idx: tile(DType::Int16, [1, 2], [1, 1]),
    };
    let m = tiles(Int8, [&[9; 32_769], &[5], &[0x8000]]);
    let run = |target, choice| {
        told(
            &Call::TscatterIndex(call),
            &[&m],
            target,
            &[("negative-index", choice)],
        )
    };
    assert!(run(A5, "unsigned").ends_with(" . 5"));
    assert_eq!(run(A5, "signed"), "undefined");
    assert_eq!(run(A2a3, "intended"), "undefined");
    // CPU is no exception.
    assert!(run(Cpu, "unsigned").ends_with(" . 5"));
    assert_eq!(run(Cpu, "signed"), "undefined");
    assert_eq!(run(Cpu, "intended"), "undefined");
}

#[test]
fn elements_by_mask() {
    use MaskPattern::{P0001, P0010, P0100, P0101, P1000, P1010, P1111};
    // 1 and 2 to a row, seven slots or nine, of which the last is padding.
    for (pattern, wide, expected) in [
        (P0101, 4, "1 0 2 0 0"),
        (P1010, 4, "0 1 0 2 0"),
        (P0001, 8, "1 0 0 0 2 0 0 0 0"),
        (P0010, 8, "0 1 0 0 0 2 0 0 0"),
        (P0100, 8, "0 0 1 0 0 0 2 0 0"),
        (P1000, 8, "0 0 0 1 0 0 0 2 0"),
        (P1111, 2, "1 2 0"),
    ] {
        let call = TscatterMask {
            dst: tile(Int32, [1, wide + 1], [1, wide]),
            src: tile(Int32, [1, 2], [1, 2]),
            pattern,
            axis: MaskAxis::Row,
        };
        let held = vec![9; wide as usize + 1];
        let m = memory(
            Int32,
            &[(Role::Destination, &held), (Role::Source, &[1, 2])],
        );
        let run = |target, choices| told(&Call::TscatterMask(call), &[&m], target, choices);
        assert_eq!(run(A5, &[]), expected, "{pattern}");
        assert_eq!(
            run(A2a3, &[("scope", "as-the-suite")]),
            expected,
            "{pattern}"
        );
        assert_eq!(run(Cpu, &[]), "the target has no such mask form");
        let kept = run(A5, &[("mask-p1111-padding", "kept")]);
        assert_eq!(kept, if pattern == P1111 { "1 2 ." } else { expected });
    }
    // Whole rows: source row 1 is destination row 3.
    let call = TscatterMask {
        dst: tile(Int32, [4, 1], [4, 1]),
        src: tile(Int32, [2, 1], [2, 1]),
        pattern: P1010,
        axis: MaskAxis::Col,
    };
    let m = memory(
        Int32,
        &[(Role::Destination, &[9; 4]), (Role::Source, &[1, 2])],
    );
    let suite = [("scope", "as-the-suite")];
    let run = |target| told(&Call::TscatterMask(call), &[&m], target, &suite);
    assert_eq!(run(Cpu), "0 1 0 2");
    assert_eq!(run(A5), "the target has no such mask form");
}

#[test]
fn masks_of_the_suite_on_cpu() {
    use MaskPattern::{P0101, P1111};
    // One element to a row of which the last slot is padding, as is the second row.
    let run = |dtype, pattern, wide, target, padding| {
        let call = TscatterMask {
            dst: tile(dtype, [2, wide + 1], [1, wide]),
            src: tile(dtype, [1, 1], [1, 1]),
            pattern,
            axis: MaskAxis::Row,
        };
        let held = vec![9; 2 * wide as usize + 2];
        let m = memory(dtype, &[(Role::Destination, &held), (Role::Source, &[3])]);
        let choices = [("scope", "as-the-suite"), ("mask-p1111-padding", padding)];
        told(&Call::TscatterMask(call), &[&m], target, &choices)
    };
    for dtype in [DType::Int16, DType::Half, Int32, DType::Float] {
        assert_eq!(run(dtype, P0101, 2, Cpu, "zero"), "3 0 * * * *", "{dtype}");
        assert_eq!(run(dtype, P0101, 2, A2a3, "zero"), "3 0 0 0 0 0", "{dtype}");
        assert_eq!(run(dtype, P1111, 1, Cpu, "kept"), "3 * * *", "{dtype}");
        assert_eq!(run(dtype, P1111, 1, A5, "kept"), "3 . . .", "{dtype}");
    }
    for dtype in [Int8, DType::Uint8, DType::Int64] {
        assert_eq!(run(dtype, P0101, 2, Cpu, "zero"), "undefined", "{dtype}");
        assert_eq!(run(dtype, P0101, 2, A5, "zero"), "3 0 0 0 0 0", "{dtype}");
    }
}

/// int32 [1, 4] valid [1, 3] from 10, 11, 12, 13, of which two are valid.
fn loaded(offsets: [i64; 3], target: Target, choices: &[(&str, &str)]) -> String {
    let call = Tgatherb {
        dst: tile(Int32, [1, 4], [1, 3]),
        src: tile(Int32, [1, 4], [1, 2]),
        offset: tile(DType::Uint32, [1, 3], [1, 3]),
    };
    let m = tiles(Int32, [&[9; 4], &[10, 11, 12, 13], &offsets]);
    told(&Call::Tgatherb(call), &[&m], target, choices)
}

#[test]
fn elements_by_offset() {
    for target in [Cpu, A2a3, A5] {
        assert_eq!(loaded([12, 0, 4], target, &[]), "13 10 11 .");
    }
    // Beyond the allocation, and beyond the valid elements.
    assert_eq!(loaded([16, 13, 0], A5, &[]), "* * 10 . !");
    assert_eq!(loaded([16, 13, -1], Cpu, &[]), "13 13 13 .");
    let valid = [("tgatherb-boundary", "valid")];
    assert_eq!(loaded([8, 4, 0], A2a3, &valid), "* 11 10 . !");
    assert_eq!(loaded([8, 4, 0], Cpu, &valid), "11 11 10 .");
}

#[test]
fn offsets_between_elements() {
    // Bytes 10 0 0 0 11 0 0 0: from byte 1 on 11 << 24, from byte 2 on 11 << 16.
    for (choice, expected) in [
        ("byte-exact", "184549376 720896 11 ."),
        ("rounded-down", "10 10 11 ."),
        ("undefined", "* * 11 . !"),
    ] {
        let choices = [("tgatherb-unaligned", choice)];
        assert_eq!(loaded([1, 2, 4], A5, &choices), expected, "{choice}");
    }
}

#[test]
fn blocks_by_offset() {
    // Ten columns of twelve: a block of eight, and one of which two are valid.
    let call = Tgatherb {
        dst: tile(Int32, [1, 12], [1, 10]),
        src: tile(Int32, [1, 16], [1, 16]),
        offset: tile(DType::Uint32, [1, 2], [1, 2]),
    };
    let src: Vec<_> = (10..26).collect();
    let run = |offsets: &[i64], target, choices: &[(&str, &str)]| {
        let m = tiles(Int32, [&[9; 12], &src, offsets]);
        let all = [&[("tgatherb-granularity", "block")], choices].concat();
        told(&Call::Tgatherb(call), &[&m], target, &all)
    };
    assert_eq!(run(&[32, 4], A5, &[]), "18 19 20 21 22 23 24 25 11 12 * *");
    let down = [("tgatherb-unaligned", "rounded-down")];
    assert_eq!(
        run(&[32, 4], A5, &down),
        "18 19 20 21 22 23 24 25 10 11 * *"
    );
    assert_eq!(run(&[36, 0], A2a3, &[]), "* * * * * * * * 10 11 * * !");
    assert_eq!(run(&[36, 0], Cpu, &[]), "18 19 20 21 22 23 24 25 10 11 * *");
}
