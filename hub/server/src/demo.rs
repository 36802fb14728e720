//! The demo workspace: two spaces of made-up records, with dates relative to the moment of
//! filling. Filling is done once: what a person changed or removed of it stays so.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ensemble_hub_api::Kind;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use sha2::{Digest as _, Sha256};

use crate::admin::Setting;
use crate::store::{Actor, Change, NewRecord, SpaceRow, Store, StoreError};
use seed::{Moment, Seed};

mod boards;
mod originals;
mod own;
mod people;
mod second;
pub mod seed;
mod tasks;
mod texts;

/// The name of the second space.
pub const SECOND_SPACE: &str = "Side projects";
/// What the ledger calls it.
const ACTION: &str = "demo.fill";

/// What filling did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Filled {
    /// Records that were added; none the second time.
    pub records: usize,
}

/// Why the demo could not be filled in.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The hub has no owner yet.
    #[error("The hub has no owner yet: open it once before filling in the demo.")]
    NoOwner,
    /// The files of the demo could not be kept.
    #[error(
        "The files of the demo could not be kept: check the permissions of the hub's data folder."
    )]
    Files(#[from] std::io::Error),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Fills the owner's own space and a second one with the demo, where that was not done before.
pub async fn fill(store: &Store) -> Result<Filled, DemoError> {
    let owner = store.owner().await?.ok_or(DemoError::NoOwner)?;
    let home = store.home_of(&owner.id).await?.ok_or(DemoError::NoOwner)?;
    let zone = store.setting(&owner.id, Setting::TimeZone.name()).await?;
    let zone = zone
        .and_then(|name| TimeZone::get(&name).ok())
        .unwrap_or(TimeZone::UTC);
    let moment = Moment::new(store.now(), zone);
    let mut records = fill_space(store, &home, first_space(&moment), &moment).await?;
    let spaces = store.spaces_of(&owner.id).await?;
    let second = match spaces.into_iter().find(|space| space.name == SECOND_SPACE) {
        Some(space) => space,
        None => store.create_space(&owner.id, SECOND_SPACE).await?,
    };
    records += fill_space(store, &second, second::seeds(&moment), &moment).await?;
    Ok(Filled { records })
}

fn first_space(moment: &Moment) -> Vec<Seed> {
    let mut all = people::seeds(moment);
    all.extend(tasks::seeds(moment));
    all.extend(texts::seeds(moment));
    all.extend(boards::seeds());
    all.extend(own::seeds(moment));
    all
}

/// Writes `seeds` in one transaction, if none of them was ever written to this space.
async fn fill_space(
    store: &Store,
    space: &SpaceRow,
    mut seeds: Vec<Seed>,
    moment: &Moment,
) -> Result<usize, DemoError> {
    let ids = ids(space, &seeds);
    let Some(first) = seeds.first().and_then(|seed| ids.get(seed.name)) else {
        return Ok(0);
    };
    // The ledger also knows what was removed since.
    if !store.ledger_of(&space.id, first).await?.is_empty() {
        return Ok(0);
    }
    let texts = originals::keep(store, &mut seeds).await?;
    let mut change = store.change(Actor::system("demo")).await?;
    for (at, seed) in seeds.iter().enumerate() {
        write(&mut change, space, seed, &ids, moment.ago(seed.age, at)).await?;
    }
    for (seed, text) in &texts {
        if let Some(id) = ids.get(seed) {
            change.set_file_text(id, text).await?;
        }
    }
    for seed in &seeds {
        for (relation, to) in &seed.links {
            if let (Some(from), Some(to)) = (ids.get(seed.name), ids.get(to)) {
                change.link(ACTION, &space.id, (from, relation, to)).await?;
            }
        }
    }
    change.commit().await?;
    Ok(seeds.len())
}

async fn write(
    change: &mut Change,
    space: &SpaceRow,
    seed: &Seed,
    ids: &BTreeMap<&str, String>,
    at: Timestamp,
) -> Result<(), StoreError> {
    let Seed {
        name,
        kind,
        title,
        status,
        age: _,
        fields,
        refs,
        links: _,
        body,
    } = seed.clone();
    let mut fields = fields;
    for (field, to) in refs {
        if let Some(id) = ids.get(to) {
            fields.insert(field.to_owned(), id.as_str().into());
        }
    }
    if kind == Kind::Board {
        boards::place(&mut fields, ids);
    }
    let record = NewRecord {
        status: status.map(str::to_owned),
        fields,
        body: with_ids(body, ids),
        id: ids.get(name).cloned(),
        at: Some(at),
        ..NewRecord::new(space.id.as_str(), kind, title)
    };
    change.create(ACTION, record).await?;
    Ok(())
}

/// `body` with the ids of the demo's records where it names them, as in `ensemble://diagram/{lifecycle}`.
fn with_ids(body: &str, ids: &BTreeMap<&str, String>) -> String {
    let named = |text: String, (name, id): (&&str, &String)| {
        text.replace(&format!("/{{{name}}}"), &format!("/{id}"))
    };
    ids.iter().fold(body.to_owned(), named)
}

/// The ids of `seeds`. Those that stand in a text are of digits alone: then each text has the same words in every hub, and search ranks the
/// demo alike wherever it is filled in.
fn ids(space: &SpaceRow, seeds: &[Seed]) -> BTreeMap<&'static str, String> {
    let of = |seed: &Seed| {
        let id = id(&space.id, seed.name);
        let named = format!("/{{{}}}", seed.name);
        let in_a_text = seeds.iter().any(|other| other.body.contains(&named));
        (seed.name, if in_a_text { digits(&id) } else { id })
    };
    seeds.iter().map(of).collect()
}

