//! What is asked: every read route, with other words or records each time.

use ensemble_hub_api::paths;

use super::generate::World;
use super::measure::Target;
use super::random::Random;
use super::words::{COMMON, RARE};

pub(super) type Query = Vec<(&'static str, String)>;
pub(super) type Ask<'a> = Box<dyn Fn(&mut Random) -> (String, Query) + 'a>;

/// Every kind of request with its target.
pub(super) fn asks(world: &World) -> Vec<(&'static str, Target, Ask<'_>)> {
    let mut all = lists(world);
    all.extend(records(world));
    all.extend(searches(world));
    all.extend(briefs(world));
    all
}

fn fixed(path: &'static str, query: &[(&'static str, &str)]) -> Ask<'static> {
    let query: Query = query
        .iter()
        .map(|(name, value)| (*name, (*value).to_owned()))
        .collect();
    Box::new(move |_| (path.to_owned(), query.clone()))
}

fn lists(world: &World) -> Vec<(&'static str, Target, Ask<'_>)> {
    let list = Target::List;
    vec![
        ("whoami", list, fixed(paths::WHOAMI, &[])),
        ("tasks", list, fixed(paths::TASKS, &[])),
        (
            "tasks status=open",
            list,
            fixed(paths::TASKS, &[("status", "open")]),
        ),
        (
            "tasks status=done limit=50",
            list,
            fixed(paths::TASKS, &[("status", "done"), ("limit", "50")]),
        ),
        (
            "tasks offset=5000",
            list,
            fixed(paths::TASKS, &[("offset", "5000")]),
        ),
        ("tasks q=common", list, words(paths::TASKS, "q", &COMMON)),
        ("tasks q=rare", list, words(paths::TASKS, "q", &RARE)),
        ("projects", list, fixed(paths::PROJECTS, &[])),
        ("repos", list, fixed(paths::REPOS, &[])),
        ("people", list, fixed(paths::PEOPLE, &[])),
        (
            "people offset=1000",
            list,
            fixed(paths::PEOPLE, &[("offset", "1000")]),
        ),
        (
            "people q=name",
            list,
            Box::new(|random| {
                let (_, title) = random.one(&world.tasks);
                let word = title.split(' ').next().unwrap_or("a").to_owned();
                (paths::PEOPLE.to_owned(), vec![("q", word)])
            }),
        ),
        ("skills", list, fixed(paths::SKILLS, &[])),
        ("deliverables", list, fixed(paths::DELIVERABLES, &[])),
        ("meetings", list, fixed(paths::MEETINGS, &[])),
        ("files", list, fixed(paths::FILES, &[])),
        ("today", list, fixed(paths::TODAY, &[])),
        ("decisions", list, fixed(paths::DECISIONS, &[])),
        ("docs", list, fixed(paths::DOCS, &[("query", "keys")])),
    ]
}

fn words(path: &'static str, field: &'static str, words: &'static [&'static str]) -> Ask<'static> {
    Box::new(move |random| {
        (
            path.to_owned(),
            vec![(field, (*random.one(words)).to_owned())],
        )
    })
}

fn read<'a>(kind: &'static str, ids: &'a [String]) -> Ask<'a> {
    Box::new(move |random| {
        let query = vec![("kind", kind.to_owned()), ("id", random.one(ids).clone())];
        (paths::READ.to_owned(), query)
    })
}

fn context<'a>(kind: &'static str, ids: &'a [String]) -> Ask<'a> {
    Box::new(move |random| {
        let item = format!("ensemble://{kind}/{}", random.one(ids));
        (paths::CONTEXT.to_owned(), vec![("item", item)])
    })
}

