//! One endpoint: a request comes in, is made such as rmcp takes it, and its answer such as the client does.

use std::fmt;
use std::sync::Arc;

use ensemble_model::KeyGrants;
use http::request::Parts;
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use http_body::Body as HttpBody;
use http_body_util::Full;
use rmcp::transport::common::http_header::HEADER_MCP_PROTOCOL_VERSION;
use rmcp::transport::streamable_http_server::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use serde_json::Value;
use tokio_util::bytes::Bytes;

use super::answer::{
    Body, Cors, is_preflight, json_answer, readable, refusal, refusal_of, session_of, with_headers,
};
use super::batch;
use super::lifetime::{Lifetime, until_taken};
use super::message::{Content, INVALID_REQUEST, Message, NO_SESSION, TRANSPORT};
use super::request::{Takes, is_plain_json, normalise, received, takes};
use super::servers::{config, factory};
use super::sessions::{Held, Sessions, Which};
use super::step_up::{Opens, StepUp};
use super::stream;
use crate::bridge::Bridge;
use crate::connection::Connection;
use crate::gate::Given;
use crate::server::BridgeServer;
use crate::subscriptions;

type Service<M> = StreamableHttpService<BridgeServer, M>;

/// Serves one key. Cheap to clone.
#[derive(Clone)]
pub struct Endpoint {
    bridge: Bridge,
    way: Way,
    lifetime: Lifetime,
}

#[derive(Clone)]
enum Way {
    /// With sessions for the older generation: questions to the client and news for it need them.
    Local {
        sessions: Arc<Sessions>,
        resuming: Service<LocalSessionManager>,
        plain: Service<LocalSessionManager>,
    },
    /// Every request stands for itself.
    Hosted(Service<NeverSessionManager>, Opens),
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint").finish_non_exhaustive()
    }
}

impl Endpoint {
    /// On this computer: the bridge's own key, for whoever a [`super::LocalGate`] let in.
    pub fn local(bridge: Bridge, lifetime: Lifetime) -> Self {
        bridge.begin();
        let sessions = Arc::new(Sessions::new());
        let service = |retry, manager: &Arc<LocalSessionManager>| {
            let config = config(&lifetime)
                .with_sse_retry(retry)
                .with_legacy_session_mode(true);
            let made = factory(&bridge, &lifetime);
            StreamableHttpService::new(made, Arc::clone(manager), config)
        };
        let resuming = service(Some(Sessions::retry()), &sessions.resuming);
        let plain = service(None, &sessions.plain);
        Self {
            way: Way::Local {
                sessions,
                resuming,
                plain,
            },
            bridge,
            lifetime,
        }
    }

    /// For one key of many: whoever asks was found to hold it. An app that calls a tool which its token does not open is told how to ask for
    /// more; another key is told that there is no such tool.
    pub fn hosted(
        bridge: Bridge,
        lifetime: Lifetime,
        grants: KeyGrants,
        step_up: Option<StepUp>,
    ) -> Self {
        bridge.begin();
        let config = config(&lifetime)
            .with_sse_retry(None)
            .with_legacy_session_mode(false)
            .with_json_response(true);
        let made = factory(&bridge, &lifetime);
        let service =
            StreamableHttpService::new(made, Arc::new(NeverSessionManager::default()), config);
        Self {
            bridge,
            way: Way::Hosted(service, Opens { grants, step_up }),
            lifetime,
        }
    }

