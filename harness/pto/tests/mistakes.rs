//! What is wrong is told, all at once, each at its place.

use crate::extract;

/// A function with `operation` in it.
fn function(operation: &str) -> String {
    format!(
        "func.func @f(%m: !pto.partition_tensor_view<64x32xf16>, %i: !pto.tile_buf<vec, 1x16xi32>, \
         %d: !pto.tile_buf<vec, 16x32xf16>) {{\n  %x = foo.bar\n  {operation}\n  return\n}}\n"
    )
}

/// What is said of `operation`, without where.
fn said(operation: &str) -> Vec<String> {
    let text = function(operation);
    assert_eq!(extract(&text).cases.len(), 0, "{operation}");
    said_of(&text)
}

/// What is said of `text`, without where.
fn said_of(text: &str) -> Vec<String> {
    let read = extract(text);
    let all = read.found.iter().chain(&read.set_aside);
    all.map(|d| {
        let help = d
            .help
            .as_deref()
            .map(|h| format!(" ({h})"))
            .unwrap_or_default();
        format!("{}: {}{help}", d.code, d.message)
    })
    .collect()
}

const GATHER: &str = "pto.mgather ins(%m, %i : !pto.partition_tensor_view<64x32xf16>, \
    !pto.tile_buf<vec, 1x16xi32>) outs(%d : !pto.tile_buf<vec, 16x32xf16>) \
    {coalesce = #pto<coalesce row>, gatherOob = #pto<gather_oob zero>}";

#[test]
fn each_mistake_has_its_message() {
    assert_eq!(extract(&function(GATHER)).cases.len(), 1);
    for (from, to, expected) in [
        (
            "coalesce row",
            "coalesce rwo",
            "PTO-C008: there is no coalesce `rwo` (did you mean `row`?)",
        ),
        (
            "gatherOob =",
            "gatherOoB =",
            "PTO-C008: there is no attribute of this operation `gatherOoB` (did you mean `gatherOob`?)",
        ),
        (
            "gather_oob zero",
            "scatter_oob skip",
            "PTO-C040: `#pto<scatter_oob skip>` is no `gather_oob` of the dialect (as in `#pto<gather_oob ...>`)",
        ),
        (
            "gather_oob zero",
            "gather_oob skip",
            "PTO-C008: there is no gatherOob `skip` (there are undefined, clamp, wrap, zero)",
        ),
        (
            "coalesce = #pto<coalesce row>",
            "gatherOob = #pto<gather_oob zero>",
            "PTO-C003: `gatherOob` is given twice",
        ),
        (
            " outs(%d",
            " out(%d",
            "PTO-C040: `pto.mgather` cannot have `out` here (`outs` is expected: `pto.mgather ins(...) outs(...)` is read, a form with a result is not)",
        ),
        (
            "ins(%m, %i :",
            "%m, %i : (",
            "PTO-C040: `pto.mgather` cannot have `%m` here (`ins` is expected: `pto.mgather ins(...) outs(...)` is read, a form with a result is not)",
        ),
        (
            ") outs(%d : !pto.tile_buf<vec, 16x32xf16>)",
            ")",
            "PTO-C040: `pto.mgather` cannot have `{coalesce = #pto<coalesce row>, gatherOob = #pto<gather_oob zero>}` here (`outs` is expected: `pto.mgather ins(...) outs(...)` is read, a form with a result is not)",
        ),
        (
            "ins(%m, %i :",
            "ins(%m :",
            "PTO-C040: `pto.mgather` has 1 operands here and 2 types",
        ),
        (
            "ins(%m, %i : !pto.partition_tensor_view<64x32xf16>, ",
            "ins(%i, %i : !pto.tile_buf<vec, 1x16xi32>, ",
            "PTO-C040: `%i` has to be a view in GM",
        ),
        (
            "outs(%d : !pto.tile_buf<vec, 16x32xf16>",
            "outs(%d : !pto.tile_buf<vec, 16x64xf16>",
            "PTO-C040: `%d` has another type where it is defined",
        ),
        ("outs(%d :", "outs(%dd :", "PTO-C040: `%dd` is not defined"),
        (
            "outs(%d : !pto.tile_buf<vec, 16x32xf16>",
            "outs(%x : !pto.tile_buf<vec, 16x32xhalf>",
            "PTO-C008: there is no element type `half` (there are f32, f16, bf16, i8, i16, i32, i64, ui8, ui16, ui32, ui64, f8E4M3FN, f8E5M2, !pto.hif8)",
        ),
        (
            "outs(%d : !pto.tile_buf<vec, 16x32xf16>",
            "outs(%x : !pto.tile_buf<acc, 16x32xf16>",
            "PTO-C041: ptodiff has no tile in `acc`: its documents have none (operands of these instructions stand in `vec` and `mat`)",
        ),
        (
            "outs(%d : !pto.tile_buf<vec, 16x32xf16>",
            "outs(%x : !pto.tile_buf<vec, 16x32xf16, valid=17x32>",
            "PTO-C012: 17 valid rows do not fit a tile of 16",
        ),
        (
            "outs(%d : !pto.tile_buf<vec, 16x32xf16>",
            "outs(%x : !pto.tile_buf<vec, 16x32xf16, pad=0, compact=2>",
            "PTO-C041: ptodiff has no compact tile: its documents have none",
        ),
        (
            "outs(%d : !pto.tile_buf<vec, 16x32xf16>",
            "outs(%x : !pto.tile_buf<vec, 16x32xf16, padd=0>",
            "PTO-C008: there is no key of a tile's type `padd` (did you mean `pad`?)",
        ),
        (
            "outs(%d : !pto.tile_buf<vec, 16x32xf16>",
            "outs(%x : !pto.ptr<f16>",
            "PTO-C040: `!pto.ptr<f16>` is the type of no operand (a tile is a `!pto.tile_buf<...>`, what stands in GM a `!pto.partition_tensor_view<...>`)",
        ),
        (
            "ins(%m, %i : !pto.partition_tensor_view<64x32xf16>,",
            "ins(%x, %i : !pto.partition_tensor_view<1x1x1x1x64x32xf16>,",
            "PTO-C011: a view has one to five extents, this has 6",
        ),
        (
            "ins(%m, %i : !pto.partition_tensor_view<64x32xf16>,",
            "ins(%x, %i : !pto.partition_tensor_view<99999999999x99999999999xf16>,",
            "PTO-C013: `%x` is too large",
        ),
        (
            "ins(%m, %i : !pto.partition_tensor_view<64x32xf16>,",
            "ins(%x, %i : !pto.partition_tensor_view<0x32xf16>,",
            "PTO-C010: an extent of a view is at least 1",
        ),
        (
            "ins(%m, %i : !pto.partition_tensor_view<64x32xf16>,",
            "ins(%x, %i : !pto.partition_tensor_view<99999999x9999xf16>,",
            "PTO-C013: to run this takes more than 2048 MiB of memory, or its table spans more than 256 GiB",
        ),
        (
            "ins(%m, %i : !pto.partition_tensor_view<64x32xf16>,",
            "ins(%x, %i : !pto.partition_tensor_view<?x32xf16>,",
            "PTO-C039: an extent of `%x` is not known: no constant says `x.extent0` (give it: --set x.extent0=N)",
        ),
    ] {
        let text = GATHER.replace(from, to);
        assert_ne!(text, GATHER, "{from}");
        assert_eq!(said(&text), [expected], "{text}");
    }
}

