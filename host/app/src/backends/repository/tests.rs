//! Repositories as they lie on disk, and what is found of each.

use std::fs;

use super::*;

const HTTPX: &str = "[remote \"origin\"]\n\turl = https://github.com/encode/httpx.git\n";

/// A repository as git lays it out, with this head and these settings.
fn repository(at: &Path, head: &str, config: &str) {
    layout(&at.join(".git"), head, false, config);
}

fn layout(git: &Path, head: &str, bare: bool, config: &str) {
    for folder in ["objects", "refs/heads"] {
        fs::create_dir_all(git.join(folder)).unwrap();
    }
    fs::write(git.join("HEAD"), format!("{head}\n")).unwrap();
    fs::write(
        git.join("config"),
        format!("[core]\n\trepositoryformatversion = 0\n\tbare = {bare}\n{config}"),
    )
    .unwrap();
}

fn found(at: &Path) -> (Option<String>, Option<String>) {
    let location = locate(at).unwrap();
    (location.repo, location.branch)
}

fn some(repo: &str, branch: &str) -> (Option<String>, Option<String>) {
    (Some(repo.to_owned()), Some(branch.to_owned()))
}

#[test]
fn a_branch_without_a_commit_and_a_subfolder_are_found() {
    let folder = tempfile::tempdir().unwrap();
    repository(folder.path(), "ref: refs/heads/docs/default-timeout", HTTPX);
    let expected = some("encode/httpx", "docs/default-timeout");
    assert_eq!(found(folder.path()), expected);
    let deep = folder.path().join("a/b/ü c");
    fs::create_dir_all(&deep).unwrap();
    assert_eq!(found(&deep), expected);
}

#[test]
fn a_real_repository_made_by_gix_is_found() {
    let folder = tempfile::tempdir().unwrap();
    gix::init(folder.path()).unwrap();
    let (repo, branch) = found(folder.path());
    assert_eq!(repo, None);
    assert!(branch.is_some());
}

#[test]
fn no_repository_is_an_empty_location() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(found(folder.path()), (None, None));
}

#[test]
fn a_detached_head_has_no_branch() {
    let folder = tempfile::tempdir().unwrap();
    repository(
        folder.path(),
        "0123456789abcdef0123456789abcdef01234567",
        HTTPX,
    );
    assert_eq!(
        found(folder.path()),
        (Some("encode/httpx".to_owned()), None)
    );
}

#[test]
fn the_followed_remote_comes_first_then_origin_then_the_only_one() {
    let fork = "[remote \"fork\"]\n\turl = git@github.com:ada/httpx.git\n";
    let other = "[remote \"other\"]\n\turl = git@github.com:bob/httpx.git\n";
    let follows =
        |name: &str| format!("[branch \"main\"]\n\tremote = {name}\n\tmerge = refs/heads/main\n");
    let cases = [
        (format!("{HTTPX}{fork}{}", follows("fork")), Some("ada/httpx")),
        (format!("{HTTPX}{fork}"), Some("encode/httpx")),
        (format!("{HTTPX}{fork}{}", follows(".")), Some("encode/httpx")),
        (format!("{HTTPX}{}", follows("gone")), Some("encode/httpx")),
        (fork.to_owned(), Some("ada/httpx")),
        (format!("{fork}{other}"), None),
        (String::new(), None),
        (
            follows("https://github.com/url/httpx"),
            Some("url/httpx"),
        ),
        (
            "[remote \"origin\"]\n\turl = /srv/git/httpx.git\n".to_owned(),
            None,
        ),
        (
            "[url \"https://github.com/\"]\n\tinsteadOf = gh:\n[remote \"origin\"]\n\turl = gh:encode/httpx\n".to_owned(),
            Some("encode/httpx"),
        ),
    ];
    for (config, repo) in cases {
        let folder = tempfile::tempdir().unwrap();
        repository(folder.path(), "ref: refs/heads/main", &config);
        let expected = (repo.map(str::to_owned), Some("main".to_owned()));
        assert_eq!(found(folder.path()), expected, "{config}");
    }
}

