//! A client of the MCP server over a pipe in memory: one call, and how many lines came for it.

use std::time::Duration;

use ensemble_mcp::{Bridge, serve};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio_util::sync::CancellationToken;

/// What a line may take before the server counts as silent.
const PATIENCE: Duration = Duration::from_secs(30);

/// Bytes that the pipe holds.
const PIPE: usize = 64 << 10;

/// Calls a tool as an editor does, asks for a ping after it, and says what stood on the stream in between, in one phrase.
pub(crate) async fn call(bridge: Bridge, tool: &str, arguments: &Value) -> String {
    let (ours, theirs) = tokio::io::duplex(PIPE);
    let (reader, writer) = tokio::io::split(theirs);
    let end = CancellationToken::new();
    let serving = tokio::spawn(serve(bridge, reader, writer, end.clone()));
    let spoken = tokio::time::timeout(PATIENCE, speak(ours, tool, arguments)).await;
    end.cancel();
    let served = serving.await;
    match (spoken, served) {
        (Ok(Ok(phrase)), Ok(Ok(()))) => phrase,
        (Ok(Err(error)), _) => format!("the stream broke: {error}"),
        (Err(_), _) => "the server is silent".to_owned(),
        (_, broken) => format!("the server broke: {broken:?}"),
    }
}

async fn speak(
    pipe: tokio::io::DuplexStream,
    tool: &str,
    arguments: &Value,
) -> std::io::Result<String> {
    let (reader, mut to) = tokio::io::split(pipe);
    let mut from = BufReader::new(reader).lines();
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "self-test", "version": "1"}});
    let messages = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}),
    ];
    for message in messages {
        to.write_all(format!("{message}\n").as_bytes()).await?;
    }
    let (mut lines, mut answer) = (0_usize, Value::Null);
    while let Some(line) = from.next_line().await? {
        let Ok(message) = serde_json::from_str::<Value>(&line) else {
            return Ok("a line that is no message stood on the stream".to_owned());
        };
        match message.get("id").and_then(Value::as_u64) {
            Some(2) => {
                lines += 1;
                answer = message;
                to.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}\n")
                    .await?;
            }
            // the ping's: everything that stood before it was read
            Some(3) => break,
            _ => {}
        }
    }
    Ok(format!("{}; {lines} answer on the stream", told(&answer)))
}

fn told(answer: &Value) -> String {
    let result = answer.get("result");
    let text = result.and_then(|result| result.pointer("/content/0/text"));
    let text = text.and_then(Value::as_str).unwrap_or_default();
    let refused = result.and_then(|result| result.get("isError")) != Some(&Value::Bool(false));
    if refused {
        format!("refused: {}", crate::stage::phrase(text))
    } else {
        format!("answered: {}", crate::stage::phrase(text))
    }
}
