//! Actions: the guest names one and gives its input; which of them the key may run, and what the input has to be, the hub
//! says. One run is one permit and one request, with one idempotency key over all its repetitions.

use ensemble_model::route::ACTIONS;
use ensemble_model::{ActionName, Method};
use serde::de::IgnoredAny;

use super::Session;
use crate::decision::Verdict;
use crate::fault::Fault;
use crate::ports::HubRequest;

impl Session {
    /// `ensemble:hub/act.run`: the hub's answer. `input` is the text of a JSON object.
    ///
    /// # Errors
    /// [`Fault::Invalid`] for what is no name or no object, and for an input that the hub refuses, then with the schema
    /// that it has to keep.
    pub async fn act(&self, action: &str, input: &str) -> Result<String, Fault> {
        let name = ActionName::parse(action).map_err(|bad| {
            // what was given instead of a name does not reach the log
            let route = format!("{} {ACTIONS}(not a name)", Method::Post);
            let mut line = self.line(&route, Verdict::Denied);
            line.reason = Some("the name of an action".to_owned());
            self.broker.inner.deps.log.record(&line);
            Fault::Invalid(bad.to_string())
        })?;
        let (permit, path) = self
            .parts
            .policy
            .act(&name)
            .map_err(|denial| self.denied(&format!("{} {ACTIONS}…", Method::Post), denial))?;
        // one whole object: what is put around it stays around it
        let object = input.trim_start().starts_with('{');
        if !object || serde_json::from_str::<IgnoredAny>(input).is_err() {
            return Err(Fault::Invalid(
                "The input of an action has to be a JSON object.".to_owned(),
            ));
        }
        let body = format!("{{\"input\":{input}}}");
        self.within_limits(&permit, body.len(), self.parts.limits.request_bytes)?;
        let request = HubRequest {
            body: Some(body),
            ..self.request(Method::Post, path)
        };
        self.forward(&permit, request).await
    }
}
