//! The process's environment is an argument: everything reads it through [`Environment`], so that a test passes a map
//! and no test changes what another one sees.

use std::path::PathBuf;

/// Where variables come from. What is not UTF-8 in a value becomes U+FFFD: a damaged key is a wrong key and not a missing one.
pub(crate) trait Environment: Send + Sync + std::fmt::Debug {
    /// The variable as it stands, blanks and all.
    fn get(&self, name: &str) -> Option<String>;

    /// The variable without its outer blanks; a blank one counts as not set.
    fn filled(&self, name: &str) -> Option<String> {
        let value = self.get(name)?;
        let value = value.trim();
        (!value.is_empty()).then(|| value.to_owned())
    }

    /// The variable as an absolute folder; a relative one counts as not set, as the XDG rules say.
    fn folder(&self, name: &str) -> Option<PathBuf> {
        let path = PathBuf::from(self.get(name)?);
        path.is_absolute().then_some(path)
    }

    /// Whether the variable says `true`. Nothing else does.
    fn says_true(&self, name: &str) -> bool {
        self.filled(name)
            .is_some_and(|value| value.eq_ignore_ascii_case("true"))
    }
}

/// The real one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProcessEnvironment;

impl Environment for ProcessEnvironment {
    fn get(&self, name: &str) -> Option<String> {
        std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
    }

    fn folder(&self, name: &str) -> Option<PathBuf> {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some(path)
    }
}

/// A map: for tests, and for what the program puts together without the environment it was started in.
#[derive(Debug, Clone, Default)]
pub(crate) struct MapEnvironment(std::collections::BTreeMap<String, String>);

impl MapEnvironment {
    /// Only these variables.
    pub(crate) fn of(pairs: &[(&str, &str)]) -> Self {
        Self(
            pairs
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
        )
    }
}

impl Environment for MapEnvironment {
    fn get(&self, name: &str) -> Option<String> {
        self.0.get(name).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_is_not_filled_and_only_true_is_true() {
        let env = MapEnvironment::of(&[
            ("BLANK", " \n"),
            ("SET", " x\n"),
            ("YES", "True"),
            ("ONE", "1"),
            ("REL", "some/folder"),
            ("ABS", "/some/folder"),
        ]);
        assert_eq!(env.filled("BLANK"), None);
        assert_eq!(env.filled("SET"), Some("x".to_owned()));
        assert_eq!(env.filled("ABSENT"), None);
        assert!(env.says_true("YES"));
        assert!(!env.says_true("ONE") && !env.says_true("BLANK") && !env.says_true("ABSENT"));
        assert_eq!(env.folder("REL"), None);
        assert_eq!(env.folder("ABS"), Some(PathBuf::from("/some/folder")));
    }
}
