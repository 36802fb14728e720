//! Following what changes in the key's default space: a long poll at the hub, which no plugin takes part in.
//!
//! The log gets a line when it begins, when it fails, and when it works again; not one for each poll. What was seen last
//! counts only in the space that it was seen in: a key of another space begins anew.

use std::time::Duration;

use serde::Deserialize;

use crate::broker::{Broker, OWN_REQUEST, Own};
use crate::decision::Verdict;
use crate::fault::Fault;
use crate::ports::PortFault;

/// How long the hub may hold a question that it has nothing to say to; it allows 20 seconds.
const WAIT: Duration = Duration::from_secs(20);

/// What changed since the step before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// It has begun with this step: what changed before is not known.
    pub began: bool,
    /// The URIs of the resources that read otherwise now, lists too.
    pub resources: Vec<String>,
    /// There is more already.
    pub more: bool,
}

/// Follows the changes of the key's default space, step by step.
#[derive(Debug)]
pub struct Following {
    broker: Broker,
    seen: Option<Seen>,
    failing: bool,
}

/// Up to where it was seen, and in which space.
#[derive(Debug)]
struct Seen {
    space: String,
    cursor: String,
}

/// `GET changes`, the fields that the host uses.
#[derive(Deserialize)]
struct Changed {
    cursor: String,
    resources: Vec<String>,
    more: bool,
}

impl Broker {
    /// Begins to follow; the first [`Following::next`] says when it has begun.
    pub fn following(&self) -> Following {
        Following {
            broker: self.clone(),
            seen: None,
            failing: false,
        }
    }
}

impl Following {
    /// The next step: at once when there is something to say, else after some seconds with nothing. Dropping the future
    /// loses nothing.
    ///
    /// # Errors
    /// When the hub did not answer; the step after that goes on where this one would have. With `key_refused` where the
    /// hub does not accept the key any more: asking again is of no use before it knows a key.
    pub async fn next(&mut self) -> Result<Step, PortFault> {
        let step = self.step().await;
        match &step {
            Ok(_) => self.failing = false,
            Err(_) => self.failing = true,
        }
        step
    }

    async fn step(&mut self) -> Result<Step, PortFault> {
        let principal = self.broker.identified().await?;
        let space = principal.default_space.id;
        let after = self.seen.as_ref().filter(|seen| seen.space == space);
        let mut query = Vec::new();
        if let Some(seen) = after {
            query.push(("after".to_owned(), seen.cursor.clone()));
            query.push(("wait".to_owned(), WAIT.as_secs().to_string()));
        }
        let began = after.is_none();
        let asked = Own {
            query,
            timeout: WAIT + OWN_REQUEST,
            space: Some(space.clone()),
            ..Own::get("/api/bridge/changes")
        };
        let (mut line, answer) = self.broker.own(asked).await?;
        let changed = answer.and_then(|body| Ok(read(&body)?));
        if let Err(fault) = &changed {
            line.verdict = Verdict::Failed;
            line.reason = Some(fault.fault.word().to_owned());
        }
        if began || changed.is_err() != self.failing {
            self.broker.inner.deps.log.record(&line);
        }
        let changed = match changed {
            Ok(changed) => changed,
            Err(fault) if fault.key_refused => {
                // either the key is gone, which this says, or there is another one now
                self.broker.doubt();
                self.broker.identified().await?;
                return Err(fault.fault.into());
            }
            Err(fault) => return Err(fault),
        };
        self.seen = Some(Seen {
            space,
            cursor: changed.cursor,
        });
        Ok(Step {
            began,
            resources: changed.resources,
            more: changed.more,
        })
    }
}

fn read(json: &str) -> Result<Changed, Fault> {
    serde_json::from_str(json).map_err(|_| {
        Fault::Failed("The hub answered changes in a form this version does not know.".to_owned())
    })
}
