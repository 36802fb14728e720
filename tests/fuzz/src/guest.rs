//! What a component hands to the host: any value of the contract. What a client gets of it is a result as MCP has it, or one sentence.

use serde_json::{Value, json};

use crate::stage::{is_last, spoken};

pub(crate) fn run(data: &[u8]) {
    let shape = crate::text(data);
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "shape", "arguments": {"shape": shape}}});
    let messages = spoken(true, call.to_string().as_bytes(), &[json!(1)]);
    let answers: Vec<&Value> = messages
        .iter()
        .filter(|message| message["id"] == 1)
        .collect();
    let [answer] = answers.as_slice() else {
        panic!("{} answers: {messages:?}", answers.len())
    };
    assert!(messages.iter().any(is_last));
    let result = answer
        .get("result")
        .unwrap_or_else(|| panic!("no result: {answer}"));
    let content = result["content"]
        .as_array()
        .unwrap_or_else(|| panic!("no content: {answer}"));
    content.iter().for_each(block);
    assert!(
        result.get("structuredContent").is_none_or(Value::is_object),
        "{result}"
    );
    let says = result["isError"] != true || !content.is_empty();
    assert!(says, "an error that says nothing: {result}");
}

/// One block, with what its type needs, and hints within their ranges.
fn block(block: &Value) {
    let text = |name: &str| block[name].is_string();
    let whole = match block["type"].as_str() {
        Some("text") => text("text"),
        Some("image" | "audio") => text("data") && text("mimeType"),
        Some("resource_link") => text("uri") && text("name"),
        Some("resource") => {
            let resource = &block["resource"];
            resource["uri"].is_string()
                && (resource["text"].is_string() != resource["blob"].is_string())
        }
        _ => false,
    };
    assert!(whole, "{block}");
    let priority = &block["annotations"]["priority"];
    assert!(
        priority.is_null()
            || priority
                .as_f64()
                .is_some_and(|at| (0.0..=1.0).contains(&at)),
        "{block}"
    );
}
