//! What repository a remote's address means: `owner/name`, with the groups between them where a forge has some.
//!
//! | address | is |
//! |---|---|
//! | `https://host/owner/name.git`, with a user or port | `owner/name` |
//! | `ssh://git@host:22/owner/name` | `owner/name` |
//! | `git@host:owner/name.git` | `owner/name` |
//! | `https://host/group/sub/name` | `group/sub/name` |
//! | a path, a `file:` address, one segment | nothing |

use gix::url::Scheme;

/// The repository that this address names, if it names one on a forge.
pub(crate) fn repository(address: &str) -> Option<String> {
    let url = gix::url::parse(address).ok()?;
    of(&url)
}

/// The same for an address that is parsed already.
pub(crate) fn of(url: &gix::Url) -> Option<String> {
    if matches!(url.scheme, Scheme::File) || url.host().is_none_or(str::is_empty) {
        return None;
    }
    let path = std::str::from_utf8(&url.path).ok()?;
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    let segments: Vec<&str> = path.split('/').filter(|s| !s.is_empty()).collect();
    let plain = |s: &&str| !s.starts_with('~') && *s != "." && *s != ".." && !has_control(s);
    (segments.len() >= 2 && segments.iter().all(plain)).then(|| segments.join("/"))
}

fn has_control(text: &str) -> bool {
    text.chars().any(|c| c.is_control() || c.is_whitespace())
}

#[cfg(test)]
mod tests {
    use super::repository;

    #[test]
    fn every_form_of_an_address_gives_the_same_name() {
        for address in [
            "https://github.com/encode/httpx",
            "https://github.com/encode/httpx.git",
            "https://github.com/encode/httpx/",
            "https://github.com/encode/httpx.git/",
            "https://user@github.com/encode/httpx.git",
            "https://user:secret@github.com:8443/encode/httpx.git",
            "http://github.com/encode/httpx",
            "ssh://git@github.com/encode/httpx.git",
            "ssh://git@github.com:2222/encode/httpx",
            "git@github.com:encode/httpx.git",
            "git@github.com:/encode/httpx.git",
            "github.com:encode/httpx",
            "git://github.com/encode/httpx.git",
            "git+ssh://git@github.com/encode/httpx.git",
        ] {
            assert_eq!(
                repository(address).as_deref(),
                Some("encode/httpx"),
                "{address}"
            );
        }
        assert_eq!(
            repository("git@gitlab.com:group/sub/name.git").as_deref(),
            Some("group/sub/name")
        );
    }

    #[test]
    fn what_is_on_no_forge_has_no_name() {
        for address in [
            "/srv/git/encode/httpx.git",
            "../encode/httpx",
            "file:///srv/git/encode/httpx.git",
            "https://github.com/httpx",
            "https://github.com/",
            "git@host:~ada/httpx.git",
            "",
        ] {
            assert_eq!(repository(address), None, "{address}");
        }
    }
}
