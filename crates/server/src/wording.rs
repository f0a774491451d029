//! Phrases that tools and pages share.

/// A rough age, like `3 minutes ago`.
pub fn ago(seconds: i64) -> String {
    let some = |n: i64, unit: &str| format!("{n} {unit}{} ago", if n == 1 { "" } else { "s" });
    match seconds {
        ..60 => "just now".into(),
        60..3600 => some(seconds / 60, "minute"),
        3600..86_400 => some(seconds / 3600, "hour"),
        _ => some(seconds / 86_400, "day"),
    }
}

/// Turns a fragment into a sentence: a capital and a full stop.
pub fn sentence(reason: &str) -> String {
    let mut letters = reason.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    let end = if reason.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}
