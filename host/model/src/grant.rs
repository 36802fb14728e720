//! What a key may do, and what a plugin needs a key to be allowed.

use serde::{Deserialize, Serialize};

/// The grant that a plugin needs from the key before it exists for that key at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grant {
    /// Every key has it.
    Read,
    /// A key made with changes allowed.
    Changes,
    /// A key made with apps allowed.
    Apps,
}

impl Grant {
    /// The word a person meets in `ensemble hub key create` and in denials.
    pub fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Changes => "changes",
            Self::Apps => "apps",
        }
    }
}

/// The grants of one key. Reading needs none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct KeyGrants {
    /// `canWrite`: the key may change records.
    pub changes: bool,
    /// `canUseApps`: the key may use the person's connected apps.
    pub apps: bool,
}

impl KeyGrants {
    /// Whether a plugin that needs `grant` exists for this key.
    pub fn allows(self, grant: Grant) -> bool {
        match grant {
            Grant::Read => true,
            Grant::Changes => self.changes,
            Grant::Apps => self.apps,
        }
    }

    /// Whether this key has all that is needed.
    pub fn cover(self, needed: Self) -> bool {
        (self.changes || !needed.changes) && (self.apps || !needed.apps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_grant_opens_only_itself() {
        let none = KeyGrants::default();
        let changes = KeyGrants {
            changes: true,
            apps: false,
        };
        let apps = KeyGrants {
            changes: false,
            apps: true,
        };
        assert!(
            none.allows(Grant::Read) && !none.allows(Grant::Changes) && !none.allows(Grant::Apps)
        );
        assert!(changes.allows(Grant::Changes) && !changes.allows(Grant::Apps));
        assert!(apps.allows(Grant::Apps) && !apps.allows(Grant::Changes));
        let all = KeyGrants {
            changes: true,
            apps: true,
        };
        assert!(all.cover(apps) && apps.cover(none) && !apps.cover(all) && !none.cover(changes));
    }
}
