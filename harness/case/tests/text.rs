//! What keeps a text from being read at all is shown where it stands: another
//! encoding.

use std::fs;

use ptodiff_case::{Code, Style, load, waiver};

/// Place, message and help of a file with these bytes.
fn file(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("a.yaml");
    fs::write(&at, bytes).unwrap();
    let error = load(std::slice::from_ref(&at)).unwrap_err();
    let of_waivers = waiver::load(&at).unwrap_err();
    assert_eq!(error.render(Style::Plain), of_waivers.render(Style::Plain));
    let [found] = &error.diagnostics()[..] else {
        panic!("{error}");
    };
    assert_eq!(found.code, Code::NotText);
    let help = found.help.as_deref().unwrap();
    assert_eq!(help, "save the file again with the encoding UTF-8");
    error
        .render(Style::Plain)
        .replace(&*at.to_string_lossy(), "a.yaml")
}

#[test]
fn a_byte_that_is_no_utf8_is_shown_in_its_line() {
    let expected = "\
error[PTO-C024]: the byte 0xE9 is not UTF-8
 --> a.yaml:2:17
  |
2 |   - about: \u{e4} caf\u{fffd} # \u{fffd}
  |                 ^
  |
  = help: save the file again with the encoding UTF-8

";
    assert_eq!(
        file(b"cases:\n  - about: \xC3\xA4 caf\xE9 # \xE9\n"),
        expected
    );
}

#[test]
fn utf16_is_known_by_its_mark_and_by_its_zeros() {
    let wide = |mark: &[u8], bytes: fn(u16) -> [u8; 2]| {
        let text = "cases:\n  - name: caf\u{e9}\n".encode_utf16();
        let text = file(&[mark, &text.flat_map(bytes).collect::<Vec<_>>()].concat());
        text.lines().next().unwrap().to_owned()
    };
    let said = "error[PTO-C024]: the file is UTF-16, not UTF-8";
    assert_eq!(wide(b"\xFF\xFE", u16::to_le_bytes), said);
    assert_eq!(wide(b"\xFE\xFF", u16::to_be_bytes), said);
    assert_eq!(wide(b"", u16::to_le_bytes), said);
    assert_eq!(wide(b"", u16::to_be_bytes), said);
}
