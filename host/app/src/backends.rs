//! What implements the broker's ports: the only code of the host that opens a connection or a file on a call's behalf.
//! Each method takes a permit, which only the broker can make.

pub(crate) mod clock;
pub(crate) mod folder;
pub(crate) mod host_key;
pub(crate) mod hub;
pub(crate) mod installed;
pub(crate) mod remote;
pub(crate) mod repository;
