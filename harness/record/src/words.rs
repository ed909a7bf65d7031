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

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_is_no_plural() {
        let cases = [0, 1, 2, 1000].map(|n: u64| counted(n, "case"));
        assert_eq!(cases, ["0 cases", "1 case", "2 cases", "1000 cases"]);
        let accesses = [1, 3].map(|n: usize| counted(n, "access"));
        assert_eq!(accesses, ["1 access", "3 accesses"]);
    }
}
