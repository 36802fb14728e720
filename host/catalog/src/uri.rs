//! Which resource an address names. A template's `{name}` stands for exactly one segment that is not empty (RFC 6570,
//! level 1); nothing else in an address is interpreted.

/// Whether `uri` is one of the addresses of `template`.
pub(crate) fn matches(template: &str, uri: &str) -> bool {
    let mut wanted = template.split('/');
    let mut given = uri.split('/');
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return true,
            (Some(wanted), Some(given)) => {
                let parameter = wanted.starts_with('{') && wanted.ends_with('}');
                if parameter && given.is_empty() || !parameter && wanted != given {
                    return false;
                }
            }
            (Some(_), None) | (None, Some(_)) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn one_segment_for_each_parameter() {
        let template = "ensemble://items/{kind}/{id}";
        assert!(matches(template, "ensemble://items/task/018f"));
        assert!(!matches(template, "ensemble://items/task"));
        assert!(!matches(template, "ensemble://items/task/"));
        assert!(!matches(template, "ensemble://items/task/1/2"));
        assert!(!matches(template, "ensemble://people/task/1"));
        assert!(matches("ensemble://today", "ensemble://today"));
        assert!(!matches("ensemble://today", "ensemble://Today"));
    }
}
