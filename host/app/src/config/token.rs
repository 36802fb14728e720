//! Which value may be used as a key. What is not one is a configuration error in one sentence, which never holds the
//! value: editors differ in which fields they expand, so the commonest mistakes are told apart.
//!
//! | `ENSEMBLE_BRIDGE_TOKEN` | is |
//! |---|---|
//! | `ens_…`, outer blanks and line ends cut off | the key |
//! | not set, internal token asked for | `ENSEMBLE_INTERNAL_TOKEN`, never its default unless that is allowed too |
//! | not set | the launch token of a running hub, else an error |
//! | empty, `${X}`, quoted, `Bearer …`, the internal token's default, anything else | an error |

use ensemble_hub_api::paths::KEY_PREFIX;
use ensemble_model::Secret;

use crate::env::Environment;

/// The variable that holds the key.
pub(crate) const TOKEN: &str = "ENSEMBLE_BRIDGE_TOKEN";
const USE_INTERNAL: &str = "ENSEMBLE_BRIDGE_USE_INTERNAL_TOKEN";
const INTERNAL: &str = "ENSEMBLE_INTERNAL_TOKEN";
const ALLOW_DEFAULT: &str = "ENSEMBLE_BRIDGE_ALLOW_DEFAULT_INTERNAL_TOKEN";
/// What `ENSEMBLE_INTERNAL_TOKEN` is where nobody set it, and so what anybody can guess.
const DEFAULT_INTERNAL: &str = "dev-internal-token";
/// Longer than any key; a longer value is something else.
const MAX_KEY: usize = 512;

/// Why a value cannot be used. None of the sentences holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadToken {
    #[error(
        "ENSEMBLE_BRIDGE_TOKEN is set but empty: put a key into it (make one with `ensemble hub key create`), or remove it."
    )]
    Empty,
    #[error(
        "ENSEMBLE_BRIDGE_TOKEN holds the name of a variable that was not filled in: the editor does not expand it there, or the variable is not set where the editor was started."
    )]
    Unexpanded,
    #[error("ENSEMBLE_BRIDGE_TOKEN has quotes around the key: remove them.")]
    Quoted,
    #[error("ENSEMBLE_BRIDGE_TOKEN starts with “Bearer”: put the key alone into it.")]
    Bearer,
    #[error("ENSEMBLE_BRIDGE_TOKEN holds a placeholder, not a key: keys have more after ens_.")]
    Placeholder,
    #[error(
        "ENSEMBLE_BRIDGE_TOKEN has a blank, a line end or another character inside that no key has: copy the key again."
    )]
    Character,
    #[error("ENSEMBLE_BRIDGE_TOKEN is longer than any key: copy the key again.")]
    TooLong,
    #[error(
        "ENSEMBLE_BRIDGE_TOKEN is the hub's default internal token, which the bridge does not use: make a key with `ensemble hub key create`."
    )]
    DefaultAsKey,
    #[error(
        "ENSEMBLE_BRIDGE_TOKEN does not start with ens_: make a key with `ensemble hub key create`."
    )]
    NotAKey,
    #[error(
        "The default internal token is refused: set ENSEMBLE_INTERNAL_TOKEN to a private one, or, for a local demo only, ENSEMBLE_BRIDGE_ALLOW_DEFAULT_INTERNAL_TOKEN=true."
    )]
    DefaultInternal,
    #[error("ENSEMBLE_INTERNAL_TOKEN has a blank or a line end inside: set it again.")]
    InternalCharacter,
}

/// Where the credential comes from.
#[derive(Debug, Clone)]
pub(crate) enum Token {
    /// A key that the person gave.
    Key(Secret),
    /// The hub's own service credential; `default` when it is the one that anybody can guess.
    Internal { secret: Secret, default: bool },
    /// None was given.
    Absent,
}

/// Reads the variables above. Nothing of them is kept elsewhere.
pub(crate) fn read(env: &dyn Environment) -> Result<Token, BadToken> {
    let internal = env.says_true(USE_INTERNAL);
    match env.get(TOKEN) {
        Some(value) if value.trim().is_empty() && internal => read_internal(env),
        Some(value) => key(value.trim()).map(Token::Key),
        None if internal => read_internal(env),
        None => Ok(Token::Absent),
    }
}

fn key(value: &str) -> Result<Secret, BadToken> {
    if value.is_empty() {
        return Err(BadToken::Empty);
    }
    if value.len() > MAX_KEY {
        return Err(BadToken::TooLong);
    }
    if looks_unexpanded(value) {
        return Err(BadToken::Unexpanded);
    }
    if value.starts_with(['"', '\'', '`', '“', '‘']) || value.ends_with(['"', '\'', '`', '”', '’'])
    {
        return Err(BadToken::Quoted);
    }
    let bearer = value.get(..6).unwrap_or_default();
    if bearer.eq_ignore_ascii_case("bearer") {
        return Err(BadToken::Bearer);
    }
    if value == DEFAULT_INTERNAL {
        return Err(BadToken::DefaultAsKey);
    }
    let Some(rest) = value.strip_prefix(KEY_PREFIX) else {
        return Err(BadToken::NotAKey);
    };
    if rest.chars().all(|c| matches!(c, '.' | '…' | '*')) || rest.starts_with('<') {
        return Err(BadToken::Placeholder);
    }
    if !value.bytes().all(|b| b.is_ascii_graphic()) {
        return Err(BadToken::Character);
    }
    Ok(Secret::new(value.to_owned()))
}

