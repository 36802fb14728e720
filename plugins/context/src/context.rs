//! One record and what it links to. A packet is a text to read, so it is the answer's text; what came with it stays structured.

use ensemble_sdk::hub::{self, Query};
use ensemble_sdk::{Error, Output, Value, args, given, serde_json};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ask {
    item: String,
    kind: Option<String>,
    rel: Option<String>,
    offset: Option<u32>,
    limit: Option<u32>,
    after: Option<String>,
    format: Option<String>,
}

pub(crate) fn answer(arguments: Value) -> Result<Output, Error> {
    let ask: Ask = args(arguments)?;
    let packet = ask.format.as_deref() == Some("packet");
    let json = hub::get_text("/api/bridge/context", query(ask))?;
    if !packet {
        return Ok(Output::json_text(json));
    }
    let answer: Value = serde_json::from_str(&json).map_err(|_| unreadable())?;
    let text = answer["packet"].as_str().ok_or_else(unreadable)?;
    Ok(Output::text(text).with_structured(json))
}

fn query(ask: Ask) -> Query {
    // Clients that fill in every argument send offset 0 beside `after`: it says nothing.
    let after = given(ask.after);
    let offset = ask.offset.filter(|offset| *offset > 0);
    Query::none()
        .with("item", ask.item)
        .maybe("kind", given(ask.kind))
        .maybe("rel", given(ask.rel))
        .maybe("offset", offset)
        .maybe("limit", ask.limit)
        .maybe("after", after)
        .maybe("format", given(ask.format))
}

fn unreadable() -> Error {
    Error::Failed("Ensemble answered with something that cannot be read.".to_owned())
}

#[cfg(test)]
mod tests {
    use ensemble_sdk::json;

    use super::*;

    #[test]
    fn what_is_left_out_is_not_sent() {
        let ask =
            args(json!({ "item": "ensemble://task/1", "offset": 0, "kind": "", "rel": null }))
                .unwrap();
        assert_eq!(query(ask), Query::none().with("item", "ensemble://task/1"));
        let ask =
            args(json!({ "item": "1", "kind": "task", "rel": "owner", "offset": 6, "limit": 50 }))
                .unwrap();
        let sent = Query::none()
            .with("item", "1")
            .with("kind", "task")
            .with("rel", "owner")
            .with("offset", 6)
            .with("limit", 50);
        assert_eq!(query(ask), sent);
    }
}
