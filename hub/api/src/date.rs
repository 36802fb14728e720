//! A calendar date as text. A due date is a day in the person's life, not an instant: it is checked and stored as `YYYY-MM-DD`
//! and never converted, so that no time zone can shift it.

/// Whether `text` is a real day of the Gregorian calendar in the form `YYYY-MM-DD`.
pub fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let shaped = bytes.len() == 10
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if !shaped {
        return false;
    }
    let mut parts = text.split('-').map(|part| part.parse::<u16>().unwrap_or(0));
    let (Some(year), Some(month), Some(day)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    year >= 1 && day >= 1 && day <= days_in(year, month)
}

/// Days of a month; 0 for a month that does not exist.
fn days_in(year: u16, month: u16) -> u16 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::is_date;

    #[test]
    fn only_real_days_in_the_one_form_are_dates() {
        for good in [
            "2026-08-08",
            "2024-02-29",
            "2000-02-29",
            "0001-01-01",
            "9999-12-31",
        ] {
            assert!(is_date(good), "{good}");
        }
        for bad in [
            "",
            "2026-2-8",
            "2026-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-01-00",
            "2026-04-31",
            "0000-01-01",
            "2026-08-08T00:00:00Z",
            "08/08/2026",
            "tomorrow",
            "２０２６-08-08",
            "2026_08_08",
            "+026-08-08",
        ] {
            assert!(!is_date(bad), "{bad}");
        }
    }
}
