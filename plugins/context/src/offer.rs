//! What the plugin lists: each text says what comes back and when to use it, for a model that has to choose.

use ensemble_sdk::{Listed, Template, Tool, json};

/// Kinds that search finds.
const SEARCHED: [&str; 13] = [
    "task",
    "project",
    "person",
    "repo",
    "deliverable",
    "meeting",
    "page",
    "document",
    "file",
    "artifact",
    "skill",
    "diagram",
    "plot",
];

/// Kinds that can be read in full.
const READABLE: [&str; 16] = [
    "task",
    "project",
    "repo",
    "skill",
    "deliverable",
    "person",
    "artifact",
    "document",
    "file",
    "meeting_note",
    "meeting",
    "approval",
    "decision",
    "diagram",
    "plot",
    "page",
];

/// Kinds whose id can be given to the context tool; a handle or a link can be of any kind.
const LINKED: [&str; 9] = [
    "task",
    "project",
    "person",
    "repo",
    "deliverable",
    "meeting",
    "file",
    "page",
    "event",
];

/// The relations of the graph, from each of their ends.
pub(crate) const RELATIONS: [&str; 27] = [
    "from_meeting",
    "requested_by",
    "project",
    "repo",
    "deliverable",
    "owner",
    "assignee",
    "member",
    "participant",
    "depends_on",
    "needed_by",
    "series",
    "continued_by",
    "led_to",
    "asked_for",
    "owns",
    "works_on",
    "member_of",
    "takes_part_in",
    "contains",
    "repo_of",
    "delivered_by",
    "attached",
    "attached_to",
    "skill",
    "skill_of",
    "related",
];

pub(crate) fn tools() -> Vec<Tool> {
    vec![
        brief(),
        context(),
        search(),
        read(),
        today(),
        decisions(),
        gaps(),
    ]
}

fn brief() -> Tool {
    Tool::read(
        "ensemble_brief",
        "Brief for the current work",
        "The brief for the work at hand: its task, where the task came from and who asked, project, people and their \
         roles, related work, deliverables, files, the person's own way of working, and cited excerpts. Call it first. \
         Without arguments it uses the repository and branch of the working folder; a task that does not match is \
         never guessed: the candidates are named instead.",
    )
    .input(
        json!({
            "task": {
                "type": "string", "maxLength": 2000,
                "description": "The task: an ensemble://task/<id> handle, a Hub link, its id, or the exact title of an open task. Then repo and branch are not used.",
            },
            "repo": {
                "type": "string", "maxLength": 500,
                "description": "The repository as owner/name or its remote URL. Left out: that of the working folder.",
            },
            "branch": {
                "type": "string", "maxLength": 255,
                "description": "The branch that is worked on. Left out: that of the working folder.",
            },
            "query": {
                "type": "string", "maxLength": 1000,
                "description": "Words to search for as well, such as what the person just asked.",
            },
            "limit": limit("Excerpts and search results at the most."),
        }),
        &[],
    )
}

fn context() -> Tool {
    Tool::read(
        "ensemble_context",
        "What a record links to",
        "One record and what it links to, from both ends: where it came from, its people, what it waits for and what waits for it, \
         its project, files and more. Six records of each relation, each with a ref to call again with. Use it to follow a trail from \
         a brief, a search or a list; rel gives one relation in full, format packet one Markdown text to work from.",
    )
    .input(
        json!({
            "item": {
                "type": "string", "minLength": 1, "maxLength": 2000,
                "description": "The record: an ensemble://<kind>/<id> handle, its Hub link, or its id together with kind.",
            },
            "kind": {
                "type": "string", "enum": LINKED,
                "description": "The record's kind. Leave it out when item is a handle or a link.",
            },
            "rel": {
                "type": "string", "enum": RELATIONS,
                "description": "Only this relation, in parts: a rel of the answer without it.",
            },
            "offset": {
                "type": "integer", "minimum": 0, "maximum": 1_000_000, "default": 0,
                "description": "With rel: records to skip, nextOffset of the answer before.",
            },
            "limit": {
                "type": "integer", "minimum": 1, "maximum": 50, "default": 20,
                "description": "With rel: records at the most.",
            },
            "after": {
                "type": "string", "maxLength": 2000,
                "description": "With rel: next of the answer before, instead of offset.",
            },
            "format": {
                "type": "string", "enum": ["json", "packet"], "default": "json",
                "description": "packet: one Markdown text of at most 8,000 characters instead, without rel.",
            },
        }),
        &["item"],
    )
}

