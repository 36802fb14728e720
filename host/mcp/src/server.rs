//! The protocol's methods, each handed to the file of its subject. Nothing here waits for the hub, except where a method
//! is about it.
#![expect(
    deprecated,
    reason = "the newest protocol version deprecates logging and still has it; clients use it"
)]

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CustomRequest,
    CustomResult, DiscoverResult, GetPromptRequestParams, GetPromptResponse, Implementation,
    InitializeRequestParams, InitializeResult, JsonObject, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, MetaObject,
    PaginatedRequestParams, PromptsCapability, ProtocolVersion, ReadResourceRequestParams,
    ReadResourceResponse, ServerCapabilities, ServerConfig, SetLevelRequestParams,
    SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};

use crate::bridge::Bridge;
use crate::connection::Connection;
use crate::events::Threshold;
use crate::{completion, convert, errors, prompts, resources, subscriptions, tools};

/// How long a client of the newer generation may keep a list without asking, in milliseconds: who does not listen for
/// changes still sees a new key within ten seconds.
pub(crate) const LIST_TTL_MS: u64 = 10_000;

/// Names the space that a request acts in, by id; what a tool's own argument says goes before it.
const SPACE_HEADER: &str = "x-ensemble-space";

/// The methods that a request can name and still not be one, when its parameters are wrong.
const METHODS: [&str; 15] = [
    "initialize",
    "server/discover",
    "ping",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "resources/subscribe",
    "resources/unsubscribe",
    "logging/setLevel",
    "subscriptions/listen",
    "prompts/list",
    "prompts/get",
    "completion/complete",
];

/// Those that the newer generation does not have any more.
const OLDER: [&str; 5] = [
    "initialize",
    "ping",
    "resources/subscribe",
    "resources/unsubscribe",
    "logging/setLevel",
];

/// One connection's server.
#[derive(Debug, Clone)]
pub(crate) struct BridgeServer {
    pub(crate) bridge: Bridge,
    pub(crate) connection: Arc<Connection>,
}

impl BridgeServer {
    /// Who answers, for the results of the newer generation.
    pub(crate) fn meta(&self) -> MetaObject {
        let config = self.bridge.config();
        convert::server_meta(&config.name, &config.version)
    }

    /// Whether any plugin has prompts; without, the methods are not there either.
    fn has_prompts(&self) -> bool {
        !self.bridge.widest().prompts().is_empty()
    }

    fn completes(&self) -> bool {
        !self.bridge.widest().completing().is_empty()
    }

    /// From which level this request wants log lines: the newer generation says so in each request, the older one once.
    pub(crate) fn threshold(&self, context: &RequestContext<RoleServer>) -> Threshold {
        if is_modern(context) {
            Threshold::from(context.meta.log_level())
        } else {
            self.connection.threshold()
        }
    }
}

/// Whether a request is of the newer generation.
pub(crate) fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    context
        .protocol_version()
        .is_some_and(|version| !version.has_initialize())
}

/// The space that the HTTP request names for all that it asks.
pub(crate) fn named_space(context: &RequestContext<RoleServer>) -> Option<&str> {
    let parts = context.extensions.get::<http::request::Parts>()?;
    parts.headers.get(SPACE_HEADER)?.to_str().ok()
}

/// A list with what the newer generation wants to know of it: how long it may be kept, by whom, and who answered. The three kinds of lists
/// share these fields by name only.
macro_rules! listed {
    ($server:expr, $context:expr, $list:ty, $items:expr) => {{
        let mut result = <$list>::with_all_items($items.collect());
        if $crate::server::is_modern($context) {
            result = result
                .with_ttl_ms($crate::server::LIST_TTL_MS)
                .with_cache_scope(rmcp::model::CacheScope::Private);
            result.meta = Some($server.meta());
        }
        result
    }};
}
pub(crate) use listed;

fn one_page(request: Option<&PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|request| request.cursor.as_ref()) {
        None => Ok(()),
        Some(_) => Err(errors::unknown_cursor()),
    }
}

/// The client has given the request up: nobody reads this.
fn given_up() -> ErrorData {
    ErrorData::internal_error("The request was cancelled.", None)
}

