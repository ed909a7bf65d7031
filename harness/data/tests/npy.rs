//! NPY files: by hand, and hostile ones.

use std::io::{self, Read};

use ptodiff_data::npy::{MAX_BYTES, NpyError, read, spelled, write};
use ptodiff_isa::DType;
use strum::VariantArray;

/// An NPY file with this dictionary, header filled up with spaces.
fn file(dictionary: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{dictionary}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(data);
    bytes
}

fn said(bytes: &[u8]) -> String {
    read(bytes, DType::Float, &[2, 2]).unwrap_err().to_string()
}

const RIGHT: &str = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }";

/// Every byte of a small file, from the description of the format.
#[test]
fn a_file_is_written_as_the_format_says() {
    let mut out = Vec::new();
    write(&mut out, DType::Uint16, &[3], &[1, 0, 2, 0, 3, 1]).unwrap();
    let dictionary = "{'descr': '<u2', 'fortran_order': False, 'shape': (3,), }";
    let mut expected = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    expected.extend(format!("{dictionary:<117}\n").bytes());
    assert_eq!(expected.len(), 128);
    expected.extend([1, 0, 2, 0, 3, 1]);
    assert_eq!(out, expected);
}

#[test]
fn every_dtype_has_a_spelling_of_its_size() {
    for dtype in DType::VARIANTS {
        let spelled = spelled(*dtype);
        let size: usize = spelled[2..].parse().unwrap();
        assert_eq!(size, dtype.size(), "{dtype}");
        let order = if size == 1 { '|' } else { '<' };
        assert!(spelled.starts_with(order), "{spelled}");
    }
    // What NumPy lacks is carried as bits.
    for (dtype, bits) in [
        (DType::Bfloat16, "<u2"),
        (DType::Float8E4M3, "|u1"),
        (DType::Float8E5M2, "|u1"),
        (DType::Hifloat8, "|u1"),
        (DType::Half, "<f2"),
    ] {
        assert_eq!(spelled(dtype), bits);
    }
}

#[test]
fn the_dictionary_may_be_written_otherwise() {
    let data: Vec<u8> = (0..16).collect();
    for dictionary in [
        RIGHT,
        "{'shape':(2,2),'descr':\"<f4\",'fortran_order':False}",
        "  { 'fortran_order' : False , 'shape' : ( 2 , 2 , ) , 'descr' : '<f4' }    ",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 2, 2), }",
    ] {
        let got = read(&file(dictionary, &data)[..], DType::Float, &[1, 2, 2]);
        assert_eq!(got.unwrap(), data, "{dictionary}");
    }
}

/// A file of `version` with this element type and order, 2 by 3 by 2.
fn of(version: u8, descr: &str, fortran: &str, data: &[u8]) -> Vec<u8> {
    let header =
        format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': (2, 3, 2)}}\n");
    let len = (header.len() as u32).to_le_bytes();
    let bytes = if version == 1 { 2 } else { 4 };
    let start = [b"\x93NUMPY", &[version, 0][..], &len[..bytes]];
    [&start.concat(), header.as_bytes(), data].concat()
}

/// Element (i, j, k) holds 6i + 2j + k + 0x100, its place in C order. In Fortran
/// order i runs fastest, then j.
#[test]
fn versions_byte_orders_and_orders_of_indices_are_read_alike() {
    let c: Vec<u16> = (0x100..0x10c).collect();
    let fortran = [0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11].map(|n| n + 0x100);
    let wanted: Vec<u8> = c.iter().flat_map(|n| n.to_le_bytes()).collect();
    for version in [1, 2, 3] {
        for (word, values) in [("False", &c[..]), ("True", &fortran)] {
            let little: Vec<u8> = values.iter().flat_map(|n| n.to_le_bytes()).collect();
            let big: Vec<u8> = values.iter().flat_map(|n| n.to_be_bytes()).collect();
            for (descr, data) in [("<u2", little), (">u2", big)] {
                let bytes = of(version, descr, word, &data);
                let got = read(&bytes[..], DType::Uint16, &[1, 2, 3, 2]).unwrap();
                assert_eq!(got, wanted, "{version} {descr} {word}");
            }
            // One byte has no order.
            let data: Vec<u8> = values.iter().map(|n| *n as u8).collect();
            for descr in ["|u1", "<u1", ">u1"] {
                let bytes = of(version, descr, word, &data);
                let got = read(&bytes[..], DType::Hifloat8, &[2, 3, 2]).unwrap();
                assert_eq!(got, (0..12).collect::<Vec<u8>>(), "{descr} {word}");
            }
        }
    }
    let none = file(
        "{'descr': '>u2', 'fortran_order': True, 'shape': (2, 0)}",
        &[],
    );
    assert_eq!(read(&none[..], DType::Uint16, &[2, 0]).unwrap(), []);
}

