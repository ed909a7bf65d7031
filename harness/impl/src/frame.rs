//! Frames: a line of JSON, and as many raw bytes as it says.

use std::io::{self, Write};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::text::one_line;

/// Bytes that the line of a frame may have, its end not counted.
pub const LONGEST_LINE: usize = 65_536;

/// Why what came is no frame.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadFrame {
    /// The line does not end.
    #[error("a line of more than {LONGEST_LINE} bytes")]
    LongLine,
    /// More raw bytes are announced than make sense.
    #[error("{said} raw bytes announced, where at most {room} make sense")]
    Payload {
        /// How many.
        said: u64,
        /// How many would.
        room: u64,
    },
    /// The line is no JSON object with a sensible `bytes`: the beginning of
    /// it, escaped, and what is wrong.
    #[error("`{line}` is no frame: {why}")]
    Line {
        /// The beginning of the line.
        line: String,
        /// What is wrong with it.
        why: String,
    },
}

/// Takes in one frame, in pieces as they come. It holds a line of at most
/// [`LONGEST_LINE`] bytes and no more raw bytes than it is given room for.
#[derive(Default)]
pub struct Collector {
    line: Vec<u8>,
    payload: Vec<u8>,
    /// How many raw bytes there will be, once the line has ended.
    wanted: Option<usize>,
}

/// What a line says of the bytes after it.
#[derive(Deserialize)]
struct Announced {
    #[serde(default)]
    bytes: u64,
}

impl Collector {
    /// Makes it ready for another frame.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes from `bytes` what belongs to this frame, which may have `room`
    /// raw bytes: how many those were.
    ///
    /// # Errors
    /// If this cannot become a frame.
    pub fn take(&mut self, bytes: &[u8], room: u64) -> Result<usize, BadFrame> {
        let mut taken = 0;
        if self.wanted.is_none() {
            let end = bytes.iter().position(|b| *b == b'\n');
            let part = &bytes[..end.unwrap_or(bytes.len())];
            if self.line.len() + part.len() > LONGEST_LINE {
                return Err(BadFrame::LongLine);
            }
            self.line.extend_from_slice(part);
            taken = part.len();
            if end.is_none() {
                return Ok(taken);
            }
            taken += 1;
            let wanted = self.announced(room)?;
            self.payload.reserve_exact(wanted);
            self.wanted = Some(wanted);
        }
        let missing = self.wanted.unwrap_or(0) - self.payload.len();
        let part = &bytes[taken..][..missing.min(bytes.len() - taken)];
        self.payload.extend_from_slice(part);
        Ok(taken + part.len())
    }

    fn announced(&self, room: u64) -> Result<usize, BadFrame> {
        let text = str::from_utf8(&self.line).map_err(|_| self.wrong("not UTF-8"))?;
        // A list would pass for an object whose keys are left out.
        if !text.trim_start().starts_with('{') {
            return Err(self.wrong(
                "not a JSON object; print to standard error, standard output is for answers",
            ));
        }
        let said: Announced = serde_json::from_str(text).map_err(|e| self.wrong(&e.to_string()))?;
        match usize::try_from(said.bytes) {
            Ok(wanted) if said.bytes <= room => Ok(wanted),
            _ => Err(BadFrame::Payload {
                said: said.bytes,
                room,
            }),
        }
    }

    /// Whether the frame is all there.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.wanted == Some(self.payload.len())
    }

    /// Bytes taken so far.
    #[must_use]
    pub fn held(&self) -> usize {
        self.line.len() + usize::from(self.wanted.is_some()) + self.payload.len()
    }

    /// What the line says.
    ///
    /// # Errors
    /// If that is no `T`.
    pub fn header<T: DeserializeOwned>(&self) -> Result<T, BadFrame> {
        serde_json::from_slice(&self.line).map_err(|e| self.wrong(&e.to_string()))
    }

    /// What is wrong with the line; `why` may quote it.
    fn wrong(&self, why: &str) -> BadFrame {
        BadFrame::Line {
            line: one_line(&self.line, 80),
            why: one_line(why.as_bytes(), 200),
        }
    }

    /// The raw bytes.
    #[must_use]
    pub fn payload(&self) -> &[u8] {
        &self.payload
    }
}

/// The line of a frame, its end included.
pub(crate) fn line(header: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(header)?;
    line.push(b'\n');
    Ok(line)
}

/// Writes one frame: `header`, whose `bytes` must say how many there are, and
/// the raw bytes in `payload` one piece after the other. It does not flush.
///
/// # Errors
/// What the writer gives.
pub fn write(to: &mut impl Write, header: &impl Serialize, payload: &[&[u8]]) -> io::Result<()> {
    to.write_all(&line(header)?)?;
    payload.iter().try_for_each(|piece| to.write_all(piece))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_may_come_byte_by_byte_and_takes_nothing_of_the_next() {
        let bytes = b" {\"bytes\": 3}\r\nabcX";
        let mut frame = Collector::default();
        for (n, byte) in bytes[..18].iter().enumerate() {
            assert!(!frame.is_complete(), "{n}");
            assert_eq!(frame.take(&[*byte], 3), Ok(1));
            assert_eq!(frame.held(), n + 1);
        }
        assert!(frame.is_complete());
        assert_eq!(frame.take(&bytes[18..], 3), Ok(0));
        assert_eq!(frame.payload(), b"abc");
        frame.clear();
        assert_eq!(frame.take(bytes, 3), Ok(18));
    }
}
