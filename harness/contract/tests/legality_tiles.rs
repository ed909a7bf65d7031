//! TSCATTER and TGATHERB: every constraint with a call that keeps it and one
//! that breaks it.

use crate::common::{calls::*, rules::*, *};
use ptodiff_isa::*;

use DType::*;
use Dim::{Dynamic, Static};
use Target::{A2a3, A5, Cpu};
use TileType::Mat;

fn by_index() -> TscatterIndex {
    TscatterIndex {
        dst: tile(Half, [4, 16], [4, 16]),
        src: tile(Half, [2, 16], [2, 8]),
        idx: tile(Int16, [2, 16], [2, 8]),
    }
}

fn by_mask() -> TscatterMask {
    TscatterMask {
        dst: tile(Half, [16, 128], [16, 128]),
        src: tile(Half, [16, 64], [16, 64]),
        pattern: MaskPattern::P1010,
        axis: MaskAxis::Row,
    }
}

fn by_offset() -> Tgatherb {
    Tgatherb {
        dst: tile(Half, [2, 16], [2, 8]),
        src: tile(Half, [4, 16], [4, 16]),
        offset: tile(Uint32, [2, 16], [2, 8]),
    }
}

#[test]
fn tscatter_by_index_on_both_npus() {
    for (target, element) in [(A2a3, "TSCATTER-DTYPE-01"), (A5, "TSCATTER-DTYPE-02")] {
        rules(
            target,
            &Readings::default(),
            Call::TscatterIndex,
            by_index(),
            &[
                (element, |c| {
                    (c.dst.dtype, c.src.dtype) = (Hifloat8, Hifloat8)
                }),
                (element, |c| {
                    (c.dst.dtype, c.src.dtype) = (Int64, Int64);
                    c.idx.dtype = Int32;
                }),
                ("TSCATTER-TILE-01", |c| c.dst.location = Mat),
                ("TSCATTER-TILE-01", |c| c.src.location = Mat),
                ("TSCATTER-TILE-01", |c| c.idx.location = Mat),
                ("TSCATTER-DTYPE-03", |c| c.src.dtype = Int16),
                ("TSCATTER-DTYPE-04", |c| c.idx.dtype = Int8),
                ("TSCATTER-DTYPE-04", |c| c.idx.dtype = Int64),
                ("TSCATTER-DTYPE-05", |c| {
                    (c.dst.dtype, c.src.dtype) = (Float, Float)
                }),
                ("TSCATTER-DTYPE-06", |c| c.idx.dtype = Int32),
                ("TSCATTER-DTYPE-07", |c| {
                    (c.dst.dtype, c.src.dtype) = (Int8, Int8);
                    c.idx.dtype = Int32;
                }),
                ("TSCATTER-SHAPE-01", |c| c.dst.valid_row = Static(5)),
                ("TSCATTER-SHAPE-01", |c| c.idx.valid_col = Static(17)),
            ],
            &[
                ("TSCATTER-SHAPE-01", |c| c.dst.valid_col = Dynamic(17)),
                ("TSCATTER-GAP-07", |c| c.src.slayout = SLayout::RowMajor),
                ("TSCATTER-GAP-07", |c| c.idx.slayout = SLayout::ColMajor),
                ("TSCATTER-SEM-02", |c| c.idx.valid_row = Static(1)),
            ],
        );
        // TSCATTER-GAP-04, -07, -12: other extents, other layouts, bytes.
        let mut call = by_index();
        call.dst = nz_tile(Int8, [16, 32], [16, 32]);
        call.src = col_major(Int8, [32, 2], [3, 2]);
        call.idx = tile(Uint16, [4, 16], [4, 2]);
        let call = Call::TscatterIndex(call);
        assert_eq!(broken(call, target, &Readings::default()), []);
    }
}

#[test]
fn tscatter_runs_over_one_of_two_regions() {
    // TSCATTER-GAP-03.
    let mut call = by_index();
    call.idx.valid_row = Static(1);
    let mut r = Readings {
        tscatter_extent: ScatterExtent::Index,
        ..Readings::default()
    };
    assert_eq!(broken(Call::TscatterIndex(call), A5, &r), []);
    call.src.valid_col = Static(7);
    let found = broken(Call::TscatterIndex(call), A5, &r);
    assert_eq!(found, [("TSCATTER-SEM-02", ByCaller)]);
    r.tscatter_extent = ScatterExtent::Source;
    call.src.valid_row = Static(1);
    assert_eq!(broken(Call::TscatterIndex(call), A5, &r), []);
}