#[test]
fn a_worktree_and_a_git_file_are_followed() {
    let folder = tempfile::tempdir().unwrap();
    let main = folder.path().join("main");
    repository(&main, "ref: refs/heads/main", HTTPX);
    let state = main.join(".git/worktrees/side");
    fs::create_dir_all(&state).unwrap();
    let side = folder.path().join("side");
    fs::create_dir_all(&side).unwrap();
    fs::write(state.join("HEAD"), "ref: refs/heads/side-branch\n").unwrap();
    fs::write(state.join("commondir"), "../..\n").unwrap();
    fs::write(
        state.join("gitdir"),
        format!("{}\n", side.join(".git").display()),
    )
    .unwrap();
    fs::write(side.join(".git"), format!("gitdir: {}\n", state.display())).unwrap();
    assert_eq!(found(&side), some("encode/httpx", "side-branch"));
    assert_eq!(found(&main), some("encode/httpx", "main"));

    let module = folder.path().join("module");
    fs::create_dir_all(&module).unwrap();
    layout(
        &folder.path().join("elsewhere"),
        "ref: refs/heads/m",
        false,
        HTTPX,
    );
    fs::write(module.join(".git"), "gitdir: ../elsewhere\n").unwrap();
    assert_eq!(found(&module), some("encode/httpx", "m"));
}

#[test]
fn a_bare_repository_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let git = folder.path().join("httpx.git");
    layout(&git, "ref: refs/heads/main", true, HTTPX);
    assert_eq!(found(&git), some("encode/httpx", "main"));
}

#[test]
fn damage_is_said_and_is_not_an_empty_answer() {
    let folder = tempfile::tempdir().unwrap();
    repository(folder.path(), "ref: refs/heads/main", "[remote \"origin\n");
    assert_eq!(
        locate(folder.path()).unwrap_err(),
        Fault::Failed(NOT_READABLE.to_owned())
    );
}

fn refusal(at: &Path) -> String {
    locate(at).unwrap_err().to_string()
}

#[test]
fn a_file_of_git_that_is_too_large_is_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let comment = format!("# {}\n", "x".repeat(1 << 20));
    repository(folder.path(), "ref: refs/heads/main", &comment);
    let sentence = refusal(folder.path());
    assert!(
        sentence.contains("“config”") && sentence.contains("1 MB"),
        "{sentence}"
    );
    let long = format!("ref: refs/heads/{}", "x".repeat(5_000));
    repository(folder.path(), &long, HTTPX);
    assert!(refusal(folder.path()).contains("“HEAD”"));
    // one byte less than too much
    repository(folder.path(), "ref: refs/heads/main", HTTPX);
    let head = format!("{:<4096}", "ref: refs/heads/main\n");
    fs::write(folder.path().join(".git/HEAD"), head).unwrap();
    assert!(locate(folder.path()).is_ok());
    // one of another repository further up is nobody's concern
    let inner = folder.path().join("inner");
    repository(&inner, "ref: refs/heads/main", HTTPX);
    fs::write(folder.path().join(".git/HEAD"), long).unwrap();
    assert_eq!(found(&inner), some("encode/httpx", "main"));
}

/// Each would be waited for without an end; a test that hangs is a failure, too.
#[cfg(unix)]
#[test]
fn what_is_no_plain_file_is_not_waited_for() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    let pipe = |path: &Path| {
        if path.is_file() {
            fs::remove_file(path).unwrap();
        }
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    };
    for name in [
        "HEAD",
        "config",
        "commondir",
        "config.worktree",
        "objects/info/alternates",
    ] {
        let folder = tempfile::tempdir().unwrap();
        repository(folder.path(), "ref: refs/heads/main", HTTPX);
        pipe(&folder.path().join(".git").join(name));
        assert!(refusal(folder.path()).contains("no plain file"), "{name}");
    }
    let folder = tempfile::tempdir().unwrap();
    pipe(&folder.path().join(".git"));
    assert!(refusal(folder.path()).contains("no plain file"));
    // a working tree that shares the files of another repository
    let (main, tree) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    repository(main.path(), "ref: refs/heads/main", HTTPX);
    let git = main.path().join(".git/worktrees/second");
    fs::create_dir_all(&git).unwrap();
    fs::write(git.join("HEAD"), "ref: refs/heads/second\n").unwrap();
    fs::write(git.join("commondir"), "../..\n").unwrap();
    fs::write(
        git.join("gitdir"),
        format!("{}/.git\n", tree.path().display()),
    )
    .unwrap();
    fs::write(
        tree.path().join(".git"),
        format!("gitdir: {}\n", git.display()),
    )
    .unwrap();
    assert_eq!(found(tree.path()), some("encode/httpx", "second"));
    pipe(&main.path().join(".git/config"));
    assert!(refusal(tree.path()).contains("no plain file"));
}
