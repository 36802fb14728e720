//! Stands before the server for the one request that has to wait before it is accepted: rmcp acknowledges
//! `subscriptions/listen` before the server sees it, and what changes from the acknowledgement on has to be told. So the
//! changes are followed first, and what cannot be had is refused here. Over HTTP it is done before rmcp has the request at all, because
//! rmcp takes no service there that stands before a server (`http/endpoint`).

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{ClientNotification, ClientRequest, ProtocolVersion, ServerConfig, ServerResult};
use rmcp::service::{NotificationContext, RequestContext, Service};
use rmcp::{ErrorData, RoleServer};
use tokio::sync::OwnedSemaphorePermit;

use crate::server::{self, BridgeServer};
use crate::subscriptions;
use crate::updates::Subscription;

/// One connection's server, with its gate.
#[derive(Debug)]
pub(crate) struct Gate(pub(crate) BridgeServer);

/// The subscription that a listener was given before it was accepted, and the places of its resources; taken once.
#[derive(Debug, Clone)]
pub(crate) struct Given(Arc<Mutex<Option<(Subscription, OwnedSemaphorePermit)>>>);

impl Given {
    pub(crate) fn new(subscription: Subscription, places: OwnedSemaphorePermit) -> Self {
        Self(Arc::new(Mutex::new(Some((subscription, places)))))
    }

    /// What was given to this listener, over streams or with the HTTP request.
    pub(crate) fn of(context: &RequestContext<RoleServer>) -> Option<&Self> {
        let given = context.extensions.get::<Self>();
        given.or_else(|| {
            context
                .extensions
                .get::<http::request::Parts>()?
                .extensions
                .get()
        })
    }

    pub(crate) fn take(&self) -> Option<(Subscription, OwnedSemaphorePermit)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Service<RoleServer> for Gate {
    async fn handle_request(
        &self,
        request: ClientRequest,
        mut context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        if let ClientRequest::SubscriptionsListenRequest(listen) = &request
            && server::is_modern(&context)
            && let Some(wanted) = &listen.params.notifications.resource_subscriptions
            && !wanted.is_empty()
        {
            let places = subscriptions::places(&self.0.connection, wanted)?;
            let subscription = self.0.bridge.updates().subscribe().await;
            context.extensions.insert(Given::new(subscription, places));
        }
        Service::handle_request(&self.0, request, context).await
    }

    async fn handle_notification(
        &self,
        notification: ClientNotification,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Service::handle_notification(&self.0, notification, context).await
    }

    fn get_info(&self) -> ServerConfig {
        Service::get_info(&self.0)
    }

    fn supported_protocol_versions(&self) -> std::borrow::Cow<'static, [ProtocolVersion]> {
        Service::supported_protocol_versions(&self.0)
    }
}
