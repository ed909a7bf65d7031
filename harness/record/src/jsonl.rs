//! Reading and writing `run.jsonl`.

use std::io::{self, BufRead, Write};

use crate::{CaseRecord, FORMAT, Header};

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
    /// Lines are missing, or too many.
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
    let header = read_lines(from, |case, _| cases.push(case))?;
    Ok((header, cases))
}

/// Reads a whole record and hands over each case with the line it stands in.
///
/// # Errors
/// See [`ReadError`].
pub(crate) fn read_lines(
    from: impl BufRead,
    mut take: impl FnMut(CaseRecord, String),
) -> Result<Header, ReadError> {
    let mut lines = from.lines().enumerate();
    let (_, first) = lines.next().ok_or(ReadError::Empty)?;
    let header = read_header(&first?)?;
    let mut found = 0;
    for (n, line) in lines {
        let line = line?;
        let case = serde_json::from_str(&line).map_err(|e| ReadError::Damaged {
            line: n + 1,
            why: e.to_string(),
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

/// The version is looked at before anything else: a newer header may have
/// fields that this reader does not know.
fn read_header(line: &str) -> Result<Header, ReadError> {
    let damaged = |e: serde_json::Error| ReadError::Damaged {
        line: 1,
        why: e.to_string(),
    };
    let any: serde_json::Value = serde_json::from_str(line).map_err(damaged)?;
    match any
        .get("ptodiff_record")
        .and_then(serde_json::Value::as_u64)
    {
        Some(found) if found > u64::from(FORMAT) => Err(ReadError::Newer { found }),
        Some(_) => serde_json::from_value(any).map_err(damaged),
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
            schedules: 4,
            readings: vec![],
            all_readings: false,
            targets: vec![],
            subjects: vec![],
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
    fn an_empty_record_is_refused() {
        assert!(matches!(read(&b""[..]), Err(ReadError::Empty)));
    }

    #[test]
    fn a_header_alone_reads_back() {
        let (read_back, cases) = read(text(&header(0)).as_bytes()).unwrap();
        assert_eq!(read_back, header(0));
        assert!(cases.is_empty());
    }

    #[test]
    fn a_newer_record_is_refused_before_its_unknown_fields_are_read() {
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
    fn a_cut_off_record_is_refused() {
        let error = read(text(&header(3)).as_bytes()).unwrap_err();
        assert!(matches!(
            error,
            ReadError::CutOff {
                promised: 3,
                found: 0
            }
        ));
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
