//! The person's `limits.toml` in the configuration folder, read once at the start. Without the file the limits are those of the plugins;
//! a file that cannot be read ends the start with a sentence, because what a person believes to be limited is never otherwise.

use std::io::ErrorKind;

use anyhow::Context as _;
use ensemble_model::limits::{MAX_LIMITS_FILE_BYTES, PersonLimits};
use ensemble_plain_file as plain_file;

use crate::folders::Folders;

/// What the person set for these plugins.
///
/// # Errors
/// When the file is there and cannot be taken as it is.
pub(crate) fn read(folders: &Folders, known: &[&str]) -> anyhow::Result<PersonLimits> {
    let Ok(path) = folders.limits() else {
        return Ok(PersonLimits::default());
    };
    let refused = || format!("{} is refused", path.display());
    let bytes = match plain_file::read(&path, MAX_LIMITS_FILE_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(PersonLimits::default()),
        Err(error) => return Err(error).with_context(refused),
    };
    let text = String::from_utf8(bytes).with_context(refused)?;
    PersonLimits::parse(&text, known).with_context(refused)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::MapEnvironment;

    #[test]
    fn a_file_that_is_not_there_changes_nothing_and_a_wrong_one_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().to_string_lossy().into_owned();
        let folders = Folders::of(&MapEnvironment::of(&[("XDG_CONFIG_HOME", home.as_str())]));
        let of = || read(&folders, &["context"]).map_err(|error| format!("{error:#}"));
        assert_eq!(of(), Ok(PersonLimits::default()));
        let file = folder.path().join("ensemble/limits.toml");
        std::fs::create_dir(folder.path().join("ensemble")).unwrap();
        std::fs::write(&file, "[plugins.context]\ncalls-at-once = 0\n").unwrap();
        let said = of().unwrap_err();
        assert!(
            said.contains("limits.toml is refused") && said.contains("calls-at-once is 0"),
            "{said}"
        );
        std::fs::write(&file, "[plugins.context]\ncalls-at-once = 2\n").unwrap();
        assert_eq!(
            of().unwrap().of(&"context".parse().unwrap()).calls_at_once,
            Some(2)
        );
    }
}
