//! What belongs to a task: gathered once from its links, its project's and its meeting's, and
//! used for the packet and for the lists of the brief. Bounds stand with each list.

use std::collections::BTreeSet;

use ensemble_hub_api::{Kind, TaskStatus, relation};

use super::resolve::is_open;
use crate::error::RouteError;
use crate::store::{Direction, LinkQuery, Linked, Record};
use crate::view::Reader;

/// People of one brief.
const PEOPLE_MAX: usize = 10;
/// Tasks of one list.
const TASKS_MAX: usize = 12;
/// Records of any other list.
const OTHERS_MAX: usize = 10;

/// A person with what they have to do with the task.
#[derive(Debug, Clone)]
pub struct Involved {
    /// The person.
    pub person: Record,
    /// In words: `asked for it`, `owns it`, …
    pub how: Vec<&'static str>,
}

/// Everything around a task or, without one, around a repository.
#[derive(Debug, Default)]
pub struct Around {
    /// The project.
    pub project: Option<Record>,
    /// The repository.
    pub repo: Option<Record>,
    /// The people, nearest first.
    pub people: Vec<Involved>,
    /// The meetings it came from.
    pub meetings: Vec<Record>,
    /// What it waits for.
    pub depends_on: Vec<Record>,
    /// What waits for it.
    pub needed_by: Vec<Record>,
    /// Open tasks beside it.
    pub related_open: Vec<Record>,
    /// Finished tasks beside it.
    pub done_before: Vec<Record>,
    /// What it is part of.
    pub deliverables: Vec<Record>,
    /// Files on it.
    pub files: Vec<Record>,
    /// Other records linked to it.
    pub sources: Vec<Record>,
    /// Skills linked to the task or its project, with why.
    pub skills: Vec<(Record, &'static str)>,
}

impl Around {
    /// What belongs to `task`.
    pub async fn task(reader: &Reader<'_>, task: &Record) -> Result<Self, RouteError> {
        let from = reader.store.links_from(reader.space, &task.id).await?;
        let to = reader.store.links_to(reader.space, &task.id).await?;
        let mut around = Self {
            project: linked_or_field(reader, &from, relation::PROJECT, task.text("projectId"))
                .await?,
            repo: linked_or_field(reader, &from, relation::REPO, task.text("repoId")).await?,
            meetings: ends(&from, relation::FROM_MEETING, OTHERS_MAX),
            depends_on: ends(&from, relation::DEPENDS_ON, TASKS_MAX),
            needed_by: ends(&to, relation::DEPENDS_ON, TASKS_MAX),
            deliverables: ends(&from, relation::DELIVERABLE, OTHERS_MAX),
            ..Self::default()
        };
        around.files = ends(&from, relation::ATTACHED, OTHERS_MAX);
        let related = |links: &[Linked]| ends(links, relation::RELATED, usize::MAX);
        let mut related = [related(&from), related(&to)].concat();
        around.sources = related
            .iter()
            .filter(|r| r.kind != Kind::Task)
            .cloned()
            .collect();
        around.sources.truncate(OTHERS_MAX);
        related.retain(|record| record.kind == Kind::Task);
        for skill in ends(&from, relation::SKILL, OTHERS_MAX) {
            around.skills.push((skill, "linked to this task"));
        }
        around.work_beside(reader, task, related).await?;
        around.people_of_task(reader, task, &from).await?;
        around.of_project(reader).await?;
        Ok(around)
    }

    /// What belongs to `repo`: the project that it is part of, where that is one.
    pub async fn repo(reader: &Reader<'_>, repo: &Record) -> Result<Self, RouteError> {
        let query = LinkQuery {
            relations: vec![relation::REPO.to_owned()],
            kinds: vec![Kind::Project],
            ..LinkQuery::new(repo.id.as_str(), Direction::To)
        };
        let mut projects = reader.store.first_links(reader.space, &query).await?;
        let project = (projects.len() == 1).then(|| projects.remove(0).record);
        let mut around = Self {
            repo: Some(repo.clone()),
            project,
            ..Self::default()
        };
        around.of_project(reader).await?;
        if let Some(project) = around.project.clone() {
            let kinds = [Kind::Deliverable];
            around.deliverables = of(reader, &project, &kinds, &[], OTHERS_MAX).await?;
        }
        Ok(around)
    }

