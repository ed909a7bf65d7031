//! The static checks of TSCATTER and TGATHERB.

use crate::common::*;
use ptodiff_model_a5::A5;

const LISTED: [DType; 9] = [
    Int8, Uint8, Int16, Uint16, Int32, Uint32, Half, Bfloat16, Float,
];

fn suites() -> Readings {
    Readings::default().with(|c| c.scope = Scope::AsTheSuite)
}

fn indexed(dst: Tile, src: Tile, idx: Tile) -> Call {
    Call::TscatterIndex(TscatterIndex { dst, src, idx })
}

fn plain(call: Call) -> Vec<&'static str> {
    clauses(call, &Readings::default())
}

#[test]
fn index_form_dtype_02_to_07() {
    for data in DTYPES {
        for index in DTYPES {
            let tile = |dtype| tile(dtype, 8, 32);
            let call = indexed(tile(data), tile(data), tile(index));
            let mut rest = Vec::new();
            if !matches!(index, Int16 | Uint16 | Int32 | Uint32) {
                rest.push("TSCATTER-DTYPE-04");
            }
            let (clause, size) = match data.size() {
                1 => ("TSCATTER-DTYPE-07", 2),
                2 => ("TSCATTER-DTYPE-06", 2),
                _ => ("TSCATTER-DTYPE-05", 4),
            };
            if data.size() != 8 && index.size() != size {
                rest.push(clause);
            }
            // One rejection each for destination and source.
            let with = |admitted| {
                let mut all = vec!["TSCATTER-DTYPE-02"; if admitted { 0 } else { 2 }];
                all.extend(&rest);
                all
            };
            let listed = LISTED.contains(&data);
            assert_eq!(plain(call), with(listed), "{data} {index}");
            // GAP-09: the suites scatter 64-bit elements by 32-bit indices.
            let wide = matches!(data, Int64 | Uint64) && index.size() == 4;
            assert_eq!(clauses(call, &suites()), with(listed || wide));
        }
    }
}

#[test]
fn index_form_tile_01_dtype_03_and_shape_01() {
    let (data, idx) = (tile(Float, 8, 16), tile(Int32, 8, 16));
    let at = ["TSCATTER-TILE-01"];
    assert_eq!(plain(indexed(mat(data), data, idx)), at);
    assert_eq!(plain(indexed(data, mat(data), idx)), at);
    assert_eq!(plain(indexed(data, data, mat(idx))), at);
    let other = tile(Int32, 8, 16);
    assert_eq!(plain(indexed(other, data, idx)), ["TSCATTER-DTYPE-03"]);
    for (r, c) in [(9, 16), (8, 17)] {
        let over = |dtype| valid(dtype, 8, 16, r, c);
        let at = ["TSCATTER-SHAPE-01"];
        assert_eq!(plain(indexed(over(Float), data, idx)), at);
        assert_eq!(plain(indexed(data, over(Float), idx)), at);
        assert_eq!(plain(indexed(data, data, over(Int32))), at);
        // GAP-21.
        let free = indexed(dynamic(over(Float)), data, idx);
        assert_eq!(plain(free), [""; 0]);
    }
    // GAP-03, -04: extents of different tiles are not compared.
    let call = indexed(tile(Float, 1, 8), data, tile(Int32, 1, 8));
    assert_eq!(plain(call), [""; 0]);
}

#[test]
fn mask_form_dtype_08_and_tile_02() {
    let call = |dst, src| Call::TscatterMask(masked(MaskPattern::P1010, dst, src));
    for dtype in DTYPES {
        let call = call(tile(dtype, 8, 64), tile(dtype, 8, 32));
        let twice = |admitted| vec!["TSCATTER-DTYPE-08"; if admitted { 0 } else { 2 }];
        let listed = LISTED.contains(&dtype);
        assert_eq!(plain(call), twice(listed));
        let wide = matches!(dtype, Int64 | Uint64);
        assert_eq!(clauses(call, &suites()), twice(listed || wide));
    }
    let (dst, src) = (tile(Float, 8, 32), tile(Float, 8, 16));
    let other = tile(Int32, 8, 32);
    assert_eq!(plain(call(other, src)), ["TSCATTER-DTYPE-08"]);
    assert_eq!(plain(call(mat(dst), src)), ["TSCATTER-TILE-02"]);
    assert_eq!(plain(call(dst, mat(src))), ["TSCATTER-TILE-02"]);
}

