//! Where a mistake is found, and what is said about it.

use ptodiff_asm::parse;

const T: &str = "!pto.tile<Vec, f32, 1, 8, RowMajor, NoneBox, 512, none, valid = 1x8>";
const I: &str = "!pto.tile<Vec, i32, 1, 8, RowMajor, NoneBox, 512, none, valid = 1x8>";
const M: &str = "!pto.memref<1x1x1x1x8xf32, stride = [1, 1, 1, 8, 1], layout = ND>";
const V: &str = "!pto.partition_tensor_view<1x1x1x1x8xf32, stride = [1, 1, 1, 8, 1], layout = ND>";

/// Reads `text`, which has a `^` before the place of its mistake, and checks
/// that this place is blamed with words that hold `expected` and `found`.
#[track_caller]
fn fails(marked: &str, expected: &str, found: &str) {
    let (before, after) = marked.split_once('^').expect("a mark");
    let text = format!("{before}{after}");
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let place = (
        before.matches('\n').count() + 1,
        before[line_start..].chars().count() + 1,
    );
    let error = parse(&text).expect_err("a mistake");
    assert_eq!((error.line, error.column), place, "{error}");
    assert!(error.expected.contains(expected), "{error}");
    assert!(error.found.contains(found), "{error}");
}

#[test]
fn tokens() {
    fails("^", "an instruction", "the end");
    fails("# only a comment^", "an instruction", "the end");
    fails("pto.^tgather %a", "an instruction", "tgather");
    // Columns count characters, not bytes.
    fails("\u{a0}\u{a0}^é", "an instruction", "é");
    fails("^é", "an instruction", "é");
    fails(&format!("mscatter %a, ^b, %c : {M}"), "an operand", "`b`");
    fails(&format!("mscatter %a, %b, %c ^{M}"), "`:`", "!pto.memref");
    fails("%dst ^mgather", "`=`", "mgather");
}

#[test]
fn types() {
    fails(
        "mscatter %a, %b, %c : ^!pto.tile_buf<Vec>",
        "`!pto.tile<`",
        "!pto.tile_buf",
    );
    fails(
        "mscatter %a, %b, %c : !pto.tile<^L1, f32>",
        "`Vec` or `Mat`",
        "L1",
    );
    fails(
        "mscatter %a, %b, %c : !pto.tile<Vec, ^float, 1>",
        "an element type",
        "float",
    );
    fails(
        "mscatter %a, %b, %c : !pto.tile<Vec, f32, ^0, 1>",
        "at least 1",
        "`0`",
    );
    fails(
        "mscatter %a, %b, %c : !pto.tile<Vec, f32, ^18446744073709551616, 1>",
        "below 2^64",
        "18446744073709551616",
    );
    fails(
        "mscatter %a, %b, %c : !pto.memref<1x1x1x^f32>",
        "a number",
        "f32",
    );
    fails(
        "mscatter %a, %b, %c : !pto.memref<1x1x1x1x1x^1xf32>",
        "an element type",
        "1xf32",
    );
}

#[test]
fn operands() {
    fails(
        &format!("mscatter %a, %b ^: {M}, {T}, {I}"),
        "3 operands",
        ":",
    );
    fails(
        &format!("mscatter %a, %b, %c, ^%d : {M}, {T}, {I}"),
        "3 operands",
        "d",
    );
    fails(
        &format!("mscatter %a, %b, %c : {M}, {T}^"),
        "3 types",
        "the end",
    );
    fails(
        &format!("mscatter %a, %b, %c : {M}, {T}, ^{M}"),
        "a tile type for the index",
        "memref",
    );
    fails(
        &format!("mscatter %a, %b, %c : ^{T}, {T}, {I}"),
        "a tensor type for the table",
        "tile",
    );
    // MSCATTER-ASM-05: a result value is an error.
    let line = format!("^%r = pto.mscatter %a, %b, %c : ({T}, {I}, {V}) -> ()");
    fails(&line, "a form without result", "%r");
    fails(
        &format!("^mgather %a, %b : {M}, {I} -> {T}"),
        "a result",
        "mgather",
    );
    // MGATHER-GAP-34: without its result type the line says too little.
    fails(
        &format!("%d = mgather %a, %b : {M}, {I}^"),
        "the result's type",
        "the end",
    );
    fails(
        &format!("%d = pto.mgather %a, %b : ({V}, {I})^"),
        "`->`",
        "the end",
    );
    fails(
        &format!("%a = tscatter ^%a, %b : {T}, {I} -> {T}"),
        "an operand of its own",
        "%a",
    );
    fails(
        &format!("%d = tgatherb %a, %b : {T}^ -> {T}").replace("^ ->", " ^->"),
        "{offset",
        "-",
    );
}

