//! The connection to the hub, which alone holds the key.
//!
//! | the hub | the guest sees |
//! |---|---|
//! | cannot be reached | unavailable, with the sentence of how the hub was found |
//! | 400, 405, 415, 422 | invalid, in the hub's words, and with the schema of an action's input where the hub gave it |
//! | 401, 403 | failed, in the hub's words; what is known of the key is stale |
//! | 404 / 409 / 413 | not found / conflict / too large, in the hub's words |
//! | 429 | the same again if it is worth it within [`PAUSE_AT_MOST`], else rate limited |
//! | 5xx | unavailable or failed |
//!
//! A change carries an idempotency key, the same over every repetition of it, so that it happens once.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ensemble_broker::{
    Download, Fault, FileRequest, HubPort, HubReply, HubRequest, Permit, PortFault, PortFuture,
};
use ensemble_hub_api::sentences;
use ensemble_hub_client::{
    self as hub_client, Bearer, Call, ClientError, HubClient, Inside, Reply,
};
use ensemble_model::{Method, Secret};
use tokio::time::{Instant, sleep};

use crate::config::{Configuration, Connection};

/// The longest pause before a repetition, of which there are two at most; a person who waits longer wants to know why.
const PAUSE_AT_MOST: Duration = Duration::from_secs(2);

/// What stands before the schema of an action's input.
const SCHEMA: &str = "The input has to keep this JSON Schema:";

/// The port's implementation. It connects at the first request.
#[derive(Debug)]
pub(crate) struct HubBackend {
    configuration: Configuration,
    /// The hub, where this process is it.
    inside: Option<Inside>,
    client: Mutex<Option<Open>>,
}

/// A client with what it was made from: a hub that was started anew gets a new one.
#[derive(Debug)]
struct Open {
    connection: Connection,
    client: HubClient,
}

impl HubBackend {
    /// Nothing is read or opened yet.
    pub(crate) fn new(configuration: Configuration) -> Self {
        Self {
            configuration,
            inside: None,
            client: Mutex::new(None),
        }
    }

    /// For one key of a hub in this process.
    pub(crate) fn inside(hub: Inside, key: Secret) -> Self {
        Self {
            inside: Some(hub),
            ..Self::new(Configuration::of_key(key))
        }
    }

    /// Where the next request would go; none while the configuration is wrong.
    pub(crate) fn address(&self) -> Option<String> {
        let connection = self.configuration.connection().ok()?;
        Some(connection.base)
    }

    /// Whether requests go out as the owner of a running hub, for want of a key.
    pub(crate) fn without_key(&self) -> bool {
        self.configuration.without_key()
    }

    fn client(&self, connection: &Connection) -> Result<HubClient, Fault> {
        let mut open = self.client.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = open.as_ref()
            && open.connection.same_as(connection)
        {
            return Ok(open.client.clone());
        }
        let bearer = Bearer::new(connection.bearer.expose());
        let client = match &self.inside {
            Some(hub) => HubClient::inside(hub.clone(), &bearer),
            None => HubClient::new(&connection.base, &bearer),
        };
        let client = client.map_err(|error| Fault::Failed(error.to_string()))?;
        *open = Some(Open {
            connection: connection.clone(),
            client: client.clone(),
        });
        Ok(client)
    }

    async fn send(&self, request: HubRequest) -> Result<HubReply, PortFault> {
        let end = Instant::now() + request.timeout;
        let connection = self
            .configuration
            .connection()
            .map_err(|error| Fault::Failed(error.to_string()))?;
        let client = self.client(&connection)?;
        let query: Vec<(&str, &str)> = request
            .query
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let (method, key) = match request.method {
            Method::Get => (hub_client::Method::Get, None),
            Method::Post => (hub_client::Method::Post, Some(idempotency_key())),
            Method::Patch => (hub_client::Method::Patch, Some(idempotency_key())),
        };
        for last in [false, false, true] {
            let call = Call {
                method,
                path: request.path.as_str(),
                query: &query,
                body: request.body.as_deref().map(str::as_bytes),
                space: request.space.as_deref(),
                idempotency_key: key.as_deref(),
                timeout: end.saturating_duration_since(Instant::now()),
            };
            let error = match client.request(call).await {
                Ok(reply) => return Ok(read(reply, request.max_response)?),
                Err(error) => error,
            };
            match pause(&error) {
                Some(pause) if !last && Instant::now() + pause < end => sleep(pause).await,
                _ => return Err(fault(&error, &connection)),
            }
        }
        Err(Fault::RateLimited(1).into())
    }
}

