//! The oracles of what others hand in find a reader or a face that is wrong.

use ptodiff_data::npy;
use ptodiff_fuzz::corpus::all;
use ptodiff_fuzz::oracle::{answer, npy as arrays, record, st_folder};
use ptodiff_fuzz::seeds;
use ptodiff_fuzz::target::{ANSWER, NPY, RECORD, ST_FOLDER, Target};
use ptodiff_impl::frame::Collector;
use ptodiff_isa::DType;

fn longest(target: &Target) -> Vec<u8> {
    let corpus = all().expect("cases/ is read");
    let seeds = seeds::of(target, corpus).into_iter();
    let (_, bytes) = seeds.max_by_key(|(_, bytes)| bytes.len()).expect("a seed");
    assert_eq!(target.find(&bytes), Ok(()));
    bytes
}

fn wrong(found: Result<(), String>, says: &str) {
    assert!(
        found.as_ref().is_err_and(|why| why.contains(says)),
        "{found:?}"
    );
}

#[test]
fn an_array_that_is_read_or_written_wrong_is_found() {
    let bytes = longest(&NPY);
    let read = |from: &[u8], dtype: DType, extents: &[u64]| npy::read(from, dtype, extents);
    let write = |dtype: DType, extents: &[u64], data: &[u8]| {
        let mut out = Vec::new();
        npy::write(&mut out, dtype, extents, data).map(|()| out)
    };
    assert_eq!(arrays::any_bytes(&bytes, &read, &write), Ok(()));
    let short = |from: &[u8], dtype: DType, extents: &[u64]| {
        read(from, dtype, extents).map(|mut data| {
            data.pop();
            data
        })
    };
    wrong(
        arrays::any_bytes(&bytes, &short, &write),
        "bytes are read of",
    );
    // Element (r, c) is 3r + c, once stored big-endian with r running fastest.
    let header = "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }\n";
    let start = [b"\x93NUMPY\x01\x00", &[header.len() as u8, 0][..]].concat();
    let stored = [0, 0, 0, 3, 0, 1, 0, 4, 0, 2, 0, 5];
    let fortran = [&start, header.as_bytes(), &stored].concat();
    assert_eq!(arrays::any_bytes(&fortran, &read, &write), Ok(()));
    let as_it_stands = |from: &[u8], dtype: DType, extents: &[u64]| {
        read(from, dtype, extents).map(|data| match data.len() {
            12 => stored.to_vec(),
            _ => data,
        })
    };
    wrong(
        arrays::any_bytes(&fortran, &as_it_stands, &write),
        "others than stand there",
    );
    let any_type = |from: &[u8], _: DType, extents: &[u64]| {
        let types = [DType::Int8, DType::Int16, DType::Int32, DType::Int64];
        let all = types
            .into_iter()
            .chain([DType::Uint8, DType::Half, DType::Float]);
        let more = all.chain([DType::Uint16, DType::Uint32, DType::Uint64]);
        let mut all = more.map(|dtype| read(from, dtype, extents));
        all.find(Result::is_ok).unwrap_or(Ok(Vec::new()))
    };
    wrong(arrays::any_bytes(&bytes, &any_type, &write), "is read as");
    let other = |dtype: DType, extents: &[u64], data: &[u8]| {
        let mut written = write(dtype, extents, data)?;
        written.push(0);
        Ok(written)
    };
    wrong(arrays::any_bytes(&bytes, &read, &other), "once written");
}

#[test]
fn a_record_that_is_read_wrong_and_a_face_that_hides_something_are_found() {
    let bytes = longest(&RECORD);
    let read = |from: &[u8]| ptodiff_record::read(from);
    let forgets = |from: &[u8]| {
        let (mut header, cases) = read(from)?;
        header.seed += 1;
        Ok((header, cases))
    };
    wrong(
        record::any_text(&bytes, &forgets, &[]),
        "another record once written",
    );
    let hostile = String::from_utf8(bytes).expect("text");
    let hostile = hostile.replacen("\"name\":\"", "\"name\":\"\\u001b[2J\\u202e", 1);
    let hostile = hostile.replacen("\"id\":\"", "\"id\":\"\\u009b2J\\u202e", 1);
    let hostile = ptodiff_record::sealed(&hostile);
    assert_eq!(RECORD.find(hostile.as_bytes()), Ok(()));
    let raw: (&str, record::Face) = ("raw", |to, _, cases| {
        cases.iter().for_each(|case| to.extend(case.id.bytes()));
        Ok(())
    });
    wrong(
        record::any_text(hostile.as_bytes(), &read, &[raw]),
        "raw holds '\\u{9b}'",
    );
}

#[test]
fn an_answer_that_depends_on_how_it_comes_is_found() {
    let bytes = longest(&ANSWER);
    // A reader that loses a byte at the end of each piece.
    let loses = |into: &mut Collector, bytes: &[u8], size: usize| {
        let kept: Vec<u8> = bytes
            .chunks(size)
            .flat_map(|p| &p[..p.len().min(5)])
            .copied()
            .collect();
        answer::in_pieces(into, &kept, size)
    };
    wrong(answer::any_bytes(&bytes, &loses), "in pieces of");
    for odd in [
        &b"{\"kind\":\"\\u001b[2J\\u202e\"}\n"[..],
        b"\xc2\x9b2J\n",
        b"{\"kind\":\"hello\",\"protocol\":1,\"bytes\":99999}\n",
        b"{\"kind\":\"hangs\",\"id\":1}\nmore",
    ] {
        assert_eq!(ANSWER.find(odd), Ok(()));
    }
}

#[test]
fn a_file_whose_order_is_lost_is_found() {
    let bytes = longest(&ST_FOLDER);
    let mut filled = bytes[..2].to_vec();
    filled.extend(1..=200);
    assert_eq!(ST_FOLDER.find(&filled), Ok(()));
    wrong(
        st_folder::any_bytes(&filled, &|file, bytes| {
            let mut values = file.unpacked(bytes);
            values.reverse();
            values
        }),
        "another once its values are put back",
    );
    assert!(st_folder::mirrored().count() > 60);
}

/// An answer with keys that its kind has not is none, and the oracle knows it.
#[test]
fn an_answer_with_keys_of_another_kind_is_no_answer() {
    for line in [
        r#"{"kind":"hangs","i":"done","id":10,"regions":[{"role":"table","bytes":10}],"bytes":10}"#,
        r#"{"kind":"hangs","id":10,"bytes":0}"#,
        r#"{"kind":"hangs","id":10}"#,
    ] {
        let bytes = [line.as_bytes(), b"\n0123456789 and more"].concat();
        assert_eq!(ANSWER.find(&bytes), Ok(()), "{line}");
    }
}
