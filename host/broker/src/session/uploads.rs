//! Files that go to the hub. The guest brings one in, as base64 or as a path of the working folder, and gets a name for it that
//! is worth nothing in another call; the bytes stay here. What the hub then says that it keeps is compared with what was sent.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ensemble_model::limits::MAX_UPLOAD_BYTES;
use ensemble_model::{Digest, Method};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Session, encoded};
use crate::fault::Fault;
use crate::policy::{Permit, UPLOAD};
use crate::ports::HubRequest;

/// Bytes of what stands beside the file in its request: name, media type, handle.
const BESIDE: usize = 64 << 10;

const TAKING: &str = "Taking a file in";
const READING: &str = "Reading a file of the working folder";
const OTHERWISE: &str = "give dataBase64 instead of path";
const EMPTY: &str = "The file is empty, so there is nothing to add.";

/// The file of a call, not yet sent.
pub(super) struct Taken {
    handle: String,
    bytes: Vec<u8>,
}

impl fmt::Debug for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // what is in the file is nobody's business
        f.debug_struct("Taken")
            .field("handle", &self.handle)
            .field("bytes", &self.bytes.len())
            .finish()
    }
}

/// What becomes of a file that was taken in.
#[derive(Debug, Clone, Copy)]
pub struct Upload<'a> {
    /// The name that this call got for it.
    pub handle: &'a str,
    /// Its name in Ensemble.
    pub filename: &'a str,
    /// Its media type; the hub works it out where it is not given.
    pub media_type: Option<&'a str>,
    /// A JSON object: `attachTo`, a handle, and `summarize`, a boolean, each where wanted.
    pub options: &'a str,
}

#[derive(Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Options {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    attach_to: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    summarize: Option<bool>,
}

/// The body of the request, but for the bytes.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Beside<'a> {
    filename: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    media_type: Option<&'a str>,
    #[serde(flatten)]
    options: Options,
}

/// What the hub says that it keeps.
#[derive(Deserialize)]
struct Kept {
    size: u64,
    sha256: String,
}

impl Session {
    /// `ensemble:hub/uploads.from-base64`: a name for these bytes.
    ///
    /// # Errors
    /// [`Fault::Invalid`] for a text that is not base64 from its beginning to its end.
    pub async fn take_base64(&self, data: String) -> Result<String, Fault> {
        let permit = self.may_take()?;
        let started = self.broker.inner.deps.clock.instant();
        let decoded = working(move || encoded::decode(&data)).await;
        let fault = decoded.as_ref().err().cloned().map(Into::into);
        self.conclude(&permit, started, 0, 0, fault.as_ref());
        self.take(decoded?)
    }

    /// `ensemble:workspace/folder.open`: a name for the bytes of a file of the working folder.
    ///
    /// # Errors
    /// [`Fault::Invalid`] for a path that leads out, or to what is no plain file or may hold a secret; [`Fault::Denied`]
    /// where there is no working folder.
    pub async fn open_local(&self, path: &str) -> Result<String, Fault> {
        // without this the file could go nowhere, and asking would only tell whether it is there
        self.may_take()?;
        let (permit, folder) = self.folder(READING, OTHERWISE)?;
        let started = self.broker.inner.deps.clock.instant();
        let read = folder.open(&permit, path, MAX_UPLOAD_BYTES as u64).await;
        self.conclude(&permit, started, 0, 0, read.as_ref().err());
        self.take(read.map_err(|e| e.fault)?)
    }

    /// `ensemble:hub/uploads.save`: the hub's answer, once it is known to keep what was sent.
    ///
    /// # Errors
    /// What the hub said; [`Fault::Failed`] where it keeps something else.
    pub async fn save_upload(&self, upload: Upload<'_>) -> Result<String, Fault> {
        let (permit, path) = self
            .parts
            .policy
            .upload()
            .map_err(|denial| self.denied(&format!("{} {UPLOAD}", Method::Post), denial))?;
        let options = serde_json::from_str(upload.options)
            .and_then(|options: Map<String, Value>| serde_json::from_value(options.into()))
            .map_err(|_| {
                let known =
                    "The options of an upload are attachTo (a text) and summarize (true or false).";
                Fault::Invalid(known.to_owned())
            })?;
        let beside = Beside {
            filename: upload.filename,
            media_type: upload.media_type,
            options,
        };
        let beside = serde_json::to_string(&beside)
            .map_err(|_| Fault::Failed("The upload could not be written as JSON.".to_owned()))?;
        self.within_limits(&permit, beside.len(), BESIDE)?;
        let bytes = self.taken(upload.handle)?;
        let (body, size, digest) = working(move || {
            let digest = Digest::of(&bytes);
            Ok((body(beside, &bytes), bytes.len() as u64, digest))
        })
        .await?;
        let request = HubRequest {
            body: Some(body),
            ..self.request(Method::Post, path)
        };
        let answer = self.forward(&permit, request).await?;
        let kept = serde_json::from_str::<Kept>(&answer);
        if kept.is_ok_and(|kept| kept.size == size && kept.sha256 == digest.as_str()) {
            return Ok(answer);
        }
        tracing::warn!(plugin = %self.parts.plugin, "the hub does not say that it keeps the bytes that were sent");
        Err(Fault::Failed(format!(
            "Ensemble answered that the file was added, but not that it has the {size} bytes that were sent: look at the \
             file before you rely on it. If it is not whole, the person takes it back with `ensemble hub undo`."
        )))
    }

    fn may_take(&self) -> Result<Permit, Fault> {
        self.parts
            .policy
            .capability(UPLOAD, TAKING)
            .map_err(|denial| self.denied(UPLOAD, denial))
    }

    /// Gives the bytes a name. A call takes in one file, so that what it holds is bounded.
    fn take(&self, bytes: Vec<u8>) -> Result<String, Fault> {
        if bytes.is_empty() {
            return Err(Fault::Invalid(EMPTY.to_owned()));
        }
        if bytes.len() > MAX_UPLOAD_BYTES {
            return Err(encoded::too_large());
        }
        let handle = self.broker.inner.new_handle();
        match self.taken.lock() {
            Ok(mut taken) if taken.is_none() => {
                *taken = Some(Taken {
                    handle: handle.clone(),
                    bytes,
                });
                Ok(handle)
            }
            _ => Err(Fault::TooLarge(
                "One call takes in one file, and this was one more.".to_owned(),
            )),
        }
    }

    /// The bytes of this call's file; they are sent once.
    fn taken(&self, handle: &str) -> Result<Vec<u8>, Fault> {
        let taken = self.taken.lock().ok();
        taken
            .and_then(|mut taken| taken.take_if(|taken| taken.handle == handle))
            .map(|taken| taken.bytes)
            .ok_or_else(|| {
                Fault::NotFound("This call has taken in no file of that name.".to_owned())
            })
    }
}

/// The request: what stands beside the file, and the file. Base64 holds nothing that JSON escapes.
fn body(mut beside: String, bytes: &[u8]) -> String {
    // the closing brace of an object that is never empty
    beside.pop();
    beside.reserve(bytes.len().div_ceil(3) * 4 + 20);
    beside.push_str(",\"dataBase64\":\"");
    STANDARD.encode_string(bytes, &mut beside);
    beside.push_str("\"}");
    beside
}

/// Megabytes are coded and hashed beside the threads that others' calls run on.
async fn working<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Fault> + Send + 'static,
) -> Result<T, Fault> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| {
        Err(Fault::Failed(
            "The file could not be read in: try again.".to_owned(),
        ))
    })
}