#[test]
fn a_predicate_is_none_of_ours() {
    let predicated = "pto.mgather ins(%m, %i, %p : !pto.partition_tensor_view<64x32xf16>, \
        !pto.tile_buf<vec, 1x16xi32>, !pto.tile_buf<vec, 1x32xui8>) \
        outs(%d : !pto.tile_buf<vec, 16x32xf16>)";
    let expected =
        "PTO-C041: ptodiff has no predicate operand, as `%p` seems to be: its documents have none";
    assert_eq!(said(predicated), [expected]);
    let scatter = "pto.mscatter ins(%d, %i, %p : !pto.tile_buf<vec, 16x32xf16>, \
        !pto.tile_buf<vec, 1x16xi32>, !pto.tile_buf<vec, 1x32xui8>) \
        outs(%m : !pto.partition_tensor_view<64x32xf16>)";
    assert_eq!(said(scatter), [expected]);
}

#[test]
fn all_mistakes_of_an_operation_are_told_at_once() {
    let text = GATHER
        .replace("coalesce row", "coalesce rwo")
        .replace("%i : !pto.p", "%x : !pto.p")
        .replace("1x16xi32", "1x16xi23")
        .replace(
            "outs(%d : !pto.tile_buf<vec, 16x32xf16>",
            "outs(%x : !pto.tile_buf<acc, 16x32xf16>",
        );
    assert_eq!(said(&text).len(), 3, "{:?}", said(&text));
}

