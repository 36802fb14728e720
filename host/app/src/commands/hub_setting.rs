//! `ensemble hub setting`: works on the hub's database itself, also beside a running hub.

use ensemble_hub_server::Set;
use serde::Serialize;

use super::hub_key::existing;
use crate::cli::setting::Setting;
use crate::env::Environment;
use crate::output;

#[derive(Serialize)]
struct Row {
    name: &'static str,
    value: String,
    says: &'static str,
}

impl From<Set> for Row {
    fn from(set: Set) -> Self {
        Self {
            name: set.setting.name(),
            value: set.value,
            says: set.setting.says(),
        }
    }
}

pub(crate) async fn run(asked: Setting, env: &dyn Environment) -> anyhow::Result<()> {
    match asked {
        Setting::List(asked) => {
            let admin = existing(&asked.hub, env).await?;
            let found = admin.settings().await;
            admin.close().await;
            let rows: Vec<Row> = found?.into_iter().map(Row::from).collect();
            if asked.listing.json {
                return output::json(&rows);
            }
            for row in &rows {
                output::print(&format!("{} = {}\n    {}", row.name, row.value, row.says))?;
            }
            Ok(())
        }
        Setting::Set(asked) => {
            let admin = existing(&asked.hub, env).await?;
            let set = admin.set(&asked.name, &asked.value).await;
            admin.close().await;
            let row = Row::from(set?);
            if asked.listing.json {
                return output::json(&row);
            }
            output::print(&format!("{} is {} now.", row.name, row.value))?;
            Ok(())
        }
    }
}
