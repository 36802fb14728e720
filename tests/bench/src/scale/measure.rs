//! Asks a hub over HTTP, one request after the other, each with other words or records.

use std::time::{Duration, Instant};

use anyhow::ensure;
use ensemble_hub_api::paths;
use ensemble_hub_client::{Bearer, Call, HubClient};

use super::generate::World;
use super::random::Random;
use super::words::{COMMON, RARE};
use crate::hub::Hub;

/// Requests of each kind; the first tenth is not counted.
const REQUESTS: usize = 300;
const WARM: usize = 30;
const TIMEOUT: Duration = Duration::from_secs(30);

/// One kind of request.
pub(super) struct Route {
    pub(super) name: &'static str,
    pub(super) target: Target,
    pub(super) p50: f64,
    pub(super) p99: f64,
}

/// What is wanted at the large size.
#[derive(Clone, Copy)]
pub(super) enum Target {
    /// At most 20 ms at p50 and 60 ms at p99.
    Search,
    /// At most 5 ms at p50.
    List,
    /// Only that it grows at most threefold.
    Growth,
}

impl Target {
    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Search => "p50 <= 20, p99 <= 60",
            Self::List => "p50 <= 5",
            Self::Growth => "growth <= 3",
        }
    }

    pub(super) fn is_met(self, small: &Route, large: &Route) -> bool {
        // Below half a millisecond a ratio is noise.
        let grows = large.p50 > 3.0 * small.p50 && large.p50 > 0.5;
        let fast = match self {
            Self::Search => large.p50 <= 20.0 && large.p99 <= 60.0,
            Self::List => large.p50 <= 5.0,
            Self::Growth => true,
        };
        fast && !grows
    }
}

type Query = Vec<(&'static str, String)>;
type Ask<'a> = Box<dyn Fn(&mut Random) -> (String, Query) + 'a>;

/// Measures every read route.
pub(super) fn routes(hub: &Hub, world: &World) -> anyhow::Result<Vec<Route>> {
    let client = HubClient::new(hub.url(), &Bearer::new(hub.key()))?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let mut done = Vec::new();
        for (name, target, ask) in asks(world) {
            let mut random = Random::new(3);
            let mut times = Vec::with_capacity(REQUESTS);
            for at in 0..REQUESTS {
                let (path, query) = ask(&mut random);
                let query: Vec<(&str, &str)> = query
                    .iter()
                    .map(|(name, value)| (*name, value.as_str()))
                    .collect();
                let started = Instant::now();
                let reply = client
                    .request(Call {
                        query: &query,
                        ..Call::get(&path, TIMEOUT)
                    })
                    .await?;
                let time = started.elapsed().as_secs_f64() * 1e3;
                ensure!(!reply.body.is_empty(), "{name} answered nothing");
                if at >= WARM {
                    times.push(time);
                }
            }
            times.sort_by(f64::total_cmp);
            let at = |percent: usize| {
                times
                    .get(times.len() * percent / 100)
                    .copied()
                    .unwrap_or(f64::NAN)
            };
            done.push(Route {
                name,
                target,
                p50: at(50),
                p99: at(99),
            });
        }
        Ok(done)
    })
}

fn asks(world: &World) -> Vec<(&'static str, Target, Ask<'_>)> {
    let mut all = lists(world);
    all.extend(records(world));
    all.extend(searches(world));
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
