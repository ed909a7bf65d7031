//! Numbers with what they count.

use std::fmt::Display;

/// `1 case`, `2 cases`; `1 access`, `2 accesses`.
#[must_use]
pub fn counted<N: Display + PartialEq + From<u8>>(n: N, what: &str) -> String {
    let plural = match what {
        _ if n == 1.into() => "",
        what if what.ends_with('s') => "es",
        _ => "s",
    };
    format!("{n} {what}{plural}")
}

/// `1,234,567`
#[must_use]
pub fn grouped(n: impl Display) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Whether a count is left out of a record.
pub(crate) fn is_zero(n: &u64) -> bool {
    *n == 0
}

#[cfg(test)]
mod tests {
    use super::{counted, grouped};

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
}
