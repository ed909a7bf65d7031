//! Reading and writing `run.jsonl`.

use std::io::{self, BufRead, Write};

use crate::{CaseRecord, FORMAT, Header, older};

/// Bytes of one line of a record, its end not counted.
pub const MAX_LINE: u64 = 16 << 20;

/// Bytes of a record; of all together where several are merged.
pub const MAX_BYTES: u64 = 512 << 20;

/// Writes the header line.
///
/// # Errors
/// What the writer gives.
pub fn write_header(mut to: impl Write, header: &Header) -> io::Result<()> {
    serde_json::to_writer(&mut to, header)?;
    to.write_all(b"\n")
}

/// Writes one case line.
///
/// # Errors
/// What the writer gives.
pub fn write_case(mut to: impl Write, case: &CaseRecord) -> io::Result<()> {
    serde_json::to_writer(&mut to, case)?;
    to.write_all(b"\n")
}

/// Why a record could not be read.
#[derive(thiserror::Error, Debug)]
pub enum ReadError {
    /// The file could not be read.
    #[error("cannot read the record: {0}")]
    Io(#[from] io::Error),
    /// The file is empty.
    #[error("the record is empty: it has no header line")]
    Empty,
    /// Written by a newer ptodiff.
    #[error(
        "the record has format {found}, this ptodiff reads up to {FORMAT}: use the ptodiff that wrote it, or a newer one"
    )]
    Newer {
        /// The record's format.
        found: u64,
    },
    /// A line is not what it should be.
    #[error("line {line} of the record is damaged: {why}")]
    Damaged {
        /// From 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// A line is longer than any that is written.
    #[error("line {line} of the record has more than {} MiB", MAX_LINE >> 20)]
    LongLine {
        /// From 1.
        line: usize,
    },
    /// The record is larger than one that is read.
    #[error("the record is larger than {} MiB, with those that it is merged with", MAX_BYTES >> 20)]
    TooLarge,
    /// There are more cases than the header says: nothing after these was read.
    #[error("the record is damaged: its header promises {promised} cases, more follow")]
    More {
        /// As the header says.
        promised: usize,
    },
    /// Lines are missing.
    #[error("the record is not whole: its header promises {promised} cases, {found} follow")]
    CutOff {
        /// As the header says.
        promised: usize,
        /// As found.
        found: usize,
    },
}

/// Reads a whole record.
///
/// # Errors
/// See [`ReadError`]; a record is taken whole or not at all.
pub fn read(from: impl BufRead) -> Result<(Header, Vec<CaseRecord>), ReadError> {
    let mut cases = Vec::new();
    let mut room = MAX_BYTES;
    let header = read_lines(from, &mut room, |case, _| cases.push(case))?;
    Ok((header, cases))
}

/// Reads a whole record of at most `room` bytes, which are then taken off, and
/// hands over each case with the line it stands in, in the words of today.
///
/// # Errors
/// See [`ReadError`].
pub(crate) fn read_lines(
    mut from: impl BufRead,
    room: &mut u64,
    mut take: impl FnMut(CaseRecord, String),
) -> Result<Header, ReadError> {
    let first = line(&mut from, 1, room)?.ok_or(ReadError::Empty)?;
    let header = read_header(&first)?;
    let mut found = 0;
    while let Some(line) = line(&mut from, found + 2, room)? {
        if found == header.cases {
            return Err(ReadError::More {
                promised: header.cases,
            });
        }
        let read = match older::is_older(u64::from(header.ptodiff_record)) {
            true => renewed(&line),
            false => serde_json::from_str(&line).map(|case| (case, line)),
        };
        let (case, line) = read.map_err(|e| ReadError::Damaged {
            line: found + 2,
            why: in_its_line(&e),
        })?;
        take(case, line);
        found += 1;
    }
    if found != header.cases {
        return Err(ReadError::CutOff {
            promised: header.cases,
            found,
        });
    }
    Ok(header)
}

