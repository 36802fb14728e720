//! From the generated types to ours and back. What no client could show is refused here, once.

use ensemble_broker::{Denial, Fault};

use super::shown::{NotShowable, Shown};
use super::{
    Answer, Audience, Block, Body, Embedded, Hints, Link, Media, Message, Output, Pause,
    PromptStep, Question, Resumption, Role, Subject, Suggestions, Text, ToolStep,
};
use crate::bindings::ensemble::tools::{asking, content, offer};
use crate::bindings::ensemble::types::types;

/// Characters of one text of an error. The hub's longest sentence has some hundred.
const MAX_SENTENCE: usize = 1_000;

/// What a guest answered; the files that it shows are put in by the host.
pub(crate) async fn tool_step(
    shown: &mut Shown<'_>,
    step: offer::ToolStep,
) -> Result<ToolStep, NotShowable> {
    Ok(match step {
        offer::ToolStep::Done(output) => {
            let mut content = Vec::with_capacity(output.content.len());
            for part in output.content {
                content.push(block(shown, part).await?);
            }
            ToolStep::Done(Output {
                content,
                structured: output.structured,
                is_error: output.is_error,
            })
        }
        offer::ToolStep::Ask(asked) => ToolStep::Ask(pause(asked)),
    })
}

/// The same for a prompt.
pub(crate) async fn prompt_step(
    shown: &mut Shown<'_>,
    step: offer::PromptStep,
) -> Result<PromptStep, NotShowable> {
    let said = match step {
        offer::PromptStep::Ask(asked) => return Ok(PromptStep::Ask(pause(asked))),
        offer::PromptStep::Done(said) => said,
    };
    let mut messages = Vec::with_capacity(said.len());
    for message in said {
        messages.push(Message {
            role: match message.role {
                offer::Role::User => Role::User,
                offer::Role::Assistant => Role::Assistant,
            },
            content: block(shown, message.content).await?,
        });
    }
    Ok(PromptStep::Done(messages))
}

/// What a guest suggests.
pub(crate) fn suggestions(found: offer::Suggestions) -> Suggestions {
    Suggestions {
        values: found.values,
        total: found.total,
        has_more: found.has_more,
    }
}

impl From<Subject> for offer::Subject {
    fn from(subject: Subject) -> Self {
        match subject {
            Subject::Prompt(name) => Self::PromptName(name),
            Subject::Template(uri) => Self::ResourceTemplate(uri),
        }
    }
}

fn pause(pause: asking::Pause) -> Pause {
    let questions = pause.questions.into_iter();
    Pause {
        questions: questions
            .map(|(name, asked)| (name, question(asked)))
            .collect(),
        state: pause.state,
    }
}

async fn block(shown: &mut Shown<'_>, block: content::Block) -> Result<Block, NotShowable> {
    Ok(match block {
        content::Block::Text(text) => Block::Text(Text {
            text: text.text,
            hints: text.hints.map(hints),
        }),
        content::Block::Image(image) => Block::Image(media(image)),
        content::Block::Audio(audio) => Block::Audio(media(audio)),
        content::Block::Link(link) => Block::Link(Link {
            uri: link.uri,
            name: link.name,
            title: link.title,
            mime_type: link.mime_type,
            size: link.size,
            hints: link.hints.map(hints),
        }),
        content::Block::Embedded(resource) => Block::Embedded(embedded(shown, resource).await?),
        content::Block::File(file) => shown.block(file).await?,
    })
}

pub(crate) async fn embedded(
    shown: &mut Shown<'_>,
    resource: content::Embedded,
) -> Result<Embedded, NotShowable> {
    Ok(Embedded {
        uri: resource.uri,
        mime_type: resource.mime_type,
        body: match resource.body {
            content::Body::Text(text) => Body::Text(text),
            content::Body::Blob(bytes) => Body::Blob(bytes),
            content::Body::File(handle) => shown.body(&handle).await?,
        },
        hints: resource.hints.map(hints),
    })
}

