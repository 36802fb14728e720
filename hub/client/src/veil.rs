//! A sentence that came from elsewhere, without what may be a secret in it: keys, what follows `Bearer`, and in an address the user and
//! everything from `?` or `#` on. Sentences of the hub hold none; one that something on the way made may.

use ensemble_hub_api::paths::KEY_PREFIX;

/// In place of what is left out.
const LEFT_OUT: &str = "…";
/// What is shorter is no key: sentences name the prefix.
const KEY_MIN: usize = 12;

/// The same words, each without its secret.
pub(crate) fn veiled(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut follows_bearer = false;
    for piece in text.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end_matches(char::is_whitespace);
        let blank = piece.strip_prefix(word).unwrap_or_default();
        if follows_bearer && word.len() >= KEY_MIN {
            out.push_str(LEFT_OUT);
        } else if word.contains("://") {
            out.push_str(&without_keys(&address(word)));
        } else {
            out.push_str(&without_keys(word));
        }
        out.push_str(blank);
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        follows_bearer = bare.len() >= 6
            && bare
                .get(bare.len() - 6..)
                .is_some_and(|end| end.eq_ignore_ascii_case("bearer"));
    }
    out
}

/// An address without its user, its query and its fragment.
fn address(word: &str) -> String {
    let Some((scheme, rest)) = word.split_once("://") else {
        return word.to_owned();
    };
    let end = rest.find(['?', '#']);
    let (kept, more) = rest.split_at(end.unwrap_or(rest.len()));
    let host = kept.find('/').unwrap_or(kept.len());
    let (authority, path) = kept.split_at(host);
    let host = match authority.rsplit_once('@') {
        Some((_, host)) => format!("{LEFT_OUT}@{host}"),
        None => authority.to_owned(),
    };
    let more = if more.is_empty() { "" } else { LEFT_OUT };
    format!("{scheme}://{host}{path}{more}")
}

fn without_keys(word: &str) -> String {
    let mut out = String::new();
    let mut rest = word;
    while let Some((before, after)) = rest.split_once(KEY_PREFIX) {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        let value = after.find(|c| !plain(c)).unwrap_or(after.len());
        let (value, more) = after.split_at(value);
        out.push_str(before);
        out.push_str(KEY_PREFIX);
        out.push_str(if value.len() < KEY_MIN {
            value
        } else {
            LEFT_OUT
        });
        rest = more;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::veiled;

    #[test]
    fn what_may_be_a_secret_is_left_out_and_nothing_else() {
        let key = "ens_AbCdEfGhIjKlMnOpQrStUv";
        for (text, expected) in [
            (format!("no {key}, and {key}!"), "no ens_…, and ens_…!"),
            (format!("“{key}”={key}"), "“ens_…”=ens_…"),
            (
                "sent Authorization: Bearer abcdefghijklmnop to".to_owned(),
                "sent Authorization: Bearer … to",
            ),
            (
                "{\"bearer\": \"abcdefghijklmnop\"}".to_owned(),
                "{\"bearer\": …",
            ),
            (
                "at https://ada:pass@hub.example/a/b?token=x#y".to_owned(),
                "at https://…@hub.example/a/b…",
            ),
            (
                format!("GET http://hub.example/{key}/x"),
                "GET http://hub.example/ens_…/x",
            ),
        ] {
            assert_eq!(veiled(&text), expected, "{text}");
        }
        for same in [
            "",
            " two  blanks\tand a tab ",
            "A key starts with ens_ or ens_… as every bearer of one knows.",
            "See https://docs.ensemblework.com/keys.",
            "“Ünïcode” ://",
        ] {
            assert_eq!(veiled(same), same);
        }
    }
}
