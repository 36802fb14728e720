//! How large an answer is: every text and every byte of it, addresses and names included.

use super::{
    Block, Body, Embedded, Hints, Link, Media, Message, Output, Pause, Question, Suggestions,
};

/// What a block costs besides its texts, in every form in which it travels: a flood of empty ones is large too.
const FRAME: usize = 32;

pub(crate) fn output_bytes(output: &Output) -> usize {
    let content: usize = output
        .content
        .iter()
        .map(|block| FRAME + block_bytes(block))
        .sum();
    content + length(output.structured.as_ref())
}

pub(crate) fn pause_bytes(pause: &Pause) -> usize {
    let questions: usize = pause
        .questions
        .iter()
        .map(|(name, question)| FRAME + name.len() + question_bytes(question))
        .sum();
    questions + pause.state.len()
}

pub(crate) fn messages_bytes(messages: &[Message]) -> usize {
    let said = messages.iter();
    said.map(|message| FRAME + block_bytes(&message.content))
        .sum()
}

pub(crate) fn suggestions_bytes(found: &Suggestions) -> usize {
    found.values.iter().map(|value| FRAME + value.len()).sum()
}

pub(crate) fn embedded_bytes(embedded: &Embedded) -> usize {
    let body = match &embedded.body {
        Body::Text(text) => text.len(),
        Body::Blob(bytes) => bytes.len(),
    };
    FRAME
        + embedded.uri.len()
        + length(embedded.mime_type.as_ref())
        + body
        + hints_bytes(embedded.hints.as_ref())
}

fn block_bytes(block: &Block) -> usize {
    match block {
        Block::Text(text) => text.text.len() + hints_bytes(text.hints.as_ref()),
        Block::Image(media) | Block::Audio(media) => media_bytes(media),
        Block::Link(link) => link_bytes(link),
        Block::Embedded(embedded) => embedded_bytes(embedded),
    }
}

fn media_bytes(media: &Media) -> usize {
    media.mime_type.len() + media.data.len() + hints_bytes(media.hints.as_ref())
}

fn link_bytes(link: &Link) -> usize {
    link.uri.len()
        + link.name.len()
        + length(link.title.as_ref())
        + length(link.mime_type.as_ref())
        + hints_bytes(link.hints.as_ref())
}

fn question_bytes(question: &Question) -> usize {
    match question {
        Question::Form { message, schema } => message.len() + schema.len(),
        Question::Page { message, url } => message.len() + url.len(),
        Question::Sampling(request) => request.len(),
        Question::Roots => 0,
    }
}

fn hints_bytes(hints: Option<&Hints>) -> usize {
    hints.map_or(0, |hints| {
        hints.audience.len() + length(hints.last_modified.as_ref())
    })
}

fn length(text: Option<&String>) -> usize {
    text.map_or(0, String::len)
}
