//! Answers with whatever content, structure and questions its argument describes: every value that the contract lets a component hand to
//! the host can be made here. What the argument does not say is empty.

use ensemble_sdk::{
    Audience, Block, Body, Embedded, Error, Hints, Link, Media, Output, Presentation, ShownFile,
    Text, Tool, Tools, Value,
};

struct Shape;

impl Tools for Shape {
    fn tools() -> Vec<Tool> {
        vec![Tool::read("shape", "Shape", "Answers in that shape.")]
    }

    fn call(_: &str, arguments: Value) -> Result<Output, Error> {
        // the host has checked the arguments against a schema; what is inside this text nobody has looked at
        let told = arguments["shape"].as_str().unwrap_or_default();
        let told: Value = ensemble_sdk::serde_json::from_str(told).unwrap_or(Value::Null);
        if let Some(fault) = told["fault"].as_str() {
            return Err(fault_of(fault, text(&told["says"])));
        }
        let blocks = told["blocks"].as_array();
        Ok(Output {
            content: blocks.into_iter().flatten().map(block).collect(),
            structured: told["structured"].as_str().map(str::to_owned),
            is_error: told["error"] == true,
        })
    }
}

fn fault_of(kind: &str, says: String) -> Error {
    match kind {
        "denied" => Error::Denied(
            ensemble_sdk::bindings::imports::ensemble::types::types::Denial {
                wanted: says.clone(),
                missing: says,
            },
        ),
        "invalid" => Error::Invalid(says),
        "conflict" => Error::Conflict(says),
        "not-found" => Error::NotFound(says),
        _ => Error::Failed(says),
    }
}

fn block(told: &Value) -> Block {
    let hints = hints(&told["hints"]);
    match told["kind"].as_str().unwrap_or_default() {
        "image" => Block::Image(media(told, hints)),
        "audio" => Block::Audio(media(told, hints)),
        "link" => Block::Link(Link {
            uri: text(&told["uri"]),
            name: text(&told["name"]),
            title: told["title"].as_str().map(str::to_owned),
            mime_type: told["mime"].as_str().map(str::to_owned),
            size: told["size"].as_u64(),
            hints,
        }),
        "embedded" => Block::Embedded(Embedded {
            uri: text(&told["uri"]),
            mime_type: told["mime"].as_str().map(str::to_owned),
            body: match (told["blob"].as_str(), told["file"].as_str()) {
                (Some(blob), _) => Body::Blob(blob.bytes().collect()),
                (_, Some(file)) => Body::File(file.to_owned()),
                _ => Body::Text(text(&told["text"])),
            },
            hints,
        }),
        "file" => Block::File(ShownFile {
            handle: text(&told["file"]),
            presentation: match told["as"].as_str().unwrap_or_default() {
                "image" => Presentation::Image,
                "text" => Presentation::Text,
                _ => Presentation::Embedded,
            },
            mime_type: text(&told["mime"]),
        }),
        _ => Block::Text(Text {
            text: text(&told["text"]),
            hints,
        }),
    }
}

fn media(told: &Value, hints: Option<Hints>) -> Media {
    Media {
        mime_type: text(&told["mime"]),
        data: text(&told["data"]).into_bytes(),
        hints,
    }
}

fn hints(told: &Value) -> Option<Hints> {
    let told = told.as_object()?;
    let of = |name: &str| told.get(name);
    let audience = of("audience").and_then(Value::as_array);
    let audience = audience
        .into_iter()
        .flatten()
        .map(|who| match who.as_str() {
            Some("user") => Audience::User,
            _ => Audience::Assistant,
        });
    #[expect(
        clippy::cast_possible_truncation,
        reason = "any number will do, also none"
    )]
    let priority = of("priority")
        .and_then(Value::as_f64)
        .map(|number| number as f32);
    Some(Hints {
        audience: audience.collect(),
        priority,
        last_modified: None,
    })
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

ensemble_sdk::export!(Shape: tools);
