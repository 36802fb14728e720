//! A client that adds nothing of its own to what is measured: lines of JSON over two pipes.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context as _, bail, ensure};
use serde_json::{Value, json};

/// A running server. Dropping it closes its input and waits for its end.
pub(crate) struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: u64,
}

impl Server {
    /// Starts a server and introduces itself.
    pub(crate) fn start(mut command: Command) -> anyhow::Result<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("the server cannot be started")?;
        let output = BufReader::new(child.stdout.take().context("no output")?);
        let mut server = Self {
            input: child.stdin.take(),
            child,
            output,
            next: 0,
        };
        server.request(
            "initialize",
            &json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}),
        )?;
        server.notify("notifications/initialized", &json!({}))?;
        Ok(server)
    }

    /// Calls once, so that everything is loaded.
    pub(crate) fn warm(mut self, tool: &str, arguments: &Value) -> anyhow::Result<Self> {
        self.request("tools/list", &json!({}))?;
        self.answer(tool, arguments)?;
        Ok(self)
    }

    /// The text of one answer.
    pub(crate) fn answer(&mut self, tool: &str, arguments: &Value) -> anyhow::Result<String> {
        let result = self.request("tools/call", &json!({"name": tool, "arguments": arguments}))?;
        ensure!(
            result.get("isError") != Some(&Value::Bool(true)),
            "{tool} failed: {result}"
        );
        let text = result
            .pointer("/content/0/text")
            .and_then(Value::as_str)
            .context("no text")?;
        Ok(text.to_owned())
    }

    /// One request and its answer.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> anyhow::Result<Value> {
        let id = self.send(method, params)?;
        loop {
            let (answered, result) = self.receive()?;
            if answered == id {
                return Ok(result);
            }
        }
    }

    /// Sends a request and gives its id.
    pub(crate) fn send(&mut self, method: &str, params: &Value) -> anyhow::Result<u64> {
        self.next += 1;
        let id = self.next;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        Ok(id)
    }

    /// The next answer, whichever it is.
    pub(crate) fn receive(&mut self) -> anyhow::Result<(u64, Value)> {
        match self.next_answer()? {
            (id, Ok(result)) => Ok((id, result)),
            (_, Err(error)) => bail!("the server answered {error}"),
        }
    }

    /// The next answer, whichever it is: its result, or its error.
    pub(crate) fn next_answer(&mut self) -> anyhow::Result<(u64, Result<Value, Value>)> {
        let mut line = String::new();
        loop {
            line.clear();
            ensure!(self.output.read_line(&mut line)? > 0, "the server ended");
            let mut message: Value = serde_json::from_str(&line)?;
            let Some(id) = message.get("id").and_then(Value::as_u64) else {
                continue;
            };
            if let Some(result) = message.get_mut("result") {
                return Ok((id, Ok(result.take())));
            }
            if let Some(error) = message.get_mut("error") {
                return Ok((id, Err(error.take())));
            }
        }
    }

    /// Sends what has no answer.
    pub(crate) fn notify(&mut self, method: &str, params: &Value) -> anyhow::Result<()> {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    /// Its process id.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    fn write(&mut self, message: &Value) -> anyhow::Result<()> {
        let mut line = message.to_string();
        line.push('\n');
        self.input
            .as_mut()
            .context("the input is closed")?
            .write_all(line.as_bytes())?;
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.input = None;
        if self.child.wait().is_err() {
            // it is gone, which is what was wanted
        }
    }
}
