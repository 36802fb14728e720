//! The actions, each through its route: what it does, how a wrong input is refused, that a key without the grant cannot, and that undoing it
//! gives back what was there before.
#![expect(clippy::unwrap_used, reason = "a failing helper fails its test")]
#![allow(dead_code, reason = "the support module serves more suites than one")]

#[path = "actions/around.rs"]
mod around;
#[path = "actions/bench.rs"]
mod bench;
#[path = "actions/blocks.rs"]
mod blocks;
#[path = "actions/boards.rs"]
mod boards;
#[path = "actions/comments.rs"]
mod comments;
#[path = "actions/complete.rs"]
mod complete;
#[path = "actions/context.rs"]
mod context;
#[path = "actions/desk.rs"]
mod desk;
#[path = "actions/diagrams.rs"]
mod diagrams;
#[path = "actions/files.rs"]
mod files;
#[path = "actions/live.rs"]
mod live;
#[path = "actions/manage.rs"]
mod manage;
#[path = "actions/matrix.rs"]
mod matrix;
#[path = "actions/meetings.rs"]
mod meetings;
#[path = "actions/pages.rs"]
mod pages;
#[path = "actions/people.rs"]
mod people;
#[path = "../../../tests/harness/src/picture.rs"]
#[expect(
    unreachable_pub,
    clippy::panic,
    reason = "the harness offers it to every suite"
)]
mod picture;
#[path = "actions/plots.rs"]
mod plots;
#[path = "actions/projects.rs"]
mod projects;
#[path = "actions/reminders.rs"]
mod reminders;
#[path = "actions/routines.rs"]
mod routines;
#[path = "actions/skills.rs"]
mod skills;
#[path = "foundation/support.rs"]
mod support;
#[path = "actions/surface.rs"]
mod surface;
#[path = "actions/tasks.rs"]
mod tasks;
#[path = "actions/together.rs"]
mod together;
#[path = "actions/undo.rs"]
mod undo;
#[path = "actions/upload.rs"]
mod upload;