/// `${X}`, `$X`, `%X%`, `{{X}}`, and what editors write inside (`${env:X}`, `${input:x}`).
fn looks_unexpanded(value: &str) -> bool {
    value.starts_with('$')
        || value.contains("${")
        || value.contains("{{")
        || (value.starts_with('%') && value.ends_with('%'))
}

fn read_internal(env: &dyn Environment) -> Result<Token, BadToken> {
    let value = env
        .filled(INTERNAL)
        .unwrap_or_else(|| DEFAULT_INTERNAL.to_owned());
    let default = value == DEFAULT_INTERNAL;
    if default && !env.says_true(ALLOW_DEFAULT) {
        return Err(BadToken::DefaultInternal);
    }
    if !value.bytes().all(|b| b.is_ascii_graphic()) {
        return Err(BadToken::InternalCharacter);
    }
    Ok(Token::Internal {
        secret: Secret::new(value),
        default,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::MapEnvironment;

    fn verdict(pairs: &[(&str, &str)]) -> String {
        match read(&MapEnvironment::of(pairs)) {
            Ok(Token::Key(secret)) => format!("key {}", secret.expose()),
            Ok(Token::Internal { secret, default }) => {
                format!("internal {} {default}", secret.expose())
            }
            Ok(Token::Absent) => "absent".to_owned(),
            Err(error) => format!("{error:?}"),
        }
    }

    #[test]
    fn every_way_to_give_a_key_has_its_answer() {
        let long = format!("ens_{}", "a".repeat(600));
        let cases = [
            ("ens_abcDEF-_09", "key ens_abcDEF-_09"),
            ("ens_abc\n", "key ens_abc"),
            ("  ens_abc\r\n", "key ens_abc"),
            ("", "Empty"),
            (" \t\n", "Empty"),
            ("${ENS_KEY}", "Unexpanded"),
            ("$ENS_KEY", "Unexpanded"),
            ("${env:ENSEMBLE_BRIDGE_TOKEN}", "Unexpanded"),
            ("ens_${KEY}", "Unexpanded"),
            ("%ENS_KEY%", "Unexpanded"),
            ("{{ENS_KEY}}", "Unexpanded"),
            ("\"ens_abc\"", "Quoted"),
            ("'ens_abc'", "Quoted"),
            ("“ens_abc”", "Quoted"),
            ("Bearer ens_abc", "Bearer"),
            ("bearer ens_abc", "Bearer"),
            ("ens_", "Placeholder"),
            ("ens_...", "Placeholder"),
            ("ens_…", "Placeholder"),
            ("ens_****", "Placeholder"),
            ("ens_x", "key ens_x"),
            ("ens_<your key>", "Placeholder"),
            ("ens_ab c", "Character"),
            ("ens_ab\nc", "Character"),
            ("ens_ä", "Character"),
            ("dev-internal-token", "DefaultAsKey"),
            ("ENS_abc", "NotAKey"),
            ("ghp_abc", "NotAKey"),
            ("é", "NotAKey"),
            (long.as_str(), "TooLong"),
        ];
        for (value, expected) in cases {
            assert_eq!(verdict(&[(TOKEN, value)]), expected, "{value:?}");
        }
        assert_eq!(verdict(&[]), "absent");
    }

    #[test]
    fn the_internal_token_is_used_only_when_asked_for_and_its_default_only_when_allowed() {
        let asked = (USE_INTERNAL, "true");
        let cases: [(&[(&str, &str)], &str); 9] = [
            (&[(INTERNAL, "private")], "absent"),
            (&[(INTERNAL, "private"), (USE_INTERNAL, "yes")], "absent"),
            (&[asked, (INTERNAL, "private")], "internal private false"),
            (&[asked], "DefaultInternal"),
            (
                &[asked, (INTERNAL, "dev-internal-token")],
                "DefaultInternal",
            ),
            (
                &[asked, (ALLOW_DEFAULT, "true")],
                "internal dev-internal-token true",
            ),
            (&[(ALLOW_DEFAULT, "true")], "absent"),
            (
                &[asked, (INTERNAL, "private"), (TOKEN, "ens_a")],
                "key ens_a",
            ),
            (&[asked, (INTERNAL, "two words")], "InternalCharacter"),
        ];
        for (pairs, expected) in cases {
            assert_eq!(verdict(pairs), expected, "{pairs:?}");
        }
    }

    #[test]
    fn no_sentence_holds_the_value() {
        for value in [
            "\"ens_canary\"",
            "Bearer ens_canary",
            "canary",
            "ens_can ary",
        ] {
            let error = read(&MapEnvironment::of(&[(TOKEN, value)])).unwrap_err();
            assert!(!format!("{error} {error:?}").contains("canary"), "{error}");
        }
    }
}
