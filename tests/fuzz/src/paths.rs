//! Paths of files in a repository: what is taken leads down, whatever the system. The working folder's own rules have theirs in the program.

use std::path::{Component, Path};

use ensemble_hub_server::repos::path::{DEPTH_MAX, PATH_MAX, names};

pub(crate) fn run(data: &[u8]) {
    let text = crate::text(data);
    match names(&text) {
        Ok(names) => {
            assert!((1..=DEPTH_MAX).contains(&names.len()));
            for name in &names {
                assert!(!name.is_empty() && name != "." && name != "..", "{names:?}");
                assert!(
                    !name.contains(['/', '\\', ':']) && !name.contains(char::is_control),
                    "{names:?}"
                );
            }
            let joined = names.join("/");
            assert!(
                Path::new(&joined)
                    .components()
                    .all(|part| matches!(part, Component::Normal(_))),
                "{joined}"
            );
            // what was read reads the same again, also a name that begins like a home
            let again = format!("./{joined}");
            if again.chars().count() <= PATH_MAX {
                assert_eq!(super::paths::names(&again).as_ref(), Ok(&names));
            }
        }
        Err(sentence) => assert!(sentence.ends_with('.')),
    }
}
