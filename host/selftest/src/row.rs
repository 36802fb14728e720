//! One line of the report.

use std::time::Duration;

use serde::Serialize;

/// Whether what was observed is what was expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It is.
    Holds,
    /// It is not: a boundary of this host is not where it should be.
    Differs,
}

/// What an attack cost a well-behaved call that ran beside it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Beside {
    /// Calls that were begun during the attack; all were answered, or the verdict says otherwise.
    pub calls: usize,
    /// The 99th percentile of their durations in microseconds; the longest where they are fewer than a hundred.
    pub p99_us: u64,
    /// That, against the same without any attack.
    pub ratio: f64,
}

/// One attack and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// What was tried.
    pub attack: String,
    /// What has to be among what is observed.
    pub expected: String,
    /// What came of it: the sentence that a person would have read, and what reached the hub.
    pub observed: String,
    /// Whether the two agree.
    pub verdict: Verdict,
    /// From the first call to the last answer of the attack, in milliseconds.
    pub verdict_ms: u64,
    /// What it cost others; absent where nothing ran beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beside: Option<Beside>,
}

impl Row {
    /// A row whose verdict is that every phrase of `expected` stands in `observed`.
    pub fn of(attack: &str, expected: &[&str], observed: String, took: Duration) -> Self {
        let holds = !expected.is_empty() && expected.iter().all(|part| observed.contains(part));
        Self {
            attack: attack.to_owned(),
            expected: expected.join(" … "),
            verdict: if holds {
                Verdict::Holds
            } else {
                Verdict::Differs
            },
            observed,
            verdict_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            beside: None,
        }
    }

    /// Whether the host stood as expected.
    pub fn holds(&self) -> bool {
        self.verdict == Verdict::Holds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phrase_has_to_be_observed_and_no_phrase_is_no_verdict() {
        let of = |expected: &[&str]| {
            Row::of(
                "a",
                expected,
                "refused: too much".to_owned(),
                Duration::ZERO,
            )
            .verdict
        };
        assert_eq!(of(&["refused", "much"]), Verdict::Holds);
        assert_eq!(of(&["refused", "little"]), Verdict::Differs);
        assert_eq!(of(&[]), Verdict::Differs);
    }
}
