//! What a person types to bring records in, and to keep and restore a whole hub.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use ensemble_hub_server::import::table::{DateOrder, Field};

use super::{HubData, Listing};

#[derive(Debug, Subcommand)]
pub(crate) enum Import {
    /// A folder of Markdown: a page for each file, front matter kept, links between pages kept as links
    Markdown(ImportNamed),
    /// An iCalendar file: events, and each time of a series from a year ago to a year ahead
    Ics(ImportAsked),
    /// A file of vCards: people
    Vcard(ImportAsked),
    /// A CSV file: a task for each row, with the projects and people it names
    ///
    /// Columns are known by the names that other programs give them; `--map` says what is what where they are not. The
    /// delimiter is found, or named in a first line such as `sep=;`. A row is known again by its id column, else by its title.
    #[command(after_help = FIELDS)]
    Csv(ImportTable),
    /// GitHub issues as the API lists them, in a JSON file: tasks with repository, labels and people
    Github(ImportAsked),
}

const FIELDS: &str = "Fields: id, title, status, priority, due, description, project, repo, branch, labels, assignee, requested-by.";

#[derive(Debug, Args)]
pub(crate) struct ImportAsked {
    /// What is imported
    #[arg(value_name = "PATH")]
    pub(crate) path: PathBuf,
    #[command(flatten)]
    pub(crate) hub: HubData,
    /// The space it goes into, by id or name [default: your own]
    #[arg(long, value_name = "SPACE")]
    pub(crate) space: Option<String>,
    /// Write without asking
    #[arg(long, conflicts_with = "preview")]
    pub(crate) yes: bool,
    /// Only show what would be written
    #[arg(long)]
    pub(crate) preview: bool,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

/// An import whose rows have no name of their own that is the same everywhere.
#[derive(Debug, Args)]
pub(crate) struct ImportNamed {
    #[command(flatten)]
    pub(crate) asked: ImportAsked,
    /// What you call this source: importing under the same name updates what came under it, under another name adds [default: the
    /// last part of PATH]
    #[arg(long, value_name = "NAME")]
    pub(crate) source: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ImportTable {
    #[command(flatten)]
    pub(crate) named: ImportNamed,
    /// Which column is which field; as often as needed
    #[arg(long = "map", value_name = "FIELD=COLUMN", value_parser = mapping)]
    pub(crate) columns: Vec<(Field, String)>,
    /// How a date such as 03/04/2026 is read [default: as other rows of the file show]
    #[arg(long, value_name = "ORDER", value_enum)]
    pub(crate) dates: Option<Dates>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Dates {
    /// The day comes first
    Dmy,
    /// The month comes first
    Mdy,
}

impl From<Dates> for DateOrder {
    fn from(dates: Dates) -> Self {
        match dates {
            Dates::Dmy => Self::DayFirst,
            Dates::Mdy => Self::MonthFirst,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Backup {
    /// The new file; it opens everything in the hub, and only you can read it
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) hub: HubData,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// The backup
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The new data folder; it must not exist yet, or be empty
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

/// `due=Due date`.
fn mapping(text: &str) -> Result<(Field, String), String> {
    let (field, column) = text.split_once('=').ok_or("write it like due=COLUMN")?;
    let known = Field::parse(field.trim());
    let field = known.ok_or_else(|| {
        let all: Vec<&str> = Field::ALL.iter().map(|field| field.as_str()).collect();
        format!("the fields are {}", all.join(", "))
    })?;
    Ok((field, column.to_owned()))
}
