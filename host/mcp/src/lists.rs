//! What plugins say about their lists while they run: that one of them reads otherwise now. Everybody who asked to be told of that
//! list is told, whatever connection the call came through; one call is heard once for each list.

use ensemble_runtime::CatalogPart;
use tokio::sync::broadcast;

use crate::connection::Changed;

/// Changes that may wait for a slow client; what is more counts as all of them.
const QUEUE: usize = 16;

/// Where it is said. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Lists(broadcast::Sender<CatalogPart>);

/// Where it is heard.
#[derive(Debug)]
pub(crate) struct Heard(broadcast::Receiver<CatalogPart>);

impl Lists {
    pub(crate) fn new() -> Self {
        Self(broadcast::Sender::new(QUEUE))
    }

    pub(crate) fn tell(&self, which: CatalogPart) {
        // an error is that nobody listens
        let _heard = self.0.send(which);
    }

    pub(crate) fn listen(&self) -> Heard {
        Heard(self.0.subscribe())
    }
}

impl Heard {
    /// Which lists are not any more as they were shown; `None` when nothing more can come.
    pub(crate) async fn next(&mut self) -> Option<Changed> {
        let all = Changed {
            tools: true,
            resources: true,
            prompts: true,
        };
        match self.0.recv().await {
            Ok(which) => Some(Changed {
                tools: which == CatalogPart::Tools,
                resources: which == CatalogPart::Resources,
                prompts: which == CatalogPart::Prompts,
            }),
            Err(broadcast::error::RecvError::Lagged(_)) => Some(all),
            Err(broadcast::error::RecvError::Closed) => None,
        }
    }
}
