//! The closed part of WASI: what Rust's standard library needs, answered without authority. No arguments, no environment,
//! no folders, standard input at its end; standard output and error become lines of the plugin's log.
//!
//! Files, sockets and HTTP are not here at all. Clocks and randomness are linked only for a plugin that declares them.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use ensemble_broker::Session;
use tokio::io::AsyncWrite;
use wasmtime_wasi::cli::{IsTerminal, StdoutStream, WasiCli, WasiCliView};
use wasmtime_wasi::clocks::{WasiClocks, WasiClocksView};
use wasmtime_wasi::p2::bindings::{cli, clocks, random};
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamResult};
use wasmtime_wasi::random::{WasiRandom, WasiRandomView};
use wasmtime_wasi::{HostWallClock, WasiCtx};

use crate::call::CallState;
use crate::events::Level;
use crate::imports::Link;
use crate::log::CallLog;

/// The most that a guest may write at once.
const CHUNK: usize = 8 << 10;

/// A line without an end is passed on after so many bytes.
const MAX_OPEN_LINE: usize = 4 << 10;

/// What every guest has: the closed part.
pub(crate) const ALWAYS: &[Link] = &[
    Link {
        names: &["wasi:io/poll", "wasi:io/error", "wasi:io/streams"],
        add: wasmtime_wasi_io::add_to_linker_async,
    },
    Link {
        names: &["wasi:cli/environment"],
        add: |l| cli::environment::add_to_linker::<_, WasiCli>(l, CallState::cli),
    },
    Link {
        names: &["wasi:cli/exit"],
        add: |l| cli::exit::add_to_linker::<_, WasiCli>(l, CallState::cli),
    },
    Link {
        names: &["wasi:cli/stdin"],
        add: |l| cli::stdin::add_to_linker::<_, WasiCli>(l, CallState::cli),
    },
    Link {
        names: &["wasi:cli/stdout"],
        add: |l| cli::stdout::add_to_linker::<_, WasiCli>(l, CallState::cli),
    },
    Link {
        names: &["wasi:cli/stderr"],
        add: |l| cli::stderr::add_to_linker::<_, WasiCli>(l, CallState::cli),
    },
    Link {
        names: &["wasi:cli/terminal-input"],
        add: |l| cli::terminal_input::add_to_linker::<_, WasiCli>(l, CallState::cli),
    },
    Link {
        names: &["wasi:cli/terminal-output"],
        add: |l| cli::terminal_output::add_to_linker::<_, WasiCli>(l, CallState::cli),
    },
    Link {
        names: &["wasi:cli/terminal-stdin"],
        add: |l| cli::terminal_stdin::add_to_linker::<_, WasiCli>(l, CallState::cli),
    },
    Link {
        names: &["wasi:cli/terminal-stdout"],
        add: |l| cli::terminal_stdout::add_to_linker::<_, WasiCli>(l, CallState::cli),
    },
    Link {
        names: &["wasi:cli/terminal-stderr"],
        add: |l| cli::terminal_stderr::add_to_linker::<_, WasiCli>(l, CallState::cli),
    },
];

/// What a guest has whose manifest declares it.
pub(crate) const DECLARED: &[Link] = &[
    Link {
        names: &["wasi:clocks/monotonic-clock"],
        add: |l| clocks::monotonic_clock::add_to_linker::<_, WasiClocks>(l, CallState::clocks),
    },
    Link {
        names: &["wasi:clocks/wall-clock"],
        add: |l| clocks::wall_clock::add_to_linker::<_, WasiClocks>(l, CallState::clocks),
    },
    Link {
        names: &["wasi:random/random"],
        add: |l| random::random::add_to_linker::<_, WasiRandom>(l, CallState::random),
    },
    Link {
        names: &["wasi:random/insecure"],
        add: |l| random::insecure::add_to_linker::<_, WasiRandom>(l, CallState::random),
    },
    Link {
        names: &["wasi:random/insecure-seed"],
        add: |l| random::insecure_seed::add_to_linker::<_, WasiRandom>(l, CallState::random),
    },
];

/// A context that holds nothing of the host. Standard input is empty unless a builder is told otherwise.
pub(crate) fn context(log: &CallLog, session: &Arc<Session>) -> WasiCtx {
    WasiCtx::builder()
        .stdout(Said::new(log, Level::Info))
        .stderr(Said::new(log, Level::Warning))
        .wall_clock(SessionClock(Arc::clone(session)))
        .build()
}

/// The wall clock of the session, which is the host's.
struct SessionClock(Arc<Session>);

impl HostWallClock for SessionClock {
    fn resolution(&self) -> Duration {
        Duration::from_millis(1)
    }

    fn now(&self) -> Duration {
        let (now, _) = self.0.now();
        Duration::try_from(now.as_duration()).unwrap_or_default()
    }
}

/// What a guest writes to one of its streams, as lines of the log. Each stream of the same kind has its own open line.
struct Said {
    log: CallLog,
    level: Level,
}

impl Said {
    fn new(log: &CallLog, level: Level) -> Self {
        Self {
            log: log.clone(),
            level,
        }
    }

    fn lines(&self) -> Lines {
        Lines {
            log: self.log.clone(),
            level: self.level,
            open: Vec::new(),
        }
    }
}

impl IsTerminal for Said {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for Said {
    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(self.lines())
    }

    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.lines())
    }
}

struct Lines {
    log: CallLog,
    level: Level,
    open: Vec<u8>,
}

impl Lines {
    fn take(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.open.extend_from_slice(part);
            if part.ends_with(b"\n") || self.open.len() >= MAX_OPEN_LINE {
                self.close();
            }
        }
    }

    fn close(&mut self) {
        let line = std::mem::take(&mut self.open);
        self.log.line(self.level, &String::from_utf8_lossy(&line));
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        if !self.open.is_empty() {
            self.close();
        }
    }
}

impl OutputStream for Lines {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.take(&bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    /// Always: what is over the budget is dropped, and a guest that says too much need not fail for it.
    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(CHUNK)
    }
}

#[wasmtime_wasi::async_trait]
impl Pollable for Lines {
    async fn ready(&mut self) {}
}

impl AsyncWrite for Lines {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        self.get_mut().take(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
