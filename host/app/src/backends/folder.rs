//! The working folder: the one place where a file of the hub is written and from which one is added, and the rules by which it is.
//!
//! | the path or what is there | is |
//! |---|---|
//! | outside of the folder, with `..`, or a name that some system reads otherwise ([`path`]) | refused |
//! | in a folder that is not there, through a symbolic link, onto one, onto a folder | refused |
//! | onto a file that is there, without `overwrite` | refused |
//! | swapped for a link, or moved away, while the file arrives | refused, and nothing is left |
//! | a transfer that is cut, or whose bytes are not those of the hub | refused, and nothing is left |
//! | in a folder of Ensemble's own: its key, its log, the data of a hub wherever it was put | refused |
//!
//! What is added keeps the same rules, and those of [`read`].
//!
//! The folder is opened once, at the start; every step below it goes through that handle, one name at a time, and follows no link. The
//! file is written under a name of its own beside its target, brought to the disk, and only then given the target's name.

mod part;
mod path;
mod purpose;
mod read;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use cap_fs_ext::{DirExt as _, MetadataExt as _};
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use ensemble_broker::{Download, Fault, FolderPort, Permit, PortFault, PortFuture, Saved, Target};
use ensemble_hub_server::Admin;
use sha2::{Digest as _, Sha256};

use part::Part;
use path::Inside;
use purpose::Purpose;

const NOT_THERE: &str = "The working folder cannot be opened, so no file goes into it or out of it: start the editor in a folder.";
const ROOT: &str = "The working folder is the root of this computer, so no file goes into it or out of it: start the editor in a project's folder.";
const DAMAGED: &str =
    "The file did not arrive as Ensemble has it, so nothing was saved: try again.";

/// The folder that the editor works in, opened.
#[derive(Debug, Clone)]
pub(crate) struct EditorFolder(Result<Arc<Open>, &'static str>);

#[derive(Debug)]
struct Open {
    dir: Dir,
    /// The folder's own path, as it was given and with its links resolved; absolute targets begin with either.
    paths: Vec<PathBuf>,
    own: Vec<PathBuf>,
}

impl Open {
    /// Reads a path, and refuses one that leads to what is Ensemble's own.
    fn inside(&self, path: &str, purpose: Purpose) -> Result<Inside, Fault> {
        let inside = path::inside(path, &self.paths, purpose)?;
        // the last one has its links resolved, and below it none is followed
        let file = self
            .paths
            .last()
            .map(|folder| folder.join(inside.relative()));
        let is_own = |own: &PathBuf| {
            let own = own.canonicalize().unwrap_or_else(|_| own.clone());
            file.as_ref().is_some_and(|file| file.starts_with(own))
        };
        // a hub's data may have been put anywhere, by `--data`
        let of_a_hub = file
            .iter()
            .flat_map(|file| file.ancestors().skip(1))
            .any(Admin::exists);
        if of_a_hub || self.own.iter().any(is_own) {
            return Err(Fault::Invalid(format!(
                "“{}” lies in the folder that Ensemble keeps its own keys and data in: files are {} elsewhere in the working folder.",
                inside.shown(),
                purpose.done()
            )));
        }
        Ok(inside)
    }
}

impl EditorFolder {
    /// Opens it. A folder that cannot be opened is a sentence at the first save, not a bridge that does not start. `own` are the
    /// folders that Ensemble keeps its own things in, wherever they lie.
    pub(crate) fn open(folder: &std::path::Path, own: Vec<PathBuf>) -> Self {
        if folder.parent().is_none() {
            return Self(Err(ROOT));
        }
        let opened = Dir::open_ambient_dir(folder, ambient_authority());
        let mut paths = vec![folder.to_owned()];
        paths.extend(folder.canonicalize());
        Self(
            opened
                .map(|dir| Arc::new(Open { dir, paths, own }))
                .map_err(|_| NOT_THERE),
        )
    }

    fn opened(&self) -> Result<Arc<Open>, Fault> {
        self.0
            .clone()
            .map_err(|sentence| Fault::Failed(sentence.to_owned()))
    }
}

impl FolderPort for EditorFolder {
    fn check<'a>(&'a self, _permit: &'a Permit, target: Target<'a>) -> PortFuture<'a, ()> {
        Box::pin(async move { Ok(self.look(target).await?) })
    }

    fn open<'a>(
        &'a self,
        _permit: &'a Permit,
        path: &'a str,
        at_most: u64,
    ) -> PortFuture<'a, Vec<u8>> {
        Box::pin(async move { Ok(self.read(path, at_most).await?) })
    }

    fn save<'a>(
        &'a self,
        _permit: &'a Permit,
        target: Target<'a>,
        content: Box<dyn Download>,
    ) -> PortFuture<'a, Saved> {
        Box::pin(self.write(target, content))
    }
}

impl EditorFolder {
    async fn read(&self, path: &str, at_most: u64) -> Result<Vec<u8>, Fault> {
        let open = self.opened()?;
        let inside = open.inside(path, Purpose::Add)?;
        blocking(move || read::whole(&open, &inside, at_most)).await
    }

    async fn look(&self, target: Target<'_>) -> Result<(), Fault> {
        let open = self.opened()?;
        let inside = open.inside(target.path, Purpose::Save)?;
        let overwrite = target.overwrite;
        blocking(move || Place::find(&open, &inside, overwrite).map(|_| ())).await
    }

