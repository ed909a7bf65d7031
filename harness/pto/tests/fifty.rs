//! Operations in spellings that none of `tests/files` has, each beside the call that it
//! is, written by hand in the format of case files.

use ptodiff_case::load_str;

use crate::case;

/// `T(...)` is a tile's type, `P(...)` a view's.
fn spelled(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['T', 'P']).filter(|at| *at + 1 < rest.len()) {
        let (before, after) = rest.split_at(at);
        out += before;
        let word = match &after[..1] {
            _ if !after[1..].starts_with('(') => &after[..1],
            "T" => "!pto.tile_buf<",
            _ => "!pto.partition_tensor_view<",
        };
        out += word;
        rest = &after[1..];
        if word.len() > 1 {
            let end = rest.find(')').expect("closed");
            out += &rest[1..end];
            out.push('>');
            rest = &rest[end + 1..];
        }
    }
    out + rest
}

/// In a function, with constants and other values before it.
fn function(operation: &str) -> String {
    let mut text = String::from("func.func @f(%p: !pto.ptr<f32>, %q: !pto.ptr<i32>) {\n");
    for n in [0, 1, 2, 3, 5, 8, 16, 32, 64] {
        text += &format!("  %c{n} = arith.constant {n} : index\n");
    }
    text += "  %m, %i, %d, %s, %o, %t = foo.bar\n";
    text + &spelled(operation) + "\n  return\n}\n"
}

const GATHER: &str = "instruction: MGATHER, dtype: float, tile: {shape: [8, 8]}, index: {shape: [1, 8]}, table: {shape: [1, 1, 1, 64, 8]}";
const ELEM: &str = "instruction: MGATHER, mode: Elem, dtype: half, tile: {shape: [4, 16]}, index: {shape: [4, 16]}, table: {shape: [1, 1, 1, 1, 99]}";
const SCATTER: &str = "instruction: MSCATTER, dtype: float, tile: {shape: [8, 8]}, index: {shape: [1, 8]}, table: {shape: [1, 1, 1, 64, 8]}";
const TSCATTER: &str = "instruction: TSCATTER, dtype: half, source: {shape: [2, 16]}, index: {dtype: int16_t, shape: [2, 16]}, destination: {shape: [4, 16]}";
const TGATHERB: &str = "instruction: TGATHERB, dtype: float, source: {shape: [2, 64]}, offset: {dtype: uint32_t, shape: [2, 8]}, destination: {shape: [2, 64]}";
const L1: &str = "instruction: MGATHER, dtype: half, tile: {location: Mat, shape: [16, 16]}, table: {shape: [1, 1, 1, 32, 16]}, index: {shape: [1, 1, 1, 1, 16]}, scratch: none";

