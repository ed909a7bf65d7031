//! An array that is read is written so that it is read the same.

use ptodiff_data::npy::{Header, NpyError, spelled};
use ptodiff_edge::text::is_hidden;
use ptodiff_isa::DType;
use strum::VariantArray as _;

use super::Finding;

/// Reads an array of a type with these extents.
pub type Read<'a> = &'a dyn Fn(&[u8], DType, &[u64]) -> Result<Vec<u8>, NpyError>;

/// Writes one.
pub type Write<'a> = &'a dyn Fn(DType, &[u64], &[u8]) -> std::io::Result<Vec<u8>>;

/// Holds reader and writer to account on any bytes, asked for what they claim
/// to hold.
///
/// # Errors
/// If what is read is not what stands there, or not the same once written, or
/// a message hides something.
pub fn any_bytes(bytes: &[u8], read: Read<'_>, write: Write<'_>) -> Finding {
    let mut rest = bytes;
    let header = match Header::read(&mut rest) {
        Ok(header) => header,
        Err(why) => return plain(&why),
    };
    for dtype in DType::VARIANTS {
        match read(bytes, *dtype, &header.shape) {
            Err(why) => plain(&why)?,
            Ok(_) if header.descr != spelled(*dtype) => {
                return Err(format!("{} is read as {dtype}", header.descr));
            }
            Ok(data) if data != rest => {
                return Err(format!("{} bytes are read of {}", data.len(), rest.len()));
            }
            Ok(data) => {
                let written = write(*dtype, &header.shape, &data).map_err(|e| e.to_string())?;
                let again = read(&written, *dtype, &header.shape);
                if again.as_ref().ok() != Some(&data) {
                    return Err(format!(
                        "{dtype} {:?} is {again:?} once written",
                        header.shape
                    ));
                }
            }
        }
    }
    Ok(())
}

fn plain(why: &NpyError) -> Finding {
    let said = why.to_string();
    match said.is_empty() || said.chars().any(is_hidden) {
        true => Err(format!("it says {said:?}")),
        false => Ok(()),
    }
}
