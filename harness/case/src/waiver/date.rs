//! Days of the calendar.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

/// A day, as in `2027-03-31`: of the Gregorian calendar, years 1 to 9999.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

/// Why a text or three numbers are no day.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoDate {
    /// Not of the form.
    #[error("a day is written YYYY-MM-DD, as in 2027-03-31, not `{0}`")]
    Form(String),
    /// No such month, or year.
    #[error("there is no month {year:04}-{month:02}")]
    Month {
        /// The year.
        year: u16,
        /// The month.
        month: u8,
    },
    /// The month has no such day.
    #[error("{year:04}-{month:02} has {days} days, no day {day}")]
    Day {
        /// The year.
        year: u16,
        /// The month.
        month: u8,
        /// The day.
        day: u8,
        /// Days of that month.
        days: u8,
    },
}

impl Date {
    /// A day by its numbers, month and day from 1.
    ///
    /// # Errors
    /// If there is no such day.
    pub fn new(year: u16, month: u8, day: u8) -> Result<Self, NoDate> {
        if !(1..=9999).contains(&year) || !(1..=12).contains(&month) {
            return Err(NoDate::Month { year, month });
        }
        let days = days_of(year, month);
        if day == 0 || day > days {
            return Err(NoDate::Day {
                year,
                month,
                day,
                days,
            });
        }
        Ok(Self { year, month, day })
    }

    /// The day that it is in UTC at `time`; times before 1970 and after 9999
    /// are taken for the nearest day between.
    #[must_use]
    pub fn at(time: SystemTime) -> Self {
        let seconds = time
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_secs());
        let mut days = seconds / 86_400;
        let (mut year, mut month) = (1970, 1);
        loop {
            let own = if leap(year) { 366 } else { 365 };
            if days < own {
                break;
            }
            if year == 9999 {
                days = own - 1;
                break;
            }
            (days, year) = (days - own, year + 1);
        }
        while days >= u64::from(days_of(year, month)) {
            days -= u64::from(days_of(year, month));
            month += 1;
        }
        let day = u8::try_from(days + 1).unwrap_or(31);
        Self { year, month, day }
    }
}

const fn leap(year: u16) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

const fn days_of(year: u16, month: u8) -> u8 {
    match month {
        2 if leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl FromStr for Date {
    type Err = NoDate;

    fn from_str(text: &str) -> Result<Self, NoDate> {
        let form = || NoDate::Form(text.to_owned());
        let shape = |(at, b): (usize, u8)| match at {
            4 | 7 => b == b'-',
            _ => b.is_ascii_digit(),
        };
        if text.len() != 10 || !text.bytes().enumerate().all(shape) {
            return Err(form());
        }
        let year = text[..4].parse().map_err(|_| form())?;
        let month = text[5..7].parse().map_err(|_| form())?;
        let day = text[8..].parse().map_err(|_| form())?;
        Self::new(year, month, day)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_day_reads_back_and_days_are_in_order() {
        let days = [
            "0001-01-01",
            "2024-02-29",
            "2026-12-31",
            "2027-01-01",
            "9999-12-31",
        ];
        let dates = days.map(|text| text.parse::<Date>().unwrap());
        assert_eq!(dates.map(|date| date.to_string()), days);
        assert!(dates.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn what_is_no_day_says_why() {
        let why = |text: &str| text.parse::<Date>().unwrap_err().to_string();
        for text in [
            "",
            "2026",
            "26-01-01",
            "2026-1-1",
            "2026/01/01",
            "2026-01-01T00:00",
            " 2026-01-1",
        ] {
            assert!(why(text).starts_with("a day is written"), "{text}");
        }
        // Ten bytes, and cut between them nowhere.
        assert!(why("2026-0\u{661}-1").starts_with("a day is written"));
        assert_eq!(why("2026-13-01"), "there is no month 2026-13");
        assert_eq!(why("2026-00-01"), "there is no month 2026-00");
        assert_eq!(why("0000-01-01"), "there is no month 0000-01");
        assert_eq!(why("2026-02-29"), "2026-02 has 28 days, no day 29");
        assert_eq!(why("1900-02-29"), "1900-02 has 28 days, no day 29");
        assert_eq!(why("2026-06-31"), "2026-06 has 30 days, no day 31");
        assert_eq!(why("2026-06-00"), "2026-06 has 30 days, no day 0");
    }

    /// The numbers are those of `date -u -d @SECONDS`.
    #[test]
    fn a_time_is_on_its_day() {
        let at = |seconds| Date::at(UNIX_EPOCH + Duration::from_secs(seconds)).to_string();
        assert_eq!(at(0), "1970-01-01");
        assert_eq!(at(86_399), "1970-01-01");
        assert_eq!(at(951_782_400), "2000-02-29");
        assert_eq!(at(951_868_800), "2000-03-01");
        assert_eq!(at(1_798_761_599), "2026-12-31");
        assert_eq!(at(1_798_761_600), "2027-01-01");
        assert_eq!(at(253_402_300_799), "9999-12-31");
        assert_eq!(at(400_000_000_000), "9999-12-31");
        assert_eq!(
            Date::at(UNIX_EPOCH - Duration::from_secs(1)).to_string(),
            "1970-01-01"
        );
    }
}
