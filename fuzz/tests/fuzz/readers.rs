//! The oracles of readers find one that is wrong, and nothing where all is right.

use ptodiff_asm::{forms, parse};
use ptodiff_case::{Case, case_yaml, st_name};
use ptodiff_data::npy;
use ptodiff_fuzz::corpus::{all, small};
use ptodiff_fuzz::oracle::{
    Finding, answer, asm, case_reader, npy as arrays, record, st_folder, st_name as names,
};
use ptodiff_fuzz::seeds;
use ptodiff_fuzz::target::{ANSWER, ASM, CASE_READER, NPY, RECORD, ST_FOLDER, ST_NAME, Target};
use ptodiff_isa::{BLayout, Call};

fn longest(target: &Target) -> Vec<u8> {
    let corpus = all().expect("cases/ is read");
    let seeds = seeds::of(target, corpus).into_iter();
    let (_, bytes) = seeds.max_by_key(|(_, bytes)| bytes.len()).expect("a seed");
    assert_eq!(target.find(&bytes), Ok(()));
    bytes
}

fn wrong(found: Finding, says: &str) {
    assert!(
        found.as_ref().is_err_and(|why| why.contains(says)),
        "{found:?}"
    );
}

#[test]
fn a_case_that_is_written_without_a_key_is_found() {
    let mut texts = small().iter().map(|case| case_yaml(case));
    let text = texts.find(|text| text.contains("    targets:"));
    let text = text.expect("a case of some targets");
    assert_eq!(CASE_READER.find(text.as_bytes()), Ok(()));
    let forgets = |case: &Case| case_yaml(case).replace("    targets:", "    # targets:");
    wrong(
        case_reader::any_text(&text, &forgets),
        "another case once written",
    );
}

#[test]
fn a_name_of_which_a_word_is_passed_over_is_found() {
    let name = "case_row_float_wrap_8x32_64rows";
    assert_eq!(ST_NAME.find(name.as_bytes()), Ok(()));
    let deaf = |instruction, text: &str| st_name::parse(instruction, &text.replace("_wrap", ""));
    wrong(names::any_text(name, &deaf), "`wrap`");
}

#[test]
fn a_form_that_is_read_with_another_layout_is_found() {
    let mut calls = small().iter().map(|case| case.call);
    let row_major = |call: &Call| {
        let is_scatter = matches!(call, Call::Mscatter(_));
        is_scatter && call.data_tile().blayout == BLayout::RowMajor
    };
    let call = calls.find(row_major).expect("such a call");
    let form = forms(&call).pop().expect("a form").text;
    assert_eq!(ASM.find(form.as_bytes()), Ok(()));
    let wrong_layout = |text: &str| {
        let mut call = parse(text)?;
        if let Call::Mscatter(c) = &mut call {
            c.src.blayout = BLayout::ColMajor;
        }
        Ok(call)
    };
    wrong(asm::any_call(&call, &wrong_layout), "is read as");
}

#[test]
fn an_array_that_is_read_short_is_found() {
    let found = arrays::any_bytes(&longest(&NPY), |from, dtype, extents| {
        npy::read(from, dtype, extents).map(|mut data| {
            data.pop();
            data
        })
    });
    wrong(found, "bytes are read of");
    // Elements that are stored big-endian, the rows running fastest.
    let header = "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }\n";
    let start = [b"\x93NUMPY\x01\x00", &[header.len() as u8, 0][..]].concat();
    let stored = [0, 0, 0, 3, 0, 1, 0, 4, 0, 2, 0, 5];
    let fortran = [&start, header.as_bytes(), &stored].concat();
    assert_eq!(NPY.find(&fortran), Ok(()));
}

#[test]
fn a_face_of_a_record_that_hides_something_is_found() {
    let hostile = String::from_utf8(longest(&RECORD)).expect("text");
    let hostile = hostile.replacen("\"name\":\"", "\"name\":\"\\u001b[2J\\u202e", 1);
    let hostile = hostile.replacen("\"id\":\"", "\"id\":\"\\u009b2J\\u202e", 1);
    let hostile = ptodiff_record::sealed(&hostile);
    assert_eq!(RECORD.find(hostile.as_bytes()), Ok(()));
    let raw: (&str, record::Face) = ("raw", |to, _, cases| {
        cases.iter().for_each(|case| to.extend(case.id.bytes()));
        Ok(())
    });
    wrong(
        record::any_text(hostile.as_bytes(), &[raw]),
        "raw holds '\\u{9b}'",
    );
}

#[test]
fn an_answer_that_depends_on_how_it_comes_is_found() {
    // A reader that loses what a piece has after its first five bytes.
    let found = answer::any_bytes(&longest(&ANSWER), |into, bytes, size| {
        let kept = bytes.chunks(size).flat_map(|p| &p[..p.len().min(5)]);
        answer::in_pieces(into, &kept.copied().collect::<Vec<u8>>(), size)
    });
    wrong(found, "in pieces of");
    for odd in [
        &b"{\"kind\":\"\\u001b[2J\\u202e\"}\n"[..],
        b"\xc2\x9b2J\n",
        b"{\"kind\":\"hello\",\"protocol\":1,\"bytes\":99999}\n",
        b"{\"kind\":\"hangs\",\"id\":1}\nmore",
        // Keys that its kind has not.
        b"{\"kind\":\"hangs\",\"i\":\"done\",\"id\":1,\"regions\":[],\"bytes\":9}\n0123456789",
    ] {
        assert_eq!(ANSWER.find(odd), Ok(()));
    }
}

#[test]
fn a_file_whose_order_is_lost_is_found() {
    let mut filled = longest(&ST_FOLDER)[..2].to_vec();
    filled.extend(1..=200);
    assert_eq!(ST_FOLDER.find(&filled), Ok(()));
    let found = st_folder::any_bytes(&filled, |file, bytes| {
        let mut values = file.unpacked(bytes);
        values.reverse();
        values
    });
    wrong(found, "another once its values are put back");
    assert!(st_folder::mirrored().count() > 60);
}