#[test]
fn an_operation_with_a_mistake_takes_none_of_its_neighbours_with_it() {
    let bad = GATHER.replace("coalesce row", "coalesce rwo");
    let unclosed = GATHER.replace(") outs(", " outs(");
    let text = function(&format!("{GATHER}\n  {bad}\n  {unclosed}\n  {GATHER}"));
    let read = extract(&text);
    let ids: Vec<&str> = read
        .cases
        .iter()
        .map(|(case, _)| case.id.as_str())
        .collect();
    assert_eq!(ids, ["f/f.1", "f/f.4"], "{:?}", read.set_aside);
    assert!(read.set_aside.len() >= 2, "{:?}", read.set_aside);
    assert_eq!(read.found, []);
}

#[test]
fn what_is_nearly_an_operation_is_told_and_what_the_dialect_has_is_not() {
    for (name, near) in [
        ("tgatherbb", Some("tgatherb")),
        ("mgathr", Some("mgather")),
        ("Mscatter", Some("mscatter")),
        ("scatter", Some("mscatter")),
        ("tscater", Some("tscatter")),
        ("tgather", None),
        ("tgathr", None),
        ("vgather2", None),
        ("vgatherb", None),
        ("vscatter", None),
        ("tload", None),
        ("tstore", None),
        ("tmatmul", None),
    ] {
        let expected = near.map(|near| {
            format!(
                "PTO-C044: `pto.{name}` is no operation that is known (did you mean `pto.{near}`?)"
            )
        });
        let expected: Vec<String> = expected.into_iter().collect();
        assert_eq!(said(&format!("pto.{name} ins(%m, %i)")), expected);
        assert_eq!(said(&format!("\"pto.{name}\"(%m) : (f32) -> ()")), expected);
    }
}

#[test]
fn what_is_no_mlir_is_told() {
    for text in ["module {", "func.func @f( {", "\"", "%"] {
        let read = extract(text);
        assert_eq!(read.cases, [], "{text}");
        assert!(!read.found.is_empty(), "{text}");
        for diagnostic in read.found {
            assert_eq!(diagnostic.code.id(), "PTO-C038", "{text}");
        }
    }
    // Where it is in an operation of others it takes none of ours with it, and without ours it
    // is nothing.
    let other = "pto.tmatmul ins(%m : <loc=left, dtype=f32>)";
    let read = extract(&function(other));
    assert_eq!((&read.found[..], &read.set_aside[..]), (&[][..], &[][..]));
    let read = extract(&function(&format!("{other}\n  {GATHER}")));
    assert_eq!((read.found.len(), read.cases.len()), (0, 1));
    let codes = read.set_aside.iter().map(|d| d.code.id());
    assert_eq!(codes.collect::<Vec<_>>(), ["PTO-C038"]);
    let comment = extract(&format!("# ours\n{}", function(GATHER)));
    let told = comment.set_aside.iter().map(|d| d.message.as_str());
    assert_eq!(told.collect::<Vec<_>>(), ["not valid MLIR: `# ours`"]);
    let read = extract("module attributes {pto.target_arch = \"a55\"} {}");
    let told: Vec<String> = read.set_aside.iter().map(|d| d.summary()).collect();
    assert_eq!(
        told,
        ["f.pto:1:39: error[PTO-C008]: there is no architecture `a55`"]
    );
}

#[test]
fn a_value_of_a_function_is_defined_before_it_is_used() {
    let of = |before: &str, operation: &str| {
        let tile = "!pto.tile_buf<vec, 16x32xf16>";
        said_of(&function(&format!("{before}\n  {operation}")).replace("TILE", tile))
    };
    let used = GATHER.replace("outs(%d", "outs(%t");
    for before in [
        "",
        "pto.tload ins(%m : !pto.partition_tensor_view<64x32xf16>) outs(%t : TILE)",
        "%tt = pto.alloc_tile : TILE",
    ] {
        let expected = ["PTO-C040: `%t` is not defined"];
        assert_eq!(of(before, &used), expected, "{before}");
    }
    for before in [
        "%t = pto.alloc_tile : TILE",
        "%t, %u = foo.bar : TILE, TILE",
        "%u, %t = foo.bar : TILE, TILE",
        "^bb0(%t : TILE):",
        "foo.loop iter_args(%t = %d) : TILE",
    ] {
        assert!(of(before, &used).is_empty(), "{before}");
    }
    let second = GATHER.replace("outs(%d", "outs(%t#1");
    assert!(of("%t:2 = foo.bar : TILE, TILE", &second).is_empty());
    let view = "%v = pto.partition_view %mm, offsets = [%x], sizes = [%x] : \
        !pto.tensor_view<?xf16> -> !pto.partition_tensor_view<64x32xf16>";
    let of_view = GATHER.replace("ins(%m", "ins(%v");
    assert_eq!(of(view, &of_view), ["PTO-C040: `%mm` is not defined"]);
    // A text of no function need not be whole.
    assert!(said_of(GATHER).is_empty());
}
