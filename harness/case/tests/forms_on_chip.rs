//! What a case of TSCATTER and TGATHERB means: which operands follow from which.

use ptodiff_case::{Case, Fill, IndexPattern, load_str};
use ptodiff_isa::{
    BLayout, Call, DType, Dim, MaskAxis, MaskPattern, OffsetGranularity, SLayout, Tgatherb, Tile,
    TscatterIndex, TscatterMask, Unaddressed,
};

fn only(body: &str) -> Case {
    let text = format!(
        "cases:\n  - name: a\n    {}\n",
        body.replace('\n', "\n    ")
    );
    let corpus = load_str("file.yaml", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    corpus.cases[0].clone()
}

fn by_index(body: &str) -> (TscatterIndex, Case) {
    let case = only(&format!("instruction: TSCATTER\n{body}"));
    let Call::TscatterIndex(call) = case.call else {
        panic!("by index")
    };
    (call, case)
}

fn by_mask(body: &str) -> TscatterMask {
    let case = only(&format!("instruction: TSCATTER\ndtype: half\n{body}"));
    let Call::TscatterMask(call) = case.call else {
        panic!("by mask")
    };
    call
}

fn tgatherb(body: &str) -> (Tgatherb, Case) {
    let case = only(&format!("instruction: TGATHERB\n{body}"));
    let Call::Tgatherb(call) = case.call else {
        panic!("a TGATHERB")
    };
    (call, case)
}

fn padded(tile: &Tile) -> (u64, u64) {
    (tile.rows, tile.cols)
}

fn valid(tile: &Tile) -> (Dim, Dim) {
    (tile.valid_row, tile.valid_col)
}

const fn fixed(extent: u64) -> Dim {
    Dim::Static(extent)
}

/// 002, the manual example, and a case of the suites with one index row.
#[test]
fn destination_and_index_of_tscatter_follow_the_source() {
    let (call, case) = by_index("dtype: float\nsource: {shape: [16, 16], valid: [9, dyn 7]}");
    for tile in [&call.dst, &call.idx] {
        assert_eq!(padded(tile), (16, 16));
        assert_eq!(valid(tile), (fixed(9), Dim::Dynamic(7)));
        assert_eq!(
            (tile.blayout, tile.slayout),
            (BLayout::RowMajor, SLayout::NoneBox)
        );
    }
    assert_eq!(
        (call.dst.dtype, call.idx.dtype),
        (DType::Float, DType::Int32)
    );
    assert_eq!(case.data.source, Fill::Distinct);
    assert_eq!(case.data.destination, Fill::Poison);
    assert_eq!(case.data.index, IndexPattern::Random);
    assert_eq!(case.targets.len(), 3);

    let (call, case) = by_index(
        "source: {dtype: int16_t, shape: [2, 32], blayout: ColMajor, data: percent}\n\
         destination: {shape: [4, 32], valid: [3, 31], data: zeros}\n\
         index: {dtype: uint16_t, shape: [1, 32], data: two-rows}\n\
         readings: {tscatter-extent: index, tscatter-unaddressed: zero}",
    );
    // Without a dtype of its own or of the case, the destination has the source's; its layout stays.
    assert_eq!(
        (call.dst.dtype, call.dst.blayout),
        (DType::Int16, BLayout::RowMajor)
    );
    assert_eq!(
        (padded(&call.dst), valid(&call.dst)),
        ((4, 32), (fixed(3), fixed(31)))
    );
    assert_eq!(
        (padded(&call.idx), call.idx.dtype),
        ((1, 32), DType::Uint16)
    );
    assert_eq!(call.src.blayout, BLayout::ColMajor);
    assert_eq!(case.data_readings().tscatter_unaddressed, Unaddressed::Zero);
    assert_eq!(
        (case.data.source, case.data.destination),
        (Fill::Percent, Fill::Zeros)
    );
    assert_eq!(case.data.index, IndexPattern::TwoRows);

    // `valid` alone narrows what follows from the source.
    let (call, _) = by_index("dtype: half\nsource: {shape: [4, 16]}\ndestination: {valid: [2, 3]}");
    assert_eq!(
        (padded(&call.dst), valid(&call.dst)),
        ((4, 16), (fixed(2), fixed(3)))
    );
}

/// TSCATTER-SHAPE-02 and its like: F is 2 for P0101 and P1010, 4 for the one-of-four, 1 for P1111.
#[test]
fn a_mask_expands_the_destination() {
    let of = |mask: &str, more: &str| {
        by_mask(&format!(
            "mask: {mask}\nsource: {{shape: [3, 16], valid: [2, dyn 5]}}\n{more}"
        ))
    };
    for (mask, lanes) in [
        ("P0101", 2),
        ("P1010", 2),
        ("P0001", 4),
        ("P0010", 4),
        ("P0100", 4),
        ("P1000", 4),
        ("P1111", 1),
    ] {
        let call = of(mask, "");
        assert_eq!(call.pattern, mask.parse::<MaskPattern>().unwrap());
        assert_eq!(call.axis, MaskAxis::Row);
        assert_eq!(padded(&call.dst), (3, 16 * lanes));
        assert_eq!(valid(&call.dst), (fixed(2), Dim::Dynamic(5 * lanes)));
        let call = of(mask, "axis: Col\nreadings: {scope: as-the-suite}");
        assert_eq!(call.axis, MaskAxis::Col);
        assert_eq!(padded(&call.dst), (3 * lanes, 16));
        assert_eq!(valid(&call.dst), (fixed(2 * lanes), Dim::Dynamic(5)));
    }
    let call = of("P1010", "destination: {shape: [3, 16]}");
    assert_eq!(
        (padded(&call.dst), valid(&call.dst)),
        ((3, 16), (fixed(3), fixed(16)))
    );
}

/// 004 counts an offset an element; the suites one a block of 32 bytes (TGATHERB-GAP-14).
#[test]
fn offsets_follow_the_destination() {
    let (call, case) = tgatherb("dtype: int16_t\nsource: {shape: [2, 48], valid: [2, dyn 17]}");
    assert_eq!(call.offset.dtype, DType::Uint32);
    assert_eq!(padded(&call.offset), (2, 48));
    assert_eq!(valid(&call.offset), (fixed(2), Dim::Dynamic(17)));
    assert_eq!(valid(&call.dst), (fixed(2), Dim::Dynamic(17)));
    assert_eq!(case.data.source, Fill::Distinct);
    assert_eq!(case.data.destination, Fill::Poison);
    assert_eq!(
        case.data_readings().tgatherb_granularity,
        OffsetGranularity::Element
    );

    // 48 elements of 2 bytes are 3 blocks, 17 of them reach into a second one.
    let (call, _) = tgatherb(
        "dtype: int16_t\nsource: {shape: [2, 48], valid: [2, dyn 17]}\n\
         readings: {tgatherb-granularity: block}",
    );
    assert_eq!(padded(&call.offset), (2, 3));
    assert_eq!(valid(&call.offset), (fixed(2), Dim::Dynamic(2)));

    // The destination's columns and dtype count, not the source's.
    let (call, case) = tgatherb(
        "dtype: int8_t\nsource: {shape: [4, 64], data: arange}\n\
         destination: {dtype: float, shape: [1, 20], data: zeros}\noffset: {data: seq}\n\
         readings: {tgatherb-granularity: block}",
    );
    assert_eq!(padded(&call.offset), (1, 3));
    assert_eq!(case.data.source, Fill::Arange);
    assert_eq!(case.data.index, IndexPattern::Seq);

    let (call, case) = tgatherb(
        "dtype: half\nsource: {shape: [1, 64], data: small-ints}\ndestination: {shape: [1, 16]}\n\
         offset: {dtype: int32_t, shape: [1, 32], valid: [1, 2], data: {values: [-2, 33]}}",
    );
    assert_eq!(
        (call.offset.dtype, padded(&call.offset)),
        (DType::Int32, (1, 32))
    );
    let offsets = [-2_i32, 33].map(i32::to_le_bytes).concat();
    assert_eq!(case.data.index, IndexPattern::Literal(offsets));
    assert_eq!(case.data.source, Fill::SmallInts);
}