fn search() -> Tool {
    Tool::read(
        "ensemble_search",
        "Search Ensemble",
        "Ranked word search over tasks, projects, people, repositories, deliverables, meeting notes with transcripts, \
         pages, files, saved app items, skills, diagrams and plots. Each hit has an excerpt, a ref to read it in full \
         and why it was found. Use it when you know words but not the record; for product help use ensemble_docs.",
    )
    .input(
        json!({
            "query": {
                "type": "string", "minLength": 1, "maxLength": 1000,
                "description": "The words, taken literally: there is no query syntax.",
            },
            "limit": limit("How many results are wanted; up to three times as many come back, at most 40."),
            "kinds": {
                "type": "array", "maxItems": SEARCHED.len(),
                "items": { "type": "string", "enum": SEARCHED },
                "description": "Only records of these kinds. Left out or empty: all kinds.",
            },
            "near": {
                "type": "string", "maxLength": 2000,
                "description": "A record's handle, such as ensemble://task/<id>: what is linked to it comes first.",
            },
        }),
        &["query"],
    )
}

fn read() -> Tool {
    Tool::read(
        "ensemble_read",
        "Read one record",
        "One record in full, with its text in parts: body.nextOffset says where the next part begins. Use it with a ref \
         from a brief, a search or a list. A meeting gives its whole transcript; a document gives its details and \
         summary; a page gives the source of the diagrams in it too.",
    )
    .input(
        json!({
            "kind": {
                "type": "string", "enum": READABLE,
                "description": "The record's kind. Leave it out when ref is given, or id is a handle or a link.",
            },
            "id": {
                "type": "string", "maxLength": 2000,
                "description": "The record's id, its ensemble://<kind>/<id> handle, or its Hub link. Give this or ref.",
            },
            "ref": {
                "type": "string", "maxLength": 2000,
                "description": "The record's handle, ensemble://<kind>/<id>, as other answers give it in ref. Give this or id.",
            },
            "offset": {
                "type": "integer", "minimum": 0, "maximum": 100_000_000, "default": 0,
                "description": "The character of the body to begin at.",
            },
            "limit": {
                "type": "integer", "minimum": 1, "maximum": 20000,
                "description": "Characters of the body at the most: 15000 of a page and 20000 of a diagram, which is also what comes when it is left out; 8000 of anything else, 4000 when left out.",
            },
        }),
        &[],
    )
}

fn today() -> Tool {
    Tool::read(
        "ensemble_today",
        "Today",
        "The person's day in their own time zone: tasks in focus, proposed tasks, tasks ready for review, what others \
         owe, deliverables, meetings, and how much waits for an answer. Use it to plan or to say what is next.",
    )
}

fn decisions() -> Tool {
    Tool::read(
        "ensemble_decisions",
        "Needs me",
        "What waits for the person's own answer: pending approvals and questions of editors and agents. Read only; \
         the person answers them in Ensemble.",
    )
}

fn gaps() -> Tool {
    Tool::read(
        "ensemble_gaps",
        "What Ensemble cannot give",
        "What this connection does not have or will not give, and why. Use it before saying that something does not \
         exist, or when an answer seems to miss something.",
    )
}

fn limit(description: &str) -> ensemble_sdk::Value {
    json!({
        "type": "integer", "minimum": 1, "maximum": 20, "default": 8,
        "description": description,
    })
}

pub(crate) fn resources() -> Vec<Listed> {
    vec![
        Listed::json(
            "ensemble://today",
            "today",
            "Today",
            "The person's day in their own time zone.",
        ),
        Listed::json(
            "ensemble://decisions",
            "decisions",
            "Needs me",
            "Pending approvals and questions, read only.",
        ),
        Listed::json(
            "ensemble://gaps",
            "gaps",
            "What Ensemble cannot give",
            "What is missing or left out, and why.",
        ),
    ]
}

pub(crate) fn templates() -> Vec<Template> {
    vec![Template::json(
        "ensemble://items/{kind}/{id}",
        "item",
        "One record",
        "One record of any readable kind, with the first part of its text.",
    )]
}