#[test]
fn tscatter_by_index_on_the_cpu() {
    rules(
        Cpu,
        &Readings::default(),
        Call::TscatterIndex,
        by_index(),
        &[],
        &[
            ("TSCATTER-GAP-08", |c| c.src.dtype = Float),
            ("TSCATTER-GAP-08", |c| c.idx.dtype = Float),
            ("TSCATTER-SHAPE-01", |c| c.dst.valid_row = Static(5)),
            ("TSCATTER-GAP-07", |c| c.src.slayout = SLayout::RowMajor),
            ("TSCATTER-SEM-02", |c| c.idx.valid_row = Static(1)),
        ],
    );
    // TSCATTER-GAP-01: the documented example.
    let mut call = by_index();
    (call.dst.dtype, call.src.dtype) = (Float, Float);
    call.idx.dtype = Uint16;
    let call = Call::TscatterIndex(call);
    assert_eq!(broken(call, Cpu, &Readings::default()), []);
}

#[test]
fn tscatter_by_mask_where_there_are_checks() {
    for (target, readings) in [(A5, Readings::default()), (A5, suite()), (A2a3, suite())] {
        rules(
            target,
            &readings,
            Call::TscatterMask,
            by_mask(),
            &[
                ("TSCATTER-TILE-02", |c| c.dst.location = Mat),
                ("TSCATTER-TILE-02", |c| c.src.location = Mat),
                ("TSCATTER-DTYPE-08", |c| c.dst.dtype = Bfloat16),
                ("TSCATTER-DTYPE-08", |c| {
                    (c.dst.dtype, c.src.dtype) = (Hifloat8, Hifloat8)
                }),
                ("TSCATTER-SHAPE-02", |c| c.src.valid_row = Static(15)),
                ("TSCATTER-SHAPE-03", |c| c.dst.valid_col = Static(64)),
                ("TSCATTER-SHAPE-03", |c| c.pattern = MaskPattern::P0001),
                ("TSCATTER-SHAPE-02", |c| c.axis = MaskAxis::Col),
            ],
            &[
                ("TSCATTER-SHAPE-02", |c| c.src.valid_row = Dynamic(15)),
                ("TSCATTER-SHAPE-03", |c| c.dst.valid_col = Dynamic(100)),
                ("TSCATTER-GAP-15", |c| c.src.slayout = SLayout::RowMajor),
                ("TSCATTER-GAP-15", |c| c.dst.rows = 8),
            ],
        );
    }
}

#[test]
fn tscatter_by_mask_elsewhere() {
    let r = Readings::default();
    for target in [Cpu, A2a3] {
        let found = broken(Call::TscatterMask(by_mask()), target, &r);
        assert_eq!(found, [("TSCATTER-MODE-02", ByCheck)]);
    }
    let found = broken(
        Call::TscatterMask(TscatterMask {
            axis: MaskAxis::Col,
            ..by_mask()
        }),
        Cpu,
        &r,
    );
    assert!(found.contains(&("TSCATTER-SHAPE-02", ByCheck)));
    rules(
        Cpu,
        &suite(),
        Call::TscatterMask,
        by_mask(),
        &[],
        &[
            ("TSCATTER-GAP-08", |c| c.src.dtype = Float),
            ("TSCATTER-SHAPE-02", |c| c.src.valid_row = Static(15)),
            ("TSCATTER-SHAPE-03", |c| c.dst.valid_col = Static(64)),
            ("TSCATTER-GAP-15", |c| c.dst.slayout = SLayout::RowMajor),
            ("TSCATTER-GAP-09", |c| {
                (c.dst.dtype, c.src.dtype) = (Int8, Int8)
            }),
            ("TSCATTER-GAP-09", |c| {
                (c.dst.dtype, c.src.dtype) = (Uint64, Int64)
            }),
        ],
    );
    // The suite's masks are of 16 and 32 bits.
    for (dtype, kept) in [
        (Int16, true),
        (Bfloat16, true),
        (Uint32, true),
        (Float, true),
        (Uint8, false),
        (Hifloat8, false),
        (Int64, false),
    ] {
        let mut c = by_mask();
        (c.dst.dtype, c.src.dtype) = (dtype, dtype);
        let found = broken(Call::TscatterMask(c), Cpu, &suite());
        let expected = [("TSCATTER-GAP-09", ByCaller)];
        assert_eq!(found, expected[usize::from(kept)..], "{dtype}");
    }
    // Along columns the rules change parts.
    let down = TscatterMask {
        dst: tile(Half, [32, 64], [32, 64]),
        axis: MaskAxis::Col,
        ..by_mask()
    };
    assert_eq!(broken(Call::TscatterMask(down), Cpu, &suite()), []);
    for target in [A2a3, A5] {
        let found = broken(Call::TscatterMask(down), target, &suite());
        assert_eq!(found, [("TSCATTER-SHAPE-02", ByCheck)]);
    }
    rules(
        Cpu,
        &suite(),
        Call::TscatterMask,
        down,
        &[],
        &[
            ("TSCATTER-SHAPE-02", |c| c.src.valid_col = Static(63)),
            ("TSCATTER-SHAPE-03", |c| c.dst.valid_row = Static(31)),
        ],
    );
}

