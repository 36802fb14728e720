//! The test guests as components, compiled by this crate's build script from `tests/components/`.
#![forbid(unsafe_code)]

include!(concat!(env!("OUT_DIR"), "/components.rs"));

/// The component of a package, such as `probe-kit`.
///
/// # Panics
/// When there is no such test guest; the message lists those that there are.
#[expect(
    clippy::panic,
    reason = "only tests call this, and a wrong name is a wrong test"
)]
pub fn wasm(package: &str) -> &'static [u8] {
    let found = COMPONENTS.iter().find(|(name, _)| *name == package);
    let Some((_, bytes)) = found else {
        let names: Vec<&str> = COMPONENTS.iter().map(|(name, _)| *name).collect();
        panic!("no test guest {package}; there are: {}", names.join(", "))
    };
    bytes
}

#[cfg(test)]
mod tests {
    use super::wasm;

    #[test]
    fn a_guest_is_a_component() {
        // The preamble of a component, as against that of a core module.
        assert_eq!(wasm("probe-kit").get(..8), Some(&b"\0asm\x0d\0\x01\0"[..]));
    }

    #[test]
    #[should_panic(expected = "no test guest probe-none; there are: probe-")]
    fn a_wrong_name_lists_the_right_ones() {
        wasm("probe-none");
    }
}
