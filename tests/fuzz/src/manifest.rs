//! `plugin.toml`: what is read keeps the rules, what is refused is one line.

use ensemble_model::world::DECLARED_WASI;
use ensemble_model::{Limits, Manifest, PluginId};

pub(crate) fn run(data: &[u8]) {
    let text = crate::text(data);
    let manifest = match Manifest::parse(&text) {
        Ok(manifest) => manifest,
        Err(refused) => return one_line(&refused.to_string()),
    };
    let id = manifest.id.as_str();
    assert_eq!(id.parse::<PluginId>().as_ref(), Ok(&manifest.id));
    assert!(
        id.len() <= 32
            && id
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    );
    for import in &manifest.imports {
        let interface = import.interface.as_str();
        assert!(
            manifest.world.interfaces().contains(&interface) || DECLARED_WASI.contains(&interface),
            "{interface}"
        );
        assert!(
            !import.reason.trim().is_empty(),
            "{interface} without a reason"
        );
    }
    for route in &manifest.routes {
        assert!(
            route.pattern.path().starts_with("/api/"),
            "{}",
            route.pattern
        );
        assert!(
            !route.reason.trim().is_empty(),
            "{} without a reason",
            route.pattern
        );
    }
    let most = Limits::of_world(manifest.world);
    for (row, limit) in most
        .lowered_by(&manifest.limits)
        .rows()
        .iter()
        .zip(most.rows())
    {
        assert!(row.value <= limit.value, "{} was raised", row.name);
    }
}

fn one_line(sentence: &str) {
    assert!(
        !sentence.is_empty() && !sentence.contains(char::is_control),
        "{sentence:?}"
    );
    assert!(
        sentence.chars().count() < 2_000,
        "{} characters",
        sentence.chars().count()
    );
}
