//! Compiled code on disk, run only when it is proven to be ours.
//!
//! file = MAC ‖ code, where MAC is keyed BLAKE3 over format ‖ digest of the component ‖ engine and its settings ‖ code
//!
//! Only this user's host has the key. A file that is missing, cut, changed, or made by another engine or another key is
//! compiled again and replaced; it is never run and never an error. A folder that cannot be written costs time only.

use std::fs::{self, File, OpenOptions};
use std::hash::{Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use ensemble_model::Digest;
use ensemble_plain_file as plain_file;
use wasmtime::Engine;
use wasmtime::component::Component;

/// Changes whenever the form of the file does.
const FORMAT: &[u8] = b"ensemble compiled component 1";

const MAC_BYTES: usize = 32;

/// Compiled code is about three times the component; more than this is no file of ours.
const MAX_FILE_BYTES: u64 = 256 << 20;

/// Where compiled code is kept, and the key that proves it.
#[derive(Clone)]
pub struct CacheConfig {
    /// A folder of its own; made when it is missing, for its owner only.
    pub directory: PathBuf,
    /// Known to this user's host only.
    pub key: [u8; 32],
}

impl std::fmt::Debug for CacheConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CacheConfig")
            .field("directory", &self.directory)
            .finish_non_exhaustive()
    }
}

/// A file whose authentication was checked, over these bytes in memory.
struct Proven(Vec<u8>);

impl Proven {
    fn code(&self) -> &[u8] {
        self.0.get(MAC_BYTES..).unwrap_or_default()
    }
}

/// The cache of one engine.
pub(crate) struct Cache {
    config: Option<CacheConfig>,
    engine: blake3::Hash,
    complained: AtomicBool,
    temporary: AtomicU64,
}

impl Cache {
    pub(crate) fn new(engine: &Engine, config: Option<CacheConfig>) -> Self {
        let mut identity = Identity(blake3::Hasher::new());
        engine.precompile_compatibility_hash().hash(&mut identity);
        Self {
            config,
            engine: identity.0.finalize(),
            complained: AtomicBool::new(false),
            temporary: AtomicU64::new(0),
        }
    }

    pub(crate) fn directory(&self) -> Option<PathBuf> {
        self.config.as_ref().map(|config| config.directory.clone())
    }

    /// The compiled code of that component, if it is there and proven.
    pub(crate) fn take(&self, engine: &Engine, digest: &Digest) -> Option<Component> {
        match run_proven(engine, self.proven(digest)?.code()) {
            Ok(component) => Some(component),
            Err(error) => {
                tracing::warn!(component = %digest, "kept code does not fit: compiling again ({})", error.root_cause());
                None
            }
        }
    }

    /// Whether proven code of that component is there.
    pub(crate) fn has(&self, digest: &Digest) -> bool {
        self.proven(digest).is_some()
    }

    fn proven(&self, digest: &Digest) -> Option<Proven> {
        let config = self.config.as_ref()?;
        let path = config.directory.join(self.file_name(digest));
        let file = plain_file::read(&path, MAX_FILE_BYTES).ok()?;
        let (mac, code) = file.split_at_checked(MAC_BYTES)?;
        let expected = self.mac(config, digest, code);
        // blake3 compares its hashes in constant time
        if expected != blake3::Hash::from_slice(mac).ok()? {
            tracing::warn!(component = %digest, "kept code is not as this host wrote it: compiling again");
            return None;
        }
        Some(Proven(file))
    }

    /// Keeps compiled code for the next start. Failing to is one line in the log, and no more.
    pub(crate) fn keep(&self, digest: &Digest, component: &Component) {
        let Some(config) = &self.config else { return };
        let written = component
            .serialize()
            .map_err(|e| io::Error::other(e.root_cause().to_string()))
            .and_then(|code| {
                let mac = self.mac(config, digest, &code);
                self.replace(
                    &config.directory,
                    &self.file_name(digest),
                    mac.as_bytes(),
                    &code,
                )
            });
        if let Err(error) = written
            && !self.complained.swap(true, Ordering::Relaxed)
        {
            tracing::warn!(
                "compiled code cannot be kept, so every start compiles: {}",
                error.kind()
            );
        }
    }

    fn file_name(&self, digest: &Digest) -> String {
        let mut name = blake3::Hasher::new();
        self.identify(&mut name, digest);
        format!("{}.cwasm", name.finalize().to_hex())
    }