#[test]
fn a_file_that_is_not_just_so_is_rejected_and_says_why() {
    let with = |dictionary: &str| said(&file(dictionary, &[0; 16]));
    let (_, page) = include_str!("headers.md").split_once("```npy\n").unwrap();
    let rows: Vec<&str> = page.lines().take_while(|line| *line != "```").collect();
    for row in rows.chunks_exact(2) {
        assert_eq!(format!("! {}", with(row[0])), row[1], "{}", row[0]);
    }
    assert!(rows.len() > 40);
    for (dictionary, why) in [
        (
            "{'descr': '\u{1b}[31m', 'fortran_order': False, 'shape': (2, 2)}",
            "the header has a text with more than plain ASCII",
        ),
        (
            "{'descr': '\u{202e}', 'fortran_order': False, 'shape': (2, 2)}",
            "the header has a text with more than plain ASCII",
        ),
        ("", "the header lacks a `{`"),
    ] {
        assert_eq!(with(dictionary), why, "{dictionary}");
    }
    let right = file(RIGHT, &[0; 16]);
    assert!(read(&right[..], DType::Float, &[2, 2]).is_ok());
    let mut newer = right.clone();
    for version in [[0, 0], [1, 1], [2, 1], [4, 0]] {
        newer[6..8].copy_from_slice(&version);
        let [major, minor] = version;
        let why = format!("NPY version {major}.{minor}; 1.0, 2.0 and 3.0 are read");
        assert_eq!(said(&newer), why);
    }
    for (version, len, why) in [
        (2, &[0xff; 4][..], "the header is too long"),
        (3, &[1, 0, 1, 0], "the header is too long"),
        (2, &[9, 0], "the header is cut off"),
    ] {
        let start = [b"\x93NUMPY", &[version, 0][..], len].concat();
        assert_eq!(said(&start), why);
    }
    assert_eq!(said(b"PK\x03\x04 and so on"), "not an NPY file");
    assert_eq!(said(b"\x93NUM"), "not an NPY file");
    assert_eq!(said(&right[..40]), "the header is cut off");
    let mut no_line = file(RIGHT, &[]);
    *no_line.last_mut().unwrap() = b' ';
    assert_eq!(said(&no_line), "the header is not one line");
    let long = file(&" ".repeat(5000), &[]);
    assert_eq!(said(&long), "the header is too long");
    let many = "1, ".repeat(33);
    let many = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({many})}}");
    assert_eq!(
        with(&many),
        "the header has a shape that is no tuple, or too many dimensions"
    );
    assert_eq!(
        said(&file(RIGHT, &[0; 15])),
        "15 bytes of data, 16 by the shape"
    );
    assert_eq!(
        said(&file(RIGHT, &[0; 99])),
        "more than 16 bytes of data, 16 by the shape"
    );
}

/// Fails where more is read than the header.
struct Header<'a>(&'a [u8]);

impl Read for Header<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        assert!(!self.0.is_empty(), "the data was read");
        self.0.read(into)
    }
}

#[test]
fn sizes_are_checked_before_any_data_is_read() {
    let max = MAX_BYTES / 4;
    for extents in [[max + 1, 1], [u64::MAX, u64::MAX], [1 << 32, 1 << 32]] {
        let dictionary = format!(
            "{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {})}}",
            extents[0], extents[1]
        );
        let bytes = file(&dictionary, &[]);
        let got = read(Header(&bytes), DType::Float, &extents);
        assert!(matches!(got, Err(NpyError::TooLarge)), "{extents:?}");
    }
    // As large as may be, and not there: only what comes takes memory.
    let bytes = file(
        &format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({max},)}}"),
        &[0; 8],
    );
    let got = read(&bytes[..], DType::Float, &[max]);
    assert!(matches!(got, Err(NpyError::Length { found: 8, .. })));
}

#[test]
fn an_array_that_does_not_fit_its_shape_is_not_written() {
    let mut out = Vec::new();
    for (extents, bytes) in [(vec![2, 2], 15), (vec![u64::MAX, 2], 16), (vec![1; 33], 4)] {
        assert!(write(&mut out, DType::Float, &extents, &vec![0; bytes]).is_err());
    }
    assert!(out.is_empty());
}
