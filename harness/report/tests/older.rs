//! Records of older versions still have every face that is made of a record.

use std::{fs, path::Path};

use crate::made::text;
use ptodiff_record::read;

#[test]
fn every_older_format_has_every_face() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../record/tests/older");
    let mut formats = 0;
    for entry in fs::read_dir(folder).expect("the folder of older records") {
        let record = fs::read_to_string(entry.unwrap().path()).unwrap();
        let (header, cases) = read(record.as_bytes()).unwrap();
        let diff = ptodiff_report::compare(["A", "B"], [&header; 2], [&cases; 2]);
        assert!(diff.is_empty());
        let groups = ptodiff_report::groups(&cases);
        let faces = [
            text(|to| ptodiff_report::write_groups(to, &header, &groups)),
            text(|to| ptodiff_report::write_summary(to, &cases)),
            text(|to| ptodiff_report::write_junit(to, &header, &cases)),
            text(|to| ptodiff_report::write_markdown(to, &header, &cases)),
            text(|to| ptodiff_report::write_annotations(to, &header, &cases)),
            text(|to| ptodiff_report::write_html(to, &header, &cases)),
            text(|to| ptodiff_report::write_diff(to, &diff)),
        ];
        for (n, face) in faces.iter().enumerate() {
            assert!(face.len() > 20, "face {n} of {header:?} is empty: {face}");
        }
        let (junit, markdown) = (&faces[2], &faces[3]);
        assert!(cases.iter().all(|case| junit.contains(&case.id)));
        let count = format!(" {} cases", cases.len());
        assert!(markdown.contains(&count), "{markdown}");
        formats += 1;
    }
    assert!(formats >= 3, "{formats} older formats");
}
