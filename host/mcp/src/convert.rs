//! From what a plugin offers and answers to what a client reads, in the client's generation.
//!
//! | the client | gets instead of |
//! |---|---|
//! | before 2025-06-18 | a link: a line of text with its address |
//! | 2024-11-05 | a sound: a line of text that says so |
//! | any | an answer that does not begin with text: a text before it |
//!
//! Structured content always has the same data as text beside it.

pub(crate) mod prompts;
pub(crate) mod questions;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ensemble_catalog::Listed;
use ensemble_model::surface::{Annotations, Resource, ResourceTemplate};
use ensemble_model::{KeyGrants, PluginId};
use ensemble_runtime::offer::{Audience, Block, Body, Embedded, Hints, Link, Media, Output};
use rmcp::model::{
    self, CallToolResult, ContentBlock, ImageContent, MetaObject, ProtocolVersion,
    ResourceContents, Role, TextContent, ToolAnnotations,
};
use serde_json::{Value, json};

/// A tool of a list.
pub(crate) fn tool(listed: &Listed) -> model::Tool {
    let tool = &listed.tool;
    let Annotations {
        read_only_hint,
        destructive_hint,
        idempotent_hint,
        open_world_hint,
    } = tool.annotations;
    let mut shown = model::Tool::new(
        tool.name.clone(),
        tool.description.clone(),
        tool.input_schema.clone(),
    )
    .with_title(tool.title.clone())
    .with_annotations(ToolAnnotations::from_raw(
        Some(tool.title.clone()),
        Some(read_only_hint),
        Some(destructive_hint),
        Some(idempotent_hint),
        Some(open_world_hint),
    ));
    if let Some(schema) = &tool.output_schema {
        shown = shown.with_raw_output_schema(schema.clone().into());
    }
    if listed.scoped {
        shown.meta = Some(security(listed.needs));
    }
    shown
}

/// A tool as a client reads it in a list, in JSON.
pub fn listed(listed: &Listed) -> String {
    let shown = serde_json::to_string(&tool(listed));
    shown.unwrap_or_default()
}

/// What an app's token needs for a tool, where clients look for it.
fn security(needs: KeyGrants) -> MetaObject {
    let mut scopes = vec!["ensemble:read"];
    if needs.changes {
        scopes.push("ensemble:write");
    }
    if needs.apps {
        scopes.push("ensemble:apps");
    }
    let mut meta = MetaObject::new();
    let schemes = json!([{"type": "oauth2", "scopes": scopes}]);
    meta.0.insert("securitySchemes".to_owned(), schemes);
    meta
}

/// A resource of a list.
pub(crate) fn resource(resource: &Resource) -> model::Resource {
    let mut shown = model::Resource::new(resource.uri.clone(), resource.name.clone());
    shown.title.clone_from(&resource.title);
    shown.description.clone_from(&resource.description);
    shown.mime_type.clone_from(&resource.mime_type);
    shown
}

/// A family of resources of a list.
pub(crate) fn template(template: &ResourceTemplate) -> model::ResourceTemplate {
    let mut shown =
        model::ResourceTemplate::new(template.uri_template.clone(), template.name.clone());
    shown.title.clone_from(&template.title);
    shown.description.clone_from(&template.description);
    shown.mime_type.clone_from(&template.mime_type);
    shown
}

/// The answer of a tool. `promised` says whether the tool has a schema for its structured content.
pub(crate) fn output(
    plugin: &PluginId,
    output: Output,
    promised: bool,
    version: Option<&ProtocolVersion>,
) -> CallToolResult {
    let Output {
        content,
        structured,
        is_error,
    } = output;
    let structured = match structured.as_deref().map(serde_json::from_str::<Value>) {
        None => None,
        Some(Ok(value)) => Some(value),
        Some(Err(_)) => {
            return failed(&format!(
                "The plugin {plugin} answered with structured content that is not JSON."
            ));
        }
    };
    if promised && structured.is_none() && !is_error {
        return failed(&format!(
            "The plugin {plugin} answered without the structured content that its tool promises."
        ));
    }
    let mut blocks: Vec<ContentBlock> = content
        .into_iter()
        .map(|block| self::block(block, version))
        .collect();
    if !matches!(blocks.first(), Some(ContentBlock::Text(_))) {
        let text = match &structured {
            Some(value) => value.to_string(),
            None => summary(&blocks),
        };
        blocks.insert(0, ContentBlock::text(text));
    }
    let mut result = CallToolResult::success(blocks);
    result.structured_content = structured;
    result.is_error = Some(is_error);
    result
}

/// Where `_meta` says whose an answer is that does not come from a plugin of this program.
const PLUGIN: &str = "com.ensemblework/plugin";

/// Puts the mark of an installed plugin before its answer, and its id beside it.
pub(crate) fn mark(result: &mut CallToolResult, plugin: &PluginId, mark: &str) {
    result.content.insert(0, ContentBlock::text(mark));
    let meta = result.meta.get_or_insert_default();
    meta.0.insert(PLUGIN.to_owned(), plugin.as_str().into());
}

