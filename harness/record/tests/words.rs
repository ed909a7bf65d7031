//! Numbers with what they count.

use ptodiff_record::{counted, grouped};

#[test]
fn large_numbers_are_grouped() {
    let all = [0, 999, 1000, 12_345, 1_234_567].map(grouped);
    assert_eq!(all, ["0", "999", "1,000", "12,345", "1,234,567"]);
}

#[test]
fn one_is_no_plural() {
    let cases = [0, 1, 2, 1000].map(|n: u64| counted(n, "case"));
    assert_eq!(cases, ["0 cases", "1 case", "2 cases", "1000 cases"]);
    let accesses = [1, 3].map(|n: usize| counted(n, "access"));
    assert_eq!(accesses, ["1 access", "3 accesses"]);
}
