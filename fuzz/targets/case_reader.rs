//! Any bytes: the case reader answers with cases or with diagnostics.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|text: &str| {
    let _ = ptodiff_case::load_str("fuzz.yaml", text);
});

#[cfg(not(fuzzing))]
fn main() {}