/// An id with a digit in place of each letter, so that its variant stays one: `8` for `a`, `9` for `b`.
fn digits(id: &str) -> String {
    let digit = |c: char| match c {
        'a'..='f' => char::from_digit((u32::from(c) - u32::from('a') + 8) % 10, 10).unwrap_or(c),
        other => other,
    };
    id.chars().map(digit).collect()
}

/// The id of a demo record: made from its space and name, in the form of a UUID (version 8).
fn id(space: &str, name: &str) -> String {
    let digest = Sha256::digest(format!("ensemble demo\n{space}\n{name}"));
    let mut hex = String::with_capacity(32);
    for (at, byte) in digest.iter().take(16).enumerate() {
        let byte = match at {
            6 => (byte & 0x0f) | 0x80,
            8 => (byte & 0x3f) | 0x80,
            _ => *byte,
        };
        // Writing to a String cannot fail.
        _ = write!(hex, "{byte:02x}");
        if matches!(at, 3 | 5 | 7 | 9) {
            hex.push('-');
        }
    }
    hex
}

/// The PDF of the demo, for the tests of what reads it.
#[cfg(test)]
pub(crate) fn sample_pdf() -> Vec<u8> {
    originals::survey()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_link_of_the_demo_leads_to_a_record() {
        let moment = Moment::new("2026-03-01T12:00:00Z".parse().unwrap(), TimeZone::UTC);
        for seeds in [first_space(&moment), second::seeds(&moment)] {
            let names: BTreeSet<&str> = seeds.iter().map(|seed| seed.name).collect();
            assert_eq!(names.len(), seeds.len(), "names are unique");
            for seed in &seeds {
                let ends = seed.links.iter().map(|(_, to)| to);
                for to in ends.chain(seed.refs.iter().map(|(_, to)| to)) {
                    assert!(names.contains(to), "{} names {to}", seed.name);
                }
                for named in seed.body.split("/{").skip(1) {
                    let (name, _) = named.split_once('}').unwrap();
                    assert!(names.contains(name), "{} names {name}", seed.name);
                }
                for (relation, _) in &seed.links {
                    assert!(
                        ensemble_hub_api::relation::ALL.contains(relation)
                            || ensemble_hub_api::relation::OF_ACTIONS.contains(relation),
                        "{relation}"
                    );
                }
            }
        }
    }

    #[test]
    fn ids_have_the_form_of_uuids_and_differ_between_spaces() {
        let one = id("a", "robin");
        assert_eq!(one.len(), 36);
        assert!(uuid::Uuid::parse_str(&one).is_ok());
        assert_ne!(one, id("b", "robin"));
        for name in ["robin", "dev", "lifecycle", "retry-flow"] {
            let plain = digits(&id("a", name));
            assert!(uuid::Uuid::parse_str(&plain).is_ok(), "{plain}");
            assert!(!plain.contains(char::is_alphabetic), "{plain}");
        }
    }
}
