//! A secret is a type that does not print and is wiped when it is dropped.

use zeroize::Zeroizing;

/// A key or token. `Debug` shows nothing of it and there is no `Display`; only [`Secret::expose`] gives the text, so every
/// place that does can be found by that name.
#[derive(Clone)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Takes the text over.
    pub fn new(text: String) -> Self {
        Self(Zeroizing::new(text))
    }

    /// The text itself: for the one header that carries it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn a_secret_does_not_print() {
        let secret = Secret::new("ens_canary".to_owned());
        assert!(!format!("{secret:?} {:#?}", [&secret]).contains("canary"));
        assert_eq!(secret.expose(), "ens_canary");
    }
}
