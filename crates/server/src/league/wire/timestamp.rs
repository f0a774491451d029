//! Moments as the league writes them: ISO-8601, in UTC; read with any offset that is said.

use rules::quoted;
use time::{OffsetDateTime, format_description::well_known::Iso8601};

use super::errors::NotAMoment;
use crate::store::Millis;

/// This moment, like `2026-11-15T10:00:00Z`.
pub fn now() -> String {
    write(crate::store::now())
}

pub fn write(at: Millis) -> String {
    let at = OffsetDateTime::from_unix_timestamp(at.div_euclid(1000))
        .unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let (date, (hour, minute, second)) = (at.date(), at.to_hms());
    format!("{date}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Reads `2026-11-15T01:12:13Z`, with a fraction, with an offset like `+02:00`, or compact:
/// `20261115T011213Z`. A text without an offset could be any moment.
pub fn read(text: &str) -> Result<Millis, NotAMoment> {
    // Python writes a space between date and time.
    let standard = text.replacen(' ', "T", 1).to_ascii_uppercase();
    let read = OffsetDateTime::parse(&standard, &Iso8601::PARSING);
    let read = read.map_err(|_| NotAMoment(quoted(text)))?;
    Ok((read.unix_timestamp_nanos() / 1_000_000) as Millis)
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
        check("2026-11-15T01:12:13+26:00", None);
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