/// A case of an older record, and its line as it would be written today.
fn renewed(line: &str) -> serde_json::Result<(CaseRecord, String)> {
    let mut value = serde_json::from_str(line)?;
    older::renew(&mut value);
    let case = serde_json::from_value(value)?;
    let line = serde_json::to_string(&case)?;
    Ok((case, line))
}

/// Line `number` without its end, if there is one.
fn line(from: impl BufRead, number: usize, room: &mut u64) -> Result<Option<String>, ReadError> {
    let mut bytes = Vec::new();
    // With an end of two bytes.
    let read = from.take(MAX_LINE + 2).read_until(b'\n', &mut bytes)?;
    *room = room.checked_sub(read as u64).ok_or(ReadError::TooLarge)?;
    if read == 0 {
        return Ok(None);
    }
    if bytes.ends_with(b"\n") {
        bytes.pop();
        if bytes.ends_with(b"\r") {
            bytes.pop();
        }
    }
    if bytes.len() as u64 > MAX_LINE {
        return Err(ReadError::LongLine { line: number });
    }
    let damaged = |_| ReadError::Damaged {
        line: number,
        why: "it is not UTF-8".to_owned(),
    };
    String::from_utf8(bytes).map(Some).map_err(damaged)
}

/// What is wrong with a line: it was read alone, so that its number there is always 1.
fn in_its_line(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let column = error.column();
    match text.strip_suffix(&format!(" at line 1 column {column}")) {
        Some(what) => format!("{what} at column {column}"),
        None => text,
    }
}