    /// Answers one request, whatever it is.
    pub async fn answer<B>(&self, request: Request<B>) -> Response<Body>
    where
        B: HttpBody<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let (parts, body) = request.into_parts();
        let mut response = if is_preflight(&parts.method) {
            Cors::Any.preflight(&parts.headers)
        } else {
            match parts.method {
                Method::POST => self.post(parts, body).await,
                Method::GET | Method::DELETE if !self.is_hosted() => self.of_session(parts).await,
                _ => self.wrong_method(),
            }
        };
        with_headers(&mut response);
        response
    }

    fn is_hosted(&self) -> bool {
        matches!(self.way, Way::Hosted(..))
    }

    fn wrong_method(&self) -> Response<Body> {
        let (sentence, allowed) = if self.is_hosted() {
            ("This endpoint takes POST.", "POST")
        } else {
            (
                "This endpoint takes POST, and for a session GET and DELETE.",
                "GET, POST, DELETE",
            )
        };
        let mut refused = refusal(StatusCode::METHOD_NOT_ALLOWED, TRANSPORT, sentence);
        let allowed = HeaderValue::from_static(allowed);
        refused.headers_mut().insert(header::ALLOW, allowed);
        refused
    }

    /// The stream of a session, or its end.
    async fn of_session(&self, mut parts: Parts) -> Response<Body> {
        let Some(id) = session_of(&parts.headers) else {
            if parts.method == Method::GET {
                return self.wrong_method();
            }
            return refusal(
                StatusCode::BAD_REQUEST,
                TRANSPORT,
                "The header Mcp-Session-Id is missing: `initialize` gave it.",
            );
        };
        let Some(service) = self.session(id).await else {
            return no_session(&Value::Null);
        };
        if parts.method == Method::GET {
            match takes(&parts.headers) {
                Some(Takes::Both | Takes::Stream) => {}
                Some(Takes::Json) | None => return self.wrong_method(),
            }
        }
        normalise(&mut parts.headers);
        let asked = parts.method.clone();
        let request = Request::from_parts(parts, Full::new(Bytes::new()));
        let response = readable(service.handle(request).await, &Value::Null).await;
        if asked == Method::GET && stream::is_stream(&response) {
            return stream::at_once(response);
        }
        response
    }

    async fn session(&self, id: &str) -> Option<Service<LocalSessionManager>> {
        let Way::Local {
            sessions,
            resuming,
            plain,
        } = &self.way
        else {
            return None;
        };
        match sessions.find(id).await? {
            Which::Resuming => Some(resuming.clone()),
            Which::Plain => Some(plain.clone()),
        }
    }

    async fn post<B>(&self, mut parts: Parts, body: B) -> Response<Body>
    where
        B: HttpBody<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let Some(takes) = takes(&parts.headers) else {
            return refusal(
                StatusCode::NOT_ACCEPTABLE,
                TRANSPORT,
                "Answers here are application/json and text/event-stream: accept both.",
            );
        };
        if let Err(refused) = is_plain_json(&parts.headers) {
            return refused;
        }
        let bytes = match received(body).await {
            Ok(bytes) => bytes,
            Err(refused) => return refused,
        };
        let content = match Content::read(&bytes) {
            Ok(content) => content,
            Err(unfit) => {
                return refusal_of(
                    StatusCode::BAD_REQUEST,
                    unfit.code,
                    &unfit.id,
                    unfit.sentence,
                );
            }
        };
        if !normalise(&mut parts.headers) {
            return refusal(
                StatusCode::BAD_REQUEST,
                INVALID_REQUEST,
                "The header MCP-Protocol-Version names two versions: send one.",
            );
        }
        match content {
            Content::One(message) => self.one(parts, &message, bytes, takes).await,
            Content::Batch(messages) => batch::answer(self, &parts, messages).await,
        }
    }

    /// One message, whose bytes these are.
    async fn one(
        &self,
        parts: Parts,
        message: &Message,
        bytes: Bytes,
        takes: Takes,
    ) -> Response<Body> {
        let id = message.request_id().cloned();
        // who only listens does not hold up the end of the process
        let running = (message.method() != "subscriptions/listen").then(|| self.lifetime.begin());
        let held = match self.held(&parts, id.as_ref()) {
            Ok(held) => held,
            Err(refused) => return *refused,
        };
        let response = self.handled(parts, message, bytes).await;
        let told = id.as_ref().unwrap_or(&Value::Null);
        let mut response = readable(response, told).await;
        let is_stream = stream::is_stream(&response);
        match (takes, &id) {
            (Takes::Json, Some(id)) if is_stream => {
                response = match stream::answer_in(response, id).await {
                    Some(found) => json_answer(StatusCode::OK, &found),
                    None => refusal_of(
                        StatusCode::INTERNAL_SERVER_ERROR,
                        TRANSPORT,
                        id,
                        "The call ended without an answer: try it again.",
                    ),
                };
            }
            (Takes::Stream, Some(_)) if !is_stream && response.status().is_success() => {
                response = stream::as_stream(response).await;
            }
            _ => {}
        }
        until_taken((running, held), response)
    }

    /// The id of a session's request, which no other one has meanwhile.
    fn held(&self, parts: &Parts, id: Option<&Value>) -> Result<Option<Held>, Box<Response<Body>>> {
        let (Way::Local { sessions, .. }, Some(id), Some(session)) =
            (&self.way, id, session_of(&parts.headers))
        else {
            return Ok(None);
        };
        let held = sessions.hold(session, id).ok_or_else(|| {
            Box::new(refusal_of(
                StatusCode::BAD_REQUEST,
                INVALID_REQUEST,
                id,
                "A request with this id is not answered yet: give each request an id of its own.",
            ))
        })?;
        Ok(Some(held))
    }

    /// What rmcp answers to one message.
    pub(super) async fn handled(
        &self,
        mut parts: Parts,
        message: &Message,
        bytes: Bytes,
    ) -> Response<Body> {
        let method = message.method();
        if method == "initialize" && !message.is_modern() {
            // the body decides; clients send here what they would rather speak
            parts.headers.remove(HEADER_MCP_PROTOCOL_VERSION);
        }
        if method == "subscriptions/listen"
            && let Err(refused) = self.listens(&mut parts, message).await
        {
            return refused;
        }
        let is_list = method == "tools/list";
        let request_id = message.request_id().cloned().unwrap_or_default();
        let named = session_of(&parts.headers).map(str::to_owned);
        let request = |parts| Request::from_parts(parts, Full::new(bytes));
        let response = match &self.way {
            Way::Hosted(service, opens) => {
                if method == "tools/call"
                    && let Some(refused) = opens.too_narrow(&self.bridge, message)
                {
                    return refused;
                }
                parts.headers.remove("mcp-session-id");
                service.handle(request(parts)).await
            }
            Way::Local {
                sessions,
                resuming,
                plain,
                ..
            } => {
                let which = match &named {
                    Some(id) => match sessions.find(id).await {
                        Some(which) => which,
                        None => return no_session(&request_id),
                    },
                    None if method == "initialize" => {
                        if !sessions.room().await {
                            return refusal_of(
                                StatusCode::SERVICE_UNAVAILABLE,
                                TRANSPORT,
                                &request_id,
                                "Too many clients are connected to this bridge: end one of them.",
                            );
                        }
                        Sessions::of_version(message.parameter("protocolVersion"))
                    }
                    None => Which::Plain,
                };
                match which {
                    Which::Resuming => resuming.handle(request(parts)).await,
                    Which::Plain => plain.handle(request(parts)).await,
                }
            }
        };
        if is_list {
            let bridge = self.bridge.clone();
            tokio::spawn(async move { bridge.load_visible().await });
        }
        response
    }

    /// Follows the resources of a listener before rmcp acknowledges it, so that no change after that is missed.
    async fn listens(&self, parts: &mut Parts, message: &Message) -> Result<(), Response<Body>> {
        let wanted = message.wanted_resources();
        if wanted.is_empty() {
            return Ok(());
        }
        let connection = Connection::new(self.lifetime.streams().child_token());
        let places = subscriptions::places(&connection, &wanted).map_err(|error| {
            let id = message.request_id().cloned().unwrap_or_default();
            refusal_of(StatusCode::BAD_REQUEST, error.code.0, &id, &error.message)
        })?;
        let subscription = self.bridge.updates().subscribe().await;
        parts.extensions.insert(Given::new(subscription, places));
        Ok(())
    }
}

fn no_session(id: &Value) -> Response<Body> {
    refusal_of(
        StatusCode::NOT_FOUND,
        NO_SESSION,
        id,
        "This session is not there any more: initialize again.",
    )
}
