//! What a plugin keeps besides that is not part of this program, because a model and a person believe what they read:
//!
//! | rule | what it prevents |
//! |---|---|
//! | no id and no name that could be taken for one that there is | a call that was meant for another |
//! | no name that begins like `ensemble_` or `hub_` | a tool that passes for one of this program |
//! | addresses begin with the plugin's own id | an address that passes for a record |
//! | no character that cannot be seen | orders to a model that no person reads |
//! | at most [`MAX_TOOLS`] tools and [`MAX_SURFACE_BYTES`] in all | a list that leaves no room for work |
//!
//! What it lists is shown under the line of [`ensemble_model::Origin::mark`].

use ensemble_model::{Manifest, Origin, Surface};
use serde_json::Value;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

use crate::lookalike::begins_like;
use crate::rules::RuleBroken;

/// The most tools of one installed plugin: editors take a hundred or so in all.
const MAX_TOOLS: usize = 32;

/// The most that an installed plugin lists: every byte is read by a model at each start.
const MAX_SURFACE_BYTES: usize = 64 << 10;

/// The most prompts: editors make a command of each.
const MAX_PROMPTS: usize = 32;

/// The longest title or name for a person, in characters.
const MAX_TITLE: usize = 80;

/// How the names of this program's own tools and of the hub's actions begin.
const OURS: [&str; 2] = ["ensemble_", "hub_"];

/// Checks all that does not depend on the other plugins.
pub(crate) fn check(manifest: &Manifest, surface: &Surface) -> Result<(), RuleBroken> {
    let broken = |what: &str, rule: String| RuleBroken {
        plugin: manifest.id.clone(),
        tool: what.chars().take(64).filter(|c| is_seen(*c)).collect(),
        rule,
    };
    if surface.tools.len() > MAX_TOOLS {
        let rule = format!("an installed plugin has at most {MAX_TOOLS} tools");
        return Err(broken("(all)", rule));
    }
    if surface.prompts.len() > MAX_PROMPTS {
        let rule = format!("an installed plugin has at most {MAX_PROMPTS} prompts");
        return Err(broken("(all)", rule));
    }
    if surface.render().len() > MAX_SURFACE_BYTES {
        let rule = format!("an installed plugin lists at most {MAX_SURFACE_BYTES} bytes");
        return Err(broken("(all)", rule));
    }
    let tools = surface.tools.iter().map(|t| (&t.name, Some(&t.title)));
    let prompts = surface.prompts.iter().map(|p| (&p.name, p.title.as_ref()));
    for (name, titled) in tools.chain(prompts) {
        if let Some(ours) = OURS.iter().find(|ours| begins_like(name, ours)) {
            let rule = format!("names that begin like {ours} are of this program and its hub");
            return Err(broken(name, rule));
        }
        title(titled.unwrap_or(name)).map_err(|rule| broken(name, rule))?;
    }
    let own = format!("{}://", manifest.id);
    let fixed = surface.resources.iter().map(|r| (&r.uri, &r.title));
    let families = surface
        .resource_templates
        .iter()
        .map(|t| (&t.uri_template, &t.title));
    for (address, named) in fixed.chain(families) {
        if !address.starts_with(&own) {
            let rule = format!("its address does not begin with {own}");
            return Err(broken(address, rule));
        }
        if let Some(named) = named {
            title(named).map_err(|rule| broken(address, rule))?;
        }
    }
    let whole = serde_json::to_value(surface).unwrap_or_default();
    match unseen(&whole) {
        None => Ok(()),
        Some(c) => Err(broken(
            "(all)",
            format!(
                "its texts hold a character that cannot be seen (U+{:04X})",
                u32::from(c)
            ),
        )),
    }
}

fn title(text: &str) -> Result<(), String> {
    if text.chars().count() > MAX_TITLE || text.contains('\n') {
        return Err(format!(
            "a title is one line of at most {MAX_TITLE} characters"
        ));
    }
    Ok(())
}

