//! Days of the calendar.

use std::time::SystemTime;

/// A day, as in `2027-03-31`.
pub use chrono::NaiveDate as Date;
use chrono::{DateTime, Utc};

/// Why a text is no day.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoDate {
    /// Not of the form.
    #[error("a day is written YYYY-MM-DD, as in 2027-03-31, not `{0}`")]
    Form(String),
    /// The calendar has no such day.
    #[error("there is no day {0}")]
    Day(String),
}

/// The day that `text` is, in the form YYYY-MM-DD and no other.
///
/// # Errors
/// If it is not of this form, or there is no such day.
pub fn day(text: &str) -> Result<Date, NoDate> {
    let shape = |(at, b): (usize, u8)| match at {
        4 | 7 => b == b'-',
        _ => b.is_ascii_digit(),
    };
    if text.len() != 10 || !text.bytes().enumerate().all(shape) {
        return Err(NoDate::Form(text.to_owned()));
    }
    text.parse().map_err(|_| NoDate::Day(text.to_owned()))
}

/// The day that it is now, in UTC.
#[must_use]
pub fn today() -> Date {
    DateTime::<Utc>::from(SystemTime::now()).date_naive()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_has_one_form_and_is_in_the_calendar() {
        for text in ["2024-02-29", "2026-12-31", "9999-12-31"] {
            assert_eq!(day(text).map(|day| day.to_string()), Ok(text.to_owned()));
        }
        for text in [
            "",
            "2026",
            "26-01-01",
            "2026-1-1",
            "2026/01/01",
            "2026-01-01T00:00",
            " 2026-01-1",
            "+2026-1-01",
            // Ten bytes, and cut between them nowhere.
            "2026-0\u{661}-1",
        ] {
            assert_eq!(day(text), Err(NoDate::Form(text.to_owned())));
        }
        for text in ["2026-13-01", "2026-00-01", "2026-02-29", "2026-06-00"] {
            assert_eq!(day(text), Err(NoDate::Day(text.to_owned())));
        }
    }
}
