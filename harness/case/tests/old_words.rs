//! Words of the version before: replaced without touching anything else.

use std::fs;

use ptodiff_case::{renew, waiver};

/// Every old word of a case file, in each way that YAML has to write it.
const OLD: &str = "\u{feff}# refused: witnesses, in a comment
defaults:
  rejected: {a2a3: MSCATTER-ATOM-10}   # new already
cases:
  - name: refused # and a name
    about: 'a duty, refused'
    \"refused\":   {a5: [MSCATTER-ATOM-12]}
    'witnesses': MSCATTER-ATOM-12
    readings: {row-pitch: duty,   nz-dynamic: \"refused\"} # both
    holes:
      - &h unchecked-duty a5 MSCATTER-OOB-02 stray-write
      - >-
        one-sided-refusal cpu/a5
        MSCATTER-OOB-02 refusal
    expect:
      - {answer: a, outcome: refused}\r
      - answer: b
        outcome: undefined
  - {name: again, holes: [*h]}
";

/// Worked out by hand.
const NEW: &str = "\u{feff}# refused: witnesses, in a comment
defaults:
  rejected: {a2a3: MSCATTER-ATOM-10}   # new already
cases:
  - name: refused # and a name
    about: 'a duty, refused'
    \"rejected\":   {a5: [MSCATTER-ATOM-12]}
    'covers': MSCATTER-ATOM-12
    readings: {row-pitch: precondition,   nz-dynamic: \"rejected\"} # both
    holes:
      - &h unchecked-precondition a5 MSCATTER-OOB-02 out-of-bounds-write
      - >-
        one-sided-rejection cpu/a5
        MSCATTER-OOB-02 rejection
    expect:
      - {answer: a, outcome: rejected}\r
      - answer: b
        outcome: undefined
  - {name: again, holes: [*h]}
";

#[test]
fn a_file_gets_the_new_words_and_keeps_all_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.yaml");
    fs::write(&path, OLD).unwrap();
    let renewed = renew(&path).unwrap();
    assert_eq!(renewed.text, NEW);
    assert_eq!(renewed.words.len(), 9, "{:#?}", renewed.words);
    fs::write(&path, NEW).unwrap();
    let again = renew(&path).unwrap();
    assert_eq!((&again.text[..], again.words.len()), (NEW, 0));
}

#[test]
fn waivers_get_the_new_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.yaml");
    let old = "waivers:\n  - signature: 'MGATHER a5 stray MGATHER-OOB-01' # signature\n    pair: a5\n    \
        cause: a refusal\n    reference: b\n    owner: c\n    expires: 2027-03-31\n";
    fs::write(&path, old).unwrap();
    let renewed = renew(&path).unwrap().text;
    let new = old.replacen("signature", "failure-group", 1);
    let new = new.replacen("a5 stray", "a5 out-of-bounds", 1);
    assert_eq!(renewed, new);
    let read = [old, &new].map(|text| waiver::load_str("w.yaml", text).unwrap());
    assert_eq!(read[0].list, read[1].list);
    assert_eq!((read[0].old_words.len(), read[1].old_words.len()), (2, 0));
}
