//! Scopes: what an app may do for a person.
//!
//! Reading is in every set. A word that is not known is left out, because clients ask for what other servers have. Who names none asks for all,
//! because clients do not come back for more. A set that is asked for has `offline_access`, named or not: without it the person would sign in
//! every hour.

use std::fmt;

use ensemble_hub_api::oauth as wire;

const READ: u8 = 1;
const WRITE: u8 = 2;
const APPS: u8 = 4;
const OFFLINE: u8 = 8;
const NAMES: [(u8, &str); 4] = [
    (READ, wire::SCOPE_READ),
    (WRITE, wire::SCOPE_WRITE),
    (APPS, wire::SCOPE_APPS),
    (OFFLINE, wire::SCOPE_OFFLINE),
];

/// A set of scopes; reading is always in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scopes(u8);

impl Scopes {
    /// All that there are.
    pub const ALL: Self = Self(READ | WRITE | APPS | OFFLINE);

    /// Reading, and refreshing it.
    pub const READS: Self = Self(READ | OFFLINE);

    /// With changes too.
    #[must_use]
    pub const fn with_write(self) -> Self {
        Self(self.0 | WRITE)
    }

    /// With connected apps too.
    #[must_use]
    pub const fn with_apps(self) -> Self {
        Self(self.0 | APPS)
    }

    /// Of a `scope` parameter at the beginning.
    pub(super) fn asked(text: Option<&str>) -> Self {
        let Some(text) = text else { return Self::ALL };
        Self(parsed(text).0 | READ | OFFLINE)
    }

    /// Of a `scope` parameter at a refresh; absent when it names what is none.
    pub(super) fn narrowed(text: &str) -> Option<Self> {
        match parsed(text) {
            (bits, true) => Some(Self(bits | READ | OFFLINE)),
            (_, false) => None,
        }
    }

    /// As the database has it.
    pub(crate) fn stored(value: i64) -> Self {
        Self(u8::try_from(value).unwrap_or(READ) & Self::ALL.0 | READ)
    }

    pub(crate) fn to_stored(self) -> i64 {
        i64::from(self.0)
    }

    /// Whether all of `other` is in this set.
    pub const fn covers(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// What is in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0 | READ)
    }

    pub const fn write(self) -> bool {
        self.0 & WRITE != 0
    }

    pub const fn apps(self) -> bool {
        self.0 & APPS != 0
    }

    pub const fn offline(self) -> bool {
        self.0 & OFFLINE != 0
    }
}

/// What is known of it, and whether that is all.
fn parsed(text: &str) -> (u8, bool) {
    let mut bits = 0;
    let mut all = true;
    for word in text.split_ascii_whitespace() {
        match NAMES.iter().find(|(_, name)| *name == word) {
            Some((bit, _)) => bits |= bit,
            None => all = false,
        }
    }
    (bits, all)
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for (bit, name) in NAMES {
            if self.0 & bit != 0 {
                if !first {
                    f.write_str(" ")?;
                }
                f.write_str(name)?;
                first = false;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_reading_and_what_is_known_of_what_was_asked() {
        for (asked, told) in [
            (
                None,
                "ensemble:read ensemble:write ensemble:apps offline_access",
            ),
            (Some("unknown"), "ensemble:read offline_access"),
            (
                Some("ensemble:write mail"),
                "ensemble:read ensemble:write offline_access",
            ),
        ] {
            assert_eq!(Scopes::asked(asked).to_string(), told, "{asked:?}");
        }
        assert_eq!(Scopes::narrowed("ensemble:read mail"), None);
        let narrow = Scopes::narrowed("ensemble:read").unwrap();
        assert!(Scopes::ALL.covers(narrow) && !narrow.covers(Scopes::ALL));
    }
}
