//! Plugins and Log: what the host gives, for the hub's owner alone.

use std::sync::Arc;

use axum::http::StatusCode;
use ensemble_hub_server::web::{HostPages, LogFilter, LogLine, PluginCard, Reaches};

use crate::browser::Site;

/// Has one component and one decision; a filter that names `nonsense` cannot be understood.
#[derive(Debug)]
struct Host;

impl HostPages for Host {
    fn plugins(&self) -> Result<Vec<PluginCard>, String> {
        Ok(vec![PluginCard {
            id: "tasks".to_owned(),
            version: "0.1.0".to_owned(),
            title: "Tasks <i>".to_owned(),
            origin: "built-in",
            grant: "read",
            digest: "ab".repeat(32),
            tools: vec!["ensemble_tasks".to_owned()],
            reaches: vec![Reaches {
                interface: "ensemble:hub/read".to_owned(),
                does: "reads records of the hub".to_owned(),
                reason: "Tasks are records.".to_owned(),
            }],
            routes: vec!["GET /api/bridge/tasks".to_owned()],
            refused: None,
        }])
    }

    fn log(&self, filter: &LogFilter) -> Result<Vec<LogLine>, String> {
        if filter.since.as_deref() == Some("nonsense") {
            return Err("Since: write how long ago.".to_owned());
        }
        let line = LogLine {
            at: "2026-03-02 08:00:00".to_owned(),
            plugin: "tasks".to_owned(),
            tool: "ensemble_tasks".to_owned(),
            key: "laptop".to_owned(),
            wanted: "GET /api/bridge/tasks".to_owned(),
            verdict: "permitted".to_owned(),
            why: String::new(),
        };
        let wanted = filter
            .plugin
            .as_deref()
            .is_none_or(|plugin| plugin == "tasks");
        Ok(wanted.then_some(line).into_iter().collect())
    }
}

#[tokio::test]
async fn the_owner_sees_the_components_and_the_decisions() {
    let site = Site::new().await;
    let mut browser = site.owner().await;
    assert!(
        browser
            .get("/plugins")
            .await
            .body
            .contains("without a host")
    );
    site.hub.set_host(Arc::new(Host));
    let plugins = browser.get("/plugins").await.body;
    for part in [
        "Every key",
        "Tasks &lt;i&gt;",
        "ensemble_tasks",
        "reads records of the hub",
        "Tasks are records.",
        "GET /api/bridge/tasks",
    ] {
        assert!(plugins.contains(part), "{part}: {plugins}");
    }
    let log = browser.get("/log").await.body;
    assert!(
        log.contains("2026-03-02 08:00:00") && log.contains("laptop"),
        "{log}"
    );
    let none = browser.get("/log?plugin=files&verdict=denied").await.body;
    assert!(
        none.contains("Nothing matches.") && none.contains("value=\"denied\" selected"),
        "{none}"
    );
    let wrong = browser.get("/log?since=nonsense").await.body;
    assert!(
        wrong.contains("Since: write how long ago.") && !wrong.contains("Nothing matches"),
        "{wrong}"
    );
}

#[tokio::test]
async fn what_runs_on_the_hubs_computer_is_the_owners_to_see() {
    let site = Site::new().await;
    site.hub.set_host(Arc::new(Host));
    site.owner().await;
    let (account, _) = site
        .hub
        .store()
        .create_account("Zoe", "Hers")
        .await
        .unwrap();
    // as the hub keeps it: sha256 of the code
    let hash = "3608bca1e44ea6c4d268eb6db02260269892c0b42b86bbf1e77a6fa16c3c9282";
    site.hub
        .store()
        .put_sign_in_link(&account.id, hash)
        .await
        .unwrap();
    let mut zoe = site.browser();
    let done = zoe
        .choose("/set-up?code=xyz", "Zoe", "a long enough one")
        .await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.body);
    assert_eq!(zoe.get("/connect").await.status, StatusCode::OK);
    for path in ["/plugins", "/log"] {
        let page = zoe.get(path).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{path}");
        assert!(!page.body.contains("ensemble_tasks"), "{}", page.body);
    }
}
