//! `ensemble audit`: what every component can do and why, and what the host around it is. It asks no hub, compiles nothing
//! and runs no component; everything that it shows is read where the host itself reads it:
//!
//! | shown | read from |
//! |---|---|
//! | imports, exports | the component's bytes, by the check that every load begins with |
//! | capabilities, routes, limits | the declaration and the grant that the broker decides by |
//! | what is linked | the tables from which linkers are filled |
//! | switched-off features | the list that the engine is made with |
//! | kept code | the files themselves, authenticated as before they are run |
//!
//! What a reviewer must not miss stands first: what a key exposes, then the findings, the worst on top.

pub(super) mod component;
mod findings;
mod host;
mod report;
mod sarif;
mod sbom;
pub(super) mod text;

use crate::cli::audit::{Audit, Format};
use crate::compose::Composed;
use crate::env::Environment;
use crate::folders::Folders;
use crate::output;
use report::Report;

pub(crate) fn run(asked: Audit, env: &dyn Environment) -> anyhow::Result<()> {
    let report = || -> anyhow::Result<Report> {
        let parts = Composed::of(env)?;
        let report = report::of(&parts, &Folders::of(env));
        parts.close();
        Ok(report)
    };
    match asked.format() {
        Format::Text => Ok(output::print(&text::render(&report()?, output::width()))?),
        Format::Json => output::json(&report()?),
        Format::Sarif => output::json(&sarif::of(&report()?)),
        Format::Cyclonedx => output::json(&sbom::document()?),
    }
}