#[test]
fn mask_form_shape_02_and_03() {
    use MaskPattern::{P0010, P0101, P1111};
    let src = tile(Float, 8, 16);
    let of = |pattern, dst| plain(Call::TscatterMask(masked(pattern, dst, src)));
    for (pattern, cols) in [(P1111, 16), (P0101, 32), (P0010, 64)] {
        assert_eq!(of(pattern, tile(Float, 8, cols)), [""; 0]);
        let at = ["TSCATTER-SHAPE-03"];
        assert_eq!(of(pattern, tile(Float, 8, cols + 1)), at);
        assert_eq!(of(pattern, tile(Float, 8, cols / 2)), at);
    }
    assert_eq!(of(P1111, tile(Float, 7, 16)), ["TSCATTER-SHAPE-02"]);
    // GAP-15: where both sides are known. Extents above the padded ones are not looked at.
    assert_eq!(of(P0010, dynamic(tile(Float, 7, 9))), [""; 0]);
    assert_eq!(of(P0101, valid(Float, 1, 1, 8, 32)), [""; 0]);
}

#[test]
fn mask_form_the_column_axis_is_the_cpu_suites() {
    let call = Call::TscatterMask(
        masked(MaskPattern::P0101, tile(Float, 16, 16), tile(Float, 8, 16))
            .with(|c| c.axis = MaskAxis::Col),
    );
    assert_eq!(plain(call), ["TSCATTER-SHAPE-02"]);
    assert_eq!(clauses(call, &suites()), ["TSCATTER-SHAPE-02"]);
}

#[test]
fn tgatherb_dtype_02_and_04() {
    let call = |dst, src, offset| {
        Call::Tgatherb(Tgatherb {
            dst: tile(dst, 8, 32),
            src: tile(src, 8, 32),
            offset: tile(offset, 8, 32),
        })
    };
    for dtype in DTYPES {
        let found = plain(call(dtype, dtype, Uint32));
        let expected: &[&str] = match dtype {
            Int64 | Uint64 => &[
                "TGATHERB-DTYPE-02",
                "TGATHERB-DTYPE-04",
                "TGATHERB-DTYPE-04",
            ],
            _ if LISTED.contains(&dtype) => &[],
            _ => &["TGATHERB-DTYPE-04", "TGATHERB-DTYPE-04"],
        };
        assert_eq!(found, expected, "{dtype}");
        // The scope says nothing of TGATHERB.
        let readings = suites();
        assert_eq!(clauses(call(dtype, dtype, Uint32), &readings), expected);
    }
    // GAP-04, -05, -09: what the caller owes is not checked.
    assert_eq!(plain(call(Float, Half, Int64)), [""; 0]);
    let src = mat(tile(Float, 2, 8));
    let (dst, offset) = (col_major(src), tile(Uint32, 1, 1));
    let loose = Call::Tgatherb(Tgatherb { dst, src, offset });
    assert_eq!(plain(loose), [""; 0]);
}

#[test]
fn texts_name_the_operand_and_what_is_wrong() {
    let why = |call: Call| {
        let rejections = A5.check(&call, &Readings::default());
        let texts = rejections.into_iter().map(|rejection| rejection.why);
        texts.collect::<Vec<_>>()
    };
    let call = indexed(
        mat(valid(Int64, 8, 16, 9, 16)),
        tile(Float, 8, 16),
        valid(Half, 8, 16, 9, 17),
    );
    let expected = [
        "a Mat destination tile",
        "a destination of int64_t",
        "a destination of int64_t for float",
        "indices of half",
        "destination ValidRow is 9 of 8",
        "index ValidRow is 9 of 8",
        "index ValidCol is 17 of 16",
    ];
    assert_eq!(why(call), expected);
    let (dst, src) = (valid(Float, 8, 64, 7, 33), mat(tile(Int64, 8, 16)));
    let expected = [
        "a Mat source tile",
        "a source of int64_t",
        "a destination of float for int64_t",
        "destination ValidRow is 7, not 8",
        "destination ValidCol is 33, not 2 times 16",
    ];
    let call = masked(MaskPattern::P0101, dst, src);
    assert_eq!(why(Call::TscatterMask(call)), expected);
}
