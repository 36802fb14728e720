//! The fuzzer's way to `manifest`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ensemble_test_fuzz::run("manifest", data));
