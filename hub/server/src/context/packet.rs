//! The packet of any record. A task's is the one of the brief, with more room; another record's says what it is, what it says, and what it
//! is linked to, relation by relation.

use ensemble_hub_api::relation::Side;
use ensemble_hub_api::{Kind, limits, sentences};
use serde_json::json;

use crate::brief::around::Around;
use crate::brief::packet::{self, Packet, Section};
use crate::brief::sections;
use crate::error::RouteError;
use crate::store::{Begin, Record};
use crate::view::{self, Card, Reader};

/// Records of one relation.
const RECORDS_MAX: u32 = 12;

/// The packet of `record`.
pub(super) async fn packet(reader: &Reader<'_>, record: &Record) -> Result<Card, RouteError> {
    let packet = if record.kind == Kind::Task {
        let around = Around::task(reader, record).await?;
        sections::packet(record, &around, limits::CONTEXT_PACKET_MAX)
    } else {
        of_any(reader, record).await?
    };
    let mut notes = vec![sentences::REFERENCE_NOTE.to_owned()];
    if !packet.left_out.is_empty() {
        let names = packet.left_out.join("; ");
        notes.push(format!("Left out of the packet for length: {names}."));
    }
    let mut answer = reader.label(record);
    answer.insert("packet".to_owned(), packet.text.into());
    answer.insert("notes".to_owned(), json!(notes));
    Ok(answer)
}

async fn of_any(reader: &Reader<'_>, record: &Record) -> Result<Packet, RouteError> {
    let mut left_out = Vec::new();
    let mut list = vec![Section {
        heading: "What it says",
        entries: sections::page(record, &mut left_out),
    }];
    for (side, total) in reader.store.relations(reader.space, &record.id).await? {
        let begin = Begin::Offset(0);
        let found = reader
            .store
            .related(reader.space, &record.id, side, RECORDS_MAX, begin)
            .await?;
        let more = total.saturating_sub(found.records.len() as u64);
        if more > 0 {
            left_out.push(format!("{more} of {total} under “{}”", heading(side)));
        }
        list.push(Section {
            heading: heading(side),
            entries: found.records.iter().map(line).collect(),
        });
    }
    let room = limits::CONTEXT_PACKET_MAX;
    Ok(packet::render(&head(record), &list, left_out, room))
}

fn head(record: &Record) -> String {
    let mut facts = vec![view::handle(record)];
    facts.extend(record.status.clone());
    for (field, words) in [("due", "due "), ("start", ""), ("email", "")] {
        facts.extend(
            record
                .text(field)
                .map(|text| format!("{words}{}", clip(text))),
        );
    }
    let described = sections::described(record);
    let about = ["summary", "description"]
        .iter()
        .find_map(|field| record.text(field));
    let about = about.map_or_else(String::new, |text| format!("\n\n{}", quote(text)));
    format!(
        "# {}{described}\n{}{about}",
        sections::title(record),
        facts.join(" · ")
    )
}

/// What the record says of itself in one line; the words of others stay a quotation.
fn quote(text: &str) -> String {
    crate::text::trust::quoted(&crate::text::cut::excerpt(text, 500).0)
}

fn clip(text: &str) -> String {
    crate::text::cut::excerpt(&crate::text::trust::one_line(text), 120).0
}

fn line(record: &Record) -> String {
    let one = std::slice::from_ref(record);
    let mut lines = match record.kind {
        Kind::Task => sections::tasks(one),
        Kind::Person => vec![format!(
            "- {}{} {}",
            sections::title(record),
            sections::described(record),
            view::handle(record)
        )],
        _ => sections::lines(one),
    };
    lines.pop().unwrap_or_default()
}

/// A relation as the heading of what stands on its other end.
fn heading(side: &Side) -> &'static str {
    match side.rel {
        "from_meeting" => "Came from the meeting",
        "requested_by" => "Was asked for by",
        "project" => "Is part of the project",
        "repo" => "Is in the repository",
        "deliverable" => "Is part of the deliverable",
        "owner" => "Is owned by",
        "assignee" => "Is worked on by",
        "member" => "Has the members",
        "participant" => "Has the participants",
        "depends_on" => "Waits for",
        "needed_by" => "Is waited for by",
        "series" => "Follows in its series",
        "continued_by" => "Is followed in its series by",
        "led_to" => "Led to",
        "asked_for" => "Asked for",
        "owns" => "Owns",
        "works_on" => "Works on",
        "member_of" => "Is a member of",
        "takes_part_in" => "Takes part in",
        "contains" => "Has as parts",
        "repo_of" => "Is the repository of",
        "delivered_by" => "Is made of",
        "attached" => "Has the files",
        "attached_to" => "Is attached to",
        "skill" => "Uses the skills",
        "skill_of" => "Applies to",
        _ => "Is related to",
    }
}
