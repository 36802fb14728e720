//! Routes: what is a path of the hub holds no trick, and a template covers nothing but itself with its names filled in. The first line is a
//! template, every other one a path.

use ensemble_model::{HubPath, Method, RoutePattern};

pub(crate) fn run(data: &[u8]) {
    let text = crate::text(data);
    let (template, paths) = text.split_once('\n').unwrap_or((&text, ""));
    let pattern = RoutePattern::new(Method::Get, template);
    for path in paths.split('\n').chain([template]) {
        let Ok(path) = HubPath::parse(path) else {
            continue;
        };
        plain(path.as_str());
        let Ok(pattern) = &pattern else { continue };
        assert!(!pattern.covers(Method::Post, &path) && !pattern.covers(Method::Patch, &path));
        assert_eq!(
            pattern.covers(Method::Get, &path),
            covered(template, path.as_str()),
            "{template} {path}"
        );
    }
}

/// What other programs read as structure is not there.
fn plain(path: &str) {
    assert_eq!(
        HubPath::parse(path)
            .map(|path| path.as_str().to_owned())
            .as_deref(),
        Ok(path)
    );
    let rest = path.strip_prefix("/api/").unwrap();
    assert!(path.len() <= 8_192 && path.is_ascii());
    assert!(
        !path.contains(['?', '#', '%', '\\', ';', '&', ' ', '\r', '\n', '\0'])
            && !path.contains("//"),
        "{path}"
    );
    assert!(
        rest.split('/')
            .all(|name| !name.is_empty() && name != "." && name != ".."),
        "{path}"
    );
    let there = url::Url::parse("http://127.0.0.1:1")
        .unwrap()
        .join(path)
        .unwrap();
    assert_eq!(
        (there.path(), there.query(), there.host_str()),
        (path, None, Some("127.0.0.1"))
    );
}

fn covered(template: &str, path: &str) -> bool {
    let (declared, asked): (Vec<&str>, Vec<&str>) =
        (template.split('/').collect(), path.split('/').collect());
    let fits = |(declared, asked): (&&str, &&str)| {
        declared == asked || (declared.starts_with('{') && declared.ends_with('}'))
    };
    declared.len() == asked.len() && declared.iter().zip(&asked).all(fits)
}
