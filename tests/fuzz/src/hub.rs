//! A hub with the demo workspace, opened once.

use std::sync::Arc;

use axum::Router;
use ensemble_hub_server::{CreateKey, Hub, HubClock, demo};
use jiff::Timestamp;
use tokio::sync::OnceCell;

#[derive(Debug)]
struct Then;

impl HubClock for Then {
    fn now(&self) -> Timestamp {
        Timestamp::constant(1_790_000_000, 0)
    }
}

/// Its routes, and a key that reads.
pub(crate) async fn demo() -> (Router, String) {
    static HUB: OnceCell<(Hub, String)> = OnceCell::const_new();
    let opened = HUB.get_or_init(async || {
        // it stays until the process ends
        let folder = tempfile::tempdir().unwrap().keep();
        let hub = Hub::open(&folder, Arc::new(Then)).await.unwrap();
        demo::fill(hub.store()).await.unwrap();
        let asked = CreateKey {
            name: "fuzz".to_owned(),
            ..CreateKey::default()
        };
        let key = hub.admin().create_key(asked).await.unwrap();
        (hub, key.value.expose().to_owned())
    });
    let (hub, key) = opened.await;
    (hub.router(), key.clone())
}
