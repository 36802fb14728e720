//! The planted key, and whether anything that anybody was told held it.

use std::sync::{Mutex, PoisonError};

use ensemble_model::Secret;

/// Where the key was seen, if anywhere.
pub(crate) struct Watch {
    canary: Secret,
    leaks: Mutex<Vec<String>>,
}

impl Watch {
    pub(crate) fn new(canary: Secret) -> Self {
        Self {
            canary,
            leaks: Mutex::default(),
        }
    }

    pub(crate) fn canary(&self) -> &Secret {
        &self.canary
    }

    /// Looks through a text that somebody was told.
    pub(crate) fn look(&self, place: &str, text: &str) {
        self.note(place, text.contains(self.canary.expose()));
    }

    /// Notes whether it was found in a place.
    pub(crate) fn note(&self, place: &str, found: bool) {
        let mut leaks = self.leaks.lock().unwrap_or_else(PoisonError::into_inner);
        if found && !leaks.iter().any(|known| known == place) {
            leaks.push(place.to_owned());
        }
    }

    /// In one phrase.
    pub(crate) fn found(&self) -> String {
        let leaks = self.leaks.lock().unwrap_or_else(PoisonError::into_inner);
        if leaks.is_empty() {
            "found nowhere".to_owned()
        } else {
            format!("found in: {}", leaks.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_found_where_it_is_and_nowhere_else() {
        let watch = Watch::new(Secret::new("ens_planted".to_owned()));
        watch.look("an answer", "nothing of it: ens_plante");
        assert_eq!(watch.found(), "found nowhere");
        for _ in 0..2 {
            watch.look("an error", "refused: ens_planted");
        }
        assert_eq!(watch.found(), "found in: an error");
    }
}
