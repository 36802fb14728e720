//! What the plugin lists: each text says what comes back and when to use it, for a model that has to choose.

use ensemble_sdk::{Listed, Template, Tool, Value, json};

use crate::uris::LISTS;

/// A list that takes nothing but the common arguments.
struct Plain {
    tool: &'static str,
    title: &'static str,
    text: &'static str,
    route: &'static str,
}

const PLAIN: [Plain; 6] = [
    Plain {
        tool: "ensemble_projects",
        title: "Projects",
        text: "The projects of the space, newest change first: summary, status, owner, and how many tasks and deliverables each has. \
               What belongs to one is a call of ensemble_context with its ref.",
        route: "/api/bridge/projects",
    },
    Plain {
        tool: "ensemble_repos",
        title: "Repositories",
        text: "The repositories of the space by name: full name, provider, description, default branch, languages, and the person's \
               role. For the task of the repository that is worked in now use ensemble_brief.",
        route: "/api/bridge/repos",
    },
    Plain {
        tool: "ensemble_diagrams",
        title: "Diagrams",
        text: "The saved diagrams of the space, newest change first. ensemble_read gives the source of one.",
        route: "/api/bridge/diagrams",
    },
    Plain {
        tool: "ensemble_plots",
        title: "Plots",
        text: "The saved plots of the space, newest change first, each with its type and what it shows. ensemble_read gives one in full.",
        route: "/api/bridge/plots",
    },
    Plain {
        tool: "ensemble_deliverables",
        title: "Deliverables",
        text: "What is due to be delivered, by due date: status, owner, project and notes. Use it to see what a project or a week has \
               to produce.",
        route: "/api/bridge/deliverables",
    },
    Plain {
        tool: "ensemble_people",
        title: "People",
        text: "The people that the person works with, by name: role, team, relationship, email and last interaction. Use it to find out \
               who somebody is; what they asked for or own is a call of ensemble_context with their ref.",
        route: "/api/bridge/people",
    },
];

/// The hub route of a tool that takes nothing but the common arguments.
pub(crate) fn route(tool: &str) -> Option<&'static str> {
    PLAIN
        .iter()
        .find(|plain| plain.tool == tool)
        .map(|plain| plain.route)
}

pub(crate) fn tools() -> Vec<Tool> {
    let [projects, repos, diagrams, plots, deliverables, people] = PLAIN.each_ref().map(plain);
    vec![
        projects,
        repos,
        diagrams,
        plots,
        skills(),
        deliverables,
        meetings(),
        people,
    ]
}

fn plain(list: &Plain) -> Tool {
    Tool::read(list.tool, list.title, list.text).input(paging("Words that the name contains."), &[])
}

fn skills() -> Tool {
    let mut input = paging("Words that the name contains.");
    input["id"] = json!({
        "type": "string", "maxLength": 200,
        "description": "One skill's id or its ref: its current body comes back instead of the list.",
    });
    Tool::read(
        "ensemble_skills",
        "Skills",
        "The person's own way of working, written down: the skills that are switched on, by name, each with what it is for and its \
         version. With an id, that skill's current body. ensemble_brief already holds those that fit the task.",
    )
    .input(input, &[])
}

fn meetings() -> Tool {
    let mut input = paging("Words that the title contains.");
    input["from"] = day("The first day as YYYY-MM-DD, or an instant in RFC 3339. Left out: now.");
    input["to"] =
        day("The last day as YYYY-MM-DD, or an instant in RFC 3339. Left out: 14 days after from.");
    Tool::read(
        "ensemble_meetings",
        "Meetings",
        "The meetings of the person's calendars, from now on: start, end, place, link to join, participants, and the previous meeting \
         of the same series, whose notes ensemble_read gives. Days are those of the person's time zone; window says which were looked at.",
    )
    .input(input, &[])
}

fn day(description: &str) -> Value {
    json!({ "type": "string", "maxLength": 40, "description": description })
}

/// The arguments of every list.
fn paging(words: &str) -> Value {
    json!({
        "query": { "type": "string", "maxLength": 1000, "description": words },
        "limit": {
            "type": "integer", "minimum": 1, "maximum": 50, "default": 20,
            "description": "Records at the most.",
        },
        "offset": {
            "type": "integer", "minimum": 0, "maximum": 1_000_000, "default": 0,
            "description": "Records to skip: nextOffset of the answer before.",
        },
        "after": {
            "type": "string", "maxLength": 2000,
            "description": "next of the answer before, instead of offset: then each record comes once even while records change.",
        },
    })
}

/// A list as a resource: title and text.
fn shown(list: &str) -> (&'static str, &'static str) {
    match list {
        "projects" => (
            "Projects",
            "The projects of the space, newest change first.",
        ),
        "repos" => ("Repositories", "The repositories of the space, by name."),
        "skills" => ("Skills", "The skills that are switched on, by name."),
        "deliverables" => ("Deliverables", "What is due to be delivered, by due date."),
        "meetings" => ("Meetings", "The meetings of the next 14 days."),
        _ => ("People", "The people of the space, by name."),
    }
}

pub(crate) fn resources() -> Vec<Listed> {
    LISTS
        .iter()
        .map(|(list, _)| {
            let (title, text) = shown(list);
            Listed::json(&format!("ensemble://{list}"), list, title, text)
        })
        .collect()
}

pub(crate) fn templates() -> Vec<Template> {
    [
        (
            "projects",
            "project",
            "One project",
            "One project with its people, repositories, tasks and deliverables.",
        ),
        (
            "repos",
            "repo",
            "One repository",
            "One repository with its projects and tasks.",
        ),
        (
            "skills",
            "skill",
            "One skill",
            "One skill with its current body.",
        ),
        (
            "people",
            "person",
            "One person",
            "One person with what they asked for and own.",
        ),
    ]
    .into_iter()
    .map(|(list, name, title, text)| {
        Template::json(&format!("ensemble://{list}/{{id}}"), name, title, text)
    })
    .collect()
}
