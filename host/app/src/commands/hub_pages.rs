//! What the hub's pages show of this computer's host: the same tables as `ensemble audit` and `ensemble log show`.

use ensemble_decision_log::Place;
use ensemble_hub_server::web::{HostPages, LogFilter, LogLine, PluginCard, Reaches};
use serde_json::Value;

use super::audit::component::{self, Component};
use super::log_show;
use crate::compose::Composed;
use crate::env::Environment;
use crate::folders::Folders;

/// The decisions that the page shows.
const LINES: usize = 200;

/// The host as the process finds it: what was installed or decided since the last look is seen.
#[derive(Debug)]
pub(crate) struct ThisHost<E>(pub(crate) E);

impl<E: Environment + std::fmt::Debug + Send + Sync> HostPages for ThisHost<E> {
    fn plugins(&self) -> Result<Vec<PluginCard>, String> {
        let parts = Composed::of(&self.0).map_err(|error| format!("{error:#}"))?;
        let plugins = parts.registry.plugins();
        let cards = plugins.map(|plugin| card(component::of(&parts.registry, plugin)));
        let cards = cards.collect();
        parts.close();
        Ok(cards)
    }

    fn log(&self, filter: &LogFilter) -> Result<Vec<LogLine>, String> {
        let place = Folders::of(&self.0).decisions();
        let place = Place::of(place.map_err(|error| error.to_string())?);
        let found = log_show::matching(&place, LINES, filter)?;
        Ok(found.iter().rev().map(line).collect())
    }
}

fn card(component: Component) -> PluginCard {
    let reaches = component.capabilities.into_iter();
    let reaches = reaches.filter(|capability| capability.granted && capability.linked);
    PluginCard {
        id: component.id,
        version: component.version,
        title: component.title,
        origin: component.origin,
        grant: component.grant,
        digest: component.digest,
        tools: component.tools,
        reaches: reaches
            .map(|capability| Reaches {
                interface: capability.interface,
                does: capability.does.to_owned(),
                reason: capability.reason,
            })
            .collect(),
        routes: component
            .routes
            .into_iter()
            .filter(|route| route.granted)
            .map(|route| route.request)
            .collect(),
        refused: component.refused,
    }
}

fn line(line: &Value) -> LogLine {
    let text = |name: &str| {
        line.get(name)
            .and_then(Value::as_str)
            .unwrap_or("–")
            .to_owned()
    };
    LogLine {
        at: text("time")
            .chars()
            .take(19)
            .collect::<String>()
            .replace('T', " "),
        plugin: line
            .get("plugin")
            .map_or_else(|| "host".to_owned(), |_| text("plugin")),
        tool: text("tool"),
        key: text("key"),
        wanted: text("route"),
        verdict: text("verdict"),
        why: line
            .get("reason")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned(),
    }
}
