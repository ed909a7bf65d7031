//! Rejections with their reasons, those that no random case meets, and faults.

use crate::common::*;
use ptodiff_isa::ScatterAtomicOp::Add;
use ptodiff_model_a5::A5;

fn clauses(call: Call) -> Vec<&'static str> {
    let rejections = A5.check(&call, &Readings::default());
    rejections.iter().map(|one| one.clause.0).collect()
}

#[test]
fn texts_name_the_operand_and_what_is_wrong() {
    let dst = mat(valid(Int64, 8, 16, 9, 16));
    let (src, idx) = (tile(Float, 8, 16), valid(Half, 8, 16, 9, 17));
    let indexed = Call::TscatterIndex(TscatterIndex { dst, src, idx });
    let (dst, src) = (valid(Float, 8, 64, 7, 33), mat(tile(Int64, 8, 16)));
    let masked = Call::TscatterMask(TscatterMask {
        dst,
        src,
        pattern: MaskPattern::P0101,
        axis: MaskAxis::Row,
    });
    for (call, expected) in [
        (
            indexed,
            &[
                "a Mat destination tile",
                "a destination of int64_t",
                "a destination of int64_t for float",
                "indices of half",
                "destination ValidRow is 9 of 8",
                "index ValidRow is 9 of 8",
                "index ValidCol is 17 of 16",
            ][..],
        ),
        (
            masked,
            &[
                "a Mat source tile",
                "a source of int64_t",
                "a destination of float for int64_t",
                "destination ValidRow is 7, not 8",
                "destination ValidCol is 33, not 2 times 16",
            ],
        ),
    ] {
        let found = A5.check(&call, &Readings::default());
        let found: Vec<&str> = found.iter().map(|one| &*one.why).collect();
        assert_eq!(found, expected);
    }
    assert_eq!(A5.target(), Target::A5);
}

/// All that is wrong is found, in the order of the document.
#[test]
fn all_rejections_are_found() {
    let src = mat(tile(Int64, 8, 8));
    let call = mscatter(Row, rows(Float, 4, 9), src, tile(Int16, 2, 2));
    let expected = [
        "MSCATTER-DTYPE-09",
        "MSCATTER-DTYPE-03",
        "MSCATTER-DTYPE-11",
        "MSCATTER-TILE-01",
        "MSCATTER-SHAPE-04",
        "MSCATTER-TABLE-07",
        "MSCATTER-ATOM-11",
    ];
    let call = Call::Mscatter(call.with(|c| c.atomic = Add));
    assert_eq!(clauses(call), expected);
}

/// MGATHER-TILE-01, MGATHERL1-TILE-01: the tile is where the form of a call puts it.
#[test]
fn a_tile_in_the_wrong_place() {
    let in_l1 = mat(tile(Float, 8, 16));
    let call = mgather(Elem, flat(Float, 64), in_l1, tile(Int32, 8, 16));
    assert_eq!(clauses(Call::Mgather(call)), ["MGATHER-TILE-01"]);
    let in_ub = nz(Float, 16, 32, 4, 9).with(|c| c.location = TileType::Vec);
    let call = mgather_l1(Row, rows(Float, 5, 9), in_ub, flat(Int32, 4), None);
    assert_eq!(clauses(Call::MgatherL1(call)), ["MGATHERL1-TILE-01"]);
}

/// TSCATTER-SHAPE-01: a case has no valid extent above the padded one.
#[test]
fn valid_extents_above_the_padded_ones() {
    let of = |dst, src, idx| clauses(Call::TscatterIndex(TscatterIndex { dst, src, idx }));
    let (data, idx) = (tile(Float, 8, 16), tile(Int32, 8, 16));
    assert_eq!(of(data, data, idx), [""; 0]);
    for (r, c) in [(9, 16), (8, 17)] {
        let over = |dtype| valid(dtype, 8, 16, r, c);
        assert_eq!(of(over(Float), data, idx), ["TSCATTER-SHAPE-01"]);
        assert_eq!(of(data, over(Float), idx), ["TSCATTER-SHAPE-01"]);
        assert_eq!(of(data, data, over(Int32)), ["TSCATTER-SHAPE-01"]);
        // GAP-21.
        assert_eq!(of(dynamic(over(Float)), data, idx), [""; 0]);
    }
}

fn runs(call: Mscatter) -> bool {
    let roles = [Role::Table, Role::Source, Role::Index];
    let mut memory = memory(&roles.map(|role| (role, vec![0; 512])));
    let (how, mut log) = (How::default(), Log::default());
    let run = A5.execute(&Call::Mscatter(call), &mut memory, &how, &mut log);
    run.is_ok()
}

#[test]
fn what_has_no_kernel_and_what_fits_no_memory_are_faults() {
    let data = tile(Int16, 8, 8);
    let call = mscatter(Elem, flat(Int16, 64), data, tile(Int32, 8, 8));
    assert!(runs(call));
    assert!(!runs(call.with(|c| c.atomic = Add)));
    assert!(!runs(Mscatter { idx: data, ..call }));

    let call = mscatter(Row, rows(Int32, 4, 8), tile(Int32, 1, 8), tile(Int32, 1, 1));
    let whole = dynamic(tile(Int32, u64::MAX, u64::MAX));
    let huge = dynamic(valid(Int32, 1, 1, 2, 2)).with(|c| (c.rows, c.cols) = (u64::MAX, u64::MAX));
    for data in [huge, whole] {
        assert!(!runs(mscatter(Elem, flat(Int32, 4), data, data)));
    }
    // Of what has no element nothing is enormous.
    for (valid_row, valid_col, is_run) in [
        (u64::MAX, 0, true),
        (0, u64::MAX, true),
        (u64::MAX, 1, false),
    ] {
        let src = dynamic(valid(Int32, 1, 8, valid_row, valid_col));
        assert_eq!(runs(Mscatter { src, ..call }), is_run);
    }
}