#[test]
fn suffixes() {
    let tail = format!("%a, %b, %c : ({M}, {T}, {I})");
    fails(&format!("mscatter.^col {tail}"), "`row` or `elem`", "col");
    fails(&format!("mscatter.row.^zero {tail}"), "`.skip`", "zero");
    // MSCATTER-ASM-04: the OOB policy comes before the atomic operation.
    fails(
        &format!("mscatter.row.atomic_add.^clamp {tail}"),
        "no suffix",
        "clamp",
    );
    fails(
        &format!("mgather.row.^atomic_add %d, %t, %i : ({T}, {M}, {I})"),
        "`.zero`",
        "atomic_add",
    );
    fails(
        &format!("tscatter.^row %a, %b : ({T}, {I})"),
        "an instruction without suffix",
        "row",
    );
}

#[test]
fn attributes() {
    let line = format!("mscatter %a, %b, %c : {M}, {T}, {I}");
    fails(&format!("{line} {{mode = ^row}}"), "`Row` or `Elem`", "row");
    fails(
        &format!("{line} {{mode = Row, ^mode = Row}}"),
        "not given before",
        "mode",
    );
    fails(
        &format!("{line} {{^exec = Simt}}"),
        "that this form has",
        "exec",
    );
    fails(&format!("{line} {{mode = Row^"), "`,` or `}`", "the end");
    fails(
        &format!("{line} {{dynUBufSize = ^1}}0")
            .replace('^', "")
            .replace("}0", "} ^0"),
        "nothing more",
        "0",
    );
    fails(&format!("{line} {{dynUBufSize = ^Row}}"), "a number", "Row");
    fails(&format!("{line} {{^%x = [1]}}"), "that this form has", "x");
    fails(
        &format!("{line} {{%b = ^[1]}}"),
        "run-time values of `%b`, 0 of them",
        "[",
    );
    let open = T.replace("valid = 1x8", "valid = 1x?");
    fails(
        &format!("mscatter %a, %b, %c : {M}, ^{open}, {I}"),
        "of `%a`, 1 of them",
        "!pto.tile",
    );
    // The mode stands in the suffix there.
    let line = format!("mscatter.row %a, %b, %c : ({M}, {T}, {I})");
    fails(
        &format!("{line} {{^mode = Row}}"),
        "that this form has",
        "mode",
    );
    fails(
        &format!("{line} {{revision = ^second}}"),
        "`first`",
        "second",
    );
}

#[test]
fn lines_are_counted_and_addresses_checked() {
    let line = format!("pto.mscatter %a, %b, %c : ({T}, {I}, {V}) -> ()");
    fails(
        &format!("# one\npto.tassign %a, @tile(^1000)\n{line}"),
        "`0x1000`",
        "1000",
    );
    fails(
        &format!("pto.tassign %a, @tile(0x0)\npto.tassign ^%a, @tile(0x20)\n{line}"),
        "once",
        "a",
    );
    // The table is no tile.
    fails(
        &format!("\n\n  pto.tassign ^%c, @tile(0x0)\n{line}"),
        "a tile operand",
        "c",
    );
    fails(
        &format!("{line}\n\n ^{line}"),
        "nothing more",
        "pto.mscatter",
    );
}