/// The first character in any text of it, names of schema keys included, that a person does not see.
fn unseen(value: &Value) -> Option<char> {
    let in_text = |text: &str| text.chars().find(|c| !is_seen(*c));
    match value {
        Value::String(text) => in_text(text),
        Value::Array(items) => items.iter().find_map(unseen),
        Value::Object(fields) => fields
            .iter()
            .find_map(|(name, value)| in_text(name).or_else(|| unseen(value))),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

fn is_seen(c: char) -> bool {
    c == '\n'
        || !matches!(
            c.general_category(),
            GeneralCategory::Control
                | GeneralCategory::Format
                | GeneralCategory::PrivateUse
                | GeneralCategory::Surrogate
                | GeneralCategory::Unassigned
                | GeneralCategory::LineSeparator
                | GeneralCategory::ParagraphSeparator
        )
}

/// The surface as clients are shown it: each text under the plugin's mark, each title with the plugin's id.
pub(crate) fn marked(manifest: &Manifest, origin: Origin, mut surface: Surface) -> Surface {
    let Some(mark) = origin.mark(&manifest.id) else {
        return surface;
    };
    let titled = |title: &str| format!("{title} (plugin {})", manifest.id);
    let described = |text: &str| format!("{mark}\n{text}");
    for tool in &mut surface.tools {
        tool.title = titled(&tool.title);
        tool.description = described(&tool.description);
    }
    for resource in &mut surface.resources {
        resource.title = Some(titled(resource.title.as_ref().unwrap_or(&resource.name)));
        resource.description = Some(described(
            resource.description.as_deref().unwrap_or_default(),
        ));
    }
    for template in &mut surface.resource_templates {
        template.title = Some(titled(template.title.as_ref().unwrap_or(&template.name)));
        template.description = Some(described(
            template.description.as_deref().unwrap_or_default(),
        ));
    }
    for prompt in &mut surface.prompts {
        prompt.title = Some(titled(prompt.title.as_ref().unwrap_or(&prompt.name)));
        prompt.description = Some(described(prompt.description.as_deref().unwrap_or_default()));
    }
    surface
}

#[cfg(test)]
#[expect(
    clippy::indexing_slicing,
    reason = "a test that reads past the end has failed"
)]
mod tests {
    use serde_json::json;

    use super::*;

    fn manifest() -> Manifest {
        Manifest::parse(
            "id = \"weather\"\nversion = \"1.0.0\"\ngroup = \"weather\"\ntitle = \"Weather\"\ndescription = \"D\"\n\
             world = \"reader\"\ngrant = \"read\"\nspace = false\n",
        )
        .unwrap()
    }

    fn surface(name: &str, description: &str, uri: &str) -> Surface {
        let json = json!({
            "tools": [{
                "name": name, "title": "Now", "description": description,
                "inputSchema": {"type": "object", "properties": {"a": {"type": "string", "description": description}}},
                "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}
            }],
            "resources": [{"uri": uri, "name": "today"}]
        });
        Surface::parse(&json.to_string()).unwrap()
    }

    fn verdict(name: &str, description: &str, uri: &str) -> String {
        match check(&manifest(), &surface(name, description, uri)) {
            Ok(()) => "ok".to_owned(),
            Err(broken) => broken.rule,
        }
    }

    #[test]
    fn an_installed_plugin_cannot_pass_for_this_program() {
        let uri = "weather://today";
        assert_eq!(verdict("weather_now", "Says.\nMore.", uri), "ok");
        for name in [
            "ensemble_brief",
            "Ensemble-x",
            "ensernble_x",
            "hub_list_tasks",
            "HUB-x",
        ] {
            assert!(
                verdict(name, "d", uri).starts_with("names that begin"),
                "{name}"
            );
        }
        for uri in [
            "ensemble://task/1",
            "Weather://x",
            "weathers://x",
            "file:///etc",
        ] {
            assert!(verdict("a", "d", uri).starts_with("its address"), "{uri}");
        }
    }

    #[test]
    fn orders_that_no_person_sees_are_refused() {
        for hidden in [
            "\u{200b}",
            "\u{202e}",
            "\u{e0041}",
            "\u{7}",
            "\u{2028}",
            "\u{e000}",
            "\u{ad}",
        ] {
            let said = verdict("weather_now", &format!("a{hidden}b"), "weather://x");
            assert!(said.starts_with("its texts hold"), "{hidden:?}: {said}");
        }
    }

    #[test]
    fn what_is_too_much_is_refused() {
        let long = "x".repeat(70_000);
        assert!(verdict("weather_now", &long, "weather://x").contains("bytes"));
        let mut many = surface("weather_now", "d", "weather://x");
        many.tools = vec![many.tools[0].clone(); 33];
        assert!(
            check(&manifest(), &many)
                .unwrap_err()
                .rule
                .contains("tools")
        );
    }

    #[test]
    fn every_text_of_an_installed_plugin_stands_under_its_mark() {
        let shown = |origin| {
            marked(
                &manifest(),
                origin,
                surface("weather_now", "Says.", "weather://x"),
            )
        };
        let ours = shown(Origin::BuiltIn);
        assert_eq!(ours, surface("weather_now", "Says.", "weather://x"));
        let theirs = shown(Origin::Installed);
        assert_eq!(
            theirs.tools[0].description,
            "From the installed plugin weather, which is not part of Ensemble:\nSays."
        );
        assert_eq!(theirs.tools[0].title, "Now (plugin weather)");
        assert_eq!(
            theirs.resources[0].title.as_deref(),
            Some("today (plugin weather)")
        );
    }
}
