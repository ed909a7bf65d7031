//! What is written for calls: the pages of `calls`.
//!
//! A block `asm` is a call, in which `$(tile f32 8 16)` is a row-major tile in UB, all of it valid,
//! and `$(memref f32 64 16)` a dense tensor. `asm same` is the same call, and `asm other` another
//! one or none. A block `text` has its forms, `text TARGET` its C++ or the clause by which it has
//! none, and `text suite` the intrinsic of the suites with its arguments and without.

use std::{fs, path::Path};

use ptodiff_asm::{cpp, forms, parse, suite_pieces};
use ptodiff_isa::{Call, Dim, Role};
use strum::VariantArray;

use crate::blocks::blocks;
use crate::shown::{differs, follow};

/// A text with its types in full.
fn spelled(text: &str) -> String {
    let mut parts = text.split("$(");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (short, rest) = part.split_once(')').expect("a type");
        let words: Vec<&str> = short.split(' ').collect();
        out += &match words[..] {
            ["tile", dtype, rows, cols] => format!(
                "!pto.tile<Vec, {dtype}, {rows}, {cols}, RowMajor, NoneBox, 512, none, \
                 valid = {rows}x{cols}>"
            ),
            ["memref", dtype, rows, cols] => format!(
                "!pto.memref<1x1x1x{rows}x{cols}x{dtype}, stride = [1, 1, 1, {cols}, 1], \
                 layout = ND>"
            ),
            _ => panic!("{short}"),
        };
        out += rest;
    }
    out
}

/// The call of a text.
pub(crate) fn call(text: &str) -> Call {
    parse(&spelled(text)).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// The calls of all pages, and the same with extents that no machine has.
pub(crate) fn calls() -> Vec<Call> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/calls");
    let mut calls = Vec::new();
    for entry in folder.read_dir().expect("the pages") {
        let page = fs::read_to_string(entry.expect("an entry").path()).expect("a page");
        let written = blocks(&page)
            .into_iter()
            .filter(|(_, tag, _)| *tag == "asm");
        calls.extend(written.map(|(.., text)| call(&text)));
    }
    let mut vast = calls.clone();
    for call in &mut vast {
        for role in Role::VARIANTS {
            if let Some(tile) = call.tile_mut(*role) {
                (tile.rows, tile.valid_row) = (u64::MAX, Dim::Dynamic(u64::MAX));
            }
            if let Some(tensor) = call.tensor_mut(*role) {
                tensor.stride[0] = Dim::Dynamic(u64::MAX);
            }
        }
    }
    calls.extend(vast);
    calls
}

#[test]
fn each_call_is_written_as_its_page_has_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/calls");
    follow(&folder, |last: &mut Option<Call>, tag, text| {
        if tag == "asm" {
            *last = Some(call(text));
            return None;
        }
        let call = last.expect("a call");
        let made = match tag {
            "asm same" | "asm other" => {
                let read = parse(&spelled(text));
                let right = (read == Ok(call)) == (tag == "asm same");
                return (!right).then(|| format!("{read:?}"));
            }
            "text" => {
                let form = |form: ptodiff_asm::Form| format!("{}: {}\n", form.level, form.text);
                forms(&call).into_iter().map(form).collect()
            }
            "text suite" => {
                let pieces = suite_pieces(&call).expect("a form of the suites");
                format!("{}\n{}", pieces.intrinsic, pieces.with_arguments(0))
            }
            _ => {
                let target = tag
                    .strip_prefix("text ")
                    .expect(tag)
                    .parse()
                    .expect("a target");
                cpp(&call, target).unwrap_or_else(|none| none.clause.to_string())
            }
        };
        differs(text, made)
    });
}
