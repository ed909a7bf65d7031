//! A record that is read is written so that it is read the same, and no face
//! of it hides anything.

use std::io;

use ptodiff_edge::text::is_hidden;
use ptodiff_record::{CaseRecord, FORMAT, Header, read};
use ptodiff_report::{Summary, groups, plain, write_groups};

use super::Finding;

/// Writes a face of a record.
pub type Face = fn(&mut Vec<u8>, &Header, &[CaseRecord]) -> io::Result<()>;

/// All faces, each with its name.
pub const FACES: &[(&str, Face)] = &[
    ("text", text),
    ("JUnit", |to, header, cases| {
        ptodiff_report::write_junit(to, header, cases)
    }),
    ("Markdown", |to, header, cases| {
        ptodiff_report::write_markdown(to, header, cases)
    }),
    ("annotations", |to, header, cases| {
        ptodiff_report::write_annotations(to, header, cases)
    }),
    ("page", |to, header, cases| {
        ptodiff_report::write_html(to, header, cases, &[])
    }),
];

/// What a run prints, made plain first, without its colours.
fn text(to: &mut Vec<u8>, header: &Header, cases: &[CaseRecord]) -> io::Result<()> {
    let cleaned = cases.iter().map(|c| plain::cleaned(c).into_owned());
    let cases: Vec<CaseRecord> = cleaned.collect();
    let mut coloured = Vec::new();
    for case in cases.iter() {
        ptodiff_report::write_line(&mut coloured, case)?;
    }
    write_groups(&mut coloured, &plain::cleaned(header), &groups(&cases))?;
    ptodiff_report::write_summary(&mut coloured, &Summary::of(header, &cases))?;
    to.extend(colourless(&coloured));
    Ok(())
}

/// `text` without `ESC [ digits and ; m`.
fn colourless(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.iter().position(|b| *b == 0x1b) {
        out.extend(&rest[..at]);
        let code = &rest[at + 1..];
        let len = code
            .iter()
            .skip(1)
            .take_while(|b| b.is_ascii_digit() || **b == b';')
            .count();
        if code.first() == Some(&b'[') && code.get(len + 1) == Some(&b'm') {
            rest = &code[len + 2..];
        } else {
            out.push(0x1b);
            rest = code;
        }
    }
    out.extend(rest);
    out
}

/// Holds the reader and `faces` to account on any text.
///
/// # Errors
/// If a record is another once written, or a face cannot be made or hides something.
pub fn any_text(bytes: &[u8], faces: &[(&str, Face)]) -> Finding {
    let Ok((header, cases)) = read(bytes) else {
        return Ok(());
    };
    reads_back(&header, &cases)?;
    for (name, face) in faces {
        let mut out = Vec::new();
        face(&mut out, &header, &cases).map_err(|e| format!("{name}: {e}"))?;
        let out = String::from_utf8(out).map_err(|e| format!("{name}: {e}"))?;
        if let Some(c) = out.chars().find(|c| is_hidden(*c) && *c != '\n') {
            return Err(format!("{name} holds {c:?}"));
        }
    }
    Ok(())
}

/// Whether a record is the same once written and read, in the format of today.
///
/// # Errors
/// That it is not.
pub(super) fn reads_back(header: &Header, cases: &[CaseRecord]) -> Finding {
    let mut written = Vec::new();
    ptodiff_record::write(&mut written, header, cases).map_err(|e| e.to_string())?;
    let header = Header {
        ptodiff_record: FORMAT,
        ..header.clone()
    };
    match read(&written[..]) {
        Ok((head, again)) if head == header && again == cases => Ok(()),
        Ok(_) => Err("it is another record once written".to_owned()),
        Err(why) => Err(format!("it is rejected once written: {why}")),
    }
}
