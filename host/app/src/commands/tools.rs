//! `ensemble tools`: what a key is offered, by group, and what a list of it costs a model that reads it.

use std::collections::BTreeMap;

use ensemble_catalog::Listed;
use ensemble_model::KeyGrants;
use serde::Serialize;

use crate::cli::Tools;
use crate::compose::{Composed, LIST, RUN, actions};
use crate::env::Environment;
use crate::output;

/// Characters of JSON that are about one token; tokenizers differ, and none is asked.
const PER_TOKEN: usize = 4;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    groups: Vec<Group>,
    tools: usize,
    characters: usize,
    about_tokens: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Group {
    plugin: String,
    tools: Vec<String>,
    characters: usize,
    about_tokens: usize,
}

pub(crate) fn run(asked: Tools, env: &dyn Environment) -> anyhow::Result<()> {
    let parts = Composed::of(env)?;
    let catalog = if asked.catalog {
        parts.catalog.named(LIST, RUN, &actions())?
    } else {
        parts.catalog.clone()
    };
    let all = KeyGrants {
        changes: true,
        apps: true,
    };
    let view = catalog.view(all);
    let report = report(view.tools());
    parts.close();
    if asked.listing.json {
        return output::json(&report);
    }
    output::print(&shown(&report, asked.cost))?;
    Ok(())
}

fn report(tools: &[Listed]) -> Report {
    let mut order = Vec::new();
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    for listed in tools {
        let id = listed.plugin.to_string();
        let characters = ensemble_mcp::listed(listed).chars().count();
        let group = groups.entry(id.clone()).or_insert_with(|| {
            order.push(id.clone());
            Group {
                plugin: id,
                tools: Vec::new(),
                characters: 0,
                about_tokens: 0,
            }
        });
        group.tools.push(listed.tool.name.clone());
        group.characters += characters;
        group.about_tokens = group.characters / PER_TOKEN;
    }
    let groups: Vec<Group> = order.iter().filter_map(|id| groups.remove(id)).collect();
    let characters = groups.iter().map(|group| group.characters).sum();
    Report {
        tools: tools.len(),
        about_tokens: characters / PER_TOKEN,
        characters,
        groups,
    }
}

fn shown(report: &Report, cost: bool) -> String {
    if !cost {
        let lines = report.groups.iter().flat_map(|group| {
            let tools = group.tools.iter().map(|tool| format!("  {tool}"));
            std::iter::once(group.plugin.clone()).chain(tools)
        });
        return lines.collect::<Vec<_>>().join("\n");
    }
    let row = |name: &str, tools: usize, characters: usize, tokens: usize| {
        vec![
            name.to_owned(),
            tools.to_string(),
            characters.to_string(),
            tokens.to_string(),
        ]
    };
    let mut rows: Vec<Vec<String>> = report
        .groups
        .iter()
        .map(|group| {
            let tools = group.tools.len();
            row(&group.plugin, tools, group.characters, group.about_tokens)
        })
        .collect();
    let total = row("all", report.tools, report.characters, report.about_tokens);
    rows.push(total);
    let table = output::table(&["plugin", "tools", "characters", "tokens, about"], &rows);
    format!(
        "{table}\nA client reads the whole list at its start. Leave plugins out with ENSEMBLE_PLUGINS_OFF=id,id\n(four characters are counted as one token; models differ)."
    )
}
