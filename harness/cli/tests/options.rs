//! Options that cannot be meant together, those that need another, and their ends.

use crate::common::{folder_with, ptodiff, scatter};

#[test]
fn any_schedule_that_has_a_number_is_traced() {
    let folder = folder_with(&scatter("one", ""));
    let trace = |number: &str| {
        let args = [
            "trace",
            "one",
            "--cases",
            ".",
            "--target",
            "a5",
            "--schedule",
            number,
        ];
        ptodiff(folder.path(), &args)
    };
    let last = trace("4294967295");
    assert_eq!((last.code, last.err.as_str()), (0, ""));
    assert_ne!(last.out, trace("2").out);
    assert_eq!(trace("4294967296").code, 2);
}