    fn mac(&self, config: &CacheConfig, digest: &Digest, code: &[u8]) -> blake3::Hash {
        let mut mac = blake3::Hasher::new_keyed(&config.key);
        self.identify(&mut mac, digest);
        mac.update(code);
        mac.finalize()
    }

    /// Each part has a fixed length, so that no two identities write the same bytes.
    fn identify(&self, hasher: &mut blake3::Hasher, digest: &Digest) {
        hasher.update(FORMAT);
        hasher.update(digest.as_str().as_bytes());
        hasher.update(self.engine.as_bytes());
    }

    /// Writes beside and renames: a reader meets the old file or the new one, and two writers do not meet at all.
    fn replace(&self, directory: &Path, name: &str, mac: &[u8], code: &[u8]) -> io::Result<()> {
        make_private(directory)?;
        let temporary = directory.join(format!(
            "{name}.{}-{}.new",
            std::process::id(),
            self.temporary.fetch_add(1, Ordering::Relaxed)
        ));
        let written = create_private(&temporary)
            .and_then(|mut file| {
                file.write_all(mac)?;
                file.write_all(code)
            })
            .and_then(|()| fs::rename(&temporary, directory.join(name)));
        if written.is_err() {
            // the first error is the one to tell
            drop(fs::remove_file(&temporary));
        }
        written
    }
}

fn make_private(directory: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Turns proven code into a component.
#[expect(
    unsafe_code,
    reason = "running compiled code is as safe as its origin; the caller has verified the MAC over exactly these bytes"
)]
fn run_proven(engine: &Engine, code: &[u8]) -> wasmtime::Result<Component> {
    // SAFETY: `code` was made by `Component::serialize` of this host: its MAC was checked, with a key that only this
    // user's host has, over these bytes in memory and not over a file that could change meanwhile.
    unsafe { Component::deserialize(engine, code) }
}

/// Feeds what the engine hashes of itself into BLAKE3: the standard hashers are too short to tell engines apart for sure.
struct Identity(blake3::Hasher);

impl Hasher for Identity {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Not asked for; the whole hash is taken instead.
    fn finish(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: [u8; 32] = [1; 32];

    fn cache(engine: &Engine, directory: &Path) -> Cache {
        let config = CacheConfig {
            directory: directory.to_path_buf(),
            key: KEY,
        };
        Cache::new(engine, Some(config))
    }

    fn other_engine() -> Engine {
        let mut config = wasmtime::Config::new();
        config.epoch_interruption(true);
        Engine::new(&config).unwrap()
    }

    #[test]
    fn code_of_another_engine_is_neither_found_nor_run() {
        let folder = tempfile::tempdir().unwrap();
        let bytes = wat::parse_str("(component)").unwrap();
        let digest = Digest::of(&bytes);
        let (one, two) = (Engine::default(), other_engine());
        let (ours, theirs) = (cache(&one, folder.path()), cache(&two, folder.path()));
        theirs.keep(&digest, &Component::new(&two, &bytes).unwrap());
        assert!(theirs.take(&two, &digest).is_some());
        assert!(ours.take(&one, &digest).is_none());
        // under the very name under which ours is looked for
        let name = |cache: &Cache| folder.path().join(cache.file_name(&digest));
        fs::rename(name(&theirs), name(&ours)).unwrap();
        assert!(ours.take(&one, &digest).is_none());
        ours.keep(&digest, &Component::new(&one, &bytes).unwrap());
        assert!(ours.take(&one, &digest).is_some());
    }

    #[test]
    fn code_of_another_component_is_not_run() {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::default();
        let cache = cache(&engine, folder.path());
        let bytes = wat::parse_str("(component)").unwrap();
        let (kept, wanted) = (Digest::of(&bytes), Digest::of(b"another"));
        cache.keep(&kept, &Component::new(&engine, &bytes).unwrap());
        let name = |digest: &Digest| folder.path().join(cache.file_name(digest));
        fs::copy(name(&kept), name(&wanted)).unwrap();
        assert!(cache.take(&engine, &wanted).is_none());
        assert!(cache.take(&engine, &kept).is_some());
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_place_of_a_file_is_not_waited_for() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::default();
        let cache = cache(&engine, folder.path());
        let digest = Digest::of(b"any");
        let path = folder.path().join(cache.file_name(&digest));
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        assert!(cache.take(&engine, &digest).is_none());
    }
}
