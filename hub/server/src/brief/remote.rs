//! Remotes: one repository has many addresses, and all of them name `owner/name`. What is no
//! repository's address is no name: nothing is guessed from the end of a path.

/// The repository that `text` names: `owner/name` (or `group/subgroup/name`), the address of a
/// remote in any form git takes, lower case, without `.git`. `None` if it names none.
pub fn full_name(text: &str) -> Option<String> {
    let text = text.trim();
    if text.is_empty()
        || text
            .chars()
            .any(|c| c.is_control() || c.is_whitespace() || c == '\\')
    {
        return None;
    }
    let path = match text.split_once("://") {
        Some((scheme, rest)) => url_path(scheme, rest)?,
        None => match scp_path(text) {
            Some(path) => path,
            None if text.starts_with(['/', '.', '~']) => return None,
            None => without_host(text),
        },
    };
    let path = path
        .split(['?', '#'])
        .next()
        .unwrap_or_default()
        .trim_matches('/');
    let path = path
        .strip_suffix(".git")
        .unwrap_or(path)
        .trim_end_matches('/');
    let parts: Vec<&str> = path.split('/').collect();
    let whole = parts.len() >= 2 && parts.iter().all(|part| is_segment(part));
    whole.then(|| path.to_lowercase())
}

/// The path of `scheme://user@host:port/path`, for the schemes that fetch from a host.
fn url_path<'a>(scheme: &str, rest: &'a str) -> Option<&'a str> {
    let scheme = scheme.to_ascii_lowercase();
    let scheme = scheme.strip_prefix("git+").unwrap_or(&scheme);
    if !matches!(scheme, "ssh" | "https" | "http" | "git" | "ssh+git") {
        return None;
    }
    let (authority, path) = rest.split_once('/')?;
    let host = authority.rsplit('@').next().unwrap_or_default();
    (!host.is_empty()).then_some(path)
}

/// The path of `user@host:path`. A colon after the first slash belongs to the path.
fn scp_path(text: &str) -> Option<&str> {
    let (host, path) = text.split_once(':')?;
    if host.is_empty() || host.contains('/') {
        return None;
    }
    // `C:/src/x` is a drive, not a host.
    let drive = host.len() == 1 && path.starts_with('/');
    (!drive).then_some(path)
}

/// `github.com/owner/name` without its host. A first segment with a dot before two or more
/// others is a host: owners have no dots.
fn without_host(text: &str) -> &str {
    match text.split_once('/') {
        Some((host, path))
            if host.contains('.') && path.trim_end_matches('/').split('/').count() >= 2 =>
        {
            path
        }
        _ => text,
    }
}

fn is_segment(part: &str) -> bool {
    !part.is_empty() && part != "." && part != ".." && !part.contains([':', '@'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_an_address_names_the_repository() {
        for text in [
            "encode/httpx",
            "Encode/HTTPX",
            " encode/httpx ",
            "encode/httpx/",
            "encode/httpx.git",
            "https://github.com/encode/httpx",
            "https://github.com/encode/httpx.git",
            "https://github.com/encode/httpx.git/",
            "https://github.com/encode/httpx/",
            "https://user@github.com/encode/httpx.git",
            "https://user:secret@github.com:8443/encode/httpx.git",
            "HTTPS://GitHub.com/Encode/HttpX.git",
            "http://github.com/encode/httpx?tab=readme#top",
            "ssh://git@github.com/encode/httpx.git",
            "ssh://git@github.com:22/encode/httpx",
            "ssh://git@ssh.github.com:443/encode/httpx.git",
            "git+ssh://git@github.com/encode/httpx.git",
            "git://github.com/encode/httpx.git",
            "git@github.com:encode/httpx.git",
            "git@github.com:/encode/httpx.git",
            "github.com:encode/httpx",
            "org-123@github.com:encode/httpx.git",
            "github.com/encode/httpx",
        ] {
            assert_eq!(full_name(text).as_deref(), Some("encode/httpx"), "{text}");
        }
    }

    #[test]
    fn subgroups_are_part_of_the_name() {
        for text in [
            "https://gitlab.com/group/sub/tool.git",
            "git@gitlab.com:group/sub/tool.git",
            "group/sub/tool",
        ] {
            assert_eq!(full_name(text).as_deref(), Some("group/sub/tool"), "{text}");
        }
        assert_eq!(full_name("me/my.site").as_deref(), Some("me/my.site"));
        assert_eq!(
            full_name("me/pages.git.git").as_deref(),
            Some("me/pages.git")
        );
    }

    #[test]
    fn what_is_no_address_names_nothing() {
        for text in [
            "",
            " ",
            "httpx",
            "/srv/git/encode/httpx.git",
            "../encode/httpx",
            "./encode/httpx",
            "~/encode/httpx",
            "file:///srv/encode/httpx.git",
            "C:/src/encode/httpx",
            "C:\\work\\httpx",
            "https://github.com/",
            "https://github.com/encode",
            "git@github.com:httpx.git",
            "encode//httpx",
            "encode/../httpx",
            "en code/httpx",
            "https:///encode/httpx",
            "ext::sh -c x",
            "encode/httpx\nx",
        ] {
            assert_eq!(full_name(text), None, "{text}");
        }
    }
}