/// Says beside what a resource of an installed plugin contains whose it is.
pub(crate) fn owned(mut contents: ResourceContents, plugin: &PluginId) -> ResourceContents {
    if let ResourceContents::TextResourceContents { meta, .. }
    | ResourceContents::BlobResourceContents { meta, .. } = &mut contents
    {
        let meta = meta.get_or_insert_default();
        meta.0.insert(PLUGIN.to_owned(), plugin.as_str().into());
    }
    contents
}

/// The answer of a call that did not succeed.
pub(crate) fn failed(sentence: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(sentence)])
}

/// What a resource contains.
pub(crate) fn contents(embedded: Embedded) -> ResourceContents {
    let Embedded {
        uri,
        mime_type,
        body,
        hints: _,
    } = embedded;
    match body {
        Body::Text(text) => ResourceContents::TextResourceContents {
            uri,
            mime_type,
            text,
            meta: None,
        },
        Body::Blob(data) => ResourceContents::BlobResourceContents {
            uri,
            mime_type,
            blob: STANDARD.encode(data),
            meta: None,
        },
    }
}

/// Who answers, in the results of the newer generation.
pub(crate) fn server_meta(name: &str, version: &str) -> MetaObject {
    let mut meta = MetaObject::new();
    meta.0.insert(
        "io.modelcontextprotocol/serverInfo".to_owned(),
        serde_json::json!({"name": name, "version": version}),
    );
    meta
}

pub(crate) fn block(block: Block, version: Option<&ProtocolVersion>) -> ContentBlock {
    match block {
        Block::Text(text) => {
            let mut shown = TextContent::new(text.text);
            shown.annotations = text.hints.map(annotations);
            ContentBlock::Text(shown)
        }
        Block::Image(Media {
            mime_type,
            data,
            hints,
        }) => {
            let mut shown = ImageContent::new(STANDARD.encode(data), mime_type);
            shown.annotations = hints.map(annotations);
            ContentBlock::Image(shown)
        }
        Block::Audio(media) => audio(media, version),
        Block::Link(link) => self::link(link, version),
        Block::Embedded(mut embedded) => {
            let hints = embedded.hints.take();
            let mut shown = model::EmbeddedResource::new(contents(embedded));
            shown.annotations = hints.map(annotations);
            ContentBlock::Resource(shown)
        }
    }
}

fn audio(media: Media, version: Option<&ProtocolVersion>) -> ContentBlock {
    if before(version, &ProtocolVersion::V_2025_03_26) {
        return ContentBlock::text(format!(
            "A sound ({}, {} bytes) that this client's protocol version cannot carry.",
            media.mime_type,
            media.data.len()
        ));
    }
    let mut shown = model::AudioContent::new(STANDARD.encode(media.data), media.mime_type);
    shown.annotations = media.hints.map(annotations);
    ContentBlock::Audio(shown)
}

fn link(link: Link, version: Option<&ProtocolVersion>) -> ContentBlock {
    if before(version, &ProtocolVersion::V_2025_06_18) {
        return ContentBlock::text(format!(
            "{}: {}",
            link.title.as_ref().unwrap_or(&link.name),
            link.uri
        ));
    }
    let mut shown = model::Resource::new(link.uri, link.name);
    shown.title = link.title;
    shown.mime_type = link.mime_type;
    shown.size = link.size;
    shown.annotations = link.hints.map(annotations);
    ContentBlock::ResourceLink(shown)
}

fn annotations(hints: Hints) -> model::Annotations {
    let role = |audience: Audience| match audience {
        Audience::User => Role::User,
        Audience::Assistant => Role::Assistant,
    };
    let mut shown = model::Annotations::default();
    if !hints.audience.is_empty() {
        shown.audience = Some(hints.audience.into_iter().map(role).collect());
    }
    // the type of rmcp has a range, and what is outside of it means the nearest that is inside
    shown.priority = hints.priority.map(|priority| priority.clamp(0.0, 1.0));
    shown.last_modified = hints.last_modified;
    shown
}

/// A text for an answer that has none in front: what follows, one line each.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "rmcp may add kinds of content; this server makes only these"
)]
fn summary(blocks: &[ContentBlock]) -> String {
    let line = |block: &ContentBlock| match block {
        ContentBlock::Image(image) => format!("An image ({}).", image.mime_type),
        ContentBlock::Audio(audio) => format!("A sound ({}).", audio.mime_type),
        ContentBlock::ResourceLink(link) => {
            let name = link.title.as_ref().unwrap_or(&link.name);
            format!("{name}: {}", link.uri)
        }
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::TextResourceContents { uri, .. }
            | ResourceContents::BlobResourceContents { uri, .. } => uri.clone(),
            _ => String::new(),
        },
        _ => String::new(),
    };
    let lines: Vec<String> = blocks
        .iter()
        .map(line)
        .filter(|line| !line.is_empty())
        .collect();
    if lines.is_empty() {
        return "The tool answered without content.".to_owned();
    }
    lines.join("\n")
}

/// Versions are dates, so their order is that of their text. A client that named none is taken as new.
fn before(version: Option<&ProtocolVersion>, wanted: &ProtocolVersion) -> bool {
    version.is_some_and(|version| version.as_str() < wanted.as_str())
}

#[cfg(test)]
#[expect(
    clippy::indexing_slicing,
    reason = "a test that reads past the end has failed"
)]
mod tests;
