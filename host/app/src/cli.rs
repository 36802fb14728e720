//! What a person types. Every text here is shown by `--help`, and a golden file holds each page.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub(crate) mod audit;
pub(crate) mod log;
pub(crate) mod plugin;
pub(crate) mod real_data;
pub(crate) mod repo;
pub(crate) mod setting;
pub(crate) mod undo;

use audit::Audit;
use log::Log;
use plugin::Plugin;
use real_data::{Backup, Import, Restore};
use repo::Repo;
use setting::Setting;
use undo::{Trash, Undo};

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "ensemble",
    version,
    about = "Ensemble's Context Bridge: your records for editors and agents, through sandboxed plugins",
    long_about = "Ensemble's Context Bridge: your records for editors and agents, through sandboxed plugins.\n\n\
        An editor starts `ensemble mcp` and speaks MCP to it. Every tool is a WebAssembly component without network, files or \
        environment; what it may ask of the hub is decided by the key in use. `ensemble demo` shows all of it in one go.",
    after_help = "Exit codes: 0 done, 1 failed, 2 wrong usage.",
    arg_required_else_help = true,
    disable_help_subcommand = true,
    max_term_width = 100
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show everything at work: a hub with a demo workspace, the bridge, a brief, the decision log
    ///
    /// Starts a hub with a demo workspace in a temporary folder, makes a key, creates a git repository, starts `ensemble mcp`
    /// in it as an editor would, and shows what happens. Nothing of it stays behind.
    Demo(Demo),
    /// Speak MCP over standard input and output; editors start this
    ///
    /// Standard output carries nothing but MCP; what a person should see goes to standard error. The bridge ends when
    /// standard input closes.
    #[command(after_help = MCP_ENVIRONMENT)]
    Mcp(Mcp),
    /// Run a hub, and make keys for it
    #[command(subcommand)]
    Hub(Hub),
    /// Show, install and check the plugins
    #[command(subcommand)]
    Plugin(Plugin),
    /// Show what every component can do, and why, and what the host around it is
    ///
    /// What a key exposes stands first, then what a reviewer should look at, then each component: what its bytes import, what
    /// it declares and for which reason, what it cannot reach, its limits. Asks no hub and runs no component.
    Audit(Audit),
    /// Show and check the decision log
    #[command(subcommand)]
    Log(Log),
    /// List the tools by plugin, and what the list costs a model that reads it
    ///
    /// All of them, as for a key with every grant; what `ENSEMBLE_PLUGINS_OFF` leaves out is not counted. Asks no hub.
    Tools(Tools),
    /// Show which hub, key and repository the bridge would use here
    #[command(after_help = MCP_ENVIRONMENT)]
    Status(Listing),
    /// Check this program: every plugin of it at work, or hostile guests against it
    ///
    /// With a hub of its own in a temporary folder: no record and no key of yours is read, and nothing stays behind but compiled
    /// code. Each line says what was tried, what has to come of it, and what came of it. The exit code is 1 if one line is not as
    /// expected.
    Selftest(SelfTest),
}

#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Tools {
    /// How long each plugin's part of the list is, in characters and about how many tokens
    #[arg(long)]
    pub(crate) cost: bool,
    /// As apps see it: each of the hub's actions as a tool of its own
    #[arg(long)]
    pub(crate) catalog: bool,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Mcp {
    /// Serve Streamable HTTP on this computer instead, at port 4010 and path /mcp, until it is interrupted
    #[arg(long)]
    pub(crate) http: bool,
}

#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct SelfTest {
    /// Run guests that try to break out, to exhaust this computer, to lie and to steal the key
    #[arg(long)]
    pub(crate) hostile: bool,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

const MCP_ENVIRONMENT: &str = "\
Environment:
  ENSEMBLE_BRIDGE_TOKEN  The key; it starts with ens_. Without one, and without HUB_API_URL, a
                         hub that runs on this computer is used
  HUB_API_URL            The hub's address, for example http://127.0.0.1:4000. Without it, a hub
                         that runs on this computer, else HUB_API_HOST and HUB_API_PORT
  HUB_API_HOST           [default: 127.0.0.1]
  HUB_API_PORT           [default: 4000]
  ENSEMBLE_PLUGINS_OFF   Plugins whose tools are left out, by id and separated by commas, for an
                         editor that takes only so many; `ensemble plugin list` has the ids
  RUST_LOG               What is logged to standard error [default: warn]

  CONTEXT_BRIDGE_PORT    The port of --http [default: 4010]
  CONTEXT_BRIDGE_HOST    127.0.0.1, ::1 or localhost, which is both [default: localhost]
  CONTEXT_BRIDGE_HTTP_TOKEN
                         What every request to --http has to bring as a bearer. Without it any
                         program of this computer can ask, and files of the working folder are
                         neither read nor written

  ENSEMBLE_BRIDGE_USE_INTERNAL_TOKEN=true
                         Use the hub's own ENSEMBLE_INTERNAL_TOKEN where no key is set
  ENSEMBLE_BRIDGE_ALLOW_DEFAULT_INTERNAL_TOKEN=true
                         Allow the default value of that token, for a local demo only";

