//! The records that a text names: `[@Name](ensemble://person/<id>)`, and a handle by itself. The links of the graph follow the text: naming a
//! record links it, and when the text no longer names it, that link goes. What stands in code names nothing.

use std::collections::BTreeSet;

use ensemble_hub_api::handle::SCHEME;
use ensemble_hub_api::{Handle, Kind, relation};
use pulldown_cmark::{Event, Tag, TagEnd, TextMergeStream};

use super::blocks::parser;
use crate::actions::Changing;
use crate::actions::with::limited;
use crate::error::RouteError;
use crate::target::same_kind;

/// Records that one text may name.
const MENTIONS_MAX: usize = 500;

/// The handles in a text, each once.
pub(crate) fn mentioned(text: &str) -> BTreeSet<Handle> {
    let mut found = BTreeSet::new();
    let mut in_code = false;
    for event in TextMergeStream::new(parser(text)) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. })
                if dest_url.starts_with(SCHEME) =>
            {
                found.extend(Handle::parse(&dest_url));
            }
            Event::Text(words) if !in_code => found.extend(bare(&words)),
            _ => {}
        }
    }
    found
}

/// Handles that stand by themselves.
fn bare(words: &str) -> impl Iterator<Item = Handle> {
    words.split(SCHEME).skip(1).filter_map(|rest| {
        let end = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_' | '/'))
            .unwrap_or(rest.len());
        let (path, _) = rest.split_at(end);
        Handle::parse(&format!("{SCHEME}{}", path.trim_end_matches('/')))
    })
}

impl Changing {
    /// Makes the `related` links of a record follow its text, which was `before` and is `after`. A handle that the text did not have and
    /// that is nothing in this space is refused; one that it had is left as it is.
    pub(crate) async fn follow_text(
        &mut self,
        id: &str,
        before: &str,
        after: &str,
    ) -> Result<(), RouteError> {
        if before == after {
            return Ok(());
        }
        let (old, new) = (mentioned(before), mentioned(after));
        if new.len() > MENTIONS_MAX.max(old.len()) {
            return Err(limited("A page names at most 500 records."));
        }
        for gone in old.difference(&new) {
            self.unlink(id, relation::RELATED, &gone.id).await?;
        }
        let attached = self.change().links_of(id).await?;
        let is_attached = |other: &str| {
            attached
                .iter()
                .any(|(relation, to)| relation == relation::ATTACHED && to == other)
        };
        let space = self.space().to_owned();
        let ids: Vec<String> = new.iter().map(|handle| handle.id.clone()).collect();
        let found = self.change().by_ids(&space, &ids).await?;
        for handle in &new {
            let named = found
                .iter()
                .find(|record| record.id == handle.id && same_kind(handle.kind, record.kind));
            let Some(record) = named else {
                if old.contains(handle) {
                    continue;
                }
                return Err(limited(&format!(
                    "The text names {handle}, and there is no such record in this space: take the handle from `ref` of another answer."
                )));
            };
            if record.id != id && Kind::ALL.contains(&record.kind) && !is_attached(&record.id) {
                self.link(id, relation::RELATED, &record.id).await?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_pictures_and_bare_handles_are_mentions_and_code_is_not() {
        let text = "[@Ana](ensemble://person/p-1), ![d](ensemble://diagram/d_1) see ensemble://task/t_a-1. <ensemble://page/x>\n\n\
            `ensemble://task/no`\n\n```\nensemble://task/no2\n```\n\nensemble://projects https://x.org/task/no3";
        let found: Vec<String> = mentioned(text).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "ensemble://task/t_a-1",
                "ensemble://person/p-1",
                "ensemble://page/x",
                "ensemble://diagram/d_1",
            ]
        );
    }
}
