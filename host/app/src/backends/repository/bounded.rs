//! The files of git that are read whole to find repository and branch are looked at before the library reads them: each a plain file of a
//! bounded size. What else stands in their place would be waited for without an end, or read into memory without one.
//!
//! | file | at most |
//! |---|---|
//! | `.git` where it is a file, `HEAD`, `commondir` | 4 KB |
//! | `config`, `config.worktree`, `objects/info/alternates` | 1 MB |

use std::io;
use std::path::{Path, PathBuf};

use ensemble_broker::Fault;
use ensemble_plain_file as plain_file;

const NAME_BYTES: u64 = 4 << 10;
const CONFIG_BYTES: u64 = 1 << 20;

/// The files below git's folder, and where several working trees share one also below that.
const FILES: [(&str, u64); 5] = [
    ("HEAD", NAME_BYTES),
    ("commondir", NAME_BYTES),
    ("config", CONFIG_BYTES),
    ("config.worktree", CONFIG_BYTES),
    ("objects/info/alternates", CONFIG_BYTES),
];

/// Looks at the repository that is found from this folder upward. No repository is none to refuse.
pub(super) fn check(from: &Path) -> Result<(), Fault> {
    for folder in from.ancestors() {
        let git = folder.join(".git");
        let git = match git.metadata() {
            Ok(about) if about.is_dir() => git,
            Ok(_) => folder.join(pointed(&git, "gitdir:")?),
            // a bare repository, or git's folder itself
            Err(_) => folder.to_owned(),
        };
        if !["HEAD", "objects", "refs", "commondir"]
            .iter()
            .any(|name| git.join(name).symlink_metadata().is_ok())
        {
            continue;
        }
        check_folder(&git)?;
        let shared = git.join("commondir");
        if shared.symlink_metadata().is_ok() {
            check_folder(&git.join(pointed(&shared, "")?))?;
        }
        if git.join("HEAD").symlink_metadata().is_ok() {
            return Ok(());
        }
    }
    Ok(())
}

fn check_folder(git: &Path) -> Result<(), Fault> {
    for (name, most) in FILES {
        let file = git.join(name);
        match plain_file::open(&file) {
            Ok((_, size)) if size > most => {
                return Err(refused(&file, &io::ErrorKind::FileTooLarge.into()));
            }
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                return Err(refused(&file, &error));
            }
            // what is missing or may not be read is the library's to judge
            _ => {}
        }
    }
    Ok(())
}

/// The folder that a small file names after `mark`; nothing where it names none.
fn pointed(file: &Path, mark: &str) -> Result<PathBuf, Fault> {
    let bytes = match plain_file::read(file, NAME_BYTES) {
        Ok(bytes) => bytes,
        Err(error) => return Err(refused(file, &error)),
    };
    let text = String::from_utf8_lossy(&bytes);
    let named = text.trim().strip_prefix(mark).unwrap_or_default().trim();
    Ok(PathBuf::from(named))
}

fn refused(file: &Path, error: &io::Error) -> Fault {
    let name = file.file_name().unwrap_or_default().display();
    let what = match error.kind() {
        io::ErrorKind::FileTooLarge => "is larger than such a file may be (1 MB, 4 KB for HEAD)",
        io::ErrorKind::InvalidInput => "is no plain file",
        _ => "cannot be read",
    };
    Fault::Failed(format!(
        "“{name}” of the repository around the working folder {what}, so the repository is not read: pass `task`, or `repo` and `branch`."
    ))
}
