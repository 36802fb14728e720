//! Every attack, in the order of the report.

pub(crate) mod files;
pub(crate) mod lists;
pub(crate) mod probes;
mod routes;
pub(crate) mod texts;

use crate::attack::{Attack, How, attack};
use crate::guests::{Probe, Text};

/// All of them. Every probe, text, broken file and tampered cache has its own.
pub(crate) fn all() -> Vec<Attack> {
    let probes = Probe::ALL.into_iter().flat_map(probes::of);
    let texts = Text::ALL.into_iter().map(texts::of);
    let broken = files::Broken::ALL.into_iter().map(|broken| {
        let (name, expected) = broken.verdict();
        attack(name, &[expected], How::File(broken))
    });
    let kept = files::Tampered::ALL.into_iter().map(|tampered| {
        let (name, expected) = tampered.verdict();
        attack(name, expected, How::Kept(tampered))
    });
    probes
        .chain(texts)
        .chain(broken)
        .chain(kept)
        .chain(lists::all())
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_probe_is_tried_and_every_row_has_its_own_name_and_an_expectation() {
        for probe in Probe::ALL {
            assert!(!probes::of(probe).is_empty(), "{probe:?}");
        }
        let mut names = BTreeSet::new();
        for attack in all() {
            assert!(!attack.expected.is_empty(), "{}", attack.name);
            assert!(names.insert(attack.name.clone()), "{} twice", attack.name);
        }
        assert!(names.len() >= 80, "{}", names.len());
    }
}
