//! The editor's part: starts `ensemble mcp` and speaks lines of JSON-RPC to it over its standard input and output.

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::time::timeout;

use super::report::{Tool, text};
use super::stage::{KeyKind, Stage};

/// Every answer of the demo is there in milliseconds; the first one waits for a compiler.
const PATIENCE: Duration = Duration::from_secs(30);
const PROTOCOL: &str = "2025-11-25";

/// One running `ensemble mcp`; dropping it ends it.
pub(super) struct Editor {
    child: Child,
    to: ChildStdin,
    from: Lines<BufReader<ChildStdout>>,
    last: u64,
}

impl Editor {
    /// Starts it in the repository and greets it.
    pub(super) async fn start(stage: &Stage, key: KeyKind) -> anyhow::Result<Self> {
        let mut child = stage
            .program(key)?
            .arg("mcp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .kill_on_drop(true)
            .spawn()
            .context("`ensemble mcp` cannot be started")?;
        let to = child.stdin.take().context("no standard input")?;
        let from = child.stdout.take().context("no standard output")?;
        let mut editor = Self {
            child,
            to,
            from: BufReader::new(from).lines(),
            last: 0,
        };
        let hello = json!({
            "protocolVersion": PROTOCOL,
            "capabilities": {},
            "clientInfo": {"name": "ensemble-demo", "version": env!("CARGO_PKG_VERSION")},
        });
        editor.request("initialize", hello).await?;
        editor
            .send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .await?;
        Ok(editor)
    }

    /// The tools, as listed.
    pub(super) async fn tools(&mut self) -> anyhow::Result<Vec<Tool>> {
        let listed = self.request("tools/list", json!({})).await?;
        let tools = listed.get("tools").and_then(Value::as_array);
        let tools = tools.context("the bridge listed no tools")?;
        let of = |tool: &Value, field: &str| {
            tool.get(field)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        Ok(tools
            .iter()
            .map(|tool| Tool {
                name: of(tool, "name"),
                title: of(tool, "title"),
            })
            .collect())
    }

    /// Calls a tool that has to succeed.
    pub(super) async fn call(&mut self, tool: &str, arguments: Value) -> anyhow::Result<Value> {
        let result = self
            .request("tools/call", json!({"name": tool, "arguments": arguments}))
            .await?;
        let failed = result.get("isError").and_then(Value::as_bool) == Some(true);
        ensure!(!failed, "{tool} answered: {}", text(&result));
        Ok(result)
    }

    /// Calls a tool that has to be unknown; gives the protocol's error.
    pub(super) async fn refused(&mut self, tool: &str, arguments: Value) -> anyhow::Result<Value> {
        let params = json!({"name": tool, "arguments": arguments});
        let mut answer = self.exchange("tools/call", params).await?;
        match answer.get_mut("error") {
            Some(error) => Ok(error.take()),
            None => bail!("{tool} answered, although this key may only read"),
        }
    }

    /// Closes standard input, as an editor does, and waits for the end.
    pub(super) async fn end(self) -> anyhow::Result<()> {
        let Self {
            mut child,
            to,
            from,
            ..
        } = self;
        drop(to);
        drop(from);
        let status = timeout(PATIENCE, child.wait())
            .await
            .context("`ensemble mcp` did not end")??;
        ensure!(status.success(), "`ensemble mcp` ended with {status}");
        Ok(())
    }

    async fn request(&mut self, method: &str, params: Value) -> anyhow::Result<Value> {
        let mut answer = self.exchange(method, params).await?;
        if let Some(error) = answer.get("error") {
            let message = error.get("message").and_then(Value::as_str);
            bail!(
                "{method} answered: {}",
                message.unwrap_or("an error without a message")
            );
        }
        answer
            .get_mut("result")
            .map(Value::take)
            .with_context(|| format!("{method} was answered without a result"))
    }

    async fn exchange(&mut self, method: &str, params: Value) -> anyhow::Result<Value> {
        self.last += 1;
        let id = self.last;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .await?;
        let answer = timeout(PATIENCE, self.answer(id)).await;
        answer.with_context(|| format!("{method} was not answered in time"))?
    }

    async fn answer(&mut self, id: u64) -> anyhow::Result<Value> {
        loop {
            let line = self.from.next_line().await?;
            let line = line.context("`ensemble mcp` ended early")?;
            let message: Value = serde_json::from_str(&line)
                .context("`ensemble mcp` printed something that is not JSON")?;
            if message.get("id").and_then(Value::as_u64) == Some(id) {
                return Ok(message);
            }
        }
    }

    async fn send(&mut self, message: &Value) -> anyhow::Result<()> {
        let line = format!("{message}\n");
        self.to.write_all(line.as_bytes()).await?;
        self.to.flush().await?;
        Ok(())
    }
}
