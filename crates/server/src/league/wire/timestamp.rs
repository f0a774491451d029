//! Moments as the league writes them: ISO-8601, in UTC; read with any offset that is said.

use rules::quoted;
use time::{Date, Month, OffsetDateTime, Time};

use super::errors::NotAMoment;
use crate::store::Millis;

/// This moment, like `2026-11-15T10:00:00Z`.
pub fn now() -> String {
    write(crate::store::now())
}

pub fn write(at: Millis) -> String {
    let at = OffsetDateTime::from_unix_timestamp_nanos(i128::from(at) * 1_000_000)
        .unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let (date, time) = (at.date(), at.time());
    let (year, month, day) = (date.year(), u8::from(date.month()), date.day());
    let (hour, minute, second) = (time.hour(), time.minute(), time.second());
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Reads `2026-11-15T01:12:13Z`, with a fraction, with an offset like `+02:00`, or compact:
/// `20261115T011213Z`. What says nothing of its offset could be any moment.
pub fn read(text: &str) -> Result<Millis, NotAMoment> {
    parse(text).ok_or_else(|| NotAMoment(quoted(text)))
}

fn parse(text: &str) -> Option<Millis> {
    let (local, offset) = split_offset(text)?;
    let (local, fraction) = local.split_once('.').unwrap_or((local, "0"));
    let (date, time) = local.split_once(['T', ' '])?;
    let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
    let [hour, minute, second] = numbers(time, ':', [2, 2, 2])?;
    let small = |number: u32| u8::try_from(number).ok();
    let month = Month::try_from(small(month)?).ok()?;
    let date = Date::from_calendar_date(year.try_into().ok()?, month, small(day)?).ok()?;
    let time = Time::from_hms(small(hour)?, small(minute)?, small(second)?).ok()?;
    let digits = !fraction.is_empty() && fraction.bytes().all(|b| b.is_ascii_digit());
    let millis: Millis = digits.then(|| format!("{fraction:0<3}"))?.get(..3)?.parse().ok()?;
    let local = date.with_time(time).assume_utc().unix_timestamp() * 1000 + millis;
    Some(local - offset)
}

/// What comes before the offset, and how much it is ahead of UTC.
fn split_offset(text: &str) -> Option<(&str, Millis)> {
    if let Some(local) = text.strip_suffix(['Z', 'z']) {
        return Some((local, 0));
    }
    // The date has dashes of its own.
    let after_date = text.find(['T', ' '])?;
    let sign = text[after_date..].rfind(['+', '-'])? + after_date;
    let (local, offset) = (text.get(..sign)?, text.get(sign + 1..)?);
    let digits: String = match offset.split_once(':') {
        Some((hours, minutes)) if hours.len() == 2 && minutes.len() == 2 => {
            [hours, minutes].concat()
        }
        None if [2, 4].contains(&offset.len()) => format!("{offset:0<4}"),
        _ => return None,
    };
    let number = |at: std::ops::Range<usize>| -> Option<Millis> {
        let part = digits.get(at)?;
        part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse().ok())?
    };
    let (hours, minutes) = (number(0..2)?, number(2..4)?);
    let ahead = (hours < 24 && minutes < 60).then_some((hours * 60 + minutes) * 60_000)?;
    Some((local, if text.as_bytes()[sign] == b'-' { -ahead } else { ahead }))
}

/// Three numbers of these widths, with or without the mark between them.
fn numbers(text: &str, mark: char, widths: [usize; 3]) -> Option<[u32; 3]> {
    let text: String = match text.matches(mark).count() {
        0 => text.into(),
        2 if text.split(mark).map(str::len).eq(widths) => text.split(mark).collect(),
        _ => return None,
    };
    let fits = text.len() == widths.iter().sum::<usize>();
    let digits = fits && text.bytes().all(|b| b.is_ascii_digit());
    let mut from = 0;
    digits.then(|| {
        widths.map(|width| {
            from += width;
            text[from - width..from].parse().unwrap_or_default()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_read_in_every_form_and_nothing_else() {
        let check = |text: &str, expected| assert_eq!(read(text).ok(), expected, "{text}");
        let moment = 1_794_705_133_000;
        check("2026-11-15T01:12:13Z", Some(moment));
        check("2026-11-15T01:12:13+00:00", Some(moment));
        check("20261115T011213Z", Some(moment));
        check("2026-11-15T01:12:13.5Z", Some(moment + 500));
        check("2026-11-15T01:12:13.123456+00:00", Some(moment + 123));
        check("2026-11-15T01:12:13", None);
        check("2026-11-15T03:12:13+02:00", Some(moment));
        check("2026-11-15T00:42:13-00:30", Some(moment));
        check("20261115T061213.0+0500", Some(moment));
        check("2026-11-14T19:12:13-06", Some(moment));
        check("2026-11-15T01:12:13+2:00", None);
        check("2026-11-15T01:12:13+25:00", None);
        check("2026-11-15T01:12:13+0x:00", None);
        check("2026-11-15", None);
        check("2026-13-15T01:12:13Z", None);
        check("2026-11-31T01:12:13Z", None);
        check("2026-11-15T25:12:13Z", None);
        check("2026-1-15T01:12:13Z", None);
        check("2026-11-15T01:12:13.Z", None);
        check("2026-11-15T01:12:13.ééZ", None);
        check("yesterday", None);
        check("Z", None);
        check("", None);
    }

    #[test]
    fn what_is_written_can_be_read() {
        assert_eq!(write(1_794_705_133_999), "2026-11-15T01:12:13Z");
        assert_eq!(read(&write(1_794_705_133_000)), Ok(1_794_705_133_000));
    }
}