fn media(media: content::Media) -> Media {
    Media {
        mime_type: media.mime_type,
        data: media.data,
        hints: media.hints.map(hints),
    }
}

fn hints(hints: content::Hints) -> Hints {
    let audience = |audience: content::Audience| match audience {
        content::Audience::User => Audience::User,
        content::Audience::Assistant => Audience::Assistant,
    };
    Hints {
        audience: hints.audience.into_iter().map(audience).collect(),
        // JSON has no other numbers, and MCP no priorities outside of these
        priority: hints
            .priority
            .filter(|priority| priority.is_finite())
            .map(|priority| priority.clamp(0.0, 1.0)),
        last_modified: hints.last_modified,
    }
}

fn question(question: asking::Question) -> Question {
    match question {
        asking::Question::Form((message, schema)) => Question::Form { message, schema },
        asking::Question::Page((message, url)) => Question::Page { message, url },
        asking::Question::Sampling(request) => Question::Sampling(request),
        asking::Question::Roots => Question::Roots,
    }
}

impl From<Resumption> for asking::Resumption {
    fn from(resumption: Resumption) -> Self {
        let answer = |answer: Answer| match answer {
            Answer::Accepted(json) => asking::Answer::Accepted(json),
            Answer::Declined => asking::Answer::Declined,
            Answer::Dismissed => asking::Answer::Dismissed,
            Answer::Unsupported => asking::Answer::Unsupported,
        };
        Self {
            answers: resumption
                .answers
                .into_iter()
                .map(|(name, given)| (name, answer(given)))
                .collect(),
            state: resumption.state,
        }
    }
}

/// What a guest answered instead of a result.
pub(crate) fn fault(error: types::Error) -> Fault {
    match error {
        types::Error::Denied(denial) => Fault::Denied(Denial {
            wanted: sentence(&denial.wanted),
            missing: sentence(&denial.missing),
        }),
        types::Error::Invalid(text) => Fault::Invalid(sentence(&text)),
        types::Error::NotFound(text) => Fault::NotFound(sentence(&text)),
        types::Error::Conflict(text) => Fault::Conflict(sentence(&text)),
        types::Error::Unavailable(text) => Fault::Unavailable(sentence(&text)),
        types::Error::RateLimited(seconds) => Fault::RateLimited(seconds),
        types::Error::TooLarge(text) => Fault::TooLarge(sentence(&text)),
        types::Error::Cancelled => Fault::Cancelled,
        types::Error::Failed(text) => Fault::Failed(sentence(&text)),
    }
}

/// A guest's sentence as far as a person reads it: bounded, with a mark where it was cut, and without control characters.
fn sentence(text: &str) -> String {
    let mut shown: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(MAX_SENTENCE)
        .collect();
    if text.chars().nth(MAX_SENTENCE).is_some() {
        shown.push('…');
    }
    shown
}

impl From<Fault> for types::Error {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Denied(Denial { wanted, missing }) => {
                Self::Denied(types::Denial { wanted, missing })
            }
            Fault::Invalid(text) => Self::Invalid(text),
            Fault::NotFound(text) => Self::NotFound(text),
            Fault::Conflict(text) => Self::Conflict(text),
            Fault::Unavailable(text) => Self::Unavailable(text),
            Fault::RateLimited(seconds) => Self::RateLimited(seconds),
            Fault::TooLarge(text) => Self::TooLarge(text),
            Fault::Cancelled => Self::Cancelled,
            Fault::Failed(text) => Self::Failed(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guests_sentence_is_bounded_and_says_where_it_was_cut() {
        let fault = fault(types::Error::Failed(format!(
            "a\u{1b}b{}",
            "ä".repeat(2_000)
        )));
        let shown = fault.to_string();
        assert!(shown.starts_with("a bä") && shown.ends_with("ä…"));
        assert_eq!(shown.chars().count(), MAX_SENTENCE + 1);
        assert_eq!(
            sentence(&"ä".repeat(MAX_SENTENCE)).chars().count(),
            MAX_SENTENCE
        );
    }
}
