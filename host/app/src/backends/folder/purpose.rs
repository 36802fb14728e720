//! What a path is for: the rules are the same, the words of a refusal are not.

/// What is to become of the file that a path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// It is written.
    Save,
    /// It is read, and added to Ensemble.
    Add,
}

impl Purpose {
    /// “files are …”.
    pub(super) fn done(self) -> &'static str {
        match self {
            Self::Save => "saved",
            Self::Add => "added",
        }
    }

    /// What to do where a folder is missing.
    pub(super) fn otherwise(self) -> &'static str {
        match self {
            Self::Save => "make it first, or save somewhere else in it.",
            Self::Add => "give the path of a file that is there.",
        }
    }

    /// A folder is another one than a moment ago.
    pub(super) fn moved(self) -> &'static str {
        match self {
            Self::Save => {
                "The folder was moved or replaced while the file arrived, so nothing was saved: try again."
            }
            Self::Add => {
                "The folder was moved or replaced meanwhile, so nothing was added: try again."
            }
        }
    }
}