impl ServerHandler for BridgeServer {
    fn get_info(&self) -> ServerConfig {
        let config = self.bridge.config();
        let mut capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_resources_subscribe()
            .enable_logging()
            .build();
        if self.has_prompts() {
            let mut prompts = PromptsCapability::default();
            prompts.list_changed = Some(true);
            capabilities.prompts = Some(prompts);
        }
        if self.completes() {
            capabilities.completions = Some(JsonObject::new());
        }
        let mut info = ServerConfig::new(capabilities)
            .with_server_info(Implementation::new(&config.name, &config.version))
            // what `initialize` is answered with when it names a version that is not known
            .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE);
        if !config.instructions.is_empty() {
            info = info.with_instructions(&config.instructions);
        }
        info
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::KNOWN_VERSIONS)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let answer = self.negotiate_initialize(&request)?;
        // what follows is read in the version that was agreed, not in the one that was asked for
        let mut agreed = request;
        agreed.protocol_version = answer.protocol_version.clone();
        context.peer.set_peer_info(agreed);
        Ok(answer)
    }

    async fn discover(
        &self,
        _context: RequestContext<RoleServer>,
    ) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        let info = ServerHandler::get_info(self);
        Ok(DiscoverResult::from_server_info(versions, info).with_ttl_ms(LIST_TTL_MS))
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.connection.ready(&self.bridge, context.peer);
    }

    /// For headers that a tool takes arguments from.
    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.bridge.view().tool(name).map(convert::tool)
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if is_modern(&context) {
            return Err(errors::unknown_method("logging/setLevel"));
        }
        self.connection
            .set_threshold(Threshold::from(Some(request.level)));
        Ok(())
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        one_page(request.as_ref())?;
        tokio::select! {
            biased;
            () = context.ct.cancelled() => Err(given_up()),
            list = tools::list(self, &context) => Ok(list),
        }
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let mut response = tokio::select! {
            biased;
            () = context.ct.cancelled() => return Err(given_up()),
            response = tools::caught(tools::call(self, request, &context)) => response?,
        };
        if is_modern(&context)
            && let CallToolResponse::Complete(result) = &mut response
        {
            let meta = result.meta.get_or_insert_default();
            meta.0.extend(self.meta().0);
        }
        Ok(response)
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        one_page(request.as_ref())?;
        tokio::select! {
            biased;
            () = context.ct.cancelled() => Err(given_up()),
            list = resources::list(self, &context) => Ok(list),
        }
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        one_page(request.as_ref())?;
        tokio::select! {
            biased;
            () = context.ct.cancelled() => Err(given_up()),
            list = resources::templates(self, &context) => Ok(list),
        }
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        tokio::select! {
            biased;
            () = context.ct.cancelled() => Err(given_up()),
            read = tools::caught(resources::read(self, &request.uri, &context)) => {
                read.map(ReadResourceResponse::from)
            }
        }
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(subscriptions::accepted(requested))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        subscriptions::listen(&self.bridge, &self.connection, context).await
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let (updates, connection) = (self.bridge.updates(), &self.connection);
        subscriptions::subscribe(updates, connection, context.peer, request.uri).await
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.connection.resources.lock().await.remove(&request.uri);
        Ok(())
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        if !self.has_prompts() {
            return Err(errors::unknown_method("prompts/list"));
        }
        one_page(request.as_ref())?;
        tokio::select! {
            biased;
            () = context.ct.cancelled() => Err(given_up()),
            list = prompts::list(self, &context) => Ok(list),
        }
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        if !self.has_prompts() {
            return Err(errors::unknown_method("prompts/get"));
        }
        tokio::select! {
            biased;
            () = context.ct.cancelled() => Err(given_up()),
            made = tools::caught(prompts::get(self, request, &context)) => made,
        }
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        if !self.completes() {
            return Err(errors::unknown_method("completion/complete"));
        }
        tokio::select! {
            biased;
            () = context.ct.cancelled() => Err(given_up()),
            found = tools::caught(completion::complete(self, request, &context)) => found,
        }
    }

    // rmcp hands a known method with wrong parameters to this one too
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method.as_str();
        let there = METHODS.contains(&method) && !(is_modern(&context) && OLDER.contains(&method));
        if there {
            return Err(errors::bad_params(&request.method));
        }
        Err(errors::unknown_method(&request.method))
    }
}
