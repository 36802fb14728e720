//! Files and folders that only their owner can read: the decision log and the host's key.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

/// Creates the folder and what is missing above it, for its owner only.
pub(crate) fn create_folder(path: &Path) -> io::Result<()> {
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
pub(crate) fn open(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    ensemble_plain_file::open_with(options, path)
}

/// Whether nobody but the owner may read or write it. Where the platform has no such bits, the folder decides.
pub(crate) fn is_private(file: &File) -> io::Result<bool> {
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
