//! vCards: one person for each card, whatever its version (2.1, 3.0, 4.0). Groups are not people and are left out, with a note.

use ensemble_hub_api::{Kind, limits};

use super::item::{Item, Parsed};
use super::lines::{Component, components, split};
use super::text::decode;
use crate::store::name_key;

/// Addresses and numbers of one person.
const VALUES_MAX: usize = 20;

/// The people of a file.
pub fn read(bytes: &[u8]) -> Result<Parsed, String> {
    let text = decode(bytes)?;
    let (cards, broken) = components(&text);
    if cards.is_empty() && !text.trim().is_empty() {
        return Err("it has no vCard: a card begins with BEGIN:VCARD.".to_owned());
    }
    let mut parsed = Parsed::default();
    for (number, reason) in broken {
        parsed.bad(format!("line {number}"), reason);
    }
    let mut groups = 0_usize;
    for card in cards.iter().filter(|card| card.name == "VCARD") {
        let group = card
            .text("KIND")
            .or_else(|| card.text("X-ADDRESSBOOKSERVER-KIND"));
        if group.is_some_and(|kind| kind.eq_ignore_ascii_case("group")) {
            groups += 1;
            continue;
        }
        match person(card) {
            Ok(item) => parsed.items.push(item),
            Err(reason) => parsed.bad(format!("line {}", card.number), reason),
        }
    }
    if groups > 0 {
        parsed
            .notes
            .push(format!("Groups of people are not imported: {groups}."));
    }
    Ok(parsed)
}

fn person(card: &Component) -> Result<Item, String> {
    let emails = values(card, "EMAIL");
    let name = name(card).or_else(|| emails.first().cloned());
    let name = name.ok_or("This card has neither a name nor an e-mail address.")?;
    let name = crate::store::one_line(&name);
    if name.chars().count() > limits::NAME_MAX {
        return Err(format!(
            "This name is longer than {} characters.",
            limits::NAME_MAX
        ));
    }
    let key = card.text("UID").map(|uid| format!("uid {uid}"));
    let key = key
        .or_else(|| {
            emails
                .first()
                .map(|email| format!("email {}", email.to_lowercase()))
        })
        .unwrap_or_else(|| format!("name {}", name_key(&name)));
    let mut item = Item::new(key, Kind::Person, name);
    item.place = format!("line {}", card.number);
    item.set("email", emails.first().cloned().unwrap_or_default());
    item.set(
        "otherEmails",
        emails.into_iter().skip(1).collect::<Vec<_>>(),
    );
    item.set("phones", values(card, "TEL"));
    item.set(
        "role",
        card.text("TITLE")
            .or_else(|| card.text("ROLE"))
            .unwrap_or_default(),
    );
    let organisation = card.line("ORG").map(|line| {
        let parts = split(&line.value, ';');
        let parts: Vec<&str> = parts.iter().map(|part| part.trim()).collect();
        let filled: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        filled.join(", ")
    });
    item.set("team", organisation.unwrap_or_default());
    item.set("sourceUrl", card.text("URL").unwrap_or_default());
    item.set("birthday", card.text("BDAY").unwrap_or_default());
    let labels = card.line("CATEGORIES").map(|line| split(&line.value, ','));
    item.set("labels", labels.unwrap_or_default());
    item.set("source", "vcard");
    item.body = card.text("NOTE").unwrap_or_default();
    Ok(item)
}

/// The formatted name, else given and family name.
fn name(card: &Component) -> Option<String> {
    card.text("FN").or_else(|| {
        let parts = split(&card.line("N")?.value, ';');
        let part = |at: usize| parts.get(at).map_or("", |part| part.trim());
        let name = format!("{} {} {}", part(1), part(2), part(0));
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        (!name.is_empty()).then_some(name)
    })
}

/// The values of a line that may stand several times, the preferred one first.
fn values(card: &Component, name: &str) -> Vec<String> {
    let mut found: Vec<(u32, String)> = Vec::new();
    for line in card.lines(name) {
        let value = line.text();
        let value = value
            .trim()
            .trim_start_matches("mailto:")
            .trim_start_matches("tel:");
        if value.is_empty() || found.iter().any(|(_, known)| known == value) {
            continue;
        }
        let types = line.params.iter().filter(|(param, _)| param == "TYPE");
        let marked = types
            .flat_map(|(_, value)| value.split(','))
            .any(|kind| kind.trim_matches('"').eq_ignore_ascii_case("pref"));
        let rank = line.param("PREF").and_then(|rank| rank.parse().ok());
        let rank = rank.unwrap_or(if marked { 1 } else { 101 });
        found.push((rank, value.to_owned()));
    }
    found.sort_by_key(|(rank, _)| *rank);
    found.truncate(VALUES_MAX);
    found.into_iter().map(|(_, value)| value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_card_is_a_person() {
        let text = "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:urn:uuid:1\r\nFN:Zoë O'Neil\r\nEMAIL;TYPE=home:z@home.example\r\n\
             EMAIL;PREF=1:mailto:zoe@example.com\r\nTEL;TYPE=cell:+1 555\r\nORG:Acme\\, Inc.;Platform\r\nTITLE:Engineer\r\n\
             NOTE:Likes tea.\\nAsk first.\r\nEND:VCARD\r\n";
        let parsed = read(text.as_bytes()).unwrap();
        let [item] = parsed.items.as_slice() else {
            panic!("{parsed:?}")
        };
        assert_eq!(
            (item.key.as_str(), item.title.as_str()),
            ("uid urn:uuid:1", "Zoë O'Neil")
        );
        assert_eq!(item.body, "Likes tea.\nAsk first.");
        let fields = json!({
            "email": "zoe@example.com", "otherEmails": ["z@home.example"], "phones": ["+1 555"], "role": "Engineer",
            "team": "Acme, Inc., Platform", "source": "vcard",
        });
        assert_eq!(serde_json::Value::Object(item.fields.clone()), fields);
    }

    #[test]
    fn a_bad_card_is_named_and_the_others_are_read() {
        let text = "BEGIN:VCARD\nN:Lovelace;Ada;;;\nEND:VCARD\nBEGIN:VCARD\nTEL:1\nEND:VCARD\nBEGIN:VCARD\nKIND:group\nFN:Team\nEND:VCARD\n\
             BEGIN:VCARD\nEMAIL;PREF:only@example.com\nEND:VCARD\n";
        let parsed = read(text.as_bytes()).unwrap();
        let titles: Vec<&str> = parsed
            .items
            .iter()
            .map(|item| item.title.as_str())
            .collect();
        assert_eq!(titles, ["Ada Lovelace", "only@example.com"]);
        assert_eq!(parsed.bad[0].place, "line 4");
        assert_eq!(parsed.notes.len(), 1);
        assert!(read(b"hello").unwrap_err().contains("no vCard"));
    }
}
