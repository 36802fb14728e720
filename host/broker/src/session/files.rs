//! Files of one call. A handle is made when the call opens a file, and is known to this call only: one of another call, or one that somebody
//! made up, names nothing. The bytes stay here; each time they are fetched is a decision of its own.

use std::sync::Arc;

use ensemble_model::limits::{MAX_FILE_CHUNK, MAX_SHOWN_FILE_BYTES};
use ensemble_model::{Digest, HubPath, Method};

use super::arriving::Arriving;
use super::{Session, outline};
use crate::fault::{Denial, Fault};
use crate::policy::Permit;
use crate::ports::{Download, FileRequest, FolderPort, Saved, Target};

/// Files that one call may open; it gives out one, or a few.
const MAX_OPEN: usize = 16;

const FOLDER: &str = "ensemble:workspace/folder";
const WRITING: &str = "Writing into the working folder";
const WITHOUT: &str = "ask for the file without saveTo";
const DAMAGED: &str = "The file did not arrive as Ensemble has it, so it was not used: try again.";

/// A file that this call opened.
#[derive(Debug, Clone)]
pub(super) struct Opened {
    handle: String,
    id: String,
}

/// The bytes of a file, whole, as the hub has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileContent {
    /// The id of its record.
    pub id: String,
    /// All of them.
    pub bytes: Vec<u8>,
}

impl Session {
    /// `ensemble:hub/files.open`: the details as the hub gives them, and a handle on the original.
    pub async fn open_file(&self, id: &str) -> Result<(String, String), Fault> {
        let opened = self.files.lock().map_or(MAX_OPEN, |files| files.len());
        if opened >= MAX_OPEN {
            return Err(Fault::TooLarge(format!(
                "One call may open {MAX_OPEN} files, and this was one more."
            )));
        }
        let details = format!("/api/bridge/files/{id}");
        // asked before the details, so that what may not have the bytes learns nothing either
        self.file_permit(&original(id))?;
        let details = self
            .hub_request(Method::Get, &details, Vec::new(), None)
            .await?;
        let handle = self.broker.inner.new_handle();
        if let Ok(mut files) = self.files.lock() {
            files.push(Opened {
                handle: handle.clone(),
                id: id.to_owned(),
            });
        }
        Ok((details, handle))
    }

    /// Whether a handle is one of this call's.
    pub fn has_file(&self, handle: &str) -> bool {
        self.opened(handle).is_ok()
    }

    /// `ensemble:hub/files.bytes`: at most `limit` bytes from `offset`, fewer at the end, none after it.
    pub async fn file_bytes(
        &self,
        handle: &str,
        offset: u64,
        limit: u32,
    ) -> Result<Vec<u8>, Fault> {
        let file = self.opened(handle)?;
        let limit = limit.min(MAX_FILE_CHUNK);
        if limit == 0 {
            return Ok(Vec::new());
        }
        let mut download = self.fetch(&file, Some((offset, limit))).await?;
        self.received(&mut *download, u64::from(limit)).await
    }

    /// The whole file that a handle of this call names, for an answer that shows it. `at_most` is what the answer still has
    /// room for.
    pub async fn file_content(&self, handle: &str, at_most: u64) -> Result<FileContent, Fault> {
        let file = self.opened(handle)?;
        let mut download = self.fetch(&file, None).await?;
        let size = download.size();
        let at_most = at_most.min(MAX_SHOWN_FILE_BYTES);
        if size.is_none_or(|size| size > at_most) {
            return Err(Fault::TooLarge(format!(
                "The file is larger than an answer can carry ({} MB): save it with saveTo instead.",
                at_most >> 20
            )));
        }
        let digest = download.sha256().map(str::to_owned);
        let bytes = self.received(&mut *download, at_most).await?;
        let whole = size == Some(bytes.len() as u64)
            && digest.is_none_or(|digest| digest == Digest::of(&bytes).as_str());
        if !whole {
            return Err(Fault::Unavailable(DAMAGED.to_owned()));
        }
        Ok(FileContent { id: file.id, bytes })
    }

    /// `ensemble:workspace/folder.check`.
    pub async fn check_target(&self, target: Target<'_>) -> Result<(), Fault> {
        let (permit, folder) = self.folder(WRITING, WITHOUT)?;
        let started = self.broker.inner.deps.clock.instant();
        let checked = folder.check(&permit, target).await;
        self.conclude(&permit, started, 0, 0, checked.as_ref().err());
        checked.map_err(|e| e.fault)
    }

