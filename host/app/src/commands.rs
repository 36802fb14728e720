//! One file for each command. Standard output is for results; what else a person should see goes to standard error.

mod audit;
mod candidate;
mod demo;
mod hub_backup;
mod hub_file;
mod hub_import;
mod hub_key;
mod hub_mcp;
mod hub_pages;
mod hub_repo;
mod hub_serve;
mod hub_setting;
mod hub_sign_in;
mod hub_undo;
mod log_show;
mod log_verify;
mod mcp;
mod mcp_http;
mod plugin_inspect;
mod plugin_install;
mod plugin_list;
mod plugin_verify;
mod selftest;
mod signals;
mod status;
mod tools;

use std::future::Future;
use std::time::Duration;

use anyhow::Context as _;

use crate::cli::log::Log;
use crate::cli::plugin::Plugin;
use crate::cli::{Command, Hub, HubFile};
use crate::env::Environment;

/// Two cores are enough for a bridge, and each worker costs a stack; compiling takes its own threads.
const WORKERS: usize = 2;
/// How long a read of standard input or a lookup that hangs may hold up the end of the process.
const LEFTOVERS: Duration = Duration::from_millis(100);

/// Runs what was typed.
pub(crate) fn run(command: Command, env: &dyn Environment) -> anyhow::Result<()> {
    match command {
        Command::Demo(asked) => wait(demo::run(asked)),
        Command::Mcp(asked) if asked.http => wait(mcp_http::run(env)),
        Command::Mcp(_) => wait(mcp::run(env)),
        Command::Hub(Hub::Serve(asked)) => wait(hub_serve::run(asked, env)),
        Command::Hub(Hub::SignIn(asked)) => wait(hub_sign_in::run(asked, env)),
        Command::Hub(Hub::File(HubFile::Add(asked))) => wait(hub_file::add(asked, env)),
        Command::Hub(Hub::Undo(asked)) => wait(hub_undo::undo(asked, env)),
        Command::Hub(Hub::Trash(asked)) => wait(hub_undo::trash(asked, env)),
        Command::Hub(Hub::Repo(asked)) => wait(hub_repo::run(asked, env)),
        Command::Hub(Hub::Setting(asked)) => wait(hub_setting::run(asked, env)),
        Command::Hub(Hub::Import(asked)) => wait(hub_import::run(asked, env)),
        Command::Hub(Hub::Backup(asked)) => wait(hub_backup::backup(asked, env)),
        Command::Hub(Hub::Restore(asked)) => wait(hub_backup::restore(asked)),
        Command::Hub(Hub::Key(asked)) => wait(hub_key::run(asked, env)),
        Command::Plugin(asked) => plugin(asked, env),
        Command::Audit(asked) => audit::run(asked, env),
        Command::Log(Log::Show(asked)) => log_show::run(&asked, env),
        Command::Log(Log::Verify(asked)) => log_verify::run(asked, env),
        Command::Selftest(asked) => wait(selftest::run(asked, env)),
        Command::Tools(asked) => tools::run(asked, env),
        Command::Status(asked) => wait(status::run(asked, env)),
    }
}

fn plugin(asked: Plugin, env: &dyn Environment) -> anyhow::Result<()> {
    match asked {
        Plugin::List(asked) => wait(plugin_list::run(asked, env)),
        Plugin::Inspect(asked) => wait(plugin_inspect::run(asked, env)),
        Plugin::Install(asked) => wait(plugin_install::install(asked, env)),
        Plugin::Verify(asked) => wait(plugin_verify::run(asked, env)),
        Plugin::Approve(asked) => wait(plugin_install::approve(asked, env)),
        Plugin::Remove(asked) => plugin_install::remove(&asked, env),
    }
}

fn wait(work: impl Future<Output = anyhow::Result<()>>) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(WORKERS)
        .enable_all()
        .build()
        .context("cannot start")?;
    let done = runtime.block_on(work);
    runtime.shutdown_timeout(LEFTOVERS);
    done
}
