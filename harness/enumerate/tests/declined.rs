//! What is too large, or not looked into: each with its reason.

use crate::common::{scatters::*, *};
use ptodiff_enumerate::world::build;
use ptodiff_isa::*;

use Coalesce::{Elem, Row};
use DType::Int32;
use Target::{A2a3, A5, Cpu};

const NEVER: &str = "a direct call may never return";

#[test]
fn what_is_too_large_is_not_begun() {
    let wide = tile(Int32, [1 << 20, 1 << 20], [1, 1]);
    let small = tile(Int32, [1, 1], [1, 1]);
    let m = operands(TILES, Int32, [&[0], &[0], &[0]]);
    for (dst, src) in [(wide, small), (small, wide)] {
        let call = Call::Tgatherb(Tgatherb {
            dst,
            src,
            offset: small,
        });
        assert_eq!(told(&call, &[&m], A5, &[]), "too large");
    }
    // One element that 2^40 numbers lead to.
    let dims = [[1, 1, 1 << 20, 1 << 20, 1], [0, 0, 0, 0, 1]];
    let table = tensor(Int32, Layout::ND, dims);
    let call = Call::Mgather(Mgather {
        oob: GatherOob::Zero,
        ..build::gather(small, table, small, Elem)
    });
    let m = operands(LOADS, Int32, [&[0], &[0], &[0]]);
    assert_eq!(told(&call, &[&m], A2a3, &[]), "too large");
    // The orders of thirteen stores, unless there is one order alone.
    let call = elements(13);
    assert_eq!(scattered(&call, &[2; 13], A5, &[]), "too large");
    assert_eq!(scattered(&call, &[2; 13], A2a3, &[]), ". . 13 .");
}

#[test]
fn scatters_that_are_not_looked_into() {
    let mut direct = elements(2);
    direct.launch.dispatch = Dispatch::Direct;
    assert_eq!(scattered(&direct, &[0, 1], A5, &[]), NEVER);
    assert_eq!(scattered(&direct, &[0, 1], A2a3, &[]), "1 2 . .");
    let (nz, m) = blocks(Row, [1, 16], &[-1]);
    let found = told(&Call::Mscatter(nz), &[&m], A5, &[]);
    assert_eq!(found, "a table whose layout the target does not have");
    let signed = [("negative-index", "signed")];
    let found = told(&Call::Mscatter(nz), &[&m], A2a3, &signed);
    assert_eq!(found, "where a negative row lies is not told");
    let call = Call::Mscatter(elements(2));
    assert_eq!(told(&call, &[], A5, &[]), "there is no step");
    let empty = memory(Int32, &[]);
    assert_eq!(told(&call, &[&empty], A5, &[]), "an operand is missing");
    let short = operands(STORES, Int32, [&[0; 4], &[1], &[0, 1]]);
    assert_eq!(told(&call, &[&short], A5, &[]), "an operand is too short");
    let mut stale = elements(2);
    stale.launch.flush = CacheFlush::Missing;
    let m = counted(Int32, 4, &[3, 1]);
    let found = told(&Call::Mscatter(stale), &[&m, &m], A5, &[]);
    assert_eq!(found, "several calls without a flush");
    let data = tile(Int32, [1, 2], [1, 2]);
    let call = Call::MscatterFirst(build::first(rows(Int32, 1, 4, 4), data, data));
    let found = told(&call, &[&m], A2a3, &[]);
    assert_eq!(found, "the first revision is A5's alone");
}

#[test]
fn gathers_that_are_not_looked_into() {
    let data = tile(Int32, [1, 8], [1, 2]);
    let mut direct = build::gather(data, rows(Int32, 1, 6, 6), data, Elem);
    let m = operands(LOADS, Int32, [&[5; 8], &[0; 6], &[0; 8]]);
    let short = operands(LOADS, Int32, [&[5; 6], &[0; 6], &[0; 8]]);
    let call = Call::Mgather(direct);
    let found = told(&call, &[&short], A5, &[]);
    assert_eq!(found, "an operand is too short");
    direct.launch.dispatch = Dispatch::Direct;
    assert_eq!(told(&Call::Mgather(direct), &[&m], A5, &[]), NEVER);
    // Three of eight columns, of which one reading keeps the others and one opens them.
    let blocks = Call::Mgather(build::gather(
        nz_tile(Int32, [16, 8], [1, 3]),
        tensor(Int32, Layout::NZ, [[1, 1, 1, 16, 8], [128, 128, 128, 8, 1]]),
        tile(Int32, [1, 1], [1, 1]),
        Row,
    ));
    let torn = [("nz-row-columns", "kept"), ("gather-padding", "undefined")];
    let m = operands(LOADS, Int32, [&[5; 128], &[0; 128], &[1]]);
    let found = told(&blocks, &[&m], A2a3, &torn);
    assert_eq!(found, "two readings speak of the same columns");
    let table = rows(Int32, 2, 3, 3);
    let mut to_l1 = build::l1(build::l1_tile(Int32, [16, 8], [2, 3]), table, table, Elem);
    let found = |call, target| told(&Call::MgatherL1(call), &[], target, &[]);
    assert_eq!(found(to_l1, Cpu), "CPU has no gather to L1");
    (to_l1.exec, to_l1.launch.dispatch) = (GatherExec::Simt, Dispatch::Direct);
    assert_eq!(found(to_l1, A5), NEVER);
    assert_eq!(found(to_l1, A2a3), "there is no step");
}

#[test]
fn masks_that_a_target_has_not() {
    let none = "the target has no such mask form";
    let suite = [("scope", "as-the-suite")];
    for (axis, target, choices, expected) in [
        (MaskAxis::Row, Cpu, &[][..], none),
        (MaskAxis::Row, A5, &[], "1 2"),
        (MaskAxis::Col, A5, &suite, none),
        (MaskAxis::Col, Cpu, &suite, "1 2"),
    ] {
        let two = tile(Int32, [1, 2], [1, 2]);
        let call = Call::TscatterMask(TscatterMask {
            dst: two,
            src: two,
            pattern: MaskPattern::P1111,
            axis,
        });
        let operands = [(Role::Destination, &[9, 9][..]), (Role::Source, &[1, 2])];
        let m = memory(Int32, &operands);
        let found = told(&call, &[&m], target, choices);
        assert_eq!(found, expected, "{axis} on {target}");
    }
}
