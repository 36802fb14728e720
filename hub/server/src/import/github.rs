//! GitHub issues as the API lists them: an array of issues, or several arrays one after the other as paging clients write them. Each
//! issue is a task of its repository; pull requests, which the API lists among the issues, are left out with a note. The texts are the
//! words of others and keep the source `github`, which makes them untrusted.

use ensemble_hub_api::{Kind, TaskStatus, limits, relation};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::item::{Item, Named, Parsed, Target};
use super::text::decode;

/// People of one issue, of each part they have in it.
const PEOPLE_MAX: usize = limits::PEOPLE_MAX;

#[derive(Debug, Deserialize)]
struct Issue {
    number: u64,
    title: String,
    #[serde(default)]
    body: Option<String>,
    state: String,
    #[serde(default)]
    state_reason: Option<String>,
    html_url: String,
    #[serde(default)]
    labels: Vec<Label>,
    #[serde(default)]
    user: Option<Account>,
    #[serde(default)]
    assignees: Vec<Account>,
    #[serde(default)]
    milestone: Option<Milestone>,
    #[serde(default)]
    created_at: Option<Timestamp>,
    #[serde(default)]
    updated_at: Option<Timestamp>,
    #[serde(default)]
    closed_at: Option<Timestamp>,
    #[serde(default)]
    pull_request: Option<Value>,
}

/// The API has lists of names and lists of objects.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Label {
    Name(String),
    Object { name: String },
}

#[derive(Debug, Deserialize)]
struct Account {
    login: String,
}

#[derive(Debug, Deserialize)]
struct Milestone {
    title: String,
}

/// The issues of a file.
pub fn read(bytes: &[u8]) -> Result<Parsed, String> {
    let text = decode(bytes)?;
    let mut parsed = Parsed::default();
    let (mut place, mut pulls) = (0_usize, 0_usize);
    for array in serde_json::Deserializer::from_str(&text).into_iter::<Vec<Value>>() {
        let array = array.map_err(|error| {
            let (line, column) = (error.line(), error.column());
            format!("line {line}, column {column} is not what the issues of the API look like: an array of objects.")
        })?;
        for value in array {
            place += 1;
            let number = value.get("number").and_then(Value::as_u64);
            let named = number.map_or(format!("issue {place} of the file"), |n| {
                format!("issue {place} of the file (#{n})")
            });
            match serde_json::from_value::<Issue>(value) {
                Ok(issue) if issue.pull_request.is_some() => pulls += 1,
                Ok(issue) => match task(issue) {
                    Ok(item) => parsed.items.push(Item {
                        place: named,
                        ..item
                    }),
                    Err(reason) => parsed.bad(named, reason),
                },
                Err(error) => parsed.bad(named, format!("This is no issue of the API: {error}.")),
            }
        }
    }
    if pulls > 0 {
        parsed
            .notes
            .push(format!("Pull requests are not imported: {pulls}."));
    }
    Ok(parsed)
}