fn records(world: &World) -> Vec<(&'static str, Target, Ask<'_>)> {
    let growth = Target::Growth;
    vec![
        (
            "task",
            growth,
            Box::new(|random| {
                let (id, _) = random.one(&world.tasks);
                (paths::TASK.replace("{id}", id), Vec::new())
            }),
        ),
        ("read page", growth, read("page", &world.pages)),
        ("read person", growth, read("person", &world.people)),
        ("read project", growth, read("project", &world.projects)),
        ("context of a page", growth, context("page", &world.pages)),
        (
            "context of a person",
            growth,
            context("person", &world.people),
        ),
        (
            "context of a project",
            growth,
            context("project", &world.projects),
        ),
        (
            "context of a task, packet",
            growth,
            Box::new(|random| {
                let (id, _) = random.one(&world.tasks);
                let item = format!("ensemble://task/{id}");
                (
                    paths::CONTEXT.to_owned(),
                    vec![("item", item), ("format", "packet".to_owned())],
                )
            }),
        ),
    ]
}

fn searches(world: &World) -> Vec<(&'static str, Target, Ask<'_>)> {
    let search = Target::Search;
    let q = |query: String| (paths::SEARCH.to_owned(), vec![("q", query)]);
    vec![
        (
            "search common word",
            search,
            words(paths::SEARCH, "q", &COMMON),
        ),
        (
            "search two common words",
            search,
            Box::new(move |random| q(format!("{} {}", random.one(&COMMON), random.one(&COMMON)))),
        ),
        ("search rare word", search, words(paths::SEARCH, "q", &RARE)),
        (
            "search rare and common",
            search,
            Box::new(move |random| q(format!("{} {}", random.one(&RARE), random.one(&COMMON)))),
        ),
        (
            "search exact title",
            search,
            Box::new(move |random| q(random.one(&world.tasks).1.clone())),
        ),
        (
            "search beginning of a word",
            search,
            Box::new(move |random| {
                let word = *random.one(&COMMON);
                q(word.chars().take(2 + random.below(4)).collect())
            }),
        ),
        (
            "search common, kinds=person",
            search,
            Box::new(move |random| {
                (
                    paths::SEARCH.to_owned(),
                    vec![
                        ("q", (*random.one(&COMMON)).to_owned()),
                        ("kinds", "person".to_owned()),
                    ],
                )
            }),
        ),
        (
            "search common, near a project",
            search,
            Box::new(move |random| {
                let near = format!("ensemble://project/{}", random.one(&world.projects));
                (
                    paths::SEARCH.to_owned(),
                    vec![("q", (*random.one(&COMMON)).to_owned()), ("near", near)],
                )
            }),
        ),
    ]
}

fn briefs(world: &World) -> Vec<(&'static str, Target, Ask<'_>)> {
    let search = Target::Search;
    vec![
        (
            "brief of a task",
            search,
            Box::new(move |random| {
                (
                    paths::BRIEF.to_owned(),
                    vec![(
                        "task",
                        format!("ensemble://task/{}", random.one(&world.tasks).0),
                    )],
                )
            }),
        ),
        (
            "brief of a task by title",
            search,
            Box::new(move |random| {
                (
                    paths::BRIEF.to_owned(),
                    vec![("task", random.one(&world.tasks).1.clone())],
                )
            }),
        ),
        (
            "brief of a repository",
            search,
            Box::new(move |random| {
                (
                    paths::BRIEF.to_owned(),
                    vec![("repo", random.one(&world.repos).clone())],
                )
            }),
        ),
        (
            "brief of a branch",
            search,
            Box::new(move |random| {
                let branch = format!("work/{}", random.below(world.tasks.len()));
                (
                    paths::BRIEF.to_owned(),
                    vec![
                        ("repo", random.one(&world.repos).clone()),
                        ("branch", branch),
                    ],
                )
            }),
        ),
        (
            "brief with a query",
            search,
            Box::new(move |random| {
                let task = format!("ensemble://task/{}", random.one(&world.tasks).0);
                (
                    paths::BRIEF.to_owned(),
                    vec![("task", task), ("query", (*random.one(&COMMON)).to_owned())],
                )
            }),
        ),
    ]
}