impl HubBackend {
    async fn receive(&self, request: FileRequest) -> Result<Box<dyn Download>, PortFault> {
        let connection = self
            .configuration
            .connection()
            .map_err(|error| Fault::Failed(error.to_string()))?;
        let client = self.client(&connection)?;
        let call = Call {
            space: request.space.as_deref(),
            ..Call::get(request.path.as_str(), request.timeout)
        };
        match client.download(call, request.part).await {
            Ok(download) => Ok(Box::new(Arriving {
                download,
                connection,
            })),
            Err(ClientError::Refused { status: 416, .. }) => Ok(Box::new(Nothing)),
            Err(error) => Err(fault(&error, &connection)),
        }
    }
}

/// What lies behind the end of a file.
#[derive(Debug)]
struct Nothing;

impl Download for Nothing {
    fn size(&self) -> Option<u64> {
        Some(0)
    }

    fn sha256(&self) -> Option<&str> {
        None
    }

    fn next(&mut self) -> PortFuture<'_, Option<Vec<u8>>> {
        Box::pin(async { Ok(None) })
    }
}

impl HubPort for HubBackend {
    fn credential(&self) -> Result<(), String> {
        let connection = self.configuration.connection();
        connection.map(|_| ()).map_err(|error| error.to_string())
    }

    fn request<'a>(&'a self, _permit: &'a Permit, request: HubRequest) -> PortFuture<'a, HubReply> {
        Box::pin(self.send(request))
    }

    fn download<'a>(
        &'a self,
        _permit: &'a Permit,
        request: FileRequest,
    ) -> PortFuture<'a, Box<dyn Download>> {
        Box::pin(self.receive(request))
    }
}

/// A file that arrives, as the broker takes it.
#[derive(Debug)]
struct Arriving {
    download: hub_client::Download,
    connection: Connection,
}

impl Download for Arriving {
    fn size(&self) -> Option<u64> {
        self.download.size()
    }

    fn sha256(&self) -> Option<&str> {
        self.download.sha256()
    }

    fn next(&mut self) -> PortFuture<'_, Option<Vec<u8>>> {
        Box::pin(async move {
            let next = self.download.chunk().await;
            next.map_err(|error| fault(&error, &self.connection))
        })
    }
}

fn idempotency_key() -> String {
    uuid::Uuid::new_v4().to_string()
}

fn read(reply: Reply, at_most: usize) -> Result<HubReply, Fault> {
    if reply.body.len() > at_most {
        return Err(Fault::TooLarge(sentences::ANSWER_TOO_LARGE.to_owned()));
    }
    let body = String::from_utf8(reply.body)
        .map_err(|_| Fault::Failed(sentences::NOT_A_HUB.to_owned()))?;
    Ok(HubReply { body })
}

/// How long to wait before the same request again; `None` where that makes no sense.
fn pause(error: &ClientError) -> Option<Duration> {
    match error {
        ClientError::Refused {
            status: 429,
            retry_after: Some(seconds),
            ..
        } => Some(Duration::from_secs(*seconds)).filter(|pause| *pause <= PAUSE_AT_MOST),
        _ => None,
    }
}

fn fault(error: &ClientError, connection: &Connection) -> PortFault {
    let key_refused = matches!(
        error,
        ClientError::Refused {
            status: 401 | 403,
            ..
        }
    );
    let sentence = error.to_string();
    let fault = match error {
        ClientError::Unreachable => Fault::Unavailable(connection.unreachable.to_owned()),
        ClientError::Timeout
        | ClientError::Stalled
        | ClientError::Broken
        | ClientError::OutcomeUnknown => Fault::Unavailable(sentence),
        ClientError::TooLarge => Fault::TooLarge(sentence),
        ClientError::Path => Fault::Invalid(sentence),
        ClientError::Configuration(_) | ClientError::Setup | ClientError::BadAnswer => {
            Fault::Failed(sentence)
        }
        ClientError::Refused {
            status,
            retry_after,
            input_schema,
            ..
        } => {
            let sentence = match input_schema {
                Some(schema) => format!("{sentence}\n\n{SCHEMA}\n{schema}"),
                None => sentence,
            };
            refused(*status, sentence, *retry_after)
        }
    };
    PortFault { fault, key_refused }
}

fn refused(status: u16, sentence: String, retry_after: Option<u64>) -> Fault {
    match status {
        404 => Fault::NotFound(sentence),
        409 => Fault::Conflict(sentence),
        413 => Fault::TooLarge(sentence),
        429 => {
            let seconds = retry_after.unwrap_or(1).max(1);
            Fault::RateLimited(u32::try_from(seconds).unwrap_or(u32::MAX))
        }
        502..=504 => Fault::Unavailable(sentence),
        400 | 405 | 415 | 422 => Fault::Invalid(sentence),
        _ => Fault::Failed(sentence),
    }
}

#[cfg(test)]
mod tests;