/// What every listing takes.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Listing {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Demo {
    /// Print one JSON document instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Hub {
    /// Run a hub until it is interrupted
    ///
    /// One program, one database in one folder, no other service. Keys can be made while it runs.
    Serve(Serve),
    /// Make, list and revoke keys; works beside a running hub
    #[command(subcommand)]
    Key(Key),
    /// Make a link that signs you in to the hub's pages; works beside a running hub
    ///
    /// It opens a page where you choose a name and a password, also when you forgot the former one. It works once and for ten
    /// minutes, and whoever has it can sign in as you. Standard output has the link alone.
    SignIn(HubData),
    /// Put files into a space; works beside a running hub
    #[command(subcommand)]
    File(HubFile),
    /// Let the files of repositories be read; works beside a running hub
    #[command(subcommand)]
    Repo(Repo),
    /// Take back a change that an editor or agent made; works beside a running hub
    ///
    /// Everything that the change did is put back as it was, and what it made goes to Trash. When a record of it was changed
    /// again since, nothing is undone, and the later change is named. Undoing is a change itself, and can be undone.
    Undo(Undo),
    /// See what was deleted, and take it back; works beside a running hub
    #[command(subcommand)]
    Trash(Trash),
    /// Show your settings, and change them; works beside a running hub
    #[command(subcommand)]
    Setting(Setting),
    /// Bring in what is kept elsewhere; importing again updates, and works beside a running hub
    ///
    /// Shows first what would be written, and asks. What the source did not change since the last import stays as you left
    /// it. A row that cannot be read is named with its place, the others are imported, and the exit code is 1.
    #[command(subcommand)]
    Import(Import),
    /// Write everything into one file, verified; works beside a running hub
    ///
    /// Records, links, the ledger, files, keys and settings. The file is as confidential as the hub itself.
    Backup(Backup),
    /// Make a new data folder from a backup, verified before it appears
    Restore(Restore),
}

/// Which hub's data.
#[derive(Debug, Clone, Args)]
pub(crate) struct HubData {
    /// The hub's data folder [default: ensemble/hub in your data folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    #[command(flatten)]
    pub(crate) hub: HubData,
    #[arg(long, value_name = "HOST:PORT", value_parser = host_and_port, help = LISTEN)]
    pub(crate) listen: Option<(String, u16)>,
    /// Fill the workspace with demo records; a second time adds nothing
    #[arg(long)]
    pub(crate) demo: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Key {
    /// Make a key and print it, once
    ///
    /// The hub keeps only a hash of it: a lost key is replaced, not read again. Standard output has the key alone.
    Create(CreateKey),
    /// List the keys, without their values
    List(ListKeys),
    /// Revoke a key; its next request is refused
    Revoke(RevokeKey),
}

#[derive(Debug, Subcommand)]
pub(crate) enum HubFile {
    /// Add a file: the original is kept as it is, its text is read where that can be done
    ///
    /// Text is read out of plain text, Markdown, HTML, CSV, code, PDF, Word, Excel and PowerPoint files. Adding the same file
    /// again adds another record of it; the bytes are kept once.
    Add(AddHubFile),
}

#[derive(Debug, Args)]
pub(crate) struct AddHubFile {
    /// The file
    #[arg(value_name = "PATH")]
    pub(crate) path: PathBuf,
    #[command(flatten)]
    pub(crate) hub: HubData,
    /// The space it goes into, by id or name [default: your own]
    #[arg(long, value_name = "SPACE")]
    pub(crate) space: Option<String>,
    /// What it is called there [default: the file's own name]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// What it is about, in a few words
    #[arg(long, value_name = "TEXT")]
    pub(crate) summary: Option<String>,
    /// A tag; may be given more than once
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

#[derive(Debug, Args)]
pub(crate) struct CreateKey {
    #[command(flatten)]
    pub(crate) hub: HubData,
    /// What you call the key; the decision log and the hub's ledger show it
    #[arg(long, value_name = "NAME")]
    pub(crate) name: String,
    /// The space it acts in when a call names none, by id or name; a default and no limit [default: your own]
    #[arg(long, value_name = "SPACE")]
    pub(crate) space: Option<String>,
    /// Let editors and agents make changes
    #[arg(long)]
    pub(crate) changes: bool,
    /// Let editors and agents use connected apps; this hub connects none yet, so nothing needs it
    #[arg(long)]
    pub(crate) apps: bool,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

#[derive(Debug, Args)]
pub(crate) struct ListKeys {
    #[command(flatten)]
    pub(crate) hub: HubData,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

#[derive(Debug, Args)]
pub(crate) struct RevokeKey {
    /// The key's id, or its name where one key has it
    #[arg(value_name = "ID|NAME")]
    pub(crate) key: String,
    #[command(flatten)]
    pub(crate) hub: HubData,
}

const LISTEN: &str = "Where to listen; port 0 takes a free one [default: $HUB_API_HOST:$HUB_API_PORT, else 127.0.0.1:4000]";

/// `127.0.0.1:4000`, `[::1]:4000`, `localhost:0`.
fn host_and_port(text: &str) -> Result<(String, u16), &'static str> {
    const FORM: &str = "write it like 127.0.0.1:4000";
    let (host, port) = text.rsplit_once(':').ok_or(FORM)?;
    let port = port.parse().map_err(|_| FORM)?;
    let bare = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .unwrap_or(host);
    if bare.is_empty() || (bare == host && host.contains(':')) {
        return Err(FORM);
    }
    Ok((bare.to_owned(), port))
}

#[cfg(test)]
mod tests;
