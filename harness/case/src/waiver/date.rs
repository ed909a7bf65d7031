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
