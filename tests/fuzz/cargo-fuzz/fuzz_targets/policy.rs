//! The fuzzer's way to `policy`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ensemble_test_fuzz::run("policy", data));
