//! Compiles the hostile guests and writes the tables that `guests.rs` includes: the kit itself, from its crate, and each file of
//! its folder `text/` as a variant of the enum `Text`. A file that no verdict names is a variant that no arm takes, and does not
//! compile.
//!
//! A text that begins with `(component` is taken as it is; one that begins with `(module` is made into a component with the world
//! in `guest.wit`.

use std::path::{Path, PathBuf};
use std::{env, fs};

use ensemble_guest_build::Guests;
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

const KIT: &str = "tests/components/probe";

fn main() -> Result<(), String> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("run by cargo only")?);
    let workspace = here.ancestors().nth(2).ok_or("not in a workspace")?;
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("run by cargo only")?);
    let kit = Guests::new(workspace).package("probe-kit", KIT).build()?;
    let kit = match kit.first() {
        Some(kit) => format!("include_bytes!({:?})", kit.wasm.to_string_lossy()),
        // nothing is built for an editor that only analyses
        None => "b\"\"".to_owned(),
    };
    let texts = texts(workspace, &out)?;
    let variants: String = texts.iter().map(Text::variant).collect();
    let bytes: String = texts.iter().map(Text::bytes).collect();
    let all: String = texts.iter().map(Text::reference).collect();
    let table = format!(
        "/// The kit, as a component.\n\
         pub(crate) static KIT: &[u8] = {kit};\n\n\
         /// A hostile guest that is written as text.\n\
         #[derive(Debug, Clone, Copy, PartialEq, Eq)]\n\
         pub(crate) enum Text {{\n{variants}}}\n\n\
         impl Text {{\n    /// All of them.\n    pub(crate) const ALL: [Self; {}] = [{all}];\n\n    \
         /// As a component.\n    pub(crate) fn bytes(self) -> &'static [u8] {{\n        match self {{\n{bytes}        }}\n    }}\n}}\n",
        texts.len()
    );
    fs::write(out.join("guests.rs"), table)
        .map_err(|error| format!("cannot write the table of hostile guests: {error}"))
}

/// One compiled text.
struct Text {
    name: String,
    comment: String,
    wasm: PathBuf,
}

impl Text {
    fn variant(&self) -> String {
        format!("    /// {}\n    {},\n", self.comment, self.name)
    }

    fn bytes(&self) -> String {
        let path = self.wasm.to_string_lossy();
        format!(
            "            Self::{} => include_bytes!({path:?}),\n",
            self.name
        )
    }

    fn reference(&self) -> String {
        format!("Self::{}, ", self.name)
    }
}

fn texts(workspace: &Path, out: &Path) -> Result<Vec<Text>, String> {
    let folder = workspace.join(KIT).join("text");
    let cannot = |error: std::io::Error| format!("cannot read {}: {error}", folder.display());
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .map_err(cannot)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(cannot)?;
    files.retain(|path| path.extension().is_some_and(|ending| ending == "wat"));
    files.sort();
    let mut guest = World::read(workspace, &folder)?;
    files
        .iter()
        .map(|file| text(file, &mut guest, out))
        .collect()
}

fn text(file: &Path, guest: &mut World, out: &Path) -> Result<Text, String> {
    let shown = file.display();
    let source =
        fs::read_to_string(file).map_err(|error| format!("cannot read {shown}: {error}"))?;
    let comment = source
        .lines()
        .next()
        .and_then(|line| line.strip_prefix(";; "));
    let comment =
        comment.ok_or_else(|| format!("{shown} does not begin with ;; and what it tries"))?;
    let parsed = wat::parse_str(&source).map_err(|error| format!("{shown}: {error}"))?;
    let is_module = source.lines().any(|line| line.starts_with("(module"));
    let bytes = if is_module {
        guest
            .component(parsed)
            .map_err(|error| format!("{shown}: {error}"))?
    } else {
        parsed
    };
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let wasm = out.join(format!("{stem}.wasm"));
    fs::write(&wasm, bytes).map_err(|error| format!("cannot write {}: {error}", wasm.display()))?;
    Ok(Text {
        name: camel(&stem),
        comment: comment.to_owned(),
        wasm,
    })
}

/// The world `guest`, with what it is made of.
struct World {
    resolve: Resolve,
    world: wit_parser::WorldId,
}

impl World {
    fn read(workspace: &Path, folder: &Path) -> Result<Self, String> {
        let mut resolve = Resolve::default();
        let mut read = |path: &Path| {
            resolve
                .push_path(path)
                .map(|(package, _)| package)
                .map_err(|error| format!("{}: {error:#}", path.display()))
        };
        for package in ["types", "tools"] {
            read(&workspace.join("wit/deps").join(package))?;
        }
        for package in ["io", "cli"] {
            read(&folder.join(format!("wasi/{package}.wit")))?;
        }
        let guest = read(&folder.join("guest.wit"))?;
        let world = resolve
            .select_world(&[guest], Some("guest"))
            .map_err(|error| format!("guest.wit: {error:#}"))?;
        Ok(Self { resolve, world })
    }

    fn component(&mut self, mut module: Vec<u8>) -> Result<Vec<u8>, String> {
        let made =
            embed_component_metadata(&mut module, &self.resolve, self.world, StringEncoding::UTF8)
                .and_then(|()| ComponentEncoder::default().module(&module))
                .and_then(|mut encoder| encoder.encode());
        made.map_err(|error| format!("{error:#}"))
    }
}

/// `many_handles` as `ManyHandles`.
fn camel(name: &str) -> String {
    let mut camel = String::new();
    for word in name.split('_') {
        let (first, rest) = word.split_at(word.len().min(1));
        camel.push_str(&first.to_uppercase());
        camel.push_str(rest);
    }
    camel
}
