//! A number on everything, each with its reason, in this one place. A plugin's manifest can lower a limit, never raise it; the person
//! can do both, within what the host can give. [`Limits::rows`] lists them all.

mod declaration;
mod person;
mod rows;

use std::time::Duration;

use crate::world::World;

pub use declaration::{
    BadLimit, LimitsDeclaration, MAX_DEADLINE, MAX_HUB_REQUESTS, MAX_PASSED_BYTES,
};
pub use person::{BadPersonLimits, MAX_LIMITS_FILE_BYTES, PersonLimits};
pub use rows::LimitRow;

/// A compiled component is read whole into memory before it is checked; Python components measure 18 MB.
pub const MAX_COMPONENT_BYTES: usize = 64 << 20;

/// Instances alive at once. Each can hold [`MAX_MEMORY_BYTES`] at the most, so this bounds the host at 3 GiB of guest memory;
/// further calls wait their turn.
pub const MAX_LIVE_CALLS: usize = 32;

/// Calls that may wait for an instance; one more is refused, so that a flood ends in a sentence and not in memory.
pub const MAX_WAITING_CALLS: usize = 1024;

/// Calls of one plugin in flight: half of [`MAX_LIVE_CALLS`], so that the other half is there for the others whatever one does.
pub const MAX_CALLS_OF_PLUGIN: usize = MAX_LIVE_CALLS / 2;

/// Calls of one key in flight: three quarters of [`MAX_LIVE_CALLS`]. A bridge with one key hardly notices; with more, none has all.
pub const MAX_CALLS_OF_PRINCIPAL: usize = MAX_LIVE_CALLS / 4 * 3;

/// How often the epoch advances, and so how late a spinning guest is noticed: within 10 ms after its deadline.
pub const EPOCH_TICK: Duration = Duration::from_millis(10);

/// What a call may compute before it shares a lane with other long ones, so that they leave a processor to everybody else:
/// two ticks, which only a guest that computes all that time has used.
pub const BRISK_CALL: Duration = Duration::from_millis(20);

/// The most linear memory that a plugin of any world has: twice [`MAX_UPLOAD_BASE64`] and what a plugin needs besides.
pub const MAX_MEMORY_BYTES: usize = 96 << 20;

/// JavaScript components need 7,691 table elements, Python 5,674; three times that is no attack.
pub const MAX_TABLE_ELEMENTS: usize = 20_000;

/// Memories in one component: a guest has one, an adapter between two a second.
pub const MAX_MEMORIES: usize = 4;

/// Tables in one component; JavaScript and Python components have fewer than ten.
pub const MAX_TABLES: usize = 16;

/// Python components have 38 core instances.
pub const MAX_CORE_INSTANCES: usize = 64;

/// A guest's native stack: deep recursion traps here and not in the host. wasmtime's own default is 512 KiB.
pub const MAX_GUEST_STACK: usize = 512 << 10;

/// What an installed component may take to say what it offers: it waits for nothing, and a client waits for it.
pub const LISTING_DEADLINE: Duration = Duration::from_secs(5);

/// The longest hub path with its query, in bytes.
pub const MAX_PATH_BYTES: usize = 8 << 10;

/// The largest original that is put into an answer. Base64 makes it 27 MB on the wire; what is larger is saved instead.
pub const MAX_SHOWN_FILE_BYTES: u64 = 20 << 20;

/// The largest picture that is shown as one: models refuse larger ones.
pub const MAX_SHOWN_IMAGE_BYTES: u64 = 5 << 20;

/// The longest text of a file that is shown as text, in characters.
pub const MAX_SHOWN_TEXT: usize = 200_000;

/// Bytes of an original that a guest gets at once; it is copied into the guest's memory.
pub const MAX_FILE_CHUNK: u32 = 1 << 20;

/// The largest file that is taken in, as the hub takes it.
pub const MAX_UPLOAD_BYTES: usize = 25 << 20;

/// [`MAX_UPLOAD_BYTES`] as base64, in characters.
pub const MAX_UPLOAD_BASE64: usize = MAX_UPLOAD_BYTES.div_ceil(3) * 4;

/// What one call may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Wall time of one call, waits for the hub included. While the host saves a file, it counts from the last bytes that arrived: a file
    /// of any size takes the time that it takes.
    pub deadline: Duration,
    /// Linear memory of the instance, over all its memories.
    pub memory_bytes: usize,
    /// Table entries of the instance, over all its tables.
    pub table_elements: usize,
    /// Handles that the instance may hold at once; a guest has its three streams and few more.
    pub handles: usize,
    /// What a call may answer: under the 1 MB at which clients cut, with room for base64 later.
    pub output_bytes: usize,
    /// What a call may write to its log, stdout and stderr together.
    pub log_bytes: usize,
    /// Requests to the hub in one call: a brief needs one, a page of records at most a few.
    pub hub_requests: u32,
    /// The body of one request to the hub.
    pub request_bytes: usize,
    /// The answer to one request to the hub.
    pub response_bytes: usize,
    /// What one host call may copy out of the guest: the largest request body plus its query.
    pub hostcall_bytes: usize,
    /// Calls of the plugin in flight; the others wait.
    pub calls_at_once: usize,
}

impl Limits {
    /// What holds where neither the manifest nor the person says otherwise.
    pub const DEFAULT: Self = Self {
        deadline: Duration::from_secs(30),
        memory_bytes: 64 << 20,
        table_elements: MAX_TABLE_ELEMENTS,
        handles: 4_096,
        output_bytes: 4 << 20,
        log_bytes: 64 << 10,
        hub_requests: 32,
        request_bytes: 2 << 20,
        response_bytes: 8 << 20,
        hostcall_bytes: 8 << 20,
        calls_at_once: MAX_CALLS_OF_PLUGIN,
    };

    /// What holds for a plugin of this world.
    ///
    /// One that gives files out answers with originals of up to [`MAX_SHOWN_FILE_BYTES`], which the host puts in, beside
    /// what it says of them, and which take their time on a slow line.
    #[must_use]
    pub fn of_world(world: World) -> Self {
        match world {
            World::FileGiver => Self {
                output_bytes: 21 << 20,
                deadline: Duration::from_mins(5),
                ..Self::DEFAULT
            },
            World::FileTaker => Self {
                memory_bytes: MAX_MEMORY_BYTES,
                hostcall_bytes: MAX_UPLOAD_BASE64 + (1 << 20),
                deadline: Duration::from_mins(5),
                ..Self::DEFAULT
            },
            World::Reader | World::Changer | World::Actor | World::AppUser | World::Extension => {
                Self::DEFAULT
            }
        }
    }
}