#[test]
fn tgatherb_on_every_target() {
    for target in [Cpu, A2a3, A5] {
        rules(
            target,
            &Readings::default(),
            Call::Tgatherb,
            by_offset(),
            &[],
            &[
                ("TGATHERB-GAP-04", |c| c.src.dtype = Int16),
                ("TGATHERB-GAP-05", |c| c.offset.dtype = Uint16),
                ("TGATHERB-SEM-03", |c| c.offset.valid_col = Static(7)),
                ("TGATHERB-SEM-03", |c| c.dst.valid_col = Dynamic(9)),
                ("TGATHERB-GAP-09", |c| c.src.location = Mat),
                ("TGATHERB-GAP-10", |c| c.src.slayout = SLayout::RowMajor),
                ("TGATHERB-GAP-13", |c| c.src.valid_row = Dynamic(5)),
            ],
        );
        let mut signed = by_offset();
        signed.offset.dtype = Int32;
        let call = Call::Tgatherb(signed);
        assert_eq!(broken(call, target, &Readings::default()), []);
    }
}

#[test]
fn tgatherb_checks() {
    let r = Readings::default();
    let of = |dtype, target| {
        let mut c = by_offset();
        (c.dst.dtype, c.src.dtype) = (dtype, dtype);
        broken(Call::Tgatherb(c), target, &r)
    };
    for (target, size, list, by) in [
        (A2a3, "TGATHERB-DTYPE-01", "TGATHERB-DTYPE-03", ByCheck),
        (A5, "TGATHERB-DTYPE-02", "TGATHERB-DTYPE-04", ByCheck),
        (Cpu, "TGATHERB-GAP-08", "TGATHERB-GAP-08", ByCaller),
    ] {
        assert_eq!(of(Int64, target), [(size, by), (list, by)]);
        assert_eq!(of(Hifloat8, target), [(list, by)]);
        assert_eq!(of(Bfloat16, target), []);
    }
    let mut down = by_offset();
    down.dst = col_major(Half, [16, 8], [2, 8]);
    let call = Call::Tgatherb(down);
    assert_eq!(broken(call, A2a3, &r), [("TGATHERB-TILE-01", ByCheck)]);
    assert_eq!(broken(call, A5, &r), []);
    assert_eq!(broken(call, Cpu, &r), []);
}

#[test]
fn tgatherb_by_block() {
    // TGATHERB-GAP-14: half valid [2,17] is two blocks a row.
    let by_block = Readings {
        tgatherb_granularity: OffsetGranularity::Block,
        ..Readings::default()
    };
    let mut call = by_offset();
    call.dst = tile(Half, [2, 32], [2, 17]);
    call.offset = tile(Uint32, [2, 8], [2, 2]);
    rules(
        A5,
        &by_block,
        Call::Tgatherb,
        call,
        &[],
        &[
            ("TGATHERB-SEM-03", |c| c.offset.valid_col = Static(1)),
            ("TGATHERB-SEM-03", |c| c.offset.valid_row = Static(1)),
            ("TGATHERB-GAP-10", |c| c.offset.blayout = BLayout::ColMajor),
            ("TGATHERB-GAP-10", |c| c.src.blayout = BLayout::ColMajor),
        ],
    );
    let found = broken(Call::Tgatherb(call), A5, &Readings::default());
    assert_eq!(found, [("TGATHERB-SEM-03", ByCaller)]);
}
