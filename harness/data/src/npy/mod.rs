//! NPY: the file format of NumPy arrays.
//!
//! Versions 1.0, 2.0 and 3.0 are read, in both byte orders and in C and Fortran
//! order, with exactly as many bytes as the shape says; version 1.0, little-endian,
//! in C order is written. NumPy has no bfloat16 and no 8-bit float; their bits stand
//! in files as unsigned integers of the same size.
//!
//! The crate `npyz` (0.9.1) reads these too, but not where they may be hostile: extents
//! that overflow make it panic, and its parser takes time exponential in the nested
//! brackets of a header.

mod header;

use std::{
    fmt,
    io::{self, Read, Write},
};

use ptodiff_isa::DType;

use crate::{file::up_to, place::count};

pub use header::Header;

/// Most bytes of an array's data.
pub const MAX_BYTES: u64 = 256 << 20;

/// Most bytes of a header.
pub const MAX_HEADER: usize = 4096;

/// Most dimensions of an array.
pub const MAX_DIMENSIONS: usize = 32;

/// Why an array was not read.
#[derive(Debug, thiserror::Error)]
pub enum NpyError {
    /// It does not begin as an NPY file does.
    #[error("not an NPY file")]
    NotNpy,
    /// Another version of the format.
    #[error("NPY version {0}.{1}; 1.0, 2.0 and 3.0 are read")]
    Version(u8, u8),
    /// The header is too long, cut off, or says something it cannot.
    #[error("the header {0}")]
    Header(String),
    /// The elements have named fields.
    #[error("the elements are structured; save each field as an array of its own")]
    Structured,
    /// The elements are Python objects.
    #[error("the elements are Python objects; save them as `{0}`")]
    Pickle(&'static str),
    /// The elements are texts or bytes of a fixed length.
    #[error("the elements are strings; save them as `{0}`")]
    Strings(&'static str),
    /// The elements have another type.
    #[error("the elements are `{found}`; {dtype} is stored as `{needed}`")]
    Type {
        /// As the file has it.
        found: String,
        /// What was asked for.
        dtype: DType,
        /// As the file must have it.
        needed: &'static str,
    },
    /// The array has another shape.
    #[error("the shape is {}; {} is needed", Shape(found), Shape(needed))]
    Shape {
        /// The file's.
        found: Vec<u64>,
        /// What was asked for.
        needed: Vec<u64>,
    },
    /// The array is beyond [`MAX_BYTES`].
    #[error("the array is larger than {} MiB", MAX_BYTES >> 20)]
    TooLarge,
    /// The data ends before the shape says, or goes on.
    #[error(
        "{}{} bytes of data, {needed} by the shape",
        if found > needed { "more than " } else { "" },
        found.min(needed)
    )]
    Length {
        /// Bytes there are, counted to one more than needed.
        found: u64,
        /// Bytes there must be.
        needed: u64,
    },
    /// It cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// A shape as Python writes it.
struct Shape<'a>(&'a [u64]);

impl fmt::Display for Shape<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (n, extent) in self.0.iter().enumerate() {
            let comma = if n > 0 { ", " } else { "" };
            write!(f, "{comma}{extent}")?;
        }
        // One extent alone would be a number in brackets.
        f.write_str(if self.0.len() == 1 { ",)" } else { ")" })
    }
}

/// How an element type is spelled in a file that is written here.
#[must_use]
pub const fn spelled(dtype: DType) -> &'static str {
    match dtype {
        DType::Int8 => "|i1",
        DType::Uint8 | DType::Float8E4M3 | DType::Float8E5M2 | DType::Hifloat8 => "|u1",
        DType::Int16 => "<i2",
        DType::Uint16 | DType::Bfloat16 => "<u2",
        DType::Int32 => "<i4",
        DType::Uint32 => "<u4",
        DType::Int64 => "<i8",
        DType::Uint64 => "<u8",
        DType::Half => "<f2",
        DType::Float => "<f4",
    }
}

/// Reads an array of `dtype` with these `extents`: its elements in row-major
/// order, little-endian. Leading extents of 1 may be left out in the file.
///
/// Nothing is allocated for the data before header, type, shape and size fit;
/// memory is then taken as bytes come.
///
/// # Errors
/// If it is no such array, is cut off, or goes on after its data.
pub fn read(mut from: impl Read, dtype: DType, extents: &[u64]) -> Result<Vec<u8>, NpyError> {
    let header = Header::read(&mut from)?;
    let (spelling, size) = (spelled(dtype), dtype.size());
    let big = match header.descr.strip_suffix(&spelling[1..]) {
        Some("<") => false,
        Some(">") => true,
        Some("|") if size == 1 => false,
        _ => {
            let found = header.descr;
            return Err(
                match found.trim_start_matches(['<', '>', '|']).chars().next() {
                    Some('O') => NpyError::Pickle(spelling),
                    Some('S' | 'U') => NpyError::Strings(spelling),
                    _ => NpyError::Type {
                        found,
                        dtype,
                        needed: spelling,
                    },
                },
            );
        }
    };
    if trimmed(&header.shape) != trimmed(extents) {
        return Err(NpyError::Shape {
            found: header.shape,
            needed: extents.to_vec(),
        });
    }
    let needed = count(extents)
        .and_then(|n| n.checked_mul(size as u64))
        .filter(|bytes| *bytes <= MAX_BYTES)
        .ok_or(NpyError::TooLarge)?;
    let mut data = up_to(from, needed)?;
    let found = data.len() as u64;
    if found != needed {
        return Err(NpyError::Length { found, needed });
    }
    if big {
        data.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    }
    Ok(match header.fortran_order {
        true => row_major(&data, trimmed(&header.shape), size),
        false => data,
    })
}

/// From Fortran order, where the first index runs fastest, to C order.
fn row_major(data: &[u8], shape: &[u64], size: usize) -> Vec<u8> {
    let count = data.len() / size;
    let mut out = Vec::with_capacity(data.len());
    for place in 0..count {
        // The index of each dimension, from the last on, and how far apart its elements are.
        let (mut rest, mut stride, mut at) = (place, count, 0);
        for extent in shape.iter().rev().map(|extent| *extent as usize) {
            stride /= extent;
            at += rest % extent * stride;
            rest /= extent;
        }
        out.extend_from_slice(&data[at * size..][..size]);
    }
    out
}

/// A shape without its leading extents of 1.
fn trimmed(shape: &[u64]) -> &[u64] {
    let ones = shape.iter().take_while(|extent| **extent == 1).count();
    &shape[ones..]
}

/// Writes an array as NumPy itself does: `data` are its elements in row-major
/// order, little-endian.
///
/// # Errors
/// What the writer gives, or that data and shape do not fit each other or the limits.
pub fn write(mut to: impl Write, dtype: DType, extents: &[u64], data: &[u8]) -> io::Result<()> {
    let bytes = count(extents).and_then(|n| n.checked_mul(dtype.size() as u64));
    if bytes != Some(data.len() as u64) || extents.len() > MAX_DIMENSIONS {
        let why = format!(
            "{} bytes are no {dtype} array {}",
            data.len(),
            Shape(extents)
        );
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    let header = Header {
        descr: spelled(dtype).to_owned(),
        fortran_order: false,
        shape: extents.to_vec(),
    };
    to.write_all(&header.bytes())?;
    to.write_all(data)
}
