//! Lists of tools that lie, and answers that break what the list promised.

use ensemble_catalog::{Catalog, Entry};
use ensemble_model::Surface;
use serde_json::json;

use crate::attack::{Attack, How, Kit, attack};
use crate::guests::{Probe, Text};
use crate::stage::{Stage, entry, installed};

/// How the list lies, what is tried with it, and what has to come of it.
const LIES: [(&str, &str, &str); 8] = [
    ("twice", "two tools of one name", "could be taken for"),
    (
        "built-in",
        "a tool with the name of a built-in one",
        "could be taken for",
    ),
    (
        "case",
        "the name of a built-in tool in other letters",
        "could be taken for",
    ),
    (
        "confusable",
        "the name of a built-in tool with a letter that looks alike",
        "a name has letters, digits, _ and -",
    ),
    (
        "write",
        "a tool that deletes, in a plugin that reads",
        "named like a write in a plugin that only reads",
    ),
    ("large", "a schema of 10 MiB", "more than 8 MiB at once"),
    (
        "not-json",
        "a schema that is no JSON",
        "is not a JSON object",
    ),
    (
        "not-object",
        "a schema that is a list",
        "is not a JSON object",
    ),
];

/// The kit as it is in the catalog of the MCP server.
const PROMISING: &str = r#"{"tools": [
  {"name": "flood_stdout", "title": "Flood", "description": "Writes.",
   "inputSchema": {"type": "object", "properties": {"lines": {"type": "integer", "description": "How many."}}},
   "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}},
  {"name": "structured", "title": "Structured", "description": "Promises a number.",
   "inputSchema": {"type": "object", "properties": {"structured": {"type": "string", "description": "What it answers."}}},
   "outputSchema": {"type": "object", "properties": {"n": {"type": "integer", "description": "A number."}},
     "required": ["n"], "additionalProperties": false},
   "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}}
]}"#;

/// The attacks on the list.
pub(super) fn all() -> Vec<Attack> {
    let lies = LIES.into_iter().map(|(lie, name, expected)| {
        attack(
            &format!("a list of tools: {name}"),
            &[expected],
            How::Lie(lie),
        )
    });
    lies.collect()
}

/// The attacks on what a list promised.
pub(super) fn promises() -> Vec<Attack> {
    let answering = |name: &str, structured: serde_json::Value, expected: &'static str| {
        let how = How::Mcp(Probe::Structured, json!({ "structured": structured }));
        attack(name, &[expected, "1 answer on the stream"], how)
    };
    vec![
        answering(
            "nothing hostile: an answer that keeps its schema",
            json!(r#"{"n":1}"#),
            "answered: here",
        ),
        answering(
            "an answer that does not keep its schema",
            json!(r#"{"n":"one"}"#),
            "does not keep the schema",
        ),
        answering(
            "an answer with more than its schema has",
            json!(r#"{"n":1,"m":2}"#),
            "does not keep the schema",
        ),
        answering(
            "an answer whose structured part is no JSON",
            json!(r#"{"n":"#),
            "structured content that is not JSON",
        ),
        attack(
            "an answer without its structured part",
            &["without the structured content that its tool promises"],
            How::Mcp(Probe::Structured, json!({})),
        ),
    ]
}

/// The entry of the kit in the catalog of the MCP server.
pub(crate) fn promising() -> Result<Entry, String> {
    let surface = Surface::parse(PROMISING).map_err(|error| error.to_string())?;
    entry(Kit::Usual.id(), surface)
}

/// Has the kit list its tools, and offers them together with what is built in.
pub(crate) async fn listed(stage: &Stage, lie: &'static str) -> String {
    stage.inner.hub.lie(lie);
    let listed = surface(stage, Kit::Usual.id()).await;
    stage.inner.hub.lie("");
    let offered = listed.and_then(|surface| {
        let mut entries = stage.inner.host.built_in.clone();
        entries.push(entry("lying", surface)?);
        Catalog::new(entries).map_err(|error| error.to_string())
    });
    told(stage, offered.map(|_| ()))
}

/// Has a guest answer with a list that lies outside its memory.
pub(crate) async fn long(stage: &Stage, text: Text) -> String {
    let listed = surface(stage, &text.id()).await;
    told(stage, listed.map(|_| ()))
}

async fn surface(stage: &Stage, id: &str) -> Result<Surface, String> {
    let registry = &stage.inner.registry;
    let listed = async {
        let plugin = installed(registry, id)?;
        registry.load(&plugin.manifest.id).await?;
        let session = stage.session(plugin, "list").await?;
        registry.surface(&plugin.manifest.id, session).await
    };
    listed.await.map_err(|error| error.to_string())
}

fn told(stage: &Stage, offered: Result<(), String>) -> String {
    match offered {
        Ok(()) => "offered".to_owned(),
        Err(reason) => {
            stage.look("a refusal of a list", &reason);
            format!("refused: {reason}")
        }
    }
}