    async fn write(
        &self,
        target: Target<'_>,
        mut content: Box<dyn Download>,
    ) -> Result<Saved, PortFault> {
        let open = self.opened()?;
        let inside = open.inside(target.path, Purpose::Save)?;
        let overwrite = target.overwrite;
        let (for_place, named) = (Arc::clone(&open), inside.clone());
        let place = blocking(move || Place::find(&for_place, &named, overwrite)).await?;
        // From here on, whatever ends this, the part removes itself.
        let part = Part::create(&place.dir).map_err(|e| refused(&e))?;
        let (mut bytes, mut hash) = (0_u64, Sha256::new());
        while let Some(chunk) = content.next().await? {
            bytes += chunk.len() as u64;
            hash.update(&chunk);
            let file = part.file().map_err(|e| refused(&e))?;
            blocking(move || io::Write::write_all(&mut { file }, &chunk).map_err(|e| refused(&e)))
                .await?;
        }
        let sha256 = hex(&hash.finalize());
        let whole = content.size().is_none_or(|size| size == bytes)
            && content.sha256().is_none_or(|said| said == sha256);
        if !whole {
            return Err(Fault::Unavailable(DAMAGED.to_owned()).into());
        }
        let file = part.file().map_err(|e| refused(&e))?;
        blocking(move || file.sync_all().map_err(|e| refused(&e))).await?;
        // No wait stands between these two: a cancelled call is cancelled before them or after.
        place.still_there(&open, &inside, overwrite)?;
        part.become_named(&inside.name, overwrite)
            .map_err(|e| refused(&e))?;
        Ok(Saved {
            path: inside.shown(),
            bytes,
            sha256,
        })
    }
}

/// The folder in which a file is to be written, opened without following a link.
struct Place {
    dir: Dir,
}

impl Place {
    /// Goes down to the target's folder and looks at what is there under its name.
    fn find(open: &Open, inside: &Inside, overwrite: bool) -> Result<Self, Fault> {
        let dir = descend(open, inside, Purpose::Save)?;
        match dir.symlink_metadata(&inside.name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self { dir }),
            Err(error) => Err(refused(&error)),
            Ok(there) if there.is_symlink() => Err(Fault::Invalid(format!(
                "“{}” is a symbolic link: files are saved onto none. Choose another name inside the working folder.",
                inside.shown()
            ))),
            Ok(there) if !there.is_file() => Err(Fault::Invalid(format!(
                "“{}” is a folder, or no plain file: give the name of a file inside the working folder.",
                inside.shown()
            ))),
            Ok(_) if !overwrite => Err(Fault::Conflict(format!(
                "There is a file “{}” in the working folder already: choose another name, or pass overwrite: true.",
                inside.shown()
            ))),
            Ok(_) => Ok(Self { dir }),
        }
    }

    /// The path still leads to this very folder, and still fits.
    fn still_there(&self, open: &Open, inside: &Inside, overwrite: bool) -> Result<(), Fault> {
        let now = Self::find(open, inside, overwrite)?;
        let (was, is) = (self.dir.dir_metadata(), now.dir.dir_metadata());
        match (was, is) {
            (Ok(was), Ok(is)) if was.dev() == is.dev() && was.ino() == is.ino() => Ok(()),
            _ => Err(Fault::Conflict(Purpose::Save.moved().to_owned())),
        }
    }
}

fn descend(open: &Open, inside: &Inside, purpose: Purpose) -> Result<Dir, Fault> {
    let mut dir = open
        .dir
        .try_clone()
        .map_err(|_| Fault::Failed(NOT_THERE.to_owned()))?;
    for (at, name) in inside.folders.iter().enumerate() {
        let shown = inside.folder(at);
        // looked at first, so that a link is named as one; opening follows none whatever happens in between
        match dir.symlink_metadata(name) {
            Ok(there) if there.is_symlink() => {
                return Err(Fault::Invalid(format!(
                    "“{shown}” is a symbolic link: files are {} through none. Choose a folder inside the working folder.",
                    purpose.done()
                )));
            }
            Ok(there) if !there.is_dir() => {
                return Err(Fault::Invalid(format!(
                    "“{shown}” is not a folder: choose one inside the working folder."
                )));
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(Fault::Invalid(format!(
                    "There is no folder “{shown}” in the working folder: {}",
                    purpose.otherwise()
                )));
            }
            Err(error) => return Err(refused(&error)),
        }
        dir = dir
            .open_dir_nofollow(name)
            .map_err(|_| Fault::Conflict(purpose.moved().to_owned()))?;
    }
    Ok(dir)
}

/// Files may lie on a slow drive; the executor's threads do not wait for it.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Fault> + Send + 'static,
) -> Result<T, Fault> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(_) => Err(Fault::Failed(
            "The work on the file was broken off, and nothing came of it: try again.".to_owned(),
        )),
    }
}

/// What the system said, in a sentence without its numbers.
fn refused(error: &io::Error) -> Fault {
    let sentence = match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "This computer does not let the bridge write there: choose another place in the working folder."
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "The disk is full, so nothing was saved: make room and try again."
        }
        io::ErrorKind::FileTooLarge => {
            "The file is larger than this disk can hold, so nothing was saved."
        }
        io::ErrorKind::InvalidFilename => {
            "The name is too long for this computer: choose a shorter one in the working folder."
        }
        io::ErrorKind::AlreadyExists => {
            return Fault::Conflict(
                "Something of that name appeared while the file arrived, so nothing was saved: choose another name."
                    .to_owned(),
            );
        }
        _ => "The file could not be written into the working folder, so nothing was saved.",
    };
    Fault::Failed(sentence.to_owned())
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a String cannot fail.
        _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests;
