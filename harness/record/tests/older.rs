//! Records that older versions wrote: they read, and lose nothing.

use std::{fs, path::Path};

use ptodiff_isa::{Party, Target};
use ptodiff_record::{FORMAT, ReadError, TargetVerdict, Verdict, read, write_case, write_header};

fn older(format: u32) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/older");
    fs::read_to_string(folder.join(format!("format-{format}.jsonl"))).expect("a record")
}

#[test]
fn every_older_format_reads_and_loses_nothing() {
    for format in 1..FORMAT {
        let text = older(format);
        let (header, cases) = read(text.as_bytes()).unwrap_or_else(|e| panic!("{format}: {e}"));
        assert_eq!(header.ptodiff_record, format);
        let mut again = Vec::new();
        write_header(&mut again, &header).unwrap();
        for case in &cases {
            write_case(&mut again, case).unwrap();
        }
        assert!(
            again == text.as_bytes(),
            "format {format} does not come back as it was"
        );
    }
}

#[test]
fn what_the_first_format_says_is_understood() {
    let (header, cases) = read(older(1).as_bytes()).unwrap();
    assert_eq!(
        header.readings,
        [("cpu-form".to_owned(), "templated".to_owned())]
    );
    assert!(!header.all_readings && header.part.is_none());
    let [contested, mirrored] = &cases[..] else {
        panic!()
    };
    assert_eq!(contested.verdict, Verdict::Permitted);
    assert_eq!(contested.pairs[1].slots[0].got.len(), 2);
    assert_eq!(mirrored.odd_one_out, Some(Party::of(Target::A5)));
    let a5 = &mirrored.targets[&Party::of(Target::A5)];
    assert_eq!(a5.verdict, TargetVerdict::Violates);
    assert!(mirrored.witness.is_empty() && mirrored.holes.is_empty());
    assert_eq!(mirrored.detail, None);
}

#[test]
fn a_newer_record_is_refused_with_both_versions() {
    let newer = older(1).replace("\"ptodiff_record\":1", "\"ptodiff_record\":99");
    let error = read(newer.as_bytes()).unwrap_err();
    assert!(matches!(error, ReadError::Newer { found: 99 }));
    let expected = format!("the record has format 99, this ptodiff reads up to {FORMAT}:");
    assert!(error.to_string().starts_with(&expected), "{error}");
}
