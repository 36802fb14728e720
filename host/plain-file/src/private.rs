//! Files and folders that only their owner can read.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

/// Creates the folder and what is missing above it, for its owner only.
///
/// # Errors
/// What the system says.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(path)
}

/// Opens a plain file with these options; one that is created is its owner's only.
///
/// # Errors
/// As [`crate::open`].
pub fn open(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    crate::open_with(options, path)
}

/// Whether nobody but the owner may read or write it. Where the platform has no such bits, the folder decides.
///
/// # Errors
/// What the system says.
pub fn is_private(file: &File) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        const OTHERS: u32 = 0o077;
        let mode = file.metadata()?.permissions().mode();
        Ok(mode & OTHERS == 0)
    }
    #[cfg(not(unix))]
    {
        file.metadata().map(|_| true)
    }
}

/// Takes away from everybody but the owner what they may do with it.
///
/// # Errors
/// What the system says.
pub fn make_private(file: &File) -> io::Result<()> {
    if is_private(file)? {
        return Ok(());
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        file.set_permissions(std::fs::Permissions::from_mode(0o600))?;
    }
    Ok(())
}
