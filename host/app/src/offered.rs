//! Which plugins an editor is offered: all but those that `ENSEMBLE_PLUGINS_OFF` names, so that a person whose editor takes only so many
//! tools can leave out a group. A name that no plugin has is an error with those that there are: what a person believes to be off is
//! never on.

use std::collections::BTreeSet;

use crate::env::Environment;

/// The variable: ids of plugins, separated by commas.
pub(crate) const OFF: &str = "ENSEMBLE_PLUGINS_OFF";

/// Characters of a wrong name that the sentence shows.
const SHOWN_MAX: usize = 60;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{OFF} names “{name}”, and no plugin has that id: name some of {known}, separated by commas."
)]
pub(crate) struct UnknownPlugin {
    name: String,
    known: String,
}

/// Those of `ids` that are not switched off.
///
/// # Errors
/// [`UnknownPlugin`] if the variable names one that is not among `ids`.
pub(crate) fn offered<'a>(
    env: &dyn Environment,
    ids: &[&'a str],
) -> Result<BTreeSet<&'a str>, UnknownPlugin> {
    let off = env.filled(OFF).unwrap_or_default();
    let mut offered: BTreeSet<&str> = ids.iter().copied().collect();
    for name in off
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
    {
        if !ids.contains(&name) {
            return Err(UnknownPlugin {
                name: name
                    .chars()
                    .filter(|c| !c.is_control())
                    .take(SHOWN_MAX)
                    .collect(),
                known: ids.join(", "),
            });
        }
        offered.remove(name);
    }
    Ok(offered)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::MapEnvironment;

    fn of(off: &str) -> Result<Vec<&'static str>, String> {
        let env = MapEnvironment::of(&[(OFF, off)]);
        let found = offered(&env, &["code", "docs", "tasks"]);
        found
            .map(|ids| ids.into_iter().collect())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_named_is_left_out_and_nothing_else_is() {
        assert_eq!(of(""), Ok(vec!["code", "docs", "tasks"]));
        assert_eq!(of("docs"), Ok(vec!["code", "tasks"]));
        assert_eq!(of(" docs ,, code,docs "), Ok(vec!["tasks"]));
        assert_eq!(
            of("docs,cod\u{7}e2"),
            Err("ENSEMBLE_PLUGINS_OFF names “code2”, and no plugin has that id: name some of code, docs, tasks, separated by commas.".to_owned())
        );
    }
}