#[rustfmt::skip]
const OPERATIONS: &[(&str, &str, &str)] = &[
    // Attributes.
    ("pto.mgather ins(%m, %i : P(64x8xf32), T(vec, 1x8xi32)) outs(%d : T(vec, 8x8xf32)) {coalesce = #pto<coalesce row>, gatherOob = #pto<gather_oob undefined>}", GATHER, "mode: Row"),
    ("pto.mgather ins(%m, %i : P(64x8xf32), T(vec, 1x8xi32)) outs(%d : T(vec, 8x8xf32)) {gatherOob = #pto<gather_oob clamp>, coalesce = #pto<coalesce row>}", GATHER, "oob: Clamp"),
    ("pto.mgather ins(%m, %i : P(64x8xf32), T(vec, 1x8xi32)) outs(%d : T(vec, 8x8xf32)) {gatherOob = #pto<gather_oob wrap>}", GATHER, "oob: Wrap"),
    ("pto.mgather ins(%m, %i : P(64x8xf32), T(vec, 1x8xi32)) outs(%d : T(vec, 8x8xf32)) {gatherOob = #pto<gather_oob zero>, pto.note = \"a, b > c\", coalesce = #pto.coalesce<row>}", GATHER, "oob: Zero"),
    ("pto.mgather ins(%m, %i : P(64x8xf32), T(vec, 1x8xi32)) outs(%d : T(vec, 8x8xf32)) {}", GATHER, ""),
    ("pto.mgather ins(%m, %i : P(64x8xf32), T(vec, 1x8xi32)) outs(%d : T(vec, 8x8xf32))", GATHER, ""),
    ("pto.mgather\n ins( %m ,%i:P(64x8xf32),T(vec,1x8xi32))// a comment, with ins(\n outs(%d:T(vec,8x8xf32)){coalesce=#pto<coalesce row>}", GATHER, "mode: Row"),
    ("pto.mgather ins(%m, %i : P(99xf16), T(vec, 4x16xi32)) outs(%d : T(vec, 4x16xf16)) {\"coalesce\" = #pto<coalesce  elem>}", ELEM, ""),
    // Views.
    ("pto.mgather ins(%m, %i : P(1x64x8xf32), T(vec, 1x8xi32)) outs(%d : T(vec, 8x8xf32))", GATHER, ""),
    ("pto.mgather ins(%m, %i : P(1x1x64x8xf32), T(vec, 1x8xi32)) outs(%d : T(vec, 8x8xf32))", GATHER, ""),
    ("pto.mgather ins(%m, %i : P( 1x1x1x64x8xf32 ), T(vec, 1x8xi32)) outs(%d : T(vec, 8x8xf32))", GATHER, ""),
    ("pto.mgather ins(%m, %i : P(2x3x64x8xf32), T(vec, 1x8xi32)) outs(%d : T(vec, 8x8xf32))", GATHER, "table: {shape: [1, 2, 3, 64, 8]}"),
    ("%v = pto.make_tensor_view %p, shape = [%c64, %c8], strides = [%c16, %c1] : !pto.tensor_view<?x?xf32>
      %m = pto.partition_view %v, offsets = [%c2, %c0], sizes = [%c32, %c8] : !pto.tensor_view<?x?xf32> -> P(32x8xf32)
      pto.mgather ins(%m, %i : P(32x8xf32), T(vec, 1x8xi32)) outs(%d : T(vec, 8x8xf32))", GATHER, "table: {shape: [1, 1, 1, 32, 8], stride: [512, 512, 512, 16, 1]}"),
    ("%v = pto.make_tensor_view %p, shape = [%c64, %c8], strides = [%c8, %c1] {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
      %m = pto.partition_view %v, offsets = [%c2, %c0], sizes = [%c5, %c8] : !pto.tensor_view<?x?xf32> -> P(?x8xf32)
      pto.mgather ins(%m, %i : P(?x8xf32), T(vec, 1x8xi32)) outs(%d : T(vec, 8x8xf32))", GATHER, "table: {shape: [1, 1, 1, dyn 5, 8]}"),
    ("%v = pto.make_tensor_view %p, shape = [%c8, %c64], strides = [%c1, %c8] {layout = #pto.layout<dn>} : !pto.tensor_view<?x?xf32>
      %m = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c64, %c8] : !pto.tensor_view<?x?xf32> -> P(64x8xf32)
      pto.mgather ins(%m, %i : P(64x8xf32), T(vec, 1x8xi32)) outs(%d : T(vec, 8x8xf32))", GATHER, "table: {shape: [1, 1, 1, 64, 8], stride: [64, 64, 64, 1, 8], layout: DN}"),
    ("%v = pto.make_tensor_view %p, shape = [%c1, %c2, %c2, %c16, %c8], strides = [%c0, %c32, %c16, %c8, %c1] {layout = #pto.layout<nz>} : !pto.tensor_view<?x?x?x?x?xf32>
      %m = pto.partition_view %v, offsets = [%c0, %c0, %c0, %c0, %c0], sizes = [%c1, %c2, %c2, %c16, %c8] : !pto.tensor_view<?x?x?x?x?xf32> -> P(1x2x2x16x8xf32)
      pto.mgather ins(%m, %i : P(1x2x2x16x8xf32), T(vec, 1x8xi32)) outs(%d : T(vec, 8x8xf32))", GATHER, "table: {shape: [1, 2, 2, 16, 8], stride: [0, 32, 16, 8, 1], layout: NZ}"),
    ("%v = pto.make_tensor_view %p, shape = [%c64, %c8], strides = [%c8, %c1] : !pto.tensor_view<64x8xf32>
      pto.mgather ins(%v, %i : !pto.tensor_view<64x8xf32>, T(vec, 1x8xi32)) outs(%d : T(vec, 8x8xf32))", GATHER, ""),
    // Tiles.
    ("pto.mgather ins(%m, %i : P(64x8xf32), T(loc=vec, dtype=i32, rows=1, cols=8)) outs(%d : T(vec, 8x8xf32))", GATHER, ""),
    ("pto.mgather ins(%m, %i : P(64x8xf32), T(cols=8, rows=1, pad=3, dtype=si32, loc=vec)) outs(%d : T(vec, 8x8xf32))", GATHER, ""),
    ("pto.mgather ins(%m, %i : P(64x8xf32), T(vec, 1x8xui32)) outs(%d : T(vec, 8x8xf32))", GATHER, "index: {dtype: uint32_t, shape: [1, 8]}"),
    ("pto.mgather ins(%m, %i : P(64x8xf32), T(vec, 1x16xi32, valid=1x8)) outs(%d : T(vec, 9x8xf32, valid=8x8))", GATHER, "tile: {shape: [9, 8], valid: [8, 8]}, index: {shape: [1, 16], valid: [1, 8]}"),
    ("%i = pto.alloc_tile valid_col = %c5 : T(loc=vec, dtype=i32, rows=1, cols=8, v_row=1, v_col=?)
      pto.mgather ins(%m, %i : P(64x8xf32), T(loc=vec, dtype=i32, rows=1, cols=8, v_row=1, v_col=?)) outs(%d : T(vec, 8x8xf32))", GATHER, "index: {shape: [1, 8], valid: [1, dyn 5]}"),
    ("%i = pto.alloc_tile valid_row = %c1 addr = %c64 valid_col = %c5 : T(vec, 1x8xi32, valid=?x?)
      pto.mgather ins(%m, %i : P(64x8xf32), T(vec, 1x8xi32, valid=?x?)) outs(%d : T(vec, 8x8xf32))", GATHER, "index: {shape: [1, 8], valid: [dyn 1, dyn 5]}"),
    ("pto.mgather ins(%m, %i : P(64x8xf32), T(loc=vec, dtype=i32, rows=8, cols=1, blayout=col_major)) outs(%d : T(vec, 8x8xf32))", GATHER, "index: {shape: [8, 1], blayout: ColMajor}"),
    ("pto.mgather ins(%m, %i : P(64x8xf32), T(vec, 1x8xi32)) outs(%d : T(loc=vec, dtype=f32, rows=8, cols=8, slayout=col_major, fractal=1024))", GATHER, "tile: {shape: [8, 8], slayout: ColMajor, fractal: 1024}"),
    ("pto.mgather ins(%m, %i : P(64x8xf32), T(vec, 1x8xi32)) outs(%d : T(vec, 0x8xf32))", GATHER, "rows 0"),
    ("pto.mgather ins(%m, %i : P(64x8xf32), T(vec, 1x8xi32, valid=1x0)) outs(%d : T(vec, 8x8xf32))", GATHER, "index: {shape: [1, 8], valid: [1, 0]}"),
    // Element types.
    ("pto.mgather ins(%m, %i : P(64x8xbf16), T(vec, 1x8xi32)) outs(%d : T(vec, 8x8xbf16))", GATHER, "dtype: bfloat16_t"),
    ("pto.mgather ins(%m, %i : P(64x8xi64), T(vec, 1x8xi32)) outs(%d : T(vec, 8x8xi64))", GATHER, "dtype: int64_t"),
    ("pto.mgather ins(%m, %i : P(64x8xui64), T(vec, 1x8xi32)) outs(%d : T(vec, 8x8xui64))", GATHER, "dtype: uint64_t"),
    ("pto.mgather ins(%m, %i : P(64x8xi16), T(vec, 1x8xi32)) outs(%d : T(vec, 8x8xsi16))", GATHER, "dtype: int16_t"),
    ("pto.mgather ins(%m, %i : P(64x8xui8), T(vec, 1x8xi32)) outs(%d : T(vec, 8x8xui8))", GATHER, "dtype: uint8_t"),
    ("pto.mgather ins(%m, %i : P(64x8xf8E4M3FN), T(vec, 1x8xi32)) outs(%d : T(loc=vec, dtype=f8E4M3FN, rows=8, cols=8))", GATHER, "dtype: float8_e4m3_t"),
    ("pto.mgather ins(%m, %i : P(64x8xf8E5M2), T(vec, 1x8xi32)) outs(%d : T(vec, 8x8xf8E5M2))", GATHER, "dtype: float8_e5m2_t"),
    ("pto.mgather ins(%m, %i : P(64x8x!pto.hif8), T(vec, 1x8xi32)) outs(%d : T(loc=vec, dtype=!pto.hif8, rows=8, cols=8))", GATHER, "dtype: hifloat8_t"),
    // MSCATTER.
    ("pto.mscatter ins(%s, %i : T(vec, 8x8xf32), T(vec, 1x8xi32)) outs(%m : P(64x8xf32)) {coalesce = #pto<coalesce row>}", SCATTER, "mode: Row"),
    ("pto.mscatter ins(%s, %i : T(vec, 8x8xf32), T(vec, 1x8xi32)) outs(%m : P(64x8xf32)) {scatterAtomicOp = #pto<scatter_atomic_op max>}", SCATTER, "atomic: Max"),
    ("pto.mscatter ins(%s, %i : T(vec, 8x8xf32), T(vec, 1x8xi32)) outs(%m : P(64x8xf32)) {scatterAtomicOp = #pto<scatter_atomic_op min>, scatterOob = #pto<scatter_oob clamp>}", SCATTER, "atomic: Min, oob: Clamp"),
    ("pto.mscatter ins(%s, %i : T(vec, 8x8xf32), T(vec, 1x8xi32)) outs(%m : P(64x8xf32)) {scatterAtomicOp = #pto<scatter_atomic_op none>, scatterOob = #pto<scatter_oob wrap>}", SCATTER, "oob: Wrap"),
    ("pto.mscatter ins(%s, %i : T(vec, 8x8xf32), T(vec, 1x8xi32)) outs(%m : P(64x8xf32)) {scatterConflict = #pto<scatter_conflict last>, scatterOob = #pto<scatter_oob undefined>}", SCATTER, "conflict: Last"),
    ("pto.mscatter ins(%s, %i : T(vec, 8x8xf32), T(vec, 1x8xi32)) outs(%m : P(64x8xf32)) {scatterConflict = #pto<scatter_conflict default>, scatterOob = #pto<scatter_oob skip>}", SCATTER, "conflict: Default, oob: Skip"),
    ("\"pto.mscatter\"(%s, %i, %m) <{coalesce = #pto<coalesce row>, scatterOob = #pto<scatter_oob skip>, operandSegmentSizes = array<i32: 2, 1>}> : (T(vec, 8x8xf32), T(vec, 1x8xi32), P(64x8xf32)) -> ()", SCATTER, "oob: Skip"),
    ("\"pto.mscatter\"(%s, %i, %m) {scatterOob = #pto<scatter_oob skip>} : (T(vec, 8x8xf32), T(vec, 1x8xi32), P(64x8xf32)) -> ()", SCATTER, "oob: Skip"),
    ("\"pto.mgather\"(%m, %i, %d) <{coalesce = #pto<coalesce elem>}> : (P(99xf16), T(vec, 4x16xi32), T(vec, 4x16xf16)) -> ()", ELEM, ""),
    // Tile to tile.
    ("pto.tscatter ins(%s, %i : T(vec, 2x16xf16), T(vec, 2x16xi16)) outs(%d : T(vec, 4x16xf16))", TSCATTER, ""),
    ("\"pto.tscatter\"(%s, %i, %d) : (T(vec, 2x16xf16), T(vec, 2x16xi16), T(vec, 4x16xf16)) -> ()", TSCATTER, ""),
    ("scf.if %b { pto.tscatter ins(%s, %i : T(vec, 2x16xf16), T(vec, 2x16xui16)) outs(%d : T(vec, 4x16xf16)) }", TSCATTER, "index: {dtype: uint16_t, shape: [2, 16]}"),
    ("pto.tscatter ins(%s, {maskPattern = #pto.mask_pattern<P1010>} : T(vec, 2x16xf16), \"col\") outs(%d : T(vec, 4x16xf16))", "instruction: TSCATTER, dtype: half, source: {shape: [2, 16]}, destination: {shape: [4, 16]}", "mask: P1010, axis: Col"),
    ("pto.tscatter ins(%s : T(vec, 2x16xf16)) outs(%d : T(vec, 2x64xf16)) {maskPattern = #pto.mask_pattern<P1000>}", "instruction: TSCATTER, dtype: half, source: {shape: [2, 16]}, destination: {shape: [2, 64]}", "mask: P1000"),
    ("pto.tscatter ins(%s, {maskPattern = #pto<mask_pattern P1111>} : T(vec, 2x16xf16), \"row\") outs(%d : T(vec, 2x16xf16))", "instruction: TSCATTER, dtype: half, source: {shape: [2, 16]}, destination: {shape: [2, 16]}", "mask: P1111"),
    ("pto.tgatherb ins(%s, %o : T(vec, 2x64xf32), T(vec, 2x8xui32)) outs(%d : T(vec, 2x64xf32))", TGATHERB, ""),
    ("pto.tgatherb ins(%s, %o : T(vec, 2x64xf32, compact=0), T(vec, 2x8xui32)) outs(%d : T(vec, 2x64xf32))", TGATHERB, ""),
    ("pto.section.vector { scf.for %k = %c0 to %c8 step %c1 { pto.tgatherb ins(%s, %o : T(vec, 2x64xf32), T(vec, 2x8xui32)) outs(%d : T(vec, 2x64xf32, valid=2x32)) } }", TGATHERB, "destination: {shape: [2, 64], valid: [2, 32]}"),
    // To L1.
    ("pto.mgather ins(%m, %i : P(32x16xf16), P(16xi32)) outs(%d : T(loc=mat, dtype=f16, rows=16, cols=16, blayout=col_major, slayout=row_major)) {coalesce = #pto<coalesce row>}", L1, "mode: Row"),
    ("pto.mgather ins(%m, %i, %t : P(32x16xf16), P(16x16xi32), P(1x256xf16)) outs(%d : T(mat, 16x16xf16, blayout=col_major, slayout=row_major)) {coalesce = #pto<coalesce elem>, gatherOob = #pto<gather_oob wrap>}", L1, "mode: Elem, oob: Wrap, index: {shape: [1, 1, 1, 16, 16]}, scratch: {shape: [1, 1, 1, 1, 256]}"),
    ("\"pto.mgather\"(%m, %i, %t, %d) <{coalesce = #pto<coalesce elem>}> : (P(32x16xf16), P(16x16xi32), P(256xf16), T(mat, 16x16xf16, blayout=col_major, slayout=row_major)) -> ()", L1, "mode: Elem, index: {shape: [1, 1, 1, 16, 16]}, scratch: {shape: [1, 1, 1, 1, 256]}"),
];

#[test]
fn every_spelling_is_the_call_that_it_says() {
    let mut read = 0;
    for (operation, base, keys) in OPERATIONS {
        if *keys == "rows 0" {
            // No tile has no rows.
            let extract = crate::extract(&function(operation));
            assert_eq!(extract.cases, [], "{operation}");
            assert_eq!(extract.set_aside[0].code.id(), "PTO-C010", "{operation}");
            continue;
        }
        let keys = match *keys {
            "" => String::new(),
            keys => format!("\n    <<: {{{keys}}}"),
        };
        let own = keys.replace("\n    <<: {", "{");
        let own = if own.is_empty() { "{}".to_owned() } else { own };
        let yaml = format!("defaults: {{{base}}}\ncases: [{{name: a, <<: {own}}}]\n");
        let yaml = yaml.replace(", <<: {}", "");
        let expected = load_str("f.yaml", &yaml)
            .unwrap_or_else(|e| panic!("{}\n{yaml}", e.render(ptodiff_case::Style::Plain)));
        let case = case(&function(operation));
        assert_eq!(case.call, expected.cases[0].call, "{operation}\n{yaml}");
        read += 1;
    }
    assert!(read >= 50, "{read}");
}
