//! Help while a person fills in an argument of a prompt or of a family of resources: the plugin that it belongs to is asked, in the
//! key's default space. A plugin without that help suggests nothing; an argument that is not there is an error.

use ensemble_model::PluginId;
use ensemble_runtime::offer::{Subject, Suggestions, Typing};
use rmcp::model::{CompleteRequestParams, CompleteResult, CompletionInfo, Reference};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};

use crate::calls::{self, Closed};
use crate::errors;
use crate::server::BridgeServer;

pub(crate) async fn complete(
    server: &BridgeServer,
    request: CompleteRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CompleteResult, ErrorData> {
    let (owner, helps, typing) = wanted(server, request).await?;
    let mut result = if helps {
        found(asked(server, &owner, typing, context).await?)
    } else {
        CompleteResult::default()
    };
    if crate::server::is_modern(context) {
        result.meta = Some(server.meta());
    }
    Ok(result)
}

/// Whom to ask what, and whether they have an answer to such questions.
async fn wanted(
    server: &BridgeServer,
    request: CompleteRequestParams,
) -> Result<(PluginId, bool, Typing), ErrorData> {
    let bridge = &server.bridge;
    let principal = bridge.principal().await;
    let principal = principal.map_err(|fault| errors::unmade(&fault))?;
    let view = bridge.view_of(principal.grants);
    let argument = request.argument.name;
    let (owner, subject, has_it) = match request.r#ref {
        Reference::Prompt(named) => {
            let listed = view.prompt(&named.name);
            let listed = listed.ok_or_else(|| errors::unknown_prompt(&named.name))?;
            let mut arguments = listed.prompt.arguments.iter();
            let has_it = arguments.any(|known| known.name == argument);
            (&listed.plugin, Subject::Prompt(named.name), has_it)
        }
        Reference::Resource(family) => {
            let listed = view.template(&family.uri);
            let listed = listed.ok_or_else(|| errors::unknown_resource(&family.uri))?;
            let has_it = family.uri.contains(&format!("{{{argument}}}"));
            (&listed.plugin, Subject::Template(family.uri), has_it)
        }
        _ => return Err(errors::bad_params("completion/complete")),
    };
    if !has_it {
        let why = format!("There is no argument “{}” there.", errors::shown(&argument));
        return Err(ErrorData::invalid_params(why, None));
    }
    let others = request.context.and_then(|context| context.arguments);
    let mut others: Vec<(String, String)> = others.into_iter().flatten().collect();
    others.sort_unstable();
    let typing = Typing {
        subject,
        argument,
        typed: request.argument.value,
        others,
    };
    Ok((owner.clone(), view.completing().contains(owner), typing))
}

async fn asked(
    server: &BridgeServer,
    owner: &PluginId,
    typing: Typing,
    context: &RequestContext<RoleServer>,
) -> Result<Suggestions, ErrorData> {
    let (Subject::Prompt(named) | Subject::Template(named)) = &typing.subject;
    let absent = match &typing.subject {
        Subject::Prompt(name) => errors::unknown_prompt(name),
        Subject::Template(uri) => errors::unknown_resource(uri),
    };
    let named = format!("completion {named}");
    let opened = calls::open(server, owner, &named, None, context).await;
    let opened = opened.map_err(|closed| match closed {
        Closed::Absent => absent,
        Closed::Fault(fault) => errors::unmade(&fault),
    })?;
    let registry = server.bridge.registry();
    let found = opened.run(|session, events| registry.complete(owner, session, typing, events));
    found.await.map_err(|error| {
        server.bridge.ask();
        errors::unmade_call(&error)
    })
}

/// As many as the protocol carries, and whether there are more.
fn found(found: Suggestions) -> CompleteResult {
    let Suggestions {
        mut values,
        total,
        has_more,
    } = found;
    let more = has_more || values.len() > CompletionInfo::MAX_VALUES;
    values.truncate(CompletionInfo::MAX_VALUES);
    let mut info = CompletionInfo::default();
    info.values = values;
    info.total = total;
    info.has_more = Some(more);
    CompleteResult::new(info)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_protocol_cannot_carry_is_said_to_be_more() {
        let values: Vec<String> = (0..150).map(|n| n.to_string()).collect();
        let cut = found(Suggestions {
            values,
            total: Some(150),
            has_more: false,
        });
        assert_eq!(cut.completion.values.len(), CompletionInfo::MAX_VALUES);
        assert_eq!(cut.completion.has_more, Some(true));
        assert_eq!(cut.completion.total, Some(150));
    }
}
