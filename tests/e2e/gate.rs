//! Stands between the bridge and its hub: it passes everything on, counts what was sent, and keeps back requests that hold
//! a certain word, as a hub that never answers would; or it loses the answers to them, as a connection that breaks would.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ensemble_test_harness::PATIENCE;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// A running gate. Dropping it closes everything.
#[derive(Debug)]
pub(crate) struct Gate {
    base: String,
    requests: Arc<AtomicUsize>,
    held: watch::Receiver<usize>,
    accepting: JoinHandle<()>,
}

#[derive(Debug, Clone)]
struct Rules {
    /// Where to; nowhere keeps everything back.
    hub: Option<String>,
    word: &'static str,
    /// How many answers are still lost; nothing is kept back then.
    losing: Option<Arc<AtomicUsize>>,
    requests: Arc<AtomicUsize>,
    held: watch::Sender<usize>,
}

impl Gate {
    /// In front of the hub at `base`; requests with `word` in them are kept back.
    pub(crate) async fn before(base: &str, word: &'static str) -> Self {
        let address = base.strip_prefix("http://").unwrap().to_owned();
        Self::with(Some(address), word, None).await
    }

    /// In front of the hub at `base`; the next `answers` to requests with `word` in them are lost on their way back.
    pub(crate) async fn losing(base: &str, word: &'static str, answers: usize) -> Self {
        let address = base.strip_prefix("http://").unwrap().to_owned();
        Self::with(Some(address), word, Some(answers)).await
    }

    /// A hub that takes every connection and never answers.
    pub(crate) async fn silent() -> Self {
        Self::with(None, "", None).await
    }

    async fn with(hub: Option<String>, word: &'static str, losing: Option<usize>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let (held, watched) = watch::channel(0);
        let requests = Arc::new(AtomicUsize::new(0));
        let rules = Rules {
            hub,
            word,
            losing: losing.map(|answers| Arc::new(AtomicUsize::new(answers))),
            requests: Arc::clone(&requests),
            held,
        };
        let accepting = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(pass(stream, rules.clone()));
            }
        });
        Self {
            base,
            requests,
            held: watched,
            accepting,
        }
    }

    /// For `HUB_API_URL`.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// How many connections and requests came in.
    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }

    /// Waits until exactly so many requests are kept back at the same time.
    pub(crate) async fn holds(&self, count: usize) {
        let mut held = self.held.clone();
        let waited = timeout(PATIENCE, held.wait_for(|now| *now == count)).await;
        let now = *self.held.borrow();
        assert!(waited.is_ok(), "{now} requests are kept back, not {count}");
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn pass(mut editor: TcpStream, rules: Rules) {
    rules.requests.fetch_add(1, Ordering::SeqCst);
    let mut hub = match &rules.hub {
        Some(address) => Some(TcpStream::connect(address).await.unwrap()),
        None => None,
    };
    let mut asked = vec![0; 64 << 10];
    let mut answered = vec![0; 64 << 10];
    let mut lost = false;
    loop {
        let answer = async {
            match &mut hub {
                Some(hub) => hub.read(&mut answered).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            read = editor.read(&mut asked) => match read {
                Ok(count) if count > 0 => {
                    let part = asked.get(..count).unwrap_or_default();
                    let text = String::from_utf8_lossy(part);
                    let meant = text.contains(rules.word);
                    match &rules.losing {
                        Some(losing) => lost |= meant && one_of(losing),
                        None if meant || hub.is_none() => return keep_back(editor, &rules).await,
                        None => {}
                    }
                    rules.requests.fetch_add(1, Ordering::SeqCst);
                    if let Some(hub) = &mut hub && hub.write_all(part).await.is_err() {
                        return;
                    }
                }
                _ => return,
            },
            read = answer => match read {
                Ok(count) if count > 0 && !lost => {
                    let part = answered.get(..count).unwrap_or_default();
                    if editor.write_all(part).await.is_err() {
                        return;
                    }
                }
                _ => return,
            },
        }
    }
}

/// Takes one, where there is one left.
fn one_of(left: &AtomicUsize) -> bool {
    let taken = left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
        left.checked_sub(1)
    });
    taken.is_ok()
}

/// Holds the request until its sender has given up.
async fn keep_back(mut editor: TcpStream, rules: &Rules) {
    rules.held.send_modify(|held| *held += 1);
    let mut rest = [0; 1024];
    while editor.read(&mut rest).await.is_ok_and(|count| count > 0) {}
    rules.held.send_modify(|held| *held -= 1);
}
