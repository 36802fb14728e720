//! What a client sends: any bytes. Every line that comes back is JSON-RPC, no request is answered twice, and the request after them is
//! answered. With an odd first byte the client has introduced itself.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::stage::{is_last, spoken};

pub(crate) fn run(data: &[u8]) {
    let (greeted, bytes) = match data.split_first() {
        Some((first, rest)) => (first % 2 == 1, rest),
        None => (false, data),
    };
    // one that says these words itself is another conversation
    if bytes.windows(8).any(|word| word == b"the last") {
        return;
    }
    let messages = spoken(greeted, bytes, &[]);
    let mut answered = BTreeMap::new();
    for message in messages.iter().flat_map(|message| match message {
        Value::Array(batch) => batch.as_slice(),
        one => std::slice::from_ref(one),
    }) {
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        let is_answer = message.get("method").is_none();
        if !is_answer {
            assert!(message["method"].is_string(), "{message}");
            continue;
        }
        let (result, error) = (message.get("result"), message.get("error"));
        assert!(result.is_some() != error.is_some(), "{message}");
        if let Some(error) = error {
            assert!(
                error["code"].is_i64()
                    && error["message"]
                        .as_str()
                        .is_some_and(|says| !says.is_empty()),
                "{message}"
            );
        }
        if is_last(message) {
            *answered.entry("last").or_insert(0) += 1;
        }
    }
    assert_eq!(
        answered.get("last"),
        Some(&1),
        "the last request was not answered once: {messages:?}"
    );
}