    /// `ensemble:workspace/folder.save`: the path first, then the file.
    pub async fn save_file(&self, handle: &str, target: Target<'_>) -> Result<Saved, Fault> {
        let (permit, folder) = self.folder(WRITING, WITHOUT)?;
        let started = self.broker.inner.deps.clock.instant();
        let saved = match folder.check(&permit, target).await {
            Err(refused) => Err(refused),
            Ok(()) => match self.opened(handle) {
                Err(unknown) => Err(unknown.into()),
                Ok(file) => {
                    let arriving = Arriving {
                        download: self.fetch(&file, None).await?,
                        counts_from: self.counts_from.clone(),
                        clock: Arc::clone(&self.broker.inner.deps.clock),
                    };
                    folder.save(&permit, target, Box::new(arriving)).await
                }
            },
        };
        self.conclude(&permit, started, 0, 0, saved.as_ref().err());
        if let Ok(saved) = &saved {
            self.bytes_in
                .fetch_add(saved.bytes, std::sync::atomic::Ordering::Relaxed);
        }
        saved.map_err(|e| e.fault)
    }

    /// The folder, for what is `wanted` of it; `instead` is what to do where there is none.
    pub(super) fn folder(
        &self,
        wanted: &str,
        instead: &str,
    ) -> Result<(Permit, &dyn FolderPort), Fault> {
        let permit = self
            .parts
            .policy
            .capability(FOLDER, wanted)
            .map_err(|denial| self.denied(FOLDER, denial))?;
        let Some(folder) = &self.broker.inner.deps.folder else {
            let wanted = wanted.to_owned();
            let missing = format!("a bridge on the editor's own computer ({instead})");
            return Err(self.denied(FOLDER, Denial { wanted, missing }));
        };
        Ok((permit, folder.as_ref()))
    }

    fn opened(&self, handle: &str) -> Result<Opened, Fault> {
        let files = self.files.lock().ok();
        files
            .and_then(|files| files.iter().find(|file| file.handle == handle).cloned())
            .ok_or_else(|| Fault::NotFound("This call has opened no file of that name.".to_owned()))
    }

    fn file_permit(&self, path: &str) -> Result<(Permit, HubPath), Fault> {
        let parsed = HubPath::parse(path).map_err(|reason| {
            let shown = "GET (not a hub path)".to_owned();
            let missing = format!("a plain path ({reason})");
            self.denied(
                &shown,
                Denial {
                    wanted: shown.clone(),
                    missing,
                },
            )
        })?;
        let permit = self
            .parts
            .policy
            .file(&parsed)
            .map_err(|denial| self.denied(&format!("GET {}", outline(&parsed)), denial))?;
        Ok((permit, parsed))
    }

    /// Begins to receive an original; the line in the log says whether it began.
    async fn fetch(
        &self,
        file: &Opened,
        part: Option<(u64, u32)>,
    ) -> Result<Box<dyn Download>, Fault> {
        let (permit, path) = self.file_permit(&original(&file.id))?;
        self.within_limits(&permit, 0, 0)?;
        let started = self.broker.inner.deps.clock.instant();
        let request = FileRequest {
            path,
            space: self.parts.space.as_ref().map(|space| space.id.clone()),
            part,
            timeout: self.remaining(),
        };
        let begun = self.broker.inner.deps.hub.download(&permit, request).await;
        self.conclude(&permit, started, 0, 0, begun.as_ref().err());
        begun.map_err(|e| e.fault)
    }

    /// All bytes of a download, and no more than there may be.
    async fn received(&self, download: &mut dyn Download, at_most: u64) -> Result<Vec<u8>, Fault> {
        let mut bytes = Vec::new();
        while let Some(chunk) = download.next().await.map_err(|e| e.fault)? {
            if (bytes.len() + chunk.len()) as u64 > at_most {
                return Err(Fault::Unavailable(DAMAGED.to_owned()));
            }
            bytes.extend_from_slice(&chunk);
        }
        self.bytes_in
            .fetch_add(bytes.len() as u64, std::sync::atomic::Ordering::Relaxed);
        Ok(bytes)
    }
}

/// The route of an original. An id that is none makes a path that is none, or one that nobody declared.
fn original(id: &str) -> String {
    format!("/api/bridge/files/{id}/original")
}
