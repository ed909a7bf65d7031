//! Old words, and what each is called now.

use ptodiff_edge::renamed::{FAILURE_GROUPS, HOLES, in_text};

#[test]
fn only_whole_words_are_renamed() {
    let hole = "unchecked-duty a5 MSCATTER-OOB-02 stray-write";
    let now = "unchecked-precondition a5 MSCATTER-OOB-02 out-of-bounds-write";
    assert_eq!(in_text(HOLES, hole).as_deref(), Some(now));
    assert_eq!(in_text(HOLES, now), None);
    assert_eq!(in_text(HOLES, "my-unchecked-duty stray-writes"), None);
    let group = "MGATHER witness a gap that is not told apart";
    assert_eq!(
        in_text(FAILURE_GROUPS, group).as_deref(),
        Some("MGATHER coverage a gap that is not distinguished")
    );
}
