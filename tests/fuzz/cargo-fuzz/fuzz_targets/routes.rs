//! The fuzzer's way to `routes`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ensemble_test_fuzz::run("routes", data));