/// The version is looked at before anything else: a newer header may have
/// fields that this reader does not know.
fn read_header(line: &str) -> Result<Header, ReadError> {
    let damaged = |e: serde_json::Error| ReadError::Damaged {
        line: 1,
        why: in_its_line(&e),
    };
    let any: serde_json::Value = serde_json::from_str(line).map_err(damaged)?;
    match any
        .get("ptodiff_record")
        .and_then(serde_json::Value::as_u64)
    {
        Some(found) if found > u64::from(FORMAT) => Err(ReadError::Newer { found }),
        Some(found) => {
            let mut any = any;
            if older::is_older(found) {
                older::renew(&mut any);
            }
            serde_json::from_value(any).map_err(damaged)
        }
        None => Err(ReadError::Damaged {
            line: 1,
            why: "it is not the header of a ptodiff record".to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(cases: usize) -> Header {
        Header {
            ptodiff_record: FORMAT,
            version: "0.1.0".into(),
            seed: 0,
            st_data: None,
            schedules: 4,
            readings: vec![],
            all_readings: false,
            targets: vec![],
            implementations: vec![],
            cases,
            part: None,
        }
    }

    fn text(header: &Header) -> String {
        let mut out = Vec::new();
        write_header(&mut out, header).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn an_empty_record_is_rejected() {
        assert!(matches!(read(&b""[..]), Err(ReadError::Empty)));
    }

    #[test]
    fn a_header_alone_reads_back() {
        let (read_back, cases) = read(text(&header(0)).as_bytes()).unwrap();
        assert_eq!(read_back, header(0));
        assert!(cases.is_empty());
    }

    #[test]
    fn a_newer_record_is_rejected_before_its_unknown_fields_are_read() {
        let newer = u64::from(FORMAT) + 1;
        let line = format!("{{\"ptodiff_record\": {newer}, \"moon\": \"full\"}}\n");
        let error = read(line.as_bytes()).unwrap_err();
        assert!(matches!(error, ReadError::Newer { found } if found == newer));
        assert!(
            error.to_string().contains(&format!("format {newer}")),
            "{error}"
        );
    }

    #[test]
    fn a_cut_off_record_is_rejected() {
        let error = read(text(&header(3)).as_bytes()).unwrap_err();
        assert!(matches!(
            error,
            ReadError::CutOff {
                promised: 3,
                found: 0
            }
        ));
    }

    /// What gives the same byte without an end, and counts.
    struct Endless(u8, u64);

    impl io::Read for Endless {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            into.fill(self.0);
            self.1 += into.len() as u64;
            Ok(into.len())
        }
    }

    #[test]
    fn a_line_without_an_end_is_read_no_further_than_a_line_may_be() {
        for byte in [b'x', b'[', 0] {
            let mut from = io::BufReader::new(Endless(byte, 0));
            let error = read(&mut from).unwrap_err();
            assert!(matches!(error, ReadError::LongLine { line: 1 }), "{error}");
            assert!(from.into_inner().1 < MAX_LINE + (1 << 16));
        }
    }

    #[test]
    fn the_longest_line_is_read_and_a_longer_one_is_not() {
        let own = text(&header(0));
        for (more, fits) in [(0, true), (1, false)] {
            for end in ["\n", "\r\n", ""] {
                let spaces = " ".repeat(MAX_LINE as usize - (own.len() - 1) + more);
                let padded = format!("{}{spaces}{end}", own.trim_end());
                assert_eq!(read(padded.as_bytes()).is_ok(), fits, "{more} {end:?}");
            }
        }
    }

    #[test]
    fn a_record_takes_no_more_than_the_room_there_is() {
        let own = text(&header(0));
        let mut room = own.len() as u64;
        read_lines(own.as_bytes(), &mut room, |_, _| {}).unwrap();
        assert_eq!(room, 0);
        let mut room = own.len() as u64 - 1;
        let error = read_lines(own.as_bytes(), &mut room, |_, _| {}).unwrap_err();
        assert!(matches!(error, ReadError::TooLarge), "{error}");
    }

    #[test]
    fn cases_beyond_those_promised_are_not_read() {
        let mut all = text(&header(0));
        all.push_str(&"what is this?\n".repeat(1000));
        let mut from = all.as_bytes();
        let error = read(&mut from).unwrap_err();
        assert!(matches!(error, ReadError::More { promised: 0 }), "{error}");
        assert!(from.len() > 13_000, "{} bytes are left", from.len());
    }

    #[test]
    fn deep_nesting_and_numbers_out_of_range_are_damage() {
        let line = text(&header(1));
        for case in [
            "[".repeat(1 << 20),
            "{\"a\":".repeat(1 << 20),
            "{\"line\": 99999999999999999999999}".to_owned(),
            "{\"line\": 1e999}".to_owned(),
            "\u{0}".repeat(100),
        ] {
            let error = read(format!("{line}{case}\n").as_bytes()).unwrap_err();
            assert!(
                matches!(error, ReadError::Damaged { line: 2, .. }),
                "{error}"
            );
        }
        let deep = read("[".repeat(1 << 20).as_bytes()).unwrap_err();
        assert!(matches!(deep, ReadError::Damaged { line: 1, .. }), "{deep}");
        let many = line.replace("\"cases\":1", "\"cases\":18446744073709551615");
        let error = read(many.as_bytes()).unwrap_err();
        assert!(
            matches!(error, ReadError::CutOff { found: 0, .. }),
            "{error}"
        );
        let error = read(&b"\xff\n"[..]).unwrap_err();
        assert!(
            matches!(error, ReadError::Damaged { line: 1, .. }),
            "{error}"
        );
    }

    #[test]
    fn a_damaged_line_has_one_number_and_a_column() {
        let damaged = |text: String| read(text.as_bytes()).unwrap_err().to_string();
        let case = damaged(format!("{}{{\"id\": 3}}\n", text(&header(1))));
        assert_eq!(
            case,
            "line 2 of the record is damaged: invalid type: integer `3`, expected a string at column 8"
        );
        let first = damaged("{\"a\": x}\n".to_owned());
        assert_eq!(
            first,
            "line 1 of the record is damaged: expected value at column 7"
        );
    }

    #[test]
    fn a_damaged_line_is_named() {
        let mut all = text(&header(1));
        all.push_str("{\"id\": 3}\n");
        assert!(matches!(
            read(all.as_bytes()),
            Err(ReadError::Damaged { line: 2, .. })
        ));
        assert!(matches!(
            read(&b"{}"[..]),
            Err(ReadError::Damaged { line: 1, .. })
        ));
        assert!(matches!(
            read(&b"not json"[..]),
            Err(ReadError::Damaged { line: 1, .. })
        ));
    }
}
