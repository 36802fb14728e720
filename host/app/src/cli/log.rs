//! What a person types about the decision log. A time is an instant, a date, or how long ago; without a zone it is UTC, as the log shows it.

use clap::{Args, Subcommand, ValueEnum};
use ensemble_model::PluginId;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, SpanRelativeTo, Timestamp};

use super::Listing;

#[derive(Debug, Subcommand)]
pub(crate) enum Log {
    /// Show what the broker decided, newest last
    ///
    /// One line for each decision: when, which plugin and tool, what it wanted, the verdict. Contents are never logged.
    Show(ShowLog),
    /// Check that no line was changed, inserted, reordered or taken away
    ///
    /// Each line holds the hash of the one before it, and the last one's is kept beside the log under the seal of the host's
    /// key. Every finding is named with its file and line, and the exit code is 1.
    Verify(Listing),
}

#[derive(Debug, Args)]
pub(crate) struct ShowLog {
    /// How many of the newest lines that match
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) limit: u32,
    /// Only this plugin, by id; `host` for the host's own requests
    #[arg(long, value_name = "ID")]
    pub(crate) plugin: Option<PluginId>,
    /// Only this tool, by name
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,
    /// Only this verdict
    #[arg(long, value_enum)]
    pub(crate) verdict: Option<ShownVerdict>,
    /// Nothing before this: 2h, 3d, a date, or an instant; UTC where it names no zone
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(crate) since: Option<Moment>,
    /// Nothing after this, in the same forms; a date is the end of its day
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(crate) until: Option<Moment>,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShownVerdict {
    /// Permitted and done
    Permitted,
    /// Permitted, and the hub or the computer did not do it
    Failed,
    /// Refused here
    Denied,
}

/// A time that a person typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    At(Timestamp),
    Day(Date),
    Ago(SignedDuration),
}

impl Moment {
    /// The first instant of it; none before there were any.
    pub(crate) fn begin(self, now: Timestamp) -> Option<Timestamp> {
        match self {
            Self::At(at) => Some(at),
            Self::Day(day) => TimeZone::UTC.to_timestamp(day.at(0, 0, 0, 0)).ok(),
            Self::Ago(ago) => now.checked_sub(ago).ok(),
        }
    }

    /// The last instant of it.
    pub(crate) fn end(self, now: Timestamp) -> Option<Timestamp> {
        match self {
            Self::Day(day) => {
                let next = Self::Day(day.tomorrow().ok()?).begin(now)?;
                next.checked_sub(SignedDuration::from_nanos(1)).ok()
            }
            Self::At(_) | Self::Ago(_) => self.begin(now),
        }
    }
}

/// `2026-11-30T10:00:00Z`, `2026-11-30 10:00`, `2026-11-30`, `2h`, `3d`.
pub(crate) fn moment(text: &str) -> Result<Moment, &'static str> {
    const FORM: &str =
        "write how long ago (2h, 3d), a date (2026-11-30) or an instant (2026-11-30T10:00:00Z)";
    const DATE: usize = "2026-11-30".len();
    let text = text.trim();
    if text.len() == DATE
        && let Ok(day) = text.parse()
    {
        return Ok(Moment::Day(day));
    }
    if let Ok(at) = text.parse() {
        return Ok(Moment::At(at));
    }
    if let Ok(at) = text.parse::<DateTime>() {
        let at = TimeZone::UTC.to_timestamp(at);
        return at.map(Moment::At).map_err(|_| FORM);
    }
    let span: Span = text.parse().map_err(|_| FORM)?;
    // months and years have no length of their own
    let ago = span.to_duration(SpanRelativeTo::days_are_24_hours());
    Ok(Moment::Ago(ago.map_err(|_| FORM)?.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_an_instant_a_date_or_how_long_ago() {
        let now: Timestamp = "2026-12-01T12:00:00Z".parse().unwrap();
        let of = |text: &str| {
            let moment = moment(text).unwrap();
            let shown = |at: Option<Timestamp>| at.unwrap().to_string();
            (shown(moment.begin(now)), shown(moment.end(now)))
        };
        let same = |at: &str| (at.to_owned(), at.to_owned());
        for (text, expected) in [
            ("2h", "2026-12-01T10:00:00Z"),
            ("3d", "2026-11-28T12:00:00Z"),
            ("1w", "2026-11-24T12:00:00Z"),
            ("90m", "2026-12-01T10:30:00Z"),
            ("2h ago", "2026-12-01T10:00:00Z"),
            ("2026-11-30T10:00:00Z", "2026-11-30T10:00:00Z"),
            ("2026-11-30T10:00:00+02:00", "2026-11-30T08:00:00Z"),
            ("2026-11-30 10:11:12", "2026-11-30T10:11:12Z"),
            ("2026-11-30T10:11", "2026-11-30T10:11:00Z"),
        ] {
            assert_eq!(of(text), same(expected), "{text}");
        }
        let day = (
            "2026-11-30T00:00:00Z".to_owned(),
            "2026-11-30T23:59:59.999999999Z".to_owned(),
        );
        assert_eq!(of("2026-11-30"), day);
        for bad in [
            "",
            "yesterday",
            "2026-13-01",
            "3",
            "1y",
            "2 months",
            "h",
            "30.11.2026",
        ] {
            let error = moment(bad).unwrap_err();
            assert!(error.starts_with("write how long ago"), "{bad}");
        }
    }
}
