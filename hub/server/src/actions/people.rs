//! People, and the repositories of the space. Two people may have one name, but not one e-mail address. A project has any number of
//! repositories, a task one.

mod delete;
mod list;
mod repos;
mod write;

use super::{Action, changes, reads};

/// The group.
pub(super) const ACTIONS: &[Action] = &[
    reads!(
        "hub_list_people",
        list::People,
        list::people,
        "Lists people by name, with their role, team, e-mail address and what they are to the person."
    ),
    reads!(
        "hub_list_repos",
        list::Repos,
        list::repos,
        "Lists the repositories that Ensemble knows, by name."
    ),
    changes!(
        "hub_create_person",
        write::Create,
        write::create,
        "Adds a person. Look with hub_list_people first; an e-mail address that somebody has is refused with who that is."
    ),
    changes!(
        "hub_update_person",
        write::Update,
        write::update,
        "Changes a person's role, team or relationship to the person: what is left out stays, null empties."
    ),
    changes!(
        "hub_delete_person",
        delete::One,
        delete::delete,
        "Moves a person to Trash, where the person can take them out again; tasks and projects keep their links."
    ),
    changes!(
        "hub_link_repo",
        repos::Link,
        repos::link,
        "Links a repository that Ensemble knows to a project or a task. A task has one repository: one that has another is refused."
    ),
    changes!(
        "hub_unlink_repo",
        repos::Link,
        repos::unlink,
        "Takes a repository off a project or a task; the repository itself stays."
    ),
    changes!(
        "hub_update_repo",
        repos::Update,
        repos::update,
        "Changes what Ensemble keeps of a repository: its description, default branch, the person's role in it, and whether it is followed."
    ),
];
