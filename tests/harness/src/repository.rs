//! A git repository as it lies on disk, written file by file: no git program, and the odd layouts too.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// What the repository looks like. The default is on the branch `main`, without a commit or a remote.
#[derive(Debug, Clone)]
pub struct Repository {
    head: String,
    config: String,
    bare: bool,
}

impl Default for Repository {
    fn default() -> Self {
        Self {
            head: "ref: refs/heads/main".to_owned(),
            config: String::new(),
            bare: false,
        }
    }
}

impl Repository {
    /// On the branch `main`.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With this branch checked out.
    #[must_use]
    pub fn branch(mut self, name: &str) -> Self {
        self.head = format!("ref: refs/heads/{name}");
        self
    }

    /// With a commit checked out instead of a branch.
    #[must_use]
    pub fn detached(mut self) -> Self {
        "0123456789abcdef0123456789abcdef01234567".clone_into(&mut self.head);
        self
    }

    /// With this remote.
    #[must_use]
    pub fn remote(mut self, name: &str, url: &str) -> Self {
        let written = write!(self.config, "[remote \"{name}\"]\n\turl = {url}\n");
        debug_assert!(written.is_ok(), "writing to a String cannot fail");
        self
    }

    /// With a branch that follows a remote.
    #[must_use]
    pub fn follows(mut self, branch: &str, remote: &str) -> Self {
        let written = write!(
            self.config,
            "[branch \"{branch}\"]\n\tremote = {remote}\n\tmerge = refs/heads/{branch}\n"
        );
        debug_assert!(written.is_ok(), "writing to a String cannot fail");
        self
    }

    /// Without a worktree.
    #[must_use]
    pub fn bare(mut self) -> Self {
        self.bare = true;
        self
    }

    /// Writes it: `at/.git`, or `at` itself when it is bare.
    pub fn create(&self, at: &Path) {
        let git = if self.bare {
            at.to_owned()
        } else {
            at.join(".git")
        };
        self.create_as(&git);
    }

    /// Writes the git folder under this very path, for layouts in which a `.git` file points to it.
    pub fn create_as(&self, git: &Path) {
        for folder in ["objects", "refs/heads"] {
            make(&git.join(folder));
        }
        put(&git.join("HEAD"), &format!("{}\n", self.head));
        let Self { config, bare, .. } = self;
        let core = format!("[core]\n\trepositoryformatversion = 0\n\tbare = {bare}\n{config}");
        put(&git.join("config"), &core);
    }

    /// Adds a worktree on another branch to the repository at `main`, in the folder `side`.
    pub fn add_worktree(main: &Path, side: &Path, branch: &str) {
        let state = main.join(".git/worktrees").join(branch.replace('/', "-"));
        make(&state);
        make(side);
        put(&state.join("HEAD"), &format!("ref: refs/heads/{branch}\n"));
        put(&state.join("commondir"), "../..\n");
        let pointer = side.join(".git");
        put(&state.join("gitdir"), &format!("{}\n", pointer.display()));
        put(&pointer, &format!("gitdir: {}\n", state.display()));
    }
}

fn make(folder: &Path) {
    fs::create_dir_all(folder)
        .unwrap_or_else(|error| panic!("cannot make {}: {error}", folder.display()));
}

fn put(file: &Path, text: &str) {
    fs::write(file, text)
        .unwrap_or_else(|error| panic!("cannot write {}: {error}", file.display()));
}
