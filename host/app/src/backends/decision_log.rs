//! The decision log: JSON lines in `decisions.jsonl`, appended by a thread of its own, so that no call waits for a disk.
//!
//! Every write is whole lines in append mode, so that several processes can share the file. What cannot be written is
//! said once on the log of the process, and never fails a call.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

use ensemble_broker::{Decision, DecisionSink};

use super::private_file;

/// Lines that may wait for the disk. A call writes a handful; a thousand parallel calls still fit.
const WAITING: usize = 8_192;
/// One write holds at most about this much.
const BATCH_BYTES: usize = 64 << 10;
/// A file that is larger when a process opens it is set aside as `decisions.1.jsonl`: a year of daily use.
const TURN_BYTES: u64 = 64 << 20;

/// The sink; dropping it writes what still waits.
#[derive(Debug)]
pub(crate) struct DecisionLog {
    queue: Mutex<Option<SyncSender<String>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
    lost: AtomicU64,
}

impl DecisionLog {
    /// Appends to this file. Nothing is opened before the first line.
    pub(crate) fn to(path: PathBuf) -> Self {
        let (queue, lines) = sync_channel(WAITING);
        let writer = std::thread::Builder::new()
            .name("decision-log".to_owned())
            .spawn(move || write_lines(&path, &lines));
        match writer {
            Ok(writer) => Self {
                queue: Mutex::new(Some(queue)),
                writer: Mutex::new(Some(writer)),
                lost: AtomicU64::new(0),
            },
            Err(error) => {
                tracing::warn!(%error, "the decision log is off: no thread for it");
                Self::off()
            }
        }
    }

    /// Writes nowhere: there is no folder for it.
    pub(crate) fn off() -> Self {
        Self {
            queue: Mutex::new(None),
            writer: Mutex::new(None),
            lost: AtomicU64::new(0),
        }
    }

    /// Writes what waits and ends the thread. Later lines go nowhere.
    pub(crate) fn close(&self) {
        let queue = self.queue.lock().ok().and_then(|mut queue| queue.take());
        drop(queue);
        let writer = self.writer.lock().ok().and_then(|mut writer| writer.take());
        if let Some(writer) = writer
            && writer.join().is_err()
        {
            tracing::warn!("the decision log ended early");
        }
        let lost = self.lost.swap(0, Ordering::Relaxed);
        if lost > 0 {
            tracing::warn!(
                lost,
                "lines of the decision log were lost: the disk is too slow"
            );
        }
    }
}

impl DecisionSink for DecisionLog {
    fn record(&self, decision: &Decision) {
        let Ok(mut line) = serde_json::to_string(decision) else {
            return;
        };
        line.push('\n');
        let Ok(queue) = self.queue.lock() else {
            return;
        };
        let Some(queue) = queue.as_ref() else {
            return;
        };
        if let Err(TrySendError::Full(_)) = queue.try_send(line) {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Drop for DecisionLog {
    fn drop(&mut self) {
        self.close();
    }
}

fn write_lines(path: &Path, lines: &Receiver<String>) {
    let mut file: Option<File> = None;
    let mut said = false;
    while let Ok(mut batch) = lines.recv() {
        while batch.len() < BATCH_BYTES
            && let Ok(line) = lines.try_recv()
        {
            batch.push_str(&line);
        }
        let written = match &mut file {
            Some(file) => file.write_all(batch.as_bytes()),
            None => open(path).and_then(|opened| file.insert(opened).write_all(batch.as_bytes())),
        };
        if let Err(error) = written {
            file = None;
            if !said {
                said = true;
                tracing::warn!(path = %path.display(), %error, "the decision log cannot be written");
            }
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        private_file::create_folder(folder)?;
    }
    if path.metadata().is_ok_and(|meta| meta.len() > TURN_BYTES) {
        std::fs::rename(path, path.with_extension("1.jsonl"))?;
    }
    private_file::open(OpenOptions::new().append(true).create(true), path)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ensemble_broker::Verdict;

    use super::*;

    fn decision(route: &str) -> Decision {
        Decision {
            time: jiff::Timestamp::UNIX_EPOCH,
            plugin: Some("context".parse().unwrap()),
            digest: None,
            tool: Some("ensemble_search".to_owned()),
            key: Some("editor".to_owned()),
            key_id: Some("k1".to_owned()),
            space: None,
            route: route.to_owned(),
            verdict: Verdict::Permitted,
            reason: None,
            duration_ms: 3,
            bytes_out: 0,
            bytes_in: 9,
        }
    }

    #[test]
    fn lines_are_whole_in_order_and_flushed_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/decisions.jsonl");
        let log = DecisionLog::to(path.clone());
        for n in 0..500 {
            log.record(&decision(&n.to_string()));
        }
        log.close();
        let text = std::fs::read_to_string(&path).unwrap();
        let routes: Vec<String> = text
            .lines()
            .map(|line| {
                let line: serde_json::Value = serde_json::from_str(line).unwrap();
                line["route"].as_str().unwrap().to_owned()
            })
            .collect();
        let expected: Vec<String> = (0..500).map(|n| n.to_string()).collect();
        assert_eq!(routes, expected);
        assert!(private_file::is_private(&File::open(&path).unwrap()).unwrap());
        log.record(&decision("late"));
    }

    #[test]
    fn several_writers_share_one_file_without_torn_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("decisions.jsonl");
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let path = path.clone();
                scope.spawn(move || {
                    let log = Arc::new(DecisionLog::to(path));
                    for n in 0..300 {
                        log.record(&decision(&format!("{writer}-{n}")));
                    }
                });
            }
        });
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 1_200);
        for line in text.lines() {
            serde_json::from_str::<serde_json::Value>(line).unwrap();
        }
    }

    #[test]
    fn a_folder_that_cannot_be_made_fails_no_call() {
        let folder = tempfile::tempdir().unwrap();
        let blocked = folder.path().join("file");
        std::fs::write(&blocked, "x").unwrap();
        let log = DecisionLog::to(blocked.join("decisions.jsonl"));
        log.record(&decision("x"));
        log.close();
        DecisionLog::off().record(&decision("x"));
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_place_of_the_file_is_not_waited_for() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("decisions.jsonl");
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        let log = DecisionLog::to(path);
        log.record(&decision("x"));
        // waits for the writing thread
        log.close();
    }
}
