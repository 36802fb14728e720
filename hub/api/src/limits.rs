//! Every number of the wire, with what it counts. A list that is longer than its limit says so and how to go on.

/// Lists (`tasks`, …): rows in one answer.
pub const LIST_DEFAULT: u32 = 20;
pub const LIST_MAX: u32 = 50;
/// `search`, `brief` and `docs`: the `limit` a caller may ask for.
pub const SEARCH_DEFAULT: u32 = 8;
pub const SEARCH_MAX: u32 = 20;
/// `search` returns up to three hits for each asked one, and never more than this.
pub const SEARCH_HITS_MAX: u32 = 40;
/// `read`: characters of the body in one answer.
pub const BODY_DEFAULT: u32 = 4_000;
pub const BODY_MAX: u32 = 8_000;
/// `read` of a page: characters of one answer, which is also what it gives when nothing is asked.
pub const PAGE_BODY_MAX: u32 = 15_000;
/// `read` of a diagram: characters of its source in one answer, which is also what it gives when nothing is asked.
pub const DIAGRAM_BODY_MAX: u32 = 20_000;
/// `context`: records of each relation before one is asked for in full.
pub const RELATED_EACH: u32 = 6;
/// The packet of `context`, in characters.
pub const CONTEXT_PACKET_MAX: usize = 8_000;
/// The `next` of a list, in characters: it holds the beginning of a name in any script.
pub const CURSOR_MAX: usize = 2_000;
/// `meetings`: days of the window when `to` is not given.
pub const MEETING_DAYS: i64 = 14;
/// The brief's packet, in characters.
pub const PACKET_MAX: usize = 7_000;
/// `docs`: characters of the query.
pub const DOCS_QUERY_MAX: usize = 200;
/// A search or filter text, in characters; longer ones are refused.
pub const QUERY_MAX: usize = 10_000;
/// A task's or record's title, in characters.
pub const TITLE_MAX: usize = 500;
/// A task's page, in characters.
pub const PAGE_MAX: usize = 100_000;
/// A note added to a task's page, in characters.
pub const NOTE_MAX: usize = 20_000;
/// People one write may name.
pub const PEOPLE_MAX: usize = 20;
/// A name of a person, project, space or key, in characters.
pub const NAME_MAX: usize = 200;
/// A request body, in bytes: a page of the longest allowed size in a script of four bytes a character still fits.
pub const REQUEST_BODY_MAX: usize = 1024 * 1024;
/// An answer, in bytes, that a client will read.
pub const ANSWER_BODY_MAX: usize = 8 * 1024 * 1024;
/// The excerpt of a page on a card, in characters.
pub const EXCERPT_MAX: usize = 280;
/// An idempotency key, in bytes (visible ASCII).
pub const IDEMPOTENCY_KEY_MAX: usize = 200;
/// How long a write's answer is kept for its idempotency key, in hours.
pub const IDEMPOTENCY_HOURS: i64 = 24;
/// Writes a minute in one space.
pub const WRITES_PER_MINUTE: u32 = 240;
/// An error sentence as a client passes it on, in characters.
pub const ERROR_MAX: usize = 600;
/// The schema that a refusal of an action's input carries, as a client passes it on, in bytes.
pub const ERROR_SCHEMA_MAX: usize = 24_000;
/// Candidates that an ambiguous name lists.
pub const CANDIDATES_MAX: usize = 10;
/// `files/{id}`: characters of a file's text in one answer.
pub const FILE_TEXT_DEFAULT: u32 = 10_000;
pub const FILE_TEXT_MAX: u32 = 20_000;
/// A list's cards, in bytes of JSON; what does not fit is left to the next page.
pub const LIST_BYTES_MAX: usize = 75_000;
/// A file's summary, in characters.
pub const SUMMARY_MAX: usize = 4_000;
/// A file's tags.
pub const TAGS_MAX: usize = 20;
/// An original that is uploaded or saved from a web link, in bytes.
pub const UPLOAD_MAX: u64 = 26_214_400;
/// The body of an upload, in bytes: the base64 of the largest original, and what is said about it.
pub const UPLOAD_BODY_MAX: usize = 34_952_536 + 64 * 1024;
/// The name of an uploaded file, in bytes: what file systems take.
pub const FILE_NAME_MAX: usize = 255;
