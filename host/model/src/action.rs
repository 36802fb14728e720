//! The name of an action of the hub. It becomes a segment of a path, so it is checked before it is anything else.

use std::fmt;

/// The longest name of an action, in bytes: clients make tool names of them.
pub const MAX_ACTION_NAME: usize = 64;

/// How the name of every action begins. A text that begins otherwise is an argument that somebody mistyped.
const PREFIX: &str = "hub_";

/// `[a-z][a-z0-9_]*`, at most [`MAX_ACTION_NAME`] bytes. Whether there is such an action is for the hub to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionName(String);

/// Why a text is not the name of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "That is not the name of an action: use one that ensemble_actions lists, such as hub_list_tasks."
)]
pub struct BadActionName;

impl ActionName {
    /// Checks a name that came from a guest.
    pub fn parse(text: &str) -> Result<Self, BadActionName> {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
        let first = text.bytes().next().is_some_and(|b| b.is_ascii_lowercase());
        if first && text.len() <= MAX_ACTION_NAME && text.bytes().all(plain) {
            Ok(Self(text.to_owned()))
        } else {
            Err(BadActionName)
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it looks like the names that hubs give: only such a name is fit for the log.
    pub fn is_usual(&self) -> bool {
        self.0.starts_with(PREFIX)
    }
}

impl fmt::Display for ActionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_plain_segment() {
        for good in ["hub_list_tasks", "a", "x1_", &"a".repeat(64)] {
            assert_eq!(ActionName::parse(good).unwrap().as_str(), good);
        }
        for bad in [
            "",
            "_a",
            "1a",
            "A",
            "hub-list",
            "hub list",
            "hub/list",
            "../tasks",
            "hub_list_tasks?x=1",
            "hub%5flist",
            "hüb",
            "hub_list\n",
            &"a".repeat(65),
        ] {
            assert_eq!(ActionName::parse(bad), Err(BadActionName), "{bad:?}");
        }
    }
}
