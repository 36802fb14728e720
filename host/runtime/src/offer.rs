//! What a component offers and answers, as plain Rust. The crate above meets these types and never the generated ones.
//!
//! A file handle has no counterpart here: what an answer shows by its handle is put in at the boundary.

mod from_guest;
mod shown;
mod size;

pub(crate) use from_guest::{embedded, fault, prompt_step, suggestions, tool_step};
pub(crate) use shown::{NotShowable, Shown};
pub(crate) use size::{
    embedded_bytes, messages_bytes, output_bytes, pause_bytes, suggestions_bytes,
};

/// For whom a piece of content is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// MCP's annotations of a piece of content.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Hints {
    /// Empty: for both.
    pub audience: Vec<Audience>,
    /// 0.0 to 1.0, always finite.
    pub priority: Option<f32>,
    /// RFC 3339 in UTC, as the component wrote it.
    pub last_modified: Option<String>,
}

/// Text.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// UTF-8.
    pub text: String,
    /// Its annotations.
    pub hints: Option<Hints>,
}

/// An image or a sound.
#[derive(Debug, Clone, PartialEq)]
pub struct Media {
    /// Such as `image/png`.
    pub mime_type: String,
    /// The bytes, not encoded.
    pub data: Vec<u8>,
    /// Its annotations.
    pub hints: Option<Hints>,
}

/// A resource that the client may read later.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// Its address.
    pub uri: String,
    /// Its programmatic name.
    pub name: String,
    /// For a person.
    pub title: Option<String>,
    /// The media type of what it gives.
    pub mime_type: Option<String>,
    /// In bytes.
    pub size: Option<u64>,
    /// Its annotations.
    pub hints: Option<Hints>,
}

/// What a resource contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// UTF-8.
    Text(String),
    /// The bytes, not encoded.
    Blob(Vec<u8>),
}

/// A resource with its content.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    /// Its address.
    pub uri: String,
    /// The media type of the body.
    pub mime_type: Option<String>,
    /// The content.
    pub body: Body,
    /// Its annotations.
    pub hints: Option<Hints>,
}

/// One block of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// Text.
    Text(Text),
    /// An image.
    Image(Media),
    /// A sound.
    Audio(Media),
    /// A reference.
    Link(Link),
    /// A resource with its content.
    Embedded(Embedded),
}

/// The answer of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// In the component's order.
    pub content: Vec<Block>,
    /// The structured answer, as JSON text; not parsed here.
    pub structured: Option<String>,
    /// The tool ran and did not succeed; the content says why.
    pub is_error: bool,
}

/// What a component wants to know before it goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// A form for the person.
    Form {
        /// What the person is asked.
        message: String,
        /// JSON Schema of flat properties, as text.
        schema: String,
    },
    /// A page for the person to open.
    Page {
        /// Why.
        message: String,
        /// The page's https address.
        url: String,
    },
    /// A text from the client's model: the request as MCP's sampling has it, JSON text.
    Sampling(String),
    /// The folders that the client works in.
    Roots,
}

/// What came back for one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// JSON text.
    Accepted(String),
    /// The person said no.
    Declined,
    /// The person closed it.
    Dismissed,
    /// The client cannot ask that.
    Unsupported,
}

/// A call that needs answers first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pause {
    /// By the component's own names, in its order.
    pub questions: Vec<(String, Question)>,
    /// The component's state; to be sealed before it leaves the host.
    pub state: Vec<u8>,
}

/// The second call: the answers, and the state as it was given out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resumption {
    /// By the names of the questions.
    pub answers: Vec<(String, Answer)>,
    /// What the pause held.
    pub state: Vec<u8>,
}

/// How a tool call went on.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolStep {
    /// It answered.
    Done(Output),
    /// It asks.
    Ask(Pause),
}

/// Who says a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// One message of a prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub content: Block,
}

/// How the getting of a prompt went on.
#[derive(Debug, Clone, PartialEq)]
pub enum PromptStep {
    /// Its messages.
    Done(Vec<Message>),
    /// It asks.
    Ask(Pause),
}

/// What is being filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// The prompt of that name.
    Prompt(String),
    /// The family of resources with that template.
    Template(String),
}

/// An argument that a person is typing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typing {
    /// Of what.
    pub subject: Subject,
    /// The argument's name.
    pub argument: String,
    /// What stands there so far.
    pub typed: String,
    /// The arguments that are filled in already, by name.
    pub others: Vec<(String, String)>,
}

/// Values that fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestions {
    /// The best first.
    pub values: Vec<String>,
    /// How many there are in all, where that is known.
    pub total: Option<u32>,
    /// Whether there are more than these.
    pub has_more: bool,
}
