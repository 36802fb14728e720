//! The lines as rmcp's transport. Reading never waits for writing, until so much is unwritten that the client can only
//! have stopped reading: then it has to read before it is heard again. A failed write ends the connection, and so does the
//! end of the input.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex as StdMutex, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, ServerJsonRpcMessage, ServerResult};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::{Mutex, Notify, mpsc};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::exchange::{Exchange, Outgoing};
use super::{Line, Lines, MAX_LINE, reply};

/// Messages that may wait to be written before nothing more is read.
const MAX_UNWRITTEN: usize = 1024;

/// The same in bytes: sixteen of the largest answers.
const MAX_UNWRITTEN_BYTES: usize = 64 << 20;

/// Replies to bad lines that may wait; then reading waits for them.
const MAX_REPLIES: usize = 256;

/// What the connection wants to know.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hooks {
    /// Cancelled when the input has ended or the output is closed.
    pub(crate) ended: CancellationToken,
    /// Told after each written list of tools.
    pub(crate) list_written: Arc<Notify>,
}

/// One connection.
pub(crate) struct LineTransport<R, W> {
    lines: Lines<R>,
    ready: VecDeque<ClientJsonRpcMessage>,
    exchange: Arc<StdMutex<Exchange>>,
    output: Arc<Output<W>>,
    replies: Option<mpsc::Sender<Vec<u8>>>,
    writer: JoinHandle<()>,
    hooks: Hooks,
}

struct Output<W> {
    sink: Mutex<Option<W>>,
    unwritten: AtomicUsize,
    unwritten_bytes: AtomicUsize,
    /// Something was written, or `initialize` was answered.
    moved: Notify,
    ended: CancellationToken,
}

impl<R, W> LineTransport<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(crate) fn new(reader: R, writer: W, hooks: Hooks) -> Self {
        let output = Arc::new(Output {
            sink: Mutex::new(Some(writer)),
            unwritten: AtomicUsize::new(0),
            unwritten_bytes: AtomicUsize::new(0),
            moved: Notify::new(),
            ended: hooks.ended.clone(),
        });
        let (replies, mut waiting) = mpsc::channel::<Vec<u8>>(MAX_REPLIES);
        let sink = Arc::clone(&output);
        let writer = tokio::spawn(async move {
            while let Some(line) = waiting.recv().await {
                if sink.write(&line).await.is_err() {
                    return;
                }
            }
        });
        Self {
            lines: Lines::new(reader, MAX_LINE),
            ready: VecDeque::new(),
            exchange: Arc::default(),
            output,
            replies: Some(replies),
            writer,
            hooks,
        }
    }

    /// Reads lines until there is a message. Dropping it loses none: a line is read whole or not at all, and what follows
    /// from it happens without waiting.
    async fn read(&mut self) -> Result<Infallible, Stop> {
        loop {
            if !self.ready.is_empty() {
                return Err(Stop::Message);
            }
            until_room(&self.output, &self.exchange).await;
            let Some(replies) = &self.replies else {
                return Err(Stop::End);
            };
            let Ok(permit) = replies.reserve().await else {
                return Err(Stop::End);
            };
            let mut answer = Vec::new();
            match self.lines.next().await {
                Line::Text(line) => {
                    let taken = locked(&self.exchange).take(line);
                    self.ready.extend(taken.deliver);
                    for reply in &taken.replies {
                        push_line(&mut answer, reply);
                    }
                }
                Line::TooLong => push_line(&mut answer, &reply::too_long()),
                Line::End => return Err(Stop::End),
            }
            if !answer.is_empty() {
                permit.send(answer);
            }
        }
    }
}

/// Waits until so little is unwritten that more may be read, and until `initialize` is answered.
async fn until_room<W>(output: &Output<W>, exchange: &StdMutex<Exchange>)
where
    W: AsyncWrite + Send + Unpin,
{
    loop {
        let moved = output.moved.notified();
        if !output.is_full() && !locked(exchange).waits() {
            return;
        }
        moved.await;
    }
}

enum Stop {
    Message,
    End,
}

impl<R, W> Transport<RoleServer> for LineTransport<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let outgoing = locked(&self.exchange).answered(&item);
        let output = Arc::clone(&self.output);
        let hooks = self.hooks.clone();
        // `initialize` may just have been answered
        output.moved.notify_waiters();
        output.unwritten.fetch_add(1, Ordering::Relaxed);
        let counted = Counted(Arc::clone(&output));
        async move {
            let _counted = counted;
            let mut line = Vec::new();
            match outgoing {
                Outgoing::Alone => serde_json::to_writer(&mut line, &item)?,
                Outgoing::Batch(answers) => serde_json::to_writer(&mut line, &answers)?,
                Outgoing::Held => return Ok(()),
            }
            line.push(b'\n');
            output.write(&line).await?;
            if is_tool_list(&item) {
                hooks.list_written.notify_one();
            }
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        let ended = self.hooks.ended.clone();
        let stop = tokio::select! {
            biased;
            () = ended.cancelled() => Stop::End,
            stop = self.read() => match stop { Err(stop) => stop },
        };
        match stop {
            Stop::Message => self.ready.pop_front(),
            Stop::End => {
                self.hooks.ended.cancel();
                None
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.replies = None;
        // what was answered to bad lines is still written
        let _joined = (&mut self.writer).await;
        if let Some(mut sink) = self.output.sink.lock().await.take() {
            sink.shutdown().await?;
        }
        Ok(())
    }
}

impl<R, W> Drop for LineTransport<R, W> {
    fn drop(&mut self) {
        self.writer.abort();
    }
}

impl<W: AsyncWrite + Send + Unpin> Output<W> {
    async fn write(&self, line: &[u8]) -> io::Result<()> {
        self.unwritten_bytes
            .fetch_add(line.len(), Ordering::Relaxed);
        let written = self.write_now(line).await;
        self.unwritten_bytes
            .fetch_sub(line.len(), Ordering::Relaxed);
        self.moved.notify_waiters();
        written
    }

    async fn write_now(&self, line: &[u8]) -> io::Result<()> {
        let mut sink = self.sink.lock().await;
        let Some(open) = sink.as_mut() else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let mut written = open.write_all(line).await;
        if written.is_ok() {
            written = open.flush().await;
        }
        if written.is_err() {
            // a client that no longer reads has gone; half a line must not be followed by another
            *sink = None;
            self.ended.cancel();
        }
        written
    }

    fn is_full(&self) -> bool {
        self.unwritten.load(Ordering::Relaxed) >= MAX_UNWRITTEN
            || self.unwritten_bytes.load(Ordering::Relaxed) >= MAX_UNWRITTEN_BYTES
    }
}

/// One message that waits to be written.
struct Counted<W>(Arc<Output<W>>);

impl<W> Drop for Counted<W> {
    fn drop(&mut self) {
        self.0.unwritten.fetch_sub(1, Ordering::Relaxed);
        self.0.moved.notify_waiters();
    }
}

fn push_line(line: &mut Vec<u8>, reply: &Value) {
    line.extend_from_slice(reply.to_string().as_bytes());
    line.push(b'\n');
}

fn is_tool_list(message: &ServerJsonRpcMessage) -> bool {
    matches!(message, JsonRpcMessage::Response(r) if matches!(r.result, ServerResult::ListToolsResult(_)))
}

fn locked(exchange: &StdMutex<Exchange>) -> std::sync::MutexGuard<'_, Exchange> {
    exchange.lock().unwrap_or_else(PoisonError::into_inner)
}
