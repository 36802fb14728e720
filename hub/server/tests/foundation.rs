//! The hub's foundation as its callers see it: the store, keys and spaces, the two writes, serving, and the wire of each of its routes.

#[cfg(test)]
#[path = "foundation/auth.rs"]
mod auth;
#[cfg(test)]
#[path = "foundation/bulk.rs"]
mod bulk;
#[cfg(test)]
#[path = "foundation/busy.rs"]
mod busy;
#[cfg(test)]
#[path = "foundation/golden.rs"]
mod golden;
#[cfg(test)]
#[path = "foundation/hidden.rs"]
mod hidden;
#[cfg(test)]
#[path = "foundation/lists.rs"]
mod lists;
#[cfg(test)]
#[path = "foundation/opening.rs"]
mod opening;
#[cfg(test)]
#[path = "foundation/refusals.rs"]
mod refusals;
#[cfg(test)]
#[path = "foundation/repeats.rs"]
mod repeats;
#[cfg(test)]
#[path = "foundation/serving.rs"]
mod serving;
#[cfg(test)]
#[path = "foundation/store.rs"]
mod store;
#[cfg(test)]
#[path = "foundation/support.rs"]
mod support;
#[cfg(test)]
#[path = "foundation/tasks.rs"]
mod tasks;
#[cfg(test)]
#[path = "foundation/walks.rs"]
mod walks;
#[cfg(test)]
#[path = "foundation/writes.rs"]
mod writes;
