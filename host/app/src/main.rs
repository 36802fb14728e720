//! The binary `ensemble`: configuration, composition, commands. The only place that reads the environment, and the only
//! crate with clap and anyhow.
//!
//! To add a command: 1. what a person types in `cli`; 2. its file in `commands`; 3. its arm in `commands::run`; 4. its help
//! page with `BLESS=1 cargo test -p ensemble`.
#![forbid(unsafe_code)]

mod backends;
mod cli;
mod commands;
mod compose;
mod config;
mod discovery;
mod env;
mod folders;
mod logging;
mod memory;
mod offered;
mod output;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    let env = env::ProcessEnvironment;
    logging::start(&env);
    memory::keep_to_oneself();
    let done = commands::run(cli.command, &env);
    logging::finish();
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::note(&format!("error: {}", output::sentence(&error)));
            ExitCode::FAILURE
        }
    }
}
