//! The fuzzer's way to `search`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ensemble_test_fuzz::run("search", data));
