//! A hub that answers as the test says.

use std::sync::{Arc, Mutex};

use ensemble_broker::ports::PortFuture;
use ensemble_broker::{
    Download, Fault, FileRequest, HubPort, HubReply, HubRequest, Permit, PortFault,
};
use serde_json::json;
use tokio::sync::watch;

/// The hub's route that never answers.
pub(crate) const HANG: &str = "/api/bridge/hang";

/// How the hub behaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Hub {
    /// It knows the key, with changes allowed or not.
    Knows { changes: bool },
    /// It does not accept the key.
    Refuses,
    /// Nobody is there.
    Dead,
    /// It takes the question and never answers.
    Silent,
    /// There is no key.
    NoKey,
}

#[derive(Debug)]
pub(crate) struct FakeHub {
    pub(crate) behaviour: watch::Sender<Hub>,
    /// How many requests for the route that never answers wait now.
    pub(crate) hanging: Arc<watch::Sender<usize>>,
    pub(crate) asked: Mutex<Vec<String>>,
    /// What changed since the beginning, the URIs of each change.
    pub(crate) changes: watch::Sender<Vec<Vec<String>>>,
}

impl FakeHub {
    pub(crate) fn new(behaviour: Hub) -> Self {
        Self {
            behaviour: watch::Sender::new(behaviour),
            hanging: Arc::new(watch::Sender::new(0)),
            asked: Mutex::default(),
            changes: watch::Sender::new(Vec::new()),
        }
    }
}

impl FakeHub {
    /// The cursor is the number of changes; nothing is said before there is something to say.
    async fn changed(&self, query: Vec<(String, String)>) -> Result<HubReply, PortFault> {
        let mut behaviour = self.behaviour.subscribe();
        let mut changes = self.changes.subscribe();
        let after = query.iter().find(|(name, _)| name == "after");
        let after: Option<usize> = after.map(|(_, cursor)| cursor.parse().unwrap());
        if let Some(after) = after {
            tokio::select! {
                _ = changes.wait_for(|all| all.len() > after) => {}
                _ = behaviour.wait_for(|hub| !matches!(hub, Hub::Knows { .. })) => {}
            }
        }
        match *behaviour.borrow() {
            Hub::Knows { .. } => {}
            Hub::Refuses => {
                return Err(PortFault {
                    fault: Fault::Failed("The hub does not accept this key.".into()),
                    key_refused: true,
                });
            }
            Hub::Dead | Hub::Silent | Hub::NoKey => {
                return Err(Fault::Unavailable("Ensemble is not running.".into()).into());
            }
        }
        let all = changes.borrow().clone();
        let uris: Vec<String> = after.map_or_else(Vec::new, |after| all[after..].concat());
        let cursor = all.len().to_string();
        Ok(HubReply {
            body: json!({"cursor": cursor, "changed": [], "resources": uris, "more": false})
                .to_string(),
        })
    }
}

impl HubPort for FakeHub {
    fn credential(&self) -> Result<(), String> {
        match *self.behaviour.borrow() {
            Hub::NoKey => Err("There is no key: make one with `ensemble hub key create`.".into()),
            _ => Ok(()),
        }
    }

    fn request<'a>(&'a self, _: &'a Permit, request: HubRequest) -> PortFuture<'a, HubReply> {
        self.asked.lock().unwrap().push(request.path.to_string());
        if request.path.to_string() == HANG {
            let hanging = Arc::clone(&self.hanging);
            return Box::pin(async move {
                hanging.send_modify(|n| *n += 1);
                let _guard = Hanging(hanging);
                std::future::pending().await
            });
        }
        if request.path.to_string() == "/api/bridge/changes" {
            return Box::pin(self.changed(request.query));
        }
        let mut behaviour = self.behaviour.subscribe();
        Box::pin(async move {
            let now = behaviour
                .wait_for(|hub| *hub != Hub::Silent)
                .await
                .unwrap()
                .clone();
            match now {
                Hub::Knows { changes } => Ok(HubReply {
                    body: json!({
                        "canWrite": changes, "canUseApps": false, "keyName": "test",
                        "defaultSpace": {"id": "s1", "name": "Studio"}
                    })
                    .to_string(),
                }),
                Hub::Refuses => Err(PortFault {
                    fault: Fault::Failed("The hub does not accept this key.".into()),
                    key_refused: true,
                }),
                Hub::Dead | Hub::Silent | Hub::NoKey => {
                    Err(Fault::Unavailable("Ensemble is not running.".into()).into())
                }
            }
        })
    }

    fn download<'a>(&'a self, _: &'a Permit, _: FileRequest) -> PortFuture<'a, Box<dyn Download>> {
        Box::pin(async { Err(Fault::NotFound("This hub keeps no files.".to_owned()).into()) })
    }
}

/// Leaves the number of waiting requests when its request is given up.
struct Hanging(Arc<watch::Sender<usize>>);

impl Drop for Hanging {
    fn drop(&mut self) {
        self.0.send_modify(|n| *n -= 1);
    }
}
