//! What the hub answers, on a hub filled with the demo workspace: the brief with every outcome, reading every kind, search, today, and that
//! answers stay bounded with thousands of records.

#[cfg(test)]
#[path = "reader/bounds.rs"]
mod bounds;
#[cfg(test)]
#[path = "reader/brief.rs"]
mod brief;
#[cfg(test)]
#[path = "reader/context.rs"]
mod context;
#[cfg(test)]
#[path = "reader/demo.rs"]
mod demo;
#[cfg(test)]
#[path = "reader/files.rs"]
mod files;
#[cfg(test)]
#[path = "reader/forged.rs"]
mod forged;
#[cfg(test)]
#[path = "reader/forms.rs"]
mod forms;
#[cfg(test)]
#[path = "reader/golden.rs"]
mod golden;
#[cfg(test)]
#[path = "reader/lists.rs"]
mod lists;
#[cfg(test)]
#[path = "reader/read.rs"]
mod read;
#[cfg(test)]
#[path = "reader/repos.rs"]
mod repos;
#[cfg(test)]
#[path = "reader/search.rs"]
mod search;
#[cfg(test)]
#[path = "reader/support.rs"]
mod support;
#[cfg(test)]
#[path = "reader/today.rs"]
mod today;
