//! Paths of the hub. A guest's path is taken as text, refused unless it is plain, and only then compared with what was
//! declared:
//!
//! | a path with | is |
//! |---|---|
//! | a scheme, `//`, `\`, a control character, `?`, `#` or `;` | refused |
//! | `%`, so also an encoded `..` or `/` | refused |
//! | an empty, `.` or `..` segment | refused |
//! | another case than declared | another path |
//!
//! Nothing is normalised: what is sent is what was checked.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::limits::MAX_PATH_BYTES;

/// Where actions are run: below it stands the name of one.
pub const ACTIONS: &str = "/api/bridge/act/";

/// Where a file is added.
pub const UPLOADS: &str = "/api/bridge/write/files";

/// The methods that a guest can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    /// Reads.
    Get,
    /// Adds.
    Post,
    /// Changes.
    Patch,
}

impl Method {
    /// As it stands in a request.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Patch => "PATCH",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A path below `/api/` that holds no trick. The only way to have one is [`HubPath::parse`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HubPath(String);

/// Why a text is not a hub path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadPath {
    /// Another root, a scheme, or a host.
    #[error("a hub path starts with /api/")]
    NotBelowApi,
    /// A character that other programs read as structure.
    #[error(
        "a hub path holds letters, digits and - _ . ~ : @ between its slashes; a query is passed separately"
    )]
    Character,
    /// An empty, `.` or `..` segment.
    #[error("a hub path has no empty, . or .. segment")]
    Segment,
    /// Over [`MAX_PATH_BYTES`].
    #[error("a hub path has at most 8192 bytes")]
    TooLong,
}

impl HubPath {
    /// Checks a path that came from a guest.
    pub fn parse(text: &str) -> Result<Self, BadPath> {
        if text.len() > MAX_PATH_BYTES {
            return Err(BadPath::TooLong);
        }
        let Some(rest) = text.strip_prefix("/api/") else {
            return Err(BadPath::NotBelowApi);
        };
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.~:@/".contains(&b);
        if !rest.bytes().all(plain) {
            return Err(BadPath::Character);
        }
        if rest
            .split('/')
            .any(|segment| matches!(segment, "" | "." | ".."))
        {
            return Err(BadPath::Segment);
        }
        Ok(Self(text.to_owned()))
    }

    /// The path as it will be sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for HubPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A declared route: a method and a path in which `{name}` stands for exactly one segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoutePattern {
    method: Method,
    path: String,
}

/// Why a declared route is not one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the route “{0}” is not declarable: a path below /api/ in which only whole segments are {{names}}"
)]
pub struct BadPattern(String);

impl RoutePattern {
    /// Checks a declared route.
    pub fn new(method: Method, path: &str) -> Result<Self, BadPattern> {
        let plain = path
            .split('/')
            .map(|segment| if is_parameter(segment) { "x" } else { segment })
            .collect::<Vec<_>>()
            .join("/");
        match HubPath::parse(&plain) {
            Ok(_) => Ok(Self {
                method,
                path: path.to_owned(),
            }),
            Err(_) => Err(BadPattern(crate::toml_fault::shown(path))),
        }
    }

    /// Whether this route covers that request.
    pub fn covers(&self, method: Method, path: &HubPath) -> bool {
        self.method == method
            && self.path.split('/').count() == path.as_str().split('/').count()
            && self
                .path
                .split('/')
                .zip(path.as_str().split('/'))
                .all(|(declared, asked)| is_parameter(declared) || declared == asked)
    }

    /// Its method.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The one capability through which requests of this route go: that of actions and that of uploads have routes that no
    /// other change can name.
    pub fn interface(&self) -> &'static str {
        match self.method {
            Method::Get => "ensemble:hub/read",
            Method::Post if self.path.starts_with(ACTIONS) => "ensemble:hub/act",
            Method::Post if self.path == UPLOADS => "ensemble:hub/uploads",
            Method::Post | Method::Patch => "ensemble:hub/change",
        }
    }

    /// Its path, with `{names}`.
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for RoutePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

fn is_parameter(segment: &str) -> bool {
    segment
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'))
        .is_some_and(|name| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tricks_in_a_path_are_refused() {
        let cases = [
            ("/api/bridge/../admin", BadPath::Segment),
            ("/api/bridge/./tasks", BadPath::Segment),
            ("/api/bridge//tasks", BadPath::Segment),
            ("/api/bridge/tasks/", BadPath::Segment),
            ("/api/bridge/%2e%2e/admin", BadPath::Character),
            ("/api/bridge%2Ftasks", BadPath::Character),
            ("/api/bridge\\tasks", BadPath::Character),
            ("/api/bridge/tasks\0", BadPath::Character),
            ("/api/bridge/tasks?space=x", BadPath::Character),
            ("/api/bridge/tasks#x", BadPath::Character),
            ("/api/bridge/tasks;x", BadPath::Character),
            ("/api/bridge/tasks\r\nx-y: z", BadPath::Character),
            ("http://evil.example/api/bridge/tasks", BadPath::NotBelowApi),
            ("//evil.example/api/bridge", BadPath::NotBelowApi),
            ("/API/bridge/tasks", BadPath::NotBelowApi),
            ("api/bridge/tasks", BadPath::NotBelowApi),
            ("", BadPath::NotBelowApi),
        ];
        for (path, fault) in cases {
            assert_eq!(HubPath::parse(path), Err(fault), "{path:?}");
        }
        assert_eq!(
            HubPath::parse(&format!("/api/{}", "x".repeat(9_000))),
            Err(BadPath::TooLong)
        );
    }

    #[test]
    fn a_route_covers_one_segment_for_each_name_and_nothing_else() {
        let route = RoutePattern::new(Method::Get, "/api/bridge/tasks/{id}").unwrap();
        let covers = |method, path: &str| route.covers(method, &HubPath::parse(path).unwrap());
        assert!(covers(Method::Get, "/api/bridge/tasks/018f-1"));
        assert!(!covers(Method::Post, "/api/bridge/tasks/018f-1"));
        assert!(!covers(Method::Get, "/api/bridge/tasks"));
        assert!(!covers(Method::Get, "/api/bridge/tasks/1/notes"));
        assert!(!covers(Method::Get, "/api/bridge/Tasks/1"));
    }

    #[test]
    fn a_pattern_has_whole_parameters_only() {
        for bad in [
            "/api/x/{id}y",
            "/api/{}",
            "/api/../{id}",
            "/other/{id}",
            "/api/{a/b}",
            "/api/*",
        ] {
            assert!(RoutePattern::new(Method::Get, bad).is_err(), "{bad}");
        }
    }
}
