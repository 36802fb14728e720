//! Files that are no component, and kept code that is not as it was written.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ensemble_model::Digest;
use ensemble_model::limits::MAX_COMPONENT_BYTES;
use ensemble_runtime::{Bytes, LoadState, Registry};

use crate::guests::{KIT, Text};
use crate::stage::{Stage, manifest, plugin};

/// The file of a plugin that is not the component it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Broken {
    Missing,
    Empty,
    Cut,
    Zeros,
    Prose,
    CoreModule,
    Oversized,
    Changed,
}

impl Broken {
    pub(crate) const ALL: [Self; 8] = [
        Self::Missing,
        Self::Empty,
        Self::Cut,
        Self::Zeros,
        Self::Prose,
        Self::CoreModule,
        Self::Oversized,
        Self::Changed,
    ];

    /// The id under which it is installed here.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Self::Missing => "file-missing",
            Self::Empty => "file-empty",
            Self::Cut => "file-cut",
            Self::Zeros => "file-zeros",
            Self::Prose => "file-prose",
            Self::CoreModule => "file-core-module",
            Self::Oversized => "file-oversized",
            Self::Changed => "file-changed",
        }
    }

    pub(super) fn verdict(self) -> (&'static str, &'static str) {
        const NONE: &str = "is not a WebAssembly component";
        match self {
            Self::Missing => ("a component that is gone", "cannot be read"),
            Self::Empty => ("a component of no bytes", NONE),
            Self::Cut => ("half a component", NONE),
            Self::Zeros => ("a megabyte of zeros for a component", NONE),
            Self::Prose => ("a letter for a component", NONE),
            Self::CoreModule => ("a core module for a component", NONE),
            Self::Oversized => ("a component of 64 MiB and one byte", "more than 64 MiB"),
            Self::Changed => (
                "a component of which one bit was changed since it was approved",
                "is not the one that was approved",
            ),
        }
    }
}

/// Writes such a file, and gives the digest under which it is approved.
pub(crate) fn write(broken: Broken, folder: &Path) -> io::Result<(Bytes, Digest)> {
    let path = folder.join(format!("{}.wasm", broken.id()));
    let half = KIT.get(..KIT.len() / 2).unwrap_or_default();
    let bytes = match broken {
        Broken::Missing => return Ok((Bytes::File(path), Digest::of(b"gone"))),
        Broken::Oversized => {
            let file = fs::File::create(&path)?;
            file.set_len(MAX_COMPONENT_BYTES as u64 + 1)?;
            return Ok((Bytes::File(path), Digest::of(b"too large to ask")));
        }
        Broken::Empty => Vec::new(),
        Broken::Cut => half.to_vec(),
        Broken::Zeros => vec![0; 1 << 20],
        Broken::Prose => {
            b"Dear host, please run me. I am a component, although I do not look it.".to_vec()
        }
        Broken::CoreModule => b"\0asm\x01\0\0\0".to_vec(),
        Broken::Changed => {
            let mut changed = KIT.to_vec();
            if let Some(byte) = changed.get_mut(half.len()) {
                *byte ^= 1;
            }
            changed
        }
    };
    fs::write(&path, &bytes)?;
    let approved = match broken {
        Broken::Changed => Digest::of(KIT),
        _ => Digest::of(&bytes),
    };
    Ok((Bytes::File(path), approved))
}

/// What is done to the kept code of a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tampered {
    No,
    Cut,
    Flipped,
    Swapped,
}

impl Tampered {
    pub(super) const ALL: [Self; 4] = [Self::No, Self::Cut, Self::Flipped, Self::Swapped];

    pub(super) fn verdict(self) -> (&'static str, &'static [&'static str]) {
        const AGAIN: &[&str] = &["compiled again", "20000 table entries"];
        match self {
            Self::No => (
                "nothing hostile: kept code as it was written",
                &["taken from what was kept", "20000 table entries"],
            ),
            Self::Cut => ("kept code that was cut", AGAIN),
            Self::Flipped => ("kept code of which one bit was changed", AGAIN),
            Self::Swapped => ("kept code of another component in its place", AGAIN),
        }
    }
}

/// The component whose kept code is changed, and the one whose code is put in its place.
const VICTIM: Text = Text::GrowTable;
const OTHER: Text = Text::ManyHandles;

/// Has the victim's code kept, does that to it, and says what the next start makes of it and what then runs.
pub(crate) async fn kept(stage: &Stage, tampered: Tampered) -> String {
    match try_kept(stage, tampered).await {
        Ok(observed) => observed,
        Err(reason) => format!("could not be tried: {reason}"),
    }
}

async fn try_kept(stage: &Stage, tampered: Tampered) -> Result<String, String> {
    let victim = kept_file(stage, VICTIM).await?;
    let other = kept_file(stage, OTHER).await?;
    let cannot = |error: io::Error| error.to_string();
    let mut code = fs::read(&victim).map_err(cannot)?;
    let middle = code.len() / 2;
    match tampered {
        Tampered::No => {}
        Tampered::Cut => code.truncate(middle),
        Tampered::Flipped => code
            .iter_mut()
            .skip(middle)
            .take(1)
            .for_each(|byte| *byte ^= 0x10),
        Tampered::Swapped => code = fs::read(other).map_err(cannot)?,
    }
    fs::write(&victim, code).map_err(cannot)?;
    let (registry, from_cache) = loaded(stage, VICTIM).await?;
    let how = if from_cache {
        "taken from what was kept"
    } else {
        "compiled again"
    };
    let ended = stage
        .call_in(&registry, &VICTIM.id(), "run", "{}".to_owned())
        .await;
    Ok(format!("{how}; {}", crate::stage::told(&ended)))
}

/// The file in which that component's code is kept, as this host writes it.
async fn kept_file(stage: &Stage, text: Text) -> Result<PathBuf, String> {
    let folder = stage.inner.host.folder.join("components");
    let before = files(&folder);
    // a folder of its own for the question which file is whose
    let aside = stage.inner.host.folder.join("aside");
    let cannot = |error: io::Error| error.to_string();
    fs::create_dir_all(&aside).map_err(cannot)?;
    for file in &before {
        let name = file.file_name().unwrap_or_default();
        fs::rename(file, aside.join(name)).map_err(cannot)?;
    }
    let fresh = loaded(stage, text).await.map(|_| files(&folder));
    for file in &before {
        let name = file.file_name().unwrap_or_default();
        let to = folder.join(name);
        if !to.exists() {
            fs::rename(aside.join(name), to).map_err(cannot)?;
        }
    }
    match fresh?.as_slice() {
        [one] => Ok(one.clone()),
        many => Err(format!("{} files were kept for one component", many.len())),
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

/// Loads it as after a new start, and says whether its code was taken from what is kept.
async fn loaded(stage: &Stage, text: Text) -> Result<(Registry, bool), String> {
    let manifest = manifest(&text.id(), "").map_err(|error| error.to_string())?;
    let bytes = text.bytes();
    let plugin = plugin(&manifest, Bytes::Static(bytes), Digest::of(bytes));
    let registry = Registry::new(stage.inner.runtime.clone(), vec![plugin])
        .map_err(|error| error.to_string())?;
    let id = &manifest.id;
    registry.load(id).await.map_err(|error| error.to_string())?;
    match registry.state(id) {
        LoadState::Loaded(facts) => Ok((registry, facts.from_cache)),
        other => Err(format!("it is not loaded: {other:?}")),
    }
}
