//! The header of an NPY file: a Python dictionary of three entries.

use std::io::{self, Read};

use super::{MAX_DIMENSIONS, MAX_HEADER, NpyError, Shape};

const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// NumPy fills headers up so that data begins at a multiple of this.
const ALIGNED: usize = 64;

/// Magic, version 1.0, and the length of what follows.
const PREAMBLE: usize = 10;

/// What an NPY file says of its array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The element type, as in `<f4` or `>f4`.
    pub descr: String,
    /// Whether the first index runs fastest.
    pub fortran_order: bool,
    /// Extents, outermost first; none for a single number.
    pub shape: Vec<u64>,
}

impl Header {
    /// Reads the header, up to where the data begins.
    ///
    /// # Errors
    /// If it is no header of version 1.0, 2.0 or 3.0, or says anything but the
    /// three entries.
    pub fn read(from: &mut impl Read) -> Result<Self, NpyError> {
        let mut start = [0; 8];
        fill(from, &mut start, NpyError::NotNpy)?;
        if start[..6] != MAGIC[..] {
            return Err(NpyError::NotNpy);
        }
        let mut len = [0; 4];
        let bytes = match start[6..8] {
            [1, 0] => 2,
            [2 | 3, 0] => 4,
            _ => return Err(NpyError::Version(start[6], start[7])),
        };
        fill(from, &mut len[..bytes], wrong("is cut off"))?;
        let len = u32::from_le_bytes(len) as usize;
        if len > MAX_HEADER {
            return Err(wrong("is too long"));
        }
        let mut text = vec![0; len];
        fill(from, &mut text, wrong("is cut off"))?;
        // Latin-1, from 3.0 on UTF-8; but what is read of it is ASCII.
        let text = String::from_utf8_lossy(&text);
        let text = text.strip_suffix('\n');
        Scanner(text.ok_or_else(|| wrong("is not one line"))?).header()
    }

    /// The header as NumPy writes it, from the first byte of the file on.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let order = if self.fortran_order { "True" } else { "False" };
        let mut text = format!(
            "{{'descr': '{}', 'fortran_order': {order}, 'shape': {}, }}",
            self.descr,
            Shape(&self.shape)
        );
        let whole = (PREAMBLE + text.len() + 1).next_multiple_of(ALIGNED);
        let spaces = whole - PREAMBLE - text.len() - 1;
        text.extend(std::iter::repeat_n(' ', spaces));
        text.push('\n');
        let mut bytes = MAGIC.to_vec();
        bytes.extend([1, 0]);
        // At most MAX_DIMENSIONS numbers of 20 digits.
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text.into_bytes());
        bytes
    }
}

fn wrong(how: &str) -> NpyError {
    NpyError::Header(how.to_owned())
}

fn fill(from: &mut impl Read, into: &mut [u8], short: NpyError) -> Result<(), NpyError> {
    from.read_exact(into).map_err(|e| match e.kind() {
        io::ErrorKind::UnexpectedEof => short,
        _ => NpyError::Io(e),
    })
}

/// What is left of the dictionary.
struct Scanner<'a>(&'a str);

impl<'a> Scanner<'a> {
    fn header(mut self) -> Result<Header, NpyError> {
        let (mut descr, mut order, mut shape) = (None, None, None);
        self.needed('{')?;
        while !self.has('}') {
            let key = self.quoted()?;
            self.needed(':')?;
            let again = match key {
                "descr" => descr.replace(self.descr()?).is_some(),
                "fortran_order" => order.replace(self.boolean()?).is_some(),
                "shape" => shape.replace(self.shape()?).is_some(),
                _ => return Err(wrong(&format!("has an entry `{key}`"))),
            };
            if again {
                return Err(wrong(&format!("gives `{key}` twice")));
            }
            if !self.has(',') {
                self.needed('}')?;
                break;
            }
        }
        if !self.0.trim_matches(' ').is_empty() {
            return Err(wrong("goes on after its dictionary"));
        }
        Ok(Header {
            descr: descr.ok_or_else(|| wrong("has no `descr`"))?,
            fortran_order: order.ok_or_else(|| wrong("has no `fortran_order`"))?,
            shape: shape.ok_or_else(|| wrong("has no `shape`"))?,
        })
    }

    /// Whether the next character but spaces is this one, which is then taken.
    fn has(&mut self, c: char) -> bool {
        let rest = self.0.trim_start_matches(' ');
        self.0 = rest.strip_prefix(c).unwrap_or(rest);
        self.0.len() < rest.len()
    }

    fn needed(&mut self, c: char) -> Result<(), NpyError> {
        if self.has(c) {
            return Ok(());
        }
        Err(wrong(&format!("lacks a `{c}`")))
    }

    fn quoted(&mut self) -> Result<&'a str, NpyError> {
        for quote in ['\'', '"'] {
            if self.has(quote) {
                let rest = self.0.split_once(quote);
                let (text, rest) = rest.ok_or_else(|| wrong("has a quote that is not closed"))?;
                if text.contains(|c: char| !(' '..='~').contains(&c) || c == '\\') {
                    return Err(wrong("has a text with more than plain ASCII"));
                }
                self.0 = rest;
                return Ok(text);
            }
        }
        Err(wrong("lacks a text in quotes"))
    }

    fn descr(&mut self) -> Result<String, NpyError> {
        if self.has('[') {
            return Err(NpyError::Structured);
        }
        self.quoted().map(str::to_owned)
    }

    fn boolean(&mut self) -> Result<bool, NpyError> {
        self.0 = self.0.trim_start_matches(' ');
        for (word, value) in [("True", true), ("False", false)] {
            if let Some(rest) = self.0.strip_prefix(word) {
                self.0 = rest;
                return Ok(value);
            }
        }
        Err(wrong(
            "has a `fortran_order` that is neither True nor False",
        ))
    }

    fn shape(&mut self) -> Result<Vec<u64>, NpyError> {
        self.needed('(')?;
        let (mut shape, mut comma) = (Vec::new(), true);
        while !self.has(')') {
            if !comma || shape.len() == MAX_DIMENSIONS {
                return Err(wrong(
                    "has a shape that is no tuple, or too many dimensions",
                ));
            }
            shape.push(self.number()?);
            comma = self.has(',');
        }
        // A tuple of one has its comma.
        if shape.len() == 1 && !comma {
            return Err(wrong("has a shape that is no tuple"));
        }
        Ok(shape)
    }

    fn number(&mut self) -> Result<u64, NpyError> {
        let digits = self.0.trim_start_matches(' ');
        let end = digits.find(|c: char| !c.is_ascii_digit());
        let (number, rest) = digits.split_at(end.unwrap_or(digits.len()));
        self.0 = rest;
        number
            .parse()
            .map_err(|_| wrong("has an extent that is no number or beyond 2^64"))
    }
}
