//! An array that is read is written so that it is read the same.

use ptodiff_data::npy::{Header, NpyError, spelled, write};
use ptodiff_isa::DType;
use strum::VariantArray as _;

use super::{Finding, plain};

/// Reads an array of a type with these extents.
pub type Read = fn(&[u8], DType, &[u64]) -> Result<Vec<u8>, NpyError>;

/// Holds `read` and what writes an array to account on any bytes, asked for what they
/// claim to hold.
///
/// # Errors
/// If what is read is not what stands there, or not the same once written, or
/// a message hides something.
pub fn any_bytes(bytes: &[u8], read: Read) -> Finding {
    let mut rest = bytes;
    let header = match Header::read(&mut rest) {
        Ok(header) => header,
        Err(why) => return plain(&why),
    };
    for dtype in DType::VARIANTS {
        match read(bytes, *dtype, &header.shape) {
            Err(why) => plain(&why)?,
            Ok(_) if header.descr.get(1..) != Some(&spelled(*dtype)[1..]) => {
                return Err(format!("{} is read as {dtype}", header.descr));
            }
            Ok(data) if stored(&header, &data, dtype.size()).as_deref() != Some(rest) => {
                let (read, stored) = (data.len(), rest.len());
                return Err(format!(
                    "{read} bytes are read of {stored}, or others than stand there"
                ));
            }
            Ok(data) => {
                let mut written = Vec::new();
                write(&mut written, *dtype, &header.shape, &data).map_err(|e| e.to_string())?;
                let again = read(&written, *dtype, &header.shape);
                if again.as_ref().ok() != Some(&data) {
                    let shape = &header.shape;
                    return Err(format!("{dtype} {shape:?} is {again:?} once written"));
                }
            }
        }
    }
    Ok(())
}

/// The bytes of a file with this header whose elements, in C order and
/// little-endian, are `data`.
fn stored(header: &Header, data: &[u8], size: usize) -> Option<Vec<u8>> {
    let count = data.len() / size;
    let mut index = vec![0; header.shape.len()];
    let mut file = Vec::with_capacity(data.len());
    for n in 0..count {
        let extents = index.iter().zip(&header.shape);
        let place = extents.fold(0, |at, (i, extent)| at * *extent as usize + i);
        let at = if header.fortran_order { place } else { n };
        let mut element = data.get(at * size..(at + 1) * size)?.to_vec();
        if header.descr.starts_with('>') {
            element.reverse();
        }
        file.extend(element);
        // The next in Fortran order: the first index runs fastest.
        for (i, extent) in index.iter_mut().zip(&header.shape) {
            *i += 1;
            if *i < *extent as usize {
                break;
            }
            *i = 0;
        }
    }
    (data.len() == count * size).then_some(file)
}