    /// Open and finished tasks: those linked to the task first, then those of its project.
    async fn work_beside(
        &mut self,
        reader: &Reader<'_>,
        task: &Record,
        related: Vec<Record>,
    ) -> Result<(), RouteError> {
        let mut seen: BTreeSet<String> = BTreeSet::from([task.id.clone()]);
        seen.extend(
            self.depends_on
                .iter()
                .chain(&self.needed_by)
                .map(|task| task.id.clone()),
        );
        let mut beside = related;
        if let Some(project) = &self.project {
            let open: Vec<&str> = TaskStatus::OPEN
                .iter()
                .map(|status| status.as_str())
                .collect();
            let done = [TaskStatus::Done.as_str()];
            beside.extend(of(reader, project, &[Kind::Task], &open, TASKS_MAX * 2).await?);
            beside.extend(of(reader, project, &[Kind::Task], &done, TASKS_MAX).await?);
        }
        for record in beside {
            if !seen.insert(record.id.clone()) {
                continue;
            }
            let done = record.status.as_deref() == Some(TaskStatus::Done.as_str());
            let list = if is_open(&record) {
                &mut self.related_open
            } else if done {
                &mut self.done_before
            } else {
                continue;
            };
            if list.len() < TASKS_MAX {
                list.push(record);
            }
        }
        Ok(())
    }

    async fn people_of_task(
        &mut self,
        reader: &Reader<'_>,
        task: &Record,
        from: &[Linked],
    ) -> Result<(), RouteError> {
        for (name, how) in [
            (relation::REQUESTED_BY, "asked for it"),
            (relation::OWNER, "owns it"),
            (relation::ASSIGNEE, "works on it"),
        ] {
            for person in ends(from, name, OTHERS_MAX) {
                self.involve(person, how);
            }
        }
        if let Some(id) = task.text("owner")
            && let Some(person) = reader.store.record(reader.space, id).await?
        {
            self.involve(person, "owns it");
        }
        for meeting in self.meetings.clone() {
            let links = reader.store.links_from(reader.space, &meeting.id).await?;
            for person in ends(&links, relation::PARTICIPANT, OTHERS_MAX) {
                self.involve(person, "was in the meeting");
            }
        }
        Ok(())
    }

    /// The people and skills of the project.
    async fn of_project(&mut self, reader: &Reader<'_>) -> Result<(), RouteError> {
        let Some(project) = self.project.clone() else {
            return Ok(());
        };
        let links = reader.store.links_from(reader.space, &project.id).await?;
        for person in ends(&links, relation::OWNER, OTHERS_MAX) {
            self.involve(person, "leads the project");
        }
        for person in ends(&links, relation::MEMBER, OTHERS_MAX) {
            self.involve(person, "is in the project");
        }
        let mut skills = ends(&links, relation::SKILL, OTHERS_MAX);
        skills.extend(of(reader, &project, &[Kind::Skill], &[], OTHERS_MAX).await?);
        for skill in skills {
            if !self.skills.iter().any(|(known, _)| known.id == skill.id) {
                self.skills.push((skill, "linked to the project"));
            }
        }
        Ok(())
    }

    fn involve(&mut self, person: Record, how: &'static str) {
        if person.kind != Kind::Person {
            return;
        }
        if let Some(known) = self
            .people
            .iter_mut()
            .find(|known| known.person.id == person.id)
        {
            // Being a member says nothing new about somebody with a part in the task.
            if how != "is in the project" && !known.how.contains(&how) {
                known.how.push(how);
            }
        } else if self.people.len() < PEOPLE_MAX {
            self.people.push(Involved {
                person,
                how: vec![how],
            });
        }
    }
}

/// The record at the end of a link of this relation, else the one that a field names.
async fn linked_or_field(
    reader: &Reader<'_>,
    links: &[Linked],
    name: &str,
    field: Option<&str>,
) -> Result<Option<Record>, RouteError> {
    if let Some(record) = ends(links, name, 1).pop() {
        return Ok(Some(record));
    }
    match field {
        Some(id) => Ok(reader.store.record(reader.space, id).await?),
        None => Ok(None),
    }
}

fn ends(links: &[Linked], name: &str, most: usize) -> Vec<Record> {
    let of_relation = links.iter().filter(|link| link.relation == name);
    of_relation
        .take(most)
        .map(|link| link.record.clone())
        .collect()
}

/// What is part of `project`, newest update first.
async fn of(
    reader: &Reader<'_>,
    project: &Record,
    kinds: &[Kind],
    statuses: &[&str],
    most: usize,
) -> Result<Vec<Record>, RouteError> {
    let query = LinkQuery {
        relations: vec![relation::PROJECT.to_owned()],
        kinds: kinds.to_vec(),
        statuses: statuses.iter().map(|status| (*status).to_owned()).collect(),
        limit: u32::try_from(most).unwrap_or(u32::MAX),
        ..LinkQuery::new(project.id.as_str(), Direction::To)
    };
    let links = reader.store.first_links(reader.space, &query).await?;
    Ok(links.into_iter().map(|link| link.record).collect())
}
