//! Where everything is. Every path is absolute from the hub's base URL; a base URL never ends with a slash.

/// The prefix of every bridge route.
pub const BRIDGE: &str = "/api/bridge";
pub const WHOAMI: &str = "/api/bridge/whoami";
pub const SPACES: &str = "/api/bridge/spaces";
pub const BRIEF: &str = "/api/bridge/brief";
pub const SEARCH: &str = "/api/bridge/search";
pub const READ: &str = "/api/bridge/read";
pub const TASKS: &str = "/api/bridge/tasks";
/// One task; `{id}` is a record id.
pub const TASK: &str = "/api/bridge/tasks/{id}";
/// One record and what it links to.
pub const CONTEXT: &str = "/api/bridge/context";
pub const PROJECTS: &str = "/api/bridge/projects";
/// One project; `{id}` is a record id, here and below.
pub const PROJECT: &str = "/api/bridge/projects/{id}";
pub const REPOS: &str = "/api/bridge/repos";
pub const REPO: &str = "/api/bridge/repos/{id}";
/// The outline of a repository's files.
pub const REPO_OVERVIEW: &str = "/api/bridge/repos/{id}/overview";
/// One file of a repository.
pub const REPO_FILE: &str = "/api/bridge/repos/{id}/file";
pub const SKILLS: &str = "/api/bridge/skills";
pub const SKILL: &str = "/api/bridge/skills/{id}";
pub const PEOPLE: &str = "/api/bridge/people";
pub const PERSON: &str = "/api/bridge/people/{id}";
pub const DELIVERABLES: &str = "/api/bridge/deliverables";
pub const MEETINGS: &str = "/api/bridge/meetings";
pub const DIAGRAMS: &str = "/api/bridge/diagrams";
pub const PLOTS: &str = "/api/bridge/plots";
pub const TODAY: &str = "/api/bridge/today";
pub const DECISIONS: &str = "/api/bridge/decisions";
pub const GAPS: &str = "/api/bridge/gaps";
pub const DOCS: &str = "/api/bridge/docs";
pub const FILES: &str = "/api/bridge/files";
/// One file's details and, when asked, its text; `{id}` is a record id.
pub const FILE: &str = "/api/bridge/files/{id}";
/// The file itself.
pub const FILE_ORIGINAL: &str = "/api/bridge/files/{id}/original";
/// What changed since a cursor.
pub const CHANGES: &str = "/api/bridge/changes";
/// The list of actions.
pub const ACTIONS: &str = "/api/bridge/actions";
/// One action to run, by its name.
pub const ACT: &str = "/api/bridge/act/{name}";
/// The prefix of every action.
pub const ACTS: &str = "/api/bridge/act/";
pub const WRITE_TASKS: &str = "/api/bridge/write/tasks";
/// One task to change; `{id}` is a record id.
pub const WRITE_TASK: &str = "/api/bridge/write/tasks/{id}";

/// A file to upload.
pub const WRITE_FILES: &str = "/api/bridge/write/files";

/// The bridge routes that a `POST` or `PATCH` may name; any other one answers 405.
pub const WRITES: &str = "/api/bridge/write/";

/// The request header that names the space to act in, by id.
pub const SPACE_HEADER: &str = "x-ensemble-space";
/// The request header that makes a repeated write answer as the first one did.
pub const IDEMPOTENCY_HEADER: &str = "idempotency-key";
/// Every key starts with this.
pub const KEY_PREFIX: &str = "ens_";
/// The file in the data folder that a running hub writes and removes.
pub const API_FILE: &str = "api.json";
