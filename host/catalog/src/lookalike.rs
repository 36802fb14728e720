//! Do two names look like one? Names are compared by what a person sees: without case, with `-` and `_` as one, and by the
//! skeletons of Unicode's confusables (UTS 39), in which `l`, `1` and `I` are one letter, and `rn` is `m`.

use std::collections::BTreeSet;

use unicode_security::skeleton;

/// What a name looks like. Two names look like one if they share a look.
pub(crate) fn looks(name: &str) -> BTreeSet<String> {
    let joined = name.replace('-', "_");
    // a capital I looks like l, and its small form does not: both are kept
    [joined.clone(), joined.to_lowercase(), joined.to_uppercase()]
        .iter()
        .map(|form| skeleton(form).collect::<String>())
        .flat_map(|look| [look.to_lowercase(), look])
        .collect()
}

/// Whether a person could take one for the other.
pub fn look_alike(one: &str, other: &str) -> bool {
    !looks(one).is_disjoint(&looks(other))
}

/// Whether the name begins as if it were one of `prefix`.
pub(crate) fn begins_like(name: &str, prefix: &str) -> bool {
    let prefixes = looks(prefix);
    let starts = |look: &String| prefixes.iter().any(|prefix| look.starts_with(prefix));
    looks(name).iter().any(starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_could_take_for_another_looks_alike() {
        for (one, other) in [
            ("ensemble_brief", "ensemble_brief"),
            ("ensemble_brief", "Ensemble_Brief"),
            ("ensemble_brief", "ensemble-brief"),
            ("ensemble_brief", "ensemb1e_brief"),
            ("ensemble_brief", "ensembIe_brief"),
            ("ensemble_brief", "ENSEMB1E_BRIEF"),
            ("ensemble_brief", "ensernble_brief"),
            // Cyrillic е
            ("ensemble_brief", "\u{435}nsemble_brief"),
            ("code", "c0de"),
            ("files", "fi1es"),
            ("docs", "do\u{200b}cs"),
        ] {
            assert!(look_alike(one, other), "{one} {other}");
            assert!(look_alike(other, one), "{other} {one}");
        }
        for (one, other) in [
            ("ensemble_brief", "ensemble_briefs"),
            ("files", "file"),
            ("weather_now", "weather_new"),
        ] {
            assert!(!look_alike(one, other), "{one} {other}");
        }
        assert!(begins_like("ENSERNBLE-anything", "ensemble_"));
        assert!(!begins_like("ensembles", "ensemble_"));
    }
}
