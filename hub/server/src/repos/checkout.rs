//! The folder of a repository: which one may be allowed, and opening it.

use std::io;
use std::path::{Path, PathBuf};

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, OpenOptions};

/// Bytes of a file of git that only names a folder.
const POINTER_BYTES: u64 = 4 << 10;

/// Why a folder cannot be allowed; the text is a sentence for the person.
#[derive(Debug, thiserror::Error)]
pub enum CheckoutRefused {
    #[error("{} is no folder that can be read: give the top folder of a checkout.", .0.display())]
    NoFolder(PathBuf),
    #[error("{} is not the top folder of a checkout: there is no .git in it.", .0.display())]
    NoCheckout(PathBuf),
    #[error("{} holds the hub's own data or is a part of it: that is never given to editors and agents.", .0.display())]
    HubData(PathBuf),
    #[error("{} cannot be written down: its path is not valid Unicode.", .0.display())]
    NotUnicode(PathBuf),
}

/// The absolute path of `folder`, links resolved, if its files may be read.
///
/// # Errors
/// [`CheckoutRefused`] says why not.
pub fn allowable(folder: &Path, data_dir: &Path) -> Result<String, CheckoutRefused> {
    let no_folder = || CheckoutRefused::NoFolder(folder.to_owned());
    let path = folder.canonicalize().map_err(|_| no_folder())?;
    if !path.is_dir() {
        return Err(no_folder());
    }
    if meets(&path, data_dir) {
        return Err(CheckoutRefused::HubData(path));
    }
    if path.join(".git").symlink_metadata().is_err() {
        return Err(CheckoutRefused::NoCheckout(path));
    }
    match path.to_str() {
        Some(text) => Ok(text.to_owned()),
        None => Err(CheckoutRefused::NotUnicode(path)),
    }
}

/// Opens an allowed folder. One that was replaced by a link, or that meets the hub's data by now, is not opened.
pub(super) fn open(folder: &Path, data_dir: &Path) -> io::Result<Dir> {
    let is = folder.canonicalize()?;
    if is != folder || meets(&is, data_dir) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    Dir::open_ambient_dir(folder, ambient_authority())
}

/// Whether one of the two folders is the other or in it.
fn meets(folder: &Path, data_dir: &Path) -> bool {
    let data = data_dir
        .canonicalize()
        .or_else(|_| std::path::absolute(data_dir))
        .unwrap_or_else(|_| data_dir.to_owned());
    folder.starts_with(&data) || data.starts_with(folder)
}

/// What stands in `.git/info/exclude` of the opened checkout `dir`, whose path is `folder`. A `.git` that is a file leads to git's folder, and
/// that of a further working tree to the one that all share; only this one file is read there.
pub(super) fn exclude_file(dir: &Dir, folder: &Path, at_most: u64) -> io::Result<Vec<u8>> {
    let git = match plain_file(dir, ".git") {
        Ok(_) => {
            let pointer = pointed(&folder.join(".git"))?;
            let git = pointer.strip_prefix("gitdir:").unwrap_or_default().trim();
            if git.is_empty() {
                return Err(io::ErrorKind::InvalidData.into());
            }
            folder.join(git)
        }
        Err(_) => folder.join(".git"),
    };
    let git = match pointed(&git.join("commondir")) {
        Ok(shared) => git.join(shared.trim()),
        Err(_) => git,
    };
    ensemble_plain_file::read(&git.join("info/exclude"), at_most)
}

/// The text of a small file that names a folder.
fn pointed(file: &Path) -> io::Result<String> {
    let bytes = ensemble_plain_file::read(file, POINTER_BYTES)?;
    String::from_utf8(bytes).map_err(|_| io::ErrorKind::InvalidData.into())
}

/// Opens the folder `name` of `dir`, if it is a folder and no link.
pub(super) fn folder(dir: &Dir, name: &str) -> io::Result<Dir> {
    dir.open_dir_nofollow(name)
}

/// Opens the file `name` of `dir`, if it is a plain file and no link, with its size in bytes.
///
/// # Errors
/// What the system says, and `InvalidInput` for what is no plain file.
pub fn plain_file(dir: &Dir, name: &str) -> io::Result<(File, u64)> {
    let mut options = OpenOptions::new();
    // A pipe must not make the reader wait.
    options.read(true).follow(FollowSymlinks::No).nonblock(true);
    let file = dir.open_with(name, &options)?;
    let about = file.metadata()?;
    if about.is_file() {
        Ok((file, about.len()))
    } else {
        Err(io::ErrorKind::InvalidInput.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_checkout_that_does_not_meet_the_hub_is_allowed() {
        let root = tempfile::tempdir().unwrap();
        let data = root.path().join("home/hub");
        let code = root.path().join("code");
        for folder in [
            "home/hub/.git",
            "home/.git",
            "home/hub/in/.git",
            "code/.git",
            "plain",
        ] {
            std::fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        let path = allowable(&code, &data).unwrap();
        assert_eq!(Path::new(&path), code.canonicalize().unwrap());
        assert!(open(Path::new(&path), &data).is_ok());
        for folder in ["home", "home/hub", "home/hub/in"] {
            let refused = allowable(&root.path().join(folder), &data);
            assert!(
                matches!(refused, Err(CheckoutRefused::HubData(_))),
                "{folder}"
            );
            let is = root.path().join(folder).canonicalize().unwrap();
            assert!(open(&is, &data).is_err(), "{folder}");
        }
        let no = |folder: &str| allowable(&root.path().join(folder), &data).unwrap_err();
        assert!(matches!(no("plain"), CheckoutRefused::NoCheckout(_)));
        assert!(matches!(no("none"), CheckoutRefused::NoFolder(_)));
    }
}
