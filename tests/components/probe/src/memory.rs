//! Searches all of this instance's own memory for what it should not hold.

use crate::probes::MASK;

/// How often `masked` stands in this memory, unmasked. It is compared byte by byte, so that the search itself does not put it
/// there.
pub(crate) fn count(masked: &[u8]) -> usize {
    let Some(last) = end().checked_sub(masked.len()) else {
        return 0;
    };
    if masked.is_empty() {
        return 0;
    }
    // address 0 is no pointer in this language; what stands there cannot be the whole of anything
    (1..=last)
        .filter(|start| {
            masked
                .iter()
                .enumerate()
                .all(|(at, byte)| read(start + at) == byte ^ MASK)
        })
        .count()
}

/// Where this memory ends.
pub(crate) fn end() -> usize {
    core::arch::wasm32::memory_size(0) * (64 << 10)
}

#[expect(
    unsafe_code,
    reason = "reads whatever lies at an address below the end"
)]
fn read(address: usize) -> u8 {
    let pointer = std::ptr::with_exposed_provenance::<u8>(address);
    // SAFETY: below the end of the memory, and a byte needs no alignment; volatile, because nobody in this program wrote it.
    unsafe { pointer.read_volatile() }
}