fn task(issue: Issue) -> Result<Item, String> {
    let repo = repository(&issue.html_url)
        .ok_or("Its address (html_url) does not name a repository and an issue.")?;
    let title = crate::store::one_line(&issue.title);
    if !(1..=limits::TITLE_MAX).contains(&title.chars().count()) {
        return Err(format!(
            "A title has 1 to {} characters.",
            limits::TITLE_MAX
        ));
    }
    let status = match (issue.state.as_str(), issue.state_reason.as_deref()) {
        ("open", _) => TaskStatus::Todo,
        ("closed", Some("not_planned" | "duplicate")) => TaskStatus::Dropped,
        ("closed", _) => TaskStatus::Done,
        _ => return Err("Its state is neither open nor closed.".to_owned()),
    };
    let body = issue.body.unwrap_or_default().replace("\r\n", "\n");
    if body.chars().nth(limits::PAGE_MAX).is_some() {
        return Err(format!(
            "Its text is longer than {} characters.",
            limits::PAGE_MAX
        ));
    }
    let mut item = Item {
        status: Some(status.as_str().to_owned()),
        body,
        created: issue.created_at,
        updated: issue.updated_at,
        ..Item::new(issue.html_url.to_lowercase(), Kind::Task, title)
    };
    item.set("source", "github");
    item.set("sourceUrl", issue.html_url);
    item.set("number", issue.number);
    let labels = issue.labels.into_iter().map(|label| match label {
        Label::Name(name) | Label::Object { name } => name,
    });
    item.set("labels", labels.collect::<Vec<_>>());
    item.set(
        "milestone",
        issue.milestone.map(|one| one.title).unwrap_or_default(),
    );
    let closed = issue.closed_at.map(crate::clock::instant);
    item.set("closedAt", closed.unwrap_or_default());
    item.link(
        relation::REPO,
        Some("repoId"),
        Target::Named(Named::new(Kind::Repo, repo)),
    );
    if let Some(author) = issue.user {
        item.link(relation::REQUESTED_BY, None, account(author));
    }
    for assignee in issue.assignees.into_iter().take(PEOPLE_MAX) {
        item.link(relation::ASSIGNEE, None, account(assignee));
    }
    Ok(item)
}

fn account(account: Account) -> Target {
    Target::Named(Named {
        login: Some(account.login.to_lowercase()),
        ..Named::new(Kind::Person, account.login)
    })
}

/// `owner/name` of `https://host/owner/name/issues/1`.
fn repository(address: &str) -> Option<String> {
    let (_, path) = address.split_once("://")?;
    let mut parts = path.split('/').skip(1);
    let (owner, name, kind) = (parts.next()?, parts.next()?, parts.next()?);
    let number = parts.next()?.parse::<u64>().is_ok();
    let known = kind == "issues" && number && !owner.is_empty() && !name.is_empty();
    known.then(|| format!("{owner}/{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issues_are_tasks_and_pull_requests_are_not() {
        let text = r#"[{"number":7,"title":"Crash on é","body":"Steps\r\n1","state":"closed","state_reason":"not_planned",
            "html_url":"https://github.com/acme/App/issues/7","labels":[{"name":"bug"},"p1"],"user":{"login":"Ada"},
            "assignees":[{"login":"bob"}],"milestone":{"title":"1.0"},"created_at":"2026-01-02T03:04:05Z",
            "updated_at":"2026-02-03T04:05:06Z","closed_at":"2026-02-03T04:05:06Z"},
            {"number":8,"title":"A change","state":"open","html_url":"https://github.com/acme/App/pull/8","pull_request":{}},
            {"number":9,"state":"open"}]
            [{"number":10,"title":"Second page","state":"open","html_url":"https://github.com/acme/App/issues/10"}]"#;
        let parsed = read(text.as_bytes()).unwrap();
        let [first, second] = parsed.items.as_slice() else {
            panic!("{parsed:?}")
        };
        assert_eq!(first.status.as_deref(), Some("dropped"));
        assert_eq!(
            (first.body.as_str(), second.title.as_str()),
            ("Steps\n1", "Second page")
        );
        assert_eq!(first.fields["labels"], serde_json::json!(["bug", "p1"]));
        assert_eq!(first.links.len(), 3);
        assert_eq!(parsed.bad[0].place, "issue 3 of the file (#9)");
        assert_eq!(parsed.notes, ["Pull requests are not imported: 1."]);
    }

    #[test]
    fn what_is_no_list_of_issues_is_refused_with_its_place() {
        for text in ["{\"message\":\"Not Found\"}", "[{]", "hello", "[1,"] {
            assert!(
                read(text.as_bytes())
                    .unwrap_err()
                    .starts_with("line 1, column"),
                "{text}"
            );
        }
        assert!(read(b"[]").unwrap().items.is_empty());
        let parsed = read(b"[1]").unwrap();
        assert_eq!(parsed.bad_total, 1);
    }
}
