//! Days of the calendar.

use std::time::SystemTime;

/// A day, as in `2027-03-31`.
pub use chrono::NaiveDate as Date;
use chrono::{DateTime, Utc};

/// The day that `text` is, in the form YYYY-MM-DD and no other.
///
/// # Errors
/// That it is not of this form, or that there is no such day.
pub fn day(text: &str) -> Result<Date, String> {
    let shape = |(at, b): (usize, u8)| match at {
        4 | 7 => b == b'-',
        _ => b.is_ascii_digit(),
    };
    if text.len() != 10 || !text.bytes().enumerate().all(shape) {
        return Err(format!(
            "a day is written YYYY-MM-DD, as in 2027-03-31, not `{text}`"
        ));
    }
    text.parse().map_err(|_| format!("there is no day {text}"))
}

/// The day that it is now, in UTC.
#[must_use]
pub fn today() -> Date {
    DateTime::<Utc>::from(SystemTime::now()).date_naive()
}
