//! Numbers with what they count.

use std::fmt::Display;

/// All of `all` in one text, with `sign` between two.
#[must_use]
pub fn joined<T: Display>(all: impl IntoIterator<Item = T>, sign: &str) -> String {
    let all: Vec<String> = all.into_iter().map(|one| one.to_string()).collect();
    all.join(sign)
}

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
pub(crate) fn is_zero<N: Default + PartialEq>(n: &N) -> bool {
    *n == N::default()
}
