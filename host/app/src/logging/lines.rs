//! Lines on their way to standard error. Nothing that is logged may hold up or end the program: lines go through a bounded queue to
//! a thread of their own, a line that finds the queue full is dropped, and a standard error that is closed or full is nobody's
//! failure.

use std::io::{self, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use ensemble_model::Secret;
use tracing_subscriber::fmt::MakeWriter;

/// Lines that wait to be written.
const QUEUE: usize = 1_024;

/// How long the end of the program waits for the last lines.
const LAST: Duration = Duration::from_millis(200);

enum Message {
    Line(Vec<u8>),
    /// Answered when everything before it was written.
    Flush(SyncSender<()>),
}

/// What no line may hold, and whether one did.
static WATCHED: OnceLock<(Secret, AtomicBool)> = OnceLock::new();

/// From now on each line is looked through for this. Only the first one is.
pub(super) fn watch(secret: Secret) {
    WATCHED.get_or_init(|| (secret, AtomicBool::new(false)));
}

/// Whether a line held what is watched for.
pub(super) fn held_it() -> bool {
    let watched = WATCHED.get();
    watched.is_some_and(|(_, held)| held.load(Ordering::Acquire))
}

fn look(line: &[u8]) {
    if let Some((secret, held)) = WATCHED.get()
        && String::from_utf8_lossy(line).contains(secret.expose())
    {
        held.store(true, Ordering::Release);
    }
}

/// Where the log writes to.
#[derive(Debug, Clone)]
pub(super) struct Lines(SyncSender<Message>);

impl Lines {
    /// Starts the thread that writes.
    pub(super) fn start() -> Self {
        let (sender, receiver) = sync_channel(QUEUE);
        let thread = std::thread::Builder::new().name("log".to_owned());
        if thread.spawn(move || write_all(&receiver)).is_err() {
            // without the thread every line is dropped, which is all that can be done
        }
        Self(sender)
    }

    /// Waits briefly for what was logged so far.
    pub(super) fn flush(&self) {
        let (done, written) = sync_channel(1);
        if self.0.try_send(Message::Flush(done)).is_ok() {
            // in time or not, the program ends
            if written.recv_timeout(LAST).is_err() {}
        }
    }
}

fn write_all(receiver: &Receiver<Message>) {
    while let Ok(message) = receiver.recv() {
        match message {
            // a closed standard error is nobody's failure
            Message::Line(line) => drop(io::stderr().write_all(&line)),
            Message::Flush(done) => drop(done.try_send(())),
        }
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Line;

    fn make_writer(&'a self) -> Line {
        Line {
            to: self.0.clone(),
            text: Vec::new(),
        }
    }
}

/// One line that is being put together; it is sent when it is dropped.
#[derive(Debug)]
pub(super) struct Line {
    to: SyncSender<Message>,
    text: Vec<u8>,
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if !self.text.is_empty() {
            look(&self.text);
            drop(
                self.to
                    .try_send(Message::Line(std::mem::take(&mut self.text))),
            );
        }
    }
}

impl std::fmt::Debug for Message {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Message")
    }
}
