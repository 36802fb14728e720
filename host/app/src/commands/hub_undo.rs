//! `ensemble hub undo` and `ensemble hub trash`: the person takes changes back, on the hub's data folder itself, also beside a running hub.

use ensemble_hub_server::store::{ChangeRow, Record};
use serde::Serialize;

use super::hub_key::existing;
use crate::cli::undo::{ListTrash, RestoreTrash, Trash, Undo};
use crate::env::Environment;
use crate::output;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ChangeLine {
    change_id: Option<String>,
    at: String,
    by: String,
    action: String,
    records: u64,
    first: String,
    undone: bool,
    undoes: Option<String>,
}

impl From<ChangeRow> for ChangeLine {
    fn from(row: ChangeRow) -> Self {
        Self {
            at: row.at.to_string(),
            by: row.actor_name,
            action: row.action,
            records: row.records,
            first: row.title,
            undone: row.undone,
            undoes: row.undoes,
            change_id: row.id,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UndoneLine<'a> {
    undone: &'a str,
    change_id: String,
    records: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TrashLine {
    handle: String,
    title: String,
    deleted_at: Option<String>,
}

impl From<Record> for TrashLine {
    fn from(record: Record) -> Self {
        Self {
            handle: record.handle(),
            deleted_at: record.deleted_at.map(|at| at.to_string()),
            title: record.title,
        }
    }
}

pub(crate) async fn undo(asked: Undo, env: &dyn Environment) -> anyhow::Result<()> {
    let admin = existing(&asked.within.hub, env).await?;
    let Some(change) = &asked.change else {
        let found = admin
            .changes(asked.within.space.as_deref(), asked.limit)
            .await;
        admin.close().await;
        return list(found?.items, asked.within.listing.json);
    };
    let undone = admin.undo(asked.within.space.as_deref(), change).await;
    admin.close().await;
    let undone = undone?;
    if asked.within.listing.json {
        return output::json(&UndoneLine {
            undone: change,
            change_id: undone.change_id,
            records: undone.records,
        });
    }
    let records = match undone.records.len() {
        0 => "Its links are".to_owned(),
        1 => "One record is".to_owned(),
        many => format!("{many} records are"),
    };
    output::print(&format!(
        "Undone. {records} as before; `ensemble hub undo {}` does it again.",
        undone.change_id
    ))?;
    Ok(())
}

fn list(rows: Vec<ChangeRow>, json: bool) -> anyhow::Result<()> {
    let rows: Vec<ChangeLine> = rows.into_iter().map(ChangeLine::from).collect();
    if json {
        return output::json(&rows);
    }
    if rows.is_empty() {
        output::note("Nothing was changed yet.");
        return Ok(());
    }
    for row in rows {
        let what = match row.records {
            0 | 1 => format!("“{}”", output::plain(&row.first)),
            many => format!("“{}” and {} more", output::plain(&row.first), many - 1),
        };
        let state = match (&row.change_id, row.undone) {
            (None, _) => " (cannot be undone)",
            (_, true) => " (undone)",
            (_, false) => "",
        };
        output::print(&format!(
            "{}  {}\n    {} by {}: {what}{state}",
            row.change_id.as_deref().unwrap_or("-"),
            row.at,
            output::plain(&row.action),
            output::plain(&row.by),
        ))?;
    }
    Ok(())
}

pub(crate) async fn trash(asked: Trash, env: &dyn Environment) -> anyhow::Result<()> {
    match asked {
        Trash::List(asked) => list_trash(asked, env).await,
        Trash::Restore(asked) => restore(asked, env).await,
    }
}

async fn list_trash(asked: ListTrash, env: &dyn Environment) -> anyhow::Result<()> {
    let admin = existing(&asked.within.hub, env).await?;
    let found = admin
        .trash(asked.within.space.as_deref(), asked.limit)
        .await;
    admin.close().await;
    let found = found?;
    let rows: Vec<TrashLine> = found.items.into_iter().map(TrashLine::from).collect();
    if asked.within.listing.json {
        return output::json(&rows);
    }
    if rows.is_empty() {
        output::note("Trash is empty.");
        return Ok(());
    }
    let shown = rows.len() as u64;
    for row in rows {
        let deleted = row.deleted_at.unwrap_or_default();
        output::print(&format!(
            "{}  {deleted}\n    {}",
            row.handle,
            output::plain(&row.title)
        ))?;
    }
    if found.total > shown {
        output::note(&format!(
            "{shown} of {} records: use --limit to see more.",
            found.total
        ));
    }
    Ok(())
}

async fn restore(asked: RestoreTrash, env: &dyn Environment) -> anyhow::Result<()> {
    let admin = existing(&asked.within.hub, env).await?;
    let restored = admin
        .restore(asked.within.space.as_deref(), &asked.records)
        .await;
    admin.close().await;
    let rows: Vec<TrashLine> = restored?.into_iter().map(TrashLine::from).collect();
    if asked.within.listing.json {
        return output::json(&rows);
    }
    for row in rows {
        output::print(&format!(
            "“{}” is back, as {}.",
            output::plain(&row.title),
            row.handle
        ))?;
    }
    Ok(())
}
