//! Which column is which field: what the person said, else the names that other programs give their columns. A column that is nothing
//! of a task is named in a note, not dropped in silence.

use ensemble_hub_api::sentences::quoted;

use crate::store::name_key;

/// A field of a task that a column can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    Id,
    Title,
    Status,
    Priority,
    Due,
    Description,
    Project,
    Repo,
    Branch,
    Labels,
    Assignee,
    RequestedBy,
}

impl Field {
    /// Every field.
    pub const ALL: [Self; 12] = [
        Self::Id,
        Self::Title,
        Self::Status,
        Self::Priority,
        Self::Due,
        Self::Description,
        Self::Project,
        Self::Repo,
        Self::Branch,
        Self::Labels,
        Self::Assignee,
        Self::RequestedBy,
    ];

    /// Its name on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Title => "title",
            Self::Status => "status",
            Self::Priority => "priority",
            Self::Due => "due",
            Self::Description => "description",
            Self::Project => "project",
            Self::Repo => "repo",
            Self::Branch => "branch",
            Self::Labels => "labels",
            Self::Assignee => "assignee",
            Self::RequestedBy => "requested-by",
        }
    }

    /// The field of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.as_str() == name)
    }

    /// The names of columns that are taken for it, most telling first.
    const fn names(self) -> &'static [&'static str] {
        match self {
            Self::Id => &["id", "key", "issue key", "task id", "identifier"],
            Self::Title => &[
                "title",
                "task",
                "task name",
                "name",
                "summary",
                "subject",
                "content",
            ],
            Self::Status => &["status", "state", "column", "section/column", "list"],
            Self::Priority => &["priority", "prio"],
            Self::Due => &["due", "due date", "deadline", "duedate", "due_date"],
            Self::Description => &["description", "notes", "note", "body", "details", "page"],
            Self::Project => &["project", "project name", "projects"],
            Self::Repo => &["repo", "repository"],
            Self::Branch => &["branch"],
            Self::Labels => &["labels", "label", "tags", "tag"],
            Self::Assignee => &[
                "assignee",
                "assigned to",
                "owner",
                "assignees",
                "responsible",
            ],
            Self::RequestedBy => &["requested by", "reporter", "requester", "creator"],
        }
    }
}

/// The columns of one file.
#[derive(Debug)]
pub(super) struct Columns {
    fields: Vec<(Field, usize)>,
    unused: Vec<String>,
}

impl Columns {
    /// From the first row and what the person said.
    pub(super) fn of(head: &csv::StringRecord, said: &[(Field, String)]) -> Result<Self, String> {
        let keys: Vec<String> = head.iter().map(name_key).collect();
        let place = |name: &str| {
            let exact = head.iter().position(|column| column.trim() == name.trim());
            exact.or_else(|| keys.iter().position(|key| *key == name_key(name)))
        };
        let mut fields: Vec<(Field, usize)> = Vec::new();
        for (field, name) in said {
            let all: Vec<String> = head.iter().map(quoted).collect();
            let at = place(name).ok_or_else(|| {
                format!(
                    "there is no column {}: use one of {}.",
                    quoted(name),
                    all.join(", ")
                )
            })?;
            fields.retain(|(known, _)| known != field);
            fields.push((*field, at));
        }
        for field in Field::ALL {
            let free = |at: &usize| fields.iter().all(|(_, taken)| taken != at);
            let found = field
                .names()
                .iter()
                .filter_map(|name| place(name))
                .find(free);
            if let Some(at) = found.filter(|_| fields.iter().all(|(known, _)| *known != field)) {
                fields.push((field, at));
            }
        }
        if fields.iter().all(|(field, _)| *field != Field::Title) {
            let all: Vec<String> = head.iter().map(quoted).collect();
            return Err(format!(
                "no column is the title: name one with --map title=COLUMN, of {}.",
                all.join(", ")
            ));
        }
        let unused = head.iter().enumerate();
        let unused = unused
            .filter(|(at, name)| {
                !name.trim().is_empty() && fields.iter().all(|(_, taken)| taken != at)
            })
            .map(|(_, name)| quoted(name))
            .collect();
        fields.sort_unstable();
        Ok(Self { fields, unused })
    }

    /// The cell of a field, unless it is empty.
    pub(super) fn cell<'a>(&self, row: &'a csv::StringRecord, field: Field) -> Option<&'a str> {
        let (_, at) = self.fields.iter().find(|(known, _)| *known == field)?;
        row.get(*at).map(str::trim).filter(|cell| !cell.is_empty())
    }

    /// What the person should know.
    pub(super) fn notes(&self) -> Vec<String> {
        if self.unused.is_empty() {
            return Vec::new();
        }
        let names = self.unused.join(", ");
        vec![format!(
            "Columns that are not imported: {names}. `--map FIELD=COLUMN` says what one is."
        )]
    }
}
