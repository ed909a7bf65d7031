//! Rejections with their reasons, those that no random case meets, and faults.

use ptodiff_isa::{
    BLayout, Call, Coalesce, DType, Dim, GatherOob, MaskAxis, MaskPattern, Model, Mscatter,
    Readings, Role, SLayout, ScatterAtomicOp, Scope, Target, TileType, TscatterIndex, TscatterMask,
};
use ptodiff_model_a2a3::A2a3;

use crate::common::{
    With, bytes, in_ub, line, mat, memory, mgather, mgather_l1, mscatter, nd, reading, run_on, tile,
};

use Coalesce::{Elem, Row};
use DType::{Float, Half, Int16, Int32, Int64, Uint16};

fn clauses(call: Call, readings: &Readings) -> Vec<&'static str> {
    let rejections = A2a3.check(&call, readings);
    rejections.iter().map(|r| r.clause.0).collect()
}

/// A layout that is rejected is named whole.
#[test]
fn a_rejection_has_its_reason() {
    let (mut src, mut idx) = (tile(Float, [8, 16], [8, 16]), tile(Int32, [1, 8], [1, 8]));
    idx.blayout = BLayout::ColMajor;
    (src.slayout, src.fractal) = (SLayout::RowMajor, 1024);
    let call = Call::Mscatter(mscatter(Row, nd(Float, 4, 16), src, idx));
    let found = A2a3.check(&call, &Readings::default());
    let found: Vec<_> = found.iter().map(|r| (r.clause.0, &*r.why)).collect();
    let index = "index tile ColMajor+NoneBox+512";
    let data = "ND table with data tile RowMajor+RowMajor+1024";
    let expected = [("MSCATTER-TILE-06", index), ("MSCATTER-TILE-07", data)];
    assert_eq!(found, expected);
    assert_eq!(A2a3.target(), Target::A2a3);
}

/// MGATHER-TILE-01, MGATHERL1-TILE-01: the tile is where the form of a call puts it.
#[test]
fn a_tile_in_the_wrong_place() {
    let idx = tile(Int32, [1, 8], [1, 8]);
    let in_l1 = tile(Float, [8, 16], [8, 16]).with(|c| c.location = TileType::Mat);
    let call = Call::Mgather(mgather(Row, in_l1, nd(Float, 4, 16), idx));
    assert_eq!(clauses(call, &Readings::default()), ["MGATHER-TILE-01"]);
    let in_ub = mat(Half, [16, 32], [10, 20]).with(|c| c.location = TileType::Vec);
    let call = Call::MgatherL1(mgather_l1(Row, in_ub, nd(Half, 8, 32)));
    assert_eq!(clauses(call, &Readings::default()), ["MGATHERL1-TILE-01"]);
}

/// TSCATTER-SHAPE-01: a case has no valid extent above the padded one.
#[test]
fn valid_extents_above_the_padded_ones() {
    const OVER: &[&str] = &["TSCATTER-SHAPE-01"];
    let half = tile(Half, [4, 16], [4, 16]);
    let base = TscatterIndex {
        dst: half,
        src: half,
        idx: tile(Uint16, [4, 16], [4, 16]),
    };
    for (change, expected) in [
        ((|_| ()) as fn(&mut TscatterIndex), &[][..]),
        (|c| c.dst.valid_row = Dim::Static(5), OVER),
        (|c| c.src.valid_col = Dim::Static(17), OVER),
        (|c| c.idx.valid_col = Dim::Static(17), OVER),
        (|c| c.src.valid_col = Dim::Dynamic(17), &[]),
    ] {
        let mut call = base;
        change(&mut call);
        let found = clauses(Call::TscatterIndex(call), &Readings::default());
        assert_eq!(found, expected);
    }
}

/// What no kernel exists for is a fault, not a panic, and leaves memory alone.
#[test]
fn missing_kernels_are_faults() {
    let one = |dtype| tile(dtype, [1, 32], [1, 1]);
    let half = tile(Half, [1, 16], [1, 1]);
    let scatter = |atomic, dtype| {
        let call = mscatter(
            Elem,
            nd(dtype, 1, 8),
            one(dtype),
            tile(Int32, [1, 8], [1, 1]),
        );
        Call::Mscatter(Mscatter { atomic, ..call })
    };
    let mask = |axis| {
        Call::TscatterMask(TscatterMask {
            dst: half,
            src: half,
            pattern: MaskPattern::P1111,
            axis,
        })
    };
    let by = |dtype| {
        mscatter(
            Elem,
            nd(Int32, 32, 8),
            one(Int32),
            tile(dtype, [1, 4], [1, 1]),
        )
    };
    let mut to_l1 = mgather_l1(Elem, mat(Half, [16, 16], [16, 16]), line(Half, 4));
    (to_l1.scratch, to_l1.oob) = (None, GatherOob::Zero);
    let suite = reading(|r| r.scope = Scope::AsTheSuite);
    for (call, readings) in [
        (scatter(ScatterAtomicOp::Max, Int32), Readings::default()),
        (scatter(ScatterAtomicOp::Min, Float), Readings::default()),
        (
            scatter(ScatterAtomicOp::Add, DType::Uint32),
            Readings::default(),
        ),
        (
            scatter(ScatterAtomicOp::Add, DType::Float8E4M3),
            Readings::default(),
        ),
        // MSCATTER-DTYPE-03: no kernel reads such indices.
        (Call::Mscatter(by(Int64)), Readings::default()),
        (Call::Mscatter(by(Float)), Readings::default()),
        (Call::Mscatter(by(Int16)), Readings::default()),
        // TSCATTER-MODE-02, TSCATTER-SHAPE-02.
        (mask(MaskAxis::Row), Readings::default()),
        (mask(MaskAxis::Col), suite),
        // MGATHERL1-GAP-05
        (Call::MgatherL1(to_l1), Readings::default()),
    ] {
        let all = [Role::Table, Role::Source, Role::Destination, Role::Index];
        let before = memory(all.map(|role| (role, vec![0; 1024])));
        let ran = run_on(call, readings, before.clone());
        assert!(ran.outcome.is_err(), "{call:?}");
        assert_eq!(ran.memory, before);
    }
    let call = Call::Mscatter(by(Float));
    let operands = [bytes([0; 256]), bytes([0; 32]), bytes([0; 4])];
    let ran = run_on(call, Readings::default(), in_ub(&call, operands));
    let why = ran.outcome.expect_err("a fault").0;
    assert_eq!(why, "no kernel reads indices of float");
}
