//! From bytes to lines and back. A line is one message; the newline ends it and nothing else does.
//!
//! | on the way in | what becomes of it |
//! |---|---|
//! | a byte order mark, blanks around a message, CR before LF, blank lines | skipped |
//! | a line over [`MAX_LINE`] | [`Line::TooLong`] once; the rest of it is thrown away as it arrives |
//! | bytes after the last newline at the end of the stream | a line like the others |
//!
//! On the way out every message is one line that ends in LF. A write that fails ends the connection.

mod exchange;
mod reply;
mod surrogates;
mod transport;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

pub(crate) use transport::{Hooks, LineTransport};

/// The longest message: a file of the size that a plugin takes in, as base64, and as much around it as any other call has.
pub(crate) const MAX_LINE: usize = ensemble_model::limits::MAX_UPLOAD_BASE64 + (4 << 20);

/// How much is read at once: a pipe holds 64 KiB.
const READ: usize = 64 << 10;

/// After a message longer than this its buffer is given back.
const KEEP: usize = 1 << 20;

/// What the stream gave.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line<'a> {
    /// A line with something on it, without the blanks around it.
    Text(&'a [u8]),
    /// A line that was not kept.
    TooLong,
    /// Nothing more comes.
    End,
}

/// Reads lines. Every method may be dropped and called again: what was read stays.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    source: BufReader<R>,
    line: Vec<u8>,
    limit: usize,
    /// The line in `line` was handed out and is cleared by the next call.
    given: bool,
    /// Inside a line that was too long.
    discarding: bool,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(crate) fn new(source: R, limit: usize) -> Self {
        Self {
            source: BufReader::with_capacity(READ, source),
            line: Vec::new(),
            limit,
            given: false,
            discarding: false,
        }
    }

    /// The next line that is not blank. A stream that cannot be read has ended.
    pub(crate) async fn next(&mut self) -> Line<'_> {
        loop {
            self.forget();
            match self.fill().await {
                Filled::Line => {
                    self.given = true;
                    if !trimmed(&self.line).is_empty() {
                        break;
                    }
                }
                Filled::TooLong => return Line::TooLong,
                Filled::End => return Line::End,
            }
        }
        Line::Text(trimmed(&self.line))
    }

    fn forget(&mut self) {
        if self.given {
            self.line.clear();
            if self.line.capacity() > KEEP {
                self.line = Vec::new();
            }
            self.given = false;
        }
    }

    async fn fill(&mut self) -> Filled {
        loop {
            let Ok(available) = self.source.fill_buf().await else {
                return Filled::End;
            };
            if available.is_empty() {
                let rest = !self.line.is_empty() && !self.discarding;
                return if rest { Filled::Line } else { Filled::End };
            }
            let newline = available.iter().position(|byte| *byte == b'\n');
            let (part, _) = available.split_at(newline.unwrap_or(available.len()));
            let taken = part.len() + usize::from(newline.is_some());
            let mut over = false;
            if !self.discarding {
                over = self.line.len() + part.len() > self.limit;
                if over {
                    self.line = Vec::new();
                } else {
                    self.line.extend_from_slice(part);
                }
            }
            // nothing is awaited between the copy and this: a dropped call loses no byte
            self.source.consume(taken);
            if over {
                self.discarding = newline.is_none();
                return Filled::TooLong;
            }
            if newline.is_some() && !std::mem::take(&mut self.discarding) {
                return Filled::Line;
            }
        }
    }
}

enum Filled {
    Line,
    TooLong,
    End,
}

fn trimmed(line: &[u8]) -> &[u8] {
    let line = line.trim_ascii();
    line.strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(line)
        .trim_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(bytes: &[u8], limit: usize) -> Vec<String> {
        let mut lines = Lines::new(bytes, limit);
        let mut all = Vec::new();
        loop {
            match lines.next().await {
                Line::Text(text) => all.push(String::from_utf8_lossy(text).into_owned()),
                Line::TooLong => all.push("too long".to_owned()),
                Line::End => return all,
            }
        }
    }

    #[tokio::test]
    async fn marks_blanks_and_carriage_returns_are_skipped() {
        let bytes = b"\xEF\xBB\xBF{1}\r\n\r\n \t \n  {2}  \n{3}";
        assert_eq!(read(bytes, 100).await, ["{1}", "{2}", "{3}"]);
    }

    #[tokio::test]
    async fn a_long_line_is_named_once_and_the_next_one_works() {
        let mut bytes = vec![b'x'; 3 * READ];
        bytes.extend_from_slice(b"\nshort\n");
        bytes.extend_from_slice(&[b'y'; 11]);
        bytes.extend_from_slice(b"\n1234567890");
        assert_eq!(
            read(&bytes, 10).await,
            ["too long", "short", "too long", "1234567890"]
        );
        assert_eq!(read(&[b'x'; 11], 10).await, ["too long"]);
    }

    #[tokio::test]
    async fn a_dropped_read_loses_nothing() {
        use tokio::io::AsyncWriteExt as _;
        let (mut client, server) = tokio::io::duplex(64);
        let mut lines = Lines::new(server, 100);
        client.write_all(b"{\"a\":").await.unwrap();
        tokio::select! {
            biased;
            _ = lines.next() => panic!("half a line is no line"),
            () = tokio::task::yield_now() => {}
        }
        client.write_all(b"1}\n").await.unwrap();
        assert_eq!(lines.next().await, Line::Text(b"{\"a\":1}"));
    }
}
