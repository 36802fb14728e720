//! An allocator that is hostile for a few sizes, because the host calls it: when it hands over a string, and when it cleans
//! up after an answer.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};

use ensemble_sdk::run::{self, Level};

use crate::exhaust;
use crate::probes::{CALLS, SPINS};

struct Hostile;

#[global_allocator]
static HEAP: Hostile = Hostile;

/// Set when the next string of [`SPINS`] bytes that is given back is to be the last.
static ARMED: AtomicBool = AtomicBool::new(false);

/// An answer whose cleaning up never ends.
pub(crate) fn armed() -> String {
    ARMED.store(true, Ordering::Relaxed);
    "x".repeat(SPINS)
}

#[expect(
    unsafe_code,
    reason = "an allocator; all but two sizes are the system's"
)]
// SAFETY: every pointer comes from and goes to the system's allocator, with the layout as it came.
unsafe impl GlobalAlloc for Hostile {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() == 1 && !ARMED.load(Ordering::Relaxed) {
            match layout.size() {
                SPINS => exhaust::spin(),
                CALLS => run::log(Level::Info, "from inside an allocation"),
                _ => {}
            }
        }
        // SAFETY: the caller's contract is the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        if ARMED.load(Ordering::Relaxed) && layout.size() == SPINS {
            exhaust::spin::<()>();
        }
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}
