//! A file that is being written: under a name of its own, which is gone when it ends before it is done.

use std::io;

use cap_std::fs::{Dir, File, OpenOptions};

/// The file, its folder and its present name.
#[derive(Debug)]
pub(super) struct Part {
    dir: Dir,
    file: File,
    name: String,
    done: bool,
}

impl Part {
    /// Creates it in this folder.
    pub(super) fn create(dir: &Dir) -> io::Result<Self> {
        let dir = dir.try_clone()?;
        let name = format!(".ensemble-{}.part", uuid::Uuid::new_v4().simple());
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let file = dir.open_with(&name, &options)?;
        Ok(Self {
            dir,
            file,
            name,
            done: false,
        })
    }

    /// The file itself, to write to.
    pub(super) fn file(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// Gives it its name. Without `replace`, a name that is taken is an error, also when it was taken a moment ago.
    pub(super) fn become_named(mut self, name: &str, replace: bool) -> io::Result<()> {
        if replace {
            // replaces the name itself: a link that was put there in between goes, and what it names stays
            self.dir.rename(&self.name, &self.dir, name)?;
            self.done = true;
        } else {
            match self.dir.hard_link(&self.name, &self.dir, name) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(error),
                // a file system without hard links has no step that creates and never replaces
                Err(_) if self.dir.symlink_metadata(name).is_err() => {
                    self.dir.rename(&self.name, &self.dir, name)?;
                    self.done = true;
                }
                Err(_) => return Err(io::ErrorKind::AlreadyExists.into()),
            }
        }
        // the name has to reach the disk as well; a folder that cannot be synced holds the file all the same
        if let Ok(dir) = self.dir.try_clone()
            && let Err(error) = dir.into_std_file().sync_all()
        {
            tracing::debug!(%error, "the folder of a saved file was not synced");
        }
        Ok(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.done
            && let Err(error) = self.dir.remove_file(&self.name)
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(%error, "an unfinished file is left over in the working folder");
        }
    }
}
